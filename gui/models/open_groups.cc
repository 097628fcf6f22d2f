// SPDX-License-Identifier: Apache-2.0
#include "gui/models/open_groups.h"

#include <utility>

namespace hloscope::gui {
namespace {

// Keys of the groups around a box.
template <typename Function>
void ForEachGroupAround(const VisibleGraph& graph, uint32_t box, const Function& function) {
  if (box == kNoItem || box >= graph.boxes.size()) return;
  for (uint32_t at = graph.levels[graph.boxes[box].level].box; at != kNoItem;
       at = graph.levels[graph.boxes[at].level].box) {
    function(graph.boxes[at].key);
  }
}

}  // namespace

void OpenGroups::Clear() {
  all_.clear();
  passing_.clear();
  touched_.clear();
}

void OpenGroups::Set(const VisibleGraph& graph, uint32_t box, bool open) {
  Touch(graph, box);
  const uint64_t key = graph.boxes[box].key;
  passing_.erase(key);
  if (open) {
    all_.insert(key);
    touched_.insert(key);
  } else {
    all_.erase(key);
    touched_.erase(key);
  }
}

void OpenGroups::Touch(const VisibleGraph& graph, uint32_t box) {
  const auto keep = [this](uint64_t key) {
    passing_.erase(key);
    touched_.insert(key);
  };
  ForEachGroupAround(graph, box, keep);
  if (box < graph.boxes.size() && graph.boxes[box].inside != kNoItem) keep(graph.boxes[box].key);
}

void OpenGroups::Take(Keys all, Keys passing) {
  all_ = std::move(all);
  passing_ = std::move(passing);
  for (uint64_t key : touched_) passing_.erase(key);
}

bool OpenGroups::IsLeftBy(const VisibleGraph& graph, InstructionId id) const {
  if (passing_.empty()) return false;
  Keys left = passing_;
  ForEachGroupAround(graph, graph.BoxOf(id), [&left](uint64_t key) { left.erase(key); });
  return !left.empty();
}

VisibleGraph OpenAround(const Module& module, const UserIndex& users, const ScopeTree& scopes, InstructionId id,
                        VisibleGraphOptions* options, OpenGroups::Keys* passing) {
  for (uint64_t key : *passing) options->open.erase(key);
  passing->clear();
  VisibleGraph graph = BuildVisibleGraph(module, users, scopes, *options);
  // Each that opens is a level more.
  while (true) {
    const uint32_t box = graph.BoxOf(id);
    if (box == kNoItem || graph.boxes[box].kind == VisibleGraph::BoxKind::kInstruction) return graph;
    if (!options->open.insert(graph.boxes[box].key).second) return graph;
    passing->insert(graph.boxes[box].key);
    graph = BuildVisibleGraph(module, users, scopes, *options);
  }
}

}  // namespace hloscope::gui
