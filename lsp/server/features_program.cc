// SPDX-License-Identifier: Apache-2.0
#include "lsp/server/features_program.h"

#include "lsp/features/program.h"
#include "lsp/protocol/symbol_json.h"
#include "lsp/server/feature_support.h"

namespace hloscope::lsp {
namespace {

using nlohmann::json;

absl::StatusOr<std::string> AtPosition(const FeatureContext& context, absl::string_view method, const json& params) {
  const absl::StatusOr<protocol::Position> position = PositionOf(params);
  if (!position.ok()) return position.status();
  const DocumentView& view = context.view;
  if (method == "textDocument/hover") {
    const auto hover = ComputeProgramHover(view, *position, context.resource_directory);
    return JsonText(hover.has_value() ? ToJson(*hover, context.client) : json());
  }
  if (method == "textDocument/completion") {
    return CompletionText(ComputeProgramCompletion(view, *position), context.client);
  }
  std::vector<protocol::Location> places = FindProgramPlaces(view, *position);
  if (method == "textDocument/definition" && places.size() > 1) places.resize(1);
  if (method != "textDocument/documentHighlight") return ListText(context, places);
  json highlights = json::array();
  for (const protocol::Location& place : places) {
    highlights.push_back(ToJson(protocol::DocumentHighlight{place.range, protocol::DocumentHighlightKind::kText}));
  }
  return JsonText(highlights);
}

}  // namespace

absl::StatusOr<std::string> AnswerAboutProgram(const FeatureContext& context, absl::string_view method,
                                               const json& params) {
  for (absl::string_view known : {"textDocument/hover", "textDocument/completion", "textDocument/definition",
                                  "textDocument/references", "textDocument/documentHighlight"}) {
    if (method == known) return AtPosition(context, method, params);
  }
  if (method == "textDocument/documentSymbol") {
    return DocumentSymbolsText(ComputeProgramSymbols(context.view), context.view.uri, context.client);
  }
  if (method == "textDocument/codeLens") {
    if (!context.settings.code_lenses) return std::string("[]");
    return ListText(context, ComputeProgramLenses(context.view));
  }
  if (method == "textDocument/diagnostic" || method == "hloscope/textState") {
    return FindFeature(method)->answer(context, params);
  }
  if (method == "hloscope/hlo") return ProgramHloText(context.view);
  return std::string("null");
}

}  // namespace hloscope::lsp
