// SPDX-License-Identifier: Apache-2.0
#include "insight/runs/made_up_numbers.h"

#include <algorithm>
#include <utility>

#include "absl/hash/hash.h"
#include "absl/strings/str_cat.h"
#include "core/analysis/value_flow.h"
#include "core/analysis/value_match.h"
#include "core/diagnostics/render.h"
#include "evaluator/engine/plausible_fills.h"
#include "evaluator/kernels/interface/kernel.h"

namespace hloscope::insight {
namespace {

// What a constant that is left out is used for, from the most to the least telling.
enum class Alike : uint8_t { kValues, kSurroundings, kOpName, kOperation, kShape };
constexpr Alike kAlike[] = {Alike::kValues, Alike::kSurroundings, Alike::kOpName, Alike::kOperation, Alike::kShape};

bool IsElided(const Module& module, InstructionId id) {
  return module.opcode(id) == Opcode::kConstant && module.instruction(id).literal.has_value() &&
         module.literal(id).IsElided();
}

// The uses of the left-out constants of a module, as hashes.
class ElidedUses {
 public:
  explicit ElidedUses(const ValueFlow& flow) : flow_(flow), module_(flow.module()) {
    values_.resize(module_.instruction_count());
    surroundings_.resize(module_.instruction_count());
    for (InstructionId id : flow.order()) {
      values_[id.index()] = ValueHash(id);
      if (IsElided(module_, id)) constants_.push_back(id);
    }
    if (constants_.empty()) return;
    FollowCalls();
    for (InstructionId id : flow.order()) {
      if (module_.opcode(id) == Opcode::kCall) continue;
      const absl::Span<const InstructionId> operands = flow.operands(id);
      for (size_t k = 0; k < operands.size(); ++k) {
        if (IsElided(module_, operands[k])) uses_[operands[k]].push_back({id, k});
        const auto given = given_.find(operands[k]);
        if (given == given_.end()) continue;
        for (InstructionId constant : given->second) uses_[constant].push_back({id, k});
      }
    }
  }

  // In the order of execution.
  const std::vector<InstructionId>& constants() const { return constants_; }

  std::vector<uint64_t> Keys(InstructionId constant, Alike alike) const {
    const uint64_t shape = absl::HashOf(module_.shape(constant).ToString(false));
    if (alike == Alike::kShape) return {shape};
    std::vector<uint64_t> keys;
    const auto uses = uses_.find(constant);
    if (uses == uses_.end()) return keys;
    for (const auto& [user, number] : uses->second) {
      const uint64_t use = absl::HashOf(shape, number, Operation(user));
      if (alike == Alike::kOperation) keys.push_back(use);
      if (alike == Alike::kValues) keys.push_back(absl::HashOf(use, values_[user.index()]));
      if (alike == Alike::kSurroundings) keys.push_back(absl::HashOf(use, OpName(user), Surroundings(user)));
      if (alike == Alike::kOpName && !OpName(user).empty()) keys.push_back(absl::HashOf(use, OpName(user)));
    }
    return keys;
  }

 private:
  struct Use {
    InstructionId user;
    size_t number;  // of the operand
  };

  // Which constants the parameters of computations with several callers are given; callers come after what they call.
  void FollowCalls() {
    const absl::Span<const InstructionId> order = flow_.order();
    for (auto at = order.rbegin(); at != order.rend(); ++at) {
      if (module_.opcode(*at) != Opcode::kCall) continue;
      module_.ForEachCalledComputation(*at, [&](AttributeKind, ComputationId callee) {
        if (callee.has_value()) Give(*at, module_.computation(callee).parameters);
      });
    }
  }

  void Give(InstructionId call, const std::vector<InstructionId>& parameters) {
    const absl::Span<const InstructionId> operands = module_.operands(call);
    for (size_t k = 0; k < std::min(operands.size(), parameters.size()); ++k) {
      if (!operands[k].has_value() || !parameters[k].has_value()) continue;
      const absl::Span<const InstructionId> carriers = flow_.carriers(operands[k]);
      if (carriers.size() != 1) continue;
      std::vector<InstructionId> constants;
      if (IsElided(module_, carriers[0])) constants = {carriers[0]};
      if (const auto given = given_.find(carriers[0]); given != given_.end()) constants = given->second;
      if (constants.empty()) continue;
      std::vector<InstructionId>& list = given_[parameters[k]];
      list.insert(list.end(), constants.begin(), constants.end());
      std::sort(list.begin(), list.end(), [](InstructionId x, InstructionId y) { return x.value < y.value; });
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
  }

  uint64_t Operation(InstructionId id) const {
    return absl::HashOf(static_cast<int>(module_.opcode(id)), module_.shape(id).ToString(false));
  }

  absl::string_view OpName(InstructionId id) const {
    const Metadata* metadata = module_.MetadataOf(id);
    return metadata == nullptr ? absl::string_view() : module_.string(metadata->op_name);
  }

  // The operations before and after it; those of an instruction with many operands once.
  uint64_t Surroundings(InstructionId id) const {
    uint64_t& known = surroundings_[id.index()];
    if (known != 0) return known;
    uint64_t hash = 1, users = 0;
    // What a shared computation is given may be a constant in a copy of it.
    for (InstructionId operand : flow_.operands(id)) {
      const bool is_given = flow_.operands(operand).empty();
      hash = absl::HashOf(hash, is_given ? -1 : static_cast<int>(module_.opcode(operand)));
    }
    for (InstructionId user : flow_.users(id)) users += absl::HashOf(static_cast<int>(module_.opcode(user)));
    return known = absl::HashOf(hash, users) | 1;
  }

  // Of everything that it is computed from; the names of constants do not count.
  uint64_t ValueHash(InstructionId id) const {
    const absl::Span<const InstructionId> initial = flow_.initial_values(id);
    // The first caller's argument.
    if (module_.opcode(id) == Opcode::kParameter && initial.size() == 1) return values_[initial[0].index()];
    uint64_t hash = Operation(id);
    if (module_.opcode(id) == Opcode::kParameter) hash = absl::HashOf(hash, module_.instruction(id).parameter_number);
    for (InstructionId operand : flow_.operands(id)) hash = absl::HashOf(hash, values_[operand.index()]);
    for (InstructionId value : initial) hash = absl::HashOf(hash, values_[value.index()]);
    return hash;
  }

  const ValueFlow& flow_;
  const Module& module_;
  std::vector<uint64_t> values_;                // by instruction
  mutable std::vector<uint64_t> surroundings_;  // by instruction; 0: not known yet
  std::vector<InstructionId> constants_;
  absl::flat_hash_map<InstructionId, std::vector<InstructionId>> given_;  // by parameter
  absl::flat_hash_map<InstructionId, std::vector<Use>> uses_;
};

// By constant of a: the first of those that have a use in common with it, or with one of them. Versions of a module may
// have another number of copies of what several computations hold, and nothing tells these apart.
absl::flat_hash_map<InstructionId, InstructionId> FirstsUsedAlike(const ElidedUses& uses) {
  absl::flat_hash_map<InstructionId, InstructionId> before;  // up to the first, which has itself
  absl::flat_hash_map<uint64_t, InstructionId> by_key;
  const auto first_of = [&](InstructionId id) {
    while (before.at(id) != id) id = before.at(id) = before.at(before.at(id));
    return id;
  };
  for (InstructionId id : uses.constants()) {
    before.emplace(id, id);
    for (uint64_t key : uses.Keys(id, Alike::kSurroundings)) {
      const InstructionId other = first_of(by_key.try_emplace(key, id).first->second);
      if (const InstructionId own = first_of(id); other != own) before.at(own) = other;
    }
  }
  for (InstructionId id : uses.constants()) before.at(id) = first_of(id);
  return before;
}

// Finds, for constants of b without a counterpart, those of a that they are copies of.
class CopyFinder {
 public:
  CopyFinder(const ElidedUses& a, const ElidedUses& b, const ValueMatch& match)
      : uses_a_(a), uses_b_(b), match_(match) {
    for (InstructionId id : uses_b_.constants()) {
      if (!match.partner_of_b[id.index()].has_value()) open_.push_back(id);
    }
  }

  // By constant of b.
  absl::flat_hash_map<InstructionId, InstructionId> Run() {
    for (const Alike alike : kAlike) {
      if (!open_.empty()) Find(alike);
    }
    return std::move(found_);
  }

 private:
  // Constants that are used alike are told apart by the order of their execution; copies repeat it.
  void Find(Alike alike) {
    absl::flat_hash_map<uint64_t, std::vector<InstructionId>> candidates;
    // Those that have no counterpart come first: the constant may have lost its name.
    for (const bool has_partner : {false, true}) {
      for (InstructionId id : uses_a_.constants()) {
        if (match_.partner_of_a[id.index()].has_value() != has_partner) continue;
        for (uint64_t key : uses_a_.Keys(id, alike)) {
          std::vector<InstructionId>& list = candidates[key];
          if (list.empty() || list.back() != id) list.push_back(id);
        }
      }
    }
    absl::flat_hash_map<uint64_t, size_t> taken;
    std::vector<InstructionId> left;
    for (InstructionId id : open_) {
      InstructionId original;
      for (uint64_t key : uses_b_.Keys(id, alike)) {
        const auto list = candidates.find(key);
        if (list == candidates.end() || (alike == Alike::kShape && list->second.size() > 1)) continue;
        original = list->second[taken[key]++ % list->second.size()];
        break;
      }
      if (original.has_value()) {
        found_.emplace(id, original);
      } else {
        left.push_back(id);
      }
    }
    open_ = std::move(left);
  }

  const ElidedUses &uses_a_, &uses_b_;
  const ValueMatch& match_;
  std::vector<InstructionId> open_;
  absl::flat_hash_map<InstructionId, InstructionId> found_;
};

}  // namespace

std::vector<InstructionId> MadeUpNumbers(const Module& module) {
  std::vector<InstructionId> made_up = evaluator::ElidedConstants(module);
  if (!module.MayHave(Opcode::kRng)) return made_up;
  for (uint32_t i = 0; i < module.instruction_count(); ++i) {
    if (module.opcode(InstructionId(i)) == Opcode::kRng) made_up.push_back(InstructionId(i));
  }
  return made_up;
}

void SharedNumbers::ApplyTo(evaluator::RunOptions* options) const {
  options->fills.insert(parameters.begin(), parameters.end());
  if (streams != nullptr) options->session.number_streams = streams;
}

void SharedNumbers::ApplyTo(evaluator::ElidedConstantFill* fill) const {
  if (streams != nullptr) fill->streams = streams;
  for (const auto& [id, rule] : constants) fill->rules.insert_or_assign(id, rule);
}

SharedNumbers NumbersLike(const Module& a, const Module& b, const evaluator::RunOptions& options) {
  SharedNumbers numbers;
  auto streams = std::make_shared<absl::flat_hash_map<InstructionId, uint64_t>>();
  numbers.streams = streams;
  if (!a.entry().has_value() || !b.entry().has_value()) return numbers;
  absl::flat_hash_map<InstructionId, evaluator::FillRule> plausible;
  if (options.fill.has_value() && options.fill->kind == evaluator::FillKind::kRandom) {
    plausible = evaluator::PlausibleFills(a);
  }
  const auto rule_of = [&](InstructionId id) {
    const auto rule = plausible.find(id);
    return rule != plausible.end() ? rule->second : *options.fill;
  };
  if (options.fill == evaluator::FillRule(evaluator::FillKind::kRandom)) {
    const std::vector<InstructionId>& parameters = a.computation(a.entry()).parameters;
    const size_t count = std::min(parameters.size(), b.computation(b.entry()).parameters.size());
    for (size_t k = 0; k < count; ++k) numbers.parameters.emplace(static_cast<int64_t>(k), rule_of(parameters[k]));
  }
  const std::vector<InstructionId> made_up = MadeUpNumbers(b);
  if (made_up.empty()) return numbers;
  const ValueFlow flow_a(a), flow_b(b);
  const ValueMatch match = MatchValues(flow_a, flow_b);
  const bool all_match = std::all_of(made_up.begin(), made_up.end(),
                                     [&](InstructionId id) { return match.partner_of_b[id.index()].has_value(); });
  const ElidedUses uses_a(flow_a);
  absl::flat_hash_map<InstructionId, InstructionId> copies;
  if (!all_match) copies = CopyFinder(uses_a, ElidedUses(flow_b), match).Run();
  const absl::flat_hash_map<InstructionId, InstructionId> firsts = FirstsUsedAlike(uses_a);
  for (InstructionId id : made_up) {
    InstructionId original = match.partner_of_b[id.index()];
    if (const auto copy = copies.find(id); copy != copies.end()) original = copy->second;
    if (const auto first = firsts.find(original); first != firsts.end()) original = first->second;
    if (original.has_value()) streams->emplace(id, evaluator::StreamOfName(a, original));
    if (!IsElided(b, id)) continue;
    if (original.has_value() && options.fill.has_value()) numbers.constants.emplace(id, rule_of(original));
    if (!original.has_value() && flow_b.IsRunning(id)) numbers.alone.push_back(id);
  }
  return numbers;
}

std::string LoneConstantsText(const Module& module, const std::vector<InstructionId>& alone, const std::string& other) {
  if (alone.empty()) return "";
  std::string names = absl::StrCat("constant `", OneLine(module.InstructionName(alone[0])), "`");
  if (alone.size() > 1) absl::StrAppend(&names, " and ", alone.size() - 1, " more");
  return absl::StrCat(names, alone.size() > 1 ? " have" : " has", " no counterpart in ", other);
}

}  // namespace hloscope::insight
