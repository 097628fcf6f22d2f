// SPDX-License-Identifier: Apache-2.0
// What contractions share.
#ifndef HLOSCOPE_CODEGEN_DOT_H_
#define HLOSCOPE_CODEGEN_DOT_H_

#include "core/ir/element_type.h"

namespace hloscope::codegen {

// The type in which products are formed and summed (docs/ops/tensor.md 0.2; AccumulatorType of
// numerics/contraction/gemm.h).
ElementType SumType(ElementType type);

}  // namespace hloscope::codegen

#endif  // HLOSCOPE_CODEGEN_DOT_H_
