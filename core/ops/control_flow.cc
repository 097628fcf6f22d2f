// SPDX-License-Identifier: Apache-2.0
#include "core/ops/control_flow.h"

#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "core/ops/called_computation.h"
#include "core/ops/element_type_rules.h"
#include "core/ops/frontend_attributes.h"
#include "core/ops/operand_aliasing.h"
#include "core/ops/shape_inference.h"
#include "core/ops/shape_matching.h"

namespace hloscope {
namespace {

// Null if the parameter or its shape could not be read.
const Shape* ReadableParameter(const RuleContext& context, ComputationId callee, size_t number) {
  const InstructionId parameter = context.module().computation(callee).parameters[number];
  if (!parameter.has_value() || !context.module().shape(parameter).IsValid()) return nullptr;
  return &context.module().shape(parameter);
}

// Argument `operand` of the instruction must match parameter `number` of the callee (V051, V055, V073).
void CheckArgument(RuleContext& context, size_t operand, ComputationId callee, size_t number) {
  const Shape* parameter = ReadableParameter(context, callee, number);
  const Shape& argument = context.operand_shape(operand);
  if (parameter == nullptr || ShapesMatch(argument, *parameter, context.options())) return;
  const bool with_layout = context.options().layout_sensitive;
  context
      .Report(DiagnosticKind::kArgumentShape, Anchor::Operand(operand), context.opcode_name(), operand,
              ShapeText(argument, with_layout), number, context.module().ComputationName(callee),
              ShapeText(*parameter, with_layout), DescribeDifference(argument, *parameter, with_layout))
      .Related(context.RangeOf(context.module().computation(callee).parameters[number], Anchor::Instruction()),
               "the parameter");
}

// The callee must take exactly one parameter, which matches the operand.
void CheckSingleArgument(RuleContext& context, size_t operand, ComputationId callee, AttributeKind attribute) {
  const size_t count = context.module().computation(callee).parameters.size();
  if (count != 1) {
    if (!WasReadWhole(context.module(), callee)) return;
    context.Report(DiagnosticKind::kArgumentCount, Anchor::Attribute(attribute), context.opcode_name(), "1 argument",
                   context.module().ComputationName(callee), CountOf(count, "parameter", "parameters"));
    return;
  }
  CheckArgument(context, operand, callee, 0);
}

void ReportResult(RuleContext& context, ComputationId callee, AttributeKind attribute, const Shape& actual,
                  const Shape& expected, bool is_tolerated = false) {
  const bool with_layout = context.options().layout_sensitive;
  const auto report = [&](const auto&... args) -> Diagnostic& {
    return is_tolerated ? context.ReportTolerated(DiagnosticKind::kCalleeResult, Anchor::Attribute(attribute), args...)
                        : context.Report(DiagnosticKind::kCalleeResult, Anchor::Attribute(attribute), args...);
  };
  report(context.opcode_name(), context.module().ComputationName(callee), ShapeText(actual, with_layout),
         ShapeText(expected, with_layout), DescribeDifference(actual, expected, with_layout))
      .Related(context.RangeOf(context.module().computation(callee).root, Anchor::Instruction()), "the result");
}

// V054. The attributes of a frontend operation that a call stands for.
void CheckComposite(RuleContext& context) {
  const auto find = [&](absl::string_view key) { return FindFrontendAttribute(context.module(), context.id(), key); };
  const Anchor anchor =
      Anchor::Attribute(context.Has(AttributeKind::kFrontendAttributes) ? AttributeKind::kFrontendAttributes
                                                                        : AttributeKind::kIsComposite);
  const std::string* name = find("composite.name");
  if (name == nullptr || name->empty()) {
    context.Report(DiagnosticKind::kCompositeCall, anchor, "a frontend attribute `composite.name` that is not empty");
  }
  const std::string* dictionary = find("composite.attributes");
  if (dictionary != nullptr && dictionary->empty()) {
    context.Report(DiagnosticKind::kCompositeCall, anchor,
                   "`composite.attributes` to hold a dictionary; an empty one is written {}");
  }
  const std::string* version = find("composite.version");
  int64_t number = 0;
  if (version != nullptr && (!absl::SimpleAtoi(*version, &number) || number < 0)) {
    context.Report(DiagnosticKind::kCompositeCall, anchor,
                   absl::StrCat("`composite.version` to be an integer from 0 on, not \"", *version, "\""));
  }
}

InferredShape InferCall(RuleContext& context) {
  if (context.Bool(AttributeKind::kIsComposite)) CheckComposite(context);
  const ComputationId callee = context.Called(AttributeKind::kToApply);
  if (!callee.has_value()) return std::nullopt;
  const size_t parameters = context.module().computation(callee).parameters.size();
  if (parameters != context.operand_count()) {
    if (WasReadWhole(context.module(), callee)) {
      context.Report(DiagnosticKind::kArgumentCount, Anchor::OperandList(), context.opcode_name(),
                     CountOf(context.operand_count(), "argument", "arguments"),
                     context.module().ComputationName(callee), CountOf(parameters, "parameter", "parameters"));
    }
  } else {
    for (size_t k = 0; k < parameters; ++k) CheckArgument(context, k, callee, k);
  }
  const Shape& result = context.RootShape(callee);
  return result.IsValid() ? InferredShape(result) : std::nullopt;
}

InferredShape InferWhile(RuleContext& context) {
  const Shape& state = context.operand_shape(0);
  const ComputationId condition = context.Called(AttributeKind::kCondition);
  if (condition.has_value()) {
    CheckSingleArgument(context, 0, condition, AttributeKind::kCondition);
    const Shape& result = context.RootShape(condition);
    if (result.IsValid() && !(result.IsScalar() && result.element_type() == ElementType::kPred)) {
      ReportResult(context, condition, AttributeKind::kCondition, result, Shape::Scalar(ElementType::kPred));
    }
  }
  const ComputationId body = context.Called(AttributeKind::kBody);
  if (!body.has_value()) return state;
  CheckSingleArgument(context, 0, body, AttributeKind::kBody);
  const Shape& result = context.RootShape(body);
  if (!result.IsValid() || ShapesMatch(result, state, context.options())) return state;
  // V057 compares the loop with what its body returns, not with its operand.
  const Shape& declared = context.declared_shape();
  if (!declared.IsValid() || ShapesMatch(declared, state, context.options())) {
    ReportResult(context, body, AttributeKind::kBody, result, state);
    return state;
  }
  ReportResult(context, body, AttributeKind::kBody, result, state, /*is_tolerated=*/true);
  return result;
}

// Makes a dimension of `shape` dynamic where one of `other`, a compatible shape, is.
Shape MergeDynamicDimensions(const Shape& shape, const Shape& other) {
  if (!other.IsDynamic()) return shape;
  if (shape.IsTuple()) {
    std::vector<Shape> elements;
    for (int64_t i = 0; i < shape.tuple_size(); ++i) {
      elements.push_back(MergeDynamicDimensions(shape.element(i), other.element(i)));
    }
    return Shape::Tuple(std::move(elements));
  }
  Shape merged = shape;
  for (int64_t d = 0; d < shape.rank(); ++d) {
    if (other.IsUnboundedDimension(d)) merged.set_dimension(d, kUnboundedSize);
    if (other.IsDynamicDimension(d)) merged.set_dynamic_dimension(d, true);
  }
  return merged;
}

// The attribute that names branch `b`.
AttributeKind BranchAttribute(const RuleContext& context, size_t b) {
  if (context.Has(AttributeKind::kBranchComputations)) return AttributeKind::kBranchComputations;
  return b == 0 ? AttributeKind::kTrueComputation : AttributeKind::kFalseComputation;
}

// V058: the selector, and the spelling of the branches that goes with its type.
bool CheckSelector(RuleContext& context) {
  const Shape& selector = context.operand_shape(0);
  const bool is_predicate = selector.IsScalar() && selector.element_type() == ElementType::kPred;
  if (!is_predicate && !(selector.IsScalar() && selector.element_type() == ElementType::kS32)) {
    context.Report(DiagnosticKind::kBranchSelector, Anchor::Operand(0), ShapeText(selector));
    return false;
  }
  const bool pair = context.Has(AttributeKind::kTrueComputation) && context.Has(AttributeKind::kFalseComputation);
  const bool either = context.Has(AttributeKind::kTrueComputation) || context.Has(AttributeKind::kFalseComputation);
  const bool list = context.Has(AttributeKind::kBranchComputations);
  if (is_predicate ? (pair && !list) : (list && !either)) return true;
  context.Report(DiagnosticKind::kBranchAttributes, Anchor::Opcode(), is_predicate ? "pred[]" : "s32[]",
                 is_predicate ? "`true_computation` and `false_computation`" : "`branch_computations`");
  return false;
}

InferredShape InferConditional(RuleContext& context) {
  if (context.operand_count() == 0) {
    context.Report(DiagnosticKind::kOperandCount, Anchor::OperandList(), context.opcode_name(),
                   "a selector and one argument for each branch", 0);
    return std::nullopt;
  }
  if (!CheckSelector(context)) return std::nullopt;
  const std::vector<ComputationId> branches = BranchesOf(context.module(), context.id());
  if (branches.empty() || context.operand_count() != branches.size() + 1) {
    context.Report(DiagnosticKind::kOperandCount, Anchor::OperandList(), context.opcode_name(),
                   branches.empty()
                       ? "at least one branch"
                       : absl::StrCat(branches.size() + 1, " operands, the selector and one for each branch"),
                   context.operand_count());
    return std::nullopt;
  }
  InferredShape result;
  for (size_t b = 0; b < branches.size(); ++b) {
    if (!branches[b].has_value()) continue;
    CheckSingleArgument(context, b + 1, branches[b], BranchAttribute(context, b));
    const Shape& root = context.RootShape(branches[b]);
    if (!root.IsValid()) continue;
    if (!result) {
      result = root;
    } else if (!ShapesMatch(root, *result, context.options())) {
      ReportResult(context, branches[b], BranchAttribute(context, b), root, *result);
    } else {
      result = MergeDynamicDimensions(*result, root);
    }
  }
  return result;
}

InferredShape InferFusion(RuleContext& context) {
  const ComputationId callee = context.Called(AttributeKind::kCalls);
  if (!callee.has_value()) return std::nullopt;
  const Module& module = context.module();
  const size_t parameters = module.computation(callee).parameters.size();
  if (parameters > context.operand_count()) {
    context.Report(DiagnosticKind::kArgumentCount, Anchor::OperandList(), context.opcode_name(),
                   CountOf(context.operand_count(), "operand", "operands"), module.ComputationName(callee),
                   CountOf(parameters, "parameter", "parameters"));
    return std::nullopt;
  }
  if (parameters < context.operand_count() && WasReadWhole(module, callee)) {
    context.Report(DiagnosticKind::kSurplusOperands, Anchor::Operand(parameters), context.opcode_name(),
                   CountOf(context.operand_count(), "operand", "operands"), module.ComputationName(callee),
                   CountOf(parameters, "parameter", "parameters"));
  }
  for (size_t k = 0; k < parameters; ++k) CheckArgument(context, k, callee, k);
  const Shape& result = context.RootShape(callee);
  if (!result.IsValid()) return std::nullopt;
  // V076. Inside fusions tiles and memory spaces have no meaning, so they are not compared.
  LayoutMatching matching;
  matching.ignore_memory_space = matching.ignore_tiles = true;
  CheckOperandAliasing(context, result, [&](const Shape& output, const Shape& operand) {
    return ShapesMatch(output, operand, context.options(), matching);
  });
  return result;
}

}  // namespace

std::vector<ComputationId> BranchesOf(const Module& module, InstructionId conditional) {
  const auto list = module.ComputationsAttribute(conditional, AttributeKind::kBranchComputations);
  if (module.HasAttribute(conditional, AttributeKind::kBranchComputations)) return {list.begin(), list.end()};
  if (!module.HasAttribute(conditional, AttributeKind::kTrueComputation) &&
      !module.HasAttribute(conditional, AttributeKind::kFalseComputation)) {
    return {};
  }
  return {module.ComputationAttribute(conditional, AttributeKind::kTrueComputation),
          module.ComputationAttribute(conditional, AttributeKind::kFalseComputation)};
}

InferredShape InferControlFlow(RuleContext& context) {
  switch (context.opcode()) {
    case Opcode::kCall:
      return InferCall(context);
    case Opcode::kWhile:
      return InferWhile(context);
    case Opcode::kConditional:
      return InferConditional(context);
    case Opcode::kFusion:
      return InferFusion(context);
    default:  // of another family
      return std::nullopt;
  }
}

}  // namespace hloscope
