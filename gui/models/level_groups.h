// SPDX-License-Identifier: Apache-2.0
// What the boxes of one level of the graph are: single instructions, and groups of them by the names that people gave.
// Scopes of op_name always stay groups, however large the level is; the rest is gathered around them.
#ifndef HLOSCOPE_GUI_MODELS_LEVEL_GROUPS_H_
#define HLOSCOPE_GUI_MODELS_LEVEL_GROUPS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/scopes.h"
#include "core/analysis/users.h"
#include "core/ir/module.h"

namespace hloscope::gui {

struct LevelGroup {
  enum class Kind : uint8_t {
    kSingle,   // one instruction
    kScope,    // of op_name
    kFamily,   // scopes whose names begin with the same words: conv2_block1_0_bn, conv2_block1_1_conv, ...
    kRepeat,   // scopes that differ in a number only: decoder_block_0 to decoder_block_31
    kFeeders,  // parameters, constants and short chains without a scope that one other box uses
    kStretch,  // instructions one after another
  };
  Kind kind = Kind::kSingle;
  ScopeTree::ScopeId scope = ScopeTree::kRoot;  // of kScope
  std::string title;                            // of the others; of feeders: of the box that they feed, if any
  std::string identity;                         // tells it from its siblings, in other versions of the module, too
  uint32_t repeats = 0;                         // scopes of a kRepeat
  uint32_t kinds = 0;                           // different ones among them
  size_t words = 0;                             // of their names, that the scopes of a kFamily share
  std::vector<uint32_t> places;                 // of its members among those of the level, ascending
};

struct LevelOptions {
  bool by_scope = false;  // else every member is a box
  bool apart = false;     // inside of a kRepeat: its scopes are not gathered again
  size_t words = 0;       // of the names of scopes, that the families around have in common
};

class LevelGrouper {
 public:
  LevelGrouper(const Module& module, const UserIndex& users, const ScopeTree& scopes);

  // Says where the instructions of a computation belong: what has no op_name, to where it is used or made. Before
  // Group.
  void FindScopes(const std::vector<InstructionId>& members);
  // `members` in the order of the text. Every place is in exactly one group; groups are in the order of their means.
  std::vector<LevelGroup> Group(const std::vector<InstructionId>& members, const LevelOptions& options);

 private:
  using ScopeId = ScopeTree::ScopeId;

  ScopeId CommonScope(ScopeId a, ScopeId b) const;
  ScopeId CommonScope(const std::vector<InstructionId>& members) const;
  std::vector<LevelGroup> ByScope(const std::vector<InstructionId>& members) const;
  uint64_t StructureOf(const std::vector<InstructionId>& members, const LevelGroup& group) const;
  void GatherRepeats(const std::vector<InstructionId>& members, std::vector<LevelGroup>* groups) const;
  void GatherFamilies(size_t words, std::vector<LevelGroup>* groups) const;
  // `all`: also what computes something, if a single box uses it.
  void GatherFeeders(const std::vector<InstructionId>& members, bool all, std::vector<LevelGroup>* groups);
  void CutIntoStretches(const std::vector<InstructionId>& members, std::vector<LevelGroup>* groups);
  std::vector<uint32_t> StretchStarts(const std::vector<InstructionId>& members);
  std::string StretchTitle(const std::vector<InstructionId>& members, const std::vector<uint32_t>& places) const;
  std::string TitleOf(const std::vector<InstructionId>& members, const LevelGroup& group) const;
  bool IsSource(InstructionId id) const;

  const Module& module_;
  const UserIndex& users_;
  const ScopeTree& scopes_;
  std::vector<ScopeId> scope_;   // by instruction: the scope that it is shown in
  std::vector<uint32_t> local_;  // by instruction: scratch, all kNoPlace between calls
};

// "layer_0"; of a scope with a number for a name: "h/0".
std::string ScopeTitle(const ScopeTree& scopes, ScopeTree::ScopeId scope);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_LEVEL_GROUPS_H_
