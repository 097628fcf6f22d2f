// SPDX-License-Identifier: Apache-2.0
#include "lsp/features/rename.h"

#include "core/editing/occurrences.h"
#include "core/editing/rename.h"

namespace hloscope::lsp {
namespace {

constexpr size_t kMaxLinked = 200;

}  // namespace

std::optional<protocol::Range> PrepareRename(const DocumentView& view, protocol::Position position) {
  const uint32_t offset = view.ToOffset(position);
  for (SourceRange place : OccurrencesAt(view.document, offset).places) {
    if (place.Touches(offset) && !place.empty()) return view.ToRange(place);
  }
  return std::nullopt;
}

absl::StatusOr<std::vector<protocol::TextEdit>> ComputeRename(const DocumentView& view, protocol::Position position,
                                                              const std::string& new_name) {
  const auto edits = Rename(view.document, OccurrencesAt(view.document, view.ToOffset(position)), new_name);
  if (!edits.ok()) return edits.status();
  std::vector<protocol::TextEdit> result;
  for (const TextEdit& edit : *edits) result.push_back({view.ToRange(edit.range), edit.replacement});
  return result;
}

std::vector<protocol::Range> ComputeLinkedEditingRanges(const DocumentView& view, protocol::Position position) {
  const Occurrences occurrences = OccurrencesAt(view.document, view.ToOffset(position));
  std::vector<protocol::Range> ranges;
  if (occurrences.places.size() > kMaxLinked) return ranges;
  for (SourceRange place : occurrences.places) ranges.push_back(view.ToRange(place));
  return ranges;
}

}  // namespace hloscope::lsp
