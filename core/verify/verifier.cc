// SPDX-License-Identifier: Apache-2.0
#include "core/verify/verifier.h"

#include "core/verify/checks.h"
#include "core/verify/verification.h"

namespace hloscope {

void VerifyModule(const Module& module, const VerifyOptions& options, const AnchorResolver& resolver,
                  DiagnosticSink& sink) {
  VerifyModule(module, ModuleIndex(module), options, resolver, sink);
}

void VerifyModule(const Module& module, const ModuleIndex& index, const VerifyOptions& options,
                  const AnchorResolver& resolver, DiagnosticSink& sink, const VerifyScope* scope) {
  Verification v(module, index, options, resolver, sink, scope);
  for (const Check& check : Checks()) {
    if (!v.Begin(check)) continue;
    check.run(v);
    if (v.is_stopped()) return;
  }
}

}  // namespace hloscope
