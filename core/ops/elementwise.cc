// SPDX-License-Identifier: Apache-2.0
#include "core/ops/elementwise.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/ops/dimension_rules.h"
#include "core/ops/operand_fixes.h"
#include "core/ops/shape_inference.h"
#include "core/ops/shape_matching.h"

namespace hloscope {
namespace {

constexpr TypeSet kNumeric = kIntegerTypes | kFloatOrComplexTypes;
constexpr TypeSet kReal = kPredicateTypes | kIntegerTypes | kFloatTypes;

// True for a static size 1, which inference stretches before the implicit broadcast is rejected.
bool IsStretchable(const Shape& shape, int64_t d) { return shape.dimension(d) == 1 && !shape.IsDynamicDimension(d); }

// Combines dimension `d` of two operands of equal rank by the table of 2.2. The combined size goes to `result`, which
// holds the left operand's dimensions. False if the sizes cannot meet.
bool CombineDimension(const Shape& rhs, int64_t d, Shape* result) {
  if (IsStretchable(rhs, d)) return true;
  if (!IsStretchable(*result, d)) return MeetDimension(rhs, d, result);
  result->set_dimension(d, rhs.dimension(d));
  result->set_dynamic_dimension(d, rhs.IsDynamicDimension(d));
  return true;
}

// The dimensions of `larger` that the dimensions of `smaller` match: the trailing ones if those fit, else the first
// that do. Empty if none fit.
DimensionVector MatchDimensions(const Shape& smaller, const Shape& larger) {
  DimensionVector trailing, first;
  const int64_t offset = larger.rank() - smaller.rank();
  for (int64_t d = 0; d < smaller.rank() && smaller.dimension(d) == larger.dimension(d + offset); ++d) {
    trailing.push_back(d + offset);
  }
  if (static_cast<int64_t>(trailing.size()) == smaller.rank()) return trailing;
  for (int64_t d = 0; d < larger.rank() && static_cast<int64_t>(first.size()) < smaller.rank(); ++d) {
    if (larger.dimension(d) == smaller.dimension(static_cast<int64_t>(first.size()))) first.push_back(d);
  }
  return static_cast<int64_t>(first.size()) == smaller.rank() ? first : DimensionVector();
}

// EW-10: operand `k` is smaller than the result that inference made of all operands.
void ReportImplicitBroadcast(RuleContext& context, size_t k, const Shape& result) {
  const Shape& operand = context.operand_shape(k);
  DimensionVector kept;
  for (int64_t d = 0; d < operand.rank(); ++d) {
    if (operand.dimension(d) == result.dimension(d)) kept.push_back(d);
  }
  Diagnostic& diagnostic =
      context.Report(DiagnosticKind::kImplicitBroadcast, Anchor::Operand(k), context.opcode_name(), k,
                     operand.ToString(false), result.ToString(false), BroadcastText(context, k, result, kept));
  OfferBroadcast(context, diagnostic, k, result, kept);
}

// EW-8.
void ReportRanksDiffer(RuleContext& context) {
  const Shape& a = context.operand_shape(0);
  const Shape& b = context.operand_shape(1);
  const size_t smaller = a.rank() < b.rank() ? 0 : 1;
  const Shape& target = context.operand_shape(1 - smaller);
  const DimensionVector dimensions = MatchDimensions(context.operand_shape(smaller), target);
  const std::string example =
      dimensions.empty() ? ""
                         : absl::StrCat(", for example `", BroadcastText(context, smaller, target, dimensions), "`");
  Diagnostic& diagnostic = context.Report(DiagnosticKind::kOperandRanksDiffer, Anchor::Operand(smaller),
                                          context.opcode_name(), a.ToString(false), b.ToString(false), example);
  if (dimensions.empty()) return;
  OfferBroadcast(context, diagnostic, smaller, target, dimensions);
}

// Dimensions and flags of the result of a two-operand op, with the left operand's element type and layout (2.2).
InferredShape CombineOperands(RuleContext& context) {
  const Shape& a = context.operand_shape(0);
  const Shape& b = context.operand_shape(1);
  if (a.rank() != b.rank()) {
    if (a.rank() != 0 && b.rank() != 0) {
      ReportRanksDiffer(context);
      return std::nullopt;
    }
    const size_t scalar = a.rank() == 0 ? 0 : 1;
    Shape result = context.operand_shape(1 - scalar);
    ReportImplicitBroadcast(context, scalar, result);
    return WithElementType(std::move(result), a.element_type());
  }
  Shape result = a;
  for (int64_t d = 0; d < a.rank(); ++d) {
    if (CombineDimension(b, d, &result)) continue;
    ReportShapesDiffer(context, 0, 1, absl::StrCat(": dimension ", d, " is ", a.dimension(d), " and ", b.dimension(d)));
    return std::nullopt;
  }
  for (size_t k = 0; k < 2; ++k) {
    if (!SameSizes(context.operand_shape(k), result)) ReportImplicitBroadcast(context, k, result);
  }
  return result;
}

// EW-4, EW-5, CPLX-1 and CPLX-2 for operands [first, operand_count). A type is reported once.
bool CheckElementTypes(RuleContext& context, const ElementwiseTypes& types, size_t first) {
  bool ok = true;
  for (size_t k = first; k < context.operand_count(); ++k) {
    const ElementType type = context.operand_shape(k).element_type();
    if (k > first && type == context.operand_shape(k - 1).element_type()) continue;
    if (!types.accepted.Contains(type)) {
      CheckOperandType(context, k, types.accepted);
      ok = false;
    } else if (IsComplex(type) && (context.opcode() == Opcode::kMaximum || context.opcode() == Opcode::kMinimum)) {
      // Accepted with a warning: StableHLO defines it and frameworks emit it.
      context.Report(DiagnosticKind::kComplexExtremum, Anchor::Operand(k), context.opcode_name());
    } else if (!types.defined.Contains(type) || (context.opcode() == Opcode::kMulhi && BitWidth(type) < 8)) {
      context.Report(DiagnosticKind::kUndefinedForType, Anchor::Operand(k), context.opcode_name(),
                     ElementTypeName(type));
    }
  }
  return ok;
}

// The result type of an op that reads operands of the (already checked) type.
ElementType ResultType(ElementwiseResult result, ElementType type) {
  switch (result) {
    case ElementwiseResult::kSame:
      return type;
    case ElementwiseResult::kPredicate:
      return ElementType::kPred;
    case ElementwiseResult::kComponent:
      return ComplexComponent(type);
    case ElementwiseResult::kComplex:
      return ComplexOf(type);
  }
  return type;
}

// CPLX-2: the parts of a complex number are both f32 or both f64.
bool CheckComplexParts(RuleContext& context) {
  const ElementType real = context.operand_shape(0).element_type();
  const ElementType imaginary = context.operand_shape(1).element_type();
  if (real == imaginary && ComplexOf(real) != ElementType::kInvalid) return true;
  Diagnostic& diagnostic = context.Report(DiagnosticKind::kComplexParts, Anchor::OperandList(), ElementTypeName(real),
                                          ElementTypeName(imaginary));
  const bool has_f64 = real == ElementType::kF64 || imaginary == ElementType::kF64;
  const ElementType part = has_f64 ? ElementType::kF64 : ElementType::kF32;
  if (real != part && imaginary != part) {
    OfferConversion(context, diagnostic, {0, 1}, part);
  } else {
    OfferConversion(context, diagnostic, {real != part ? size_t{0} : size_t{1}}, part);
  }
  return false;
}

// CMP-2 and CMP-3.
void CheckComparison(RuleContext& context) {
  const ElementType type = context.operand_shape(0).element_type();
  if (const Attribute* written = context.module().FindAttribute(context.id(), AttributeKind::kComparisonType)) {
    const ComparisonType order = static_cast<ComparisonType>(written->payload);
    const ComparisonType expected = DefaultComparisonType(type);
    // Every type has a total order. Compilers keep of the type only whether the order is total, which every type but
    // FLOAT says.
    if (order != expected && order != ComparisonType::kTotalOrder) {
      const absl::Span<const absl::string_view> words = WordsOf(Enumeration::kComparisonType);
      const Anchor anchor = Anchor::AttributeValue(AttributeKind::kComparisonType);
      const absl::string_view word = words[static_cast<size_t>(expected)];
      const absl::string_view found = words[static_cast<size_t>(order)], type_name = ElementTypeName(type);
      Diagnostic& diagnostic =
          order == ComparisonType::kFloat
              ? context.Report(DiagnosticKind::kComparisonType, anchor, found, type_name, word, "")
              : context.ReportTolerated(DiagnosticKind::kComparisonType, anchor, found, type_name, word,
                                        IsFloat(type) ? " or TOTALORDER, as which it is computed" : "");
      diagnostic.Fix(absl::StrCat("change the order to ", word), context.RangeOf(anchor), std::string(word));
    }
  }
  if (!IsComplex(type)) return;
  const ComparisonDirection direction =
      context.module().WordAttribute(context.id(), AttributeKind::kDirection, ComparisonDirection::kEq);
  if (direction == ComparisonDirection::kEq || direction == ComparisonDirection::kNe) return;
  context.Report(DiagnosticKind::kComplexOrder, Anchor::AttributeValue(AttributeKind::kDirection),
                 WordsOf(Enumeration::kComparisonDirection)[static_cast<size_t>(direction)]);
}

InferredShape InferUnary(RuleContext& context, const ElementwiseTypes& types) {
  if (!CheckElementTypes(context, types, 0)) return std::nullopt;
  const Shape& operand = context.operand_shape(0);
  return WithElementType(operand, ResultType(types.result, operand.element_type()));
}

InferredShape InferBinary(RuleContext& context, const ElementwiseTypes& types) {
  const bool types_ok = CheckElementTypes(context, types, 0);
  const bool same_types = types_ok && CheckSameOperandTypes(context, 0, 1);
  const Shape& a = context.operand_shape(0);
  const Shape& b = context.operand_shape(1);
  InferredShape result = &a == &b ? InferredShape(a) : CombineOperands(context);
  if (!same_types) return std::nullopt;
  if (context.opcode() == Opcode::kComplex) {
    if (!CheckComplexParts(context)) return std::nullopt;
  } else if (a.element_type() != b.element_type()) {
    CheckMixedPrecision(context);
  }
  if (context.opcode() == Opcode::kCompare) CheckComparison(context);
  if (!result.has_value()) return std::nullopt;
  const ElementType type = WiderType(a.element_type(), b.element_type());
  return WithElementType(*std::move(result), ResultType(types.result, type));
}

// clamp(low, value, high) (6.2).
InferredShape InferClamp(RuleContext& context, const ElementwiseTypes& types) {
  const bool types_ok = CheckElementTypes(context, types, 0);
  bool ok = types_ok;
  const Shape& value = context.operand_shape(1);
  for (size_t k : {0, 2}) {
    const Shape& bound = context.operand_shape(k);
    if (types_ok && !SameUpToFloatPrecision(bound.element_type(), value.element_type())) {
      ReportTypesDiffer(context, 1, k);
      ok = false;
    }
    if (bound.rank() != 0 && !SameSizes(bound, value)) {
      Diagnostic& diagnostic = context.Report(DiagnosticKind::kClampBound, Anchor::Operand(k), k, bound.ToString(false),
                                              value.ToString(false));
      context.RelateOperand(diagnostic, k);
      context.RelateOperand(diagnostic, 1);
      OfferScalar(context, diagnostic, k);
    }
  }
  if (ok) CheckMixedPrecision(context);
  return value;
}

// select(predicate, on_true, on_false) (6.4).
InferredShape InferSelect(RuleContext& context) {
  const bool predicate_ok = CheckOperandType(context, 0, kPredicateTypes);
  const Shape& predicate = context.operand_shape(0);
  const Shape& on_true = context.operand_shape(1);
  const Shape& on_false = context.operand_shape(2);
  if (!SameUpToFloatPrecision(on_true.element_type(), on_false.element_type()) || !SameSizes(on_true, on_false)) {
    Diagnostic& diagnostic =
        context.Report(DiagnosticKind::kSelectBranches, Anchor::Operand(2), on_true.ToString(false),
                       on_false.ToString(false), DescribeDifference(on_false, on_true, /*with_layout=*/false));
    context.RelateOperand(diagnostic, 1);
    context.RelateOperand(diagnostic, 2);
    if (SameSizes(on_true, on_false)) {
      OfferConversion(context, diagnostic, {2}, on_true.element_type());
    } else if (SameUpToFloatPrecision(on_true.element_type(), on_false.element_type())) {
      if (on_false.rank() == 0) OfferBroadcast(context, diagnostic, 2, on_true, {});
      if (on_true.rank() == 0) OfferBroadcast(context, diagnostic, 1, on_false, {});
    }
    return std::nullopt;
  }
  if (predicate_ok && predicate.rank() != 0 && !SameSizes(predicate, on_true)) {
    Diagnostic& diagnostic = context.Report(DiagnosticKind::kSelectPredicate, Anchor::Operand(0),
                                            predicate.ToString(false), on_true.ToString(false));
    context.RelateOperand(diagnostic, 0);
    context.RelateOperand(diagnostic, 1);
    if (predicate.rank() < on_true.rank()) {
      const DimensionVector dimensions = MatchDimensions(predicate, on_true);
      if (!dimensions.empty()) OfferBroadcast(context, diagnostic, 0, on_true, dimensions);
    }
    return std::nullopt;
  }
  CheckMixedPrecision(context);
  if (&on_true == &on_false && !predicate.IsDynamic()) return on_true;
  Shape result = WithElementType(on_true, WiderType(on_true.element_type(), on_false.element_type()));
  for (int64_t d = 0; d < result.rank(); ++d) {
    CombineDimension(on_false, d, &result);
    if (predicate_ok && predicate.rank() != 0) CombineDimension(predicate, d, &result);
  }
  return result;
}

}  // namespace

ElementwiseTypes ElementwiseTypesOf(Opcode opcode) {
  switch (opcode) {
    case Opcode::kAbs: {
      const TypeSet types = kSignedTypes | kFloatOrComplexTypes;
      return {types, types, ElementwiseResult::kComponent};
    }
    case Opcode::kSign:
      return {kSignedTypes | kFloatOrComplexTypes, kSignedTypes | kFloatOrComplexTypes};
    case Opcode::kCbrt:
    case Opcode::kCeil:
    case Opcode::kErf:
    case Opcode::kFloor:
    case Opcode::kRoundNearestAfz:
    case Opcode::kRoundNearestEven:
      return {kFloatTypes, kFloatTypes};
    case Opcode::kIsFinite:
      return {kFloatTypes, kFloatTypes, ElementwiseResult::kPredicate};
    case Opcode::kNot:
    case Opcode::kAnd:
    case Opcode::kOr:
    case Opcode::kXor:
      return {kPredicateTypes | kIntegerTypes, kPredicateTypes | kIntegerTypes};
    case Opcode::kCountLeadingZeros:
    case Opcode::kPopcnt:
      return {kIntegerTypes, kIntegerTypes};
    case Opcode::kReal:
    case Opcode::kImag:
      return {kFloatOrComplexTypes, kFloatOrComplexTypes, ElementwiseResult::kComponent};
    case Opcode::kAdd:
    case Opcode::kMultiply:
      return {kAnyArrayTypes, kAnyArrayTypes};
    case Opcode::kNegate:
    case Opcode::kSubtract:
    case Opcode::kDivide:
    case Opcode::kPower:
      return {kNumeric, kNumeric};
    case Opcode::kRemainder:
      return {kNumeric, kIntegerTypes | kFloatTypes};
    case Opcode::kMaximum:  // complex operands: see CheckElementTypes
    case Opcode::kMinimum:
    case Opcode::kClamp:
      return {kAnyArrayTypes, kReal};
    case Opcode::kMulhi:
      return {kAnyArrayTypes, kIntegerTypes};
    case Opcode::kShiftLeft:
    case Opcode::kShiftRightArithmetic:
    case Opcode::kShiftRightLogical:
      return {kNumeric, kIntegerTypes};
    case Opcode::kComplex:
      return {kFloatTypes, kFloatTypes, ElementwiseResult::kComplex};
    case Opcode::kCompare:
      return {kAnyArrayTypes, kAnyArrayTypes, ElementwiseResult::kPredicate};
    case Opcode::kSelect:
      return {kAnyArrayTypes, kAnyArrayTypes};
    case Opcode::kAcos:
    case Opcode::kAcosh:
    case Opcode::kAsin:
    case Opcode::kAsinh:
    case Opcode::kAtan2:
    case Opcode::kAtanh:
    case Opcode::kCosh:
    case Opcode::kCosine:
    case Opcode::kExponential:
    case Opcode::kExponentialMinusOne:
    case Opcode::kLog:
    case Opcode::kLogPlusOne:
    case Opcode::kLogistic:
    case Opcode::kRsqrt:
    case Opcode::kSine:
    case Opcode::kSinh:
    case Opcode::kSqrt:
    case Opcode::kTan:
    case Opcode::kTanh:
      return {kFloatOrComplexTypes, kFloatOrComplexTypes};
    default:  // of another family
      return {};
  }
}

ComparisonType DefaultComparisonType(ElementType type) {
  if (IsSigned(type)) return ComparisonType::kSigned;
  if (IsUnsigned(type) || type == ElementType::kPred) return ComparisonType::kUnsigned;
  return ComparisonType::kFloat;
}

InferredShape InferElementwise(RuleContext& context) {
  if (!CheckArrayOperands(context)) return std::nullopt;
  switch (context.opcode()) {
    case Opcode::kClamp:
      return InferClamp(context, ElementwiseTypesOf(Opcode::kClamp));
    case Opcode::kSelect:
      return InferSelect(context);
    default: {
      const ElementwiseTypes types = ElementwiseTypesOf(context.opcode());
      return context.operand_count() == 1 ? InferUnary(context, types) : InferBinary(context, types);
    }
  }
}

}  // namespace hloscope
