// SPDX-License-Identifier: Apache-2.0
#include "lsp/features/hover.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "core/editing/builder_call_snippet.h"
#include "core/resources/resources.h"
#include "lsp/features/hover_cards.h"
#include "lsp/features/hover_places.h"
#include "lsp/features/markdown.h"

namespace hloscope::lsp {
namespace {

// What the page of the opcode says of the attribute in its list: "* `name` (default x): text" or "* `a`, `b`: text".
std::string MeaningOnPage(Opcode opcode, AttributeKind kind, const std::string& resource_directory) {
  if (opcode == Opcode::kInvalid) return "";
  const std::optional<std::string> page = ReadOpPage(resource_directory, opcode);
  if (!page.has_value()) return "";
  const std::string name = absl::StrCat("`", AttributeName(kind), "`");
  for (absl::string_view line : absl::StrSplit(*page, '\n')) {
    if (!absl::ConsumePrefix(&line, "* `")) continue;
    const size_t colon = line.find(": ");
    // The backtick is a part of the name again.
    const absl::string_view head(line.data() - 1, colon == absl::string_view::npos ? 0 : colon + 1);
    if (!absl::StrContains(head.substr(0, head.find('(')), name)) continue;
    std::string text(line.substr(colon + 2));
    text[0] = absl::ascii_toupper(static_cast<unsigned char>(text[0]));
    return text;
  }
  return "";
}

std::string TextOf(const DocumentView& view, const SymbolAtPosition& symbol, const std::string& resource_directory) {
  using Kind = SymbolAtPosition::Kind;
  const Module& module = view.module();
  switch (symbol.kind) {
    case Kind::kInstructionName:
    case Kind::kOperand:
    case Kind::kControlPredecessor:
      if (!symbol.instruction.has_value()) return "";
      return absl::StrCat(InstructionCard(view.document, symbol.instruction),
                          PageLead(module.opcode(symbol.instruction), resource_directory));
    case Kind::kShape:
      return symbol.instruction.has_value() ? ShapeCard(view.document, symbol.instruction) : "";
    case Kind::kOpcode: {
      if (!symbol.instruction.has_value()) return "";
      const Opcode opcode = module.opcode(symbol.instruction);
      if (opcode == Opcode::kInvalid) {
        const BuilderCall* const call = WrittenBuilderCall(view.document.source().Slice(symbol.range));
        return call != nullptr ? BuilderCallPage(*call) : "";
      }
      if (std::optional<std::string> page = ReadOpPage(resource_directory, opcode)) return *std::move(page);
      return OpcodeCard(opcode);
    }
    case Kind::kAttributeName:
    case Kind::kAttributeValue:
      if (!symbol.instruction.has_value()) return "";
      return AttributeCard(module, symbol.instruction, symbol.attribute,
                           MeaningOnPage(module.opcode(symbol.instruction), symbol.attribute, resource_directory));
    case Kind::kComputationName:
    case Kind::kComputationUse:
      return symbol.computation.has_value() ? ComputationCard(view.document, symbol.computation) : "";
    case Kind::kModuleName:
      return ModuleCard(module);
    case Kind::kNone:
      return "";
  }
  return "";
}

}  // namespace

std::optional<protocol::Hover> ComputeHover(const DocumentView& view, protocol::Position position,
                                            const std::string& resource_directory) {
  const SymbolAtPosition symbol = view.SymbolAt(position);
  std::string text = TextOf(view, symbol, resource_directory);
  if (!text.empty()) return protocol::Hover{std::move(text), view.ToRange(symbol.range)};
  if (symbol.kind != SymbolAtPosition::Kind::kNone) return std::nullopt;
  const uint32_t offset = view.ToOffset(position);
  if (symbol.user.has_value()) {
    std::optional<PlaceCard> card = InnerCard(view.document, symbol.user, offset);
    if (!card.has_value()) return std::nullopt;
    return protocol::Hover{std::move(card->markdown), view.ToRange(card->range)};
  }
  const OuterPlace place = OuterPlaceAt(view.document, offset);
  text = OuterCard(view.document, place);
  if (text.empty()) return std::nullopt;
  return protocol::Hover{std::move(text), view.ToRange(place.range)};
}

}  // namespace hloscope::lsp
