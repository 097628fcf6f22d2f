// SPDX-License-Identifier: Apache-2.0
#include "core/diagnostics/suggestions.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace hloscope {
namespace {

char Folded(char c) { return c == '_' ? '-' : absl::ascii_tolower(static_cast<unsigned char>(c)); }

constexpr size_t kMaxWord = 256;
constexpr size_t kMaxDistance = 3;
constexpr size_t kShortestPart = 3;

// A set of 64 kinds of bytes; those of names have each a kind of their own.
uint64_t KindsOfBytes(absl::string_view text) {
  uint64_t kinds = 0;
  for (const char c : text) {
    const uint8_t byte = static_cast<uint8_t>(c);
    const uint8_t kind = byte >= 'a' && byte <= 'z'   ? byte - 'a'
                         : byte >= '0' && byte <= '9' ? 26 + (byte - '0')
                                                      : 36 + byte % 28;
    kinds |= uint64_t{1} << kind;
  }
  return kinds;
}

// Distance of a and b, or limit + 1 if it is larger than the limit, which is at most kMaxDistance. `a` has at most
// kMaxWord bytes.
size_t EditDistance(absl::string_view a, absl::string_view b, size_t limit) {
  if (a.size() > b.size() + limit || b.size() > a.size() + limit) return limit + 1;
  // What both begin and end with does not matter.
  while (!a.empty() && !b.empty() && a.front() == b.front()) {
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  while (!a.empty() && !b.empty() && a.back() == b.back()) {
    a.remove_suffix(1);
    b.remove_suffix(1);
  }
  if (a.empty() || b.empty()) return a.size() + b.size();
  // One change, or two letters that changed places, leave no more than that.
  if (limit <= 1 && (a.size() > 2 || b.size() > 2)) return limit + 1;
  // Only cells near the diagonal can stay within the limit.
  std::array<size_t, kMaxWord + kMaxDistance + 2> rows[3];
  std::array<size_t, kMaxWord + kMaxDistance + 2>*before_last = &rows[0], *last = &rows[1], *current = &rows[2];
  const size_t far = limit + 1;
  for (size_t j = 0; j <= b.size(); ++j) {
    (*last)[j] = std::min(j, far);
    (*before_last)[j] = (*current)[j] = far;
  }
  for (size_t i = 1; i <= a.size(); ++i) {
    const size_t first = i > limit ? i - limit : 1, end = std::min(b.size(), i + limit);
    (*current)[first - 1] = first == 1 ? std::min(i, far) : far;
    size_t best = (*current)[first - 1];
    for (size_t j = first; j <= end; ++j) {
      const size_t above = j < i + limit ? (*last)[j] : far;  // the band moves right row by row
      size_t distance = std::min({above + 1, (*current)[j - 1] + 1, (*last)[j - 1] + (a[i - 1] == b[j - 1] ? 0u : 1u)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        distance = std::min(distance, (*before_last)[j - 2] + 1);
      }
      (*current)[j] = std::min(distance, far);
      best = std::min(best, (*current)[j]);
    }
    if (best > limit) return far;
    std::swap(before_last, last);
    std::swap(last, current);
  }
  return (*last)[b.size()];
}

// Equal without their digits, and the digits are not just swapped.
bool DifferInNumbersOnly(absl::string_view a, absl::string_view b) {
  const auto split = [](absl::string_view text, bool digits) {
    std::string part;
    for (const char c : text) {
      if ((absl::ascii_isdigit(static_cast<unsigned char>(c)) != 0) == digits) part.push_back(c);
    }
    if (digits) std::sort(part.begin(), part.end());
    return part;
  };
  return split(a, false) == split(b, false) && split(a, true) != split(b, true);
}

}  // namespace

bool EqualButForStyle(absl::string_view a, absl::string_view b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return Folded(x) == Folded(y); });
}

absl::string_view NearestName(absl::string_view word, absl::Span<const absl::string_view> candidates) {
  // Names of thousands of bytes are not misspellings of anything.
  if (word.size() > kMaxWord) return {};
  size_t limit = std::min<size_t>(kMaxDistance, (word.size() + 1) / 3);
  absl::string_view nearest;
  const uint64_t kinds = KindsOfBytes(word);
  for (const absl::string_view candidate : candidates) {
    if (EqualButForStyle(word, candidate)) return candidate;
    if (limit == 0 || candidate.size() > word.size() + limit || word.size() > candidate.size() + limit) continue;
    // A change brings in at most one kind of byte and takes out at most one.
    const uint64_t other_kinds = KindsOfBytes(candidate);
    if (static_cast<size_t>(std::popcount(kinds & ~other_kinds)) > limit ||
        static_cast<size_t>(std::popcount(other_kinds & ~kinds)) > limit) {
      continue;
    }
    const size_t distance = EditDistance(word, candidate, limit);
    if (distance > limit || (distance == limit && !nearest.empty())) continue;
    if (DifferInNumbersOnly(word, candidate)) continue;
    nearest = candidate;
    limit = distance;
  }
  return nearest;
}

absl::string_view NameWithParts(absl::string_view word, absl::Span<const absl::string_view> candidates) {
  if (word.size() > kMaxWord) return {};
  const auto parts_of = [](absl::string_view text) {
    return std::vector<std::string>(
        absl::StrSplit(absl::AsciiStrToLower(text), absl::ByAnyChar("_-."), absl::SkipEmpty()));
  };
  const std::vector<std::string> parts = parts_of(word);
  const std::string joined = absl::StrJoin(parts, "");
  absl::string_view found;
  for (const absl::string_view candidate : candidates) {
    const std::vector<std::string> wanted = parts_of(candidate);
    size_t next = 0;
    for (size_t k = 0; k < wanted.size() && next < parts.size(); ++k) {
      if (parts[next].size() >= kShortestPart && absl::StartsWith(wanted[k], parts[next])) ++next;
    }
    const bool has_parts = next == parts.size() && !parts.empty();
    const bool is_joined = joined.size() > kShortestPart && absl::StrContains(absl::StrJoin(wanted, ""), joined);
    // A short word that a long name happens to begin with says too little of it.
    if ((!has_parts && !is_joined) || joined.size() * 5 < candidate.size() * 2) continue;
    if (!found.empty()) return {};
    found = candidate;
  }
  return found;
}

std::string DidYouMean(absl::string_view nearest) {
  return nearest.empty() ? "" : absl::StrCat("; did you mean `", nearest, "`?");
}

std::string DidYouMean(absl::string_view word, absl::Span<const absl::string_view> candidates) {
  return DidYouMean(NearestName(word, candidates));
}

void FixSpelling(Diagnostic& diagnostic, SourceRange range, absl::string_view nearest) {
  if (!nearest.empty()) diagnostic.Fix(absl::StrCat("change to `", nearest, "`"), range, std::string(nearest));
}

}  // namespace hloscope
