#include "evaluator/engine/async_chain.h"

#include <utility>

namespace hloscope {
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

// True if a start or update of this shape has all arguments and the result slot of `wrapped` bound.
bool IsFullyBound(const Module& module, const Shape& shape, ComputationId wrapped) {
  const Computation& computation = module.computation(wrapped);
  if (shape.tuple_size() < 2 || !computation.root.has_value()) return false;
  return shape.element(0).tuple_size() == static_cast<int64_t>(computation.parameters.size()) &&
         ShapesCompatible(shape.element(1), module.shape(computation.root));
}

}  // namespace

ComputationId AsyncComputation(const Module& module, InstructionId id) {
  // Starts come before their updates in the text, so the walk ends.
  for (size_t left = module.instruction_count(); left > 0; --left) {
    const ComputationId named = module.ComputationAttribute(id, AttributeKind::kCalls);
    if (named.has_value()) return named;
    if (module.opcode(id) == Opcode::kAsyncStart || module.operands(id).empty()) return ComputationId();
    id = module.operand(id, 0);
    if (!id.has_value()) return ComputationId();
    const Opcode opcode = module.opcode(id);
    if (opcode != Opcode::kAsyncStart && opcode != Opcode::kAsyncUpdate && opcode != Opcode::kCopy &&
        opcode != Opcode::kOptBarrier && opcode != Opcode::kDomain) {
      return ComputationId();
    }
  }
  return ComputationId();
}

bool AsyncLaunches(const Module& module, InstructionId id) {
  const Opcode opcode = module.opcode(id);
  const ComputationId wrapped = AsyncComputation(module, id);
  // Where a chain comes out of a loop or a call its computation cannot be told; it was launched before.
  if (!wrapped.has_value()) return opcode == Opcode::kAsyncStart;
  const bool launched_before = opcode != Opcode::kAsyncStart && !module.operands(id).empty() &&
                               IsFullyBound(module, module.shape(module.operand(id, 0)), wrapped);
  if (launched_before) return false;
  return opcode == Opcode::kAsyncDone || IsFullyBound(module, module.shape(id), wrapped);
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

}  // namespace hloscope
