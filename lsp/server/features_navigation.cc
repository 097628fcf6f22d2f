// SPDX-License-Identifier: Apache-2.0
// Rows of the feature table: the ways from one place to others.
#include "lsp/features/call_hierarchy.h"
#include "lsp/features/declaration.h"
#include "lsp/features/definition.h"
#include "lsp/features/document_symbol.h"
#include "lsp/features/references.h"
#include "lsp/features/source_finder.h"
#include "lsp/features/type_hierarchy.h"
#include "lsp/protocol/feature_json.h"
#include "lsp/protocol/symbol_json.h"
#include "lsp/server/feature_support.h"

namespace hloscope::lsp {
namespace {

using nlohmann::json;

// Places with the word that leads there, for clients that underline it.
std::string LinksText(const FeatureContext& context, protocol::Position position,
                      const std::vector<protocol::Location>& places) {
  const SourceRange word = context.view.SymbolAt(position).range;
  json links = json::array();
  for (const protocol::Location& place : places) {
    json link = {
        {"targetUri", place.uri}, {"targetRange", ToJson(place.range)}, {"targetSelectionRange", ToJson(place.range)}};
    if (!word.empty()) link["originSelectionRange"] = ToJson(context.view.ToRange(word));
    links.push_back(std::move(link));
  }
  return JsonText(links);
}

template <std::vector<protocol::Location> (*Find)(const DocumentView&, protocol::Position),
          bool ClientCapabilities::*links>
absl::StatusOr<std::string> AnswerLocations(const FeatureContext& context, const json& params) {
  const absl::StatusOr<protocol::Position> position = PositionOf(params);
  if (!position.ok()) return position.status();
  if (context.client.*links) return LinksText(context, *position, Find(context.view, *position));
  return ListText(context, Find(context.view, *position));
}

// Where the position is on metadata: the line of the program.
absl::StatusOr<std::string> AnswerDefinition(const FeatureContext& context, const json& params) {
  const absl::StatusOr<protocol::Position> position = PositionOf(params);
  if (!position.ok()) return position.status();
  SourceFinder finder = FinderOf(context);
  std::vector<protocol::Location> places;
  if (const std::optional<protocol::Location> line = FindSourceLine(context.view, *position, finder)) {
    places.push_back(*line);
  } else {
    places = FindDefinition(context.view, *position);
  }
  return context.client.definition_links ? LinksText(context, *position, places) : ListText(context, places);
}

absl::StatusOr<std::string> AnswerReferences(const FeatureContext& context, const json& params) {
  const absl::StatusOr<protocol::Position> position = PositionOf(params);
  if (!position.ok()) return position.status();
  const bool include_declaration = FindBool(params, {"context", "includeDeclaration"}).value_or(true);
  return ListText(context, FindReferences(context.view, *position, include_declaration));
}

absl::StatusOr<std::string> AnswerDocumentHighlight(const FeatureContext& context, const json& params) {
  const absl::StatusOr<protocol::Position> position = PositionOf(params);
  if (!position.ok()) return position.status();
  return ListText(context, FindHighlights(context.view, *position));
}

absl::StatusOr<std::string> AnswerDocumentSymbol(const FeatureContext& context, const json&) {
  std::vector<protocol::DocumentSymbol> symbols = ComputeDocumentSymbols(context.view);
  if (context.send_part == nullptr) return DocumentSymbolsText(symbols, context.view.uri, context.client);
  // Parts end between computations.
  std::vector<protocol::DocumentSymbol> part;
  size_t count = 0;
  const auto send = [&] {
    if (!part.empty()) context.send_part(DocumentSymbolsText(part, context.view.uri, context.client));
    part.clear();
    count = 0;
  };
  for (protocol::DocumentSymbol& symbol : symbols) {
    count += 1 + symbol.children.size();
    part.push_back(std::move(symbol));
    if (count >= kPartSize) send();
  }
  send();
  return std::string("[]");
}

absl::StatusOr<std::string> AnswerPrepareCallHierarchy(const FeatureContext& context, const json& params) {
  const absl::StatusOr<protocol::Position> position = PositionOf(params);
  if (!position.ok()) return position.status();
  const std::optional<protocol::CallHierarchyItem> item = PrepareCallHierarchy(context.view, *position);
  if (!item.has_value()) return JsonText(json());
  return JsonText(json::array({ToJson(*item, context.view.uri)}));
}

template <std::vector<protocol::CallHierarchyCall> (*Find)(const DocumentView&, ComputationId), bool incoming>
absl::StatusOr<std::string> AnswerCalls(const FeatureContext& context, const json& params) {
  const std::optional<std::string> name = FindString(params, {"item", "name"});
  const json* data = FindPath(params, {"item", "data"});
  if (!name.has_value() || data == nullptr || !data->is_number_unsigned())
    return absl::InvalidArgumentError("expected `item` as textDocument/prepareCallHierarchy gave it");
  const uint32_t index =
      static_cast<uint32_t>(std::min<uint64_t>(*data->get_ptr<const json::number_unsigned_t*>(), 0xFFFFFFFFu));
  const ComputationId id = ComputationOfItem(context.view, index, *name);
  json calls = json::array();
  if (!id.has_value()) return JsonText(calls);
  for (const protocol::CallHierarchyCall& call : Find(context.view, id)) {
    json ranges = json::array();
    for (const protocol::Range& range : call.from_ranges) ranges.push_back(ToJson(range));
    calls.push_back(
        {{incoming ? "from" : "to", ToJson(call.item, context.view.uri)}, {"fromRanges", std::move(ranges)}});
  }
  return JsonText(calls);
}

json TypeItemJson(const TypeItem& item, const std::string& uri) {
  return {{"name", item.name},
          {"kind", static_cast<int>(item.is_call ? protocol::SymbolKind::kInterface : protocol::SymbolKind::kFunction)},
          {"detail", item.detail},
          {"uri", uri},
          {"range", ToJson(item.range)},
          {"selectionRange", ToJson(item.selection_range)},
          {"data", {{item.is_call ? "instruction" : "computation", item.number}}}};
}

absl::StatusOr<std::string> AnswerPrepareTypeHierarchy(const FeatureContext& context, const json& params) {
  const absl::StatusOr<protocol::Position> position = PositionOf(params);
  if (!position.ok()) return position.status();
  const std::optional<TypeItem> item = PrepareTypeHierarchy(context.view, *position);
  return JsonText(item.has_value() ? json::array({TypeItemJson(*item, context.view.uri)}) : json());
}

template <std::vector<TypeItem> (*Find)(const DocumentView&, bool, uint32_t)>
absl::StatusOr<std::string> AnswerTypes(const FeatureContext& context, const json& params) {
  const std::optional<int64_t> call = FindInt(params, {"item", "data", "instruction"});
  const std::optional<int64_t> number = call.has_value() ? call : FindInt(params, {"item", "data", "computation"});
  if (!number.has_value() || *number < 0 || *number > 0xFFFFFFFFll) {
    return absl::InvalidArgumentError("expected `item` as textDocument/prepareTypeHierarchy gave it");
  }
  json items = json::array();
  for (const TypeItem& item : Find(context.view, call.has_value(), static_cast<uint32_t>(*number))) {
    items.push_back(TypeItemJson(item, context.view.uri));
  }
  return JsonText(items);
}

constexpr Feature kNavigationFeatures[] = {
    {"textDocument/definition", "definitionProvider", Supported, AnswerDefinition},
    {"textDocument/declaration", "declarationProvider", Supported,
     AnswerLocations<FindDeclaration, &ClientCapabilities::declaration_links>},
    {"textDocument/typeDefinition", "typeDefinitionProvider", Supported,
     AnswerLocations<FindTypeDefinition, &ClientCapabilities::type_definition_links>},
    {"textDocument/implementation", "implementationProvider", Supported,
     AnswerLocations<FindImplementation, &ClientCapabilities::implementation_links>},
    {"textDocument/references", "referencesProvider", Supported, AnswerReferences},
    {"textDocument/documentHighlight", "documentHighlightProvider", Supported, AnswerDocumentHighlight},
    {"textDocument/documentSymbol", "documentSymbolProvider", Supported, AnswerDocumentSymbol, Lane::kOutline},
    {"textDocument/prepareCallHierarchy", "callHierarchyProvider", Supported, AnswerPrepareCallHierarchy},
    {"callHierarchy/incomingCalls", "", AnnouncedElsewhere, AnswerCalls<FindIncomingCalls, true>},
    {"callHierarchy/outgoingCalls", "", AnnouncedElsewhere, AnswerCalls<FindOutgoingCalls, false>},
    {"textDocument/prepareTypeHierarchy", "typeHierarchyProvider", Supported, AnswerPrepareTypeHierarchy},
    {"typeHierarchy/supertypes", "", AnnouncedElsewhere, AnswerTypes<FindSupertypes>},
    {"typeHierarchy/subtypes", "", AnnouncedElsewhere, AnswerTypes<FindSubtypes>},
};

}  // namespace

absl::Span<const Feature> NavigationFeatures() { return kNavigationFeatures; }

}  // namespace hloscope::lsp
