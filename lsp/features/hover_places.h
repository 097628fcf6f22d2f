// SPDX-License-Identifier: Apache-2.0
// The texts that hover shows of what is no name, shape, opcode or attribute of an instruction. All return Markdown.
#ifndef HLOSCOPE_LSP_FEATURES_HOVER_PLACES_H_
#define HLOSCOPE_LSP_FEATURES_HOVER_PLACES_H_

#include <optional>
#include <string>

#include "core/document/document.h"
#include "core/editing/outer_place.h"

namespace hloscope::lsp {

struct PlaceCard {
  std::string markdown;
  SourceRange range;
};

// Of a place in header, tables or signatures; empty if there is nothing to say.
std::string OuterCard(const Document& document, const OuterPlace& place);
// Of `ROOT`, of a literal or of a parameter's number in the text of the instruction.
std::optional<PlaceCard> InnerCard(const Document& document, InstructionId id, uint32_t offset);
// Meaning and default of an attribute of the header; empty if there is none of that name.
std::string HeaderAttributeCard(absl::string_view name);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_FEATURES_HOVER_PLACES_H_
