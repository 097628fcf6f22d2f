// SPDX-License-Identifier: Apache-2.0
// Rows of the feature table: what helps while reading and typing a line.
#include "lsp/features/completion.h"
#include "lsp/features/hover.h"
#include "lsp/features/signature_help.h"
#include "lsp/protocol/feature_json.h"
#include "lsp/protocol/plain_text.h"
#include "lsp/server/feature_support.h"

namespace hloscope::lsp {
namespace {

using nlohmann::json;

absl::StatusOr<std::string> AnswerHover(const FeatureContext& context, const json& params) {
  const absl::StatusOr<protocol::Position> position = PositionOf(params);
  if (!position.ok()) return position.status();
  const std::optional<protocol::Hover> hover = ComputeHover(context.view, *position, context.resource_directory);
  return JsonText(hover.has_value() ? ToJson(*hover, context.client) : json());
}

absl::StatusOr<std::string> AnswerCompletion(const FeatureContext& context, const json& params) {
  const absl::StatusOr<protocol::Position> position = PositionOf(params);
  if (!position.ok()) return position.status();
  return CompletionText(ComputeCompletion(context.view, *position, context.client.snippets), context.client);
}

// The parameters are the item itself, with the two numbers of its `data`.
absl::StatusOr<std::string> AnswerResolve(const FeatureContext& context, const json& params) {
  const std::optional<std::string> label = FindString(params, {"label"});
  const json* data = FindPath(params, {"data"});
  if (!label.has_value() || data == nullptr || !data->is_array() || data->size() != 2 ||
      !(*data)[0].is_number_unsigned() || !(*data)[1].is_number_unsigned()) {
    return absl::InvalidArgumentError("expected an item of the last completion, with its `label` and `data`");
  }
  protocol::CompletionItem item;
  item.label = *label;
  item.data_kind = static_cast<uint32_t>(std::min<uint64_t>(*(*data)[0].get_ptr<const json::number_unsigned_t*>(), 99));
  item.data_index =
      static_cast<uint32_t>(std::min<uint64_t>(*(*data)[1].get_ptr<const json::number_unsigned_t*>(), 0xFFFFFFFFu));
  json resolved = params;
  if (std::string text = CompletionDocumentation(context.view, item, context.resource_directory); !text.empty()) {
    resolved["documentation"] = MarkupJson(text, context.client.completion_markdown);
  }
  return JsonText(resolved);
}

absl::StatusOr<std::string> AnswerSignatureHelp(const FeatureContext& context, const json& params) {
  const absl::StatusOr<protocol::Position> position = PositionOf(params);
  if (!position.ok()) return position.status();
  const std::optional<protocol::SignatureHelp> help = ComputeSignatureHelp(context.view, *position);
  return JsonText(help.has_value() ? ToJson(*help, context.client) : json());
}

json CompletionOptions() {
  return {{"resolveProvider", true},
          {"triggerCharacters", json::array({"%", "(", ",", "=", "{", " "})},
          {"completionItem", {{"labelDetailsSupport", true}}}};
}
json SignatureHelpOptions() {
  return {{"triggerCharacters", json::array({"(", ","})}, {"retriggerCharacters", json::array({",", "="})}};
}

constexpr Feature kLanguageFeatures[] = {
    {"textDocument/hover", "hoverProvider", Supported, AnswerHover},
    {"textDocument/completion", "completionProvider", CompletionOptions, AnswerCompletion},
    {"completionItem/resolve", "", AnnouncedElsewhere, AnswerResolve},
    {"textDocument/signatureHelp", "signatureHelpProvider", SignatureHelpOptions, AnswerSignatureHelp},
};

}  // namespace

absl::Span<const Feature> LanguageFeatures() { return kLanguageFeatures; }

}  // namespace hloscope::lsp
