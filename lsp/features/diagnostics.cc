// SPDX-License-Identifier: Apache-2.0
#include "lsp/features/diagnostics.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

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

// What is published of a diagnostic, the most important ranks first.
enum Rank : uint8_t { kOfError, kOther, kFaded, kRanks };

struct Row {
  const Diagnostic* diagnostic;
  const FoldedDiagnostics* folded;
  Rank rank;
};

// In the order of the text; text without effect is faded everywhere, and editors do not list hints.
std::vector<Row> RowsOf(const std::vector<FoldedDiagnostics>& all) {
  std::vector<Row> rows;
  for (const FoldedDiagnostics& folded : all) {
    rows.push_back({folded.front(), &folded, folded.front()->severity == Severity::kError ? kOfError : kOther});
    if (TagsOf(folded.front()->kind).empty()) continue;
    for (size_t i = 1; i < folded.size(); ++i) rows.push_back({folded[i], &folded, kFaded});
  }
  return rows;
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
  const std::vector<FoldedDiagnostics> folded = FoldDiagnostics(all);
  const std::vector<Row> rows = RowsOf(folded);
  // Of very many, what is most severe, and one that says how many are left out; faded text has been counted.
  std::vector<size_t> room(kRanks, 0);
  for (const Row& row : rows) ++room[row.rank];
  size_t left = rows.size() <= kMaxPublishedDiagnostics ? rows.size() : kMaxPublishedDiagnostics - 1;
  for (size_t& count : room) left -= count = std::min(count, left);
  std::vector<protocol::Diagnostic> result;
  std::optional<size_t> note;
  size_t hidden = 0;
  for (const Row& row : rows) {
    if (room[row.rank] > 0) {
      --room[row.rank];
      result.push_back(ToProtocolDiagnostic(view, *row.diagnostic));
      if (row.rank == kFaded) result.back().severity = protocol::DiagnosticSeverity::kHint;
      if (row.folded->size() > 1 && row.rank != kFaded) {
        result.back().message = FoldedMessage(EditedText(view.document), *row.folded);
      }
    } else if (row.rank != kFaded) {
      if (!note.has_value()) {
        note = result.size();
        result.emplace_back().range = view.ToRange(row.diagnostic->range);
      }
      hidden += row.folded->size();
    }
  }
  if (note.has_value()) {
    result[*note].severity = protocol::DiagnosticSeverity::kInformation;
    result[*note].message =
        absl::StrCat("from here on, ", CountOf(hidden, "more diagnostic is", "more diagnostics are"), " not shown");
  }
  return result;
}

}  // namespace hloscope::lsp
