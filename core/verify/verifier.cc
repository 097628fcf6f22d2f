#include "core/verify/verifier.h"

#include "core/ops/shape_inference.h"
#include "core/verify/verification.h"

namespace hloscope {
namespace {

void RunShapeRules(Verification& v) {
  for (uint32_t i = 0; i < v.module.instruction_count(); ++i) {
    const InstructionId id(i);
    const Instruction& instruction = v.module.instruction(id);
    // The reader has run the rule where the text leaves the shape out.
    if (!instruction.shape_declared && instruction.syntax.has_value()) continue;
    if (!v.HasReadableOperands(id)) continue;
    RuleContext context(v.module, id, v.options, v.resolver(), v.sink());
    const InferredShape inferred = InferShape(context);
    if (inferred && v.module.shape(id).IsValid()) CheckDeclaredShape(v, id, *inferred);
  }
}

}  // namespace

void VerifyModule(const Module& module, const VerifyOptions& options, const AnchorResolver& resolver,
                  DiagnosticSink& sink) {
  Verification v(module, options, resolver, sink);
  if (!VerifyStructure(v)) return;
  RunShapeRules(v);
  VerifyOrigins(v);
  VerifyStackFrames(v);
  VerifyEntrySignature(v);
  VerifyCallers(v);
  VerifyFusions(v);
  VerifyBuffers(v);
  VerifyAsyncPairs(v);
  VerifyHostTransfers(v);
  VerifyCollectives(v);
  VerifyShardings(v);
  VerifySchedule(v);
  VerifyTransferOrder(v);
  VerifyLayouts(v);
  VerifyMemorySpaces(v);
  VerifyUses(v);
}

}  // namespace hloscope
