// SPDX-License-Identifier: Apache-2.0
// A reduce over the last dimensions of a dense array, row by row: for executions that have a few rows in the cache.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_REDUCTION_ROW_REDUCTION_H_
#define HLOSCOPE_EVALUATOR_KERNELS_REDUCTION_ROW_REDUCTION_H_

#include <cstdint>
#include <optional>

#include "core/ir/module.h"
#include "evaluator/kernels/lanes/lane_function.h"

namespace hloscope::evaluator {

// Immutable and safe to call from any number of threads.
class RowReduction {
 public:
  // Rows that are longer may be reduced in another order as whole arrays.
  static constexpr int64_t kMaxColumns = int64_t{1} << 16;

  // Nothing if the instruction is not a reduce of one array of one type, over its last dimensions, by a reducer that
  // has a loop for rows.
  static std::optional<RowReduction> Of(const Module& module, InstructionId id);

  // The same of rows of bf16, each of which counts as the f32 that it is; nothing if this is no sum of f32.
  std::optional<RowReduction> OfBf16() const;

  // The bytes of an accumulator: what a row is folded in, before it is converted to the type of the result.
  int64_t accumulator_bytes() const { return StorageBytes(accumulator_); }
  // `results[r]` = `init` with row r of `x`, of `columns` elements, taken in: the bits that Reduce gives for a dense
  // array. `accumulators` has room for `rows`; it may be `results` where their elements have the same size. Requires
  // 1 < columns <= kMaxColumns.
  void operator()(const uint8_t* init, const uint8_t* x, int64_t rows, int64_t columns, uint8_t* accumulators,
                  uint8_t* results) const;

 private:
  using Fold = void (*)(const uint8_t* x, int64_t rows, int64_t columns, uint8_t* accumulators);

  RowReduction(Fold fold, ElementType type, ElementType accumulator)
      : fold_(fold),
        accumulator_(accumulator),
        widen_(LaneFunction::Convert(type, accumulator)),
        narrow_(LaneFunction::Convert(accumulator, type)) {}

  Fold fold_;
  ElementType accumulator_;
  LaneFunction widen_, narrow_;
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_REDUCTION_ROW_REDUCTION_H_
