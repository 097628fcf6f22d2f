// SPDX-License-Identifier: Apache-2.0
#include "core/verify/verifier.h"

#include <atomic>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/source/second_thread.h"
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

void VerifyModuleOnTwoThreads(const Module& module, const ModuleIndex& index, const VerifyOptions& options,
                              const AnchorResolver& resolver, const AnchorResolver& second_resolver,
                              DiagnosticSink& sink) {
  const absl::Span<const Check> checks = Checks();
  std::vector<DiagnosticSink> sinks(checks.size());
  // Whether the check lets others rely on the module.
  const auto run = [&](size_t i, const AnchorResolver& places) {
    Verification v(module, index, options, places, sinks[i]);
    if (v.Begin(checks[i])) checks[i].run(v);
    return !v.is_stopped();
  };
  if (run(0, resolver)) {
    std::atomic<size_t> next = 1;
    const auto run_rest = [&](const AnchorResolver& places) {
      for (size_t i = next++; i < checks.size(); i = next++) run(i, places);
    };
    SecondThread second([&] { run_rest(second_resolver); });
    run_rest(resolver);
  }
  for (DiagnosticSink& of_check : sinks) sink.Append(std::move(of_check));
}

}  // namespace hloscope
