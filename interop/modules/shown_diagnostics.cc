// SPDX-License-Identifier: Apache-2.0
#include "interop/modules/shown_diagnostics.h"

#include "absl/algorithm/container.h"
#include "stablehlo/import.h"

namespace hloscope::interop {

ShownDiagnostics DiagnosticsToShow(const Document& document, const std::vector<Diagnostic>& of_program) {
  const SourceText& text = document.source();
  ShownDiagnostics shown{&text, of_program};
  if (text.origin() != nullptr) shown.source = text.origin()->source.get();
  // Of a program that is not translated as a whole, only its own mistakes mean something.
  const bool is_partial =
      absl::c_any_of(of_program, [](const Diagnostic& diagnostic) { return diagnostic.severity == Severity::kError; });
  if (is_partial) return shown;
  for (const Diagnostic& diagnostic : document.diagnostics()) {
    shown.diagnostics.push_back(stablehlo::AtOrigin(text, diagnostic));
  }
  if (text.origin() != nullptr) {
    absl::c_stable_sort(shown.diagnostics,
                        [](const Diagnostic& a, const Diagnostic& b) { return a.range.begin < b.range.begin; });
  }
  return shown;
}

}  // namespace hloscope::interop
