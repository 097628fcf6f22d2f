// SPDX-License-Identifier: Apache-2.0
// How a reshape regroups dimensions: runs of operand dimensions and runs of result dimensions with equal products
// (docs/ops/tensor.md 1.2; the layout tests of 12.6 use the same groups).
#ifndef HLOSCOPE_CORE_OPS_FACTOR_GROUPS_H_
#define HLOSCOPE_CORE_OPS_FACTOR_GROUPS_H_

#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"

namespace hloscope {

// Half-open ranges of dimension numbers, of equal products.
struct FactorGroup {
  int64_t input_begin = 0, input_end = 0;
  int64_t output_begin = 0, output_end = 0;
};

// The factor groups of reshaping sizes `input` to sizes `output`, most major first; together they cover both lists.
// Sizes must not be negative. Products that do not fit 64 bits saturate; the
// caller must have rejected such element counts.
absl::InlinedVector<FactorGroup, 6> FactorGroups(absl::Span<const int64_t> input, absl::Span<const int64_t> output);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_OPS_FACTOR_GROUPS_H_
