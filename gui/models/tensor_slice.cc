// SPDX-License-Identifier: Apache-2.0
#include "gui/models/tensor_slice.h"

#include <algorithm>
#include <array>
#include <utility>

namespace hloscope::gui {

TensorSlice::TensorSlice(absl::Span<const int64_t> dimensions)
    : dimensions_(dimensions.begin(), dimensions.end()), index_(dimensions.size(), 0) {
  if (rank() >= 1) row_axis_ = std::max<int64_t>(rank() - 2, 0);
  if (rank() >= 2) column_axis_ = rank() - 1;
}

void TensorSlice::SetRowAxis(int64_t axis) {
  if (axis != kNoAxis && !Has(axis)) return;
  const int64_t old = std::exchange(row_axis_, axis);
  if (axis != kNoAxis && column_axis_ == axis) column_axis_ = old;
  if (axis != kNoAxis) index_[static_cast<size_t>(axis)] = 0;
}

void TensorSlice::SetColumnAxis(int64_t axis) {
  SwapAxes();
  SetRowAxis(axis);
  SwapAxes();
}

void TensorSlice::SwapAxes() { std::swap(row_axis_, column_axis_); }

void TensorSlice::SetIndex(int64_t axis, int64_t value) {
  if (!Has(axis) || !IsFixed(axis)) return;
  const size_t d = static_cast<size_t>(axis);
  index_[d] = std::clamp<int64_t>(value, 0, std::max<int64_t>(dimensions_[d] - 1, 0));
}

int64_t TensorSlice::rows() const {
  if (std::find(dimensions_.begin(), dimensions_.end(), 0) != dimensions_.end()) return 0;
  return Has(row_axis_) ? dimensions_[static_cast<size_t>(row_axis_)] : 1;
}

int64_t TensorSlice::columns() const {
  if (rows() == 0) return 0;
  return Has(column_axis_) ? dimensions_[static_cast<size_t>(column_axis_)] : 1;
}

evaluator::DimensionVector TensorSlice::IndexOf(Cell cell) const {
  evaluator::DimensionVector index = index_;
  if (Has(row_axis_)) index[static_cast<size_t>(row_axis_)] = cell.row;
  if (Has(column_axis_)) index[static_cast<size_t>(column_axis_)] = cell.column;
  return index;
}

TensorSlice::Cell TensorSlice::Reveal(absl::Span<const int64_t> index) {
  Cell cell;
  for (int64_t d = 0; d < rank(); ++d) {
    const int64_t at = index[static_cast<size_t>(d)];
    if (d == row_axis_) {
      cell.row = at;
    } else if (d == column_axis_) {
      cell.column = at;
    } else {
      SetIndex(d, at);
    }
  }
  return cell;
}

evaluator::Tensor TensorSlice::ViewOf(const evaluator::Tensor& tensor) const {
  const absl::Span<const int64_t> strides = tensor.strides();
  int64_t offset = 0;
  for (size_t d = 0; d < index_.size(); ++d) offset += index_[d] * strides[d];
  const auto stride = [&](int64_t axis) { return Has(axis) ? strides[static_cast<size_t>(axis)] : 0; };
  return tensor.View(std::array{rows(), columns()}, std::array{stride(row_axis_), stride(column_axis_)}, offset);
}

}  // namespace hloscope::gui
