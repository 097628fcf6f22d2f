// SPDX-License-Identifier: Apache-2.0
// Batch normalization of whole arrays in the order in which they lie in memory.
#ifndef HLOSCOPE_NUMERICS_NORMALIZATION_BATCH_NORM_ARRAYS_H_
#define HLOSCOPE_NUMERICS_NORMALIZATION_BATCH_NORM_ARRAYS_H_

#include <cstdint>

#include "numerics/normalization/batch_norm.h"
#include "numerics/parallel/executor.h"

namespace hloscope::numerics {

// How many numbers NormalizeArrays needs room for.
int64_t BatchNormScratch(BatchNorm kind, const FeatureExtent& extent);

// What BatchNormFeatures computes feature by feature, for all features: statistics in f64, results of f32 in f64, those
// of bf16 in f32, rounded once. Sums are added in another order, which depends on the sizes alone. X: float, Bf16.
// Errors: kCancelled.
template <typename X>
Outcome NormalizeArrays(BatchNorm kind, const BatchNormArrays<X>& batch, double* scratch, Executor& executor);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_NORMALIZATION_BATCH_NORM_ARRAYS_H_
