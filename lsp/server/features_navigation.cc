// Rows of the feature table: the ways from one place to others.
#include "lsp/features/declaration.h"
#include "lsp/features/definition.h"
#include "lsp/features/document_symbol.h"
#include "lsp/features/references.h"
#include "lsp/protocol/symbol_json.h"
#include "lsp/server/feature_support.h"

namespace hloscope::lsp {
namespace {

using nlohmann::json;

template <std::vector<protocol::Location> (*Find)(const DocumentView&, protocol::Position)>
absl::StatusOr<std::string> AnswerLocations(const FeatureContext& context, const json& params) {
  const absl::StatusOr<protocol::Position> position = PositionOf(params);
  if (!position.ok()) return position.status();
  return ListText(context, Find(context.view, *position));
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
  return DocumentSymbolsText(ComputeDocumentSymbols(context.view), context.view.uri, context.client);
}

constexpr Feature kFeatures[] = {
    {"textDocument/definition", "definitionProvider", Supported, AnswerLocations<FindDefinition>},
    {"textDocument/declaration", "declarationProvider", Supported, AnswerLocations<FindDeclaration>},
    {"textDocument/typeDefinition", "typeDefinitionProvider", Supported, AnswerLocations<FindTypeDefinition>},
    {"textDocument/implementation", "implementationProvider", Supported, AnswerLocations<FindImplementation>},
    {"textDocument/references", "referencesProvider", Supported, AnswerReferences},
    {"textDocument/documentHighlight", "documentHighlightProvider", Supported, AnswerDocumentHighlight},
    {"textDocument/documentSymbol", "documentSymbolProvider", Supported, AnswerDocumentSymbol},
};

}  // namespace

absl::Span<const Feature> NavigationFeatures() { return kFeatures; }

}  // namespace hloscope::lsp
