// SPDX-License-Identifier: Apache-2.0
// Elementwise trees built again with the dimensions of another shape (docs/rewrites.md 4).
#ifndef HLOSCOPE_CORE_TRANSFORM_TREE_REBUILDER_H_
#define HLOSCOPE_CORE_TRANSFORM_TREE_REBUILDER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "core/ops/factor_groups.h"
#include "core/transform/module_editor.h"

namespace hloscope {

// True for instructions that compute every element of an array result from the elements at the same place of their
// operands (and from scalars, where the operation takes them beside arrays).
bool IsElementwiseArray(const Module& module, InstructionId id);

// True if the array's layout is no more than an order of dimensions and tiles, and all sizes are static and not zero.
bool IsPlainArray(const Shape& shape);

// True if no operand has another floating-point type than the result: where one has, the instruction also converts, and
// what goes past it would round less often.
bool KeepsElementType(const Module& module, InstructionId id);

// True if the sharding, if there is one, says the same about every array: such a sharding survives a change of shape.
bool HasUniformSharding(const Module& module, InstructionId id);

// A tree of elementwise instructions whose leaves are
//   reshapes of arrays that have the wanted dimensions,
//   broadcasts, iotas and constants, which can be made in any shape,
// found by Find. Everything in it has the dimensions of its root.
struct ElementwiseTree {
  std::vector<InstructionId> nodes;            // operands before users; the root is the last
  Shape wanted;                                // dimensions and layout of the result; its element type means nothing
  ShapeId wanted_key;                          // the same for all trees that are wanted alike
  absl::InlinedVector<FactorGroup, 6> groups;  // from the dimensions of the tree to the wanted ones
};

class TreeRebuilder {
 public:
  explicit TreeRebuilder(ModuleEditor& editor) : editor_(editor), module_(editor.module()) {}

  // The tree under `root` if it can be built with the dimensions of `wanted` and has a reshape among its leaves.
  // `work` grows by the instructions looked at. `why_not` gets the reason for finding none, if that is wanted.
  std::optional<ElementwiseTree> Find(InstructionId root, const Shape& wanted, size_t* work,
                                      std::string* why_not = nullptr);
  // The array under the first reshape among the leaves; null if there is none.
  const Shape* FirstSource(InstructionId root, size_t* work);

  // Builds the tree in front of `before`. Subtrees that were built since the last Forget() and still exist are used
  // again: `before` must not move backwards meanwhile. With `replaced`, the result has exactly its shape and carries
  // its metadata, frontend attributes, sharding and origin.
  InstructionId Build(const ElementwiseTree& tree, InstructionId before, InstructionId replaced);

  // Instructions and what was built in their place, since the last call.
  std::vector<std::pair<InstructionId, InstructionId>> TakeCopies() { return std::exchange(copies_, {}); }
  void Forget() { built_.clear(), hopeless_.clear(), sourceless_.clear(); }

 private:
  enum class Role : uint8_t { kNone, kInner, kReshape, kSource };
  // What the instruction can be in a tree that is wanted like this.
  Role RoleOf(InstructionId id, const Shape& wanted);
  // For an instruction of role kNone.
  std::string WhyNone(InstructionId id, const Shape& wanted);
  bool IsScalarOperand(InstructionId user, InstructionId operand) const;
  Shape ShapeOf(ElementType type, const Shape& wanted) const;
  InstructionId BuildSource(const ElementwiseTree& tree, InstructionId id, InstructionId before);
  // `operand` broadcast along `dimensions` of the tree's dimensions, made in the wanted ones.
  InstructionId BuildBroadcast(const ElementwiseTree& tree, InstructionId like, InstructionId operand,
                               absl::Span<const int64_t> dimensions, InstructionId before);

  using Key = std::pair<InstructionId, ShapeId>;  // instruction of the tree, wanted_key
  ModuleEditor& editor_;
  const Module& module_;
  absl::flat_hash_map<Key, InstructionId> built_;
  absl::flat_hash_set<Key> hopeless_;
  absl::flat_hash_set<InstructionId> sourceless_;  // no reshape among the leaves below
  std::vector<std::pair<InstructionId, InstructionId>> copies_;
};

// "56|56 256|8,32": the groups of a reshape, for people.
std::string GroupsText(absl::Span<const FactorGroup> groups, absl::Span<const int64_t> from,
                       absl::Span<const int64_t> to);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_TRANSFORM_TREE_REBUILDER_H_
