// The findings of a document: in which order they stand, and whether an update can find them again.
#ifndef HLOSCOPE_CORE_DOCUMENT_FINDINGS_H_
#define HLOSCOPE_CORE_DOCUMENT_FINDINGS_H_

#include <vector>

#include "core/diagnostics/diagnostic.h"
#include "core/source/text_change.h"

namespace hloscope {

// By position; at one position by source, then in the order of their report.
void SortFindings(std::vector<Diagnostic>& findings, std::vector<FindingSource>& sources);

// No string, comment or raw block is left open, no finding was dropped, and names may still be suggested for unknown
// ones.
bool FindingsAreLocal(const DiagnosticSink& sink);

// The finding says that something is left open up to a place far away.
bool IsFarReaching(DiagnosticKind kind);
// Findings that come with suggestions, of which a text gets a limited number; at most this many in an update.
bool HasSuggestion(DiagnosticKind kind);
inline constexpr int kMaxSuggestionsInUpdate = 90;

// Whether a change touches any range of the finding.
bool IsTouched(const Diagnostic& finding, const OffsetMap& offsets);

// Whether the owners of the stage's findings are instructions.
bool IsInstructionStage(CheckStage stage);
inline bool IsVerifierStage(CheckStage stage) { return stage >= CheckStage::kStructure; }

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_DOCUMENT_FINDINGS_H_
