// SPDX-License-Identifier: Apache-2.0
#include "core/ops/shape_inference.h"

#include "absl/strings/str_cat.h"

namespace hloscope {
namespace {

InferredShape RunRule(RuleContext& context) {
  const OpcodeInfo& info = InfoOf(context.opcode());
  if (info.arity >= 0 && context.operand_count() != static_cast<size_t>(info.arity)) {
    const std::string expected = info.arity == 1 ? "1 operand" : absl::StrCat(info.arity, " operands");
    if (context.opcode() == Opcode::kDot && context.operand_count() > 2) {
      // Of a product's operands the reference forgets all after the second.
      context.ReportTolerated(DiagnosticKind::kOperandCount, Anchor::OperandList(), info.name, expected,
                              context.operand_count());
    } else {
      context.Report(DiagnosticKind::kOperandCount, Anchor::OperandList(), info.name, expected,
                     context.operand_count());
      return std::nullopt;
    }
  }
  switch (info.family) {
#define HLO_FAMILY(Enum, file) \
  case OpFamily::k##Enum:      \
    return Infer##Enum(context);
#include "core/ir/families.def"
  }
  return std::nullopt;
}

}  // namespace

bool CheckInferredSize(const Shape& shape, SourceRange range, DiagnosticSink& sink) {
  if (shape.LeafCount() > kMaxInferredLeaves) {
    sink.Report(DiagnosticKind::kTupleTooLarge, range, shape.LeafCount(), kMaxInferredLeaves);
    return false;
  }
  if (shape.NestingDepth() > kMaxInferredNesting) {
    sink.Report(DiagnosticKind::kNestingTooDeep, range, kMaxInferredNesting);
    return false;
  }
  return true;
}

InferredShape InferShape(RuleContext& context) {
  InferredShape shape = RunRule(context);
  if (shape && !context.declared_shape().IsValid() &&
      !CheckInferredSize(*shape, context.RangeOf(Anchor::Opcode()), context.sink())) {
    return std::nullopt;
  }
  return shape;
}

}  // namespace hloscope
