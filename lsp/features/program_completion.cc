// SPDX-License-Identifier: Apache-2.0
// Completion in StableHLO programs: operations, and the attributes of the one that is being written.
#include <algorithm>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "core/source/text_origin.h"
#include "lsp/features/program.h"
#include "stablehlo/operation_table.h"

namespace hloscope::lsp {
namespace {

bool IsWordByte(char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }

void AddOperations(absl::string_view typed, protocol::CompletionList* list) {
  for (const stablehlo::OperationInfo& operation : stablehlo::AllOperations()) {
    const std::string name = absl::StrCat(operation.dialect, ".", operation.name);
    if (!absl::StartsWith(name, typed)) continue;
    protocol::CompletionItem item;
    item.label = item.insert_text = name;
    item.kind = protocol::CompletionItemKind::kFunction;
    item.detail = std::string(operation.attributes);
    list->items.push_back(std::move(item));
  }
}

// The last operation that is named in the text, which is the beginning of a line; null if there is none.
const stablehlo::OperationInfo* OperationIn(absl::string_view line) {
  const stablehlo::OperationInfo* found = nullptr;
  for (size_t begin = 0; begin < line.size();) {
    size_t end = begin;
    while (end < line.size() && IsWordByte(line[end])) ++end;
    const absl::string_view word = line.substr(begin, end - begin);
    if (const size_t dot = word.find('.'); dot != absl::string_view::npos) {
      const auto* const operation = stablehlo::FindOperation(word.substr(0, dot), word.substr(dot + 1));
      if (operation != nullptr) found = operation;
    }
    begin = end + 1;
  }
  return found;
}

// Required attributes first; those that are written already are left out. In `<{...}>` and `{...}` they have their own
// names, in the custom form its keywords.
void AddAttributes(const stablehlo::OperationInfo& operation, absl::string_view line, absl::string_view typed,
                   protocol::CompletionList* list) {
  const size_t brace = line.rfind('{');
  const bool is_generic = brace != absl::string_view::npos && !absl::StrContains(line.substr(brace), "}");
  for (absl::string_view attribute : absl::StrSplit(operation.attributes, ' ', absl::SkipEmpty())) {
    const bool is_required = absl::ConsumeSuffix(&attribute, "*");
    const absl::string_view name = is_generic ? attribute : stablehlo::CustomFormKeyword(operation.name, attribute);
    if (!absl::StartsWith(name, typed) || absl::StrContains(line, absl::StrCat(name, " ="))) continue;
    protocol::CompletionItem item;
    item.label = std::string(name);
    item.insert_text = absl::StrCat(name, " = ");
    item.kind = protocol::CompletionItemKind::kProperty;
    item.detail = is_required ? absl::StrCat("required by ", operation.dialect, ".", operation.name)
                              : absl::StrCat("of ", operation.dialect, ".", operation.name);
    list->items.push_back(std::move(item));
  }
  std::stable_sort(list->items.begin(), list->items.end(), [](const auto& a, const auto& b) {
    return absl::StartsWith(a.detail, "required") && !absl::StartsWith(b.detail, "required");
  });
}

}  // namespace

protocol::CompletionList ComputeProgramCompletion(const DocumentView& view, protocol::Position position) {
  protocol::CompletionList list;
  const absl::string_view text = view.document.source().origin()->source->text();
  const uint32_t offset = view.ToOffset(position);
  uint32_t begin = offset;
  while (begin > 0 && IsWordByte(text[begin - 1])) --begin;
  const absl::string_view typed = text.substr(begin, offset - begin);
  list.replaced = view.ToRange({begin, offset});
  const size_t line_break = text.substr(0, begin).rfind('\n');
  const absl::string_view line =
      text.substr(0, begin).substr(line_break == absl::string_view::npos ? 0 : line_break + 1);
  const absl::string_view before = absl::StripTrailingAsciiWhitespace(line);
  const stablehlo::OperationInfo* const operation = OperationIn(line);
  if (operation != nullptr && (absl::EndsWith(before, ",") || absl::EndsWith(before, "{"))) {
    AddAttributes(*operation, line, typed, &list);
    return list;
  }
  AddOperations(typed, &list);
  return list;
}

}  // namespace hloscope::lsp
