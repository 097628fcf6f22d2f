// SPDX-License-Identifier: Apache-2.0
// Products of one factor after another with several lines at once: what a matrix that is stored in rows takes when it
// is multiplied by a vector.
#ifndef HLOSCOPE_NUMERICS_CONTRACTION_LINE_PRODUCTS_H_
#define HLOSCOPE_NUMERICS_CONTRACTION_LINE_PRODUCTS_H_

#include <cstdint>

#include "numerics/elements/numeric.h"

namespace hloscope::numerics {

// Lines, and chains of a line, that the functions below take together; 0 if this processor, or the build, has no
// vectors for it.
template <typename T>
int64_t LinesTogether();
template <typename T>
int64_t ChainsTogether();
// sums[j] = the sum over k of factors[k] * lines[j * stride + k], one product after the other in the order of k, for j
// in [0, LinesTogether<T>()).
void SumLineProducts(const float* factors, const float* lines, int64_t stride, int64_t count, float* sums);
void SumLineProducts(const double* factors, const double* lines, int64_t stride, int64_t count, double* sums);
void SumLineProducts(const float* factors, const Bf16* lines, int64_t stride, int64_t count, float* sums);

// Long lines that are read in step, a few of them, faster than one after the other; 0 if that is slower. Measured with
// matrices of 32 and 64 MB: on Zen 3 (AVX2 alone) eight lines take three quarters of the time, sixteen more than one by
// one, as lines of bf16 do; on processors with AVX-512 (Zen 4 and 5) it is slower.
int64_t LinesInStep();
// As SumLineProducts, for LinesInStep() lines, which must not be 0.
void SumLinesInStep(const float* factors, const float* lines, int64_t stride, int64_t count, float* sums);
void SumLinesInStep(const double* factors, const double* lines, int64_t stride, int64_t count, double* sums);

// A long line is summed in chains of `chain` products, a multiple of ChainsTogether<T>(), which grow side by side: it
// is read in its order in memory, while many lines at once keep some processors from reading ahead. turned[k *
// ChainsTogether<T>() + w] = factors[w * chain + k], k < chain.
void TurnFactors(const float* factors, int64_t chain, float* turned);
void TurnFactors(const double* factors, int64_t chain, double* turned);
// sums[w] = the sum over k < chain of turned[k * ChainsTogether<T>() + w] * line[w * chain + k], one product after the
// other in the order of k. As many elements from `next` on, which need not exist, are asked for meanwhile.
void SumChainProducts(const float* turned, const float* line, const float* next, int64_t chain, float* sums);
void SumChainProducts(const double* turned, const double* line, const double* next, int64_t chain, double* sums);
void SumChainProducts(const float* turned, const Bf16* line, const Bf16* next, int64_t chain, float* sums);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_CONTRACTION_LINE_PRODUCTS_H_
