// SPDX-License-Identifier: Apache-2.0
#include "evaluator/engine/async_chain.h"

#include <utility>

namespace hloscope::evaluator {
namespace {

// The values that an op hands on as ((arguments...), result, context...).
Value ChainValue(const Module& module, InstructionId id, std::vector<Value> arguments, Value result) {
  std::vector<Value> parts = {Value::Tuple(std::move(arguments)), std::move(result)};
  const Shape& shape = module.shape(id);
  for (int64_t i = 2; i < shape.tuple_size(); ++i) {
    const absl::StatusOr<Value> context = ZeroValue(shape.element(i));
    parts.push_back(context.ok() ? *context : Value::Tuple({}));
  }
  return Value::Tuple(std::move(parts));
}

}  // namespace

bool BindsMore(const Module& module, InstructionId id) {
  if (module.opcode(id) == Opcode::kAsyncStart || module.operands(id).empty()) return false;
  if (module.operands(id).size() > 1) return true;
  const Shape& before = module.shape(module.operand(id, 0));
  if (!before.IsTuple() || before.tuple_size() < 2) return false;
  const Shape& own = module.shape(id);
  if (module.opcode(id) == Opcode::kAsyncDone) return !ShapesCompatible(before.element(1), own);
  return own.IsTuple() && own.tuple_size() >= 2 && !ShapesCompatible(before.element(1), own.element(1));
}

bool IsWrappedCollective(const Module& module, ComputationId wrapped) {
  const Computation& computation = module.computation(wrapped);
  if (!computation.root.has_value()) return false;
  switch (module.opcode(computation.root)) {
    case Opcode::kAllGather:
    case Opcode::kAllReduce:
    case Opcode::kAllToAll:
    case Opcode::kCollectiveBroadcast:
    case Opcode::kCollectivePermute:
    case Opcode::kRaggedAllToAll:
    case Opcode::kReduceScatter:
      break;
    default:
      return false;
  }
  for (InstructionId operand : module.operands(computation.root)) {
    if (!operand.has_value() || module.opcode(operand) != Opcode::kParameter) return false;
  }
  return true;
}

std::vector<Value> AsyncArguments(const Module& module, InstructionId id, absl::Span<const Value> operands) {
  if (module.opcode(id) == Opcode::kAsyncStart || operands.empty()) {
    return std::vector<Value>(operands.begin(), operands.end());
  }
  std::vector<Value> arguments;
  if (!operands[0].elements().empty()) {
    const absl::Span<const Value> bound = operands[0].elements()[0].elements();
    arguments.assign(bound.begin(), bound.end());
  }
  arguments.insert(arguments.end(), operands.begin() + 1, operands.end());
  return arguments;
}

Value AsyncResult(const Module& module, InstructionId id, absl::Span<const Value> operands, Value result) {
  if (module.opcode(id) == Opcode::kAsyncDone) return result;
  return ChainValue(module, id, AsyncArguments(module, id, operands), std::move(result));
}

absl::StatusOr<Value> AsyncPassThrough(const Module& module, InstructionId id, absl::Span<const Value> operands) {
  const Opcode opcode = module.opcode(id);
  const bool has_chain = !operands.empty() && operands[0].elements().size() >= 2;
  if (opcode != Opcode::kAsyncStart && !has_chain) {
    return absl::InvalidArgumentError("the operand is not the value of an asynchronous chain");
  }
  if (opcode == Opcode::kAsyncDone) return operands[0].elements()[1];
  const Shape& shape = module.shape(id);
  if (shape.tuple_size() < 2) return absl::InvalidArgumentError("the shape has no place for a result");
  // A result that was computed before is handed on, unless this op binds more of the slot.
  if (opcode == Opcode::kAsyncUpdate && ValueFits(operands[0].elements()[1], shape.element(1))) {
    return ChainValue(module, id, AsyncArguments(module, id, operands), operands[0].elements()[1]);
  }
  absl::StatusOr<Value> unbound = ZeroValue(shape.element(1));
  if (!unbound.ok()) return unbound;
  return ChainValue(module, id, AsyncArguments(module, id, operands), *std::move(unbound));
}

}  // namespace hloscope::evaluator
