// SPDX-License-Identifier: Apache-2.0
// The index vectors of gather and scatter (docs/ops/tensor.md 2.1, 2.2).
#ifndef HLOSCOPE_EVALUATOR_KERNELS_INDEXING_START_INDICES_H_
#define HLOSCOPE_EVALUATOR_KERNELS_INDEXING_START_INDICES_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "evaluator/tensor/tensor.h"

namespace hloscope::evaluator {

// Attributes that say how an index tensor addresses an operand; names as for gather.
struct IndexDimensionNumbers {
  int64_t index_vector_dim = 0;
  absl::Span<const int64_t> start_index_map;
  absl::Span<const int64_t> operand_batching_dims;
  absl::Span<const int64_t> start_indices_batching_dims;
};

// Error InvalidArgument where the batching dimensions have no meaning though compilers accept them: one of the operand
// is also in `dropped`, or one of the indices holds the index vectors.
absl::Status CheckBatchingDimensions(const IndexDimensionNumbers& numbers, absl::Span<const int64_t> dropped);

// Reads one start position in the operand for every position of the batch: the dimensions of the indices other than
// index_vector_dim.
class StartIndices {
 public:
  // Keeps a reference to the buffer of `indices`. The spans of `numbers` are not kept.
  StartIndices(Tensor indices, const IndexDimensionNumbers& numbers);

  const DimensionVector& batch_sizes() const { return batch_sizes_; }
  int64_t batch_count() const { return batch_count_; }

  // True if the batch is one dimension, each of whose positions has one index, for operand dimension ListDimension():
  // then ListIndex(n) is all that Get finds out.
  bool IsList() const { return batch_sizes_.size() == 1 && component_dimension_.size() == 1 && batching_.empty(); }
  size_t ListDimension() const { return component_dimension_[0]; }
  int64_t ListIndex(int64_t n) const {
    int64_t index;
    ReadIndices(n * batch_strides_[0], 0, 1, &index);
    return index;
  }

  // What the batch positions n, n + 1, ... (row-major) have, at most `count` of them and as far as they differ in the
  // last dimension of the batch alone; returns how many. Sets `batch_index` to the multi-index of the first one, and of
  // position n + i the components of its start that the indices or the batching dimensions determine, starts[d * count
  // + i] for operand dimension d. Other components are left alone; nothing is clamped.
  int64_t Get(int64_t n, int64_t count, absl::Span<int64_t> batch_index, int64_t* starts) const;
  // Of one position.
  void Get(int64_t n, absl::Span<int64_t> batch_index, absl::Span<int64_t> start) const {
    Get(n, 1, batch_index, start.data());
  }

 private:
  struct Batching {
    size_t batch_position;
    size_t operand_dimension;
  };

  // The indices at `element`, `element` + stride, ...
  void ReadIndices(int64_t element, int64_t stride, int64_t count, int64_t* indices) const;

  Tensor indices_;
  const uint8_t* data_;
  int64_t element_bytes_;
  DimensionVector batch_sizes_, batch_strides_;
  int64_t batch_count_ = 1;
  int64_t component_stride_ = 0;
  std::vector<size_t> component_dimension_;
  std::vector<Batching> batching_;
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_INDEXING_START_INDICES_H_
