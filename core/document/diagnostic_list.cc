// SPDX-License-Identifier: Apache-2.0
#include "core/document/diagnostic_list.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <utility>

#include "core/builder/builder_calls.h"

namespace hloscope {

int RaiseTolerated(std::vector<Diagnostic>& diagnostics) {
  int raised = 0;
  for (Diagnostic& diagnostic : diagnostics) {
    if (!diagnostic.is_tolerated || diagnostic.severity != Severity::kWarning) continue;
    diagnostic.severity = Severity::kError;
    ++raised;
  }
  return raised;
}

void SortDiagnostics(std::vector<Diagnostic>& diagnostics, std::vector<DiagnosticSource>& sources) {
  const auto key = [&](uint32_t i) {
    return std::make_tuple(diagnostics[i].range.begin, sources[i].stage, sources[i].owner);
  };
  std::vector<uint32_t> order(diagnostics.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto before = [&](uint32_t a, uint32_t b) { return key(a) < key(b); };
  if (std::is_sorted(order.begin(), order.end(), before)) return;
  std::stable_sort(order.begin(), order.end(), before);
  std::vector<Diagnostic> sorted;
  std::vector<DiagnosticSource> sorted_sources;
  sorted.reserve(order.size());
  sorted_sources.reserve(order.size());
  for (uint32_t i : order) {
    sorted.push_back(std::move(diagnostics[i]));
    sorted_sources.push_back(sources[i]);
  }
  diagnostics = std::move(sorted);
  sources = std::move(sorted_sources);
}

bool IsFarReaching(DiagnosticKind kind) {
  return kind == DiagnosticKind::kUnclosedComment || kind == DiagnosticKind::kUnclosedRawBlock;
}

// Diagnostics about an instruction that depend on others in ways that an update does not follow: the fix of an illegal
// name renames its uses, wherever they are; a tuple path that leads nowhere is no use of the tuple; a call of the
// builder interface is expanded as its operands are.
static bool IsAboutOthers(const Diagnostic& diagnostic) {
  switch (diagnostic.kind) {
    case DiagnosticKind::kIllegalName:
    case DiagnosticKind::kTupleAccess:
      return true;
    case DiagnosticKind::kUnknownOpcode:
      return WrittenBuilderCall(diagnostic.arguments[0]) != nullptr;
    default:
      return false;
  }
}

bool HasSuggestion(DiagnosticKind kind) {
  switch (kind) {
    case DiagnosticKind::kUnknownInstruction:
    case DiagnosticKind::kUnknownComputation:
    case DiagnosticKind::kSelfOperand:
    case DiagnosticKind::kUsedBeforeDefinition:
    case DiagnosticKind::kNameOutOfScope:
    case DiagnosticKind::kCalledBeforeDefinition:
    case DiagnosticKind::kRecursiveCall:
    case DiagnosticKind::kDuplicateInstruction:
    case DiagnosticKind::kDuplicateComputation:
    case DiagnosticKind::kIllegalName:
      return true;
    default:
      return false;
  }
}

bool DiagnosticsAreLocal(const DiagnosticSink& sink) {
  int suggestions = 0;
  for (size_t i = 0; i < sink.diagnostics().size(); ++i) {
    const Diagnostic& diagnostic = sink.diagnostics()[i];
    if (IsFarReaching(diagnostic.kind)) return false;
    if (sink.sources()[i].stage == CheckStage::kInstruction && IsAboutOthers(diagnostic)) return false;
    suggestions += HasSuggestion(diagnostic.kind) ? 1 : 0;
  }
  return sink.dropped_count() == 0 && suggestions <= kMaxSuggestionsInUpdate;
}

bool IsTouched(const Diagnostic& diagnostic, const OffsetMap& offsets) {
  if (offsets.IsTouched(diagnostic.range)) return true;
  for (const RelatedLocation& related : diagnostic.related) {
    if (offsets.IsTouched(related.range)) return true;
  }
  for (const FixIt& fix : diagnostic.fixes) {
    for (const FixIt::Edit& edit : fix.edits) {
      if (offsets.IsTouched(edit.range)) return true;
    }
  }
  return false;
}

}  // namespace hloscope
