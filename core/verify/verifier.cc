#include "core/verify/verifier.h"

#include "core/ops/shape_inference.h"

namespace hloscope {

void VerifyModule(const Module& module, const VerifyOptions& options, const AnchorResolver& resolver, DiagnosticSink& sink) {
  for (size_t i = 0; i < module.instruction_count(); ++i) {
    const InstructionId id(i);
    const Instruction& instruction = module.instruction(id);
    if (instruction.opcode == Opcode::kInvalid || instruction.has_reading_errors) continue;
    bool readable = true;
    for (InstructionId operand : module.operands(id)) {
      readable = readable && operand.has_value() && module.shape(operand).IsValid();
    }
    if (!readable) continue;
    RuleContext context(module, id, options, resolver, sink);
    const InferredShape inferred = InferShape(context);
    if (!inferred || !instruction.shape_declared) continue;
    const Shape& declared = module.shape(id);
    if (ShapesCompatible(declared, *inferred)) continue;
    context.Report(DiagnosticKind::kDeclaredShape, Anchor::Shape(), OpcodeName(instruction.opcode), declared.ToString(false),
                   inferred->ToString(false), "");
  }
}

}  // namespace hloscope
