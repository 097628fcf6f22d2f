#include "lsp/features/references.h"

#include <algorithm>

namespace hloscope::lsp {
namespace {

struct Occurrences {
  SourceRange definition;           // empty: nothing under the cursor
  std::vector<SourceRange> places;  // in text order, the definition among them
};

Occurrences OccurrencesAt(const DocumentView& view, protocol::Position position) {
  using Kind = SymbolAtPosition::Kind;
  const SymbolAtPosition symbol = view.SymbolAt(position);
  Occurrences result;
  switch (symbol.kind) {
    case Kind::kInstructionName:
    case Kind::kOperand:
    case Kind::kControlPredecessor: {
      const InstructionId named = NamedInstruction(view.module(), symbol.instruction);
      if (!named.has_value()) return result;
      result.definition = view.document.NameRange(named);
      result.places = view.document.ReferencesTo(named);
      break;
    }
    case Kind::kComputationName:
    case Kind::kComputationUse:
      if (!symbol.computation.has_value()) return result;
      result.definition = view.document.ComputationNameRange(symbol.computation);
      result.places = view.document.ReferencesTo(symbol.computation);
      break;
    default:
      return result;
  }
  std::sort(result.places.begin(), result.places.end(), [](SourceRange a, SourceRange b) { return a.begin < b.begin; });
  return result;
}

}  // namespace

std::vector<protocol::Location> FindReferences(const DocumentView& view, protocol::Position position,
                                               bool include_declaration) {
  const Occurrences occurrences = OccurrencesAt(view, position);
  std::vector<protocol::Location> locations;
  for (SourceRange place : occurrences.places) {
    if (include_declaration || place != occurrences.definition) locations.push_back(view.ToLocation(place));
  }
  return locations;
}

std::vector<protocol::DocumentHighlight> FindHighlights(const DocumentView& view, protocol::Position position) {
  const Occurrences occurrences = OccurrencesAt(view, position);
  std::vector<protocol::DocumentHighlight> highlights;
  for (SourceRange place : occurrences.places) {
    const bool is_definition = place == occurrences.definition;
    highlights.push_back({view.ToRange(place), is_definition ? protocol::DocumentHighlightKind::kWrite
                                                             : protocol::DocumentHighlightKind::kRead});
  }
  return highlights;
}

}  // namespace hloscope::lsp
