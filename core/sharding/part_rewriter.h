// SPDX-License-Identifier: Apache-2.0
// What `shard` and `unshard` have in common: the entry computation, and what it calls, written again, instruction by
// instruction, with values that are known as arrays and how they are cut.
#ifndef HLOSCOPE_CORE_SHARDING_PART_REWRITER_H_
#define HLOSCOPE_CORE_SHARDING_PART_REWRITER_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "core/ir/module.h"
#include "core/sharding/split.h"
#include "core/transform/module_editor.h"

namespace hloscope {

// One array (or token) of a value.
struct Part {
  InstructionId id;
  Split split;
  // As in SplitPlan; empty: not a part of a sum.
  std::vector<int64_t> part_of;
  int64_t parts = 1;
  // The devices have other values of it, which are no tiles of one array; `id` is none.
  bool is_per_device = false;
};
using Parts = std::vector<Part>;  // the leaves of a value, depth-first

class PartRewriter {
 protected:
  PartRewriter(const Module& module, int64_t devices) : editor_(module), devices_(devices) {}

  const Module& module() const { return editor_.module(); }
  ComputationId entry() const { return editor_.module().entry(); }
  // The instructions of a computation as it was, up to its root, until one has an error.
  absl::Status VisitToRoot(ComputationId computation, absl::FunctionRef<absl::Status(InstructionId)> visit);
  // The instructions of a computation, operands before users.
  std::vector<InstructionId> Order(ComputationId computation);

  void Set(InstructionId old_id, Parts parts) { parts_[old_id] = std::move(parts); }
  const Parts& Of(InstructionId old_id) const { return parts_.at(old_id); }
  // Values that are made of others without computing: tuples and their elements.
  bool IsAccess(InstructionId old_id) const;
  void SetAccess(InstructionId old_id);

  // An instruction without a counterpart, though it is said to have effects.
  void Drop(InstructionId old_id) { dropped_.insert(old_id); }

  // Every leaf of `id` by get-tuple-element, in front of `before`, cut as `splits` say (one for all, or one each).
  Parts LeavesOf(InstructionId id, InstructionId before, absl::Span<const Split> splits);
  // A value of a tuple shape like this, of the leaves.
  InstructionId Assemble(const Shape& like, absl::Span<const InstructionId> leaves, InstructionId before);
  // `old_id` with other operands; shapes of its leaves by `resize` (TileShape or WholeShape). Sizes in attributes
  // follow.
  InstructionId Rewrite(InstructionId old_id, absl::Span<const InstructionId> operands, const Split& result,
                        Shape (*resize)(const Shape&, const Split&));

  // `old_id` with other operands and another shape.
  InstructionId RewriteAs(InstructionId old_id, absl::Span<const InstructionId> operands, const Shape& shape);

  // Puts `root` in the place of the computation's old one, and drops what is not needed any more.
  void FinishComputation(ComputationId computation, InstructionId root);
  // The same with the entry computation, and the end: new instructions get the names of those that they replace. The
  // layout of the entry computation, if it has one, follows the new shapes.
  Module Finish(InstructionId root, int64_t partitions);

  // A place to come back to: what was added, replaced and erased since is as it was.
  struct Mark {
    ModuleEditor::Mark edits;
    size_t renamed;
  };
  Mark Here() const { return {editor_.mark(), renamed_.size()}; }
  void BackTo(const Mark& mark) {
    editor_.UndoTo(mark.edits);
    renamed_.resize(mark.renamed);
  }

  ModuleEditor editor_;
  const int64_t devices_;

 private:
  absl::flat_hash_map<InstructionId, Parts> parts_;
  std::vector<std::pair<InstructionId, InstructionId>> renamed_;  // old, new
  absl::flat_hash_set<InstructionId> dropped_;
};

// A shape with other leaves, depth-first; layouts stay with the leaves.
Shape WithLeaves(const Shape& shape, absl::Span<const Shape> leaves);
// The leaves of a shape, depth-first.
std::vector<Shape> LeafShapes(const Shape& shape);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SHARDING_PART_REWRITER_H_
