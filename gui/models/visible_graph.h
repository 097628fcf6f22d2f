// SPDX-License-Identifier: Apache-2.0
// What the graph panel draws: boxes for instructions and for groups that can be opened, level by level, and what leads
// from one box to another. Groups are scopes of op_name, what is gathered around them (level_groups.h) and called
// computations; what is inside an open one is a graph of its own. No coordinates here, and no widgets.
#ifndef HLOSCOPE_GUI_MODELS_VISIBLE_GRAPH_H_
#define HLOSCOPE_GUI_MODELS_VISIBLE_GRAPH_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "core/analysis/graph.h"
#include "core/analysis/scopes.h"
#include "core/analysis/users.h"
#include "core/ir/module.h"

namespace hloscope::gui {

struct VisibleGraph {
  static constexpr uint32_t kNone = 0xFFFFFFFFu;

  enum class BoxKind : uint8_t {
    kInstruction,  // can be opened if it calls a computation
    kScope,
    kComputation,  // one of several that an open instruction calls
    kFamily,       // scopes whose names begin alike
    kRepeat,       // layers: scopes that differ in a number
    kFeeders,      // what leads to one other box and has no scope
    kStretch,      // instructions one after another, where there are no scopes to group them by
  };
  struct Box {
    BoxKind kind = BoxKind::kInstruction;
    NodeCategory category = NodeCategory::kUnknown;
    bool openable = false;
    uint32_t title = kNone;        // of a group: in `titles`
    InstructionId instruction;     // itself, the caller of a computation, or the first instruction of a scope
    ComputationId computation;     // the one called; of other kinds the one it is part of
    ScopeTree::ScopeId scope = 0;  // of a scope
    uint32_t level = 0;            // that it is part of
    uint32_t inside = kNone;       // level inside of it; kNone while it is closed
    uint32_t members = 1;          // instructions that it stands for
    uint32_t repeats = 0;          // layers of a kRepeat
    uint32_t kinds = 0;            // different ones among them
    uint32_t inputs = 0;           // edges that end here, counted whether drawn or not
    uint64_t key = 0;              // names it among all boxes, also after the graph was built again
  };
  struct Edge {
    uint32_t from = 0, to = 0;  // boxes
    uint32_t count = 1;         // operands that it stands for
    InstructionId producer;     // of the first of them
    bool control = false;       // control dependencies only
  };
  // An edge to or from something that the level does not show.
  struct Loose {
    uint32_t box = 0;
    InstructionId other;
    bool incoming = false;
  };
  struct Level {
    uint32_t box = kNone;         // that it is the inside of; kNone for the first
    uint32_t begin = 0, end = 0;  // boxes
    uint32_t edges_begin = 0, edges_end = 0;
  };

  ComputationId computation;
  std::vector<Level> levels;  // outer ones before inner ones
  std::vector<Box> boxes;     // of a level in program order; groups by the mean of what is in them
  std::vector<Edge> edges;    // by level, then consumer
  std::vector<Loose> loose;
  // By instruction: the box that shows it, or the closed group it is in; kNone if it is nowhere.
  std::vector<uint32_t> box_of;
  std::vector<std::string> titles;
  size_t computation_size = 0;  // instructions of the computation, shown or not
  size_t hidden = 0;            // left out because constants are hidden

  bool empty() const { return boxes.empty(); }
  uint32_t BoxOf(InstructionId id) const { return id.index() < box_of.size() ? box_of[id.index()] : kNone; }
  // What a group stands for, in the order of the text, whether it is open or not. O(instructions of the module).
  std::vector<InstructionId> MembersOf(uint32_t box) const;
  // The box of the instruction itself, not of a group around it; kNone if there is none.
  uint32_t OwnBoxOf(InstructionId id) const;
};

// No box, edge, title or level of a graph.
inline constexpr uint32_t kNoItem = VisibleGraph::kNone;

struct VisibleGraphOptions {
  ComputationId computation;
  bool scopes = false;                 // op_name scopes are groups
  bool hide_constants = false;         // constants, iotas, and broadcasts of hidden ones are left out
  std::vector<InstructionId> only;     // of the computation; empty: all of it
  absl::flat_hash_set<uint64_t> open;  // keys of open groups
};

// O(instructions shown * depth of the scopes + operands + scopes * open groups).
VisibleGraph BuildVisibleGraph(const Module& module, const UserIndex& users, const ScopeTree& scopes,
                               const VisibleGraphOptions& options);

// Opens the largest groups, one after another, as long as at most `max_boxes` are to be seen. Returns the graph with
// these open; `options->open` names them.
VisibleGraph OpenForOverview(const Module& module, const UserIndex& users, const ScopeTree& scopes, size_t max_boxes,
                             VisibleGraphOptions* options);

// A constant, an iota, or a broadcast of one.
bool IsConstantLike(const Module& module, InstructionId id);

// What names a group: "layer_0 (312 instructions)" is made of this and the count.
std::string GroupTitle(const Module& module, const VisibleGraph& graph, uint32_t box);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_VISIBLE_GRAPH_H_
