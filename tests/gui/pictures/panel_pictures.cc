// SPDX-License-Identifier: Apache-2.0
// Pictures of the panels with real values, for people to look at (gallery.h).
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gui/panels/broadcast_panel.h"
#include "gui/panels/layout_panel.h"
#include "gui/panels/sharding_panel.h"
#include "gui/panels/tensor_panel.h"
#include "pictures/gallery.h"
#include "tests/support/shared_files.h"

namespace hloscope::gui {
namespace {

class PanelPictures : public PictureCase {};

evaluator::Tensor Waves(std::vector<int64_t> dimensions) {
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

TEST_F(PanelPictures, TensorViews) {
  for (const char* appearance : {"light", "dark"}) {
    MainWindow::SetAppearance(QString::fromLatin1(appearance));
    for (const auto& [mode, name] : {std::pair{TensorView::Mode::kTable, "table"},
                                     {TensorView::Mode::kHeatMap, "heat_map"},
                                     {TensorView::Mode::kImage, "image"},
                                     {TensorView::Mode::kPlot, "plot"}}) {
      TensorView view;
      view.SetTensor(Waves({2, 60, 80, 3}));
      view.SetMode(mode);
      Save(&view, QStringLiteral("tensor_%1_%2").arg(QLatin1String(name), QLatin1String(appearance)), QSize(370, 520),
           QStringLiteral("A value of four dimensions as %1").arg(QLatin1String(name)));
    }
  }
  TensorView small;
  small.SetTensor(Waves({6, 5}));
  small.SetMode(TensorView::Mode::kHeatMap);
  Save(&small, QStringLiteral("tensor_numbers"), QSize(560, 480),
       QStringLiteral("Numbers in the cells of a small heat map"));
  TensorView difference;
  difference.SetTensor(Waves({60, 80}));
  difference.SetMode(TensorView::Mode::kHeatMap);
  const evaluator::Tensor other = Waves({80, 60}).View({60, 80}, {80, 1}, 0);
  difference.SetOther(other);
  ColorScale scale = difference.scale();
  scale.set_map(ColorMap::kPurpleOrange);
  difference.SetScale(scale);
  Save(&difference, QStringLiteral("tensor_difference"), QSize(900, 700),
       QStringLiteral("The difference of two values"));
  TensorView large;
  large.SetTensor(Waves({3000, 4000}));
  large.SetMode(TensorView::Mode::kHeatMap);
  ASSERT_TRUE(WaitUntil([&] { return !large.busy(); }));
  Save(&large, QStringLiteral("tensor_large"), QSize(1600, 1100), QStringLiteral("Twelve million elements"));
}

TEST_F(PanelPictures, Layouts) {
  int number = 0;
  for (const LayoutExample& example : LayoutExamples()) {
    MainWindow::SetAppearance(++number % 2 == 0 ? QStringLiteral("dark") : QStringLiteral("light"));
    LayoutPanel panel(nullptr);
    panel.Ask({QString::fromLatin1(example.shape), QString::fromLatin1(example.padded), {}, false, {}});
    if (number < 3) panel.text_box()->setCurrentIndex(static_cast<int>(CellText::kLetter));
    Save(&panel, QStringLiteral("layout_%1").arg(number), number == 4 ? QSize(1280, 720) : QSize(760, 520),
         QStringLiteral("Logical array and linear memory of %1").arg(QLatin1String(example.shape)));
  }
  MainWindow::SetAppearance(QStringLiteral("light"));
  LayoutPanel movement(nullptr);
  movement.Ask({QStringLiteral("f32[4,6]{0,1}"), {}, QStringLiteral("f32[4,2,3]{2,1,0}"), false, {}});
  Save(&movement, QStringLiteral("layout_movement"), QSize(1280, 520),
       QStringLiteral("What a reshape between two layouts moves"));
  LayoutPanel wrong(nullptr);
  wrong.Ask({QStringLiteral("f32[4,6]{0,2}"), {}, {}, false, {}});
  Save(&wrong, QStringLiteral("layout_wrong"), QSize(420, 360), QStringLiteral("A layout that is none"));
}

TEST_F(PanelPictures, Broadcasts) {
  MainWindow::SetAppearance(QStringLiteral("light"));
  BroadcastPanel shapes(nullptr, nullptr);
  shapes.SetShapes(QStringLiteral("f32[4,1]"), QStringLiteral("f32[3]"), QStringLiteral("1"), QStringLiteral("add"));
  shapes.SetProgress(8);
  Save(&shapes, QStringLiteral("broadcast_steps"), QSize(1280, 720),
       QStringLiteral("A broadcast of two shapes, step by step"));
  BroadcastPanel wrong(nullptr, nullptr);
  wrong.SetShapes(QStringLiteral("f32[4,2]"), QStringLiteral("f32[3]"), QStringLiteral("1"), QStringLiteral("add"));
  Save(&wrong, QStringLiteral("broadcast_wrong"), QSize(420, 300),
       QStringLiteral("Shapes that do not go together, and why"));
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
  Save(&dot, QStringLiteral("broadcast_dot"), QSize(1280, 560), QStringLiteral("The operands of one element of a dot"));
  Save(&dot, QStringLiteral("broadcast_dot_narrow"), QSize(380, 700), QStringLiteral("The same in a narrow dock"));
}

TEST_F(PanelPictures, Shardings) {
  const auto document = ParseText(
      "HloModule m, replica_count=2, num_partitions=4\nadd {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n  "
      "ROOT "
      "s = f32[] add(x, y)\n}\nENTRY e {\n  p = f32[64,40] parameter(0), sharding={devices=[4,2]<=[8]}\n  r = "
      "f32[64,40] "
      "all-reduce(p), replica_groups={{0,1}}, to_apply=add\n  c = f32[64,40] collective-permute(r), channel_id=1, "
      "source_target_pairs={{0,1},{1,2},{2,3},{3,0}}\n  m = "
      "f32[64,40] negate(c), sharding={mesh['x'=2,'y'=4], [{'y'}, {'x'}]}\n  t = token[] after-all()\n  sent = "
      "(f32[64,40], u32[], token[]) send(m, t), channel_id=4, "
      "frontend_attributes={_xla_send_recv_source_target_pairs=\"{{0,1},{1,2},{2,3}}\"}\n  done = token[] "
      "send-done(sent), channel_id=4\n  ROOT n = f32[64,40] negate(c)\n}\n");
  Selection selection;
  SessionController session;
  ShardingPanel panel(&selection, &session);
  selection.SetDocument(document, false);
  int number = 0;
  for (const char* name : {"p", "r", "c", "m", "sent", "n"}) {
    MainWindow::SetAppearance(++number % 2 == 0 ? QStringLiteral("dark") : QStringLiteral("light"));
    selection.SelectInstruction(FindByName(document->module(), name));
    panel.grid()->SetCurrent(1);
    Save(&panel, QStringLiteral("sharding_%1").arg(QLatin1String(name)), QSize(760, 380),
         QStringLiteral("Devices, parts and who sends to whom"));
  }
}

class PanelWindowPictures : public WindowPictureCase {};

TEST_F(PanelWindowPictures, TensorPanelInTheWindow) {
  MainWindow::SetAppearance(QStringLiteral("light"));
  OpenPath(QStringLiteral(":/examples/attention.hlo"));
  Trigger("run");
  window().selection()->SelectInstruction(Find("masked"));
  TensorPanel* panel = window().value_panel();
  panel->Pin();
  panel->current_view()->SetMode(TensorView::Mode::kHeatMap);
  panel->AskWhy();
  window().show();
  Save(&window(), QStringLiteral("window_tensor_720"), QSize(1280, 720),
       QStringLiteral("A pinned heat map and where its element comes from"));
  Save(&window(), QStringLiteral("window_tensor_4k"), QSize(3840, 2160), QStringLiteral("The same on a 4K screen"));
}

TEST_F(PanelWindowPictures, RealModules) {
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
  const auto show = [&](const char* dock, const char* picture, const char* caption) {
    ShowDock(dock);
    Save(&window(), QLatin1String(picture), QSize(1600, 1000), QLatin1String(caption));
  };
  select([&](InstructionId id) {
    const Sharding* sharding = module().ShardingAttribute(id);
    return sharding != nullptr && sharding->kind == Sharding::Kind::kTiled;
  });
  show("sharding", "real_sharding", "The sharding of a parameter of a large model");
  select([&](InstructionId id) { return module().opcode(id) == Opcode::kAllReduce; });
  show("sharding", "real_all_reduce", "An all-reduce of the same");
  select([&](InstructionId id) { return module().opcode(id) == Opcode::kDot; });
  show("index_map", "real_index_map", "Which elements a dot multiplies");
  select([&](InstructionId id) { return module().opcode(id) == Opcode::kTranspose; });
  show("layout", "real_layout", "What a transpose does to memory");
}

}  // namespace
}  // namespace hloscope::gui
