// SPDX-License-Identifier: Apache-2.0
#include "lsp/protocol/json.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "lsp/protocol/plain_text.h"
#include "lsp/protocol/position_mapper.h"
#include "nlohmann/json.hpp"

namespace hloscope::lsp {
namespace {

using nlohmann::json;

// Clamped to uint32; nullopt if it is no whole number.
std::optional<uint32_t> ReadUint32(const json* value) {
  constexpr uint32_t kMax = std::numeric_limits<uint32_t>::max();
  if (value == nullptr || !value->is_number_integer()) return std::nullopt;
  if (value->is_number_unsigned()) {
    return static_cast<uint32_t>(std::min<uint64_t>(*value->get_ptr<const json::number_unsigned_t*>(), kMax));
  }
  return static_cast<uint32_t>(std::clamp<int64_t>(*value->get_ptr<const json::number_integer_t*>(), 0, kMax));
}

bool ListsString(const json* list, absl::string_view wanted) {
  if (list == nullptr || !list->is_array()) return false;
  return std::any_of(list->begin(), list->end(), [&](const json& item) {
    const auto* text = item.get_ptr<const json::string_t*>();
    return text != nullptr && *text == wanted;
  });
}

}  // namespace

json ToJson(const protocol::Position& value) { return {{"line", value.line}, {"character", value.character}}; }

json ToJson(const protocol::Range& value) { return {{"start", ToJson(value.start)}, {"end", ToJson(value.end)}}; }

void AppendRange(std::string* out, const protocol::Range& range) {
  absl::StrAppend(out, "{\"start\":{\"line\":", range.start.line, ",\"character\":", range.start.character);
  absl::StrAppend(out, "},\"end\":{\"line\":", range.end.line, ",\"character\":", range.end.character, "}}");
}

json ToJson(const protocol::Location& value) { return {{"uri", value.uri}, {"range", ToJson(value.range)}}; }

json ToJson(const protocol::TextEdit& value) { return {{"range", ToJson(value.range)}, {"newText", value.new_text}}; }

json ToJson(const protocol::DocumentHighlight& value) {
  return {{"range", ToJson(value.range)}, {"kind", static_cast<int>(value.kind)}};
}

json ToJson(const protocol::FoldingRange& value) {
  return {{"startLine", value.start_line},
          {"endLine", value.end_line},
          {"kind", value.kind == protocol::FoldingRangeKind::kComment ? "comment" : "region"}};
}

json ToJson(const protocol::Diagnostic& value, const ClientCapabilities& client) {
  json result = {{"range", ToJson(value.range)},
                 {"severity", static_cast<int>(value.severity)},
                 {"source", "hloscope"},
                 {"message", value.message}};
  if (!value.code.empty()) result["code"] = value.code;
  if (client.code_descriptions && !value.code_uri.empty()) result["codeDescription"] = {{"href", value.code_uri}};
  if (client.diagnostic_tags && !value.tags.empty()) {
    json tags = json::array();
    for (protocol::DiagnosticTag tag : value.tags) tags.push_back(static_cast<int>(tag));
    result["tags"] = std::move(tags);
  }
  if (client.related_information && !value.related.empty()) {
    json related = json::array();
    for (const protocol::DiagnosticRelatedInformation& place : value.related) {
      related.push_back({{"location", ToJson(place.location)}, {"message", place.message}});
    }
    result["relatedInformation"] = std::move(related);
  }
  return result;
}

json ToJson(const protocol::Hover& value, const ClientCapabilities& client) {
  return {{"contents", MarkupJson(value.markdown, client.markdown_hover)}, {"range", ToJson(value.range)}};
}

namespace {

// Of a change in several places that is no repair, the client shows a preview if it can.
json EditJson(const protocol::CodeAction& action, json edits, const ClientCapabilities& client) {
  if (!client.change_annotations || edits.size() < 2 || absl::StartsWith(action.kind, "quickfix")) {
    json changes = json::object();
    changes[action.uri] = std::move(edits);
    return {{"changes", std::move(changes)}};
  }
  for (json& edit : edits) edit["annotationId"] = "change";
  return {{"documentChanges",
           json::array({{{"textDocument", {{"uri", action.uri}, {"version", nullptr}}}, {"edits", std::move(edits)}}})},
          {"changeAnnotations", {{"change", {{"label", action.title}, {"needsConfirmation", true}}}}}};
}

}  // namespace

json ToJson(const protocol::CodeAction& value, const ClientCapabilities& client) {
  json result = {{"title", value.title}, {"kind", value.kind}};
  if (value.diagnostic.has_value()) result["diagnostics"] = json::array({ToJson(*value.diagnostic, client)});
  if (client.preferred_code_actions && value.is_preferred) result["isPreferred"] = true;
  if (!value.new_file.empty()) {
    const json end = {{"line", 0}, {"character", 0}};
    result["edit"] = {
        {"documentChanges", json::array({{{"kind", "create"}, {"uri", value.new_file}},
                                         {{"textDocument", {{"uri", value.new_file}, {"version", nullptr}}},
                                          {"edits", json::array({{{"range", {{"start", end}, {"end", end}}},
                                                                  {"newText", value.new_file_text}}})}}})}};
  } else if (value.refactoring.empty() || !value.edits.empty()) {
    json edits = json::array();
    for (const protocol::TextEdit& edit : value.edits) edits.push_back(ToJson(edit));
    result["edit"] = EditJson(value, std::move(edits), client);
  }
  return result;
}

const json* FindPath(const json& object, std::initializer_list<absl::string_view> path) {
  const json* at = &object;
  for (absl::string_view key : path) {
    if (!at->is_object()) return nullptr;
    const auto found = at->find(std::string(key));
    if (found == at->end()) return nullptr;
    at = &*found;
  }
  return at;
}

std::optional<std::string> FindString(const json& object, std::initializer_list<absl::string_view> path) {
  const json* value = FindPath(object, path);
  const auto* text = value == nullptr ? nullptr : value->get_ptr<const json::string_t*>();
  if (text == nullptr) return std::nullopt;
  return *text;
}

std::optional<std::string> TakeString(json& object, std::initializer_list<absl::string_view> path) {
  const json* value = FindPath(object, path);
  auto* text = value == nullptr ? nullptr : const_cast<json*>(value)->get_ptr<json::string_t*>();
  if (text == nullptr) return std::nullopt;
  return std::move(*text);
}

std::optional<int64_t> FindInt(const json& object, std::initializer_list<absl::string_view> path) {
  const json* value = FindPath(object, path);
  if (value == nullptr || !value->is_number_integer()) return std::nullopt;
  return *value->get_ptr<const json::number_integer_t*>();
}

std::optional<bool> FindBool(const json& object, std::initializer_list<absl::string_view> path) {
  const json* value = FindPath(object, path);
  const auto* flag = value == nullptr ? nullptr : value->get_ptr<const json::boolean_t*>();
  if (flag == nullptr) return std::nullopt;
  return *flag;
}

std::optional<protocol::Position> ReadPosition(const json& value) {
  const std::optional<uint32_t> line = ReadUint32(FindPath(value, {"line"}));
  const std::optional<uint32_t> character = ReadUint32(FindPath(value, {"character"}));
  if (!line.has_value() || !character.has_value()) return std::nullopt;
  return protocol::Position{*line, *character};
}

std::optional<protocol::Range> ReadRange(const json& value) {
  const json* start = FindPath(value, {"start"});
  const json* end = FindPath(value, {"end"});
  if (start == nullptr || end == nullptr) return std::nullopt;
  const std::optional<protocol::Position> first = ReadPosition(*start);
  const std::optional<protocol::Position> last = ReadPosition(*end);
  if (!first.has_value() || !last.has_value()) return std::nullopt;
  return protocol::Range{*first, *last};
}

std::optional<protocol::ContentChange> ReadContentChange(const json& value) {
  std::optional<std::string> text = FindString(value, {"text"});
  if (!text.has_value()) return std::nullopt;
  protocol::ContentChange change;
  change.text = *std::move(text);
  if (const json* range = FindPath(value, {"range"}); range != nullptr && !range->is_null()) {
    change.range = ReadRange(*range);
    if (!change.range.has_value()) return std::nullopt;
  }
  return change;
}

ClientCapabilities ReadClientCapabilities(const json& capabilities) {
  ClientCapabilities client;
  if (const json* encodings = FindPath(capabilities, {"general", "positionEncodings"});
      encodings != nullptr && encodings->is_array()) {
    for (const json& encoding : *encodings) {
      const auto* name = encoding.get_ptr<const json::string_t*>();
      const std::optional<ColumnUnit> unit = name ? PositionEncodingFromName(*name) : std::nullopt;
      if (unit.has_value()) {
        client.position_unit = *unit;
        break;
      }
    }
  }
  client.watched_files =
      FindBool(capabilities, {"workspace", "didChangeWatchedFiles", "dynamicRegistration"}).value_or(false);
  const json* operations = FindPath(capabilities, {"workspace", "workspaceEdit", "resourceOperations"});
  client.document_changes = FindBool(capabilities, {"workspace", "workspaceEdit", "documentChanges"}).value_or(false);
  client.create_files = ListsString(operations, "create") && client.document_changes;
  client.change_annotations =
      client.document_changes && FindPath(capabilities, {"workspace", "workspaceEdit", "changeAnnotationSupport"});
  client.diagnostics_refresh = FindBool(capabilities, {"workspace", "diagnostics", "refreshSupport"}).value_or(false);
  client.apply_edit = FindBool(capabilities, {"workspace", "applyEdit"}).value_or(false);
  client.pull_configuration = FindBool(capabilities, {"workspace", "configuration"}).value_or(false);
  client.work_done_progress = FindBool(capabilities, {"window", "workDoneProgress"}).value_or(false);
  client.semantic_tokens_refresh =
      FindBool(capabilities, {"workspace", "semanticTokens", "refreshSupport"}).value_or(false);
  client.inlay_hint_refresh = FindBool(capabilities, {"workspace", "inlayHint", "refreshSupport"}).value_or(false);
  client.symbol_ranges_later =
      ListsString(FindPath(capabilities, {"workspace", "symbol", "resolveSupport", "properties"}), "location.range");
  client.code_lens_refresh = FindBool(capabilities, {"workspace", "codeLens", "refreshSupport"}).value_or(false);
  const json* document = FindPath(capabilities, {"textDocument"});
  if (document == nullptr) return client;
  client.related_information = FindBool(*document, {"publishDiagnostics", "relatedInformation"}).value_or(false);
  client.diagnostic_tags = FindPath(*document, {"publishDiagnostics", "tagSupport"}) != nullptr;
  client.markdown_hover = ListsString(FindPath(*document, {"hover", "contentFormat"}), "markdown");
  client.hierarchical_symbols =
      FindBool(*document, {"documentSymbol", "hierarchicalDocumentSymbolSupport"}).value_or(false);
  client.code_action_literals = FindPath(*document, {"codeAction", "codeActionLiteralSupport"}) != nullptr;
  client.preferred_code_actions = FindBool(*document, {"codeAction", "isPreferredSupport"}).value_or(false);
  client.code_action_resolve = FindBool(*document, {"codeAction", "dataSupport"}).value_or(false) &&
                               ListsString(FindPath(*document, {"codeAction", "resolveSupport", "properties"}), "edit");
  client.code_descriptions = FindBool(*document, {"publishDiagnostics", "codeDescriptionSupport"}).value_or(false);
  client.pull_diagnostics = FindPath(*document, {"diagnostic"}) != nullptr;
  for (const auto& [feature, target] :
       {std::pair{"definition", &client.definition_links}, std::pair{"declaration", &client.declaration_links},
        std::pair{"typeDefinition", &client.type_definition_links},
        std::pair{"implementation", &client.implementation_links}}) {
    *target = FindBool(*document, {feature, "linkSupport"}).value_or(false);
  }
  client.hint_tooltips_later =
      ListsString(FindPath(*document, {"inlayHint", "resolveSupport", "properties"}), "tooltip");
  client.label_details = FindBool(*document, {"completion", "completionItem", "labelDetailsSupport"}).value_or(false);
  client.signature_markdown =
      ListsString(FindPath(*document, {"signatureHelp", "signatureInformation", "documentationFormat"}), "markdown");
  client.signature_offsets =
      FindBool(*document, {"signatureHelp", "signatureInformation", "parameterInformation", "labelOffsetSupport"})
          .value_or(false);
  client.active_parameters =
      FindBool(*document, {"signatureHelp", "signatureInformation", "activeParameterSupport"}).value_or(false);
  client.prepared_renames = FindBool(*document, {"rename", "prepareSupport"}).value_or(false);
  client.diagnostic_versions = FindBool(*document, {"publishDiagnostics", "versionSupport"}).value_or(false);
  client.snippets = FindBool(*document, {"completion", "completionItem", "snippetSupport"}).value_or(false);
  client.completion_edit_range =
      ListsString(FindPath(*document, {"completion", "completionList", "itemDefaults"}), "editRange");
  client.completion_markdown =
      ListsString(FindPath(*document, {"completion", "completionItem", "documentationFormat"}), "markdown");
  return client;
}

}  // namespace hloscope::lsp
