// SPDX-License-Identifier: Apache-2.0
#include "core/ops/asynchronous.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/ops/called_computation.h"
#include "core/ops/element_type_rules.h"
#include "core/ops/operand_aliasing.h"
#include "core/ops/shape_inference.h"
#include "core/ops/shape_matching.h"
#include "core/ops/tuple.h"

namespace hloscope {
namespace {

// Chains have a few links. The start of a longer one counts as unknown, so that checking a module stays linear.
constexpr int kMaxChainLength = 1000;

// Custom calls that annotate a value and return it.
bool IsAnnotation(absl::string_view target) {
  static constexpr absl::string_view kTargets[] = {"Sharding",
                                                   "LocalToGlobalShape",
                                                   "GlobalToLocalShape",
                                                   "xla.sdy.LocalToGlobalShape",
                                                   "xla.sdy.GlobalToLocalShape",
                                                   "xla.sdy.FuncResultSharding"};
  return std::find(std::begin(kTargets), std::end(kTargets), target) != std::end(kTargets);
}

bool CheckAsyncForm(RuleContext& context) {
  if (HasAsyncForm(context.declared_shape())) return true;
  // Without a declared shape there is nothing to check: the reader has reported that.
  if (context.declared_shape().IsValid()) {
    context.Report(DiagnosticKind::kAsyncShape, Anchor::Shape(), context.opcode_name(),
                   ShapeText(context.declared_shape()));
  }
  return false;
}

// The parameters of a computation as a tuple; nothing if one could not be read.
std::optional<Shape> ParameterTuple(const RuleContext& context, ComputationId computation) {
  std::vector<Shape> shapes = context.ParameterShapes(computation);
  for (const Shape& shape : shapes) {
    if (!shape.IsValid()) return std::nullopt;
  }
  return Shape::Tuple(std::move(shapes));
}

// Which parts of a link's shape fit the computation. Where one does not, nothing more is said about it.
struct BoundParts {
  bool operands_fit = true, result_fits = true;
};

// V101, V102: what is bound so far is a prefix of what the wrapped computation takes and returns.
BoundParts CheckBoundPrefixes(RuleContext& context, ComputationId wrapped) {
  const Shape& shape = context.declared_shape();
  const bool with_layout = context.options().layout_sensitive;
  BoundParts parts;
  if (const auto parameters = ParameterTuple(context, wrapped)) {
    parts.operands_fit = IsShapePrefix(shape.element(0), *parameters, context.options());
    if (!parts.operands_fit && WasReadWhole(context.module(), wrapped)) {
      context.Report(DiagnosticKind::kAsyncOperands, Anchor::Shape(), context.opcode_name(),
                     absl::StrCat("the bound operands ", ShapeText(shape.element(0), with_layout),
                                  " are not the first parameters of `", context.module().ComputationName(wrapped),
                                  "`, which takes ", ShapeText(*parameters, with_layout)));
    }
  }
  const Shape& result = context.RootShape(wrapped);
  parts.result_fits = !result.IsValid() || IsShapePrefix(shape.element(1), result, context.options());
  if (!parts.result_fits) {
    context.Report(
        DiagnosticKind::kAsyncResult, Anchor::Shape(), context.opcode_name(),
        absl::StrCat("the result part ", ShapeText(shape.element(1), with_layout), " does not fit `",
                     context.module().ComputationName(wrapped), "`, which returns ", ShapeText(result, with_layout),
                     DescribeDifference(shape.element(1), result, with_layout)));
  }
  return parts;
}

// V106. A start decides on which thread its computation runs, so only another start can want a different one. That
// updates and dones repeat the thread of their start is for the reader to check.
void CheckThread(RuleContext& context, ComputationId wrapped) {
  const absl::string_view written =
      context.module().StringAttribute(context.id(), AttributeKind::kAsyncExecutionThread);
  const absl::string_view thread = context.Has(AttributeKind::kAsyncExecutionThread) ? written : "main";
  const Computation& computation = context.module().computation(wrapped);
  if (thread == computation.execution_thread) return;
  context.Report(DiagnosticKind::kAsyncThread, Anchor::Attribute(AttributeKind::kAsyncExecutionThread),
                 context.opcode_name(), thread, context.module().ComputationName(wrapped),
                 computation.execution_thread);
}

// V114: operands are the parameters of the wrapped computation, and the output is all that the chain will carry,
// whatever of it the start has bound.
void CheckStartAliasing(RuleContext& context, ComputationId wrapped) {
  const std::vector<AliasEntry>* entries =
      context.module().AliasingAttribute(context.id(), AttributeKind::kOutputToOperandAliasing);
  if (entries == nullptr) return;
  const std::vector<Shape> parameters = context.ParameterShapes(wrapped);
  const std::optional<Shape> parameter_tuple = ParameterTuple(context, wrapped);
  const Shape& result = context.RootShape(wrapped);
  if (!parameter_tuple.has_value() || !result.IsValid()) return;
  const absl::Span<const Shape> declared = context.declared_shape().elements();
  std::vector<Shape> elements(declared.begin(), declared.end());
  elements[0] = *parameter_tuple;
  elements[1] = result;
  const auto match = [&](const Shape& output, const Shape& operand) {
    const Shape& a = output.IsBuffer() ? output.element(0) : output;
    const Shape& b = operand.IsBuffer() ? operand.element(0) : operand;
    return ShapesMatch(a, b, context.options());
  };
  for (const AliasEntry& entry : *entries) {
    if (!entry.output_index.empty()) continue;
    ReportOperandAliasing(context, entry, "the output index must lead to a part of the result");
    return;
  }
  CheckOperandAliasing(context, Shape::Tuple(std::move(elements)), parameters, match);
}

InferredShape InferAsyncStart(RuleContext& context) {
  if (!CheckAsyncForm(context)) return std::nullopt;
  const Shape& declared = context.declared_shape();
  const ComputationId wrapped = context.Called(AttributeKind::kCalls);
  if (wrapped.has_value()) {
    CheckThread(context, wrapped);
    CheckBoundPrefixes(context, wrapped);
    CheckStartAliasing(context, wrapped);
  }
  // V103.
  std::vector<Shape> elements(declared.elements().begin(), declared.elements().end());
  std::vector<Shape> operands;
  for (size_t k = 0; k < context.operand_count(); ++k) operands.push_back(context.operand_shape(k));
  elements[0] = Shape::Tuple(std::move(operands));
  return Shape::Tuple(std::move(elements));
}

// V115.
void CheckUpdateAliasing(RuleContext& context) {
  const std::vector<AliasEntry>* entries =
      context.module().AliasingAttribute(context.id(), AttributeKind::kOutputToOperandAliasing);
  if (entries == nullptr) return;
  for (const AliasEntry& entry : *entries) {
    const bool context_only = !entry.output_index.empty() && entry.output_index[0] >= 2 &&
                              !entry.operand_index.empty() && entry.operand_index[0] >= 2;
    if (entry.operand != 0 || !context_only) {
      ReportOperandAliasing(context, entry, "an update may only alias the context (index 2 and up) of its operand 0");
      return;
    }
  }
  CheckOperandAliasing(context, context.declared_shape(), [&](const Shape& output, const Shape& operand) {
    return ShapesMatch(output, operand, context.options());
  });
}

// Operand 0 of an update or done carries an asynchronous value (V104, V107).
bool CheckAsyncOperand(RuleContext& context) {
  if (context.operand_count() == 0) {
    context.Report(DiagnosticKind::kOperandCount, Anchor::OperandList(), context.opcode_name(),
                   "the start or update that it continues", 0);
    return false;
  }
  const InstructionId producer = context.operand(0);
  const Module& module = context.module();
  const Opcode opcode = module.opcode(producer);
  if (opcode == Opcode::kParameter || IsAsyncLink(opcode) || opcode == Opcode::kInvalid ||
      (PassesAsyncValueOn(module, producer) && opcode != Opcode::kTuple)) {
    if (HasAsyncForm(module.shape(producer))) return true;
    if (IsAsyncLink(opcode)) return false;  // said of that link
    context.Report(DiagnosticKind::kAsyncShape, Anchor::Operand(0), context.opcode_name(),
                   ShapeText(module.shape(producer)));
    return false;
  }
  context.Report(DiagnosticKind::kAsyncProducer, Anchor::Operand(0), context.opcode_name(),
                 "async-start` or `async-update", module.InstructionName(producer), OpcodeName(opcode));
  return false;
}

InferredShape InferAsyncUpdate(RuleContext& context) {
  if (!CheckAsyncForm(context) || !CheckAsyncOperand(context)) return std::nullopt;
  const Shape& previous = context.operand_shape(0);
  const Shape& declared = context.declared_shape();
  CheckUpdateAliasing(context);
  const ComputationId wrapped = WrappedComputation(context.module(), context.id());
  BoundParts parts;
  if (wrapped.has_value()) parts = CheckBoundPrefixes(context, wrapped);
  if (parts.result_fits && !IsShapePrefix(previous.element(1), declared.element(1), context.options())) {
    context.Report(DiagnosticKind::kAsyncResult, Anchor::Shape(), context.opcode_name(),
                   absl::StrCat("the result part is ", ShapeText(declared.element(1)),
                                ", but operand 0 has already bound ", ShapeText(previous.element(1))));
  }
  if (!parts.operands_fit) return std::nullopt;
  std::vector<Shape> bound(previous.element(0).elements().begin(), previous.element(0).elements().end());
  for (size_t k = 1; k < context.operand_count(); ++k) bound.push_back(context.operand_shape(k));
  std::vector<Shape> elements(declared.elements().begin(), declared.elements().end());
  elements[0] = Shape::Tuple(std::move(bound));
  return Shape::Tuple(std::move(elements));
}

// The operands that the links from `link` back to its start take; 0 if the start is not known.
int64_t LinkedOperands(const Module& module, InstructionId link) {
  int64_t count = 0;
  for (int steps = 0; steps < kMaxChainLength && link.has_value() && IsAsyncLink(module.opcode(link)); ++steps) {
    const auto operands = module.operands(link);
    count += static_cast<int64_t>(operands.size());
    if (module.opcode(link) == Opcode::kAsyncStart) return count;
    if (operands.empty()) return 0;
    --count;
    link = operands[0];
  }
  return 0;
}

InferredShape InferAsyncDone(RuleContext& context) {
  if (!CheckAsyncOperand(context)) return std::nullopt;
  if (context.operand_count() > 1) {
    context.Report(DiagnosticKind::kOperandCount, Anchor::OperandList(), context.opcode_name(), "1 operand",
                   context.operand_count());
    return std::nullopt;
  }
  const ComputationId wrapped = WrappedComputation(context.module(), context.id());
  if (!wrapped.has_value()) return std::nullopt;
  // V112. A link whose shape lists fewer operands than it binds has a diagnostic of its own.
  const int64_t bound =
      std::max(context.operand_shape(0).element(0).tuple_size(), LinkedOperands(context.module(), context.operand(0)));
  const int64_t parameters = static_cast<int64_t>(context.module().computation(wrapped).parameters.size());
  if (bound < parameters) {
    context.Report(
        DiagnosticKind::kAsyncUnbound, Anchor::Operand(0), CountOf(static_cast<size_t>(bound), "operand", "operands"),
        context.module().ComputationName(wrapped), CountOf(static_cast<size_t>(parameters), "parameter", "parameters"));
  }
  const Shape& result = context.RootShape(wrapped);
  if (!result.IsValid()) return std::nullopt;
  // Where the operand carries another result than the computation returns, the diagnostic is at the operand.
  const Shape& carried = context.operand_shape(0).element(1);
  if (!IsShapePrefix(carried, result, context.options()) && context.declared_shape() == carried) return std::nullopt;
  return result;
}

// V133. Index 0 is the destination, index 1 the source.
InferredShape InferCopyDone(RuleContext& context) {
  if (FollowsUnfitStart(context, 2) || !CheckTupleOperand(context, 0)) return std::nullopt;
  const Shape& operand = context.operand_shape(0);
  if (operand.tuple_size() < 2) {
    context.Report(DiagnosticKind::kAsyncShape, Anchor::Operand(0), context.opcode_name(), ShapeText(operand));
    return std::nullopt;
  }
  // A start whose two elements differ has a shape that differs from its operand.
  if (context.module().opcode(context.operand(0)) == Opcode::kCopyStart &&
      !ShapesMatch(operand.element(0), operand.element(1), context.options(), LayoutMatching::MinorToMajorOnly())) {
    return std::nullopt;
  }
  LayoutMatching matching;
  matching.ignore_memory_space = matching.ignore_split_configs = true;
  if (!ShapesMatch(operand.element(0), operand.element(1), context.options(), matching)) {
    const bool with_layout = context.options().layout_sensitive;
    context.Report(DiagnosticKind::kCopyPair, Anchor::Operand(0), ShapeText(operand.element(0), with_layout),
                   ShapeText(operand.element(1), with_layout),
                   DescribeDifference(operand.element(0), operand.element(1), with_layout));
    return std::nullopt;
  }
  return operand.element(0);
}

// True if a start or update of this shape has all arguments and the result slot of `wrapped` bound.
bool IsFullyBound(const Module& module, const Shape& shape, ComputationId wrapped) {
  const Computation& computation = module.computation(wrapped);
  if (shape.tuple_size() < 2 || !computation.root.has_value()) return false;
  return shape.element(0).tuple_size() == static_cast<int64_t>(computation.parameters.size()) &&
         ShapesCompatible(shape.element(1), module.shape(computation.root));
}

}  // namespace

bool FollowsUnfitStart(const RuleContext& context, int64_t elements) {
  const Shape& shape = context.operand_shape(0);
  return context.module().opcode(context.operand(0)) == StartOf(context.opcode()) &&
         (!shape.IsTuple() || shape.tuple_size() < elements);
}

bool HasAsyncForm(const Shape& shape) {
  return shape.IsTuple() && shape.tuple_size() >= 2 && shape.element(0).IsTuple();
}

Opcode StartOf(Opcode done) {
  switch (done) {
    case Opcode::kAsyncDone:
      return Opcode::kAsyncStart;
    case Opcode::kCopyDone:
      return Opcode::kCopyStart;
    case Opcode::kAllReduceDone:
      return Opcode::kAllReduceStart;
    case Opcode::kAllGatherDone:
      return Opcode::kAllGatherStart;
    case Opcode::kCollectivePermuteDone:
      return Opcode::kCollectivePermuteStart;
    case Opcode::kSendDone:
      return Opcode::kSend;
    case Opcode::kRecvDone:
      return Opcode::kRecv;
    default:
      return Opcode::kInvalid;
  }
}

Opcode DoneOf(Opcode start) {
  switch (start) {
    case Opcode::kAsyncStart:
      return Opcode::kAsyncDone;
    case Opcode::kCopyStart:
      return Opcode::kCopyDone;
    case Opcode::kAllReduceStart:
      return Opcode::kAllReduceDone;
    case Opcode::kAllGatherStart:
      return Opcode::kAllGatherDone;
    case Opcode::kCollectivePermuteStart:
      return Opcode::kCollectivePermuteDone;
    case Opcode::kSend:
      return Opcode::kSendDone;
    case Opcode::kRecv:
      return Opcode::kRecvDone;
    default:
      return Opcode::kInvalid;
  }
}

bool PassesAsyncValueOn(const Module& module, InstructionId id) {
  switch (module.opcode(id)) {
    case Opcode::kTuple:
    case Opcode::kGetTupleElement:
    case Opcode::kWhile:
    case Opcode::kCall:
    case Opcode::kConditional:
    case Opcode::kOptBarrier:
    case Opcode::kDomain:
    case Opcode::kCopy:
      return true;
    case Opcode::kCustomCall:
      return IsAnnotation(module.StringAttribute(id, AttributeKind::kCustomCallTarget));
    default:
      return false;
  }
}

InstructionId FindAsyncStart(const Module& module, InstructionId link) {
  InstructionId at = link;
  std::vector<int64_t> elements;  // tuple elements still to be taken, innermost last
  for (int steps = 0; steps < kMaxChainLength; ++steps) {
    if (!at.has_value()) return at;
    const auto operands = module.operands(at);
    switch (module.opcode(at)) {
      case Opcode::kAsyncStart:
        return elements.empty() ? at : InstructionId::None();
      case Opcode::kTuple:
        if (elements.empty() || elements.back() < 0 || elements.back() >= static_cast<int64_t>(operands.size())) {
          return InstructionId::None();
        }
        at = operands[static_cast<size_t>(elements.back())];
        elements.pop_back();
        continue;
      case Opcode::kGetTupleElement:
        if (operands.empty()) return InstructionId::None();
        elements.push_back(module.IntAttribute(at, AttributeKind::kIndex));
        at = operands[0];
        continue;
      case Opcode::kAsyncUpdate:
      case Opcode::kAsyncDone:
        if (operands.empty() || !elements.empty()) return InstructionId::None();
        at = operands[0];
        continue;
      case Opcode::kWhile:
      case Opcode::kOptBarrier:
      case Opcode::kDomain:
      case Opcode::kCopy:
      case Opcode::kCustomCall:
        if (operands.empty() || !PassesAsyncValueOn(module, at)) return InstructionId::None();
        at = operands[0];
        continue;
      default:
        return InstructionId::None();
    }
  }
  return InstructionId::None();
}

ComputationId WrappedComputation(const Module& module, InstructionId link) {
  const ComputationId own = module.ComputationAttribute(link, AttributeKind::kCalls);
  if (own.has_value()) return own;
  const InstructionId start = FindAsyncStart(module, link);
  return start.has_value() ? module.ComputationAttribute(start, AttributeKind::kCalls) : ComputationId::None();
}

InferredShape InferAsynchronous(RuleContext& context) {
  switch (context.opcode()) {
    case Opcode::kAsyncStart:
      return InferAsyncStart(context);
    case Opcode::kAsyncUpdate:
      return InferAsyncUpdate(context);
    case Opcode::kAsyncDone:
      return InferAsyncDone(context);
    case Opcode::kCopyStart: {
      const Shape& operand = context.operand_shape(0);
      return Shape::Tuple({operand, operand, Shape::Scalar(ElementType::kU32)});
    }
    case Opcode::kCopyDone:
      return InferCopyDone(context);
    default:  // of another family
      return std::nullopt;
  }
}

bool AsyncLaunches(const Module& module, InstructionId id) {
  const Opcode opcode = module.opcode(id);
  const ComputationId wrapped = WrappedComputation(module, id);
  // Where a chain comes into a loop or out of a call its computation is not known; it was launched before.
  if (!wrapped.has_value()) return opcode == Opcode::kAsyncStart;
  const bool launched_before = opcode != Opcode::kAsyncStart && !module.operands(id).empty() &&
                               IsFullyBound(module, module.shape(module.operand(id, 0)), wrapped);
  if (launched_before) return false;
  return opcode == Opcode::kAsyncDone || IsFullyBound(module, module.shape(id), wrapped);
}

}  // namespace hloscope
