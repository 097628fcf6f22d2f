// SPDX-License-Identifier: Apache-2.0
#include "lsp/server/features_modules.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "lsp/server/feature_support.h"

namespace hloscope::lsp {
namespace {

using nlohmann::json;

// The line that a request is about; nothing if it is about the text as a whole.
std::optional<uint32_t> LineOf(const json& params) {
  for (const json* place :
       {FindPath(params, {"position"}), FindPath(params, {"range", "start"}),
        FindPath(params, {"data", "selection", "start"}), FindPath(params, {"item", "selectionRange", "start"})}) {
    const std::optional<protocol::Position> position = place ? ReadPosition(*place) : std::nullopt;
    if (position.has_value()) return position->line;
  }
  const json* positions = FindPath(params, {"positions"});
  if (positions == nullptr || !positions->is_array() || positions->empty()) return std::nullopt;
  const std::optional<protocol::Position> first = ReadPosition((*positions)[0]);
  return first.has_value() ? std::optional<uint32_t>(first->line) : std::nullopt;
}

absl::StatusOr<std::string> AnswerOfModule(const FeatureContext& context, const Feature& feature, const json& params,
                                           const Document& document) {
  const DocumentView view(document, context.view.uri, context.view.positions.unit());
  const FeatureContext of_module{view,
                                 context.client,
                                 context.resource_directory,
                                 context.settings,
                                 context.state,
                                 context.cancelled,
                                 context.ask_client,
                                 nullptr,
                                 context.report_progress,
                                 context.evaluation_program};
  return feature.answer(of_module, params);
}

// The lines of a module: from its HloModule to its last one that is not blank.
protocol::Range LinesOf(const ModuleDocument& module) {
  const SourceText& text = module.document->source();
  uint32_t last = text.line_count() - 1;
  while (last > module.first_line && text.Line(last).find_first_not_of(" \t\r\n") == absl::string_view::npos) --last;
  return {{module.first_line, 0}, {last, static_cast<uint32_t>(text.Line(last).size())}};
}

bool IsInside(const json& item, const protocol::Range& lines) {
  const json* value = FindPath(item, {"range"});
  const std::optional<protocol::Range> range = value ? ReadRange(*value) : std::nullopt;
  return range.has_value() && range->start.line >= lines.start.line && range->end.line <= lines.end.line;
}

// The items that a module adds to the list of all.
void AddItems(const FeatureContext& context, absl::string_view method, size_t number, json items, json* all) {
  const ModuleDocument& module = context.view.modules[number];
  const protocol::Range lines = LinesOf(module);
  if (method == "textDocument/documentSymbol" && context.client.hierarchical_symbols) {
    std::string name(module.document->module().name());
    if (name.empty()) name = absl::StrCat("module ", number + 1);
    const protocol::Range first = {{lines.start.line, 0}, {lines.start.line, 0}};
    all->push_back({{"name", std::move(name)},
                    {"kind", static_cast<int>(protocol::SymbolKind::kModule)},
                    {"range", ToJson(lines)},
                    {"selectionRange", ToJson(first)},
                    {"children", std::move(items)}});
    return;
  }
  for (json& item : items) {
    // What the white space between two modules would have to be is nobody's matter.
    if (method == "textDocument/formatting" && !IsInside(item, lines)) continue;
    const std::optional<std::string> command = FindString(item, {"command", "command"});
    if (command == "hloscope.debug") continue;  // the debug adapter runs the module of a file
    if (command == "hloscope.run") item["command"]["arguments"].push_back(number + 1);
    all->push_back(std::move(item));
  }
}

}  // namespace

absl::StatusOr<std::string> AnswerAboutModules(const FeatureContext& context, const Feature& feature,
                                               const json& params) {
  const absl::Span<const ModuleDocument> modules = context.view.modules;
  if (feature.method == "textDocument/diagnostic") return feature.answer(context, params);
  if (const std::optional<uint32_t> line = LineOf(params)) {
    size_t number = 0;
    while (number + 1 < modules.size() && modules[number + 1].first_line <= *line) ++number;
    return AnswerOfModule(context, feature, params, *modules[number].document);
  }
  for (absl::string_view list : {"textDocument/documentSymbol", "textDocument/codeLens", "textDocument/foldingRange",
                                 "textDocument/documentLink", "textDocument/formatting"}) {
    if (feature.method != list) continue;
    json all = json::array();
    for (size_t i = 0; i < modules.size() && !context.cancelled(); ++i) {
      const absl::StatusOr<std::string> answer = AnswerOfModule(context, feature, params, *modules[i].document);
      if (!answer.ok()) return answer;
      json items = json::parse(*answer, nullptr, false);
      if (items.is_array()) AddItems(context, list, i, std::move(items), &all);
    }
    return JsonText(all);
  }
  // Tokens, and what knows no place: of the text as it is, or of its first module.
  if (absl::StrContains(feature.method, "semanticTokens") || feature.method == "hloscope/textState") {
    return feature.answer(context, params);
  }
  return AnswerOfModule(context, feature, params, *modules[0].document);
}

}  // namespace hloscope::lsp
