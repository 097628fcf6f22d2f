// SPDX-License-Identifier: Apache-2.0
// Products of one factor after another with several lines at once: what a matrix that is stored in rows takes when it
// is multiplied by a vector.
#ifndef HLOSCOPE_NUMERICS_CONTRACTION_LINE_PRODUCTS_H_
#define HLOSCOPE_NUMERICS_CONTRACTION_LINE_PRODUCTS_H_

#include <cstdint>

namespace hloscope::numerics {

// Lines that SumLineProducts takes together; 0 if this processor, or the build, has no vectors for it.
template <typename T>
int64_t LinesTogether();

// sums[j] = the sum over k of factors[k] * lines[j * stride + k], one product after the other in the order of k, for j
// in [0, LinesTogether<T>()).
void SumLineProducts(const float* factors, const float* lines, int64_t stride, int64_t count, float* sums);
void SumLineProducts(const double* factors, const double* lines, int64_t stride, int64_t count, double* sums);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_CONTRACTION_LINE_PRODUCTS_H_
