// Products of matrices of any type and size in one thread, by Eigen.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_CONTRACTION_MATRIX_PRODUCT_H_
#define HLOSCOPE_EVALUATOR_KERNELS_CONTRACTION_MATRIX_PRODUCT_H_

#include <cstdint>

#include "core/ir/element_type.h"
#include "numerics/contraction/gemm.h"

namespace hloscope::evaluator {

// A numerics::MatrixProduct; see there.
void MultiplyMatrices(ElementType type, const numerics::GemmSizes& sizes, const numerics::MatrixView& lhs,
                      const numerics::MatrixView& rhs, uint8_t* result, int64_t result_row_stride, bool accumulate);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_CONTRACTION_MATRIX_PRODUCT_H_
