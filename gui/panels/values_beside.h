// SPDX-License-Identifier: Apache-2.0
// Several values beside one another, all in the same form, at the same slice, element and zoom.
#ifndef HLOSCOPE_GUI_PANELS_VALUES_BESIDE_H_
#define HLOSCOPE_GUI_PANELS_VALUES_BESIDE_H_

#include <QComboBox>
#include <QLabel>
#include <QSplitter>
#include <vector>

#include "gui/views/tensor_view.h"

namespace hloscope::gui {

class ValuesBeside : public QWidget {
  Q_OBJECT

 public:
  explicit ValuesBeside(QWidget* parent = nullptr);

  struct Column {
    QString title;
    evaluator::Tensor tensor;
  };
  // Columns keep their mode, slice and zoom; a new one takes those of `like`.
  void Show(const std::vector<Column>& columns, const TensorView& like);
  // Where another view is.
  void Follow(const TensorView& view);
  // Columns show the same place; else each goes where it is sent.
  void SetLinked(bool linked) { linked_ = linked; }
  // In a low panel, as TensorView has it.
  void SetLow(bool low);
  int columns() const { return static_cast<int>(columns_.size()); }
  QSplitter* splitter() { return splitter_; }
  QComboBox* mode_box() { return modes_; }
  SliceBar* slice_bar() { return slices_; }
  TensorView* view(int column) const { return columns_[static_cast<size_t>(column)].view; }
  QString title(int column) const { return columns_[static_cast<size_t>(column)].title->text(); }

 Q_SIGNALS:
  // The user went to another place in a column.
  void PlaceChanged(int column);
  // Asked about an element: a double click or Return.
  void Activated(int column);

 private:
  struct Shown {
    QWidget* box = nullptr;
    QLabel* title = nullptr;
    TensorView* view = nullptr;
  };
  Shown AddColumn();
  void ShowSlice(const TensorView& view);

  QComboBox* modes_;
  SliceBar* slices_;
  QSplitter* splitter_;
  std::vector<Shown> columns_;
  bool linked_ = true, low_ = false;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_PANELS_VALUES_BESIDE_H_
