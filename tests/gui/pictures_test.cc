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

TEST_F(PicturesTest, Welcome) {
  MainWindow::SetAppearance(QStringLiteral("light"));
  window().resize(1280, 720);
  WaitUntil([] { return false; }, 200);
  ASSERT_TRUE(window().grab().save(QStringLiteral("%1/welcome.png").arg(folder_)));
}

TEST_F(PicturesTest, LoopOpenedInPlace) {
  MainWindow::SetAppearance(QStringLiteral("light"));
  window().resize(1280, 720);
  OpenPath(QStringLiteral(":/examples/while_loop.hlo"));
  GraphPane* graph = window().graph_pane();
  ASSERT_TRUE(WaitUntil([&] { return !graph->laying_out() && !graph->graph().empty(); }));
  for (int round = 0; round < 2; ++round) {
    for (uint32_t box = 0; box < graph->graph().boxes.size(); ++box) {
      const VisibleGraph::Box& b = graph->graph().boxes[box];
      const bool loop =
          b.kind == VisibleGraph::BoxKind::kComputation || module().opcode(b.instruction) == Opcode::kWhile;
      if (!loop || !b.openable || b.inside != VisibleGraph::kNone) continue;
      graph->Toggle(box);
      ASSERT_TRUE(WaitUntil([&] { return !graph->laying_out(); }));
      box = 0;
    }
  }
  graph->canvas()->FitAll();
  Save("loop_1280x720");
}

TEST_F(PicturesTest, WholeModuleInView) {
  SKIP_WITHOUT_SHARED_FILES();
  MainWindow::SetAppearance(QStringLiteral("dark"));
  OpenPath(QString::fromStdString(CorpusFile("xla-benchmarks/hlo_mixtral_8x7b_bf16_2x8.hlo")));
  GraphPane* graph = window().graph_pane();
  graph->SetScope(GraphPane::Scope::kWhole);
  ASSERT_TRUE(WaitUntil([&] { return !graph->laying_out() && graph->graph().boxes.size() > 20'000; }, 60'000));
  graph->canvas()->FitAll();
  Save("whole_module");
  window().resize(3840, 2160);
  graph->canvas()->CenterOn(graph->canvas()->graph().rect(9000).center(), 0.9);
  Save("flat_3840x2160");
}

TEST_F(PicturesTest, GroupsByCostAndTheTimeline) {
  SKIP_WITHOUT_SHARED_FILES();
  MainWindow::SetAppearance(QStringLiteral("light"));
  OpenPath(QString::fromStdString(CorpusFile("xla-benchmarks/resnet50_keras_jax_f32.hlo")));
  GraphPane* graph = window().graph_pane();
  ASSERT_TRUE(WaitUntil([&] { return !graph->laying_out() && !graph->graph().empty(); }, 60'000));
  graph->SetColoring(GraphPane::Coloring::kFlops);
  window().dock("timeline")->show();
  window().dock("timeline")->raise();
  Trigger("run");
  Save("cost_and_timeline");
}

TEST_F(PicturesTest, NanMarks) {
  MainWindow::SetAppearance(QStringLiteral("light"));
  window().resize(1280, 720);
  OpenText(R"(HloModule negative
ENTRY main {
  x = f32[4] parameter(0)
  minus = f32[4] constant({-1, -1, -1, -1})
  good = f32[4] add(x, minus)
  bad = f32[4] log(minus)
  worse = f32[4] add(bad, good)
  ROOT result = f32[4] negate(worse)
}
)");
  Trigger("run_to_nan");
  Trigger("step_over");
  window().graph_pane()->SetColoring(GraphPane::Coloring::kHealth);
  Save("nan_1280x720");
}

}  // namespace
}  // namespace hloscope
