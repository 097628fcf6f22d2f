// SPDX-License-Identifier: Apache-2.0
// Rows of the feature table: what changes the text.
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/editing/format_text.h"
#include "core/editing/refactorings.h"
#include "core/editing/white_space.h"
#include "lsp/features/code_action.h"
#include "lsp/features/refactoring_action.h"
#include "lsp/features/rename.h"
#include "lsp/server/feature_support.h"

namespace hloscope::lsp {
namespace {

using nlohmann::json;

constexpr absl::string_view kRewriteCommand = "hloscope.rewrite";
constexpr uint32_t kSmallText = 200'000;
constexpr absl::string_view kStyleCommand = "hloscope.convertStyle";

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
  const json* trigger = FindPath(params, {"context", "triggerKind"});
  const bool invoked = trigger == nullptr || *trigger == 1;
  if (WantsKind(params, "quickfix")) {
    // A light bulb that nobody asked for may not cost tens of readings of a large text.
    const bool may_try = invoked || context.view.document.source().size() < kSmallText;
    for (const protocol::CodeAction& action : ComputeCodeActions(context.view, *range, may_try, context.cancelled))
      actions.push_back(ToJson(action, context.client));
  }
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
    return absl::AbortedError("the text has changed since: ask for the actions again");
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

json WorkspaceEdit(const std::string& uri, const std::vector<protocol::TextEdit>& edits) {
  json list = json::array();
  for (const protocol::TextEdit& edit : edits) list.push_back(ToJson(edit));
  json changes = json::object();
  changes[uri] = std::move(list);
  return {{"changes", std::move(changes)}};
}

// The same for a version of the document that may be overtaken: then the client refuses.
json VersionedEdit(const std::string& uri, int64_t version, const std::vector<protocol::TextEdit>& edits,
                   const ClientCapabilities& client) {
  if (!client.document_changes) return WorkspaceEdit(uri, edits);
  json list = json::array();
  for (const protocol::TextEdit& edit : edits) list.push_back(ToJson(edit));
  return {{"documentChanges",
           json::array({{{"textDocument", {{"uri", uri}, {"version", version}}}, {"edits", std::move(list)}}})}};
}

// Asks the client to make edits of the version of the text that the request is about.
absl::StatusOr<std::string> ApplyEdits(const FeatureContext& context, const std::string& label, const EditsOr& edits) {
  if (!edits.ok()) return edits.status();
  std::vector<protocol::TextEdit> changes;
  for (const TextEdit& edit : *edits) changes.push_back({context.view.ToRange(edit.range), edit.replacement});
  context.ask_client(
      "workspace/applyEdit",
      {{"label", label}, {"edit", VersionedEdit(context.view.uri, context.state.version, changes, context.client)}});
  return JsonText(json());
}

// `hloscope.rewrite` [uri, name of a computation] and `hloscope.convertStyle` [uri, name of a style].
absl::StatusOr<std::string> AnswerCommand(const FeatureContext& context, const json& params) {
  const std::optional<std::string> command = FindString(params, {"command"});
  if (command != kRewriteCommand && command != kStyleCommand) {
    return absl::InvalidArgumentError(
        absl::StrCat("the commands are `", kRewriteCommand, "` and `", kStyleCommand, "`"));
  }
  if (!context.client.apply_edit) return absl::FailedPreconditionError("this editor does not let the server edit");
  const json* arguments = FindPath(params, {"arguments"});
  const auto* name = arguments != nullptr && arguments->is_array() && arguments->size() > 1
                         ? (*arguments)[1].get_ptr<const json::string_t*>()
                         : nullptr;
  if (name == nullptr) {
    return absl::InvalidArgumentError("expected `arguments`: a document, and a computation or a style");
  }
  const Document& document = context.view.document;
  if (command == kStyleCommand) {
    return ApplyEdits(context, absl::StrCat("Convert to the ", *name, " style"), Restyle(document, *name));
  }
  return ApplyEdits(context, "Rewrite so that less is moved", RewriteComputation(document, *name));
}

std::string EditsText(const FeatureContext& context, const std::vector<TextEdit>& edits) {
  json list = json::array();
  for (const TextEdit& edit : edits) {
    list.push_back(ToJson(protocol::TextEdit{context.view.ToRange(edit.range), edit.replacement}));
  }
  return JsonText(list);
}

// As `hloscope fmt` does it. In a text that cannot be read, what is known of white space alone.
std::vector<TextEdit> FormatRange(const Document& document, SourceRange range) {
  return IsReadable(document) ? FormatTextEdits(document, range) : FormatWhiteSpace(document, range);
}

absl::StatusOr<std::string> AnswerFormatting(const FeatureContext& context, const json&) {
  const Document& document = context.view.document;
  return EditsText(context, FormatRange(document, {0, document.source().size()}));
}

absl::StatusOr<std::string> AnswerRangeFormatting(const FeatureContext& context, const json& params) {
  const absl::StatusOr<protocol::Range> range = RangeOf(params);
  if (!range.ok()) return range.status();
  return EditsText(context, FormatRange(context.view.document, context.view.positions.ToSourceRange(*range)));
}

absl::StatusOr<std::string> AnswerOnTypeFormatting(const FeatureContext& context, const json& params) {
  const absl::StatusOr<protocol::Position> position = PositionOf(params);
  if (!position.ok()) return position.status();
  const uint32_t offset = context.view.ToOffset(*position);
  return EditsText(context, FormatTypedLine(context.view.document, offset, FindString(params, {"ch"}) == "\n"));
}

absl::StatusOr<std::string> AnswerPrepareRename(const FeatureContext& context, const json& params) {
  const absl::StatusOr<protocol::Position> position = PositionOf(params);
  if (!position.ok()) return position.status();
  const std::optional<protocol::Range> range = PrepareRename(context.view, *position);
  if (!range.has_value()) return absl::FailedPreconditionError("there is nothing at this place that can be renamed");
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

json CommandOptions() {
  return {{"commands", json::array({std::string(kRewriteCommand), std::string(kStyleCommand)})}};
}

constexpr Feature kEditingFeatures[] = {
    {"workspace/executeCommand", "executeCommandProvider", CommandOptions, AnswerCommand, Lane::kAnalysis},
    {"textDocument/codeAction", "codeActionProvider", CodeActionOptions, AnswerCodeAction, Lane::kAnalysis},
    {"codeAction/resolve", "", AnnouncedElsewhere, AnswerResolveCodeAction, Lane::kAnalysis},
    {"textDocument/formatting", "documentFormattingProvider", Supported, AnswerFormatting, Lane::kOutline},
    {"textDocument/rangeFormatting", "documentRangeFormattingProvider", Supported, AnswerRangeFormatting},
    {"textDocument/onTypeFormatting", "documentOnTypeFormattingProvider", OnTypeOptions, AnswerOnTypeFormatting},
    {"textDocument/prepareRename", "", AnnouncedElsewhere, AnswerPrepareRename},
    {"textDocument/rename", "renameProvider", RenameOptions, AnswerRename},
    {"textDocument/linkedEditingRange", "linkedEditingRangeProvider", Supported, AnswerLinkedEditing},
};

}  // namespace

absl::Span<const Feature> EditingFeatures() { return kEditingFeatures; }

}  // namespace hloscope::lsp
