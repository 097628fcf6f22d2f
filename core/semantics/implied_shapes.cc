// SPDX-License-Identifier: Apache-2.0
#include "core/semantics/implied_shapes.h"

#include "absl/strings/str_cat.h"
#include "core/ops/shape_inference.h"
#include "core/ops/shape_matching.h"

namespace hloscope {
namespace {

bool OperandShapesValid(const Module& module, InstructionId id) {
  for (InstructionId operand : module.operands(id)) {
    if (!operand.has_value() || !module.shape(operand).IsValid()) return false;
  }
  return true;
}

// The opcodes whose declared shape is replaced by the one that the operands imply (6.4).
void ReplaceShape(Module& module, InstructionId id, const AnchorResolver& resolver, DiagnosticSink& sink) {
  const auto operand_shape = [&](size_t k) -> const Shape& { return module.shape(module.operand(id, k)); };
  const size_t count = module.operands(id).size();
  switch (module.opcode(id)) {
    case Opcode::kAfterAll:
    case Opcode::kSendDone:
    case Opcode::kOutfeed:
      module.SetShape(id, Shape::Token());
      return;
    case Opcode::kAddDependency:
      if (count == 2 && OperandShapesValid(module, id)) module.SetShape(id, Shape(operand_shape(0)));
      return;
    case Opcode::kSend:
      if (count == 2 && OperandShapesValid(module, id)) {
        module.SetShape(id, Shape::Tuple({operand_shape(0), Shape::Scalar(ElementType::kU32), Shape::Token()}));
      }
      return;
    case Opcode::kRecv:
    case Opcode::kInfeed: {
      const Shape declared = module.shape(id);
      if (!declared.IsTuple() || declared.tuple_size() == 0) {
        sink.Report(DiagnosticKind::kTransferShape, resolver.Resolve(id, Anchor::Shape()),
                    OpcodeName(module.opcode(id)), declared.ToString(false));
        module.mutable_instruction(id).has_reading_errors = true;
        module.SetShape(id, Shape());  // so that users are not reported, too
        return;
      }
      if (module.opcode(id) == Opcode::kInfeed) {
        module.SetShape(id, Shape::Tuple({declared.element(0), Shape::Token()}));
      } else {
        module.SetShape(id, Shape::Tuple({declared.element(0), Shape::Scalar(ElementType::kU32), Shape::Token()}));
      }
      return;
    }
    case Opcode::kRecvDone:
      if (count == 1 && OperandShapesValid(module, id) && operand_shape(0).IsTuple() &&
          operand_shape(0).tuple_size() > 0) {
        module.SetShape(id, Shape::Tuple({operand_shape(0).element(0), Shape::Token()}));
      }
      return;
    default:
      return;
  }
}

}  // namespace

void InferOmittedShape(Module& module, InstructionId id, const VerifyOptions& options, const AnchorResolver& resolver,
                       DiagnosticSink& sink) {
  if (!OperandShapesValid(module, id)) return;
  RuleContext context(module, id, options, resolver, sink);
  const InferredShape shape = InferShape(context);
  if (shape) module.SetShape(id, *shape);
  // The verifier must not report the rule's diagnostics a second time.
  if (!shape || context.failed()) module.mutable_instruction(id).has_reading_errors = true;
}

void RecomputeShape(Module& module, InstructionId id, const AnchorResolver& resolver, DiagnosticSink& sink) {
  const ShapeId written = module.instruction(id).shape;
  ReplaceShape(module, id, resolver, sink);
  const ShapeId shape = module.instruction(id).shape;
  if (module.instruction(id).has_reading_errors) return;  // reported
  if (shape != written && !CheckInferredSize(module.shape(shape), resolver.Resolve(id, Anchor::Opcode()), sink)) {
    module.mutable_instruction(id).has_reading_errors = true;
    module.SetShape(id, Shape());
    return;
  }
  if (shape == written || ShapesCompatible(module.shape(written), module.shape(shape))) return;
  const SourceRange range = resolver.Resolve(id, Anchor::Shape());
  const std::string text = ShapeText(module.shape(shape));
  sink.Report(DiagnosticKind::kIgnoredShape, range, OpcodeName(module.opcode(id)), text,
              ShapeText(module.shape(written)))
      .Fix(absl::StrCat("change the shape to ", text), range, module.shape(shape).ToString());
}

}  // namespace hloscope
