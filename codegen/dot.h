// SPDX-License-Identifier: Apache-2.0
// What contractions share.
#ifndef HLOSCOPE_CODEGEN_DOT_H_
#define HLOSCOPE_CODEGEN_DOT_H_

#include <string>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "codegen/computation_writer.h"
#include "core/ir/element_type.h"
#include "core/ir/module.h"

namespace hloscope::codegen {

// The type in which products are formed and summed (docs/ops/tensor.md 0.2; AccumulatorType of
// numerics/contraction/gemm.h).
ElementType SumType(ElementType type);

// How many elements some dimensions have together.
int64_t SizeOf(const Shape& shape, absl::Span<const int64_t> dimensions);

// A variable for `count` sums, which is the result's where that has their type.
std::string WriteSums(ComputationWriter& writer, InstructionId id, const std::string& result, ElementType sum_type,
                      int64_t count);
// Makes the numbers of the result of the sums, if they are not the result.
void WriteResultOfSums(ComputationWriter& writer, InstructionId id, const std::string& sums, ElementType sum_type,
                       const std::string& result, int64_t count);

// docs/ops/tensor.md 5.2, 5.3.
absl::Status WriteRaggedDot(ComputationWriter& writer, InstructionId id);
absl::Status WriteScaledDot(ComputationWriter& writer, InstructionId id);

}  // namespace hloscope::codegen

#endif  // HLOSCOPE_CODEGEN_DOT_H_
