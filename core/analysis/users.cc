// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/users.h"

#include <algorithm>
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
  std::vector<Edge> calls;  // few instructions call something
  for (uint32_t u = 0; u < n; ++u) {
    if (module.instruction(InstructionId(u)).attribute_count == 0) continue;
    module.ForEachCalledComputation(InstructionId(u), [&](AttributeKind, ComputationId callee) {
      if (!callee.has_value() || seen[callee.index()] == u + 1) return;
      seen[callee.index()] = u + 1;
      ++caller_first_[callee.index() + 1];
      calls.push_back({callee.value, InstructionId(u)});
    });
  }
  Accumulate(caller_first_);
  callers_.resize(caller_first_[c]);
  next.assign(caller_first_.begin(), caller_first_.end() - 1);
  for (const auto& [callee, caller] : calls) callers_[next[callee]++] = caller;
}

// `old_targets`: by new target the old one, or none.
void UserIndex::Update(const std::vector<uint32_t>& old_first, const std::vector<InstructionId>& old_users,
                       absl::Span<const InstructionId> old_targets, const IdMap& ids,
                       absl::Span<const InstructionId> changed, std::vector<Edge> added, std::vector<uint32_t>& first,
                       std::vector<InstructionId>& users) {
  std::sort(added.begin(), added.end());
  added.erase(std::unique(added.begin(), added.end()), added.end());
  first.reserve(old_targets.size() + 1);
  users.reserve(old_users.size() + added.size());
  size_t next = 0;  // of `added`
  for (size_t t = 0; t < old_targets.size(); ++t) {
    first.push_back(static_cast<uint32_t>(users.size()));
    const InstructionId target = old_targets[t];
    const size_t end = target.has_value() ? old_first[target.index() + 1] : 0;
    for (size_t i = target.has_value() ? old_first[target.index()] : 0; i < end; ++i) {
      const InstructionId user = ids.ToNew(old_users[i]);
      if (!user.has_value()) continue;
      const bool in_reach = !changed.empty() && !(user < changed.front()) && !(changed.back() < user);
      if (in_reach && std::binary_search(changed.begin(), changed.end(), user)) continue;
      for (; next < added.size() && added[next].first == t && added[next].second < user; ++next) {
        users.push_back(added[next].second);
      }
      users.push_back(user);
    }
    for (; next < added.size() && added[next].first == t; ++next) users.push_back(added[next].second);
  }
  first.push_back(static_cast<uint32_t>(users.size()));
}

UserIndex::UserIndex(const UserIndex& old, const IdMap& ids, const Module& module,
                     absl::Span<const InstructionId> changed) {
  std::vector<Edge> uses, calls;
  for (InstructionId user : changed) {
    for (InstructionId operand : module.operands(user)) {
      if (operand.has_value()) uses.push_back({operand.value, user});
    }
    module.ForEachCalledComputation(user, [&](AttributeKind, ComputationId callee) {
      if (callee.has_value()) calls.push_back({callee.value, user});
    });
  }
  std::vector<InstructionId> targets(module.instruction_count());
  for (uint32_t i = 0; i < targets.size(); ++i) targets[i] = ids.ToOld(InstructionId(i));
  Update(old.user_first_, old.users_, targets, ids, changed, std::move(uses), user_first_, users_);
  targets.resize(module.computations().size());
  for (uint32_t c = 0; c < targets.size(); ++c) targets[c] = InstructionId(c);  // computations stay
  Update(old.caller_first_, old.callers_, targets, ids, changed, std::move(calls), caller_first_, callers_);
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
