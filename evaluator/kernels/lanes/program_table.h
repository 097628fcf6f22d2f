// SPDX-License-Identifier: Apache-2.0
// Results of several elementwise steps by the elements of the only array among their inputs, of 8 or 16 bits.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_LANES_PROGRAM_TABLE_H_
#define HLOSCOPE_EVALUATOR_KERNELS_LANES_PROGRAM_TABLE_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "core/ir/element_type.h"
#include "evaluator/kernels/lanes/lane_function.h"
#include "numerics/rows/result_table.h"

namespace hloscope::evaluator {

// Safe to call from any number of threads.
class ProgramTable {
 public:
  // Computes `count` elements of the output, as ScalarProgram::Run does.
  using Function = std::function<void(absl::Span<const LaneOperand> inputs, uint8_t* output, int64_t count)>;

  ProgramTable(Function function, std::vector<ElementType> input_types, ElementType output_type)
      : function_(std::move(function)), input_types_(std::move(input_types)), output_type_(output_type) {}

  // True if elements of `input` are few enough for a table of what is stored as `output`.
  static bool Serves(ElementType input, ElementType output);

  // Looks up `count` elements; false, with nothing written, if more or less than one input is an array, if the others
  // have other values than when it was asked for the first time, or if there is no table (ResultTable).
  bool LookUp(absl::Span<const LaneOperand> inputs, uint8_t* output, int64_t count);

 private:
  struct alignas(16) Element {  // of any type
    std::array<uint8_t, 16> bytes{};
    bool operator==(const Element&) const = default;
  };
  using Elements = absl::InlinedVector<Element, 8>;  // of inputs that are no array, in their order

  // Of one array, with one value for each of the other inputs.
  struct OfArray {
    OfArray(size_t input, Elements others, numerics::ResultTable::Function function, int64_t operand_bytes,
            int64_t result_bytes)
        : input(input), others(std::move(others)), table(std::move(function), operand_bytes, result_bytes) {}
    const size_t input;
    const Elements others;
    numerics::ResultTable table;
  };

  Elements ElementsOfOthers(absl::Span<const LaneOperand> inputs) const;
  OfArray* MakeTable(absl::Span<const LaneOperand> inputs, size_t input);

  const Function function_;
  const std::vector<ElementType> input_types_;
  const ElementType output_type_;
  std::mutex making_;
  std::unique_ptr<OfArray> owned_;
  std::atomic<OfArray*> made_ = nullptr;
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_LANES_PROGRAM_TABLE_H_
