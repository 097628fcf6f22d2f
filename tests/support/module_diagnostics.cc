// SPDX-License-Identifier: Apache-2.0
#include "tests/support/module_diagnostics.h"

#include <memory>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/document/document.h"

namespace hloscope {
namespace {

std::shared_ptr<const Document> ParseModule(absl::string_view text, const VerifyOptions& options) {
  std::string module(text);
  if (!absl::StrContains(text, "HloModule")) module = absl::StrCat("HloModule m\n", text);
  DocumentOptions document_options;
  document_options.verify = options;
  return Document::Parse(SourceText::FromString("module", std::move(module)), document_options);
}

// Whether a diagnostic is left out: computations that no instruction of a test happens to call.
bool IsAboutHelpers(const Diagnostic& d, Severity least) {
  return least < Severity::kHint && d.kind == DiagnosticKind::kUncalledComputation;
}

}  // namespace

std::string DiagnosticsOf(absl::string_view text, const VerifyOptions& options, Severity least) {
  const auto document = ParseModule(text, options);
  std::string diagnostics;
  for (const Diagnostic& d : document->diagnostics()) {
    if (d.severity > least || IsAboutHelpers(d, least)) continue;
    absl::StrAppend(&diagnostics, diagnostics.empty() ? "" : " | ", d.code(), " at ",
                    document->source().Slice(d.range));
  }
  return diagnostics.empty() ? "ok" : diagnostics;
}

std::string FirstDiagnosticOf(absl::string_view text, const VerifyOptions& options, Severity least) {
  const auto document = ParseModule(text, options);
  for (const Diagnostic& d : document->diagnostics()) {
    if (d.severity <= least && !IsAboutHelpers(d, least)) return d.Message();
  }
  return "";
}

std::string FixedTextOf(absl::string_view text) {
  const auto document = ParseModule(text, {});
  for (const Diagnostic& d : document->diagnostics()) {
    if (d.fixes.empty()) continue;
    std::vector<TextEdit> edits;
    for (const FixIt::Edit& edit : d.fixes[0].edits) edits.push_back({edit.range, edit.replacement});
    return std::string(document->WithEdit(edits)->source().text());
  }
  return std::string(document->source().text());
}

}  // namespace hloscope
