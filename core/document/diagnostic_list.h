// SPDX-License-Identifier: Apache-2.0
// The diagnostics of a document: their order, and whether an update can find them again.
#ifndef HLOSCOPE_CORE_DOCUMENT_DIAGNOSTIC_LIST_H_
#define HLOSCOPE_CORE_DOCUMENT_DIAGNOSTIC_LIST_H_

#include <vector>

#include "core/diagnostics/diagnostic.h"
#include "core/source/text_change.h"

namespace hloscope {

// By position; at one position by source, then in the order of their report.
// What readers tolerate is an error for those who ask for strict checks. Returns how many became errors.
int RaiseTolerated(std::vector<Diagnostic>& diagnostics);
void SortDiagnostics(std::vector<Diagnostic>& diagnostics, std::vector<DiagnosticSource>& sources);

// No string, comment or raw block is left open, no diagnostic was dropped, and names may still be suggested for unknown
// ones.
bool DiagnosticsAreLocal(const DiagnosticSink& sink);

// The diagnostic says that something is left open up to a place far away.
bool IsFarReaching(DiagnosticKind kind);
// Diagnostics that come with suggestions, of which a text gets a limited number; at most this many in an update.
bool HasSuggestion(DiagnosticKind kind);
inline constexpr int kMaxSuggestionsInUpdate = 90;

// Whether a change touches any range of the diagnostic.
bool IsTouched(const Diagnostic& diagnostic, const OffsetMap& offsets);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_DOCUMENT_DIAGNOSTIC_LIST_H_
