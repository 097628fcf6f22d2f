// SPDX-License-Identifier: Apache-2.0
// Three whole tasks, step by step, in a window of 1280 x 720, for people to look at (gallery.h). Each is done as a
// person would: with the commands, clicks and keys of the app.
#include <gtest/gtest.h>

#include <QTest>

#include "gui/panels/layout_panel.h"
#include "gui/panels/memory_panel.h"
#include "gui/panels/tensor_panel.h"
#include "gui/panels/timeline_panel.h"
#include "pictures/gallery.h"
#include "tests/support/shared_files.h"

namespace hloscope::gui {
namespace {

constexpr QSize kFilmSize(1280, 720);

class FilmStrips : public WindowPictureCase {
 protected:
  void Begin(const std::string& file) {
    MainWindow::SetAppearance(QStringLiteral("light"));
    window().resize(kFilmSize);
    window().show();
    if (!file.empty()) OpenPath(QString::fromStdString(CorpusFile(file)));
    Settle();
  }
  void Settle() {
    GraphPane* graph = window().graph_pane();
    ASSERT_TRUE(WaitUntil([&] { return !graph->laying_out() && !window().session()->busy(); }, 60'000));
  }
  void Click(uint32_t box) {
    GraphCanvas* canvas = window().graph_pane()->canvas();
    canvas->Reveal(box);
    const QPointF at = canvas->ToScreen(canvas->graph().rect(box).topLeft() + QPointF(20, 8));
    QTest::mouseClick(canvas, Qt::LeftButton, {}, at.toPoint());
  }
  void Take(const char* name, const char* caption) {
    Settle();
    SaveWindow(name, kFilmSize, caption);
  }
};

// Why is the loss NaN? Run to the first one, look at it, ask where it comes from.
TEST_F(FilmStrips, WhyIsTheLossNan) {
  SKIP_WITHOUT_SHARED_FILES();
  Begin("xla-benchmarks/dlrm_keras_jax_f32_train_step.hlo");
  Take("film_nan_01", "Why is the loss NaN? 1: the training step, by the scopes of its model");
  CommandPalette* palette = window().MakePalette();
  palette->show();
  QTest::keyClicks(palette->search(), QStringLiteral("not a number"));
  Save(palette, QStringLiteral("film_nan_02"), palette->size(),
       QStringLiteral("2: the palette finds the command by another word"));
  palette->hide();
  Trigger("run_to_nan");
  Take("film_nan_03", "3: \"Run to NaN\" stops after the first instruction that gives one");
  TensorPanel* values = window().value_panel();
  TensorView* view = values->current_view();
  view->search_field()->setText(QStringLiteral("nan"));
  view->FindNext(/*backwards=*/false);
  ASSERT_TRUE(WaitUntil([&] { return !view->busy(); }));
  Take("film_nan_04", "4: the first NaN in the value");
  window().EnlargeDock(window().dock("value"));
  Take("film_nan_05", "5: the value in the whole centre");
  values->AskDebugger(PastQuestion::kOrigin);
  ASSERT_TRUE(WaitUntil([&] { return !window().session()->busy() && values->answer_list()->topLevelItemCount() > 0; }));
  Take("film_nan_06", "6: where it comes from, beside the value");
  window().EnlargeDock(nullptr);
  QTreeWidgetItem* last = values->answer_list()->topLevelItem(values->answer_list()->topLevelItemCount() - 1);
  Q_EMIT values->answer_list()->itemClicked(last, 0);
  Take("film_nan_07", "7: one click leads to the operand that made it");
  GraphPane* graph = window().graph_pane();
  graph->SetScope(GraphPane::Scope::kNeighbourhood);
  graph->SetColoring(GraphPane::Coloring::kHealth);
  Take("film_nan_08", "8: what is around it, by whether it holds NaNs");
  Trigger("step_back");
  Take("film_nan_09", "9: one step back: before it was computed");
  window().dock("properties")->raise();
  Trigger("step_over");
  window().graph_pane()->search()->setText(QStringLiteral("has:nan"));
  QTest::keyClick(window().graph_pane()->search(), Qt::Key_Return);
  Take("film_nan_10", "10: everything that holds a NaN, as a search");
  ASSERT_TRUE(
      SaveFilmSheet(QStringLiteral("film_nan"), QStringLiteral("Why is the loss NaN? Ten steps to the answer")));
}

// Which layer moves the most bytes?
TEST_F(FilmStrips, WhichLayerMovesTheMostBytes) {
  SKIP_WITHOUT_SHARED_FILES();
  Begin("xla-benchmarks/resnet50_keras_jax_f32.hlo");
  Take("film_bytes_01", "Which layer moves the most bytes? 1: the model by the scopes of its layers");
  GraphPane* graph = window().graph_pane();
  graph->SetColoring(GraphPane::Coloring::kBytes);
  graph->canvas()->SetKeptFitted(true);
  Take("film_bytes_02", "2: coloured by bytes, with a scale");
  // The group of the outermost level that moves most.
  DocumentAnalyses analyses(window().selection()->document());
  const auto warmest = [&](uint32_t level) {
    uint32_t most = graph->graph().levels[level].begin;
    int64_t most_bytes = -1;
    for (uint32_t box = most; box < graph->graph().levels[level].end; ++box) {
      int64_t bytes = 0;
      for (InstructionId id : graph->graph().MembersOf(box)) bytes += analyses.costs().Of(id).bytes();
      if (bytes > most_bytes) most = box, most_bytes = bytes;
    }
    return most;
  };
  Click(warmest(0));
  Take("film_bytes_03", "3: the warmest group, with its properties: bytes, operations, inputs and outputs");
  graph->canvas()->CenterOn(graph->canvas()->graph().rect(warmest(0)).center(), GraphCanvas::kReadableScale);
  Take("film_bytes_04", "4: near by: its convolutions");
  graph->canvas()->SetKeptFitted(true);
  window().ShowDock(QStringLiteral("timeline"));
  auto* timeline = window().panel<TimelinePanel>();
  timeline->tabs()->setCurrentWidget(timeline->scopes());
  window().resizeDocks({window().dock("timeline")}, {260}, Qt::Vertical);
  Take("film_bytes_05", "5: the same question to the timeline: scopes by their time");
  timeline->tabs()->setCurrentWidget(timeline->top_down());
  Take("film_bytes_06", "6: as a table, from the outermost scope inwards");
  timeline->filter()->setText(QStringLiteral("conv"));
  Take("film_bytes_07", "7: the convolutions alone");
  timeline->filter()->clear();
  window().ShowDock(QStringLiteral("memory"));
  auto* memory = window().panel<MemoryPanel>();
  ASSERT_TRUE(WaitUntil([&] { return !memory->busy() && memory->picture() != nullptr; }));
  Take("film_bytes_08", "8: what is alive over the schedule, and at the peak");
  window().EnlargeDock(window().dock("memory"));
  memory->order()->setCurrentIndex(1);
  Take("film_bytes_09", "9: where it lies in memory");
  window().EnlargeDock(nullptr);
  window().dock("memory")->hide();
  window().SetGraphBeside(true);
  Take("film_bytes_10", "10: graph and text side by side");
  ASSERT_TRUE(
      SaveFilmSheet(QStringLiteral("film_bytes"), QStringLiteral("Which layer moves the most bytes? Ten steps")));
}

// What does a tiled layout do?
TEST_F(FilmStrips, WhatATiledLayoutDoes) {
  Begin("");
  Take("film_layout_01", "What does a tiled layout do? 1: the first page");
  OpenPath(QStringLiteral(":/examples/attention.hlo"));
  Take("film_layout_02", "2: an example");
  CommandPalette* palette = window().MakePalette();
  palette->show();
  QTest::keyClicks(palette->search(), QStringLiteral("tiling"));
  Save(palette, QStringLiteral("film_layout_03"), palette->size(), QStringLiteral("3: the palette knows the word"));
  palette->hide();
  window().ShowDock(QStringLiteral("layout"));
  auto* panel = window().panel<LayoutPanel>();
  Take("film_layout_04", "4: the layout of what is selected");
  panel->Ask({QStringLiteral("f32[20,300]{1,0:T(8,128)}"), {}, {}, false, {}});
  Take("film_layout_05", "5: a shape that was typed: padded to 24 x 384");
  window().EnlargeDock(window().dock("layout"));
  WaitUntil([] { return false; }, 100);
  for (CellGridView* grid : panel->findChildren<CellGridView*>()) grid->FitAll();
  Take("film_layout_06", "6: all tiles at once: the array, its padding, and the memory in tiles");
  for (CellGridView* grid : panel->findChildren<CellGridView*>()) {
    grid->SetZoom(1);
    grid->SetCurrent({7, 126});
  }
  Take("film_layout_07", "7: near by: where one tile ends and the next begins");
  panel->text_box()->setCurrentIndex(static_cast<int>(CellText::kLetter));
  Take("film_layout_08", "8: elements as letters");
  panel->Ask({QStringLiteral("f32[20,300]{1,0:T(8,128)}"), {}, QStringLiteral("f32[20,300]{0,1:T(8,128)}"), false, {}});
  Take("film_layout_09", "9: what another order of the dimensions costs");
  panel->Ask({QStringLiteral("bf16[20,300]{1,0:T(8,128)(2,1)}"), {}, {}, false, {}});
  Take("film_layout_10", "10: two levels of tiles");
  ASSERT_TRUE(SaveFilmSheet(QStringLiteral("film_layout"), QStringLiteral("What does a tiled layout do? Ten steps")));
}

}  // namespace
}  // namespace hloscope::gui
