// SPDX-License-Identifier: Apache-2.0
#include "gui/models/visible_graph.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "gui/models/level_groups.h"

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
      : module_(module), users_(users), options_(options), grouper_(module, users, scopes) {
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
    AddLevel(box, key, computation, members, {.by_scope = options_.scopes}, whole);
  }

  void AddLevel(uint32_t outer, uint64_t key, ComputationId computation, const std::vector<InstructionId>& members,
                const LevelOptions& how, bool whole) {
    const uint32_t level_number = static_cast<uint32_t>(graph_.levels.size());
    graph_.levels.push_back({});
    if (outer != kNoItem) graph_.boxes[outer].inside = level_number;
    const std::vector<LevelGroup> groups = grouper_.Group(members, how);
    const uint32_t begin = static_cast<uint32_t>(graph_.boxes.size());
    for (const LevelGroup& group : groups) {
      AddBox(level_number, key, computation, members, group);
      for (uint32_t place : group.places) {
        local_[members[place].index()] = static_cast<uint32_t>(graph_.boxes.size()) - 1;
        graph_.box_of[members[place].index()] = static_cast<uint32_t>(graph_.boxes.size()) - 1;
      }
    }
    graph_.levels[level_number] = {outer, begin, static_cast<uint32_t>(graph_.boxes.size()), 0, 0};
    Connect(level_number, members, groups, whole);
    for (InstructionId id : members) local_[id.index()] = kNoItem;

    for (uint32_t g = 0; g < groups.size(); ++g) {
      const uint32_t box = begin + g;
      const uint64_t own = graph_.boxes[box].key;
      if (!graph_.boxes[box].openable || !options_.open.contains(own)) continue;
      if (groups[g].kind == LevelGroup::Kind::kSingle) {
        AddCalled(box);
        continue;
      }
      std::vector<InstructionId> inside;
      for (uint32_t place : groups[g].places) inside.push_back(members[place]);
      LevelOptions inner{.by_scope = true};
      inner.apart = groups[g].kind == LevelGroup::Kind::kRepeat;
      inner.words = groups[g].words;
      AddLevel(box, own, computation, inside, inner, false);
    }
  }

  void AddBox(uint32_t level, uint64_t key, ComputationId computation, const std::vector<InstructionId>& members,
              const LevelGroup& group) {
    const InstructionId first = members[group.places.front()];
    VisibleGraph::Box box;
    box.level = level;
    box.computation = computation;
    box.instruction = first;
    box.members = static_cast<uint32_t>(group.places.size());
    if (group.kind == LevelGroup::Kind::kSingle) {
      box.category = CategoryOf(module_.opcode(first));
      box.key = Mix(key, 2, HashOf(module_.InstructionName(first)));
      module_.ForEachCalledComputation(first, [&](AttributeKind, ComputationId called) {
        box.openable = box.openable || (called.has_value() && !module_.computation(called).instructions.empty());
      });
      graph_.boxes.push_back(box);
      return;
    }
    struct KindOfBox {
      VisibleGraph::BoxKind kind;
      uint64_t number;  // in keys
    };
    using BoxKind = VisibleGraph::BoxKind;
    const auto kind_of = [](LevelGroup::Kind kind) -> KindOfBox {
      switch (kind) {
        case LevelGroup::Kind::kSingle:
          break;
        case LevelGroup::Kind::kScope:
          return {BoxKind::kScope, 1};
        case LevelGroup::Kind::kFamily:
          return {BoxKind::kFamily, 5};
        case LevelGroup::Kind::kRepeat:
          return {BoxKind::kRepeat, 6};
        case LevelGroup::Kind::kFeeders:
          return {BoxKind::kFeeders, 7};
        case LevelGroup::Kind::kStretch:
          return {BoxKind::kStretch, 4};
      }
      return {BoxKind::kInstruction, 2};
    };
    const KindOfBox kind = kind_of(group.kind);
    box.kind = kind.kind;
    box.scope = group.scope;
    box.openable = true;
    box.category = NodeCategory::kControlFlow;
    box.key = Mix(key, kind.number, HashOf(group.identity));
    if (group.kind == LevelGroup::Kind::kRepeat) {
      box.repeats = group.repeats;
      box.kinds = group.kinds;
    }
    box.title = static_cast<uint32_t>(graph_.titles.size());
    graph_.titles.push_back(group.title);
    graph_.boxes.push_back(box);
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
  void Connect(uint32_t level, const std::vector<InstructionId>& members, const std::vector<LevelGroup>& groups,
               bool whole) {
    graph_.levels[level].edges_begin = static_cast<uint32_t>(graph_.edges.size());
    const uint32_t first_box = graph_.levels[level].begin;
    seen_.assign(graph_.levels[level].end - first_box, kNoItem);
    edge_.resize(seen_.size());
    for (uint32_t g = 0; g < groups.size(); ++g) {
      const uint32_t to = first_box + g;
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
      for (uint32_t place : groups[g].places) visit(members[place]);
    }
    graph_.levels[level].edges_end = static_cast<uint32_t>(graph_.edges.size());
  }

  const Module& module_;
  const UserIndex& users_;
  const VisibleGraphOptions& options_;
  LevelGrouper grouper_;
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

std::vector<InstructionId> VisibleGraph::MembersOf(uint32_t box) const {
  // Outer levels come before inner ones.
  std::vector<bool> is_inside(boxes.size(), false);
  for (uint32_t i = 0; i < boxes.size(); ++i) {
    const uint32_t outer = levels[boxes[i].level].box;
    is_inside[i] = i == box || (outer != kNone && is_inside[outer] && boxes[i].computation == boxes[box].computation);
  }
  std::vector<InstructionId> members;
  for (uint32_t i = 0; i < box_of.size(); ++i) {
    if (box_of[i] != kNone && is_inside[box_of[i]]) members.push_back(InstructionId(i));
  }
  return members;
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
      const bool named = box.kind == VisibleGraph::BoxKind::kScope || box.kind == VisibleGraph::BoxKind::kFamily;
      if (!named || box.inside != kNoItem || too_large.contains(box.key)) continue;
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

std::string GroupTitle(const Module& module, const VisibleGraph& graph, uint32_t box) {
  const VisibleGraph::Box& b = graph.boxes[box];
  switch (b.kind) {
    case VisibleGraph::BoxKind::kInstruction:
      return std::string(module.InstructionName(b.instruction));
    case VisibleGraph::BoxKind::kComputation:
      return std::string(module.ComputationName(b.computation));
    case VisibleGraph::BoxKind::kFeeders:
      return graph.titles[b.title].empty() ? "unused" : absl::StrCat("inputs of ", graph.titles[b.title]);
    case VisibleGraph::BoxKind::kScope:
    case VisibleGraph::BoxKind::kFamily:
    case VisibleGraph::BoxKind::kRepeat:
    case VisibleGraph::BoxKind::kStretch:
      break;
  }
  return graph.titles[b.title];
}

}  // namespace hloscope::gui
