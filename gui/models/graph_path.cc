// SPDX-License-Identifier: Apache-2.0
#include "gui/models/graph_path.h"

#include <algorithm>

#include "absl/container/flat_hash_map.h"

namespace hloscope::gui {
namespace {

std::vector<InstructionId> PathDown(const UserIndex& users, InstructionId from, InstructionId to) {
  absl::flat_hash_map<InstructionId, InstructionId> came_from = {{from, InstructionId()}};
  std::vector<InstructionId> queue = {from};
  for (size_t i = 0; i < queue.size() && !came_from.contains(to); ++i) {
    for (InstructionId user : users.users(queue[i])) {
      if (came_from.try_emplace(user, queue[i]).second) queue.push_back(user);
    }
  }
  std::vector<InstructionId> path;
  if (!came_from.contains(to)) return path;
  for (InstructionId at = to; at.has_value(); at = came_from[at]) path.push_back(at);
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace

std::vector<InstructionId> FindPath(const Module& module, const UserIndex& users, InstructionId from,
                                    InstructionId to) {
  if (!from.has_value() || !to.has_value()) return {};
  if (module.instruction(from).computation != module.instruction(to).computation) return {};
  std::vector<InstructionId> path = PathDown(users, from, to);
  return path.empty() ? PathDown(users, to, from) : path;
}

}  // namespace hloscope::gui
