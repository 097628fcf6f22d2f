// SPDX-License-Identifier: Apache-2.0
#include "core/transform/data_movement.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/analysis/users.h"
#include "core/ir/checked_math.h"
#include "core/ir/default_layout.h"
#include "core/layout/memory_space.h"
#include "core/transform/transform.h"

namespace hloscope {
namespace {

constexpr size_t kMaxChain = 8;

bool IsMovement(Opcode opcode) {
  switch (opcode) {
    case Opcode::kCopy:
    case Opcode::kTranspose:
    case Opcode::kReshape:
    case Opcode::kBroadcast:
    case Opcode::kPad:
    case Opcode::kConvert:
      return true;
    default:
      return false;
  }
}

// Rewrites of a reshape rebuild broadcasts and conversions elsewhere: those are not gone.
bool CanBeAvoidedBy(Opcode opcode, absl::string_view pass) {
  if (opcode == Opcode::kReshape || opcode == Opcode::kTranspose) return true;
  return pass == "algebraic" || pass == "cse" || pass == "dce";
}

// Writes the memory of an operand, so that others must have had a copy.
bool WritesInPlace(const Module& module, InstructionId id) {
  switch (module.opcode(id)) {
    case Opcode::kWhile:
    case Opcode::kDynamicUpdateSlice:
    case Opcode::kScatter:
    case Opcode::kConditional:
    case Opcode::kCall:
      return true;
    default:
      return module.HasAttribute(id, AttributeKind::kOutputToOperandAliasing);
  }
}

class Explainer {
 public:
  Explainer(const Module& module, const CostTarget& target)
      : module_(module), users_(module), cost_(module, target), removed_by_(FindRemoved(module, target)) {
    is_fused_.assign(module.computations().size(), false);
    for (uint32_t i = 0; i < module.instruction_count(); ++i) {
      if (module.opcode(InstructionId(i)) != Opcode::kFusion) continue;
      const ComputationId fused = module.ComputationAttribute(InstructionId(i), AttributeKind::kCalls);
      if (fused.has_value()) is_fused_[fused.index()] = true;
    }
  }

  std::vector<DataMovement> Run() {
    std::vector<DataMovement> result;
    for (uint32_t i = 0; i < module_.instruction_count(); ++i) {
      const InstructionId id(i);
      if (!IsMovement(module_.opcode(id)) || !module_.shape(id).IsArray() || module_.operands(id).empty()) continue;
      DataMovement movement;
      movement.id = id;
      Judge(&movement);
      movement.chain = ChainOf(id);
      result.push_back(std::move(movement));
    }
    return result;
  }

 private:
  int64_t Traffic(InstructionId id) {
    int64_t bytes = cost_.PhysicalBytes(id);
    for (InstructionId operand : module_.operands(id)) bytes = SaturatingSum(bytes, cost_.PhysicalBytes(operand));
    return bytes;
  }

  void Judge(DataMovement* movement) {
    const InstructionId id = movement->id;
    const Opcode opcode = module_.opcode(id);
    movement->bytes = Traffic(id);
    const absl::string_view pass = removed_by_[id.index()];
    const bool keeps_addresses = cost_.IsFree(id);
    if (opcode == Opcode::kCopy) return JudgeCopy(keeps_addresses, movement);
    if (keeps_addresses) {
      Free("both layouts keep every element in its place", movement);
    } else if (is_fused_[module_.instruction(id).computation.index()] && opcode != Opcode::kReshape &&
               opcode != Opcode::kTranspose) {
      Free("part of a fusion, never stored", movement);
    } else if (!pass.empty() && CanBeAvoidedBy(opcode, pass)) {
      movement->verdict = MovementVerdict::kAvoidable;
      movement->reason = absl::StrCat("the pass ", pass, " removes it");
    } else {
      movement->reason = Need(id);
    }
  }

  static void Free(absl::string_view why, DataMovement* movement) {
    movement->verdict = MovementVerdict::kFree;
    movement->bytes = 0;
    movement->reason = std::string(why);
  }

  void JudgeCopy(bool keeps_addresses, DataMovement* movement) {
    const InstructionId id = movement->id, source = module_.operand(id, 0);
    const Shape &from = module_.shape(source), &to = module_.shape(id);
    if (!from.IsArray() || MemorySpaceOf(from) != MemorySpaceOf(to)) {
      movement->reason =
          absl::StrCat("from memory space ", from.IsArray() ? MemorySpaceOf(from) : 0, " to ", MemorySpaceOf(to));
      return;
    }
    if (!keeps_addresses) {
      movement->reason = absl::StrCat("from layout ", WithDefaultLayouts(from).layout().ToString(), " to ",
                                      WithDefaultLayouts(to).layout().ToString());
      return;
    }
    if (module_.computation(module_.instruction(id).computation).root == id) {
      movement->reason = "the result of a computation has memory of its own";
      return;
    }
    for (InstructionId of : {id, source}) {
      for (InstructionId user : users_.users(of)) {
        if (!WritesInPlace(module_, user) && module_.opcode(user) != Opcode::kTuple) continue;
        movement->reason = absl::StrCat(module_.InstructionName(user), " may write to the memory of its operand");
        return;
      }
    }
    movement->verdict = MovementVerdict::kAvoidable;
    movement->reason = "same layout and memory, and nothing writes to either in place";
  }

  std::string Need(InstructionId id) const {
    const Shape &from = module_.shape(module_.operand(id, 0)), &to = module_.shape(id);
    switch (module_.opcode(id)) {
      case Opcode::kReshape:
      case Opcode::kTranspose:
        return "elements move to other addresses";
      case Opcode::kBroadcast:
        return absl::StrCat("each element becomes ", from.ElementCount() > 0
                                                         ? std::max<int64_t>(to.ElementCount(), 0) / from.ElementCount()
                                                         : 0);
      case Opcode::kPad:
        return "the array grows";
      default:
        return absl::StrCat("from ", ElementTypeName(from.element_type()), " to ", ElementTypeName(to.element_type()));
    }
  }

  std::vector<InstructionId> ChainOf(InstructionId id) {
    std::vector<InstructionId> chain;
    InstructionId at = id;
    while (chain.size() < kMaxChain) {
      const absl::Span<const InstructionId> users = users_.users(at);
      if (users.empty()) break;
      const auto most = std::max_element(users.begin(), users.end(), [&](InstructionId a, InstructionId b) {
        return cost_.PhysicalBytes(a) < cost_.PhysicalBytes(b);
      });
      at = *most;
      chain.push_back(at);
      if (!IsMovement(module_.opcode(at)) && module_.opcode(at) != Opcode::kBitcast) break;
    }
    return chain;
  }

  // By instruction: the pass that makes it superfluous; empty if there is none.
  static std::vector<absl::string_view> FindRemoved(const Module& module, const CostTarget& target) {
    TransformOptions options;
    options.target = target;
    return PassesThatRemove(module, options);
  }

  const Module& module_;
  const UserIndex users_;
  CostModel cost_;
  const std::vector<absl::string_view> removed_by_;
  std::vector<bool> is_fused_;  // by computation
};

}  // namespace

absl::string_view MovementVerdictName(MovementVerdict verdict) {
  switch (verdict) {
    case MovementVerdict::kFree:
      return "free";
    case MovementVerdict::kNeeded:
      return "needed";
    case MovementVerdict::kAvoidable:
      return "avoidable";
  }
  return "";
}

std::vector<DataMovement> ExplainDataMovement(const Module& module, const CostTarget& target) {
  return Explainer(module, target).Run();
}

}  // namespace hloscope
