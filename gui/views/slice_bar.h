// SPDX-License-Identifier: Apache-2.0
// Chooses the slice of an array: which dimensions are rows and columns, and at which index the others are.
#ifndef HLOSCOPE_GUI_VIEWS_SLICE_BAR_H_
#define HLOSCOPE_GUI_VIEWS_SLICE_BAR_H_

#include <QComboBox>
#include <QSlider>
#include <QSpinBox>
#include <QWidget>
#include <vector>

#include "gui/models/tensor_slice.h"

namespace hloscope::gui {

// Hidden for arrays of less than two dimensions, where there is nothing to choose.
class SliceBar : public QWidget {
  Q_OBJECT

 public:
  explicit SliceBar(QWidget* parent = nullptr);

  const TensorSlice& slice() const { return slice_; }
  void SetSlice(const TensorSlice& slice);
  // The box of a dimension that is neither rows nor columns.
  QSpinBox* index_box(int64_t axis) { return fixed_[static_cast<size_t>(axis)].box; }
  QComboBox* row_box() { return rows_; }
  QComboBox* column_box() { return columns_; }

 Q_SIGNALS:
  // The user chose another one.
  void SliceChanged(const hloscope::gui::TensorSlice& slice);

 private:
  struct Fixed {
    QWidget* group = nullptr;
    QSpinBox* box = nullptr;
    QSlider* slider = nullptr;
  };
  void Build();
  void Show();
  void Choose(const TensorSlice& slice);

  TensorSlice slice_;
  QComboBox* rows_ = nullptr;
  QComboBox* columns_ = nullptr;
  std::vector<Fixed> fixed_;  // by dimension
  bool showing_ = false;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_SLICE_BAR_H_
