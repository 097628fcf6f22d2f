// Rows of the feature table: what changes the text.
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/editing/refactorings.h"
#include "lsp/features/code_action.h"
#include "lsp/features/refactoring_action.h"
#include "lsp/features/rename.h"
#include "lsp/server/feature_support.h"

namespace hloscope::lsp {
namespace {

using nlohmann::json;

// Whether the request asks for actions of a kind: it names no kinds, or one that this one belongs to.
bool WantsKind(const json& params, absl::string_view kind) {
  const json* only = FindPath(params, {"context", "only"});
  if (only == nullptr || !only->is_array()) return true;
  return std::any_of(only->begin(), only->end(), [&](const json& wanted) {
    const auto* name = wanted.get_ptr<const json::string_t*>();
    if (name == nullptr) return false;
    return name->empty() || kind == *name || absl::StartsWith(kind, absl::StrCat(*name, "."));
  });
}

// What codeAction/resolve gets back.
json ActionData(const FeatureContext& context, const protocol::CodeAction& action) {
  return {{"uri", context.view.uri}, {"revision", context.state.revision},    {"refactoring", action.refactoring},
          {"target", action.target}, {"selection", ToJson(action.selection)}, {"argument", action.argument}};
}

absl::StatusOr<std::string> AnswerCodeAction(const FeatureContext& context, const json& params) {
  const absl::StatusOr<protocol::Range> range = RangeOf(params);
  if (!range.ok()) return range.status();
  json actions = json::array();
  // Without literals a client takes commands only, and the server has none.
  if (!context.client.code_action_literals) return JsonText(actions);
  if (WantsKind(params, "quickfix")) {
    for (const protocol::CodeAction& action : ComputeCodeActions(context.view, *range))
      actions.push_back(ToJson(action, context.client));
  }
  const json* trigger = FindPath(params, {"context", "triggerKind"});
  const bool invoked = trigger == nullptr || *trigger == 1;
  for (protocol::CodeAction& action : OfferRefactorings(
           context.view, *range, [&](absl::string_view kind) { return WantsKind(params, kind); }, invoked,
           context.client.create_files)) {
    if (context.cancelled()) break;
    if (context.client.code_action_resolve) {
      json offered = ToJson(action, context.client);
      offered["data"] = ActionData(context, action);
      actions.push_back(std::move(offered));
    } else if (CompleteRefactoring(context.view, &action).ok()) {
      actions.push_back(ToJson(action, context.client));
    }
  }
  return JsonText(actions);
}

absl::StatusOr<std::string> AnswerResolveCodeAction(const FeatureContext& context, const json& params) {
  const json* data = FindPath(params, {"data"});
  const std::optional<std::string> refactoring = FindString(params, {"data", "refactoring"});
  const json* target = FindPath(params, {"data", "target"});
  const json* selection = FindPath(params, {"data", "selection"});
  const std::optional<protocol::Range> range = selection ? ReadRange(*selection) : std::nullopt;
  if (data == nullptr || !refactoring.has_value() || target == nullptr || !target->is_number_unsigned() ||
      !range.has_value()) {
    return absl::InvalidArgumentError("expected an action as textDocument/codeAction gave it, with its `data`");
  }
  const json* revision = FindPath(params, {"data", "revision"});
  if (revision == nullptr || *revision != context.state.revision)
    return absl::FailedPreconditionError("the text has changed since: ask for the actions again");
  protocol::CodeAction action;
  action.uri = context.view.uri;
  action.refactoring = *refactoring;
  action.target =
      static_cast<uint32_t>(std::min<uint64_t>(*target->get_ptr<const json::number_unsigned_t*>(), 0xFFFFFFFFu));
  action.selection = *range;
  action.argument = FindString(params, {"data", "argument"}).value_or("");
  if (const absl::Status status = CompleteRefactoring(context.view, &action); !status.ok()) return status;
  json resolved = params;
  const json done = ToJson(action, context.client);
  if (done.contains("edit")) resolved["edit"] = done["edit"];
  return JsonText(resolved);
}

std::string EditsText(const FeatureContext& context, const std::vector<TextEdit>& edits) {
  std::vector<protocol::TextEdit> result;
  for (const TextEdit& edit : edits) result.push_back({context.view.ToRange(edit.range), edit.replacement});
  json list = json::array();
  for (const protocol::TextEdit& edit : result) list.push_back(ToJson(edit));
  return JsonText(list);
}

absl::StatusOr<std::string> AnswerFormatting(const FeatureContext& context, const json&) {
  const EditsOr edits = Restyle(context.view.document, context.settings.format_style);
  if (!edits.ok()) return edits.status();
  return EditsText(context, *edits);
}

absl::StatusOr<std::string> AnswerRangeFormatting(const FeatureContext& context, const json& params) {
  const absl::StatusOr<protocol::Range> range = RangeOf(params);
  if (!range.ok()) return range.status();
  return EditsText(context, RestyleStatements(context.view.document, context.view.positions.ToSourceRange(*range),
                                              context.settings.format_style));
}

absl::StatusOr<std::string> AnswerOnTypeFormatting(const FeatureContext& context, const json& params) {
  const absl::StatusOr<protocol::Position> position = PositionOf(params);
  if (!position.ok()) return position.status();
  return EditsText(context, IndentLine(context.view.document, context.view.ToOffset(*position)));
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

json CodeActionOptions() {
  json kinds = json::array();
  for (absl::string_view kind : RefactoringKinds()) kinds.push_back(std::string(kind));
  return {{"codeActionKinds", std::move(kinds)}, {"resolveProvider", true}};
}
json OnTypeOptions() { return {{"firstTriggerCharacter", "}"}, {"moreTriggerCharacter", json::array({"\n"})}}; }
json RenameOptions() { return {{"prepareProvider", true}}; }

constexpr Feature kFeatures[] = {
    {"textDocument/codeAction", "codeActionProvider", CodeActionOptions, AnswerCodeAction},
    {"codeAction/resolve", "", AnnouncedElsewhere, AnswerResolveCodeAction},
    {"textDocument/formatting", "documentFormattingProvider", Supported, AnswerFormatting},
    {"textDocument/rangeFormatting", "documentRangeFormattingProvider", Supported, AnswerRangeFormatting},
    {"textDocument/onTypeFormatting", "documentOnTypeFormattingProvider", OnTypeOptions, AnswerOnTypeFormatting},
    {"textDocument/prepareRename", "", AnnouncedElsewhere, AnswerPrepareRename},
    {"textDocument/rename", "renameProvider", RenameOptions, AnswerRename},
    {"textDocument/linkedEditingRange", "linkedEditingRangeProvider", Supported, AnswerLinkedEditing},
};

}  // namespace

absl::Span<const Feature> EditingFeatures() { return kFeatures; }

}  // namespace hloscope::lsp
