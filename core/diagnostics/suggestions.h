// SPDX-License-Identifier: Apache-2.0
// "Did you mean": plausible corrections of misspelt names.
#ifndef HLOSCOPE_CORE_DIAGNOSTICS_SUGGESTIONS_H_
#define HLOSCOPE_CORE_DIAGNOSTICS_SUGGESTIONS_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/diagnostics/diagnostic.h"

namespace hloscope {

// The candidate that `word` is most probably a misspelling of, or an empty view if none is near enough to be plausible.
// Equal but for case, `_` and `-` is nearest; then comes the smallest edit distance (insertions, deletions,
// substitutions, swaps of neighbours) of at most a third of the word and at most 3. Names that differ in their numbers
// only (`add.3`, `add.5`) are different names, not misspellings.
absl::string_view NearestName(absl::string_view word, absl::Span<const absl::string_view> candidates);

// "; did you mean `x`?", or an empty string.
std::string DidYouMean(absl::string_view word, absl::Span<const absl::string_view> candidates);
// The same for a name that NearestName gave.
// The candidate of which the word says a part, or more: `stable` of `is_stable`, `threefry` of `rng_three_fry`, `kLop`
// of none. Each part of the word (between `_`, `-` and `.`) is the beginning of one, in order, and has at least three
// letters. Empty if none or several candidates are meant.
absl::string_view NameWithParts(absl::string_view word, absl::Span<const absl::string_view> candidates);

std::string DidYouMean(absl::string_view nearest);

// Attaches the fix "change to `nearest`"; nothing if `nearest` is empty.
void FixSpelling(Diagnostic& diagnostic, SourceRange range, absl::string_view nearest);

// Whether the words are equal but for case, `_` and `-`.
bool EqualButForStyle(absl::string_view a, absl::string_view b);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_DIAGNOSTICS_SUGGESTIONS_H_
