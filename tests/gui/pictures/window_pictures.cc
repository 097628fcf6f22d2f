// SPDX-License-Identifier: Apache-2.0
// Pictures of the window in typical states, for people to look at (gallery.h).
#include <gtest/gtest.h>

#include <QFile>

#include "gui/panels/changes_panel.h"
#include "gui/panels/dump_panel.h"
#include "gui/panels/memory_panel.h"
#include "gui/panels/passes_panel.h"
#include "gui/panels/preferences_dialog.h"
#include "gui/panels/profile_panel.h"
#include "gui/tabbed_window.h"
#include "pictures/gallery.h"
#include "tests/support/dump_stages.h"
#include "tests/support/shared_files.h"

namespace hloscope::gui {
namespace {

constexpr QSize kSmall(1280, 720), kUsual(1400, 900), kWide(1600, 1000), kLarge(3840, 2160);
constexpr char kMixtral[] = "xla-benchmarks/hlo_mixtral_8x7b_bf16_2x8.hlo";

class WindowPictures : public WindowPictureCase {
 protected:
  void Open(const char* example, const char* appearance) {
    MainWindow::SetAppearance(QLatin1String(appearance));
    window().resize(kUsual);
    window().show();
    OpenPath(QStringLiteral(":/examples/%1").arg(QLatin1String(example)));
  }
};

TEST_F(WindowPictures, SteppingInALoop) {
  Open("while_loop.hlo", "light");
  window().session()->ToggleBreakpoint(Find("quotient"));
  Trigger("run");
  Trigger("run");
  Trigger("step_over");
  Trigger("step_over");
  SaveWindow("stepping", kUsual, "Stepping inside a loop: the next instruction in graph and text, values at line ends");
}

TEST_F(WindowPictures, FinishedInTheDark) {
  Open("attention.hlo", "dark");
  Trigger("run");
  window().selection()->SelectInstruction(Find("masked"));
  SaveWindow("finished", kUsual, "A finished run in the dark theme, the value of a masked attention matrix");
}

TEST_F(WindowPictures, BrokenFile) {
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
  SaveWindow("broken", kUsual, "A broken file: what could be read, and the list of problems");
}

TEST_F(WindowPictures, LargeModule) {
  SKIP_WITHOUT_SHARED_FILES();
  MainWindow::SetAppearance(QStringLiteral("light"));
  OpenPath(QString::fromStdString(CorpusFile(kMixtral)));
  const std::vector<InstructionId>& all = module().computation(module().entry()).instructions;
  InstructionId dot;
  for (size_t i = all.size() / 2; i < all.size() && !dot.has_value(); ++i) {
    if (module().opcode(all[i]) == Opcode::kDot) dot = all[i];
  }
  window().selection()->SelectInstruction(dot);
  SaveWindow("large", kUsual, "43 700 instructions as groups, a dot in the middle selected");
}

TEST_F(WindowPictures, Welcome) {
  MainWindow::SetAppearance(QStringLiteral("light"));
  Save(&window(), QStringLiteral("welcome"), kSmall, QStringLiteral("The welcome page"));
}

TEST_F(WindowPictures, LoopOpenedInPlace) {
  Open("while_loop.hlo", "light");
  window().resize(kSmall);
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
  SaveWindow("loop_1280x720", kSmall, "A loop opened in place: condition and body inside of it");
  window().resize(kWide);
  WaitUntil([] { return false; }, 100);
  graph->canvas()->FitAll();
  SaveWindow("loop", kWide, "The same in a larger window");
}

TEST_F(WindowPictures, WholeModuleInView) {
  SKIP_WITHOUT_SHARED_FILES();
  MainWindow::SetAppearance(QStringLiteral("dark"));
  OpenPath(QString::fromStdString(CorpusFile(kMixtral)));
  GraphPane* graph = window().graph_pane();
  graph->SetScope(GraphPane::Scope::kWhole);
  ASSERT_TRUE(WaitUntil([&] { return !graph->laying_out() && graph->graph().boxes.size() > 20'000; }, 60'000));
  graph->canvas()->FitAll();
  SaveWindow("whole_module", kUsual, "31 000 boxes: the whole entry computation, flat, with its minimap");
  window().resize(kLarge);
  WaitUntil([] { return false; }, 100);
  graph->canvas()->CenterOn(graph->canvas()->graph().rect(9000).center(), 0.9);
  SaveWindow("flat_3840x2160", kLarge, "The same from near by, on a 4K screen");
}

TEST_F(WindowPictures, GroupsByCostAndTheTimeline) {
  SKIP_WITHOUT_SHARED_FILES();
  MainWindow::SetAppearance(QStringLiteral("light"));
  OpenPath(QString::fromStdString(CorpusFile("xla-benchmarks/resnet50_keras_jax_f32.hlo")));
  GraphPane* graph = window().graph_pane();
  ASSERT_TRUE(WaitUntil([&] { return !graph->laying_out() && !graph->graph().empty(); }, 60'000));
  graph->SetColoring(GraphPane::Coloring::kFlops);
  ShowDock("timeline", 260);
  Trigger("run");
  SaveWindow("cost_and_timeline", kUsual, "Groups coloured by FLOP, with the timeline and the memory of the run");
}

TEST_F(WindowPictures, NanMarks) {
  MainWindow::SetAppearance(QStringLiteral("light"));
  OpenText(kNanModule);
  Trigger("run_to_nan");
  Trigger("step_over");
  window().graph_pane()->SetColoring(GraphPane::Coloring::kHealth);
  SaveWindow("nan_1280x720", kSmall, "Where a NaN comes from: marks and colours of the values");
}

TEST_F(WindowPictures, TabsOfSeveralFiles) {
  for (const char* appearance : {"light", "dark"}) {
    MainWindow::SetAppearance(QLatin1String(appearance));
    TabbedWindow tabs;
    tabs.resize(kSmall);
    tabs.show();
    for (const char* example : {"attention.hlo", "group_norm.hlo", "while_loop.hlo"}) {
      tabs.OpenPlace(QStringLiteral(":/examples/%1").arg(QLatin1String(example)));
      ASSERT_TRUE(WaitUntil([&] { return !tabs.current()->workspace()->loading(); }));
    }
    tabs.GoToTab(1);
    ASSERT_TRUE(WaitUntil([&] { return !tabs.current()->graph_pane()->laying_out(); }));
    Save(&tabs, QStringLiteral("tabs_%1").arg(QLatin1String(appearance)), kSmall,
         QStringLiteral("A tab for each file"));
  }
}

TEST_F(WindowPictures, ValuesSideBySide) {
  for (const char* appearance : {"light", "dark"}) {
    Open("attention.hlo", appearance);
    window().resize(kSmall);
    Trigger("run");
    TensorPanel* values = window().value_panel();
    for (const char* name : {"scores", "masked"}) {
      window().selection()->SelectInstruction(Find(name));
      values->current_view()->SetMode(TensorView::Mode::kHeatMap);
      values->Pin();
    }
    window().selection()->SelectInstruction(Find("attended"));
    values->SetBeside(true);
    window().EnlargeDock(window().dock("value"));
    SaveWindow(qPrintable(QStringLiteral("values_beside_%1").arg(QLatin1String(appearance))), kSmall,
               "Three values beside one another, at the same slice");
    window().EnlargeDock(nullptr);
    while (values->tabs()->count() > 1) Q_EMIT values->tabs()->tabCloseRequested(1);
  }
}

TEST_F(WindowPictures, TimelineOfDevices) {
  SKIP_WITHOUT_SHARED_FILES();
  for (const char* appearance : {"light", "dark"}) {
    Open("while_loop.hlo", appearance);
    window().resize(kSmall);
    ArgumentSource arguments;
    arguments.partitions = 3;
    window().session()->SetArguments(arguments);
    ShowDock("timeline", 330);
    Trigger("run");
    window().EnlargeDock(window().dock("timeline"));
    SaveWindow(qPrintable(QStringLiteral("timeline_devices_%1").arg(QLatin1String(appearance))), kSmall,
               "What was executed when, on three devices, with the memory that was alive");
    window().EnlargeDock(nullptr);
  }
}

TEST_F(WindowPictures, GroupsFromFarAway) {
  SKIP_WITHOUT_SHARED_FILES();
  for (const char* appearance : {"light", "dark"}) {
    MainWindow::SetAppearance(QLatin1String(appearance));
    OpenPath(QString::fromStdString(CorpusFile("xla-benchmarks/resnet50_keras_jax_f32.hlo")));
    GraphPane* graph = window().graph_pane();
    ASSERT_TRUE(WaitUntil([&] { return !graph->laying_out() && !graph->graph().empty(); }, 60'000));
    window().resize(1920, 1080);
    WaitUntil([] { return false; }, 100);
    graph->canvas()->FitAll();
    SaveWindow(qPrintable(QStringLiteral("far_groups_%1").arg(QLatin1String(appearance))), QSize(1920, 1080),
               "All of ResNet-50: names beside the groups that are open");
  }
}

TEST_F(WindowPictures, OperandsWhileTyping) {
  for (const char* appearance : {"light", "dark"}) {
    Open("attention.hlo", appearance);
    window().resize(kSmall);
    WaitUntil([] { return false; }, 200);
    TextView* text = window().text_view();
    text->setFocus();
    QTextCursor cursor = text->textCursor();
    cursor.setPosition(static_cast<int>(text->toPlainText().indexOf(QStringLiteral("dot(")) + 4));
    text->setTextCursor(cursor);
    window().session()->SetBreakpoint(Find("masked"), {});
    window().signature_hint()->Trigger();
    SaveWindow(qPrintable(QStringLiteral("scroll_marks_%1").arg(QLatin1String(appearance))), kSmall,
               "Marks of breakpoints and problems in the scroll bar of the text");
  }
}

TEST_F(WindowPictures, ShardingColors) {
  SKIP_WITHOUT_SHARED_FILES();
  for (const char* appearance : {"light", "dark"}) {
    MainWindow::SetAppearance(QLatin1String(appearance));
    OpenPath(QString::fromStdString(CorpusFile("xla-benchmarks/hlo_llama31_405b_fp8_64x8.hlo")));
    GraphPane* graph = window().graph_pane();
    graph->SetScope(GraphPane::Scope::kWhole);
    graph->SetColoring(GraphPane::Coloring::kSharding);
    ASSERT_TRUE(WaitUntil([&] { return !graph->laying_out(); }, 60'000));
    // Parameters have shardings.
    window().selection()->SelectInstruction(module().computation(module().entry()).parameters[3]);
    SaveWindow(appearance[0] == 'l' ? "sharding_colors_light" : "sharding_colors_dark", kUsual,
               "Colours by sharding, with their legend");
  }
}

TEST_F(WindowPictures, RewritePreview) {
  for (const char* appearance : {"light", "dark"}) {
    Open("group_norm.hlo", appearance);
    auto* panel = window().panel<ChangesPanel>();
    panel->Preview(QString());
    ASSERT_TRUE(WaitUntil([&] { return !panel->busy(); }));
    window().graph_pane()->SetColoring(GraphPane::Coloring::kChanges);
    ShowDock("changes", 420);
    panel->tabs()->setCurrentWidget(panel->graphs());
    const QString suffix = QLatin1String(appearance);
    SaveWindow(qPrintable(QStringLiteral("rewrite_graphs_%1").arg(suffix)), kWide,
               "What the rewrites would do to a group normalisation: before and after side by side");
    panel->tabs()->setCurrentWidget(panel->costs());
    SaveWindow(qPrintable(QStringLiteral("rewrite_costs_%1").arg(suffix)), kSmall, "The same, as a table of costs");
  }
}

TEST_F(WindowPictures, ComparedFiles) {
  MainWindow::SetAppearance(QStringLiteral("light"));
  OpenText(ChainModule(14), "before.hlo");
  std::string after = ChainModule(14);
  after.insert(after.find("  x5 ="), "  fresh = f32[8,16] exponential(x4)\n");
  after.replace(after.find("negate(x4)"), 10, "negate(fresh)");
  after.replace(after.find("tanh(x8)"), 8, "sine(x8)");
  OpenText(after, "after.hlo");
  auto* panel = window().panel<ChangesPanel>();
  panel->CompareWith(Path("before.hlo"));
  ASSERT_TRUE(WaitUntil([&] { return !panel->busy(); }));
  panel->graphs()->GoToChange(1);
  ShowDock("changes", 420);
  SaveWindow("compared_graphs", kWide, "Two versions of a file: one instruction added, one changed");
  panel->tabs()->setCurrentWidget(panel->tree());
  SaveWindow("compared_list", kSmall, "The same as a list");
}

TEST_F(WindowPictures, PassesOfADump) {
  SKIP_WITHOUT_SHARED_FILES();
  QFile file(QString::fromStdString(CorpusFile("xla-benchmarks/resnet50_keras_jax_f32.hlo")));
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  StageMaker maker(file.readAll().toStdString(), 7);
  while (maker.stages().size() < 10) maker.Step();
  WriteDump(Path("dump").toStdString(), 12, "jit_train_step", maker.stages());
  window().resize(kSmall);
  window().show();
  for (const char* appearance : {"light", "dark"}) {
    MainWindow::SetAppearance(QLatin1String(appearance));
    window().OpenPlace(Path("dump"));
    auto* dumps = window().panel<DumpPanel>();
    ASSERT_TRUE(WaitUntil([&] { return !dumps->busy() && dumps->passes_button()->isEnabled(); }));
    dumps->passes_button()->click();
    auto* panel = window().panel<PassesPanel>();
    ASSERT_TRUE(WaitUntil([&] { return !panel->busy() && !panel->model()->changes().empty(); }, 120'000));
    panel->list()->selectionModel()->select(panel->list()->model()->index(2, 0),
                                            QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    ASSERT_TRUE(WaitUntil([&] { return !panel->busy() && panel->graphs()->comparison() != nullptr; }, 60'000));
    const QString suffix = QLatin1String(appearance);
    panel->tabs()->setCurrentWidget(panel->texts());
    panel->texts()->GoToChange(1);
    SaveWindow(qPrintable(QStringLiteral("passes_text_%1").arg(suffix)), kSmall, "What a pass changed, as texts");
    panel->tabs()->setCurrentWidget(panel->graphs());
    SaveWindow(qPrintable(QStringLiteral("passes_graphs_%1").arg(suffix)), QSize(1920, 1080), "The same as graphs");
    panel->Follow(panel->follow_field()->text());
    ASSERT_TRUE(WaitUntil([&] { return !panel->busy(); }, 120'000));
    SaveWindow(qPrintable(QStringLiteral("passes_followed_%1").arg(suffix)), kSmall,
               "An instruction through all passes");
  }
}

TEST_F(WindowPictures, PreferencesDialogs) {
  for (const char* appearance : {"light", "dark"}) {
    MainWindow::SetAppearance(QLatin1String(appearance));
    PreferencesDialog dialog{Preferences()};
    Save(&dialog, QStringLiteral("preferences_%1").arg(QLatin1String(appearance)), dialog.sizeHint(),
         QStringLiteral("Preferences"));
  }
}

TEST_F(WindowPictures, MemoryAndProfile) {
  SKIP_WITHOUT_SHARED_FILES();
  for (const char* appearance : {"light", "dark"}) {
    MainWindow::SetAppearance(QLatin1String(appearance));
    window().resize(kUsual);
    window().show();
    OpenPath(QString::fromStdString(CorpusFile("model-dumps/imagenette.training.jit_train_step.hlo")));
    window().ShowDock(QStringLiteral("memory"));
    auto* memory = window().panel<MemoryPanel>();
    ASSERT_TRUE(WaitUntil([&] { return !memory->busy() && memory->picture() != nullptr; }));
    SaveWindow(appearance[0] == 'l' ? "memory_light" : "memory_dark", kUsual, "Memory over the schedule");
    window().Open(QString::fromStdString(SharedDirectory() + "/interop/legacy.xplane.pb"));
    auto* profile = window().panel<ProfilePanel>();
    ASSERT_TRUE(WaitUntil(
        [&] { return !window().workspace()->loading() && !profile->busy() && profile->profile() != nullptr; }));
    profile->open_module()->click();
    ASSERT_TRUE(WaitUntil([&] { return !window().workspace()->loading() && !window().graph_pane()->laying_out(); }));
    for (int tab = 0; tab < profile->tabs()->count(); ++tab) {
      profile->tabs()->setCurrentIndex(tab);
      const std::string name = std::string("profile_") + appearance + "_" + std::to_string(tab);
      SaveWindow(name.c_str(), kUsual, "A profile: heat in the graph, times at the ends of lines");
    }
  }
}

}  // namespace
}  // namespace hloscope::gui
