// SPDX-License-Identifier: Apache-2.0
// Who uses each instruction and who calls each computation.
#ifndef HLOSCOPE_CORE_ANALYSIS_USERS_H_
#define HLOSCOPE_CORE_ANALYSIS_USERS_H_

#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "core/ir/id_map.h"
#include "core/ir/module.h"

namespace hloscope {

class UserIndex {
 public:
  UserIndex() = default;
  // O(instructions + operands).
  explicit UserIndex(const Module& module);
  // Of a module that differs from that of `old` in ids, by `ids`, and in the operands and called computations of
  // `changed` (ascending): the same index as UserIndex(module), in a fraction of the time.
  UserIndex(const UserIndex& old, const IdMap& ids, const Module& module, absl::Span<const InstructionId> changed);

  // Instructions that have `id` as an operand, each once, in id order. Control edges do not count.
  absl::Span<const InstructionId> users(InstructionId id) const;
  // Instructions that call the computation, each once, in id order.
  absl::Span<const InstructionId> callers(ComputationId id) const;

 private:
  using Edge = std::pair<uint32_t, InstructionId>;  // target, user
  static void Update(const std::vector<uint32_t>& old_first, const std::vector<InstructionId>& old_users,
                     absl::Span<const InstructionId> old_targets, const IdMap& ids,
                     absl::Span<const InstructionId> changed, std::vector<Edge> added, std::vector<uint32_t>& first,
                     std::vector<InstructionId>& users);

  std::vector<uint32_t> user_first_;
  std::vector<InstructionId> users_;
  std::vector<uint32_t> caller_first_;
  std::vector<InstructionId> callers_;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_ANALYSIS_USERS_H_
