// Three whole tasks, step by step, in a window of 1280 x 720, for people to look at (gallery.h).
#include <gtest/gtest.h>

#include <QTest>

#include "gui/panels/layout_panel.h"
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
};

// Why is the loss NaN? Run to the first one, look at it, ask where it comes from.
TEST_F(FilmStrips, WhyIsTheLossNan) {
  SKIP_WITHOUT_SHARED_FILES();
  Begin("xla-benchmarks/dlrm_keras_jax_f32_train_step.hlo");
  SaveWindow("film_nan_1", kFilmSize, "Why is the loss NaN? 1: the training step, by the scopes of its model");
  Trigger("run_to_nan");
  Settle();
  SaveWindow("film_nan_2", kFilmSize, "2: \"Run to NaN\" stops after the first instruction that gives one");
  TensorPanel* values = window().value_panel();
  TensorView* view = values->current_view();
  view->search_field()->setText(QStringLiteral("nan"));
  view->FindNext(/*backwards=*/false);
  ASSERT_TRUE(WaitUntil([&] { return !view->busy(); }));
  values->AskDebugger(PastQuestion::kOrigin);
  ASSERT_TRUE(WaitUntil([&] { return !window().session()->busy() && values->answer_list()->topLevelItemCount() > 0; }));
  window().EnlargeDock(window().dock("value"));
  SaveWindow("film_nan_3", kFilmSize, "3: the value in the whole centre, the NaN found in it, and where it comes from");
  window().EnlargeDock(nullptr);
  QTreeWidgetItem* last = values->answer_list()->topLevelItem(values->answer_list()->topLevelItemCount() - 1);
  Q_EMIT values->answer_list()->itemClicked(last, 0);
  Settle();
  SaveWindow("film_nan_4", kFilmSize, "4: one click leads to the operand that made it");
}

// Which layer moves the most bytes?
TEST_F(FilmStrips, WhichLayerMovesTheMostBytes) {
  SKIP_WITHOUT_SHARED_FILES();
  Begin("xla-benchmarks/resnet50_keras_jax_f32.hlo");
  GraphPane* graph = window().graph_pane();
  graph->SetColoring(GraphPane::Coloring::kBytes);
  graph->canvas()->FitAll();
  SaveWindow("film_bytes_1", kFilmSize, "Which layer moves the most bytes? 1: groups by name, coloured by bytes");
  // The group of the outermost level that moves most.
  DocumentAnalyses analyses(window().selection()->document());
  uint32_t most = 0;
  int64_t most_bytes = -1;
  for (uint32_t box = 0; box < graph->graph().levels[0].end; ++box) {
    if (graph->graph().boxes[box].kind == VisibleGraph::BoxKind::kInstruction) continue;
    int64_t bytes = 0;
    for (InstructionId id : graph->graph().MembersOf(box)) bytes += analyses.costs().Of(id).bytes();
    if (bytes > most_bytes) most = box, most_bytes = bytes;
  }
  Click(most);
  SaveWindow("film_bytes_2", kFilmSize,
             "2: the warmest group, with its properties: bytes, operations, inputs and outputs");
  window().ShowDock(QStringLiteral("timeline"));
  auto* timeline = window().panel<TimelinePanel>();
  timeline->tabs()->setCurrentWidget(timeline->scopes());
  window().resizeDocks({window().dock("timeline")}, {260}, Qt::Vertical);
  SaveWindow("film_bytes_3", kFilmSize, "3: the same question to the timeline: scopes by their time");
}

// What does a tiled layout do?
TEST_F(FilmStrips, WhatATiledLayoutDoes) {
  Begin("");
  OpenPath(QStringLiteral(":/examples/attention.hlo"));
  Settle();
  window().ShowDock(QStringLiteral("layout"));
  auto* panel = window().panel<LayoutPanel>();
  panel->Ask({QStringLiteral("f32[20,300]{1,0:T(8,128)}"), {}, {}, false, {}});
  SaveWindow("film_layout_1", kFilmSize, "What does a tiled layout do? 1: a shape in the layout panel");
  window().EnlargeDock(window().dock("layout"));
  WaitUntil([] { return false; }, 100);
  for (CellGridView* grid : panel->findChildren<CellGridView*>()) grid->FitAll();
  SaveWindow("film_layout_2", kFilmSize, "2: all tiles at once: the array, its padding, and the memory in tiles");
  for (CellGridView* grid : panel->findChildren<CellGridView*>()) {
    grid->SetZoom(1);
    grid->SetCurrent({7, 126});
  }
  SaveWindow("film_layout_3", kFilmSize, "3: near by: where one tile ends and the next begins");
}

}  // namespace
}  // namespace hloscope::gui
