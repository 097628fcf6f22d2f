#include "core/document/findings.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <utility>

#include "core/builder/builder_calls.h"

namespace hloscope {

void SortFindings(std::vector<Diagnostic>& findings, std::vector<FindingSource>& sources) {
  const auto key = [&](uint32_t i) {
    return std::make_tuple(findings[i].range.begin, sources[i].stage, sources[i].owner);
  };
  std::vector<uint32_t> order(findings.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto before = [&](uint32_t a, uint32_t b) { return key(a) < key(b); };
  if (std::is_sorted(order.begin(), order.end(), before)) return;
  std::stable_sort(order.begin(), order.end(), before);
  std::vector<Diagnostic> sorted;
  std::vector<FindingSource> sorted_sources;
  sorted.reserve(order.size());
  sorted_sources.reserve(order.size());
  for (uint32_t i : order) {
    sorted.push_back(std::move(findings[i]));
    sorted_sources.push_back(sources[i]);
  }
  findings = std::move(sorted);
  sources = std::move(sorted_sources);
}

bool IsFarReaching(DiagnosticKind kind) {
  return kind == DiagnosticKind::kUnclosedComment || kind == DiagnosticKind::kUnclosedRawBlock;
}

// Findings about an instruction that depend on others in ways that an update does not follow: the fix of an illegal
// name renames its uses, wherever they are; a tuple path that leads nowhere is no use of the tuple; a call of the
// builder interface is expanded as its operands are.
static bool IsAboutOthers(const Diagnostic& finding) {
  switch (finding.kind) {
    case DiagnosticKind::kIllegalName:
    case DiagnosticKind::kTupleAccess:
      return true;
    case DiagnosticKind::kUnknownOpcode:
      return WrittenBuilderCall(finding.arguments[0]) != nullptr;
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

bool FindingsAreLocal(const DiagnosticSink& sink) {
  int suggestions = 0;
  for (size_t i = 0; i < sink.diagnostics().size(); ++i) {
    const Diagnostic& finding = sink.diagnostics()[i];
    if (IsFarReaching(finding.kind)) return false;
    if (sink.sources()[i].stage == CheckStage::kInstruction && IsAboutOthers(finding)) return false;
    suggestions += HasSuggestion(finding.kind) ? 1 : 0;
  }
  return sink.dropped_count() == 0 && suggestions <= kMaxSuggestionsInUpdate;
}

bool IsTouched(const Diagnostic& finding, const OffsetMap& offsets) {
  if (offsets.IsTouched(finding.range)) return true;
  for (const RelatedLocation& related : finding.related) {
    if (offsets.IsTouched(related.range)) return true;
  }
  for (const FixIt& fix : finding.fixes) {
    for (const FixIt::Edit& edit : fix.edits) {
      if (offsets.IsTouched(edit.range)) return true;
    }
  }
  return false;
}

bool IsInstructionStage(CheckStage stage) {
  switch (stage) {
    case CheckStage::kInstruction:
    case CheckStage::kShapes:
    case CheckStage::kUnbounded:
    case CheckStage::kOrigins:
    case CheckStage::kAsyncPairs:
    case CheckStage::kShardings:
    case CheckStage::kLayouts:
    case CheckStage::kDeadCode:
      return true;
    default:
      return false;
  }
}

}  // namespace hloscope
