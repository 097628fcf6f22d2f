#include "lsp/server/feature_table.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "lsp/features/code_action.h"
#include "lsp/features/definition.h"
#include "lsp/features/document_symbol.h"
#include "lsp/features/folding_range.h"
#include "lsp/features/hover.h"
#include "lsp/features/references.h"
#include "lsp/protocol/json.h"
#include "lsp/protocol/symbol_json.h"
#include "lsp/transport/json_rpc.h"
#include "nlohmann/json.hpp"

namespace hloscope::lsp {
namespace {

using nlohmann::json;

absl::StatusOr<protocol::Position> PositionOf(const json& params) {
  const json* value = FindPath(params, {"position"});
  const std::optional<protocol::Position> position = value ? ReadPosition(*value) : std::nullopt;
  if (!position.has_value()) return absl::InvalidArgumentError("expected `position` with `line` and `character`");
  return *position;
}

template <typename Value>
std::string ListText(const std::vector<Value>& values) {
  json list = json::array();
  for (const Value& value : values) list.push_back(ToJson(value));
  return JsonText(list);
}

absl::StatusOr<std::string> AnswerHover(const FeatureContext& context, const json& params) {
  const absl::StatusOr<protocol::Position> position = PositionOf(params);
  if (!position.ok()) return position.status();
  const std::optional<protocol::Hover> hover = ComputeHover(context.view, *position, context.resource_directory);
  return JsonText(hover.has_value() ? ToJson(*hover, context.client) : json());
}

absl::StatusOr<std::string> AnswerDefinition(const FeatureContext& context, const json& params) {
  const absl::StatusOr<protocol::Position> position = PositionOf(params);
  if (!position.ok()) return position.status();
  return ListText(FindDefinition(context.view, *position));
}

absl::StatusOr<std::string> AnswerReferences(const FeatureContext& context, const json& params) {
  const absl::StatusOr<protocol::Position> position = PositionOf(params);
  if (!position.ok()) return position.status();
  const bool include_declaration = FindBool(params, {"context", "includeDeclaration"}).value_or(true);
  return ListText(FindReferences(context.view, *position, include_declaration));
}

absl::StatusOr<std::string> AnswerDocumentHighlight(const FeatureContext& context, const json& params) {
  const absl::StatusOr<protocol::Position> position = PositionOf(params);
  if (!position.ok()) return position.status();
  return ListText(FindHighlights(context.view, *position));
}

absl::StatusOr<std::string> AnswerDocumentSymbol(const FeatureContext& context, const json&) {
  return DocumentSymbolsText(ComputeDocumentSymbols(context.view), context.view.uri, context.client);
}

absl::StatusOr<std::string> AnswerFoldingRange(const FeatureContext& context, const json&) {
  return ListText(ComputeFoldingRanges(context.view));
}

// True if the request asks for quick fixes: it names no kinds, or one that quick fixes belong to.
bool WantsQuickFixes(const json& params) {
  const json* only = FindPath(params, {"context", "only"});
  if (only == nullptr || !only->is_array()) return true;
  return std::any_of(only->begin(), only->end(), [](const json& kind) {
    const auto* name = kind.get_ptr<const json::string_t*>();
    return name != nullptr && (name->empty() || *name == "quickfix");
  });
}

absl::StatusOr<std::string> AnswerCodeAction(const FeatureContext& context, const json& params) {
  const json* value = FindPath(params, {"range"});
  const std::optional<protocol::Range> range = value ? ReadRange(*value) : std::nullopt;
  if (!range.has_value()) return absl::InvalidArgumentError("expected `range` with `start` and `end`");
  json actions = json::array();
  // Without literals a client takes commands only, and the server has none.
  if (!context.client.code_action_literals || !WantsQuickFixes(params)) return JsonText(actions);
  for (const protocol::CodeAction& action : ComputeCodeActions(context.view, *range)) {
    actions.push_back(ToJson(action, context.client));
  }
  return JsonText(actions);
}

json Supported() { return true; }
json CodeActionOptions() { return {{"codeActionKinds", json::array({"quickfix"})}}; }

constexpr Feature kFeatures[] = {
    {"textDocument/hover", "hoverProvider", Supported, AnswerHover},
    {"textDocument/definition", "definitionProvider", Supported, AnswerDefinition},
    {"textDocument/references", "referencesProvider", Supported, AnswerReferences},
    {"textDocument/documentHighlight", "documentHighlightProvider", Supported, AnswerDocumentHighlight},
    {"textDocument/documentSymbol", "documentSymbolProvider", Supported, AnswerDocumentSymbol},
    {"textDocument/foldingRange", "foldingRangeProvider", Supported, AnswerFoldingRange},
    {"textDocument/codeAction", "codeActionProvider", CodeActionOptions, AnswerCodeAction},
};

}  // namespace

absl::Span<const Feature> AllFeatures() { return kFeatures; }

const Feature* FindFeature(absl::string_view method) {
  const auto* found = std::find_if(std::begin(kFeatures), std::end(kFeatures),
                                   [&](const Feature& feature) { return feature.method == method; });
  return found == std::end(kFeatures) ? nullptr : found;
}

}  // namespace hloscope::lsp
