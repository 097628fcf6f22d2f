// SPDX-License-Identifier: Apache-2.0
#include "lsp/features/diagnostics.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "core/diagnostics/count_text.h"
#include "core/diagnostics/folding.h"
#include "interop/modules/shown_diagnostics.h"

namespace hloscope::lsp {
namespace {

protocol::DiagnosticSeverity ToProtocolSeverity(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return protocol::DiagnosticSeverity::kError;
    case Severity::kWarning:
      return protocol::DiagnosticSeverity::kWarning;
    case Severity::kInformation:
      return protocol::DiagnosticSeverity::kInformation;
    case Severity::kHint:
      return protocol::DiagnosticSeverity::kHint;
  }
  return protocol::DiagnosticSeverity::kError;
}

// Text without any effect, which editors show faded.
std::vector<protocol::DiagnosticTag> TagsOf(DiagnosticKind kind) {
  switch (kind) {
    case DiagnosticKind::kDeadCode:
    case DiagnosticKind::kUncalledComputation:
    case DiagnosticKind::kUnreachableComputation:
      return {protocol::DiagnosticTag::kUnnecessary};
    default:
      return {};
  }
}

}  // namespace

protocol::Diagnostic ToProtocolDiagnostic(const DocumentView& view, const Diagnostic& diagnostic) {
  protocol::Diagnostic result;
  result.range = view.ToRange(diagnostic.range);
  result.severity = ToProtocolSeverity(diagnostic.severity);
  result.code = std::string(diagnostic.code());
  result.message = diagnostic.Message();
  result.tags = TagsOf(diagnostic.kind);
  for (const RelatedLocation& related : diagnostic.related) {
    result.related.push_back({view.ToLocation(related.range), related.message});
  }
  return result;
}

std::vector<protocol::Diagnostic> ComputeDiagnostics(const DocumentView& view) {
  if (!view.modules.empty()) {
    std::vector<protocol::Diagnostic> all;
    for (const ModuleDocument& module : view.modules) {
      for (protocol::Diagnostic& diagnostic :
           ComputeDiagnostics(DocumentView(*module.document, view.uri, view.positions.unit()))) {
        all.push_back(std::move(diagnostic));
      }
    }
    return all;
  }
  const interop::ShownDiagnostics of_program = view.is_program()
                                                   ? interop::DiagnosticsToShow(view.document, view.program_diagnostics)
                                                   : interop::ShownDiagnostics{nullptr, {}};
  const absl::Span<const Diagnostic> all =
      view.is_program() ? absl::MakeConstSpan(of_program.diagnostics) : view.document.diagnostics();
  std::vector<protocol::Diagnostic> result;
  size_t shown = 0;
  for (const FoldedDiagnostics& folded : FoldDiagnostics(all)) {
    if (result.size() >= kMaxPublishedDiagnostics) {
      protocol::Diagnostic rest;
      rest.range = view.ToRange(folded.front()->range);
      rest.severity = protocol::DiagnosticSeverity::kInformation;
      rest.message = absl::StrCat(
          "from here on, ", CountOf(all.size() - shown, "more diagnostic is", "more diagnostics are"), " not shown");
      result.push_back(std::move(rest));
      break;
    }
    shown += folded.size();
    result.push_back(ToProtocolDiagnostic(view, *folded.front()));
    if (folded.size() == 1) continue;
    result.back().message = FoldedMessage(EditedText(view.document), folded);
    if (result.back().tags.empty()) continue;
    // Text without effect is faded everywhere; editors do not list hints.
    for (size_t i = 1; i < folded.size() && result.size() < kMaxPublishedDiagnostics; ++i) {
      result.push_back(ToProtocolDiagnostic(view, *folded[i]));
      result.back().severity = protocol::DiagnosticSeverity::kHint;
    }
  }
  return result;
}

}  // namespace hloscope::lsp
