// SPDX-License-Identifier: Apache-2.0
#include "core/diagnostics/folding.h"

#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/diagnostics/render.h"

namespace hloscope {

std::vector<FoldedDiagnostics> FoldDiagnostics(absl::Span<const Diagnostic> diagnostics) {
  using Kind = std::pair<DiagnosticKind, Severity>;
  std::map<Kind, size_t> count;
  for (const Diagnostic& diagnostic : diagnostics) ++count[{diagnostic.kind, diagnostic.severity}];
  std::map<Kind, size_t> shown, place;
  std::vector<FoldedDiagnostics> result;
  for (const Diagnostic& diagnostic : diagnostics) {
    const Kind kind = {diagnostic.kind, diagnostic.severity};
    const bool is_alone =
        diagnostic.severity == Severity::kError || count[kind] <= kMostOfAKind || ++shown[kind] <= kShownOfAKind;
    const auto [at, is_first] = is_alone ? std::pair(place.end(), true) : place.try_emplace(kind, result.size());
    if (is_first) {
      result.push_back({&diagnostic});
    } else {
      result[at->second].push_back(&diagnostic);
    }
  }
  return result;
}

std::string FoldedMessage(const SourceText& source, const FoldedDiagnostics& folded) {
  constexpr size_t kPlaces = 3;
  std::string message = absl::StrCat(folded.size(), " more like this, at");
  for (size_t i = 0; i < folded.size() && i < kPlaces; ++i) {
    const LineColumn at = HumanPosition(source, folded[i]->range.begin);
    absl::StrAppend(&message, i > 0 ? ", " : " ", at.line, ":", at.column);
  }
  if (folded.size() > kPlaces) absl::StrAppend(&message, ", ...");
  return message;
}

}  // namespace hloscope
