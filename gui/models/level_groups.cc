// SPDX-License-Identifier: Apache-2.0
#include "gui/models/level_groups.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/hash/hash.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/analysis/graph.h"

namespace hloscope::gui {
namespace {

constexpr uint32_t kNoPlace = 0xFFFFFFFFu;
// A scope of fewer instructions is not worth a box of its own.
constexpr size_t kSmallestScope = 3;
// A level of more boxes than this is cut into stretches of about so many instructions.
constexpr size_t kMostBoxesOfALevel = 400;
constexpr size_t kStretch = 250;
constexpr size_t kMostStretches = 60;
// From so many alike on, layers are one box.
constexpr size_t kFewestRepeats = 4;
// A level of more scopes than this is read by the first words of their names.
constexpr size_t kManyScopes = 24;
// Where so many instructions lead into one group, or into a single instruction, they are one box.
constexpr size_t kFewestFeeders = 3;
constexpr size_t kFewestFeedersOfOne = 8;
// A level of fewer boxes than this shows what is computed outside of all scopes.
constexpr size_t kRoomyLevel = 60;

using GroupKind = LevelGroup::Kind;

bool IsDigit(char c) { return absl::ascii_isdigit(static_cast<unsigned char>(c)); }

// The number at the end of a name, brackets after it left out: "block_12" is ("block_", 12, ""), "jvp(h_3)" is
// ("jvp(h_", 3, ")"). No digits: false.
struct NumberedName {
  absl::string_view stem, digits, rest;
};
bool SplitNumber(absl::string_view name, NumberedName* parts) {
  size_t end = name.size();
  while (end > 0 && name[end - 1] == ')') --end;
  size_t begin = end;
  while (begin > 0 && IsDigit(name[begin - 1])) --begin;
  if (begin == end || end - begin > 9) return false;
  *parts = {name.substr(0, begin), name.substr(begin, end - begin), name.substr(end)};
  return true;
}

// The first `count` words of a name, between '_' or '.'; empty if it has no more than those.
absl::string_view FirstWords(absl::string_view name, size_t count) {
  size_t at = 0;
  for (size_t i = 0; i < count; ++i) {
    at = name.find_first_of("_.", at);
    if (at == absl::string_view::npos) return {};
    if (i + 1 < count) ++at;
  }
  return at + 1 < name.size() ? name.substr(0, at) : absl::string_view();
}

double MeanPlace(const LevelGroup& group) {
  const uint64_t sum = std::accumulate(group.places.begin(), group.places.end(), uint64_t{0});
  return static_cast<double>(sum) / static_cast<double>(std::max<size_t>(1, group.places.size()));
}

void SortByPlace(std::vector<LevelGroup>* groups) {
  std::vector<std::pair<double, uint32_t>> order;
  for (uint32_t i = 0; i < groups->size(); ++i) order.emplace_back(MeanPlace((*groups)[i]), i);
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<LevelGroup> sorted;
  sorted.reserve(groups->size());
  for (const auto& [place, i] : order) sorted.push_back(std::move((*groups)[i]));
  *groups = std::move(sorted);
}

// Puts the groups of these numbers, of which there is at least one, into `whole`, and takes them out of the list.
void Join(std::vector<LevelGroup>* groups, const std::vector<uint32_t>& numbers, LevelGroup whole) {
  for (uint32_t number : numbers) {
    std::vector<uint32_t>& places = (*groups)[number].places;
    whole.places.insert(whole.places.end(), places.begin(), places.end());
    places.clear();
  }
  std::sort(whole.places.begin(), whole.places.end());
  (*groups)[numbers.front()] = std::move(whole);
}

void RemoveEmpty(std::vector<LevelGroup>* groups) {
  groups->erase(
      std::remove_if(groups->begin(), groups->end(), [](const LevelGroup& group) { return group.places.empty(); }),
      groups->end());
}

}  // namespace

std::string ScopeTitle(const ScopeTree& scopes, ScopeTree::ScopeId scope) {
  const absl::string_view name = scopes.scope(scope).name;
  const ScopeTree::ScopeId parent = scopes.scope(scope).parent;
  if (parent != ScopeTree::kRoot && std::all_of(name.begin(), name.end(), IsDigit)) {
    return absl::StrCat(scopes.scope(parent).name, "/", name);
  }
  return std::string(name);
}

LevelGrouper::LevelGrouper(const Module& module, const UserIndex& users, const ScopeTree& scopes)
    : module_(module), users_(users), scopes_(scopes) {
  scope_.assign(module.instruction_count(), ScopeTree::kRoot);
  local_.assign(module.instruction_count(), kNoPlace);
}

LevelGrouper::ScopeId LevelGrouper::CommonScope(ScopeId a, ScopeId b) const {
  while (scopes_.scope(a).depth > scopes_.scope(b).depth) a = scopes_.scope(a).parent;
  while (scopes_.scope(b).depth > scopes_.scope(a).depth) b = scopes_.scope(b).parent;
  while (a != b) {
    a = scopes_.scope(a).parent;
    b = scopes_.scope(b).parent;
  }
  return a;
}

LevelGrouper::ScopeId LevelGrouper::CommonScope(const std::vector<InstructionId>& members) const {
  ScopeId common = ScopeTree::kRoot;
  bool first = true;
  for (InstructionId id : members) {
    const ScopeId scope = scope_[id.index()];
    if (scope == ScopeTree::kRoot || scope == common) continue;
    common = first ? scope : CommonScope(common, scope);
    first = false;
    if (common == ScopeTree::kRoot) break;
  }
  return common;
}

void LevelGrouper::FindScopes(const std::vector<InstructionId>& members) {
  for (InstructionId id : members) scope_[id.index()] = scopes_.Of(id);
  for (size_t i = members.size(); i-- > 0;) {
    const InstructionId id = members[i];
    if (scope_[id.index()] != ScopeTree::kRoot) continue;
    ScopeId common = ScopeTree::kRoot;
    for (InstructionId user : users_.users(id)) {
      const ScopeId scope = scope_[user.index()];
      common = common == ScopeTree::kRoot ? scope : CommonScope(common, scope);
      if (common == ScopeTree::kRoot) break;
    }
    scope_[id.index()] = common;
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

std::vector<LevelGroup> LevelGrouper::ByScope(const std::vector<InstructionId>& members) const {
  const ScopeId common = CommonScope(members);
  // By scope: the child of the common one that it is, or is in.
  const size_t n = scopes_.scopes().size();
  std::vector<ScopeId> child(n, ScopeTree::kRoot);
  for (ScopeId s = 1; s < n; ++s) {
    const ScopeId parent = scopes_.scope(s).parent;
    child[s] = parent == common ? s : child[parent];
  }
  std::vector<uint32_t> size(n, 0), group_of(n, kNoPlace);
  for (InstructionId id : members) ++size[child[scope_[id.index()]]];
  std::vector<LevelGroup> groups;
  for (uint32_t i = 0; i < members.size(); ++i) {
    const ScopeId scope = child[scope_[members[i].index()]];
    if (scope == ScopeTree::kRoot || size[scope] < kSmallestScope) {
      groups.emplace_back().places = {i};
      continue;
    }
    if (group_of[scope] == kNoPlace) {
      group_of[scope] = static_cast<uint32_t>(groups.size());
      LevelGroup& group = groups.emplace_back();
      group.kind = GroupKind::kScope;
      group.scope = scope;
      group.title = ScopeTitle(scopes_, scope);
      group.identity = scopes_.Path(scope);
    }
    groups[group_of[scope]].places.push_back(i);
  }
  return groups;
}

// Equal for groups that do the same: the sum over what they compute, in whatever order.
uint64_t LevelGrouper::StructureOf(const std::vector<InstructionId>& members, const LevelGroup& group) const {
  absl::flat_hash_set<InstructionId> inside;
  for (uint32_t place : group.places) inside.insert(members[place]);
  uint64_t sum = 0;
  for (InstructionId id : inside) {
    // What several layers share is in none of them, or in one; and what has no scope of its own is nobody's.
    if (IsSource(id) || scopes_.Of(id) == ScopeTree::kRoot) continue;
    uint64_t inputs = 0;
    for (InstructionId operand : module_.operands(id)) {
      const bool counts = operand.has_value() && inside.contains(operand) && !IsSource(operand);
      inputs = inputs * 131 + (counts ? static_cast<uint64_t>(module_.opcode(operand)) + 1 : 0);
    }
    sum += absl::HashOf(static_cast<int>(module_.opcode(id)), module_.instruction(id).shape.index(), inputs);
  }
  return sum;
}

void LevelGrouper::GatherRepeats(const std::vector<InstructionId>& members, std::vector<LevelGroup>* groups) const {
  std::vector<std::pair<std::string, std::vector<uint32_t>>> families;  // in order of appearance
  absl::flat_hash_map<std::string, size_t> family_of;
  std::vector<double> means(groups->size(), 0);
  for (uint32_t i = 0; i < groups->size(); ++i) {
    const LevelGroup& group = (*groups)[i];
    means[i] = MeanPlace(group);
    NumberedName name;
    if (group.kind != GroupKind::kScope || !SplitNumber(scopes_.scope(group.scope).name, &name)) continue;
    std::string stem = absl::StrCat(name.stem, "#", name.rest);
    const auto [it, is_new] = family_of.try_emplace(stem, families.size());
    if (is_new) families.push_back({std::move(stem), {}});
    families[it->second].second.push_back(i);
  }
  for (auto& [stem, numbers] : families) {
    if (numbers.size() < kFewestRepeats) continue;
    const auto value_of = [&](uint32_t number) {
      NumberedName name;
      SplitNumber(scopes_.scope((*groups)[number].scope).name, &name);
      int64_t value = 0;
      for (char c : name.digits) value = value * 10 + (c - '0');
      return value;
    };
    // Other scopes between them: they are parts of something larger, not layers one after another.
    const auto [low, high] = std::minmax_element(numbers.begin(), numbers.end(),
                                                 [&](uint32_t a, uint32_t b) { return means[a] < means[b]; });
    size_t between = 0;
    for (uint32_t i = 0; i < groups->size(); ++i) {
      between += (*groups)[i].kind == GroupKind::kScope && means[i] >= means[*low] && means[i] <= means[*high];
    }
    absl::flat_hash_set<uint64_t> kinds;
    for (uint32_t number : numbers) kinds.insert(StructureOf(members, (*groups)[number]));
    if (between - numbers.size() > numbers.size() / 4 || kinds.size() > 1 + numbers.size() / 4) continue;
    const auto [first, last] = std::minmax_element(numbers.begin(), numbers.end(),
                                                   [&](uint32_t a, uint32_t b) { return value_of(a) < value_of(b); });
    LevelGroup whole;
    whole.kind = GroupKind::kRepeat;
    whole.identity = absl::StrCat(scopes_.Path(scopes_.scope((*groups)[numbers[0]].scope).parent), "/", stem);
    whole.title = absl::StrCat((*groups)[*first].title, "..", value_of(*last));
    whole.repeats = static_cast<uint32_t>(numbers.size());
    whole.kinds = static_cast<uint32_t>(kinds.size());
    Join(groups, numbers, std::move(whole));
  }
  RemoveEmpty(groups);
}

void LevelGrouper::GatherFamilies(size_t words, std::vector<LevelGroup>* groups) const {
  const auto count = std::count_if(groups->begin(), groups->end(),
                                   [](const LevelGroup& group) { return group.kind == GroupKind::kScope; });
  if (static_cast<size_t>(count) <= kManyScopes) return;
  // The first number of words that tells them apart.
  for (size_t k = words + 1; k < words + 4; ++k) {
    std::vector<std::pair<absl::string_view, std::vector<uint32_t>>> families;
    absl::flat_hash_map<absl::string_view, size_t> family_of;
    for (uint32_t i = 0; i < groups->size(); ++i) {
      const LevelGroup& group = (*groups)[i];
      if (group.kind != GroupKind::kScope) continue;
      const absl::string_view first = FirstWords(scopes_.scope(group.scope).name, k);
      if (first.empty()) continue;
      const auto [it, is_new] = family_of.try_emplace(first, families.size());
      if (is_new) families.push_back({first, {}});
      families[it->second].second.push_back(i);
    }
    if (families.size() < 2) continue;
    size_t joined = 0;
    for (const auto& [first, numbers] : families) joined += numbers.size() - 1;
    if (joined * 2 < static_cast<size_t>(count)) return;  // nearly every name begins in its own way
    for (const auto& [first, numbers] : families) {
      if (numbers.size() < 2) continue;
      LevelGroup whole;
      whole.kind = GroupKind::kFamily;
      whole.title = std::string(first);
      whole.identity = absl::StrCat(scopes_.Path(scopes_.scope((*groups)[numbers[0]].scope).parent), "/", first);
      whole.words = k;
      Join(groups, numbers, std::move(whole));
    }
    RemoveEmpty(groups);
    return;
  }
}

// Something that is given, or made of given things by moving and converting them.
bool LevelGrouper::IsSource(InstructionId id) const {
  for (int depth = 0; depth < 8; ++depth) {
    const absl::Span<const InstructionId> operands = module_.operands(id);
    switch (CategoryOf(module_.opcode(id))) {
      case NodeCategory::kParameter:
      case NodeCategory::kConstant:
        return true;
      case NodeCategory::kDataMovement:
        break;
      case NodeCategory::kElementwise:
      case NodeCategory::kContraction:
      case NodeCategory::kReduction:
      case NodeCategory::kRandom:
      case NodeCategory::kControlFlow:
      case NodeCategory::kCollective:
      case NodeCategory::kTransfer:
      case NodeCategory::kTuple:
      case NodeCategory::kUnknown: {
        const Opcode opcode = module_.opcode(id);
        if (opcode != Opcode::kConvert && opcode != Opcode::kGetTupleElement) return false;
      }
    }
    if (operands.size() != 1 || !operands[0].has_value()) return false;
    id = operands[0];
  }
  return false;
}

void LevelGrouper::GatherFeeders(const std::vector<InstructionId>& members, bool all, std::vector<LevelGroup>* groups) {
  std::vector<uint32_t> group_of(members.size(), kNoPlace);
  for (uint32_t g = 0; g < groups->size(); ++g) {
    for (uint32_t place : (*groups)[g].places) {
      group_of[place] = g;
      local_[members[place].index()] = place;
    }
  }
  // Where each group leads to: itself, or for a single one the only group that uses it.
  std::vector<uint32_t> target(groups->size());
  std::iota(target.begin(), target.end(), 0u);
  const auto is_group = [&](uint32_t g) { return (*groups)[g].kind != GroupKind::kSingle; };
  for (uint32_t place = static_cast<uint32_t>(members.size()); place-- > 0;) {
    const uint32_t own = group_of[place];
    const bool source = IsSource(members[place]);
    if (is_group(own) || (!source && !all)) continue;
    uint32_t found = kNoPlace;
    bool one = true;
    for (InstructionId user : users_.users(members[place])) {
      if (local_[user.index()] == kNoPlace) continue;
      const uint32_t to = target[group_of[local_[user.index()]]];
      if (found == kNoPlace || found == to) {
        found = to;
        continue;
      }
      one = false;
      // Of several, what is given goes to the first group, or to the first one of all.
      const bool is_better = is_group(to) == is_group(found)
                                 ? (*groups)[to].places.front() < (*groups)[found].places.front()
                                 : is_group(to);
      if (is_better) found = to;
    }
    if (found != kNoPlace && (one || source)) target[own] = found;
  }
  for (InstructionId id : members) local_[id.index()] = kNoPlace;

  // What nothing uses, neither here nor elsewhere.
  std::vector<uint32_t> unused;
  for (uint32_t g = 0; g < groups->size(); ++g) {
    const InstructionId first = members[(*groups)[g].places.front()];
    const InstructionId root = module_.computation(module_.instruction(first).computation).root;
    if (!is_group(g) && IsSource(first) && users_.users(first).empty() && first != root) unused.push_back(g);
  }
  if (unused.size() >= kFewestFeeders) {
    LevelGroup whole;
    whole.kind = GroupKind::kFeeders;
    Join(groups, unused, std::move(whole));
  }
  absl::flat_hash_map<uint32_t, std::vector<uint32_t>> feeders;
  for (uint32_t g = 0; g < groups->size(); ++g) {
    if (target[g] != g && !(*groups)[g].places.empty()) feeders[target[g]].push_back(g);
  }
  for (uint32_t g = 0; g < target.size(); ++g) {
    const auto found = feeders.find(g);
    if (found == feeders.end()) continue;
    if (found->second.size() < (is_group(g) ? kFewestFeeders : kFewestFeedersOfOne)) continue;
    LevelGroup whole;
    whole.kind = GroupKind::kFeeders;
    whole.title = TitleOf(members, (*groups)[g]);
    whole.identity = is_group(g) ? (*groups)[g].identity : whole.title;
    // What leads to something that leads to a group is one box with it, and with what did before.
    if ((*groups)[g].kind == GroupKind::kFeeders) found->second.push_back(g);
    for (uint32_t other = 0; other < groups->size(); ++other) {
      const LevelGroup& before = (*groups)[other];
      const bool same = before.kind == GroupKind::kFeeders && before.identity == whole.identity && other != g;
      if (same && !before.places.empty()) found->second.push_back(other);
    }
    Join(groups, found->second, std::move(whole));
  }
  RemoveEmpty(groups);
}

std::string LevelGrouper::TitleOf(const std::vector<InstructionId>& members, const LevelGroup& group) const {
  if (group.kind != GroupKind::kSingle) return group.title;
  return std::string(module_.InstructionName(members[group.places.front()]));
}

std::vector<uint32_t> LevelGrouper::StretchStarts(const std::vector<InstructionId>& members) {
  const size_t n = members.size();
  for (uint32_t i = 0; i < n; ++i) local_[members[i].index()] = i;
  std::vector<int32_t> change(n + 1, 0);
  for (uint32_t i = 0; i < n; ++i) {
    uint32_t last = i;
    for (InstructionId user : users_.users(members[i])) {
      if (local_[user.index()] != kNoPlace) last = std::max(last, local_[user.index()]);
    }
    // Long-lived values cross every cut: they say nothing about where to make one.
    if (last <= i || last - i > kStretch) continue;
    ++change[i + 1];
    --change[last + 1 <= n ? last + 1 : n];
  }
  for (InstructionId id : members) local_[id.index()] = kNoPlace;
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

// "dot 12, add 40, fusion 7": what is most of in it.
std::string LevelGrouper::StretchTitle(const std::vector<InstructionId>& members,
                                       const std::vector<uint32_t>& places) const {
  absl::flat_hash_map<Opcode, int> counts;
  for (uint32_t place : places) {
    const Opcode opcode = module_.opcode(members[place]);
    const NodeCategory category = CategoryOf(opcode);
    if (category == NodeCategory::kConstant || category == NodeCategory::kParameter) continue;
    if (category == NodeCategory::kTuple) continue;
    ++counts[opcode];
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

// What is in no group is cut; groups stay what they are.
void LevelGrouper::CutIntoStretches(const std::vector<InstructionId>& members, std::vector<LevelGroup>* groups) {
  std::vector<InstructionId> loose;
  std::vector<uint32_t> place_of;
  std::vector<LevelGroup> result;
  for (LevelGroup& group : *groups) {
    if (group.kind == GroupKind::kSingle) {
      place_of.push_back(group.places.front());
    } else {
      result.push_back(std::move(group));
    }
  }
  std::sort(place_of.begin(), place_of.end());
  for (uint32_t place : place_of) loose.push_back(members[place]);
  const std::vector<uint32_t> starts = StretchStarts(loose);
  for (size_t s = 0; s < starts.size(); ++s) {
    const size_t end = s + 1 < starts.size() ? starts[s + 1] : loose.size();
    LevelGroup& stretch = result.emplace_back();
    stretch.kind = GroupKind::kStretch;
    stretch.places.assign(place_of.begin() + starts[s], place_of.begin() + static_cast<std::ptrdiff_t>(end));
    stretch.title = StretchTitle(members, stretch.places);
    stretch.identity = std::string(module_.InstructionName(members[stretch.places.front()]));
  }
  *groups = std::move(result);
}

std::vector<LevelGroup> LevelGrouper::Group(const std::vector<InstructionId>& members, const LevelOptions& options) {
  std::vector<LevelGroup> groups;
  if (!options.by_scope) {
    for (uint32_t i = 0; i < members.size(); ++i) groups.emplace_back().places = {i};
    return groups;
  }
  groups = ByScope(members);
  if (!options.apart) {
    GatherRepeats(members, &groups);
    GatherFamilies(options.words, &groups);
  }
  const auto count_singles = [&] {
    return static_cast<size_t>(std::count_if(groups.begin(), groups.end(),
                                             [](const LevelGroup& group) { return group.kind == GroupKind::kSingle; }));
  };
  const bool has_groups = count_singles() < groups.size();
  if (has_groups || groups.size() > kMostBoxesOfALevel) GatherFeeders(members, /*all=*/false, &groups);
  if (has_groups && groups.size() > kRoomyLevel) GatherFeeders(members, /*all=*/true, &groups);
  if (groups.size() > kMostBoxesOfALevel && count_singles() > kStretch) CutIntoStretches(members, &groups);
  SortByPlace(&groups);
  return groups;
}

}  // namespace hloscope::gui
