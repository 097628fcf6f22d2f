// SPDX-License-Identifier: Apache-2.0
// Which instructions share memory (docs/ops/control.md 7.7): the arrays inside every value, and where
// each was made.
#ifndef HLOSCOPE_CORE_ANALYSIS_BUFFERS_H_
#define HLOSCOPE_CORE_ANALYSIS_BUFFERS_H_

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "core/analysis/call_graph.h"
#include "core/ir/module.h"

namespace hloscope {

// One array (token, opaque) that some instruction of a computation makes.
struct LogicalBuffer {
  InstructionId definer;
  uint32_t leaf = 0;  // which leaf of the definer's value, depth first
  int64_t bytes = 0;  // DataBytes of the leaf
};

// Per computation, as if it ran by itself: parameters define the buffers that they bring along, and what a called
// computation makes and returns is defined by the caller's instruction.
//
// No memory of their own have tuple, get-tuple-element, bitcast, opt-barrier, domain, add-dependency, copy-done and the
// other dones, custom calls that only annotate, results that a called computation passes through from its parameters,
// loop state that the body returns unchanged, outputs that alias an operand (output_to_operand_aliasing), and the
// operands inside the values of starts. A fusion allocates its outputs; what happens inside is one kernel.
class BufferTable {
 public:
  using BufferId = uint32_t;

  // O(instructions + leaves of all values). `module` must be free of errors or at least acyclic.
  BufferTable(const Module& module, const CallGraph& calls);

  absl::Span<const LogicalBuffer> buffers() const { return buffers_; }
  const LogicalBuffer& buffer(BufferId id) const { return buffers_[id]; }
  // The buffers of the leaves of an instruction's value. Empty for values of more than kMaxLeaves leaves, which count
  // nothing: `complete()` is then false.
  absl::Span<const BufferId> Of(InstructionId id) const;
  // The buffers that an instruction itself defines: [first, first + count).
  std::pair<BufferId, uint32_t> DefinedBy(InstructionId id) const;

  static constexpr int64_t kMaxLeaves = 1 << 16;
  bool complete() const { return complete_; }

 private:
  struct Range {
    uint32_t first_leaf = 0, leaf_count = 0;
    BufferId first_defined = 0;
    uint32_t defined_count = 0;
  };

  void Assign(InstructionId id);
  // Fills `out`, one entry a leaf, with buffers of operands; kNew where there is none.
  void FindAliases(InstructionId id, std::vector<BufferId>* out);
  void PassOperand(InstructionId id, size_t operand, std::vector<BufferId>* out);
  void PassSubtree(InstructionId operand, uint32_t first, std::vector<BufferId>* out, uint32_t at, uint32_t count);
  void PassStart(InstructionId id, std::vector<BufferId>* out);
  void PassDone(InstructionId id, std::vector<BufferId>* out);
  void PassCallee(InstructionId id, ComputationId callee, absl::Span<const InstructionId> arguments,
                  std::vector<BufferId>* out);
  void PassLoop(InstructionId id, std::vector<BufferId>* out);
  void PassBranches(InstructionId id, std::vector<BufferId>* out);
  void ApplyOutputAliasing(InstructionId id, std::vector<BufferId>* out);
  // First leaf of each element of a tuple shape, and after the last the number of leaves.
  const std::vector<uint32_t>& ElementLeaves(ShapeId shape);
  uint32_t LeafOfIndex(const Shape& shape, absl::Span<const int64_t> index) const;

  const Module& module_;
  std::vector<LogicalBuffer> buffers_;
  std::vector<BufferId> leaves_;
  std::vector<Range> ranges_;  // by instruction
  absl::flat_hash_map<ShapeId, std::vector<uint32_t>> element_leaves_;
  absl::flat_hash_map<ShapeId, std::vector<int64_t>> leaf_bytes_;
  bool complete_ = true;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_ANALYSIS_BUFFERS_H_
