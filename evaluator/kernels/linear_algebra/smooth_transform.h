// Fourier transforms of moderate lengths with small prime factors, by Eigen's FFT.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_LINEAR_ALGEBRA_SMOOTH_TRANSFORM_H_
#define HLOSCOPE_EVALUATOR_KERNELS_LINEAR_ALGEBRA_SMOOTH_TRANSFORM_H_

#include <cstdint>
#include <memory>

#include "numerics/fourier/smooth_transform.h"

namespace hloscope::evaluator {

// Null unless `length` is a product of 2, 3 and 5, which the library transforms without memory of its own.
std::unique_ptr<numerics::SmoothTransform> EigenSmoothTransform(int64_t length);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_LINEAR_ALGEBRA_SMOOTH_TRANSFORM_H_
