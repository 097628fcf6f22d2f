#include "lsp/features/diagnostics.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "core/diagnostics/count_text.h"

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
  const absl::Span<const Diagnostic> all = view.document.diagnostics();
  std::vector<protocol::Diagnostic> result;
  for (const Diagnostic& diagnostic : all.subspan(0, kMaxPublishedDiagnostics)) {
    result.push_back(ToProtocolDiagnostic(view, diagnostic));
  }
  if (all.size() > kMaxPublishedDiagnostics) {
    protocol::Diagnostic rest;
    rest.range = view.ToRange(all[kMaxPublishedDiagnostics].range);
    rest.severity = protocol::DiagnosticSeverity::kInformation;
    rest.message = absl::StrCat(
        "from here on, ", CountOf(all.size() - kMaxPublishedDiagnostics, "more diagnostic is", "more diagnostics are"),
        " not shown");
    result.push_back(std::move(rest));
  }
  return result;
}

}  // namespace hloscope::lsp
