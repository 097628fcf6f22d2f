// SPDX-License-Identifier: Apache-2.0
#include "core/ops/custom_call.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "core/ops/element_type_rules.h"
#include "core/ops/frontend_attributes.h"
#include "core/ops/operand_aliasing.h"
#include "core/ops/shape_inference.h"
#include "core/ops/shape_matching.h"

namespace hloscope {
namespace {

void VisitBuffers(const Shape& shape, ShapeIndex* index,
                  absl::FunctionRef<void(const ShapeIndex&, const Shape&)> visit) {
  if (shape.IsBuffer()) {
    visit(*index, shape);
  } else if (shape.HasBuffer()) {
    for (int64_t i = 0; i < shape.tuple_size(); ++i) {
      index->push_back(i);
      VisitBuffers(shape.element(i), index, visit);
      index->pop_back();
    }
  }
}

// What a buffer holds; the shape itself if it is no buffer.
const Shape& Contents(const Shape& shape) {
  return shape.IsBuffer() && shape.tuple_size() == 1 ? shape.element(0) : shape;
}

// An array of one element, whatever its rank.
bool IsEffectiveScalar(const Shape& shape) {
  return shape.IsArray() &&
         std::all_of(shape.dimensions().begin(), shape.dimensions().end(), [](int64_t size) { return size == 1; });
}

bool IsBufferTarget(absl::string_view target) {
  return target == "Pin" || target == "Unpin" || target == "CreateBuffer";
}

void ReportTarget(RuleContext& context, Anchor anchor, absl::string_view rule) {
  context.Report(DiagnosticKind::kCustomCallSignature, anchor, CustomCallTarget(context.module(), context.id()), rule);
}

// V085: one shape for each operand. Layouts are always there: reading a text fills in those that it leaves out.
void CheckLayoutConstraints(RuleContext& context) {
  const std::vector<Shape>* constraints =
      context.module().ShapesAttribute(context.id(), AttributeKind::kOperandLayoutConstraints);
  if (constraints == nullptr) return;
  const Anchor anchor = Anchor::Attribute(AttributeKind::kOperandLayoutConstraints);
  if (constraints->size() != context.operand_count()) {
    context.Report(
        DiagnosticKind::kLayoutConstraint, anchor,
        absl::StrCat("operand_layout_constraints has ", CountOf(constraints->size(), "shape", "shapes"), " for ",
                     CountOf(context.operand_count(), "operand", "operands"), "; it needs one for each"));
    return;
  }
  for (size_t k = 0; k < constraints->size(); ++k) {
    const Shape& constraint = (*constraints)[k];
    const Shape& operand = context.operand_shape(k);
    const Anchor entry = Anchor::Entry(AttributeKind::kOperandLayoutConstraints, k);
    if (!ShapesCompatible(constraint, operand)) {
      context.Report(DiagnosticKind::kLayoutConstraint, entry,
                     absl::StrCat("the constraint ", ShapeText(constraint), " does not fit operand ", k, ", which is ",
                                  ShapeText(operand), DescribeDifference(constraint, operand, false)));
    }
  }
}

// V090-V092.
void CheckBufferTarget(RuleContext& context, absl::string_view target) {
  const Shape& result = context.declared_shape();
  const std::vector<AliasEntry>* aliasing =
      context.module().AliasingAttribute(context.id(), AttributeKind::kOutputToOperandAliasing);
  if (target == "CreateBuffer") {
    if (context.operand_count() != 0)
      ReportTarget(context, Anchor::OperandList(), absl::StrCat("takes no operands, got ", context.operand_count()));
    if (!result.IsBuffer())
      ReportTarget(context, Anchor::Shape(), absl::StrCat("returns one buffer, not ", ShapeText(result)));
    return;
  }
  const bool is_pin = target == "Pin";
  if (context.operand_count() != 1) {
    ReportTarget(context, Anchor::OperandList(),
                 absl::StrCat(is_pin ? "takes one array, got " : "takes one buffer, got ",
                              CountOf(context.operand_count(), "operand", "operands")));
    return;
  }
  const Shape& operand = context.operand_shape(0);
  if (is_pin ? !operand.IsArray() : !operand.IsBuffer()) {
    ReportTarget(context, Anchor::Operand(0),
                 absl::StrCat(is_pin ? "takes one array, not " : "takes one buffer, not ", ShapeText(operand)));
    return;
  }
  if (is_pin ? !result.IsBuffer() : !result.IsArray()) {
    ReportTarget(context, Anchor::Shape(),
                 absl::StrCat(is_pin ? "returns one buffer, not " : "returns one array, not ", ShapeText(result)));
    return;
  }
  if (!ShapesMatch(Contents(operand), Contents(result), context.options())) {
    ReportTarget(context, Anchor::Shape(),
                 absl::StrCat("keeps the shape ", ShapeText(Contents(operand), context.options().layout_sensitive)));
  }
  if (aliasing == nullptr || aliasing->size() != 1) {
    ReportTarget(context, Anchor::Opcode(), "needs `output_to_operand_aliasing={{}: (0, {})}`");
  }
}

// V089.
void CheckGetRngSeed(RuleContext& context) {
  const Shape& result = context.declared_shape();
  if (context.operand_count() != 0)
    ReportTarget(context, Anchor::OperandList(), absl::StrCat("takes no operands, got ", context.operand_count()));
  if (!(result.IsScalar() && result.element_type() == ElementType::kU64)) {
    ReportTarget(context, Anchor::Shape(), absl::StrCat("returns u64[], not ", ShapeText(result)));
  }
}

// V093: every buffer passed in or out is aliased to exactly one on the other side.
void CheckBuffersAreAliased(RuleContext& context) {
  const std::vector<AliasEntry>* aliasing =
      context.module().AliasingAttribute(context.id(), AttributeKind::kOutputToOperandAliasing);
  const auto count = [&](auto matches) {
    size_t n = 0;
    if (aliasing != nullptr) {
      for (const AliasEntry& entry : *aliasing) n += matches(entry) ? 1 : 0;
    }
    return n;
  };
  for (size_t k = 0; k < context.operand_count(); ++k) {
    ForEachBufferLeaf(context.operand_shape(k), [&](const ShapeIndex& index, const Shape&) {
      const size_t n = count([&](const AliasEntry& entry) {
        return entry.operand == static_cast<int64_t>(k) && entry.operand_index == index;
      });
      if (n == 1) return;
      context.Report(DiagnosticKind::kBufferAliasing, Anchor::Operand(k),
                     absl::StrCat("buffer ", ShapeIndexText(index), " of operand ", k), n == 0 ? "no" : "more than one",
                     "result");
    });
  }
  ForEachBufferLeaf(context.declared_shape(), [&](const ShapeIndex& index, const Shape&) {
    const size_t n = count([&](const AliasEntry& entry) { return entry.output_index == index; });
    if (n == 1) return;
    context.Report(DiagnosticKind::kBufferAliasing, Anchor::Shape(),
                   absl::StrCat("buffer ", ShapeIndexText(index), " of the result"), n == 0 ? "no" : "more than one",
                   "operand");
  });
}

// V088.
void CheckAliasing(RuleContext& context, absl::string_view target) {
  constexpr absl::string_view kSkip = "xla_skip_custom_call_alias_shape_check";
  if (FindFrontendAttribute(context.module(), context.id(), kSkip) != nullptr) return;
  CheckOperandAliasing(context, context.declared_shape(), [&](const Shape& output, const Shape& operand) {
    const bool changes_kind = target == "Pin" || target == "Unpin";
    const Shape& a = changes_kind ? Contents(output) : output;
    const Shape& b = changes_kind ? Contents(operand) : operand;
    LayoutMatching matching;
    matching.ignore_memory_space = IsEffectiveScalar(b);
    return ShapesMatch(a, b, context.options(), matching);
  });
}

}  // namespace

absl::Span<const absl::string_view> IdentityCustomCallTargets() {
  static constexpr absl::string_view kTargets[] = {"Sharding",
                                                   "xla.sdy.FuncResultSharding",
                                                   "xla.sdy.PropagationBarrier",
                                                   "ShardBarrierFrom",
                                                   "ShardBarrierTo",
                                                   "annotate_device_placement",
                                                   "MoveToHost",
                                                   "MoveToDevice",
                                                   "PinToDevice",
                                                   "PinToDeviceSram",
                                                   "LayoutConstraint",
                                                   "AssumeGatherIndicesInBound",
                                                   "GatherScatterIndicesBitpacked",
                                                   "SetBound",
                                                   "Pin",
                                                   "Unpin"};
  return kTargets;
}

bool IsIdentityCustomCall(const Module& module, InstructionId id) {
  if (module.opcode(id) != Opcode::kCustomCall) return false;
  const absl::Span<const absl::string_view> targets = IdentityCustomCallTargets();
  return std::find(targets.begin(), targets.end(), CustomCallTarget(module, id)) != targets.end();
}

void ForEachBufferLeaf(const Shape& shape, absl::FunctionRef<void(const ShapeIndex&, const Shape&)> visit) {
  ShapeIndex index;
  VisitBuffers(shape, &index, visit);
}

InferredShape InferCustomCall(RuleContext& context) {
  const absl::string_view target = CustomCallTarget(context.module(), context.id());
  // V086.
  if (context.Has(AttributeKind::kToApply) && context.Has(AttributeKind::kCalledComputations)) {
    context.ReportTolerated(DiagnosticKind::kTwoCallees, Anchor::Attribute(AttributeKind::kToApply));
  }
  if (target != "LayoutConstraint" && target != "control_dep") CheckLayoutConstraints(context);
  if (context.declared_shape().IsValid()) {
    CheckAliasing(context, target);
    if (target == "GetRngSeed") CheckGetRngSeed(context);
  }
  return std::nullopt;  // only the target knows
}

void CheckBuffersOfCustomCall(RuleContext& context) {
  const absl::string_view target = CustomCallTarget(context.module(), context.id());
  if (!context.declared_shape().IsValid() || target == "GetRngSeed") return;
  if (IsBufferTarget(target)) {
    CheckBufferTarget(context, target);
  } else {
    CheckBuffersAreAliased(context);
  }
}

}  // namespace hloscope
