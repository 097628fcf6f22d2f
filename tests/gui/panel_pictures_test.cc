// Pictures of the panels with real values, for people to look at: written to the folder that HLOSCOPE_PICTURES names.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gui/panels/broadcast_panel.h"
#include "gui/panels/layout_panel.h"
#include "gui/panels/sharding_panel.h"
#include "gui/panels/tensor_panel.h"
#include "gui_test_support.h"
#include "tests/support/shared_files.h"

namespace hloscope {
namespace {

class PanelPicturesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = qEnvironmentVariable("HLOSCOPE_PICTURES");
    if (folder_.isEmpty()) GTEST_SKIP() << "set HLOSCOPE_PICTURES to a folder to get pictures of the panels";
  }
  void TearDown() override { MainWindow::SetAppearance(QStringLiteral("system")); }
  void Save(QWidget* widget, const QString& name, QSize size) {
    widget->resize(size);
    widget->show();
    WaitUntil([] { return false; }, 300);
    ASSERT_TRUE(widget->grab().save(QStringLiteral("%1/%2.png").arg(folder_, name)));
  }

  QString folder_;
};

Tensor Waves(std::vector<int64_t> dimensions) {
  std::vector<float> values;
  int64_t count = 1;
  for (int64_t size : dimensions) count *= size;
  for (int64_t i = 0; i < count; ++i) {
    const double r = static_cast<double>(i / dimensions.back()), c = static_cast<double>(i % dimensions.back());
    values.push_back(static_cast<float>(std::sin(r / 9) * std::cos(c / 7) * 3 + 0.5));
  }
  values[static_cast<size_t>(count / 3)] = std::numeric_limits<float>::quiet_NaN();
  values[static_cast<size_t>(count / 2)] = std::numeric_limits<float>::infinity();
  return FloatTensor(dimensions, values);
}

TEST_F(PanelPicturesTest, TensorViews) {
  for (const char* appearance : {"light", "dark"}) {
    MainWindow::SetAppearance(QString::fromLatin1(appearance));
    for (const auto& [mode, name] : {std::pair{TensorView::Mode::kTable, "table"},
                                     {TensorView::Mode::kHeatMap, "heat_map"},
                                     {TensorView::Mode::kImage, "image"},
                                     {TensorView::Mode::kPlot, "plot"}}) {
      TensorView view;
      view.SetTensor(Waves({2, 60, 80, 3}));
      view.SetMode(mode);
      Save(&view, QStringLiteral("tensor_%1_%2").arg(QLatin1String(name), QLatin1String(appearance)), QSize(370, 520));
    }
  }
  TensorView small;
  small.SetTensor(Waves({6, 5}));
  small.SetMode(TensorView::Mode::kHeatMap);
  Save(&small, QStringLiteral("tensor_numbers"), QSize(560, 480));
  TensorView difference;
  difference.SetTensor(Waves({60, 80}));
  difference.SetMode(TensorView::Mode::kHeatMap);
  const Tensor other = Waves({80, 60}).View({60, 80}, {80, 1}, 0);
  difference.SetOther(other);
  ColorScale scale = difference.scale();
  scale.set_map(ColorMap::kPurpleOrange);
  difference.SetScale(scale);
  Save(&difference, QStringLiteral("tensor_difference"), QSize(900, 700));
  TensorView large;
  large.SetTensor(Waves({3000, 4000}));
  large.SetMode(TensorView::Mode::kHeatMap);
  ASSERT_TRUE(WaitUntil([&] { return !large.busy(); }));
  Save(&large, QStringLiteral("tensor_large"), QSize(1600, 1100));
}

TEST_F(PanelPicturesTest, Layouts) {
  int number = 0;
  for (const LayoutExample& example : LayoutExamples()) {
    MainWindow::SetAppearance(++number % 2 == 0 ? QStringLiteral("dark") : QStringLiteral("light"));
    LayoutPanel panel(nullptr);
    panel.Ask({QString::fromLatin1(example.shape), QString::fromLatin1(example.padded), {}, false, {}});
    if (number < 3) panel.text_box()->setCurrentIndex(static_cast<int>(CellText::kLetter));
    Save(&panel, QStringLiteral("layout_%1").arg(number), number == 4 ? QSize(1280, 720) : QSize(760, 520));
  }
  MainWindow::SetAppearance(QStringLiteral("light"));
  LayoutPanel movement(nullptr);
  movement.Ask({QStringLiteral("f32[4,6]{0,1}"), {}, QStringLiteral("f32[4,2,3]{2,1,0}"), false, {}});
  Save(&movement, QStringLiteral("layout_movement"), QSize(1280, 520));
  LayoutPanel wrong(nullptr);
  wrong.Ask({QStringLiteral("f32[4,6]{0,2}"), {}, {}, false, {}});
  Save(&wrong, QStringLiteral("layout_wrong"), QSize(420, 360));
}

TEST_F(PanelPicturesTest, Broadcasts) {
  MainWindow::SetAppearance(QStringLiteral("light"));
  BroadcastPanel shapes(nullptr, nullptr);
  shapes.SetShapes(QStringLiteral("f32[4,1]"), QStringLiteral("f32[3]"), QStringLiteral("1"), QStringLiteral("add"));
  shapes.SetProgress(8);
  Save(&shapes, QStringLiteral("broadcast_steps"), QSize(1280, 720));
  BroadcastPanel wrong(nullptr, nullptr);
  wrong.SetShapes(QStringLiteral("f32[4,2]"), QStringLiteral("f32[3]"), QStringLiteral("1"), QStringLiteral("add"));
  Save(&wrong, QStringLiteral("broadcast_wrong"), QSize(420, 300));
  MainWindow::SetAppearance(QStringLiteral("dark"));
  const auto document = ParseText(
      "HloModule m\nENTRY e {\n  a = f32[2,4,3] parameter(0)\n  b = f32[2,3,5] parameter(1)\n  ROOT d = f32[2,4,5] "
      "dot(a, b), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}\n}\n");
  Selection selection;
  SessionController session;
  BroadcastPanel dot(&selection, &session);
  selection.SetDocument(document, false);
  selection.SelectInstruction(FindByName(document->module(), "d"));
  dot.SetProgress(33);
  Save(&dot, QStringLiteral("broadcast_dot"), QSize(1280, 560));
  Save(&dot, QStringLiteral("broadcast_dot_narrow"), QSize(380, 700));
}

TEST_F(PanelPicturesTest, Shardings) {
  const auto document = ParseText(
      "HloModule m, replica_count=2, num_partitions=4\nadd {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n  "
      "ROOT "
      "s = f32[] add(x, y)\n}\nENTRY e {\n  p = f32[64,40] parameter(0), sharding={devices=[4,2]<=[8]}\n  r = "
      "f32[64,40] "
      "all-reduce(p), replica_groups={{0,1}}, to_apply=add\n  c = f32[64,40] collective-permute(r), channel_id=1, "
      "source_target_pairs={{0,1},{1,2},{2,3},{3,0}}\n  ROOT n = f32[64,40] negate(c)\n}\n");
  Selection selection;
  SessionController session;
  ShardingPanel panel(&selection, &session);
  selection.SetDocument(document, false);
  int number = 0;
  for (const char* name : {"p", "r", "c", "n"}) {
    MainWindow::SetAppearance(++number % 2 == 0 ? QStringLiteral("dark") : QStringLiteral("light"));
    selection.SelectInstruction(FindByName(document->module(), name));
    panel.grid()->SetCurrent(1);
    Save(&panel, QStringLiteral("sharding_%1").arg(QLatin1String(name)), QSize(760, 380));
  }
}

class PanelWindowPicturesTest : public PanelPicturesTest, public WindowTest {};

TEST_F(PanelWindowPicturesTest, TensorPanelInTheWindow) {
  MainWindow::SetAppearance(QStringLiteral("light"));
  OpenPath(QStringLiteral(":/examples/attention.hlo"));
  Trigger("run");
  window().selection()->SelectInstruction(Find("masked"));
  TensorPanel* panel = window().value_panel();
  panel->Pin();
  panel->current_view()->SetMode(TensorView::Mode::kHeatMap);
  panel->AskWhy();
  window().show();
  Save(&window(), QStringLiteral("window_tensor_720"), QSize(1280, 720));
  Save(&window(), QStringLiteral("window_tensor_4k"), QSize(3840, 2160));
}

TEST_F(PanelWindowPicturesTest, RealModules) {
  SKIP_WITHOUT_SHARED_FILES();
  MainWindow::SetAppearance(QStringLiteral("light"));
  OpenPath(QString::fromStdString(CorpusFile("xla-benchmarks/hlo_llama31_405b_fp8_64x8.hlo")));
  window().show();
  const auto select = [&](auto wanted) {
    for (size_t i = 0; i < module().instruction_count(); ++i) {
      const InstructionId id(i);
      if (!wanted(id)) continue;
      window().selection()->SelectInstruction(id);
      return;
    }
    ADD_FAILURE() << "no such instruction";
  };
  const auto show = [&](const char* dock, const char* picture) {
    window().dock(dock)->show();
    window().dock(dock)->raise();
    window().resizeDocks({window().dock(dock)}, {330}, Qt::Vertical);
    Save(&window(), QLatin1String(picture), QSize(1600, 1000));
  };
  select([&](InstructionId id) {
    const Sharding* sharding = module().ShardingAttribute(id);
    return sharding != nullptr && sharding->kind == Sharding::Kind::kTiled;
  });
  show("sharding", "real_sharding");
  select([&](InstructionId id) { return module().opcode(id) == Opcode::kAllReduce; });
  show("sharding", "real_all_reduce");
  select([&](InstructionId id) { return module().opcode(id) == Opcode::kDot; });
  show("index_map", "real_index_map");
  select([&](InstructionId id) { return module().opcode(id) == Opcode::kTranspose; });
  show("layout", "real_layout");
}

}  // namespace
}  // namespace hloscope
