// SPDX-License-Identifier: Apache-2.0
// Which groups of the graph are open, and which of them only because a stop or a jump went into them: those close again
// when it goes on, unless somebody touches what is inside.
#ifndef HLOSCOPE_GUI_MODELS_OPEN_GROUPS_H_
#define HLOSCOPE_GUI_MODELS_OPEN_GROUPS_H_

#include <cstdint>

#include "absl/container/flat_hash_set.h"
#include "gui/models/visible_graph.h"

namespace hloscope::gui {

// Groups are named by the keys of their boxes.
class OpenGroups {
 public:
  using Keys = absl::flat_hash_set<uint64_t>;

  const Keys& all() const { return all_; }
  // Those that close by themselves.
  const Keys& passing() const { return passing_; }
  bool empty() const { return all_.empty(); }

  void Clear();
  // Somebody opens or closes it.
  void Set(const VisibleGraph& graph, uint32_t box, bool open);
  // Somebody does something with the box: the groups around it stay open, and so does what is open of it.
  void Touch(const VisibleGraph& graph, uint32_t box);
  // What was worked out elsewhere; what was touched meanwhile stays.
  void Take(Keys all, Keys passing);
  // Whether the instruction is outside of a group that was opened for another one.
  bool IsLeftBy(const VisibleGraph& graph, InstructionId id) const;

 private:
  Keys all_, passing_, touched_;
};

// The graph with the groups around an instruction open, from the outermost inwards. What was `passing` before is open
// only if it still has to be; `passing` is then what was opened for the instruction.
VisibleGraph OpenAround(const Module& module, const UserIndex& users, const ScopeTree& scopes, InstructionId id,
                        VisibleGraphOptions* options, OpenGroups::Keys* passing);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_OPEN_GROUPS_H_
