// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/indexing/start_indices.h"

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

int64_t StartIndices::IndexAt(int64_t element) const {
  const uint8_t* const place = data_ + element * element_bytes_;
  // Nearly all indices are of this type.
  if (indices_.element_type() == ElementType::kS32) return *reinterpret_cast<const int32_t*>(place);
  return ReadIndex(place, indices_.element_type());
}

void StartIndices::Get(int64_t n, absl::Span<int64_t> batch_index, absl::Span<int64_t> start) const {
  int64_t offset = 0;
  for (size_t d = batch_sizes_.size(); d-- > 0;) {
    batch_index[d] = d == 0 ? n : n % batch_sizes_[d];
    if (d > 0) n /= batch_sizes_[d];
    offset += batch_index[d] * batch_strides_[d];
  }
  for (size_t k = 0; k < component_dimension_.size(); ++k) {
    const int64_t element = offset + static_cast<int64_t>(k) * component_stride_;
    start[component_dimension_[k]] = IndexAt(element);
  }
  for (const Batching& b : batching_) start[b.operand_dimension] = batch_index[b.batch_position];
}

}  // namespace hloscope::evaluator
