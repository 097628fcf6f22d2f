// SPDX-License-Identifier: Apache-2.0
// rng, rng-bit-generator and rng-get-and-update-state (docs/ops/elementwise.md 11).
#include <string>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "core/ops/element_type_rules.h"
#include "core/ops/operand_fixes.h"
#include "core/ops/shape_inference.h"

namespace hloscope {
namespace {

// rng (11.2).
InferredShape InferRng(RuleContext& context) {
  const Shape& declared = context.declared_shape();
  if (context.operand_count() != 2) {
    context.Report(DiagnosticKind::kOperandCount, Anchor::OperandList(), context.opcode_name(), "2 operands",
                   context.operand_count());
    return declared;
  }
  if (!CheckArrayOperands(context)) return declared;
  bool scalars = true;
  for (size_t k = 0; k < 2; ++k) scalars = CheckScalarOperand(context, k, "a distribution parameter") && scalars;
  if (!CheckDeclaredArray(context) || !scalars) return std::nullopt;

  const ElementType a = context.operand_shape(0).element_type(), b = context.operand_shape(1).element_type();
  const ElementType result = declared.element_type();
  const bool forgiving = context.options().allow_mixed_precision;
  const auto same = [&](ElementType x, ElementType y) { return forgiving ? SameUpToFloatPrecision(x, y) : x == y; };
  if (!same(a, b) || !same(a, result)) {
    Diagnostic& diagnostic = context.Report(DiagnosticKind::kRngTypes, Anchor::OperandList(), ElementTypeName(a),
                                            ElementTypeName(b), ElementTypeName(result));
    absl::InlinedVector<size_t, 2> others;
    if (a != result) others.push_back(0);
    if (b != result) others.push_back(1);
    OfferConversion(context, diagnostic, others, result);
    return declared;
  }
  const RandomDistribution distribution =
      context.module().WordAttribute(context.id(), AttributeKind::kDistribution, RandomDistribution::kUniform);
  const bool defined = distribution == RandomDistribution::kUniform  ? !IsComplex(result)
                       : distribution == RandomDistribution::kNormal ? IsFloat(result)
                                                                     : false;
  if (!defined) {
    context.Report(DiagnosticKind::kRngDistribution, Anchor::AttributeValue(AttributeKind::kDistribution),
                   WordsOf(Enumeration::kRandomDistribution)[static_cast<size_t>(distribution)],
                   ElementTypeName(result));
  }
  return declared;
}

// RBG-4: the state's length fits the algorithm.
void CheckGeneratorState(RuleContext& context) {
  const Shape& state = context.operand_shape(0);
  const RandomAlgorithm algorithm =
      context.module().WordAttribute(context.id(), AttributeKind::kRngAlgorithm, RandomAlgorithm::kDefault);
  const bool three_fry = algorithm == RandomAlgorithm::kThreeFry;
  if (state.element_type() == ElementType::kU64 && state.rank() == 1 &&
      (state.dimension(0) == 2 || (state.dimension(0) == 3 && !three_fry))) {
    return;
  }
  context.Report(DiagnosticKind::kGeneratorState, Anchor::Operand(0),
                 WordsOf(Enumeration::kRandomAlgorithm)[static_cast<size_t>(algorithm)], state.ToString(false),
                 three_fry ? "u64[2]" : "u64[2] or u64[3]");
}

// RBG-5: `data`, which the result holds at `index`, is an array of integers.
void CheckGeneratedType(RuleContext& context, const Shape& data, ShapeIndex index) {
  if (data.IsArray() && IsInteger(data.element_type())) return;
  const auto part = data.IsArray() ? ShapePart::Kind::kElementType : ShapePart::Kind::kWhole;
  context.ReportShapePart(DiagnosticKind::kResultTypeUnsupported, ShapePart{part, 0, std::move(index)},
                          context.opcode_name(), kIntegerTypes.Describe(),
                          data.IsArray() ? std::string(ElementTypeName(data.element_type())) : data.ToString(false));
}

// rng-bit-generator (11.1).
InferredShape InferRngBitGenerator(RuleContext& context) {
  if (!CheckArrayOperands(context)) return std::nullopt;
  const Shape& state = context.operand_shape(0);
  const Shape& declared = context.declared_shape();
  CheckGeneratorState(context);
  // A result that is no tuple is the data alone, a form of old texts.
  if (!declared.IsTuple()) {
    CheckGeneratedType(context, declared, {});
    return declared;
  }
  if (declared.tuple_size() != 2) {
    context.Report(DiagnosticKind::kGeneratorResult, Anchor::Shape(), declared.ToString(false));
    return std::nullopt;
  }
  if (!ShapesCompatible(declared.element(0), state)) {
    const ShapePart part{ShapePart::Kind::kWhole, 0, {0}};
    context
        .ReportShapePart(DiagnosticKind::kGeneratorStateChanged, part, state.ToString(false),
                         declared.element(0).ToString(false))
        .Fix(absl::StrCat("change the state to ", state.ToString(false)), context.RangeOf(part), state.ToString(false));
  }
  CheckGeneratedType(context, declared.element(1), {1});
  return declared;
}

}  // namespace

InferredShape InferRandom(RuleContext& context) {
  if (context.opcode() == Opcode::kRngGetAndUpdateState) return Shape::Array(ElementType::kU64, {2});
  if (!context.declared_shape().IsValid() || !HasRequiredAttributes(context)) return std::nullopt;
  return context.opcode() == Opcode::kRng ? InferRng(context) : InferRngBitGenerator(context);
}

}  // namespace hloscope
