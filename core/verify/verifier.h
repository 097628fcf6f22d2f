// Checks a whole module (spec/ops-a, ops-b: per op; spec/ops-c 6: per module).
#ifndef HLOSCOPE_CORE_VERIFY_VERIFIER_H_
#define HLOSCOPE_CORE_VERIFY_VERIFIER_H_

#include "core/diagnostics/diagnostic.h"
#include "core/ir/module.h"
#include "core/ops/rule_context.h"

namespace hloscope {

// Reports every finding. Instructions that could not be read, and their users where that matters, are left out.
void VerifyModule(const Module& module, const VerifyOptions& options, const AnchorResolver& resolver, DiagnosticSink& sink);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_VERIFY_VERIFIER_H_
