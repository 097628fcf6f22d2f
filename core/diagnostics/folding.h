// SPDX-License-Identifier: Apache-2.0
// Many diagnostics of one kind as a few and a number.
#ifndef HLOSCOPE_CORE_DIAGNOSTICS_FOLDING_H_
#define HLOSCOPE_CORE_DIAGNOSTICS_FOLDING_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "core/diagnostics/diagnostic.h"
#include "core/source/source_text.h"

namespace hloscope {

// Of a kind that occurs more often than kMostOfAKind, the first kShownOfAKind are shown and the others folded. Errors
// are never folded.
inline constexpr size_t kMostOfAKind = 5;
inline constexpr size_t kShownOfAKind = 3;

// One diagnostic; or, if there are several, what was folded, in the order of the text.
using FoldedDiagnostics = std::vector<const Diagnostic*>;

// The diagnostics in their order; folded ones are where the first of them was.
std::vector<FoldedDiagnostics> FoldDiagnostics(absl::Span<const Diagnostic> diagnostics);

// "413 more like this, at 12:3, 14:3, 20:3, ...".
std::string FoldedMessage(const SourceText& source, const FoldedDiagnostics& folded);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_DIAGNOSTICS_FOLDING_H_
