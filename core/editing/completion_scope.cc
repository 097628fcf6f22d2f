// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/editing/completion_parts.h"
#include "core/editing/statement_edits.h"

namespace hloscope {
namespace {

// Computations before the cursor that a snippet's are chosen from.
constexpr size_t kRecentComputations = 64;

}  // namespace

const std::vector<InstructionId>& CompletionScope::values() const {
  if (values_) return *values_;
  values_.emplace();
  if (!context_.computation.has_value()) return *values_;
  const absl::Span<const InstructionId> all = module_.computation(context_.computation).instructions;
  for (size_t i = all.size(); i-- > 0;) {
    const Instruction& instruction = module_.instruction(all[i]);
    if (instruction.synthesized || !instruction.is_named || !instruction.syntax.has_value()) continue;
    if (document_.InstructionRange(all[i]).begin >= context_.instruction_begin) continue;
    if (module_.InstructionName(all[i]) == context_.name) continue;
    values_->push_back(all[i]);
  }
  return *values_;
}

int64_t CompletionScope::ValueOfOperand(const PartialInstruction& partial, size_t k, InstructionId id,
                                        size_t distance) const {
  int64_t value = static_cast<int64_t>(FitOfOperand(partial, k, module_.shape(id))) << 40;
  // What nothing uses yet was written to be used; what was written last is used first.
  if (document_.users().users(id).empty()) value += int64_t{1} << 36;
  if (std::find(context_.operand_names.begin(), context_.operand_names.end(), module_.InstructionName(id)) !=
      context_.operand_names.end()) {
    value -= int64_t{1} << 35;
  }
  return value + (int64_t{1} << 32) - static_cast<int64_t>(distance);
}

bool CompletionScope::percent() const {
  if (!percent_) {
    // Where one is written already, no other is needed.
    percent_ = !context_.percent && context_.computation.has_value() && WritesPercent(document_, context_.computation);
  }
  return *percent_;
}

std::string CompletionScope::Spelled(absl::string_view name) const {
  // The name of an element type is no name of an instruction without the mark.
  const bool needs_mark = !context_.percent && ElementTypeFromName(name).has_value();
  return absl::StrCat(percent() || needs_mark ? "%" : "", name);
}

int64_t CompletionScope::ValueOfComputation(const PartialInstruction& partial, AttributeKind attribute,
                                            ComputationId id) const {
  return (static_cast<int64_t>(FitOfComputation(module_, partial, attribute, id)) << 40) +
         static_cast<int64_t>(id.index());
}

std::string CompletionScope::BestComputation(const PartialInstruction& partial, AttributeKind attribute) const {
  const AttributeType type = InfoOf(attribute).type;
  if (type != AttributeType::kComputation && type != AttributeType::kComputations) return "";
  ComputationId best;
  int64_t best_value = 0;
  ForEachCallable(kRecentComputations, [&](ComputationId id) {
    if (FitOfComputation(module_, partial, attribute, id) == Fit::kWrong) return;
    const int64_t value = ValueOfComputation(partial, attribute, id);
    if (best.has_value() && value <= best_value) return;
    best = id;
    best_value = value;
  });
  return best.has_value() ? Spelled(module_.ComputationName(best)) : "computation";
}

}  // namespace hloscope
