// "Did you mean": plausible corrections of misspelt names.
#ifndef HLOSCOPE_CORE_SEMANTICS_SUGGESTIONS_H_
#define HLOSCOPE_CORE_SEMANTICS_SUGGESTIONS_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace hloscope {

// The candidate with the smallest edit distance (insertions, deletions, substitutions, swaps of neighbours), or an
// empty view if none is near enough to be plausible: a third of the word, at most 3.
absl::string_view NearestName(absl::string_view word, absl::Span<const absl::string_view> candidates);

// "; did you mean `x`?", or an empty string.
std::string DidYouMean(absl::string_view word, absl::Span<const absl::string_view> candidates);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SEMANTICS_SUGGESTIONS_H_
