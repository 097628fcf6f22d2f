// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/dominators.h"

#include <algorithm>

namespace hloscope {

FlowDominators::FlowDominators(const Module& module, const UserIndex& users, ComputationId computation) {
  const std::vector<InstructionId>& ids = module.computation(computation).instructions;
  const InstructionId root = module.computation(computation).root;
  if (ids.empty() || !root.has_value()) return;
  const auto [low, high] = std::minmax_element(ids.begin(), ids.end());
  first_id_ = low->value;
  position_.assign(high->value - low->value + 1, kNone);
  // Users follow their operands in the text, so backwards every user has its place before its operands.
  std::vector<uint32_t> parent;
  for (size_t k = ids.size(); k-- > 0;) {
    const InstructionId id = ids[k];
    uint32_t dominator = kNone;
    bool reaches = id == root;
    if (id != root) {
      for (InstructionId user : users.users(id)) {
        const uint32_t at = PositionOf(user);
        if (at == kNone) continue;
        dominator = reaches ? Common(dominator, at) : at;
        reaches = true;
      }
    }
    if (!reaches) continue;
    const uint32_t position = static_cast<uint32_t>(order_.size());
    position_[id.value - first_id_] = position;
    order_.push_back(id);
    depth_.push_back(id == root ? 0 : depth_[dominator] + 1);
    const uint32_t up = id == root ? position : dominator;
    for (size_t level = 0; level == 0 || (1u << level) <= depth_.back(); ++level) {
      if (lifted_.size() <= level) lifted_.emplace_back();
      std::vector<uint32_t>& row = lifted_[level];
      row.resize(order_.size(), 0);
      row[position] = level == 0 ? up : lifted_[level - 1][lifted_[level - 1][position]];
    }
  }
}

uint32_t FlowDominators::PositionOf(InstructionId id) const {
  if (!id.has_value() || id.value < first_id_ || id.value - first_id_ >= position_.size()) return kNone;
  return position_[id.value - first_id_];
}

uint32_t FlowDominators::Ancestor(uint32_t at, uint32_t steps) const {
  for (size_t level = 0; steps != 0; ++level, steps >>= 1) {
    if (steps & 1) at = lifted_[level][at];
  }
  return at;
}

uint32_t FlowDominators::Common(uint32_t a, uint32_t b) const {
  if (depth_[a] > depth_[b]) std::swap(a, b);
  b = Ancestor(b, depth_[b] - depth_[a]);
  if (a == b) return a;
  for (size_t level = lifted_.size(); level-- > 0;) {
    if ((1u << level) > depth_[a]) continue;
    if (lifted_[level][a] == lifted_[level][b]) continue;
    a = lifted_[level][a];
    b = lifted_[level][b];
  }
  return lifted_[0][a];
}

InstructionId FlowDominators::ImmediateDominator(InstructionId id) const {
  const uint32_t at = PositionOf(id);
  return at == kNone || depth_[at] == 0 ? InstructionId() : order_[lifted_[0][at]];
}

bool FlowDominators::Dominates(InstructionId d, InstructionId i) const {
  const uint32_t a = PositionOf(d), b = PositionOf(i);
  if (a == kNone || b == kNone || depth_[a] > depth_[b]) return false;
  return Ancestor(b, depth_[b] - depth_[a]) == a;
}

}  // namespace hloscope
