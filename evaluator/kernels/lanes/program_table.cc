// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/lanes/program_table.h"

#include <algorithm>
#include <utility>

namespace hloscope::evaluator {

bool ProgramTable::Serves(ElementType input, ElementType output) {
  const int64_t bytes = StorageBytes(input);
  return bytes <= 2 && BitWidth(input) == 8 * bytes && StorageBytes(output) <= (bytes == 1 ? 4 : 2);
}

ProgramTable::Elements ProgramTable::ElementsOfOthers(absl::Span<const LaneOperand> inputs) const {
  Elements elements;
  for (size_t k = 0; k < inputs.size(); ++k) {
    if (inputs[k].is_uniform)
      std::copy_n(inputs[k].data, StorageBytes(input_types_[k]), elements.emplace_back().bytes.begin());
  }
  return elements;
}

ProgramTable::OfArray* ProgramTable::MakeTable(absl::Span<const LaneOperand> inputs, size_t input) {
  const std::lock_guard<std::mutex> lock(making_);
  if (owned_ != nullptr) return owned_.get();
  const Elements others = ElementsOfOthers(inputs);
  const auto compute = [this, input, others](const uint8_t* operand, uint8_t* result, int64_t count) {
    std::vector<LaneOperand> lanes;
    for (const Element& element : others) lanes.push_back({element.bytes.data(), true});
    lanes.insert(lanes.begin() + static_cast<std::ptrdiff_t>(input), LaneOperand{operand, false});
    function_(lanes, result, count);
  };
  owned_ =
      std::make_unique<OfArray>(input, others, compute, StorageBytes(input_types_[input]), StorageBytes(output_type_));
  made_.store(owned_.get(), std::memory_order_release);
  return owned_.get();
}

bool ProgramTable::LookUp(absl::Span<const LaneOperand> inputs, uint8_t* output, int64_t count) {
  if (count < numerics::ResultTable::kLeastLanes) return false;
  const auto is_array = [](const LaneOperand& lanes) { return !lanes.is_uniform; };
  const auto array = std::find_if(inputs.begin(), inputs.end(), is_array);
  if (array == inputs.end() || std::any_of(array + 1, inputs.end(), is_array)) return false;
  const size_t input = static_cast<size_t>(array - inputs.begin());
  if (!Serves(input_types_[input], output_type_)) return false;
  OfArray* made = made_.load(std::memory_order_acquire);
  if (made == nullptr) made = MakeTable(inputs, input);
  if (made->input != input || made->others != ElementsOfOthers(inputs)) return false;
  return made->table.LookUp(array->data, output, count);
}

}  // namespace hloscope::evaluator
