// SPDX-License-Identifier: Apache-2.0
// dot, ragged-dot and scaled-dot (docs/ops/tensor.md 5).
#ifndef HLOSCOPE_CORE_OPS_DOT_H_
#define HLOSCOPE_CORE_OPS_DOT_H_

#include "absl/types/span.h"
#include "core/ir/module.h"
#include "core/ops/dimension_rules.h"

namespace hloscope {

// The dimension numbers of a contraction; spans into the module's attributes. Lists are paired by position.
struct DotDimensions {
  absl::Span<const int64_t> lhs_batch, rhs_batch;
  absl::Span<const int64_t> lhs_contracting, rhs_contracting;
};
// Requires an instruction of the dot family.
DotDimensions DotDimensionsOf(const Module& module, InstructionId id);

// The dimensions of one side that are neither batch nor contracting, ascending. The lists must be in range.
DimensionVector FreeDimensions(int64_t rank, absl::Span<const int64_t> batch, absl::Span<const int64_t> contracting);

// What the ragged dimension of a ragged-dot is (5.2).
enum class RaggedDotMode : uint8_t {
  kFree,         // N: each row uses the right-hand slice of its group
  kContracting,  // C: one dot for each group
  kBatch,        // B: a batched dot whose trailing batches are empty
};
RaggedDotMode RaggedDotModeOf(const DotDimensions& dimensions, int64_t ragged_dimension);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_OPS_DOT_H_
