// SPDX-License-Identifier: Apache-2.0
#include "codegen/computation_plan.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "codegen/cpp_types.h"
#include "codegen/dot_operand.h"
#include "codegen/elementwise.h"
#include "core/ops/custom_call.h"

namespace hloscope::codegen {
namespace {

// Instructions computed inside one loop: beyond that, compilers run out of registers and people out of patience.
constexpr int kMostInline = 64;
// Places that a view or a scalar may be used at before it becomes an array.
constexpr size_t kMostUses = 16;

bool IsArrayOf(const Module& module, InstructionId id) { return module.shape(id).IsArray(); }

// Values that pass through unchanged.
bool SharesOperands(const Module& module, InstructionId id) {
  switch (module.opcode(id)) {
    case Opcode::kTuple:
    case Opcode::kGetTupleElement:
    case Opcode::kOptBarrier:
    case Opcode::kAddDependency:
    case Opcode::kDomain:
    case Opcode::kAfterAll:
    case Opcode::kCopy:
    case Opcode::kCopyDone:
    case Opcode::kCopyStart:
      return true;
    case Opcode::kReshape:
      return !IsView(module, id);
    case Opcode::kCustomCall:  // one that only annotates
      return IsIdentityCustomCall(module, id) && !module.operands(id).empty() &&
             ShapesCompatible(module.shape(module.operand(id, 0)), module.shape(id));
    case Opcode::kBitcast: {
      const Shape& from = module.shape(module.operand(id, 0));
      const Shape& to = module.shape(id);
      return !IsView(module, id) && KeepsLinearOrder(from) && KeepsLinearOrder(to) &&
             BitWidth(from.element_type()) == BitWidth(to.element_type()) && from.ElementCount() == to.ElementCount();
    }
    default:
      return false;
  }
}

// A view whose elements lie as those of its operand do: its array can be the operand's.
bool KeepsElements(const Module& module, InstructionId id) {
  if (!IsView(module, id)) return false;
  const Shape& from = module.shape(module.operand(id, 0));
  const Shape& to = module.shape(id);
  if (from.ElementCount() != to.ElementCount() ||
      StorageBytes(from.element_type()) != StorageBytes(to.element_type())) {
    return false;
  }
  const size_t rank = static_cast<size_t>(to.rank());
  const LinearIndex index = LinearIndexOf(OperandMap(module, id, IdentityMap(rank)), from.dimensions(), rank);
  const std::vector<int64_t> strides = RowMajorStridesOf(to.dimensions());
  for (size_t d = 0; d < rank; ++d) {
    if (to.dimension(static_cast<int64_t>(d)) > 1 && index.strides[d] != strides[d]) return false;
  }
  return index.offset == 0;
}

bool IsLoopOpcode(const Module& module, InstructionId id) {
  switch (module.opcode(id)) {
    case Opcode::kReduce:
    case Opcode::kPad:
    case Opcode::kConcatenate:
    case Opcode::kMap:
    case Opcode::kIota:
      return true;
    case Opcode::kConstant:
      return IsArrayOf(module, id) && !module.literal(id).IsElided() && IsSplat(module.literal(id));
    default:
      return IsView(module, id) || IsElementwise(module, id);
  }
}

}  // namespace

bool IsSplat(const Literal& literal) {
  const Shape& shape = literal.shape();
  if (!shape.IsArray() || literal.IsElided()) return false;
  const int64_t count = shape.ElementCount();
  const size_t bytes = static_cast<size_t>(StorageBytes(shape.element_type()));
  if (count <= 1) return count == 1;
  const int64_t stored = literal.StoredElementCount();
  if (stored == 0) return true;
  const uint8_t* const first = literal.ElementBytes(0);
  if (stored < count && std::memcmp(first, literal.ElementBytes(stored), bytes) != 0) return false;
  for (int64_t i = 1; i < stored; ++i) {
    if (std::memcmp(first, literal.ElementBytes(i), bytes) != 0) return false;
  }
  return true;
}

ComputationPlan::ComputationPlan(const Module& module, ComputationId computation) : module_(module) {
  FindOrder(computation);
  const InstructionId root = module.computation(computation).root;
  demands_[root].as_array = true;
  for (size_t k = order_.size(); k-- > 0;) {
    const InstructionId id = order_[k];
    Demands demands = std::move(demands_[id]);
    // `add(x, x)` asks twice for the same.
    std::vector<Demand> distinct;
    for (Demand& demand : demands.as_elements) {
      if (distinct.size() > kMostUses || std::none_of(distinct.begin(), distinct.end(), [&](const Demand& other) {
            return other.loop == demand.loop && other.map == demand.map;
          })) {
        distinct.push_back(std::move(demand));
      }
    }
    demands.as_elements = std::move(distinct);
    const Role role = RoleOf(id, demands);
    roles_[id] = role;
    DemandOperands(id, role, demands);
  }
}

// Depth first from the root, operands and control predecessors first.
void ComputationPlan::FindOrder(ComputationId computation) {
  absl::flat_hash_set<InstructionId> seen;
  std::vector<std::pair<InstructionId, bool>> stack = {{module_.computation(computation).root, false}};
  while (!stack.empty()) {
    const auto [id, done] = stack.back();
    stack.pop_back();
    if (done) {
      order_.push_back(id);
      continue;
    }
    if (!seen.insert(id).second) continue;
    stack.push_back({id, true});
    const absl::Span<const InstructionId> operands = module_.operands(id);
    for (size_t k = operands.size(); k-- > 0;) stack.push_back({operands[k], false});
  }
}

std::vector<int64_t> ComputationPlan::LoopSizes(const Module& module, LoopId loop) {
  const Opcode opcode = module.opcode(loop.root);
  const bool by_operand = opcode == Opcode::kReduce || opcode == Opcode::kPad || opcode == Opcode::kConcatenate;
  const Shape& shape =
      by_operand ? module.shape(module.operand(loop.root, static_cast<size_t>(loop.part))) : module.shape(loop.root);
  return std::vector<int64_t>(shape.dimensions().begin(), shape.dimensions().end());
}

bool ComputationPlan::CanBeInline(InstructionId id, const Demands& demands) const {
  if (demands.as_array || demands.as_elements.empty() || !IsArrayOf(module_, id)) return false;
  const auto is_full = [&](const LoopId& loop) {
    const auto found = inline_counts_.find({loop.root, loop.part});
    return found != inline_counts_.end() && found->second >= kMostInline;
  };
  for (const Demand& demand : demands.as_elements) {
    if (is_full(demand.loop)) return false;
  }
  switch (module_.opcode(id)) {
    case Opcode::kIota:
    case Opcode::kConstant:
      return true;
    case Opcode::kBroadcast:
      return demands.as_elements.size() <= kMostUses;
    default:
      break;
  }
  const bool is_scalar = module_.shape(id).ElementCount() == 1 && demands.as_elements.size() <= 4;
  if (IsView(module_, id)) {
    // A transposed array that several loops read is better transposed once.
    return is_scalar || demands.as_elements.size() <= (module_.opcode(id) == Opcode::kTranspose ? 1 : kMostUses);
  }
  if (!IsElementwise(module_, id)) return false;
  if (is_scalar) return ElementNanoseconds(module_, id) < 1;
  const Demand& first = demands.as_elements[0];
  for (const Demand& demand : demands.as_elements) {
    if (!(demand.loop == first.loop) || demand.map != first.map) return false;
  }
  return VisitsEachOnce(first.map, LoopSizes(module_, first.loop));
}

Role ComputationPlan::RoleOf(InstructionId id, const Demands& demands) {
  // A view that a product looks through.
  if (IsView(module_, id) && !demands.as_array && demands.as_elements.empty()) return Role::kUnused;
  if (SharesOperands(module_, id)) return Role::kShared;
  if (!IsLoopOpcode(module_, id)) return Role::kOther;
  if (!CanBeInline(id, demands)) return KeepsElements(module_, id) ? Role::kShared : Role::kLoop;
  absl::flat_hash_set<std::pair<InstructionId, int>> loops;
  for (const Demand& demand : demands.as_elements) loops.insert({demand.loop.root, demand.loop.part});
  for (const auto& loop : loops) ++inline_counts_[loop];
  return Role::kInline;
}

void ComputationPlan::DemandOperands(InstructionId id, Role role, const Demands& demands) {
  const absl::Span<const InstructionId> operands = module_.operands(id);
  switch (role) {
    case Role::kOther:
      if (module_.opcode(id) == Opcode::kDot) {
        for (size_t side = 0; side < 2; ++side) demands_[DotOperandOf(module_, id, side).array].as_array = true;
        return;
      }
      [[fallthrough]];
    case Role::kShared:
      for (InstructionId operand : operands) demands_[operand].as_array = true;
      return;
    case Role::kInline:
      for (const Demand& demand : demands.as_elements) {
        const IndexMap map = IsView(module_, id) ? OperandMap(module_, id, demand.map) : demand.map;
        for (InstructionId operand : operands) {
          // A scalar operand (of clamp, select) stands for all elements.
          const bool is_scalar = module_.shape(operand).IsScalar();
          demands_[operand].as_elements.push_back({demand.loop, is_scalar ? IndexMap() : map});
        }
      }
      return;
    case Role::kUnused:
      return;
    case Role::kLoop:
      break;
  }
  const Opcode opcode = module_.opcode(id);
  const size_t inputs = opcode == Opcode::kReduce ? operands.size() / 2 : opcode == Opcode::kPad ? 1 : operands.size();
  for (size_t k = 0; k < operands.size(); ++k) {
    const LoopId loop = {id, opcode == Opcode::kConcatenate ? static_cast<int>(k) : 0};
    const size_t rank = LoopSizes(module_, loop).size();
    IndexMap map = IdentityMap(rank);
    if (k >= inputs || module_.shape(operands[k]).IsScalar()) {
      map.clear();  // initial values, padding, scalars of clamp and select
    } else if (IsView(module_, id)) {
      map = OperandMap(module_, id, map);
    }
    demands_[operands[k]].as_elements.push_back({loop, std::move(map)});
  }
}

}  // namespace hloscope::codegen
