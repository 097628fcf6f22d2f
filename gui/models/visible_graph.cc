#include "gui/models/visible_graph.h"

#include <algorithm>

#include "gui/models/graph_grouping.h"

namespace hloscope::gui {
namespace {

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
  Builder(const Module& module, const UserIndex& users, const ScopeTree& scopes, const VisibleGraphOptions& options)
      : module_(module), users_(users), scopes_(scopes), options_(options), grouper_(module, users, scopes) {
    graph_.computation = options.computation;
    graph_.box_of.assign(module.instruction_count(), kNoItem);
    local_.assign(module.instruction_count(), kNoItem);
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
    if (options_.scopes) grouper_.FindScopes(members);
    AddLevel(box, key, computation, members, options_.scopes, whole);
  }

  // Boxes for the groups of a level, in the order of the program.
  void AddBoxes(uint32_t level, uint64_t key, ComputationId computation, const std::vector<InstructionId>& members,
                const GraphGrouping& grouping, std::vector<uint32_t>& box_of_group) {
    for (uint32_t g : grouping.order) {
      const GraphGroup& group = grouping.groups[g];
      box_of_group[g] = static_cast<uint32_t>(graph_.boxes.size());
      const InstructionId first = members[group.first];
      VisibleGraph::Box box;
      box.level = level;
      box.computation = computation;
      box.instruction = first;
      box.members = group.count;
      if (group.scope != ScopeTree::kRoot) {
        box.kind = VisibleGraph::BoxKind::kScope;
        box.scope = group.scope;
        box.openable = true;
        box.category = NodeCategory::kControlFlow;
        box.key = Mix(key, 1, HashOf(scopes_.Path(group.scope)));
      } else if (group.is_stretch) {
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
  }

  void AddLevel(uint32_t outer, uint64_t key, ComputationId computation, const std::vector<InstructionId>& members,
                bool by_scope, bool whole) {
    const uint32_t level = static_cast<uint32_t>(graph_.levels.size());
    graph_.levels.push_back({});
    if (outer != kNoItem) graph_.boxes[outer].inside = level;

    const GraphGrouping grouping = by_scope ? grouper_.GroupByScope(members) : GraphGrouper::Ungrouped(members.size());
    const uint32_t begin = static_cast<uint32_t>(graph_.boxes.size());
    std::vector<uint32_t> box_of_group(grouping.groups.size());
    AddBoxes(level, key, computation, members, grouping, box_of_group);
    graph_.levels[level] = {outer, begin, static_cast<uint32_t>(graph_.boxes.size()), 0, 0};

    std::vector<std::vector<InstructionId>> inside(grouping.groups.size());
    for (uint32_t i = 0; i < members.size(); ++i) {
      const uint32_t group = grouping.group_of[i];
      local_[members[i].index()] = graph_.box_of[members[i].index()] = box_of_group[group];
      if (!grouping.groups[group].is_single()) inside[group].push_back(members[i]);
    }
    for (uint32_t g = 0; grouping.has_stretches && g < grouping.groups.size(); ++g) {
      graph_.boxes[box_of_group[g]].title = static_cast<uint32_t>(graph_.titles.size());
      graph_.titles.push_back(grouper_.StretchTitle(inside[g]));
    }
    Connect(level, members, grouping, inside, box_of_group, whole);
    for (InstructionId id : members) local_[id.index()] = kNoItem;

    for (uint32_t g : grouping.order) {
      const uint32_t box = box_of_group[g];
      if (!graph_.boxes[box].openable || !options_.open.contains(graph_.boxes[box].key)) continue;
      if (!grouping.groups[g].is_single()) {
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
  void Connect(uint32_t level, const std::vector<InstructionId>& members, const GraphGrouping& grouping,
               const std::vector<std::vector<InstructionId>>& inside, const std::vector<uint32_t>& box_of_group,
               bool whole) {
    graph_.levels[level].edges_begin = static_cast<uint32_t>(graph_.edges.size());
    const uint32_t first_box = graph_.levels[level].begin;
    seen_.assign(graph_.levels[level].end - first_box, kNoItem);
    edge_.resize(seen_.size());
    for (uint32_t g : grouping.order) {
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
      if (grouping.groups[g].is_single()) {
        visit(members[grouping.groups[g].first]);
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
  GraphGrouper grouper_;
  VisibleGraph graph_;
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
