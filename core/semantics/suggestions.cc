#include "core/semantics/suggestions.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "absl/strings/str_cat.h"

namespace hloscope {
namespace {

// Distance of a and b, or limit + 1 if it is larger than the limit.
size_t EditDistance(absl::string_view a, absl::string_view b, size_t limit) {
  if (a.size() > b.size() + limit || b.size() > a.size() + limit) return limit + 1;
  std::vector<size_t> before_last(b.size() + 1), last(b.size() + 1), current(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    size_t best = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      current[j] = std::min({last[j] + 1, current[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0u : 1u)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        current[j] = std::min(current[j], before_last[j - 2] + 1);
      }
      best = std::min(best, current[j]);
    }
    if (best > limit) return limit + 1;
    std::swap(before_last, last);
    std::swap(last, current);
  }
  return last[b.size()];
}

}  // namespace

absl::string_view NearestName(absl::string_view word, absl::Span<const absl::string_view> candidates) {
  // Names of thousands of bytes are not misspellings of anything.
  if (word.size() > 256) return {};
  size_t limit = std::min<size_t>(3, (word.size() + 1) / 3);
  absl::string_view nearest;
  for (const absl::string_view candidate : candidates) {
    if (limit == 0) break;
    const size_t distance = EditDistance(word, candidate, limit);
    if (distance > limit || (distance == limit && !nearest.empty())) continue;
    nearest = candidate;
    limit = distance;
  }
  return nearest;
}

std::string DidYouMean(absl::string_view word, absl::Span<const absl::string_view> candidates) {
  const absl::string_view nearest = NearestName(word, candidates);
  return nearest.empty() ? "" : absl::StrCat("; did you mean `", nearest, "`?");
}

}  // namespace hloscope
