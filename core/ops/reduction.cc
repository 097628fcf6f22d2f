// SPDX-License-Identifier: Apache-2.0
// Ops that apply a scalar computation over arrays: reduce, reduce-window, map, scan (docs/ops/tensor.md 3).
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/ops/called_computation.h"
#include "core/ops/dimension_rules.h"
#include "core/ops/element_type_rules.h"
#include "core/ops/reducer_rules.h"
#include "core/ops/shape_inference.h"
#include "core/ops/window_rules.h"

namespace hloscope {
namespace {

// Operand `k` has the sizes of operand `first`.
bool CheckSameSizes(RuleContext& context, size_t first, size_t k) {
  if (SameSizes(context.operand_shape(first), context.operand_shape(k))) return true;
  ReportShapesDiffer(context, first, k, "");
  return false;
}

// The operands of reduce and reduce-window: N inputs of equal sizes, then N scalar initial values (REDU-1..2,
// RWIN-1..2). N, or nothing if it is in error.
std::optional<size_t> CheckInputsAndInits(RuleContext& context) {
  const size_t count = context.operand_count();
  if (count == 0 || count % 2 != 0) {
    context.Report(DiagnosticKind::kOperandCount, Anchor::OperandList(), context.opcode_name(),
                   "inputs and as many initial values", CountOf(count, "operand", "operands"));
    return std::nullopt;
  }
  bool ok = true;
  for (size_t k = 1; k < count / 2; ++k) ok = CheckSameSizes(context, 0, k) && ok;
  for (size_t k = count / 2; k < count; ++k) ok = CheckScalarOperand(context, k, "an initial value") && ok;
  return ok ? std::optional<size_t>(count / 2) : std::nullopt;
}

// The reducer of reduce and reduce-window over the first `count` operands.
std::optional<ReducerResult> CheckOperandReducer(RuleContext& context, size_t count) {
  ElementTypes inputs, inits;
  for (size_t k = 0; k < count; ++k) {
    inputs.push_back(context.operand_shape(k).element_type());
    inits.push_back(context.operand_shape(count + k).element_type());
  }
  return CheckReducer(context, AttributeKind::kToApply, inputs, inits, /*exact_parameters=*/true);
}

// `array` with each of the element types; a tuple if the reducer returns one.
Shape WithReducerTypes(const Shape& array, const ElementTypes& types, bool is_tuple) {
  if (!is_tuple) return WithElementType(array, types[0]);
  std::vector<Shape> elements;
  elements.reserve(types.size());
  for (ElementType type : types) elements.push_back(WithElementType(array, type));
  return Shape::Tuple(std::move(elements));
}

// reduce (3.1).
InferredShape InferReduce(RuleContext& context) {
  const std::optional<size_t> count = CheckInputsAndInits(context);
  CheckMixedPrecision(context);
  const absl::Span<const int64_t> dimensions = context.Ints(AttributeKind::kDimensions);
  const Shape* input = context.operand_count() > 0 ? &context.operand_shape(0) : nullptr;
  const bool dimensions_ok =
      input != nullptr && CheckDimensions(context, AttributeKind::kDimensions, dimensions, input->rank(), "the input");
  if (!count.has_value()) return std::nullopt;
  const std::optional<ReducerResult> reducer = CheckOperandReducer(context, *count);
  if (!reducer.has_value() || !dimensions_ok) return std::nullopt;

  const DimensionSet reduced(input->rank(), dimensions);
  DimensionVector sizes;
  absl::InlinedVector<bool, 6> dynamic;
  for (int64_t d = 0; d < input->rank(); ++d) {
    if (reduced.Contains(d)) continue;
    sizes.push_back(input->dimension(d));
    dynamic.push_back(input->IsDynamicDimension(d));
  }
  return WithReducerTypes(Shape::Array(input->element_type(), sizes, dynamic), reducer->types, reducer->is_tuple);
}

// reduce-window (3.2). Output k has the type of initial value k.
InferredShape InferReduceWindow(RuleContext& context) {
  const std::optional<size_t> count = CheckInputsAndInits(context);
  if (!count.has_value()) return std::nullopt;
  const std::optional<Shape> windows = InferWindowedShape(context, context.operand_shape(0));
  const std::optional<ReducerResult> reducer = CheckOperandReducer(context, *count);
  if (!windows.has_value() || !reducer.has_value()) return std::nullopt;
  ElementTypes types;
  for (size_t k = 0; k < *count; ++k) types.push_back(context.operand_shape(*count + k).element_type());
  return WithReducerTypes(*windows, types, reducer->is_tuple);
}

// map (3.3).
InferredShape InferMap(RuleContext& context) {
  if (context.operand_count() == 0) {
    context.Report(DiagnosticKind::kOperandCount, Anchor::OperandList(), context.opcode_name(), "at least 1 operand",
                   "none");
    return std::nullopt;
  }
  // MAP-2: compilers let scalars occur beside arrays.
  size_t shaped = 0;
  while (shaped + 1 < context.operand_count() && context.operand_shape(shaped).rank() == 0) ++shaped;
  if (context.operand_shape(shaped).rank() == 0) shaped = 0;
  const Shape& first = context.operand_shape(shaped);
  bool ok = true;
  for (size_t k = 0; k < context.operand_count(); ++k) {
    const Shape& operand = context.operand_shape(k);
    if (first.rank() > 0 && operand.rank() == 0 &&
        SameUpToFloatPrecision(first.element_type(), operand.element_type())) {
      ReportShapesDiffer(context, shaped, k, "", /*is_tolerated=*/true);
    } else if (k != shaped) {
      ok = CheckSameSizes(context, shaped, k) && ok;
    }
  }
  CheckMixedPrecision(context);
  const CalledComputation function(context, AttributeKind::kToApply);
  if (!function.IsReadable() || !CheckParameterCount(context, function, context.operand_count())) return std::nullopt;
  for (size_t k = 0; k < context.operand_count(); ++k) {
    const ElementType type = context.operand_shape(k).element_type();
    const Shape& parameter = function.parameter_shape(k);
    const bool same_type = context.options().allow_mixed_precision
                               ? SameUpToFloatPrecision(parameter.element_type(), type)
                               : parameter.element_type() == type;
    if (parameter.IsScalar() && same_type) continue;
    ReportParameter(context, function, k, absl::StrCat("it receives elements of type ", ElementTypeName(type)));
  }
  if (!function.result().IsScalar()) {
    ReportResult(context, function, "a scalar");
    return std::nullopt;
  }
  if (!ok) return std::nullopt;
  Shape result = WithElementType(first, function.result().element_type());
  for (size_t k = 0; k < context.operand_count(); ++k) {
    if (context.operand_shape(k).rank() != result.rank()) continue;
    for (int64_t d = 0; d < result.rank(); ++d) MeetDimension(context.operand_shape(k), d, &result);
  }
  return result;
}

Shape WithoutDimension(const Shape& array, int64_t dropped) {
  DimensionVector sizes;
  absl::InlinedVector<bool, 6> dynamic;
  for (int64_t d = 0; d < array.rank(); ++d) {
    if (d == dropped) continue;
    sizes.push_back(array.dimension(d));
    dynamic.push_back(array.IsDynamicDimension(d));
  }
  return Shape::Array(array.element_type(), sizes, dynamic);
}

Shape WithDimension(const Shape& array, int64_t inserted, int64_t size) {
  DimensionVector sizes(array.dimensions().begin(), array.dimensions().end());
  sizes.insert(sizes.begin() + inserted, size);
  absl::InlinedVector<bool, 6> dynamic;
  for (int64_t d = 0; d < static_cast<int64_t>(sizes.size()); ++d) {
    dynamic.push_back(d != inserted && array.IsDynamicDimension(d < inserted ? d : d - 1));
  }
  return Shape::Array(array.element_type(), sizes, dynamic);
}

// The checks of scan (3.4), which pair `inputs` inputs and `carries` carries with the parameters of to_apply, and its
// results with the results of to_apply.
class ScanRule {
 public:
  explicit ScanRule(RuleContext& context)
      : context_(context), body_(context, AttributeKind::kToApply), carries_(context.Int(AttributeKind::kNumCarries)) {}

  InferredShape Infer() {
    // SCAN-11.
    if (context_.options().layout_sensitive && !context_.Bool(AttributeKind::kIsAssociative)) {
      context_.Report(DiagnosticKind::kScanNotExpanded, Anchor::Opcode());
    }
    const absl::Span<const int64_t> dimensions = context_.Ints(AttributeKind::kDimensions);
    if (!CheckEntryCount(context_, AttributeKind::kDimensions, dimensions.size(), 1, "the scanned dimension")) {
      return std::nullopt;
    }
    dimension_ = dimensions[0];
    if (dimension_ < 0) {
      context_.Report(DiagnosticKind::kNegativeDimension, Anchor::Entry(AttributeKind::kDimensions, 0),
                      context_.opcode_name(), dimension_);
      return std::nullopt;
    }
    if (!CheckCarryCount() || !body_.IsReadable()) return std::nullopt;
    const bool sizes_ok = FindScanSize();
    if (!CheckParameterCount(context_, body_, context_.operand_count()) || !sizes_ok) return std::nullopt;
    CheckParameters();
    return InferResults();
  }

 private:
  size_t carry_count() const { return static_cast<size_t>(carries_); }
  size_t input_count() const { return context_.operand_count() - carry_count(); }
  size_t result_count() const {
    return body_.result().IsTuple() ? static_cast<size_t>(body_.result().tuple_size()) : 1;
  }
  size_t output_count() const { return result_count() - carry_count(); }

  // SCAN-2, as far as the operands go.
  bool CheckCarryCount() {
    if (carries_ >= 0 && carry_count() <= context_.operand_count() &&
        (!body_.IsReadable() || carry_count() <= result_count())) {
      return true;
    }
    context_.Report(DiagnosticKind::kScanCarryCount, Anchor::AttributeValue(AttributeKind::kNumCarries), carries_,
                    CountOf(context_.operand_count(), "operand", "operands"),
                    CountOf(body_.IsReadable() ? result_count() : 0, "result", "results"));
    return false;
  }

  // SCAN-3, 6, 7: the common size of the scanned dimension, taken from the declared outputs if there are no inputs.
  bool FindScanSize() {
    bool ok = true;
    for (size_t k = 0; k < input_count(); ++k) {
      const Shape& input = context_.operand_shape(k);
      if (!CheckDimension(context_, AttributeKind::kDimensions, dimension_, input.rank(), absl::StrCat("operand ", k),
                          0)) {
        ok = false;
        continue;
      }
      if (input.IsDynamicDimension(dimension_)) {
        context_.ReportTolerated(DiagnosticKind::kScanDynamic, Anchor::Operand(k), dimension_, k,
                                 input.ToString(false));
      }
      if (!size_.has_value()) {
        size_ = input.dimension(dimension_);
      } else if (*size_ != input.dimension(dimension_)) {
        context_.Report(DiagnosticKind::kScanSize, Anchor::Operand(k), k, input.dimension(dimension_), dimension_,
                        *size_);
        ok = false;
      }
    }
    if (size_.has_value() || input_count() > 0) return ok;
    if (output_count() == 0) {
      context_.Report(DiagnosticKind::kScanEmpty, Anchor::OperandList());
      return false;
    }
    const Shape& declared = context_.declared_shape();
    const Shape& output = declared.IsTuple() && declared.tuple_size() > 0 ? declared.element(0) : declared;
    if (!output.IsArray()) return false;
    if (!CheckDimension(context_, AttributeKind::kDimensions, dimension_, output.rank(), "result 0", 0)) return false;
    size_ = output.dimension(dimension_);
    return ok;
  }

  // SCAN-8, 9.
  void CheckParameters() {
    for (size_t k = 0; k < context_.operand_count(); ++k) {
      const Shape& operand = context_.operand_shape(k);
      const bool is_input = k < input_count();
      const Shape expected = is_input ? WithoutDimension(operand, dimension_) : operand;
      if (!ShapesCompatible(body_.parameter_shape(k), expected)) {
        ReportParameter(context_, body_, k,
                        absl::StrCat(is_input ? "one step of operand " : "the carry in operand ", k, " is ",
                                     expected.ToString(false)));
      }
      if (is_input) continue;
      const size_t carry = k - input_count();
      const Shape& leaving = body_.result(output_count() + carry);
      if (ShapesCompatible(body_.parameter_shape(k), leaving)) continue;
      context_.Report(DiagnosticKind::kScanCarry, body_.anchor(), carry, body_.parameter_shape(k).ToString(false),
                      leaving.ToString(false));
    }
  }

  // Stacked outputs, then final carries (SCAN-5 and SCAN-10 are left to the comparison with the declared shape).
  InferredShape InferResults() {
    std::vector<Shape> results;
    for (size_t k = 0; k < result_count(); ++k) {
      const Shape& value = body_.result(k);
      if (k >= output_count()) {
        results.push_back(value.WithoutLayout());
      } else if (!value.IsArray() || dimension_ > value.rank()) {
        ReportResult(context_, body_,
                     absl::StrCat("arrays of at least rank ", dimension_, " to stack along dimension ", dimension_));
        return std::nullopt;
      } else {
        results.push_back(WithDimension(value, dimension_, *size_));
      }
    }
    // A single result may be in a tuple or not, as the text says; without its word it is as to_apply returns it.
    const Shape& declared = context_.declared_shape();
    const bool is_tuple = declared.IsValid() ? declared.IsTuple() : body_.result().IsTuple();
    if (results.size() == 1 && !is_tuple) return results[0];
    return Shape::Tuple(std::move(results));
  }

  RuleContext& context_;
  CalledComputation body_;
  int64_t carries_;
  int64_t dimension_ = 0;
  std::optional<int64_t> size_;
};

}  // namespace

InferredShape InferReduction(RuleContext& context) {
  if (!CheckArrayOperands(context)) return std::nullopt;
  switch (context.opcode()) {
    case Opcode::kReduce:
      return context.Has(AttributeKind::kDimensions) ? InferReduce(context) : std::nullopt;
    case Opcode::kReduceWindow:
      return InferReduceWindow(context);
    case Opcode::kMap:
      return InferMap(context);
    case Opcode::kScan:
      if (!HasRequiredAttributes(context)) return std::nullopt;
      CheckMixedPrecision(context);
      return ScanRule(context).Infer();
    default:  // of another family
      return std::nullopt;
  }
}

}  // namespace hloscope
