// SPDX-License-Identifier: Apache-2.0
// Batch normalization of whole f32 arrays in the order in which they lie in memory.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_NORMALIZATION_BATCH_NORM_F32_H_
#define HLOSCOPE_EVALUATOR_KERNELS_NORMALIZATION_BATCH_NORM_F32_H_

#include "absl/status/status.h"
#include "evaluator/kernels/interface/kernel.h"
#include "numerics/normalization/batch_norm.h"

namespace hloscope::evaluator {

// What `batch` computes feature by feature, for all features, in f64, rounded once. Sums are added in another order,
// which depends on the sizes alone. Requires a batch-norm opcode. Errors: Cancelled, ResourceExhausted.
absl::Status NormalizeFloats(Opcode opcode, const numerics::BatchNormFeatures<float>& batch, KernelRuntime& runtime);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_NORMALIZATION_BATCH_NORM_F32_H_
