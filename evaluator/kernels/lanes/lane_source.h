// SPDX-License-Identifier: Apache-2.0
// Operands of loops over lanes, in any strides.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_LANES_LANE_SOURCE_H_
#define HLOSCOPE_EVALUATOR_KERNELS_LANES_LANE_SOURCE_H_

#include <cstdint>

#include "absl/types/span.h"
#include "evaluator/kernels/indexing/strided_iteration.h"
#include "evaluator/tensor/tensor.h"

namespace hloscope::evaluator {

// Copies `count` elements, `stride` elements apart, densely.
void GatherStrided(const uint8_t* from, int64_t stride, uint8_t* to, int64_t count, int64_t element_bytes);

// One operand as the loops see it.
struct LaneSource {
  LaneSource() = default;
  // The elements of `tensor` at the indices of `dimensions`, `strides` (in elements) apart.
  LaneSource(const Tensor& tensor, absl::Span<const int64_t> dimensions, absl::Span<const int64_t> strides);

  const uint8_t* data = nullptr;
  int64_t element_bytes = 0;
  StridedPlan<1> plan;      // of this operand alone
  bool is_uniform = false;  // one element serves all
  bool is_dense = false;    // dense row-major
  // Elements n and n + period are one element, as long as n / cycle stays the same; 0 where rows do not repeat.
  int64_t period = 0, cycle = 0;

  // Where element number `n` (row-major) is.
  const uint8_t* At(int64_t n) const;
  // How many elements from number `n` on follow one another at the stride of a row.
  int64_t RunLength(int64_t n) const { return plan.row_size() - n % plan.row_size(); }
  // Elements [begin, begin + count) densely in `buffer`.
  void Gather(int64_t begin, int64_t count, uint8_t* buffer) const;
};

// What a buffer holds of a source: a block of elements need not be gathered again where it repeats the one before.
class GatheredBlock {
 public:
  // True if elements [first, first + count) are those that the buffer holds; else they must be gathered into it now.
  bool Holds(const LaneSource& source, int64_t first, int64_t count);

 private:
  int64_t phase_ = 0, number_ = 0, count_ = 0;  // nothing yet
};

// How many elements from number `first` on, `most` or somewhat fewer, make up a block such that those after it repeat
// rows of some source from the same place on.
int64_t BlockOfPeriods(absl::Span<const LaneSource> sources, int64_t first, int64_t most);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_LANES_LANE_SOURCE_H_
