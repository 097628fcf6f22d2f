// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/indexing/start_indices.h"

#include <algorithm>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "evaluator/kernels/indexing/index_values.h"

namespace hloscope::evaluator {

absl::Status CheckBatchingDimensions(const IndexDimensionNumbers& numbers, absl::Span<const int64_t> dropped) {
  for (int64_t d : numbers.operand_batching_dims) {
    if (!absl::c_linear_search(dropped, d)) continue;
    return absl::InvalidArgumentError(absl::StrCat("operand dimension ", d, " is both batching and left out"));
  }
  for (int64_t d : numbers.start_indices_batching_dims) {
    if (d != numbers.index_vector_dim) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("dimension ", d, " of the indices, which holds the index vectors, ", "is a batching dimension"));
  }
  return absl::OkStatus();
}

StartIndices::StartIndices(Tensor indices, const IndexDimensionNumbers& numbers)
    : indices_(std::move(indices)), data_(indices_.data()), element_bytes_(indices_.element_bytes()) {
  const int64_t vector_dim = numbers.index_vector_dim;
  for (int64_t d = 0; d < indices_.rank(); ++d) {
    if (d == vector_dim) continue;
    batch_sizes_.push_back(indices_.dimension(d));
    batch_strides_.push_back(indices_.strides()[static_cast<size_t>(d)]);
    batch_count_ *= indices_.dimension(d);
  }
  // index_vector_dim = rank stands for an extra last dimension of size 1.
  if (vector_dim < indices_.rank()) component_stride_ = indices_.strides()[static_cast<size_t>(vector_dim)];
  for (int64_t d : numbers.start_index_map) component_dimension_.push_back(static_cast<size_t>(d));
  for (size_t k = 0; k < numbers.operand_batching_dims.size(); ++k) {
    const int64_t s = numbers.start_indices_batching_dims[k];
    batching_.push_back(
        {static_cast<size_t>(s < vector_dim ? s : s - 1), static_cast<size_t>(numbers.operand_batching_dims[k])});
  }
}

void StartIndices::ReadIndices(int64_t element, int64_t stride, int64_t count, int64_t* indices) const {
  const uint8_t* const first = data_ + element * element_bytes_;
  const int64_t step = stride * element_bytes_;
  // Nearly all indices are of these types.
  if (indices_.element_type() == ElementType::kS32) {
    const int32_t* const x = reinterpret_cast<const int32_t*>(first);
    if (stride == 1) {
      std::copy_n(x, count, indices);
    } else {
      for (int64_t i = 0; i < count; ++i) indices[i] = x[i * stride];
    }
    return;
  }
  if (indices_.element_type() == ElementType::kS64) {
    for (int64_t i = 0; i < count; ++i) indices[i] = *reinterpret_cast<const int64_t*>(first + i * step);
    return;
  }
  for (int64_t i = 0; i < count; ++i) indices[i] = ReadIndex(first + i * step, indices_.element_type());
}

int64_t StartIndices::Get(int64_t n, int64_t count, absl::Span<int64_t> batch_index, int64_t* starts) const {
  int64_t offset = 0, found = 1, stride = 0;
  for (size_t d = batch_sizes_.size(); d-- > 0;) {
    batch_index[d] = d == 0 ? n : n % batch_sizes_[d];
    if (d > 0) n /= batch_sizes_[d];
    offset += batch_index[d] * batch_strides_[d];
  }
  if (!batch_sizes_.empty()) {
    found = std::min(count, batch_sizes_.back() - batch_index.back());
    stride = batch_strides_.back();
  }
  for (size_t k = 0; k < component_dimension_.size(); ++k) {
    ReadIndices(offset + static_cast<int64_t>(k) * component_stride_, stride, found,
                starts + static_cast<int64_t>(component_dimension_[k]) * count);
  }
  for (const Batching& b : batching_) {
    int64_t* const start = starts + static_cast<int64_t>(b.operand_dimension) * count;
    const int64_t first = batch_index[b.batch_position], step = b.batch_position + 1 == batch_sizes_.size() ? 1 : 0;
    for (int64_t i = 0; i < found; ++i) start[i] = first + i * step;
  }
  return found;
}

}  // namespace hloscope::evaluator
