// SPDX-License-Identifier: Apache-2.0
// Rows of the feature table: what an editor paints over the text.
#include <utility>

#include "absl/strings/str_cat.h"
#include "lsp/features/code_lens.h"
#include "lsp/features/document_link.h"
#include "lsp/features/folding_range.h"
#include "lsp/features/inlay_hint.h"
#include "lsp/features/inline_value.h"
#include "lsp/features/selection_range.h"
#include "lsp/features/semantic_tokens.h"
#include "lsp/protocol/feature_json.h"
#include "lsp/protocol/plain_text.h"
#include "lsp/server/feature_support.h"

namespace hloscope::lsp {
namespace {

using nlohmann::json;

// What leads a resolve request back to the document.
json BackTo(const FeatureContext& context) { return {{"uri", context.view.uri}}; }

absl::StatusOr<std::string> AnswerFoldingRange(const FeatureContext& context, const json&) {
  return ListText(context, ComputeFoldingRanges(context.view));
}

absl::StatusOr<std::string> AnswerSelectionRange(const FeatureContext& context, const json& params) {
  const json* positions = FindPath(params, {"positions"});
  if (positions == nullptr || !positions->is_array()) return absl::InvalidArgumentError("expected `positions`");
  json list = json::array();
  for (const json& value : *positions) {
    const std::optional<protocol::Position> position = ReadPosition(value);
    if (!position.has_value()) return absl::InvalidArgumentError("expected positions with `line` and `character`");
    list.push_back(ToJson(ComputeSelectionRange(context.view, *position)));
  }
  return JsonText(list);
}

absl::StatusOr<std::string> AnswerInlayHint(const FeatureContext& context, const json& params) {
  const absl::StatusOr<protocol::Range> range = RangeOf(params);
  if (!range.ok()) return range.status();
  const std::vector<protocol::InlayHint> hints = ComputeInlayHints(context.view, *range, context.settings.inlay_hints);
  if (!context.client.hint_tooltips_later) return ListText(context, hints);
  json list = json::array();
  for (const protocol::InlayHint& hint : hints) {
    list.push_back(ToJson(hint));
    list.back()["data"] = BackTo(context);
  }
  return JsonText(list);
}

void AppendNumbers(std::string* out, absl::Span<const uint32_t> numbers) {
  out->push_back('[');
  for (size_t i = 0; i < numbers.size(); ++i) absl::StrAppend(out, i > 0 ? "," : "", numbers[i]);
  out->push_back(']');
}

// Remembers what was sent, so that the next answer can be the difference.
std::string FullTokensText(const FeatureContext& context, std::vector<uint32_t> tokens) {
  std::string out = absl::StrCat("{\"resultId\":\"", context.state.revision, "\",\"data\":");
  AppendNumbers(&out, tokens);
  context.state.semantic_tokens = std::move(tokens);
  context.state.tokens_revision = context.state.revision;
  context.state.tokens_line_count = context.view.document.source().line_count();
  return out + "}";
}

// The tokens of the whole text: from those that were sent before, if only a part has changed since.
std::vector<uint32_t> CurrentTokens(const FeatureContext& context) {
  const DocumentState& state = context.state;
  if (state.tokens_revision > 0) {
    const RecentChanges::Difference difference = state.changes.Since(state.tokens_revision);
    if (!difference.is_everything && !difference.change.has_value()) return state.semantic_tokens;
    if (!difference.is_everything) {
      return UpdateSemanticTokens(context.view, difference.change->after, state.semantic_tokens,
                                  state.tokens_line_count);
    }
  }
  return ComputeSemanticTokens(context.view, std::nullopt);
}

// The client prefers to ask for what is on the screen.
bool WantsRangesOnly(const FeatureContext& context) {
  const int64_t limit = context.settings.tokens_of_whole_text_bytes;
  return limit > 0 && static_cast<int64_t>(context.view.document.source().size()) > limit;
}

absl::StatusOr<std::string> AnswerSemanticTokens(const FeatureContext& context, const json&) {
  if (WantsRangesOnly(context)) return std::string("null");
  return FullTokensText(context, CurrentTokens(context));
}

absl::StatusOr<std::string> AnswerSemanticTokensRange(const FeatureContext& context, const json& params) {
  const absl::StatusOr<protocol::Range> range = RangeOf(params);
  if (!range.ok()) return range.status();
  std::string out = "{\"data\":";
  AppendNumbers(&out, ComputeSemanticTokens(context.view, *range));
  return out + "}";
}

absl::StatusOr<std::string> AnswerSemanticTokensDelta(const FeatureContext& context, const json& params) {
  const std::optional<std::string> previous = FindString(params, {"previousResultId"});
  if (!previous.has_value()) return absl::InvalidArgumentError("expected `previousResultId`");
  if (WantsRangesOnly(context)) return std::string("null");
  std::vector<uint32_t> tokens = CurrentTokens(context);
  DocumentState& state = context.state;
  if (state.tokens_revision == 0 || *previous != absl::StrCat(state.tokens_revision))
    return FullTokensText(context, std::move(tokens));
  std::string out = absl::StrCat("{\"resultId\":\"", state.revision, "\",\"edits\":[");
  bool first = true;
  for (const SemanticTokensEdit& edit : DiffSemanticTokens(state.semantic_tokens, tokens)) {
    absl::StrAppend(&out, std::exchange(first, false) ? "" : ",", "{\"start\":", edit.start,
                    ",\"deleteCount\":", edit.delete_count, ",\"data\":");
    AppendNumbers(&out, edit.data);
    out += "}";
  }
  state.semantic_tokens = std::move(tokens);
  state.tokens_revision = state.revision;
  state.tokens_line_count = context.view.document.source().line_count();
  return out + "]}";
}

absl::StatusOr<std::string> AnswerDiagnostic(const FeatureContext& context, const json& params) {
  const std::string id = absl::StrCat(context.state.revision);
  if (FindString(params, {"previousResultId"}) == id) return JsonText({{"kind", "unchanged"}, {"resultId", id}});
  json items = DiagnosticsJson(context.view, context.client, context.resource_directory);
  return JsonText({{"kind", "full"}, {"resultId", id}, {"items", std::move(items)}});
}

absl::StatusOr<std::string> AnswerCodeLens(const FeatureContext& context, const json&) {
  if (!context.settings.code_lenses) return std::string("[]");
  // Large modules have thousands: written as text, most of which is the same each time.
  const std::string data = absl::StrCat(",\"data\":{\"uri\":", JsonText(json(context.view.uri)),
                                        ",\"revision\":", context.state.revision, ",\"kind\":");
  std::string text = "[";
  for (const protocol::CodeLens& lens : ComputeCodeLenses(context.view, context.settings.user_lenses)) {
    if (text.size() > 1) text += ",";
    if (!lens.title.empty()) {
      text += JsonText(ToJson(lens));
      continue;
    }
    text += "{\"range\":";
    AppendRange(&text, lens.range);
    absl::StrAppend(&text, data, static_cast<int>(lens.kind), ",\"target\":", lens.target, "}}");
  }
  return text + "]";
}

absl::StatusOr<std::string> AnswerResolveCodeLens(const FeatureContext& context, const json& params) {
  protocol::CodeLens lens;
  const json* range = FindPath(params, {"range"});
  const std::optional<protocol::Range> place = range ? ReadRange(*range) : std::nullopt;
  const std::optional<int64_t> kind = FindInt(params, {"data", "kind"});
  const std::optional<int64_t> target = FindInt(params, {"data", "target"});
  if (!place.has_value() || !kind.has_value() || !target.has_value() || *kind < 0 ||
      *kind > static_cast<int>(protocol::CodeLensKind::kUsers) || *target < 0 || *target > 0xFFFFFFFFll) {
    return absl::InvalidArgumentError("expected a lens as textDocument/codeLens gave it, with its `data`");
  }
  lens.range = *place;
  lens.kind = static_cast<protocol::CodeLensKind>(*kind);
  lens.target = static_cast<uint32_t>(*target);
  DocumentState& state = context.state;
  if (state.lens_facts == nullptr || state.lens_revision != state.revision) {
    state.lens_facts = std::make_shared<ComputationFacts>();
    state.lens_revision = state.revision;
  }
  if (FindInt(params, {"data", "revision"}) != static_cast<int64_t>(state.revision) ||
      !ResolveCodeLens(context.view, *state.lens_facts, &lens)) {
    return absl::AbortedError("the text has changed since: ask for the lenses again");
  }
  return JsonText(ToJson(lens));
}

absl::StatusOr<std::string> AnswerDocumentLink(const FeatureContext& context, const json&) {
  SourceFinder finder = FinderOf(context);
  json list = json::array();
  for (const protocol::DocumentLink& link : ComputeDocumentLinks(context.view, finder)) {
    list.push_back(ToJson(link));
    list.back()["data"] = BackTo(context);
  }
  return JsonText(list);
}

absl::StatusOr<std::string> AnswerResolveDocumentLink(const FeatureContext& context, const json& params) {
  const absl::StatusOr<protocol::Range> range = RangeOf(params);
  if (!range.ok()) return range.status();
  json link = params;
  link["tooltip"] = DocumentLinkTooltip(context.view, range->start);
  return JsonText(link);
}

absl::StatusOr<std::string> AnswerResolveInlayHint(const FeatureContext& context, const json& params) {
  const absl::StatusOr<protocol::Position> position = PositionOf(params);
  if (!position.ok()) return position.status();
  json hint = params;
  const std::string tooltip = InlayHintTooltip(context.view, *position);
  if (!tooltip.empty()) hint["tooltip"] = MarkupJson(tooltip, context.client.markdown_hover);
  return JsonText(hint);
}

absl::StatusOr<std::string> AnswerInlineValue(const FeatureContext& context, const json& params) {
  const absl::StatusOr<protocol::Range> range = RangeOf(params);
  if (!range.ok()) return range.status();
  const json* stopped = FindPath(params, {"context", "stoppedLocation"});
  const std::optional<protocol::Range> place = stopped ? ReadRange(*stopped) : std::nullopt;
  if (!place.has_value()) return absl::InvalidArgumentError("expected `context.stoppedLocation`");
  json values = json::array();
  for (const protocol::InlineValue& value : FindInlineValues(context.view, *range, place->start)) {
    values.push_back({{"range", ToJson(value.range)}, {"variableName", value.text}, {"caseSensitiveLookup", true}});
  }
  return JsonText(values);
}

json SemanticTokensOptions() {
  json types = json::array(), modifiers = json::array();
  for (absl::string_view type : SemanticTokenTypes()) types.push_back(std::string(type));
  for (absl::string_view modifier : SemanticTokenModifiers()) modifiers.push_back(std::string(modifier));
  return {{"legend", {{"tokenTypes", std::move(types)}, {"tokenModifiers", std::move(modifiers)}}},
          {"full", {{"delta", true}}},
          {"range", true}};
}
json ResolvedLater() { return {{"resolveProvider", true}}; }
json DiagnosticOptions() {
  return {{"identifier", "hloscope"}, {"interFileDependencies", false}, {"workspaceDiagnostics", true}};
}

constexpr Feature kDisplayFeatures[] = {
    {"textDocument/foldingRange", "foldingRangeProvider", Supported, AnswerFoldingRange, Lane::kOutline},
    {"textDocument/selectionRange", "selectionRangeProvider", Supported, AnswerSelectionRange},
    {"textDocument/inlayHint", "inlayHintProvider", ResolvedLater, AnswerInlayHint},
    {"inlayHint/resolve", "", AnnouncedElsewhere, AnswerResolveInlayHint},
    {"textDocument/semanticTokens/full", "semanticTokensProvider", SemanticTokensOptions, AnswerSemanticTokens,
     Lane::kOutline},
    {"textDocument/semanticTokens/full/delta", "", AnnouncedElsewhere, AnswerSemanticTokensDelta, Lane::kOutline},
    {"textDocument/semanticTokens/range", "", AnnouncedElsewhere, AnswerSemanticTokensRange},
    {"textDocument/codeLens", "codeLensProvider", ResolvedLater, AnswerCodeLens, Lane::kOutline},
    {"codeLens/resolve", "", AnnouncedElsewhere, AnswerResolveCodeLens, Lane::kAnalysis},
    {"textDocument/documentLink", "documentLinkProvider", ResolvedLater, AnswerDocumentLink, Lane::kOutline},
    {"documentLink/resolve", "", AnnouncedElsewhere, AnswerResolveDocumentLink},
    {"textDocument/inlineValue", "inlineValueProvider", Supported, AnswerInlineValue},
    {"textDocument/diagnostic", "diagnosticProvider", DiagnosticOptions, AnswerDiagnostic},
};

}  // namespace

absl::Span<const Feature> DisplayFeatures() { return kDisplayFeatures; }

}  // namespace hloscope::lsp
