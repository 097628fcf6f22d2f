#include "gui/models/visible_graph.h"

#include <algorithm>
#include <numeric>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"

namespace hloscope::gui {
namespace {

// A scope of fewer instructions is not worth a box of its own.
constexpr size_t kSmallestScope = 3;
// A level of more boxes than this is cut into stretches of about so many instructions.
constexpr size_t kMostBoxesOfALevel = 400;
constexpr size_t kStretch = 250;
constexpr size_t kMostStretches = 60;

uint64_t Mix(uint64_t parent, uint64_t kind, uint64_t id) {
  uint64_t x = parent * 0x9E3779B97F4A7C15u + kind * 0xC2B2AE3D27D4EB4Fu + id + 1;
  x ^= x >> 29;
  x *= 0xBF58476D1CE4E5B9u;
  return x ^ (x >> 32);
}

// By name, so that groups stay open and boxes keep their places when the module is edited.
uint64_t HashOf(absl::string_view text) {
  uint64_t hash = 0xCBF29CE484222325u;
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  return hash;
}

class Builder {
 public:
  using ScopeId = ScopeTree::ScopeId;

  Builder(const Module& module, const UserIndex& users, const ScopeTree& scopes, const VisibleGraphOptions& options)
      : module_(module), users_(users), scopes_(scopes), options_(options) {
    graph_.computation = options.computation;
    graph_.box_of.assign(module.instruction_count(), kNoItem);
    local_.assign(module.instruction_count(), kNoItem);
    if (options.scopes) scope_.assign(module.instruction_count(), ScopeTree::kRoot);
  }

  VisibleGraph Build() {
    const std::vector<InstructionId>& all = module_.computation(options_.computation).instructions;
    graph_.computation_size = all.size();
    std::vector<InstructionId> members = options_.only.empty() ? all : options_.only;
    if (!options_.only.empty()) std::sort(members.begin(), members.end());
    AddComputation(kNoItem, Mix(0, 0, HashOf(module_.ComputationName(options_.computation))), options_.computation,
                   std::move(members));
    return std::move(graph_);
  }

 private:
  void AddComputation(uint32_t box, uint64_t key, ComputationId computation, std::vector<InstructionId> members) {
    if (options_.hide_constants) {
      const size_t before = members.size();
      members.erase(
          std::remove_if(members.begin(), members.end(), [&](InstructionId id) { return IsConstantLike(module_, id); }),
          members.end());
      graph_.hidden += before - members.size();
    }
    const bool whole = members.size() == module_.computation(computation).instructions.size();
    if (options_.scopes) FindScopes(members);
    AddLevel(box, key, computation, members, options_.scopes, whole);
  }

  // What has no op_name belongs to where it is used or, if several scopes use it, made.
  void FindScopes(const std::vector<InstructionId>& members) {
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

  ScopeId CommonScope(const std::vector<InstructionId>& members) const {
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

  struct Group {
    uint64_t place_sum = 0;
    uint32_t count = 0;
    ScopeId scope = ScopeTree::kRoot;  // kRoot: a single instruction
    uint32_t first = 0;                // place of its first member
    bool stretch = false;
    bool is_single() const { return scope == ScopeTree::kRoot && !stretch; }
  };

  // Where stretches begin: at the places that the fewest values cross.
  std::vector<uint32_t> StretchStarts(const std::vector<InstructionId>& members) {
    const size_t n = members.size();
    for (uint32_t i = 0; i < n; ++i) local_[members[i].index()] = i;
    std::vector<int32_t> change(n + 1, 0);
    for (uint32_t i = 0; i < n; ++i) {
      uint32_t last = i;
      for (InstructionId user : users_.users(members[i])) {
        if (local_[user.index()] != kNoItem) last = std::max(last, local_[user.index()]);
      }
      // Long-lived values cross every cut: they say nothing about where to make one.
      if (last <= i || last - i > kStretch) continue;
      ++change[i + 1];
      --change[last + 1 <= n ? last + 1 : n];
    }
    for (InstructionId id : members) local_[id.index()] = kNoItem;
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
  std::string StretchTitle(const std::vector<InstructionId>& members) const {
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

  void AddLevel(uint32_t outer, uint64_t key, ComputationId computation, const std::vector<InstructionId>& members,
                bool by_scope, bool whole) {
    const uint32_t level_number = static_cast<uint32_t>(graph_.levels.size());
    graph_.levels.push_back({});
    if (outer != kNoItem) graph_.boxes[outer].inside = level_number;

    // Which group each member is in.
    std::vector<Group> groups;
    std::vector<uint32_t> group_of(members.size());
    const ScopeId common = by_scope ? CommonScope(members) : ScopeTree::kRoot;
    std::vector<ScopeId> child;
    std::vector<uint32_t> size_of_scope, group_of_scope;
    if (by_scope) {
      const size_t n = scopes_.scopes().size();
      child.assign(n, ScopeTree::kRoot);
      for (ScopeId s = 1; s < n; ++s) {
        const ScopeId parent = scopes_.scope(s).parent;
        child[s] = parent == common ? s : child[parent];
      }
      size_of_scope.assign(n, 0);
      group_of_scope.assign(n, kNoItem);
      for (InstructionId id : members) ++size_of_scope[child[scope_[id.index()]]];
    }
    for (uint32_t i = 0; i < members.size(); ++i) {
      const ScopeId scope = by_scope ? child[scope_[members[i].index()]] : ScopeTree::kRoot;
      if (scope != ScopeTree::kRoot && size_of_scope[scope] >= kSmallestScope) {
        if (group_of_scope[scope] == kNoItem) {
          group_of_scope[scope] = static_cast<uint32_t>(groups.size());
          groups.push_back({0, 0, scope, i, false});
        }
        group_of[i] = group_of_scope[scope];
      } else {
        group_of[i] = static_cast<uint32_t>(groups.size());
        groups.push_back({0, 0, ScopeTree::kRoot, i, false});
      }
      groups[group_of[i]].place_sum += i;
      ++groups[group_of[i]].count;
    }
    const bool stretches = by_scope && groups.size() > kMostBoxesOfALevel;
    if (stretches) {
      groups.clear();
      const std::vector<uint32_t> starts = StretchStarts(members);
      for (uint32_t i = 0; i < members.size(); ++i) {
        if (groups.size() < starts.size() && starts[groups.size()] == i) {
          groups.push_back({0, 0, ScopeTree::kRoot, i, true});
        }
        group_of[i] = static_cast<uint32_t>(groups.size()) - 1;
        groups.back().place_sum += i;
        ++groups.back().count;
      }
    }
    // Boxes in the order of the program: groups at the mean place of what is in them.
    std::vector<uint32_t> order(groups.size());
    std::iota(order.begin(), order.end(), 0u);
    if (by_scope) {
      std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
        return groups[a].place_sum * groups[b].count < groups[b].place_sum * groups[a].count;
      });
    }
    const uint32_t begin = static_cast<uint32_t>(graph_.boxes.size());
    std::vector<uint32_t> box_of_group(groups.size());
    for (uint32_t g : order) {
      const Group& group = groups[g];
      box_of_group[g] = static_cast<uint32_t>(graph_.boxes.size());
      const InstructionId first = members[group.first];
      VisibleGraph::Box box;
      box.level = level_number;
      box.computation = computation;
      box.instruction = first;
      box.members = group.count;
      if (group.scope != ScopeTree::kRoot) {
        box.kind = VisibleGraph::BoxKind::kScope;
        box.scope = group.scope;
        box.openable = true;
        box.category = NodeCategory::kControlFlow;
        box.key = Mix(key, 1, HashOf(scopes_.Path(group.scope)));
      } else if (group.stretch) {
        box.kind = VisibleGraph::BoxKind::kStretch;
        box.openable = true;
        box.category = NodeCategory::kControlFlow;
        box.key = Mix(key, 4, HashOf(module_.InstructionName(first)));
      } else {
        box.category = CategoryOf(module_.opcode(first));
        box.key = Mix(key, 2, HashOf(module_.InstructionName(first)));
        module_.ForEachCalledComputation(first, [&](AttributeKind, ComputationId called) {
          box.openable = box.openable || (called.has_value() && !module_.computation(called).instructions.empty());
        });
      }
      graph_.boxes.push_back(box);
    }
    const uint32_t end = static_cast<uint32_t>(graph_.boxes.size());
    std::vector<std::vector<InstructionId>> inside(groups.size());
    for (uint32_t i = 0; i < members.size(); ++i) {
      const uint32_t box = box_of_group[group_of[i]];
      local_[members[i].index()] = box;
      graph_.box_of[members[i].index()] = box;
      if (!groups[group_of[i]].is_single()) inside[group_of[i]].push_back(members[i]);
    }
    for (uint32_t g = 0; stretches && g < groups.size(); ++g) {
      graph_.boxes[box_of_group[g]].title = static_cast<uint32_t>(graph_.titles.size());
      graph_.titles.push_back(StretchTitle(inside[g]));
    }
    graph_.levels[level_number] = {outer, begin, end, 0, 0};
    Connect(level_number, members, groups, order, inside, box_of_group, whole);
    for (InstructionId id : members) local_[id.index()] = kNoItem;

    for (uint32_t g : order) {
      const uint32_t box = box_of_group[g];
      if (!graph_.boxes[box].openable || !options_.open.contains(graph_.boxes[box].key)) continue;
      if (!groups[g].is_single()) {
        AddLevel(box, graph_.boxes[box].key, computation, inside[g], true, false);
      } else {
        AddCalled(box);
      }
    }
  }

  void AddCalled(uint32_t box) {
    const InstructionId caller = graph_.boxes[box].instruction;
    const uint64_t key = graph_.boxes[box].key;
    std::vector<ComputationId> called;
    module_.ForEachCalledComputation(caller, [&](AttributeKind, ComputationId id) {
      if (id.has_value() && std::find(called.begin(), called.end(), id) == called.end()) called.push_back(id);
    });
    if (called.size() == 1) {
      AddComputation(box, key, called[0], module_.computation(called[0]).instructions);
      return;
    }
    const uint32_t level = static_cast<uint32_t>(graph_.levels.size());
    const uint32_t begin = static_cast<uint32_t>(graph_.boxes.size());
    const uint32_t edges = static_cast<uint32_t>(graph_.edges.size());
    for (ComputationId id : called) {
      VisibleGraph::Box inner;
      inner.kind = VisibleGraph::BoxKind::kComputation;
      inner.category = NodeCategory::kControlFlow;
      inner.openable = !module_.computation(id).instructions.empty();
      inner.instruction = caller;
      inner.computation = id;
      inner.level = level;
      inner.members = static_cast<uint32_t>(module_.computation(id).instructions.size());
      inner.key = Mix(key, 3, HashOf(module_.ComputationName(id)));
      graph_.boxes.push_back(inner);
    }
    graph_.levels.push_back({box, begin, static_cast<uint32_t>(graph_.boxes.size()), edges, edges});
    graph_.boxes[box].inside = level;
    for (size_t i = 0; i < called.size(); ++i) {
      const VisibleGraph::Box inner = graph_.boxes[begin + i];
      if (!inner.openable || !options_.open.contains(inner.key)) continue;
      AddComputation(begin + static_cast<uint32_t>(i), inner.key, called[i],
                     module_.computation(called[i]).instructions);
    }
  }

  // The edges between the boxes of the level, each pair once, by consumer.
  void Connect(uint32_t level, const std::vector<InstructionId>& members, const std::vector<Group>& groups,
               const std::vector<uint32_t>& order, const std::vector<std::vector<InstructionId>>& inside,
               const std::vector<uint32_t>& box_of_group, bool whole) {
    graph_.levels[level].edges_begin = static_cast<uint32_t>(graph_.edges.size());
    const uint32_t first_box = graph_.levels[level].begin;
    seen_.assign(graph_.levels[level].end - first_box, kNoItem);
    edge_.resize(seen_.size());
    for (uint32_t g : order) {
      const uint32_t to = box_of_group[g];
      auto connect = [&](InstructionId producer, bool control) {
        if (!producer.has_value()) return;
        const uint32_t from = local_[producer.index()];
        if (from == to) return;
        ++graph_.boxes[to].inputs;
        if (from == kNoItem) {
          const bool hidden = options_.hide_constants && IsConstantLike(module_, producer);
          if (!hidden) graph_.loose.push_back({to, producer, true});
          return;
        }
        if (seen_[from - first_box] == to) {
          VisibleGraph::Edge& edge = graph_.edges[edge_[from - first_box]];
          ++edge.count;
          edge.control = edge.control && control;
          return;
        }
        seen_[from - first_box] = to;
        edge_[from - first_box] = static_cast<uint32_t>(graph_.edges.size());
        graph_.edges.push_back({from, to, 1, producer, control});
      };
      auto visit = [&](InstructionId id) {
        for (InstructionId operand : module_.operands(id)) connect(operand, false);
        for (InstructionId before : module_.InstructionsAttribute(id, AttributeKind::kControlPredecessors)) {
          connect(before, true);
        }
        if (whole) return;
        for (InstructionId user : users_.users(id)) {
          if (local_[user.index()] == kNoItem) graph_.loose.push_back({to, user, false});
        }
      };
      if (groups[g].is_single()) {
        visit(members[groups[g].first]);
      } else {
        for (InstructionId id : inside[g]) visit(id);
      }
    }
    graph_.levels[level].edges_end = static_cast<uint32_t>(graph_.edges.size());
  }

  const Module& module_;
  const UserIndex& users_;
  const ScopeTree& scopes_;
  const VisibleGraphOptions& options_;
  VisibleGraph graph_;
  std::vector<ScopeId> scope_;   // by instruction: the scope that it is shown in
  std::vector<uint32_t> local_;  // by instruction: its box in the level at work
  std::vector<uint32_t> seen_;   // by box of the level: the last consumer that it was connected to
  std::vector<uint32_t> edge_;   // and by which edge
};

}  // namespace

uint32_t VisibleGraph::OwnBoxOf(InstructionId id) const {
  const uint32_t box = BoxOf(id);
  return box != kNoItem && boxes[box].kind == BoxKind::kInstruction ? box : kNoItem;
}

VisibleGraph BuildVisibleGraph(const Module& module, const UserIndex& users, const ScopeTree& scopes,
                               const VisibleGraphOptions& options) {
  return Builder(module, users, scopes, options).Build();
}

VisibleGraph OpenForOverview(const Module& module, const UserIndex& users, const ScopeTree& scopes, size_t max_boxes,
                             VisibleGraphOptions* options) {
  VisibleGraph graph = BuildVisibleGraph(module, users, scopes, *options);
  absl::flat_hash_set<uint64_t> too_large;
  for (int round = 0; round < 24; ++round) {
    uint32_t largest = kNoItem;
    for (uint32_t i = 0; i < graph.boxes.size(); ++i) {
      const VisibleGraph::Box& box = graph.boxes[i];
      if (box.kind != VisibleGraph::BoxKind::kScope || box.inside != kNoItem || too_large.contains(box.key)) continue;
      if (largest == kNoItem || box.members > graph.boxes[largest].members) largest = i;
    }
    if (largest == kNoItem) break;
    const uint64_t key = graph.boxes[largest].key;
    options->open.insert(key);
    VisibleGraph opened = BuildVisibleGraph(module, users, scopes, *options);
    if (opened.boxes.size() > max_boxes) {
      options->open.erase(key);
      too_large.insert(key);
    } else {
      graph = std::move(opened);
    }
  }
  return graph;
}

bool IsConstantLike(const Module& module, InstructionId id) {
  const Opcode opcode = module.opcode(id);
  if (CategoryOf(opcode) == NodeCategory::kConstant) return true;
  if (opcode != Opcode::kBroadcast) return false;
  const absl::Span<const InstructionId> operands = module.operands(id);
  return operands.size() == 1 && operands[0].has_value() && operands[0] < id && IsConstantLike(module, operands[0]);
}

std::string GroupTitle(const Module& module, const ScopeTree& scopes, const VisibleGraph& graph, uint32_t box) {
  const VisibleGraph::Box& b = graph.boxes[box];
  if (b.kind == VisibleGraph::BoxKind::kComputation) return std::string(module.ComputationName(b.computation));
  if (b.kind == VisibleGraph::BoxKind::kInstruction) return std::string(module.InstructionName(b.instruction));
  if (b.kind == VisibleGraph::BoxKind::kStretch) return graph.titles[b.title];
  return std::string(scopes.scope(b.scope).name);
}

}  // namespace hloscope::gui
