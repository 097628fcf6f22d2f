// SPDX-License-Identifier: Apache-2.0
#include "codegen/elementwise.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "codegen/cpp_types.h"
#include "codegen/loop_function.h"
#include "codegen/type_conversion.h"
#include "core/ir/elementwise_table.h"

namespace hloscope::codegen {
namespace {

// The function object for elements of `type`, of numerics/elements, which the compiled program carries along. Empty:
// there is none.
absl::string_view FunctionOf(Opcode opcode, ElementType type) {
  // The high half of a product takes a type of its own width.
  if (opcode == Opcode::kMulhi && BitWidth(type) < 8) return "";
  const std::optional<ElementwiseInfo> info = ElementwiseInfoOf(opcode);
  return info ? info->FunctionOf(KindOf(type)) : "";
}

// Arithmetic of f32 and f64 reads best as C++ has it.
std::string InfixOf(Opcode opcode) {
  switch (opcode) {
    case Opcode::kAdd:
      return "+";
    case Opcode::kSubtract:
      return "-";
    case Opcode::kMultiply:
      return "*";
    case Opcode::kDivide:
      return "/";
    default:
      return "";
  }
}

// True if resources/compile/hlo_forms.h has a form for most arguments.
bool HasForms(Opcode opcode, bool is_double) {
  return opcode == Opcode::kSine || opcode == Opcode::kCosine || opcode == Opcode::kTan ||
         opcode == Opcode::kRemainder || (opcode == Opcode::kPower && !is_double);
}

absl::StatusOr<std::string> Arithmetic(Opcode opcode, absl::Span<const ElementType> types, ElementType result,
                                       absl::Span<const std::string> operands) {
  if (ConvertsOperands(types, result)) {
    // Mixed precision: operands are converted to the declared type first.
    std::vector<ElementType> declared(types.begin(), types.end());
    std::vector<std::string> converted(operands.begin(), operands.end());
    for (size_t k = 0; k < declared.size(); ++k) {
      if (!IsFloat(types[k])) continue;
      converted[k] = Converted(types[k], result, converted[k]);
      declared[k] = result;
    }
    return Arithmetic(opcode, declared, result, converted);
  }
  const ElementType type = types[0];
  if (opcode == Opcode::kReal && IsFloat(type)) return operands[0];
  const absl::string_view function = FunctionOf(opcode, opcode == Opcode::kComplex ? result : type);
  if (function.empty()) {
    return absl::UnimplementedError(
        absl::StrCat("it is not defined for ", ElementTypeName(type), " with a result of ", ElementTypeName(result)));
  }
  std::vector<std::string> x(operands.begin(), operands.end());
  if (IsComplex(type) || opcode == Opcode::kComplex) {
    const std::string value =
        absl::StrCat("numerics::complex_functions::", function, "()(", absl::StrJoin(x, ", "), ")");
    // Parts and sizes of complex numbers in another type than they have.
    return IsFloat(result) ? Converted(ComplexComponent(type), result, value) : value;
  }
  if (type == ElementType::kPred || opcode == Opcode::kImag) {
    return absl::StrCat(function, "()(", absl::StrJoin(x, ", "), ")");
  }
  if (IsFloat(type)) {
    // They differ only where mixed precision is allowed.
    const bool is_double = std::find(types.begin(), types.end(), ElementType::kF64) != types.end();
    for (size_t k = 0; k < x.size(); ++k) {
      if (is_double && types[k] != ElementType::kF64) x[k] = absl::StrCat("static_cast<double>(", x[k], ")");
    }
    std::string expression;
    if (const std::string infix = InfixOf(opcode); !infix.empty()) {
      expression = absl::StrCat("(", x[0], " ", infix, " ", x[1], ")");
      if (opcode == Opcode::kMultiply) expression = absl::StrCat("numerics::Rounded", expression);
    } else if (opcode == Opcode::kExponential && !is_double) {
      expression = absl::StrCat("numerics::float_math::ExpSingle(", x[0], ")");
    } else if (HasForms(opcode, is_double)) {
      expression = absl::StrCat("Of<", function, ">(", kFormArgument, absl::StrJoin(x, ", "), ")");
    } else {
      expression = absl::StrCat(function, "()(", absl::StrJoin(x, ", "), ")");
    }
    if (opcode == Opcode::kIsFinite || result == (is_double ? ElementType::kF64 : ElementType::kF32)) return expression;
    return Converted(is_double ? ElementType::kF64 : ElementType::kF32, result, expression);
  }
  const bool needs_width = opcode == Opcode::kCountLeadingZeros || opcode == Opcode::kPopcnt ||
                           opcode == Opcode::kShiftLeft || opcode == Opcode::kShiftRightLogical ||
                           opcode == Opcode::kShiftRightArithmetic;
  return Rounded(result, absl::StrCat(function, needs_width ? absl::StrCat("{", BitWidth(type), "}") : "()", "(",
                                      absl::StrJoin(x, ", "), ")"));
}

std::string Compare(const Module& module, InstructionId id, absl::Span<const ElementType> types,
                    absl::Span<const std::string> operands) {
  const auto direction = module.WordAttribute(id, AttributeKind::kDirection, ComparisonDirection::kEq);
  const bool is_total =
      module.WordAttribute(id, AttributeKind::kComparisonType, ComparisonType::kFloat) != ComparisonType::kFloat;
  std::vector<std::string> x(operands.begin(), operands.end());
  if (IsComplex(types[0])) {
    return absl::StrCat("numerics::complex_functions::", direction == ComparisonDirection::kEq ? "Equal" : "NotEqual",
                        "()(", x[0], ", ", x[1], ")");
  }
  if (IsFloat(types[0]) && is_total && types[0] == types[1]) {
    const FloatFormat& format = FloatFormatOf(types[0]);
    for (std::string& operand : x) {
      operand =
          absl::StrCat("TotalOrderKey(", BitsOf(types[0], operand), ", ", BitWidth(types[0]), ", ",
                       format.has_sign ? "true" : "false", ", ", format.has_negative_zero ? "true" : "false", ")");
    }
  }
  const absl::string_view infix = direction == ComparisonDirection::kEq   ? "=="
                                  : direction == ComparisonDirection::kNe ? "!="
                                  : direction == ComparisonDirection::kGe ? ">="
                                  : direction == ComparisonDirection::kGt ? ">"
                                  : direction == ComparisonDirection::kLe ? "<="
                                                                          : "<";
  return absl::StrCat("static_cast<uint8_t>(", x[0], " ", infix, " ", x[1], ")");
}

std::string Select(absl::Span<const ElementType> types, ElementType result, absl::Span<const std::string> operands) {
  const std::string chosen = absl::StrCat("(", operands[0], " != 0 ? ", Converted(types[1], result, operands[1]), " : ",
                                          Converted(types[2], result, operands[2]), ")");
  return chosen;
}

std::vector<ElementType> OperandTypes(const Module& module, InstructionId id) {
  std::vector<ElementType> types;
  for (InstructionId operand : module.operands(id)) types.push_back(module.shape(operand).element_type());
  return types;
}

}  // namespace

bool IsElementwise(const Module& module, InstructionId id) {
  const Opcode opcode = module.opcode(id);
  if (opcode == Opcode::kInvalid || !module.shape(id).IsArray() || module.operands(id).empty()) return false;
  const OpFamily family = InfoOf(opcode).family;
  if (family != OpFamily::kElementwise && family != OpFamily::kTypeConversion) return false;
  if (opcode == Opcode::kBitcastConvert) {
    return BitcastWidth(module.shape(module.operand(id, 0)).element_type()) ==
           BitcastWidth(module.shape(id).element_type());
  }
  return true;
}

absl::StatusOr<std::string> ElementExpression(const Module& module, InstructionId id,
                                              absl::Span<const std::string> operands) {
  const std::vector<ElementType> types = OperandTypes(module, id);
  const ElementType result = module.shape(id).element_type();
  switch (module.opcode(id)) {
    case Opcode::kConvert:
      return Converted(types[0], result, operands[0]);
    case Opcode::kBitcastConvert:
      return BitcastConverted(types[0], result, operands[0]);
    case Opcode::kReducePrecision:
      return PrecisionReduced(types[0], result, module.IntAttribute(id, AttributeKind::kExponentBits),
                              module.IntAttribute(id, AttributeKind::kMantissaBits), operands[0]);
    case Opcode::kStochasticConvert:
      return StochasticallyConverted(types[0], types[1], result, operands[0], operands[1]);
    case Opcode::kCompare:
      return Compare(module, id, types, operands);
    case Opcode::kSelect:
      return Select(types, result, operands);
    default:
      return Arithmetic(module.opcode(id), types, result, operands);
  }
}

double ElementNanoseconds(const Module& module, InstructionId id) {
  const ElementType type = module.shape(id).element_type();
  const double wide = type == ElementType::kF64 || IsComplex(type) ? 8 : 1;
  // In plain loops of floats: what vector instructions do not have.
  constexpr double kSlow = 5;
  const std::optional<ElementwiseInfo> info = ElementwiseInfoOf(module.opcode(id));
  if (info && info->float_nanoseconds >= kSlow) return 2 * wide;
  if (IsFloat(type) && StorageBytes(type) == 1) return 10;
  return 0.15 * wide;
}

}  // namespace hloscope::codegen
