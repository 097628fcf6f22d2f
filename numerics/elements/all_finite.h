// Looking for infinities and NaNs.
#ifndef HLOSCOPE_NUMERICS_ELEMENTS_ALL_FINITE_H_
#define HLOSCOPE_NUMERICS_ELEMENTS_ALL_FINITE_H_

#include "evaluator/kernels/interface/kernel.h"
#include "evaluator/tensor/tensor.h"

namespace hloscope {

// True if no element of an array of f32, f64, c64 or c128, or no part of one, is infinite or NaN; true for other types.
// The elements lie densely in some order. A run that is cancelled may get either answer.
bool AllFinite(const Tensor& tensor, KernelRuntime& runtime);

}  // namespace hloscope

#endif  // HLOSCOPE_NUMERICS_ELEMENTS_ALL_FINITE_H_
