// SPDX-License-Identifier: Apache-2.0
// Which instructions of a computation become arrays, and which are computed inside the loops of others.
#ifndef HLOSCOPE_CODEGEN_COMPUTATION_PLAN_H_
#define HLOSCOPE_CODEGEN_COMPUTATION_PLAN_H_

#include <vector>

#include "absl/container/flat_hash_map.h"
#include "codegen/index_map.h"
#include "core/ir/module.h"

namespace hloscope::codegen {

enum class Role : uint8_t {
  kUnused,  // nothing needs it
  kShared,  // its arrays are those of its operands
  kInline,  // computed element by element inside the loops that use it
  kLoop,    // an array that a loop makes from elements of other instructions
  kOther,   // arrays that something else makes from whole arrays
};

// A loop nest that computes elements of its operands: of an elementwise instruction, a reduce, a pad, or of one operand
// of a concatenate.
struct LoopId {
  InstructionId root;
  int part = 0;
  friend bool operator==(const LoopId&, const LoopId&) = default;
};

class ComputationPlan {
 public:
  // O(instructions + operands) but for instructions that are used through many views. The computation must be free of
  // errors.
  ComputationPlan(const Module& module, ComputationId computation);

  // What is needed, operands before users.
  const std::vector<InstructionId>& order() const { return order_; }
  Role role(InstructionId id) const {
    const auto found = roles_.find(id);
    return found == roles_.end() ? Role::kUnused : found->second;
  }

  // The sizes of the loops of a part of a kLoop instruction: those of the operand for reduce, pad and concatenate, else
  // those of the result.
  static std::vector<int64_t> LoopSizes(const Module& module, LoopId loop);

 private:
  struct Demand {
    LoopId loop;
    IndexMap map;
  };
  struct Demands {
    bool as_array = false;
    std::vector<Demand> as_elements;
  };

  void FindOrder(ComputationId computation);
  Role RoleOf(InstructionId id, const Demands& demands);
  bool CanBeInline(InstructionId id, const Demands& demands) const;
  void DemandOperands(InstructionId id, Role role, const Demands& demands);

  const Module& module_;
  std::vector<InstructionId> order_;
  absl::flat_hash_map<InstructionId, Role> roles_;
  absl::flat_hash_map<InstructionId, Demands> demands_;
  absl::flat_hash_map<std::pair<InstructionId, int>, int> inline_counts_;  // by loop
};

// A constant whose elements are all the same. Those are numbers in the text of the program.
bool IsSplat(const Literal& literal);

}  // namespace hloscope::codegen

#endif  // HLOSCOPE_CODEGEN_COMPUTATION_PLAN_H_
