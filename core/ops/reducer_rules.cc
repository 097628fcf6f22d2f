// SPDX-License-Identifier: Apache-2.0
#include "core/ops/reducer_rules.h"

#include "absl/strings/str_cat.h"
#include "core/ops/called_computation.h"
#include "core/ops/element_type_rules.h"

namespace hloscope {
namespace {

bool IsScalarLike(const Shape& shape, ElementType type) {
  return shape.IsScalar() && SameUpToFloatPrecision(shape.element_type(), type);
}

// RED-2..5: a scalar, or a tuple of `count` scalars (with one value either form will do).
bool CheckResultForm(RuleContext& context, const CalledComputation& reducer, size_t count) {
  const Shape& result = reducer.result();
  bool ok = result.IsTuple() ? static_cast<size_t>(result.tuple_size()) == count : result.IsArray() && count == 1;
  for (size_t i = 0; ok && i < count; ++i) ok = reducer.result(i).IsScalar();
  if (!ok) {
    ReportResult(context, reducer, count == 1 ? "a scalar" : absl::StrCat("a tuple of ", count, " scalars"));
  }
  return ok;
}

// RED-6..9 for value `i` of `count`. One diagnostic for each parameter is enough.
bool CheckValue(RuleContext& context, const CalledComputation& reducer, size_t i, size_t count, ElementType input,
                ElementType init) {
  const Shape& accumulator = reducer.result(i);
  bool ok = true;
  if (!ShapesCompatible(reducer.parameter_shape(i), accumulator)) {
    ok = false;
    ReportParameter(context, reducer, i,
                    absl::StrCat("it carries result ", i, ", which is ", accumulator.ToString(false)));
  }
  if (!SameUpToFloatPrecision(accumulator.element_type(), init)) {
    ok = false;
    context.Report(DiagnosticKind::kReducerInit, reducer.anchor(), context.opcode_name(), i,
                   accumulator.ToString(false), reducer.attribute_name(), ElementTypeName(init));
  }
  const Shape& element = reducer.parameter_shape(count + i);
  if (!IsScalarLike(element, input)) {
    ok = false;
    ReportParameter(context, reducer, count + i, absl::StrCat("it receives elements of type ", ElementTypeName(input)));
  } else if (!SameUpToFloatPrecision(element.element_type(), accumulator.element_type())) {
    ok = false;
    ReportParameter(context, reducer, count + i, absl::StrCat("result ", i, " is ", accumulator.ToString(false)));
  }
  return ok;
}

}  // namespace

std::optional<ReducerResult> CheckReducer(RuleContext& context, AttributeKind attribute,
                                          absl::Span<const ElementType> inputs, absl::Span<const ElementType> inits,
                                          bool exact_parameters) {
  const CalledComputation reducer(context, attribute);
  if (!reducer.IsReadable()) return std::nullopt;
  const size_t count = inputs.size();
  const bool parameters_ok = CheckParameterCount(context, reducer, 2 * count);
  if (!CheckResultForm(context, reducer, count) || !parameters_ok) return std::nullopt;

  bool ok = true;
  for (size_t i = 0; i < count; ++i) ok = CheckValue(context, reducer, i, count, inputs[i], inits[i]) && ok;
  if (!ok) return std::nullopt;

  if (exact_parameters && !context.options().allow_mixed_precision) {
    for (size_t j = 0; j < 2 * count; ++j) {
      const ElementType operand = j < count ? inputs[j] : inits[j - count];
      if (reducer.parameter_shape(j).element_type() == operand) continue;
      ReportParameter(
          context, reducer, j,
          absl::StrCat("operand ", j, " has element type ", ElementTypeName(operand), "; mixed precision is disabled"));
    }
  }
  ReducerResult result;
  result.is_tuple = reducer.result().IsTuple();
  for (size_t i = 0; i < count; ++i) result.types.push_back(reducer.result(i).element_type());
  return result;
}

}  // namespace hloscope
