// SPDX-License-Identifier: Apache-2.0
// Instructions on the rows of an array, reductions of rows and what is computed from them for each row, executed
// together for a few rows at a time: rows go through memory once, all between them stays in the cache. Softmax and
// layer norm are of this kind.
#ifndef HLOSCOPE_EVALUATOR_ENGINE_ROW_PROGRAM_H_
#define HLOSCOPE_EVALUATOR_ENGINE_ROW_PROGRAM_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "core/ir/module.h"
#include "evaluator/kernels/interface/kernel.h"
#include "evaluator/kernels/lanes/lane_function.h"
#include "evaluator/kernels/reduction/row_reduction.h"
#include "evaluator/tensor/value.h"
#include "numerics/data_movement/rows_ahead.h"

namespace hloscope::evaluator {

// An array of `dimensions`, of which the first `split` number its rows and the others the columns of each.
struct RowShape {
  DimensionVector dimensions;
  int64_t split = 0;

  int64_t rows() const;
  int64_t columns() const;
  // True if `shape` has one element for each row: its dimensions are those of the rows but for sizes of 1.
  bool HasElementPerRow(const Shape& shape) const;
};

class RowProgram {
 public:
  // Rows with fewer columns cost more than whole arrays, longer ones leave the cache.
  static constexpr int64_t kMinColumns = 64, kMaxColumns = RowReduction::kMaxColumns;

  // Instructions in an order in which they can be executed; the last one is the result. Each is elementwise, or a
  // RowReduction of the rows, or passes elements of rows on: a reshape or broadcast of what has an element for each
  // row. Null if one cannot be compiled.
  static std::unique_ptr<const RowProgram> Make(const Module& module, absl::Span<const InstructionId> instructions,
                                                absl::Span<const InstructionId> inputs, const RowShape& rows);

  // True if operands lie in memory such that rows give the bits that whole arrays give: an order of additions may
  // depend on that.
  bool Fits(absl::Span<const Value> operands) const;
  // Takes over the memory of an operand as ApplyProgramToArrays does. Requires Fits. Errors: Cancelled,
  // ResourceExhausted.
  absl::StatusOr<Tensor> Run(std::vector<Value>& operands, KernelRuntime& runtime) const;

 private:
  // Where a value has elements of its own.
  enum class Extent : uint8_t { kOne, kRows, kColumns, kAll };
  struct Step {
    std::optional<LaneFunction> function;
    RowLoop loop_of_rows = nullptr;         // what `function` computes of rows; null: it is called for each
    std::optional<RowReduction> reduction;  // if neither is there, operand 0 is passed on
    std::vector<uint32_t> operands;         // values: inputs, then results of steps
    int64_t element_bytes = 0;              // of the result
    int64_t slot = -1;                      // where its rows are kept; -1: it never has rows of its own
    bool is_full = false;                   // `function` of every element of the rows
  };
  struct Place {  // of a value, of the rows that are computed
    const uint8_t* data = nullptr;
    Extent extent = Extent::kOne;
    int64_t element_bytes = 0;
  };
  struct Scratch {
    int64_t row_bytes, value_bytes, slot_bytes, total;
  };
  // What goes on between pieces of the work on a block of rows.
  struct Between {
    numerics::RowsAhead ahead;
    uint8_t* piece = nullptr;  // where a piece of a result waits that is written past the caches; null: none is
  };

  RowProgram(const Module& module, const RowShape& rows) : module_(module), shape_(rows) {}

  // Adds what computes the instruction, unless that is there, and returns the number of its value. Nothing if it cannot
  // be compiled.
  std::optional<uint32_t> AddStep(InstructionId id, const std::vector<uint32_t>& operands, bool is_result);
  void TakeInDifference(Step& step) const;
  void ReduceUnwidened(Step& step) const;
  void DropUnusedSteps();
  void AssignSlots();
  std::optional<Extent> ExtentOf(const Tensor& tensor) const;
  // Of all values; empty if rows would not give the bits that whole arrays give.
  std::vector<Extent> Extents(absl::Span<const Value> operands) const;
  int64_t BlockRows() const;
  Scratch SizesOfScratch(int64_t rows) const;
  int64_t PiecesOfBlock(int64_t rows) const;
  void RunStep(const Step& step, Place* places, const Scratch& sizes, int64_t rows, uint8_t* scratch, uint8_t* own,
               Between& between) const;
  void RunLanes(const Step& step, const Place* places, Extent extent, int64_t rows, uint8_t* to, bool past_cache,
                Between& between) const;
  // `count` elements of `function`, a piece at a time. Leaves `lanes` behind them.
  void RunPieces(const Step& step, LaneOperand* lanes, uint8_t* to, int64_t count, bool past_cache,
                 Between& between) const;

  const Module& module_;
  RowShape shape_;
  std::vector<int64_t> input_bytes_;  // of an element
  std::vector<bool> input_is_full_;   // has the dimensions of the rows and columns
  std::vector<Step> steps_;
  Shape result_shape_;
  int64_t slot_count_ = 0, slot_element_bytes_ = 1;
  double nanoseconds_per_element_ = 0;
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_ENGINE_ROW_PROGRAM_H_
