#include "codegen/elementwise.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "codegen/cpp_types.h"
#include "codegen/type_conversion.h"

namespace hloscope {
namespace {

// The function object of numerics/elements/elementwise_functions.h and complex_functions.h, which the compiled program
// carries along. Empty: there is none.
absl::string_view FunctionOf(Opcode opcode) {
  switch (opcode) {
    case Opcode::kAbs:
      return "Abs";
    case Opcode::kNegate:
      return "Negate";
    case Opcode::kSign:
      return "Sign";
    case Opcode::kNot:
      return "Not";
    case Opcode::kCountLeadingZeros:
      return "CountLeadingZeros";
    case Opcode::kPopcnt:
      return "PopulationCount";
    case Opcode::kCeil:
      return "Ceil";
    case Opcode::kFloor:
      return "Floor";
    case Opcode::kRoundNearestAfz:
      return "RoundNearestAfz";
    case Opcode::kRoundNearestEven:
      return "RoundNearestEven";
    case Opcode::kIsFinite:
      return "IsFinite";
    case Opcode::kReal:
      return "Real";
    case Opcode::kImag:
      return "Imag";
    case Opcode::kComplex:
      return "Make";
    case Opcode::kAdd:
      return "Add";
    case Opcode::kSubtract:
      return "Subtract";
    case Opcode::kMultiply:
      return "Multiply";
    case Opcode::kDivide:
      return "Divide";
    case Opcode::kRemainder:
      return "Remainder";
    case Opcode::kPower:
      return "Power";
    case Opcode::kMulhi:
      return "MultiplyHigh";
    case Opcode::kAtan2:
      return "Atan2";
    case Opcode::kMaximum:
      return "Maximum";
    case Opcode::kMinimum:
      return "Minimum";
    case Opcode::kClamp:
      return "Clamp";
    case Opcode::kAnd:
      return "And";
    case Opcode::kOr:
      return "Or";
    case Opcode::kXor:
      return "Xor";
    case Opcode::kShiftLeft:
      return "ShiftLeft";
    case Opcode::kShiftRightLogical:
      return "ShiftRightLogical";
    case Opcode::kShiftRightArithmetic:
      return "ShiftRightArithmetic";
    case Opcode::kExponential:
      return "Exponential";
    case Opcode::kExponentialMinusOne:
      return "ExponentialMinusOne";
    case Opcode::kLog:
      return "Log";
    case Opcode::kLogPlusOne:
      return "LogPlusOne";
    case Opcode::kLogistic:
      return "Logistic";
    case Opcode::kSqrt:
      return "Sqrt";
    case Opcode::kRsqrt:
      return "Rsqrt";
    case Opcode::kCbrt:
      return "Cbrt";
    case Opcode::kSine:
      return "Sine";
    case Opcode::kCosine:
      return "Cosine";
    case Opcode::kTan:
      return "Tan";
    case Opcode::kAsin:
      return "Asin";
    case Opcode::kAcos:
      return "Acos";
    case Opcode::kSinh:
      return "Sinh";
    case Opcode::kCosh:
      return "Cosh";
    case Opcode::kTanh:
      return "Tanh";
    case Opcode::kAsinh:
      return "Asinh";
    case Opcode::kAcosh:
      return "Acosh";
    case Opcode::kAtanh:
      return "Atanh";
    case Opcode::kErf:
      return "Erf";
    default:
      return "";
  }
}

bool IsTranscendental(Opcode opcode) {
  return opcode == Opcode::kPower || opcode == Opcode::kAtan2 || opcode == Opcode::kRemainder ||
         (opcode >= Opcode::kInvalid && InfoOf(opcode).family == OpFamily::kElementwise && FunctionOf(opcode) != "" &&
          [&] {
            switch (opcode) {
              case Opcode::kExponential:
              case Opcode::kExponentialMinusOne:
              case Opcode::kLog:
              case Opcode::kLogPlusOne:
              case Opcode::kLogistic:
              case Opcode::kCbrt:
              case Opcode::kSine:
              case Opcode::kCosine:
              case Opcode::kTan:
              case Opcode::kAsin:
              case Opcode::kAcos:
              case Opcode::kSinh:
              case Opcode::kCosh:
              case Opcode::kTanh:
              case Opcode::kAsinh:
              case Opcode::kAcosh:
              case Opcode::kAtanh:
              case Opcode::kErf:
                return true;
              default:
                return false;
            }
          }());
}

bool IsDefined(Opcode opcode, ElementType type) {
  const bool is_logic =
      opcode == Opcode::kAnd || opcode == Opcode::kOr || opcode == Opcode::kXor || opcode == Opcode::kNot;
  const bool is_bits = opcode == Opcode::kShiftLeft || opcode == Opcode::kShiftRightLogical ||
                       opcode == Opcode::kShiftRightArithmetic || opcode == Opcode::kPopcnt ||
                       opcode == Opcode::kCountLeadingZeros || opcode == Opcode::kMulhi;
  const bool is_arithmetic =
      opcode == Opcode::kAdd || opcode == Opcode::kMultiply || opcode == Opcode::kMaximum || opcode == Opcode::kMinimum;
  const bool is_more_arithmetic = is_arithmetic || opcode == Opcode::kSubtract || opcode == Opcode::kDivide ||
                                  opcode == Opcode::kRemainder || opcode == Opcode::kPower ||
                                  opcode == Opcode::kNegate || opcode == Opcode::kClamp;
  switch (KindOf(type)) {
    case ElementKind::kPredicate:
      return is_logic || is_arithmetic || opcode == Opcode::kClamp;
    case ElementKind::kUnsigned:
      return is_logic || is_more_arithmetic || (is_bits && !(opcode == Opcode::kMulhi && BitWidth(type) < 8));
    case ElementKind::kSigned:
      return is_logic || is_more_arithmetic || opcode == Opcode::kAbs || opcode == Opcode::kSign ||
             (is_bits && !(opcode == Opcode::kMulhi && BitWidth(type) < 8));
    case ElementKind::kFloat:
      return !is_logic && !is_bits && FunctionOf(opcode) != "";
    case ElementKind::kComplex:
      return !is_logic && !is_bits && FunctionOf(opcode) != "" && opcode != Opcode::kRemainder &&
             opcode != Opcode::kClamp && opcode != Opcode::kErf && opcode != Opcode::kCbrt &&
             opcode != Opcode::kIsFinite && opcode != Opcode::kCeil && opcode != Opcode::kFloor &&
             opcode != Opcode::kRoundNearestAfz && opcode != Opcode::kRoundNearestEven;
    case ElementKind::kOther:
      break;
  }
  return false;
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

absl::StatusOr<std::string> Arithmetic(Opcode opcode, absl::Span<const ElementType> types, ElementType result,
                                       absl::Span<const std::string> operands) {
  const ElementType type = types[0];
  const absl::string_view function = FunctionOf(opcode);
  if (function.empty() || !IsDefined(opcode, opcode == Opcode::kComplex ? result : type)) {
    return absl::UnimplementedError(
        absl::StrCat("it is not defined for ", ElementTypeName(type), " with a result of ", ElementTypeName(result)));
  }
  std::vector<std::string> x(operands.begin(), operands.end());
  if (IsComplex(type) || opcode == Opcode::kComplex) {
    return absl::StrCat("hloscope::complex_functions::", function, "()(", absl::StrJoin(x, ", "), ")");
  }
  if (opcode == Opcode::kReal) return x[0];
  if (opcode == Opcode::kImag) return absl::StrCat("Zero()(", x[0], ")");
  if (type == ElementType::kPred) {
    switch (opcode) {
      case Opcode::kNot:
        return absl::StrCat("LogicalNot()(", x[0], ")");
      case Opcode::kAdd:
      case Opcode::kMaximum:
        return absl::StrCat("Or()(", x[0], ", ", x[1], ")");
      case Opcode::kMultiply:
      case Opcode::kMinimum:
        return absl::StrCat("And()(", x[0], ", ", x[1], ")");
      case Opcode::kClamp:
        return absl::StrCat("LogicalClamp()(", absl::StrJoin(x, ", "), ")");
      default:
        return absl::StrCat(function, "()(", absl::StrJoin(x, ", "), ")");
    }
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
    } else if (opcode == Opcode::kExponential && !is_double) {
      expression = absl::StrCat("hloscope::float_math::ExpSingle(", x[0], ")");
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
      module.WordAttribute(id, AttributeKind::kComparisonType, ComparisonType::kFloat) == ComparisonType::kTotalOrder;
  std::vector<std::string> x(operands.begin(), operands.end());
  if (IsComplex(types[0])) {
    return absl::StrCat("hloscope::complex_functions::", direction == ComparisonDirection::kEq ? "Equal" : "NotEqual",
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
  if (IsTranscendental(module.opcode(id))) return 2 * wide;
  if (IsFloat(type) && StorageBytes(type) == 1) return 10;
  return 0.15 * wide;
}

}  // namespace hloscope
