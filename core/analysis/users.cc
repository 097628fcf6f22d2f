#include "core/analysis/users.h"

#include <cstddef>

namespace hloscope {
namespace {

// Calls visit(target, user) for every pair, each pair once.
template <typename Visit>
void ForEachUse(const Module& module, std::vector<uint32_t>& last_user, Visit visit) {
  for (uint32_t u = 0; u < module.instruction_count(); ++u) {
    for (InstructionId operand : module.operands(InstructionId(u))) {
      if (!operand.has_value() || last_user[operand.index()] == u + 1) continue;
      last_user[operand.index()] = u + 1;
      visit(operand.index(), InstructionId(u));
    }
  }
}

template <typename Visit>
void ForEachCall(const Module& module, std::vector<uint32_t>& last_caller, Visit visit) {
  for (uint32_t u = 0; u < module.instruction_count(); ++u) {
    module.ForEachCalledComputation(InstructionId(u), [&](AttributeKind, ComputationId callee) {
      if (!callee.has_value() || last_caller[callee.index()] == u + 1) return;
      last_caller[callee.index()] = u + 1;
      visit(callee.index(), InstructionId(u));
    });
  }
}

// Turns counts at [i + 1] into first positions.
void Accumulate(std::vector<uint32_t>& first) {
  for (size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
}

}  // namespace

UserIndex::UserIndex(const Module& module) {
  const size_t n = module.instruction_count();
  user_first_.assign(n + 1, 0);
  std::vector<uint32_t> seen(n, 0);
  ForEachUse(module, seen, [&](size_t target, InstructionId) { ++user_first_[target + 1]; });
  Accumulate(user_first_);
  users_.resize(user_first_[n]);
  std::vector<uint32_t> next(user_first_.begin(), user_first_.end() - 1);
  seen.assign(n, 0);
  ForEachUse(module, seen, [&](size_t target, InstructionId user) { users_[next[target]++] = user; });

  const size_t c = module.computations().size();
  caller_first_.assign(c + 1, 0);
  seen.assign(c, 0);
  ForEachCall(module, seen, [&](size_t target, InstructionId) { ++caller_first_[target + 1]; });
  Accumulate(caller_first_);
  callers_.resize(caller_first_[c]);
  next.assign(caller_first_.begin(), caller_first_.end() - 1);
  seen.assign(c, 0);
  ForEachCall(module, seen, [&](size_t target, InstructionId caller) { callers_[next[target]++] = caller; });
}

absl::Span<const InstructionId> UserIndex::users(InstructionId id) const {
  const uint32_t first = user_first_[id.index()];
  return absl::MakeConstSpan(users_).subspan(first, user_first_[id.index() + 1] - first);
}

absl::Span<const InstructionId> UserIndex::callers(ComputationId id) const {
  const uint32_t first = caller_first_[id.index()];
  return absl::MakeConstSpan(callers_).subspan(first, caller_first_[id.index() + 1] - first);
}

}  // namespace hloscope
