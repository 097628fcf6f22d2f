// SPDX-License-Identifier: Apache-2.0
// A logical array beside its linear memory, and what moves between two layouts.
#ifndef HLOSCOPE_GUI_PANELS_LAYOUT_PANEL_H_
#define HLOSCOPE_GUI_PANELS_LAYOUT_PANEL_H_

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QScrollArea>
#include <QSpinBox>
#include <QSplitter>
#include <QToolButton>

#include "gui/models/layout_model.h"
#include "gui/models/selection.h"
#include "gui/views/cell_grid_view.h"
#include "gui/views/slice_bar.h"

namespace hloscope::gui {

class LayoutPanel : public QScrollArea {
  Q_OBJECT

 public:
  // `selection` may be null: then only typed shapes are shown.
  explicit LayoutPanel(Selection* selection, QWidget* parent = nullptr);

  void Ask(const LayoutQuestion& question);
  const LayoutAnswer& answer() const { return answer_; }
  CellText cell_text() const { return static_cast<CellText>(texts_->currentIndex()); }

  QLineEdit* shape_field() { return shape_; }
  QLineEdit* padded_field() { return padded_; }
  QLineEdit* to_field() { return to_; }
  QLineEdit* permutation_field() { return permutation_; }
  QComboBox* example_box() { return examples_; }
  QComboBox* text_box() { return texts_; }
  QCheckBox* follow_box() { return follow_; }
  QListWidget* order_list() { return order_; }
  CellGridView* array_view() { return array_; }
  CellGridView* memory_view() { return memory_; }
  CellGridView* other_memory_view() { return other_memory_; }
  QString facts_text() const { return facts_->text(); }
  QString problem_text() const { return problem_->isHidden() ? QString() : problem_->text(); }
  QString movement_text() const { return movement_->isHidden() ? QString() : movement_->text(); }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  // Sets up the parts and arranges them.
  void Build();
  void SetUpShapes();
  void SetUpOrder();  // of the dimensions
  void SetUpArrays();
  void FollowSelection();
  void ReadFields();
  void ShowProblem();
  void ShowFacts();
  void ShowOrder();
  void ShowGrids();
  void ShowArray();
  CellGridView::Grid MemoryGrid(const LayoutPicture& picture, bool is_other);
  void MoveInOrder(int by);
  // Marks the element everywhere; -1: none. The view that the user is in does not scroll.
  void Mark(int64_t number, const CellGridView* from, bool scroll);
  int64_t NumberInArray(CellGridView::Cell cell) const;
  int64_t NumberInMemory(CellGridView::Cell cell, bool is_other) const;
  QColor ColorOf(int64_t number) const;

  Selection* selection_;
  QComboBox *examples_, *texts_;
  QLineEdit *shape_, *padded_, *padding_value_, *to_, *permutation_;
  QCheckBox* transpose_;
  QCheckBox* follow_;
  QListWidget* order_;
  QToolButton *faster_, *slower_;
  QWidget* order_bar_;
  QLabel *problem_, *facts_, *movement_, *element_;
  SliceBar* slices_;
  QSpinBox* piece_;
  QLabel* piece_label_;
  QSplitter* splitter_;
  QWidget *array_side_, *memory_side_, *other_side_;
  CellGridView *array_, *memory_, *other_memory_;
  QLabel* other_title_;
  LayoutAnswer answer_;
  int64_t marked_ = -1;
  bool setting_ = false;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_PANELS_LAYOUT_PANEL_H_
