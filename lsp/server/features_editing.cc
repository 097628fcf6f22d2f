// Rows of the feature table: what changes the text.
#include "lsp/features/code_action.h"
#include "lsp/features/rename.h"
#include "lsp/server/feature_support.h"

namespace hloscope::lsp {
namespace {

using nlohmann::json;

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
  const absl::StatusOr<protocol::Range> range = RangeOf(params);
  if (!range.ok()) return range.status();
  json actions = json::array();
  // Without literals a client takes commands only, and the server has none.
  if (!context.client.code_action_literals || !WantsQuickFixes(params)) return JsonText(actions);
  for (const protocol::CodeAction& action : ComputeCodeActions(context.view, *range)) {
    actions.push_back(ToJson(action, context.client));
  }
  return JsonText(actions);
}

json WorkspaceEdit(const std::string& uri, const std::vector<protocol::TextEdit>& edits) {
  json list = json::array();
  for (const protocol::TextEdit& edit : edits) list.push_back(ToJson(edit));
  json changes = json::object();
  changes[uri] = std::move(list);
  return {{"changes", std::move(changes)}};
}

absl::StatusOr<std::string> AnswerPrepareRename(const FeatureContext& context, const json& params) {
  const absl::StatusOr<protocol::Position> position = PositionOf(params);
  if (!position.ok()) return position.status();
  const std::optional<protocol::Range> range = PrepareRename(context.view, *position);
  if (!range.has_value()) return absl::FailedPreconditionError("here stands nothing that can be renamed");
  const absl::string_view name = context.view.document.source().Slice(context.view.positions.ToSourceRange(*range));
  return JsonText({{"range", ToJson(*range)}, {"placeholder", std::string(name)}});
}

absl::StatusOr<std::string> AnswerRename(const FeatureContext& context, const json& params) {
  const absl::StatusOr<protocol::Position> position = PositionOf(params);
  if (!position.ok()) return position.status();
  const std::optional<std::string> name = FindString(params, {"newName"});
  if (!name.has_value()) return absl::InvalidArgumentError("expected `newName`");
  const auto edits = ComputeRename(context.view, *position, *name);
  if (!edits.ok()) return absl::FailedPreconditionError(edits.status().message());
  return JsonText(WorkspaceEdit(context.view.uri, *edits));
}

absl::StatusOr<std::string> AnswerLinkedEditing(const FeatureContext& context, const json& params) {
  const absl::StatusOr<protocol::Position> position = PositionOf(params);
  if (!position.ok()) return position.status();
  json ranges = json::array();
  for (const protocol::Range& range : ComputeLinkedEditingRanges(context.view, *position))
    ranges.push_back(ToJson(range));
  if (ranges.empty()) return JsonText(json());
  return JsonText({{"ranges", std::move(ranges)}, {"wordPattern", kLinkedNamePattern}});
}

json CodeActionOptions() { return {{"codeActionKinds", json::array({"quickfix"})}}; }
json RenameOptions() { return {{"prepareProvider", true}}; }

constexpr Feature kFeatures[] = {
    {"textDocument/codeAction", "codeActionProvider", CodeActionOptions, AnswerCodeAction},
    {"textDocument/prepareRename", "", AnnouncedElsewhere, AnswerPrepareRename},
    {"textDocument/rename", "renameProvider", RenameOptions, AnswerRename},
    {"textDocument/linkedEditingRange", "linkedEditingRangeProvider", Supported, AnswerLinkedEditing},
};

}  // namespace

absl::Span<const Feature> EditingFeatures() { return kFeatures; }

}  // namespace hloscope::lsp
