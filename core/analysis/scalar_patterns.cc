// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/scalar_patterns.h"

#include <algorithm>
#include <cstring>

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

// The bits of a scalar constant of f16, bf16, f32 or f64.
std::optional<uint64_t> FloatBits(const Module& module, InstructionId id) {
  if (!id.has_value() || module.opcode(id) != Opcode::kConstant || !module.instruction(id).literal.has_value()) {
    return std::nullopt;
  }
  const Literal& literal = module.literal(id);
  if (!literal.shape().IsScalar() || literal.IsElided()) return std::nullopt;
  uint64_t bits = 0;
  std::memcpy(&bits, literal.ElementBytes(0),
              std::min(static_cast<size_t>(StorageBytes(literal.shape().element_type())), sizeof(bits)));
  return bits;
}

// Bits of +infinity of f16, bf16, f32 and f64; nothing for other types.
std::optional<uint64_t> InfinityBits(ElementType type) {
  if (!IsFloat(type) || BitWidth(type) < 16) return std::nullopt;
  const FloatFormat& format = FloatFormatOf(type);
  return ((uint64_t{1} << format.exponent_bits) - 1) << format.mantissa_bits;
}

bool IsFloatComparison(const Module& module, InstructionId id, ComparisonDirection direction) {
  return id.has_value() && module.opcode(id) == Opcode::kCompare && module.operands(id).size() == 2 &&
         module.WordAttribute(id, AttributeKind::kDirection, ComparisonDirection::kEq) == direction &&
         module.WordAttribute(id, AttributeKind::kComparisonType, ComparisonType::kFloat) == ComparisonType::kFloat;
}

bool IsSelect(const Module& module, InstructionId id) {
  return id.has_value() && module.opcode(id) == Opcode::kSelect && module.operands(id).size() == 3;
}

// p of select(p != p, NaN, select(p == 0, 0, p)), where the NaN has no sign and both zeros are +0.
std::optional<uint32_t> CanonicalParameter(const Module& module, InstructionId id) {
  if (!IsSelect(module, id) || !IsSelect(module, module.operand(id, 2))) return std::nullopt;
  const InstructionId inner = module.operand(id, 2);
  const InstructionId is_nan = module.operand(id, 0), is_zero = module.operand(inner, 0);
  const std::optional<uint64_t> infinity = InfinityBits(module.shape(id).element_type());
  const std::optional<uint32_t> parameter = ParameterNumber(module, module.operand(inner, 2));
  if (!infinity || !parameter || !IsFloatComparison(module, is_nan, ComparisonDirection::kNe) ||
      !IsFloatComparison(module, is_zero, ComparisonDirection::kEq)) {
    return std::nullopt;
  }
  const bool same_parameter = ParameterNumber(module, module.operand(is_nan, 0)) == parameter &&
                              ParameterNumber(module, module.operand(is_nan, 1)) == parameter &&
                              ParameterNumber(module, module.operand(is_zero, 0)) == parameter;
  const std::optional<uint64_t> nan = FloatBits(module, module.operand(id, 1));
  const bool is_positive_nan = nan && *nan > *infinity && *nan <= (*infinity | (*infinity - 1));
  const bool are_zeros =
      FloatBits(module, module.operand(is_zero, 1)) == 0 && FloatBits(module, module.operand(inner, 1)) == 0;
  return same_parameter && is_positive_nan && are_zeros ? parameter : std::nullopt;
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
  const InstructionId left = module.operand(root, 0), right = module.operand(root, 1);
  std::optional<uint32_t> lhs = ParameterNumber(module, left), rhs = ParameterNumber(module, right);
  const bool is_canonical = !lhs && !rhs;
  if (is_canonical) {
    lhs = CanonicalParameter(module, left);
    rhs = CanonicalParameter(module, right);
  }
  if (!lhs || !rhs || *lhs / 2 != *rhs / 2 || *lhs == *rhs) return std::nullopt;
  const auto direction = module.WordAttribute(root, AttributeKind::kDirection, ComparisonDirection::kEq);
  const auto type = module.WordAttribute(root, AttributeKind::kComparisonType, ComparisonType::kFloat);
  const bool is_total = type != ComparisonType::kFloat && IsFloat(module.shape(module.operand(root, 0)).element_type());
  if (is_canonical && !is_total) return std::nullopt;
  return RecognizedComparator{*lhs / 2, *lhs < *rhs ? direction : Mirrored(direction), is_total, is_canonical};
}

}  // namespace hloscope
