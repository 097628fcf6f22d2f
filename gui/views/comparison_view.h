// SPDX-License-Identifier: Apache-2.0
// Two versions of a module side by side as graphs: what both have is at the same place in both, what was added,
// removed or changed has a colour. Both are moved and zoomed together.
#ifndef HLOSCOPE_GUI_VIEWS_COMPARISON_VIEW_H_
#define HLOSCOPE_GUI_VIEWS_COMPARISON_VIEW_H_

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QSplitter>
#include <QStackedWidget>
#include <QWidget>
#include <memory>
#include <vector>

#include "gui/layout/merged_layout.h"
#include "gui/models/document_analyses.h"
#include "gui/models/version_comparison.h"
#include "gui/views/graph_canvas.h"
#include "gui/views/legend_view.h"

namespace hloscope::gui {

class ComparisonView : public QWidget {
  Q_OBJECT

 public:
  enum class Side { kBefore, kAfter };
  // Larger computations are shown around what differs only.
  static constexpr size_t kMostShownWhole = 400;
  static constexpr size_t kMostShown = 1500;
  static constexpr int kSurroundings = 2;  // steps along edges

  explicit ComparisonView(QWidget* parent = nullptr);

  // Null: nothing. The titles say what the sides are: file names.
  void SetComparison(std::shared_ptr<const VersionComparison> comparison, const QString& before_title,
                     const QString& after_title);
  const VersionComparison* comparison() const { return comparison_.get(); }
  void ShowComputation(int number);
  // Selects the next thing that differs, or the one before, in the version after if it is there.
  void GoToChange(int step);
  // Selects a box of one side and what corresponds to it on the other.
  void Select(Side side, InstructionId instruction);

  QComboBox* computations() { return computations_; }
  QCheckBox* whole() { return whole_; }
  GraphCanvas* canvas(Side side) { return side_[Index(side)].canvas; }
  QString note() const { return note_->text(); }

 Q_SIGNALS:
  void Selected(hloscope::gui::ComparisonView::Side side, hloscope::InstructionId instruction);

 protected:
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Pane {
    QLabel* title = nullptr;
    GraphCanvas* canvas = nullptr;
    std::shared_ptr<DocumentAnalyses> analyses;
    std::unique_ptr<BoxText> text;
  };
  static size_t Index(Side side) { return side == Side::kBefore ? 0 : 1; }
  const ComparedVersion& VersionOf(Side side) const {
    return side == Side::kBefore ? comparison_->before : comparison_->after;
  }

  std::vector<InstructionId> Shown(Side side, ComputationId computation) const;
  // The graph of one side and the sizes of its boxes.
  struct Drawing {
    VisibleGraph graph;
    FlowGraph flow;
  };
  void ShowGraphs();
  // What one side shows the other one shows, too.
  void ShareShown(std::vector<InstructionId> (&shown)[2]) const;
  Drawing Draw(Side side, ComputationId computation, const std::vector<InstructionId>& shown);
  void ListDifferences(const Drawing (&drawings)[2], const MergedLayout& merged);
  // `after`: the computation on the right; none if it is only on the left. `drawn`: boxes.
  void ShowNote(ComputationId after, size_t drawn);
  void ShowColors();
  // The first view of the graphs.
  void FitGraphs();
  void Follow(Side side);
  void SelectBox(Side side, uint32_t box);

  std::shared_ptr<const VersionComparison> comparison_;
  QComboBox* computations_;
  QCheckBox* whole_;
  QLabel* note_;
  LegendView* legend_;
  QSplitter* splitter_;
  Pane side_[2];
  std::vector<std::pair<Side, InstructionId>> differences_;  // of the computation, in order
  int at_ = -1;                                              // of differences_
  bool following_ = false;
  bool moved_ = false;  // by the user: the view stays when the panel gets another size
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_COMPARISON_VIEW_H_
