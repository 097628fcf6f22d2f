#include "core/verify/verifier.h"

#include "core/ops/shape_inference.h"
#include "core/verify/verification.h"

namespace hloscope {
namespace {

void RunShapeRules(Verification& v) {
  v.ForEachInstruction(CheckStage::kShapes, [&](InstructionId id) {
    const Instruction& instruction = v.module.instruction(id);
    // The reader has run the rule where the text leaves the shape out.
    if (!instruction.shape_declared && instruction.syntax.has_value()) return;
    if (!v.HasReadableOperands(id)) return;
    RuleContext context(v.module, id, v.options, v.resolver(), v.sink());
    const InferredShape inferred = InferShape(context);
    if (inferred && v.module.shape(id).IsValid()) CheckDeclaredShape(v, id, *inferred);
  });
}

}  // namespace

void VerifyModule(const Module& module, const VerifyOptions& options, const AnchorResolver& resolver,
                  DiagnosticSink& sink) {
  VerifyModule(module, ModuleIndex(module), options, resolver, sink);
}

void VerifyModule(const Module& module, const ModuleIndex& index, const VerifyOptions& options,
                  const AnchorResolver& resolver, DiagnosticSink& sink, const VerifyScope* scope) {
  Verification v(module, index, options, resolver, sink, scope);
  if (v.Begin(CheckStage::kStructure) && !VerifyStructure(v)) return;
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
