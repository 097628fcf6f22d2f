#include "gui/models/graph_grouping.h"

#include <algorithm>
#include <numeric>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "core/analysis/graph.h"

namespace hloscope::gui {
namespace {

constexpr uint32_t kNoPlace = 0xFFFFFFFF;
// A scope of fewer instructions is not worth a box of its own.
constexpr size_t kSmallestScope = 3;
// A level of more boxes than this is cut into stretches of about so many instructions.
constexpr size_t kMostBoxesOfALevel = 400;
constexpr size_t kStretch = 250;
constexpr size_t kMostStretches = 60;

void AddMember(GraphGrouping& grouping, uint32_t member, uint32_t group) {
  grouping.group_of[member] = group;
  grouping.groups[group].place_sum += member;
  ++grouping.groups[group].count;
}

}  // namespace

void GraphGrouper::FindScopes(const std::vector<InstructionId>& members) {
  if (scope_.empty()) scope_.assign(module_.instruction_count(), ScopeTree::kRoot);
  for (InstructionId id : members) scope_[id.index()] = scopes_.Of(id);
  for (size_t i = members.size(); i-- > 0;) {
    const InstructionId id = members[i];
    if (scope_[id.index()] != ScopeTree::kRoot) continue;
    ScopeId common = ScopeTree::kRoot;
    bool one = true;
    for (InstructionId user : users_.users(id)) {
      const ScopeId scope = scope_[user.index()];
      one = one && (common == ScopeTree::kRoot || scope == common);
      common = scope;
    }
    if (one) scope_[id.index()] = common;
  }
  for (InstructionId id : members) {
    if (scope_[id.index()] != ScopeTree::kRoot) continue;
    for (InstructionId operand : module_.operands(id)) {
      if (!operand.has_value() || CategoryOf(module_.opcode(operand)) == NodeCategory::kParameter) continue;
      scope_[id.index()] = scope_[operand.index()];
      break;
    }
  }
}

// The deepest scope that all members are in.
ScopeTree::ScopeId GraphGrouper::CommonScope(const std::vector<InstructionId>& members) const {
  ScopeId common = ScopeTree::kRoot;
  for (InstructionId id : members) {
    ScopeId scope = scope_[id.index()];
    if (scope == ScopeTree::kRoot || scope == common) continue;
    if (common == ScopeTree::kRoot) {
      common = scope;
      continue;
    }
    while (scopes_.scope(scope).depth > scopes_.scope(common).depth) scope = scopes_.scope(scope).parent;
    while (scopes_.scope(common).depth > scopes_.scope(scope).depth) common = scopes_.scope(common).parent;
    while (scope != common) {
      scope = scopes_.scope(scope).parent;
      common = scopes_.scope(common).parent;
    }
    if (common == ScopeTree::kRoot) break;
  }
  return common;
}

std::vector<ScopeTree::ScopeId> GraphGrouper::ChildrenOf(ScopeId common) const {
  std::vector<ScopeId> child(scopes_.scopes().size(), ScopeTree::kRoot);
  for (ScopeId s = 1; s < child.size(); ++s) {
    const ScopeId parent = scopes_.scope(s).parent;
    child[s] = parent == common ? s : child[parent];
  }
  return child;
}

// Where stretches begin: at the places that the fewest values cross.
std::vector<uint32_t> GraphGrouper::StretchStarts(const std::vector<InstructionId>& members) const {
  const size_t n = members.size();
  std::vector<uint32_t> place(module_.instruction_count(), kNoPlace);
  for (uint32_t i = 0; i < n; ++i) place[members[i].index()] = i;
  std::vector<int32_t> change(n + 1, 0);
  for (uint32_t i = 0; i < n; ++i) {
    uint32_t last = i;
    for (InstructionId user : users_.users(members[i])) {
      if (place[user.index()] != kNoPlace) last = std::max(last, place[user.index()]);
    }
    // Long-lived values cross every cut: they say nothing about where to make one.
    if (last <= i || last - i > kStretch) continue;
    ++change[i + 1];
    --change[last + 1 <= n ? last + 1 : n];
  }
  std::vector<int32_t> crossing(n + 1, 0);
  for (size_t i = 1; i <= n; ++i) crossing[i] = crossing[i - 1] + change[i];
  const size_t length = std::max(kStretch, n / kMostStretches);
  std::vector<uint32_t> starts = {0};
  while (starts.back() + length * 3 / 2 < n) {
    const auto begin = crossing.begin() + starts.back() + static_cast<std::ptrdiff_t>(length / 2);
    const auto end = begin + static_cast<std::ptrdiff_t>(length);
    starts.push_back(static_cast<uint32_t>(std::min_element(begin, end) - crossing.begin()));
  }
  return starts;
}

GraphGrouping GraphGrouper::GroupByStretch(const std::vector<InstructionId>& members) const {
  GraphGrouping grouping;
  grouping.has_stretches = true;
  grouping.group_of.resize(members.size());
  const std::vector<uint32_t> starts = StretchStarts(members);
  for (uint32_t i = 0; i < members.size(); ++i) {
    if (grouping.groups.size() < starts.size() && starts[grouping.groups.size()] == i) {
      grouping.groups.push_back({.is_stretch = true, .first = i});
    }
    AddMember(grouping, i, static_cast<uint32_t>(grouping.groups.size()) - 1);
  }
  return grouping;
}

GraphGrouping GraphGrouper::Ungrouped(size_t members) {
  GraphGrouping grouping;
  grouping.group_of.resize(members);
  for (uint32_t i = 0; i < members; ++i) {
    grouping.groups.push_back({.first = i});
    AddMember(grouping, i, i);
  }
  grouping.order = grouping.group_of;
  return grouping;
}

GraphGrouping GraphGrouper::GroupByScope(const std::vector<InstructionId>& members) const {
  const std::vector<ScopeId> child = ChildrenOf(CommonScope(members));
  std::vector<uint32_t> size_of_scope(child.size(), 0), group_of_scope(child.size(), kNoPlace);
  for (InstructionId id : members) ++size_of_scope[child[scope_[id.index()]]];
  GraphGrouping grouping;
  grouping.group_of.resize(members.size());
  for (uint32_t i = 0; i < members.size(); ++i) {
    const ScopeId scope = child[scope_[members[i].index()]];
    const bool is_shared = scope != ScopeTree::kRoot && size_of_scope[scope] >= kSmallestScope;
    uint32_t group = is_shared ? group_of_scope[scope] : kNoPlace;
    if (group == kNoPlace) {
      group = static_cast<uint32_t>(grouping.groups.size());
      grouping.groups.push_back({.scope = is_shared ? scope : ScopeTree::kRoot, .first = i});
      if (is_shared) group_of_scope[scope] = group;
    }
    AddMember(grouping, i, group);
  }
  if (grouping.groups.size() > kMostBoxesOfALevel) grouping = GroupByStretch(members);
  const std::vector<GraphGroup>& groups = grouping.groups;
  grouping.order.resize(groups.size());
  std::iota(grouping.order.begin(), grouping.order.end(), 0u);
  std::stable_sort(grouping.order.begin(), grouping.order.end(), [&](uint32_t a, uint32_t b) {
    return groups[a].place_sum * groups[b].count < groups[b].place_sum * groups[a].count;
  });
  return grouping;
}

std::string GraphGrouper::StretchTitle(const std::vector<InstructionId>& members) const {
  absl::flat_hash_map<Opcode, int> counts;
  for (InstructionId id : members) {
    const NodeCategory category = CategoryOf(module_.opcode(id));
    if (category == NodeCategory::kConstant || category == NodeCategory::kParameter) continue;
    if (category == NodeCategory::kTuple) continue;
    ++counts[module_.opcode(id)];
  }
  // What costs time tells more about a part of a model than how often it reshapes.
  auto weight = [&](Opcode opcode) {
    const NodeCategory c = CategoryOf(opcode);
    const bool heavy = c == NodeCategory::kContraction || c == NodeCategory::kCollective ||
                       c == NodeCategory::kControlFlow || c == NodeCategory::kReduction;
    return counts.at(opcode) * (heavy ? 20 : 1);
  };
  std::vector<Opcode> opcodes;
  for (const auto& [opcode, count] : counts) opcodes.push_back(opcode);
  std::sort(opcodes.begin(), opcodes.end(), [&](Opcode a, Opcode b) {
    return weight(a) != weight(b) ? weight(a) > weight(b) : OpcodeName(a) < OpcodeName(b);
  });
  std::string title;
  for (size_t i = 0; i < opcodes.size() && i < 3; ++i) {
    absl::StrAppend(&title, i > 0 ? ", " : "", OpcodeName(opcodes[i]), " ", counts[opcodes[i]]);
  }
  return title.empty() ? "values" : title;
}

}  // namespace hloscope::gui
