// SPDX-License-Identifier: Apache-2.0
#include "core/semantics/name_scopes.h"

namespace hloscope {

InstructionId InstructionScope::FindOperand(uint32_t k, StringId name) const {
  if (!progress_.is_update()) return Find(name);
  const absl::Span<const InstructionId> operands = module_.operands(progress_.updated);
  if (unique_except_ == nullptr || k >= operands.size() || !operands[k].has_value()) return Find(name);
  const Instruction& known = module_.instruction(operands[k]);
  const bool is_it = known.name == name && known.is_named && known.computation == progress_.computation &&
                     operands[k] < progress_.updated && !unique_except_->contains(name);
  return is_it ? operands[k] : Find(name);
}

InstructionId InstructionScope::FirstDefinition(StringId name) const {
  const InstructionId before = progress_.updated;
  const std::vector<InstructionId>& list = module_.computation(progress_.computation).instructions;
  if (definitions_of_ != progress_.computation) {
    definitions_of_ = progress_.computation;
    definitions_.clear();
    looked_at_ = 0;
  }
  const auto defines = [&](InstructionId id) {
    const Instruction& instruction = module_.instruction(id);
    return instruction.name == name && instruction.is_named;
  };
  if (looked_at_ > kMaxSearches * list.size()) {
    // A tuple may have thousands of operands.
    if (definitions_.empty()) {
      for (InstructionId id : list) {
        if (module_.instruction(id).is_named) definitions_.try_emplace(module_.instruction(id).name, id);
      }
    }
    const auto found = definitions_.find(name);
    return found != definitions_.end() && found->second < before ? found->second : InstructionId::None();
  }
  const auto end = std::lower_bound(list.begin(), list.end(), before);
  if (names_are_unique_) {
    for (auto at = end; at != list.begin(); ++looked_at_) {
      if (defines(*--at)) return *at;
    }
    return InstructionId::None();
  }
  const auto found = std::find_if(list.begin(), end, defines);
  looked_at_ += static_cast<size_t>(found - list.begin());
  return found != end ? *found : InstructionId::None();
}

ComputationId ComputationScope::Find(absl::string_view name) const {
  if (!progress_.is_update()) {
    const auto it = computations_.find(name);
    return it != computations_.end() ? it->second : ComputationId::None();
  }
  const StringId id = module_.mutable_strings().Find(name);
  if (!id.has_value()) return ComputationId::None();
  for (ComputationId c(0); c < progress_.computation; ++c.value) {
    if (module_.computation(c).name == id && !module_.computation(c).is_anonymous) return c;
  }
  return ComputationId::None();
}

ComputationId ComputationScope::Declare(absl::string_view name, ComputationId id) {
  const auto [it, inserted] = computations_.try_emplace(name, id);
  return inserted ? ComputationId::None() : it->second;
}

}  // namespace hloscope
