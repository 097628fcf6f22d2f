// Pictures of the window in typical states, for people to look at: written to the folder that HLOSCOPE_PICTURES names.
#include <gtest/gtest.h>

#include "gui_test_support.h"
#include "tests/support/shared_files.h"

namespace hloscope {
namespace {

class PicturesTest : public ::testing::Test, public WindowTest {
 protected:
  void SetUp() override {
    folder_ = qEnvironmentVariable("HLOSCOPE_PICTURES");
    if (folder_.isEmpty()) GTEST_SKIP() << "set HLOSCOPE_PICTURES to a folder to get pictures of the window";
    window().resize(1400, 900);
    window().show();
  }
  void TearDown() override { MainWindow::SetAppearance(QStringLiteral("system")); }
  void Save(const char* name) {
    GraphPane* graph = window().graph_pane();
    ASSERT_TRUE(WaitUntil([&] { return !graph->laying_out() && !window().session()->busy(); }, 60'000));
    WaitUntil([] { return false; }, 300);
    ASSERT_TRUE(window().grab().save(QStringLiteral("%1/%2.png").arg(folder_, QLatin1String(name))));
  }

  QString folder_;
};

TEST_F(PicturesTest, SteppingInALoop) {
  MainWindow::SetAppearance(QStringLiteral("light"));
  OpenPath(QStringLiteral(":/examples/while_loop.hlo"));
  window().session()->ToggleBreakpoint(Find("quotient"));
  Trigger("run");
  Trigger("run");
  Trigger("step_over");
  Trigger("step_over");
  Save("stepping");
}

TEST_F(PicturesTest, FinishedInTheDark) {
  MainWindow::SetAppearance(QStringLiteral("dark"));
  OpenPath(QStringLiteral(":/examples/attention.hlo"));
  Trigger("run");
  window().selection()->SelectInstruction(Find("masked"));
  Save("finished");
}

TEST_F(PicturesTest, BrokenFile) {
  MainWindow::SetAppearance(QStringLiteral("light"));
  OpenText(R"(HloModule broken
ENTRY main {
  x = f32[4,8] parameter(0)
  w = f32[8,3] parameter(1)
  y = f32[4,3] dto(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  b = f32[4,5] broadcast(x), dimensions={0,1}
  ROOT z = f32[4,3] add(y, missing)
}
)",
           "broken.hlo");
  Save("broken");
}

TEST_F(PicturesTest, LargeModule) {
  SKIP_WITHOUT_SHARED_FILES();
  MainWindow::SetAppearance(QStringLiteral("light"));
  OpenPath(QString::fromStdString(CorpusFile("xla-benchmarks/hlo_mixtral_8x7b_bf16_2x8.hlo")));
  const std::vector<InstructionId>& all = module().computation(module().entry()).instructions;
  InstructionId dot;
  for (size_t i = all.size() / 2; i < all.size() && !dot.has_value(); ++i) {
    if (module().opcode(all[i]) == Opcode::kDot) dot = all[i];
  }
  window().selection()->SelectInstruction(dot);
  Save("large");
}

}  // namespace
}  // namespace hloscope
