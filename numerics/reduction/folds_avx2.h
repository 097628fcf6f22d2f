// SPDX-License-Identifier: Apache-2.0
// The loops of vector_folds.h by hand for processors of CpuLevel::kAvx2.
#ifndef HLOSCOPE_NUMERICS_REDUCTION_FOLDS_AVX2_H_
#define HLOSCOPE_NUMERICS_REDUCTION_FOLDS_AVX2_H_

#include <cstdint>

#include "numerics/elements/elementwise_functions.h"
#include "numerics/elements/numeric.h"
#include "numerics/parallel/vector_loops.h"
#include "numerics/reduction/vector_folds.h"

#ifdef HLOSCOPE_AVX2_FUNCTION
namespace hloscope::numerics {

// FoldFloatRun. Returns false where the processor's instructions may choose another
// result: for NaN and, of bf16, some zeros.
bool FoldNumbersAvx2(elementwise::Maximum, const float* x, int64_t count, float& result);
bool FoldNumbersAvx2(elementwise::Minimum, const float* x, int64_t count, float& result);
bool FoldNumbersAvx2(elementwise::Maximum, const Bf16* x, int64_t count, float& result);
bool FoldNumbersAvx2(elementwise::Minimum, const Bf16* x, int64_t count, float& result);

// As FoldRowsOf; `fold` is one for any processor, for what is left over.
template <typename X, typename Number>
struct RowFoldAvx2 {
  FoldRowsOf<X, Number> fold;
  const X* const* rows;
  int64_t row_count, lanes;
  const Number* starts;
  Number* results;
  int64_t ahead;
  const RowRepeats& repeats;
};
void FoldRowsAvx2(elementwise::Add, const RowFoldAvx2<float, float>& rows);
void FoldRowsAvx2(elementwise::Maximum, const RowFoldAvx2<float, float>& rows);
void FoldRowsAvx2(elementwise::Minimum, const RowFoldAvx2<float, float>& rows);
void FoldRowsAvx2(elementwise::Add, const RowFoldAvx2<Bf16, float>& rows);
void FoldRowsAvx2(elementwise::Maximum, const RowFoldAvx2<Bf16, Bf16>& rows);
void FoldRowsAvx2(elementwise::Minimum, const RowFoldAvx2<Bf16, Bf16>& rows);

}  // namespace hloscope::numerics
#endif

#endif  // HLOSCOPE_NUMERICS_REDUCTION_FOLDS_AVX2_H_
