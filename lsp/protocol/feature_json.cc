// SPDX-License-Identifier: Apache-2.0
#include "lsp/protocol/feature_json.h"

#include <utility>

#include "absl/strings/str_format.h"
#include "lsp/protocol/json.h"
#include "lsp/protocol/plain_text.h"
#include "lsp/transport/json_rpc.h"
#include "nlohmann/json.hpp"

namespace hloscope::lsp {
namespace {

using nlohmann::json;

constexpr int kSnippetFormat = 2;
constexpr int kSymbolKindFunction = 12;

}  // namespace

std::string CompletionText(const protocol::CompletionList& list, const ClientCapabilities& client) {
  std::string items = "[";
  bool incomplete = list.is_incomplete;
  const json range = ToJson(list.replaced);
  for (size_t i = 0; i < list.items.size(); ++i) {
    const protocol::CompletionItem& item = list.items[i];
    json out = {{"label", item.label},
                {"kind", static_cast<int>(item.kind)},
                // Editors sort by this text: it keeps the order of the list.
                {"sortText", absl::StrFormat("%04u", i)},
                {"data", json::array({item.data_kind, item.data_index})}};
    if (!item.detail.empty() && client.label_details) {
      out["labelDetails"] = {{"description", item.detail}};
    } else if (!item.detail.empty()) {
      out["detail"] = item.detail;
    }
    if (item.is_snippet) out["insertTextFormat"] = kSnippetFormat;
    if (client.completion_edit_range) {
      if (item.insert_text != item.label) out["textEditText"] = item.insert_text;
    } else {
      out["textEdit"] = {{"range", range}, {"newText", item.insert_text}};
    }
    std::string text = JsonText(out);
    if (items.size() + text.size() > kMaxCompletionBytes) {
      incomplete = true;
      break;
    }
    if (i > 0) items += ",";
    items += text;
  }
  items += "]";
  std::string result = incomplete ? "{\"isIncomplete\":true" : "{\"isIncomplete\":false";
  if (client.completion_edit_range) result += ",\"itemDefaults\":{\"editRange\":" + JsonText(range) + "}";
  return result + ",\"items\":" + items + "}";
}

json ToJson(const protocol::SignatureHelp& value, const ClientCapabilities& client) {
  json parameters = json::array();
  for (size_t i = 0; i < value.parameters.size(); ++i) {
    const auto [begin, end] = value.parameters[i];
    json parameter = {
        {"label", client.signature_offsets ? json::array({begin, end}) : json(value.label.substr(begin, end - begin))}};
    if (!value.parameter_docs[i].empty()) parameter["documentation"] = value.parameter_docs[i];
    parameters.push_back(std::move(parameter));
  }
  json signature = {{"label", value.label}, {"parameters", std::move(parameters)}};
  if (!value.documentation.empty())
    signature["documentation"] = MarkupJson(value.documentation, client.signature_markdown);
  // An active parameter beyond the list means none; clients take a missing one for the first.
  const uint32_t active = value.active_parameter.value_or(static_cast<uint32_t>(value.parameters.size()));
  if (client.active_parameters) signature["activeParameter"] = active;
  return {{"signatures", json::array({std::move(signature)})}, {"activeSignature", 0}, {"activeParameter", active}};
}

json ToJson(const protocol::SelectionRange& value) {
  json outer;
  for (size_t i = value.size(); i-- > 0;) {
    json range = {{"range", ToJson(value[i])}};
    if (!outer.is_null()) range["parent"] = std::move(outer);
    outer = std::move(range);
  }
  return outer;
}

json ToJson(const protocol::InlayHint& value) {
  json hint = {{"position", ToJson(value.position)}, {"label", value.label}, {"kind", static_cast<int>(value.kind)}};
  if (value.padding_left) hint["paddingLeft"] = true;
  if (value.padding_right) hint["paddingRight"] = true;
  if (value.edit.has_value()) hint["textEdits"] = json::array({ToJson(*value.edit)});
  return hint;
}

json ToJson(const protocol::DocumentLink& value) { return {{"range", ToJson(value.range)}, {"target", value.target}}; }

json ToJson(const protocol::CodeLens& value) {
  if (value.title.empty()) return {{"range", ToJson(value.range)}};
  json command = {{"title", value.title}, {"command", value.command}};
  json arguments = json::parse(value.arguments.empty() ? "[]" : value.arguments, nullptr, false);
  if (arguments.is_array() && !arguments.empty()) command["arguments"] = std::move(arguments);
  return {{"range", ToJson(value.range)}, {"command", std::move(command)}};
}

json ToJson(const protocol::InlineValue& value) { return {{"range", ToJson(value.range)}, {"text", value.text}}; }

json ToJson(const protocol::CallHierarchyItem& value, const std::string& uri) {
  return {{"name", value.name},           {"kind", kSymbolKindFunction},
          {"detail", value.detail},       {"uri", uri},
          {"range", ToJson(value.range)}, {"selectionRange", ToJson(value.selection_range)},
          {"data", value.computation}};
}

}  // namespace hloscope::lsp
