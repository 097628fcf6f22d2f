// Which instructions of one level of a graph share a box: those of a scope, or, where there are too many, of a stretch
// of the program.
#ifndef HLOSCOPE_GUI_MODELS_GRAPH_GROUPING_H_
#define HLOSCOPE_GUI_MODELS_GRAPH_GROUPING_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/scopes.h"
#include "core/analysis/users.h"
#include "core/ir/module.h"

namespace hloscope::gui {

struct GraphGroup {
  ScopeTree::ScopeId scope = ScopeTree::kRoot;  // kRoot: a single instruction, or a stretch
  bool is_stretch = false;
  uint32_t first = 0;      // place of its first member
  uint32_t count = 0;      // members
  uint64_t place_sum = 0;  // of their places

  bool is_single() const { return scope == ScopeTree::kRoot && !is_stretch; }
};

struct GraphGrouping {
  std::vector<GraphGroup> groups;
  std::vector<uint32_t> group_of;  // by member
  std::vector<uint32_t> order;     // of the groups: by the mean place of what is in them
  bool has_stretches = false;
};

class GraphGrouper {
 public:
  GraphGrouper(const Module& module, const UserIndex& users, const ScopeTree& scopes)
      : module_(module), users_(users), scopes_(scopes) {}

  // Chooses the scopes that the members of a computation are shown in: what has no op_name belongs to where it is used
  // or, if several scopes use it, made.
  void FindScopes(const std::vector<InstructionId>& members);

  // Every member by itself.
  static GraphGrouping Ungrouped(size_t members);
  // The members by the scopes below the one that they have in common; FindScopes knows them.
  GraphGrouping GroupByScope(const std::vector<InstructionId>& members) const;

  // "dot 12, add 40, fusion 7": what is most of in a stretch.
  std::string StretchTitle(const std::vector<InstructionId>& members) const;

 private:
  using ScopeId = ScopeTree::ScopeId;

  ScopeId CommonScope(const std::vector<InstructionId>& members) const;
  // By scope: the child of `common` that it is in.
  std::vector<ScopeId> ChildrenOf(ScopeId common) const;
  std::vector<uint32_t> StretchStarts(const std::vector<InstructionId>& members) const;
  GraphGrouping GroupByStretch(const std::vector<InstructionId>& members) const;

  const Module& module_;
  const UserIndex& users_;
  const ScopeTree& scopes_;
  std::vector<ScopeId> scope_;  // by instruction: the scope that it is shown in
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_GRAPH_GROUPING_H_
