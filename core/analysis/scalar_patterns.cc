// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/scalar_patterns.h"

namespace hloscope {
namespace {

// The number of the parameter that `id` is, looking through copies; nothing if it is something else.
std::optional<uint32_t> ParameterNumber(const Module& module, InstructionId id) {
  while (id.has_value() && module.opcode(id) == Opcode::kCopy && module.operands(id).size() == 1) {
    id = module.operand(id, 0);
  }
  if (!id.has_value() || module.opcode(id) != Opcode::kParameter) return std::nullopt;
  return module.instruction(id).parameter_number;
}

KnownReducer ReducerOf(Opcode opcode) {
  switch (opcode) {
    case Opcode::kAdd:
      return KnownReducer::kAdd;
    case Opcode::kMultiply:
      return KnownReducer::kMultiply;
    case Opcode::kMinimum:
      return KnownReducer::kMinimum;
    case Opcode::kMaximum:
      return KnownReducer::kMaximum;
    case Opcode::kAnd:
      return KnownReducer::kAnd;
    case Opcode::kOr:
      return KnownReducer::kOr;
    case Opcode::kXor:
      return KnownReducer::kXor;
    default:
      return KnownReducer::kNone;
  }
}

ComparisonDirection Mirrored(ComparisonDirection direction) {
  switch (direction) {
    case ComparisonDirection::kGe:
      return ComparisonDirection::kLe;
    case ComparisonDirection::kGt:
      return ComparisonDirection::kLt;
    case ComparisonDirection::kLe:
      return ComparisonDirection::kGe;
    case ComparisonDirection::kLt:
      return ComparisonDirection::kGt;
    case ComparisonDirection::kEq:
    case ComparisonDirection::kNe:
      break;
  }
  return direction;
}

}  // namespace

RecognizedReducer RecognizeReducer(const Module& module, ComputationId id) {
  const Computation& computation = module.computation(id);
  if (!computation.root.has_value() || computation.parameters.size() != 2) return {};
  const Shape& root_shape = module.shape(computation.root);
  for (InstructionId parameter : computation.parameters) {
    if (!parameter.has_value() || !module.shape(parameter).IsScalar() ||
        module.shape(parameter).element_type() != root_shape.element_type()) {
      return {};
    }
  }
  if (!root_shape.IsScalar()) return {};
  if (std::optional<uint32_t> number = ParameterNumber(module, computation.root)) {
    return {*number == 0 ? KnownReducer::kFirst : KnownReducer::kSecond, false};
  }
  const KnownReducer kind = ReducerOf(module.opcode(computation.root));
  if (kind == KnownReducer::kNone || module.operands(computation.root).size() != 2) return {};
  const std::optional<uint32_t> lhs = ParameterNumber(module, module.operand(computation.root, 0));
  const std::optional<uint32_t> rhs = ParameterNumber(module, module.operand(computation.root, 1));
  if (!lhs || !rhs || *lhs == *rhs) return {};
  return {kind, *lhs == 1};
}

std::optional<RecognizedComparator> RecognizeComparator(const Module& module, ComputationId id) {
  const Computation& computation = module.computation(id);
  const InstructionId root = computation.root;
  if (!root.has_value() || module.opcode(root) != Opcode::kCompare || module.operands(root).size() != 2) {
    return std::nullopt;
  }
  const std::optional<uint32_t> lhs = ParameterNumber(module, module.operand(root, 0));
  const std::optional<uint32_t> rhs = ParameterNumber(module, module.operand(root, 1));
  if (!lhs || !rhs || *lhs / 2 != *rhs / 2 || *lhs == *rhs) return std::nullopt;
  const auto direction = module.WordAttribute(root, AttributeKind::kDirection, ComparisonDirection::kEq);
  const auto type = module.WordAttribute(root, AttributeKind::kComparisonType, ComparisonType::kFloat);
  const bool is_total = type != ComparisonType::kFloat && IsFloat(module.shape(module.operand(root, 0)).element_type());
  return RecognizedComparator{*lhs / 2, *lhs < *rhs ? direction : Mirrored(direction), is_total};
}

}  // namespace hloscope
