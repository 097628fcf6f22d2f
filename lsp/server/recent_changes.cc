// SPDX-License-Identifier: Apache-2.0
#include "lsp/server/recent_changes.h"

#include <algorithm>

namespace hloscope::lsp {
namespace {

// One change that holds `first` and then `second`.
TextChange Both(const TextChange& first, const TextChange& second) {
  // In the text between the two: from the first byte that either touches to the last one.
  const uint32_t begin = std::min(first.after.begin, second.before.begin);
  const uint32_t end = std::max(first.after.end, second.before.end);
  return {{begin, end - first.after.end + first.before.end}, {begin, end - second.before.end + second.after.end}};
}

}  // namespace

void RecentChanges::Add(uint64_t revision, absl::Span<const TextChange> parts) {
  if (parts.empty()) return;
  if (steps_.size() == kMaxKept) {
    complete_since_ = steps_.front().revision;
    steps_.erase(steps_.begin());
  }
  steps_.push_back(
      {revision,
       {{parts.front().before.begin, parts.back().before.end}, {parts.front().after.begin, parts.back().after.end}}});
}

void RecentChanges::AddEverything(uint64_t revision) {
  steps_.clear();
  complete_since_ = revision;
}

RecentChanges::Difference RecentChanges::Since(uint64_t revision) const {
  Difference result;
  if (revision < complete_since_) return result;
  result.is_everything = false;
  for (const Step& step : steps_) {
    if (step.revision <= revision) continue;
    result.change = result.change.has_value() ? Both(*result.change, step.change) : step.change;
  }
  return result;
}

}  // namespace hloscope::lsp
