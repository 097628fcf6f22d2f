// SPDX-License-Identifier: Apache-2.0
#include "evaluator/debugger/name_index.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "core/diagnostics/suggestions.h"

namespace hloscope::evaluator {

NameIndex::NameIndex(const Module& module) : module_(module) {
  for (size_t c = 0; c < module.computations().size(); ++c) {
    const ComputationId computation(c);
    computations_.emplace(module.ComputationName(computation), computation);
    sorted_.push_back(module.ComputationName(computation));
  }
  for (size_t i = 0; i < module.instruction_count(); ++i) {
    const InstructionId id(i);
    const ComputationId computation = module.instruction(id).computation;
    if (!computation.has_value()) continue;
    instructions_[std::string(module.InstructionName(id))].push_back(id);
    sorted_.push_back(module.InstructionName(id));
  }
  std::sort(sorted_.begin(), sorted_.end());
  sorted_.erase(std::unique(sorted_.begin(), sorted_.end()), sorted_.end());
}

absl::Span<const InstructionId> NameIndex::Instructions(absl::string_view name) const {
  name = absl::StripPrefix(name, "%");
  const auto found = instructions_.find(name);
  if (found != instructions_.end()) return found->second;
  const size_t split = name.rfind("::");
  if (split == absl::string_view::npos) return {};
  const ComputationId computation = FindComputation(name.substr(0, split));
  if (!computation.has_value()) return {};
  const auto candidates = instructions_.find(absl::StripPrefix(name.substr(split + 2), "%"));
  if (candidates == instructions_.end()) return {};
  for (const InstructionId& id : candidates->second) {
    if (module_.instruction(id).computation == computation) return absl::MakeConstSpan(&id, 1);
  }
  return {};
}

ComputationId NameIndex::FindComputation(absl::string_view name) const {
  const auto found = computations_.find(absl::StripPrefix(name, "%"));
  return found == computations_.end() ? ComputationId() : found->second;
}

std::string NameIndex::SuggestInstruction(absl::string_view name) const {
  const size_t split = name.rfind("::");
  if (split == absl::string_view::npos) return DidYouMean(absl::StripPrefix(name, "%"), sorted_);
  // COMPUTATION::INSTRUCTION: each half may be misspelt.
  absl::string_view computation = absl::StripPrefix(name.substr(0, split), "%");
  if (!FindComputation(computation).has_value()) computation = NearestName(computation, ComputationNames());
  const ComputationId found = FindComputation(computation);
  if (!found.has_value()) return "";
  absl::string_view instruction = absl::StripPrefix(name.substr(split + 2), "%");
  std::vector<absl::string_view> names;
  for (InstructionId id : module_.computation(found).instructions) names.push_back(module_.InstructionName(id));
  if (std::find(names.begin(), names.end(), instruction) == names.end()) instruction = NearestName(instruction, names);
  return instruction.empty() ? "" : DidYouMean(absl::StrCat(computation, "::", instruction));
}

std::string NameIndex::SuggestComputation(absl::string_view name) const {
  return DidYouMean(absl::StripPrefix(name, "%"), ComputationNames());
}

std::vector<absl::string_view> NameIndex::ComputationNames() const {
  std::vector<absl::string_view> names;
  for (const auto& [computation, id] : computations_) names.push_back(computation);
  std::sort(names.begin(), names.end());
  return names;
}

absl::StatusOr<InstructionId> NameIndex::RequireInstruction(absl::string_view name, ComputationId preferred) const {
  const absl::Span<const InstructionId> found = Instructions(name);
  if (found.empty()) {
    return absl::NotFoundError(absl::StrCat("there is no instruction `", name, "`", SuggestInstruction(name)));
  }
  for (InstructionId id : found) {
    if (module_.instruction(id).computation == preferred) return id;
  }
  return found.front();
}

absl::StatusOr<ComputationId> NameIndex::RequireComputation(absl::string_view name) const {
  const ComputationId found = FindComputation(name);
  if (found.has_value()) return found;
  return absl::NotFoundError(absl::StrCat("there is no computation `", name, "`", SuggestComputation(name)));
}

std::vector<std::string> NameIndex::Complete(absl::string_view prefix, size_t limit) const {
  const absl::string_view bare = absl::StripPrefix(prefix, "%");
  const absl::string_view sign = prefix.substr(0, prefix.size() - bare.size());
  std::vector<std::string> names;
  for (auto it = std::lower_bound(sorted_.begin(), sorted_.end(), bare);
       it != sorted_.end() && absl::StartsWith(*it, bare) && names.size() < limit; ++it) {
    names.push_back(absl::StrCat(sign, *it));
  }
  return names;
}

}  // namespace hloscope::evaluator
