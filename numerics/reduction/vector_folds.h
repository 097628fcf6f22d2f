// SPDX-License-Identifier: Apache-2.0
// Folding rows of floats element by element, compiled for several instruction sets.
#ifndef HLOSCOPE_NUMERICS_REDUCTION_VECTOR_FOLDS_H_
#define HLOSCOPE_NUMERICS_REDUCTION_VECTOR_FOLDS_H_

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "numerics/elements/elementwise_functions.h"
#include "numerics/elements/numeric.h"

namespace hloscope::numerics {

// How often rows are folded.
struct RowRepeats {
  int64_t count = 1;
  int64_t from_step = 0, to_step = 0;  // elements that the rows, and the results, are further each time
};

// results[l] = op(... op(op(starts[l], rows[0][l]), rows[1][l]) ..., rows[row_count - 1][l]) for all lanes; `results`
// may be `starts`. Each result of `op` is rounded to X. Requires row_count > 0. What is so many elements `ahead` of the
// rows is read soon: its memory may be asked for. 0 if nothing is known. All this as often as `repeats` says.
// RowFold chooses by the type of `x` alone.
template <typename X, typename Number = float>
using FoldRowsOf = void (*)(const X* const* rows, int64_t row_count, int64_t lanes, const Number* starts,
                            Number* results, int64_t ahead, const RowRepeats& repeats);

FoldRowsOf<float> RowFold(elementwise::Add, const float* x);
FoldRowsOf<float> RowFold(elementwise::Maximum, const float* x);
FoldRowsOf<float> RowFold(elementwise::Minimum, const float* x);
FoldRowsOf<Bf16> RowFold(elementwise::Add, const Bf16* x);
FoldRowsOf<Bf16, Bf16> RowFold(elementwise::Maximum, const Bf16* x);
FoldRowsOf<Bf16, Bf16> RowFold(elementwise::Minimum, const Bf16* x);

// to[l] = the bf16 next to numbers[l].
void NarrowRow(const float* numbers, Bf16* to, int64_t count);

// results[l] = op(... op(starts[l], x[l]) ..., x[(rows - 1) * stride + l]) for all lanes; `results` may be `starts`.
template <typename Op, typename X, typename Number>
void FoldStridedRows(Op op, const X* x, int64_t stride, int64_t rows, int64_t lanes, const Number* starts,
                     Number* results) {
  // So far ahead, as run_ahead.h says, but whole groups of rows.
  constexpr int64_t kRows = 8, kAhead = 16384 / sizeof(X);
  const FoldRowsOf<X, Number> fold = RowFold(op, x);
  const int64_t group = kRows * stride, size = std::max<int64_t>(std::abs(group), 1);
  const int64_t ahead = group * std::max<int64_t>(1, kAhead / size);
  for (int64_t first = 0; first < rows; first += kRows) {
    const X* some[kRows];
    const int64_t count = std::min(kRows, rows - first);
    for (int64_t r = 0; r < count; ++r) some[r] = x + (first + r) * stride;
    fold(some, count, lanes, first == 0 ? starts : results, results, ahead, {});
  }
}

// results[l] = op(... op(results[l], x[l]) ..., x[(rows - 1) * stride + l]) for all lanes. Of bf16 for operations that
// do not mind the order.
template <typename Op>
void FoldRowsOfFloats(Op op, const float* x, int64_t stride, int64_t rows, int64_t lanes, float* results) {
  FoldStridedRows(op, x, stride, rows, lanes, results, results);
}
template <typename Op>
void FoldRowsOfFloats(Op op, const Bf16* x, int64_t stride, int64_t rows, int64_t lanes, float* results) {
  constexpr int64_t kLanes = 1024;
  Bf16 folded[kLanes];
  for (; lanes > 0 && rows > 0; lanes -= kLanes, x += kLanes, results += kLanes) {
    const int64_t count = std::min(kLanes, lanes);
    std::copy_n(x, count, folded);
    FoldStridedRows(op, x + stride, stride, rows - 1, count, folded, folded);
    for (int64_t l = 0; l < count; ++l) results[l] = op(results[l], Widened(folded[l]));
  }
}

// op(... op(x[0], x[1]) ..., x[count - 1]), in an order of its own: for operations that do not mind, and for which an
// element counts once however often it is met. Requires count >= kMinFoldedRun.
constexpr int64_t kMinFoldedRun = 16;
float FoldFloatRun(elementwise::Maximum, const float* x, int64_t count);
float FoldFloatRun(elementwise::Minimum, const float* x, int64_t count);
float FoldFloatRun(elementwise::Maximum, const Bf16* x, int64_t count);
float FoldFloatRun(elementwise::Minimum, const Bf16* x, int64_t count);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_REDUCTION_VECTOR_FOLDS_H_
