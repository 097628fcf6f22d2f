// SPDX-License-Identifier: Apache-2.0
// The dataflow of a whole module, seen through everything that only passes values on.
#ifndef HLOSCOPE_CORE_ANALYSIS_VALUE_FLOW_H_
#define HLOSCOPE_CORE_ANALYSIS_VALUE_FLOW_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "core/analysis/users.h"
#include "core/ir/module.h"

namespace hloscope {

// Every value that instructions of the running computations pass around has a carrier: the instruction that computes
// it. Looked through are copies, reshapes that keep the shape, tuples and their elements, barriers, fusions and calls
// of computations that nobody else calls, their parameters, and the second halves of asynchronous pairs. So a fused
// instruction has the carriers of its operands outside of the fusion as operands, as it would have without the fusion.
//
// Running computations are those that the entry computation reaches through fusions, calls, loops, conditionals and
// asynchronous instructions; what a reduction or a sort applies to single elements is not among them.
class ValueFlow {
 public:
  // O(instructions + operands) but for tuples, which count with their elements.
  explicit ValueFlow(const Module& module);

  const Module& module() const { return module_; }

  // Whether the instruction belongs to a running computation.
  bool IsRunning(InstructionId id) const { return value_[id.index()] != kUnknown; }
  // Whether the instruction computes its value itself.
  bool IsCarrier(InstructionId id) const { return value_[id.index()] == static_cast<int64_t>(id.value); }
  // The carriers of an instruction's value, those of the elements for a tuple that was put together; empty if it is
  // not running.
  absl::Span<const InstructionId> carriers(InstructionId id) const;

  // All carriers; operands before users, and the instructions of a called computation before the caller.
  absl::Span<const InstructionId> order() const { return order_; }
  // The carriers of the operands of a carrier, in operand order; tuples count with their elements. The parameter of a
  // loop's body or condition has none.
  absl::Span<const InstructionId> operands(InstructionId carrier) const;
  // The carriers that have it as an operand, each once, in the order of order().
  absl::Span<const InstructionId> users(InstructionId carrier) const;
  // For an element of a loop's state inside the body or condition: the carriers of that element of the initial state.
  // For the parameter of a loop whose state is one value, and of a computation with several callers: the carriers of
  // the state, and of the first caller's argument.
  absl::Span<const InstructionId> initial_values(InstructionId carrier) const;
  // The carriers of what the running computations that it calls return, in their order; empty if it calls none.
  absl::Span<const InstructionId> callee_results(InstructionId carrier) const;

 private:
  static constexpr int64_t kUnknown = INT64_MAX;
  struct Range {
    uint32_t first = 0, count = 0;
  };
  struct Open {
    ComputationId computation;
    std::vector<InstructionId> instructions;
    size_t next = 0;
    bool entered = false;  // the callees of the next instruction have been walked
  };

  void Walk();
  void Resolve(InstructionId id);
  // What the instruction passes on; kUnknown if it computes its value itself.
  int64_t PassedOn(InstructionId id);
  int64_t PassedOnByParameter(InstructionId id);
  void MakeCarrier(InstructionId id);
  // The value that an element of a loop's state, or a parameter, has first; kUnknown for anything else.
  int64_t InitialValue(InstructionId id) const;
  // The operand that the parameter of `computation` stands for when `caller` runs it; none if several branches run it.
  InstructionId Argument(InstructionId caller, ComputationId computation, size_t number) const;
  int64_t ElementOf(int64_t value, int64_t index) const;
  int64_t MakeTuple(std::vector<int64_t> elements);
  void AppendCarriers(int64_t value, std::vector<InstructionId>* out) const;
  Range Store(const std::vector<InstructionId>& list);
  absl::Span<const InstructionId> Listed(Range range) const {
    return absl::MakeConstSpan(lists_).subspan(range.first, range.count);
  }
  void IndexUsers();

  const Module& module_;
  const UserIndex calls_;
  // By instruction: the id of its carrier, or ~index of a tuple of values, or kUnknown.
  std::vector<int64_t> value_;
  std::vector<std::vector<int64_t>> tuples_;
  std::vector<bool> walked_;           // by computation
  std::vector<InstructionId> opener_;  // by computation: the caller that it was walked for
  std::vector<InstructionId> order_;
  std::vector<InstructionId> lists_;
  std::vector<Range> operands_, users_, initial_, results_, carriers_;  // by instruction, into lists_
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_ANALYSIS_VALUE_FLOW_H_
