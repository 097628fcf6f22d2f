// SPDX-License-Identifier: Apache-2.0
// Applying a compiled computation to whole tensors: several elementwise instructions in one loop.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_LANES_ARRAY_PROGRAM_H_
#define HLOSCOPE_EVALUATOR_KERNELS_LANES_ARRAY_PROGRAM_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "evaluator/kernels/interface/kernel.h"
#include "evaluator/kernels/lanes/scalar_program.h"
#include "evaluator/tensor/value.h"

namespace hloscope::evaluator {

// One result element per index of `dimensions`, computed by a compiled program with one output. Operands have these
// dimensions in any strides, without run-time sizes, or rank 0 and serve every index. The result's elements lie in
// memory as those of the first operand that has all of them do, and its dimensions repeat where all operands' do. Takes
// over the memory of an operand whose buffer nobody else holds and whose elements have the result's size; that operand
// is gone then, even if the call fails. Requires tensors. Errors: Cancelled, ResourceExhausted.
absl::StatusOr<Tensor> ApplyProgramToArrays(const ScalarProgram& program, std::vector<Value>& operands,
                                            absl::Span<const int64_t> dimensions, KernelRuntime& runtime);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_LANES_ARRAY_PROGRAM_H_
