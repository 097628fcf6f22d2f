// SPDX-License-Identifier: Apache-2.0
// Which two-dimensional part of an array is shown: two dimensions as rows and columns, the others at an index.
#ifndef HLOSCOPE_GUI_MODELS_TENSOR_SLICE_H_
#define HLOSCOPE_GUI_MODELS_TENSOR_SLICE_H_

#include <cstdint>

#include "absl/types/span.h"
#include "evaluator/tensor/tensor.h"

namespace hloscope::gui {

class TensorSlice {
 public:
  static constexpr int64_t kNoAxis = -1;  // one row, or one column

  struct Cell {
    int64_t row = 0, column = 0;
    friend bool operator==(const Cell&, const Cell&) = default;
  };

  TensorSlice() = default;
  // The last two dimensions, the others at 0. A vector is one column; a scalar is one cell.
  explicit TensorSlice(absl::Span<const int64_t> dimensions);

  int64_t rank() const { return static_cast<int64_t>(dimensions_.size()); }
  const evaluator::DimensionVector& dimensions() const { return dimensions_; }
  int64_t row_axis() const { return row_axis_; }
  int64_t column_axis() const { return column_axis_; }
  // An axis that the other one has goes to the other one's place. Out of range: ignored.
  void SetRowAxis(int64_t axis);
  void SetColumnAxis(int64_t axis);
  void SwapAxes();
  // True for a dimension that is neither rows nor columns.
  bool IsFixed(int64_t axis) const { return axis != row_axis_ && axis != column_axis_; }
  // Clamped to the dimension.
  void SetIndex(int64_t axis, int64_t value);
  int64_t index(int64_t axis) const { return index_[static_cast<size_t>(axis)]; }

  // 0 if the array has no elements.
  int64_t rows() const;
  int64_t columns() const;

  evaluator::DimensionVector IndexOf(Cell cell) const;
  // Moves to the slice that has the element, and says where.
  Cell Reveal(absl::Span<const int64_t> index);

  // The slice as an array of rows() x columns() elements. Requires a tensor of these dimensions.
  evaluator::Tensor ViewOf(const evaluator::Tensor& tensor) const;

  friend bool operator==(const TensorSlice&, const TensorSlice&) = default;

 private:
  bool Has(int64_t axis) const { return axis >= 0 && axis < rank(); }

  evaluator::DimensionVector dimensions_;
  evaluator::DimensionVector index_;  // 0 on the axes
  int64_t row_axis_ = kNoAxis, column_axis_ = kNoAxis;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_TENSOR_SLICE_H_
