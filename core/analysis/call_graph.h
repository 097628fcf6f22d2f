// SPDX-License-Identifier: Apache-2.0
// Which computation calls which, in an order in which callees come first.
#ifndef HLOSCOPE_CORE_ANALYSIS_CALL_GRAPH_H_
#define HLOSCOPE_CORE_ANALYSIS_CALL_GRAPH_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "core/ir/id_map.h"
#include "core/ir/module.h"

namespace hloscope {

class CallGraph {
 public:
  // O(instructions + attributes).
  explicit CallGraph(const Module& module);
  // The same calls after the callers got other ids; none of them was taken out.
  CallGraph(const CallGraph& old, const IdMap& ids);

  struct Call {
    InstructionId caller;
    AttributeKind attribute;
    ComputationId callee;
  };
  // The calls made by the instructions of a computation, in id order of the callers.
  absl::Span<const Call> calls(ComputationId computation) const;

  // Every computation once; callees before their callers, but for the calls in recursive_calls().
  absl::Span<const ComputationId> callees_first() const { return callees_first_; }
  // Calls that lead back to a computation that is on the way: without them the graph has no cycle. Text cannot express
  // any.
  absl::Span<const Call> recursive_calls() const { return recursive_calls_; }

 private:
  std::vector<uint32_t> first_;
  std::vector<Call> calls_;
  std::vector<ComputationId> callees_first_;
  std::vector<Call> recursive_calls_;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_ANALYSIS_CALL_GRAPH_H_
