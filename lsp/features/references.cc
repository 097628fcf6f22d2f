// SPDX-License-Identifier: Apache-2.0
#include "lsp/features/references.h"

#include "core/editing/occurrences.h"

namespace hloscope::lsp {
std::vector<protocol::Location> FindReferences(const DocumentView& view, protocol::Position position,
                                               bool include_declaration) {
  const Occurrences occurrences = OccurrencesAt(view.document, view.ToOffset(position));
  std::vector<protocol::Location> locations;
  for (SourceRange place : occurrences.places) {
    if (include_declaration || place != occurrences.definition) locations.push_back(view.ToLocation(place));
  }
  return locations;
}

std::vector<protocol::DocumentHighlight> FindHighlights(const DocumentView& view, protocol::Position position) {
  const Occurrences occurrences = OccurrencesAt(view.document, view.ToOffset(position));
  std::vector<protocol::DocumentHighlight> highlights;
  for (SourceRange place : occurrences.places) {
    const bool is_definition = place == occurrences.definition;
    highlights.push_back({view.ToRange(place), is_definition ? protocol::DocumentHighlightKind::kWrite
                                                             : protocol::DocumentHighlightKind::kRead});
  }
  return highlights;
}

}  // namespace hloscope::lsp
