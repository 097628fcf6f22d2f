// SPDX-License-Identifier: Apache-2.0
#include "lsp/features/semantic_tokens.h"

#include <algorithm>
#include <utility>

#include "core/analysis/call_graph.h"
#include "core/analysis/side_effects.h"
#include "core/editing/token_classes.h"

namespace hloscope::lsp {
namespace {

// Of kModifiers.
constexpr uint32_t kDefinitionModifier = 1, kReadOnlyModifier = 2, kUnusedModifier = 4, kRootModifier = 8;
constexpr size_t kNumbers = 5;  // of a token; the first is how many lines it is below the one before

// By TokenClass.
constexpr absl::string_view kTypes[] = {
    "comment",     // kComment
    "keyword",     // kKeyword
    "type",        // kType
    "function",    // kOpcode
    "property",    // kAttribute
    "variable",    // kValue
    "parameter",   // kParameter
    "class",       // kComputation
    "namespace",   // kModule
    "enumMember",  // kWord
    "number",      // kNumber
    "string",      // kString
};
constexpr absl::string_view kModifiers[] = {"definition", "readonly", "unused", "root"};
static_assert(std::size(kTypes) == static_cast<size_t>(TokenClass::kString) + 1);

class Encoder {
 public:
  explicit Encoder(const DocumentView& view)
      : view_(view), source_(view.document.source()), last_line_(source_.line_count()) {}
  // Leaves out what is in other lines.
  Encoder(const DocumentView& view, uint32_t first_line, uint32_t last_line)
      : view_(view), source_(view.document.source()), first_line_(first_line), last_line_(last_line) {}

  void Add(const ClassifiedText& text) {
    // Line by line: raw blocks and comments may go over several.
    uint32_t begin = text.range.begin;
    while (begin < text.range.end) {
      const protocol::Position start = view_.positions.ToPosition(begin);
      const uint32_t line_end = source_.LineStart(start.line) + static_cast<uint32_t>(source_.Line(start.line).size());
      const uint32_t end = std::min(text.range.end, line_end);
      if (end > begin) Put(start, view_.positions.ToPosition(end).character - start.character, text);
      if (start.line + 1 >= source_.line_count()) break;
      begin = std::max(end, source_.LineStart(start.line + 1));
    }
  }
  std::vector<uint32_t> Take() { return std::move(data_); }

 private:
  void Put(protocol::Position start, uint32_t length, const ClassifiedText& text) {
    if (start.line < first_line_ || start.line > last_line_) return;
    const uint32_t line_delta = start.line - last_.line;
    data_.insert(data_.end(), {line_delta, line_delta == 0 ? start.character - last_.character : start.character,
                               length, static_cast<uint32_t>(text.token_class),
                               (text.is_definition ? kDefinitionModifier : 0) |
                                   (text.token_class == TokenClass::kParameter ? kReadOnlyModifier : 0)});
    last_ = start;
  }

  const DocumentView& view_;
  const SourceText& source_;
  const uint32_t first_line_ = 0, last_line_;
  protocol::Position last_;
  std::vector<uint32_t> data_;
};

// What is said of a definition.
uint32_t ModifiersOf(const DocumentView& view, const SideEffects& effects, InstructionId id) {
  const Module& module = view.module();
  const Computation& computation = module.computation(module.instruction(id).computation);
  if (computation.root == id) return kRootModifier;
  const bool is_unused = view.document.users().users(id).empty() && !effects.Has(id);
  return is_unused ? kUnusedModifier : 0;
}

// Marks the definitions of roots and of what nothing uses. Both depend on other lines than their own.
void MarkDefinitions(const DocumentView& view, std::vector<uint32_t>* tokens) {
  const Module& module = view.module();
  const CallGraph calls(module);
  const SideEffects effects(module, calls);
  std::vector<std::pair<uint32_t, InstructionId>> names;  // by where they begin
  for (size_t i = 0; i < module.instruction_count(); ++i) {
    const SourceRange name = view.document.NameRange(InstructionId(i));
    if (!name.empty() && !module.instruction(InstructionId(i)).synthesized) names.emplace_back(name.begin, i);
  }
  std::sort(names.begin(), names.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  protocol::Position at, place;
  size_t next = 0;
  for (size_t i = 0; i + kNumbers <= tokens->size(); i += kNumbers) {
    uint32_t& modifiers = (*tokens)[i + 4];
    at = {at.line + (*tokens)[i], (*tokens)[i] == 0 ? at.character + (*tokens)[i + 1] : (*tokens)[i + 1]};
    if ((modifiers & kDefinitionModifier) == 0) continue;
    while (next < names.size()) {
      place = view.positions.ToPosition(names[next].first);
      if (!(place < at)) break;
      ++next;
    }
    modifiers &= kDefinitionModifier | kReadOnlyModifier;
    if (next < names.size() && place == at) modifiers |= ModifiersOf(view, effects, names[next].second);
  }
}

}  // namespace

absl::Span<const absl::string_view> SemanticTokenTypes() { return kTypes; }
absl::Span<const absl::string_view> SemanticTokenModifiers() { return kModifiers; }

std::vector<uint32_t> ComputeSemanticTokens(const DocumentView& view, std::optional<protocol::Range> range) {
  const SourceRange wanted =
      range.has_value() ? view.positions.ToSourceRange(*range) : SourceRange{0, view.document.source().size()};
  Encoder encoder(view);
  for (const ClassifiedText& text : ClassifyText(view.document, wanted)) encoder.Add(text);
  std::vector<uint32_t> tokens = encoder.Take();
  MarkDefinitions(view, &tokens);
  return tokens;
}

std::vector<uint32_t> UpdateSemanticTokens(const DocumentView& view, SourceRange changed,
                                           const std::vector<uint32_t>& before, uint32_t line_count_before) {
  const SourceText& source = view.document.source();
  const uint32_t first_line = source.LineColumnAt(changed.begin).line;
  const uint32_t last_line = source.LineColumnAt(changed.end).line;
  // Lines after the change are as many as before.
  const uint32_t last_line_before = last_line + line_count_before - source.line_count();

  size_t kept_front = 0, kept_back = 0;  // numbers
  uint32_t line = 0, front_line = 0;
  while (kept_front < before.size() && line + before[kept_front] < first_line) {
    line += before[kept_front];
    kept_front += kNumbers;
  }
  front_line = kept_front > 0 ? line : 0;
  for (kept_back = kept_front; kept_back < before.size() && line + before[kept_back] <= last_line_before;
       kept_back += kNumbers) {
    line += before[kept_back];
  }

  Encoder encoder(view, first_line, last_line);
  const uint32_t end = source.LineStart(last_line) + static_cast<uint32_t>(source.Line(last_line).size());
  for (const ClassifiedText& text : ClassifyText(view.document, {source.LineStart(first_line), end})) encoder.Add(text);
  std::vector<uint32_t> middle = encoder.Take();

  std::vector<uint32_t> result;
  result.reserve(kept_front + middle.size() + before.size() - kept_back);
  result.insert(result.end(), before.begin(), before.begin() + static_cast<std::ptrdiff_t>(kept_front));
  uint32_t at = front_line;
  if (!middle.empty()) {
    for (size_t i = 0; i < middle.size(); i += kNumbers) at += i == 0 ? middle[i] - front_line : middle[i];
    middle[0] -= front_line;
    result.insert(result.end(), middle.begin(), middle.end());
  }
  const size_t back = result.size();
  result.insert(result.end(), before.begin() + static_cast<std::ptrdiff_t>(kept_back), before.end());
  if (back < result.size()) {
    const uint32_t first_back_line = line + before[kept_back] + source.line_count() - line_count_before;
    result[back] = first_back_line - at;
  }
  MarkDefinitions(view, &result);
  return result;
}

std::vector<SemanticTokensEdit> DiffSemanticTokens(absl::Span<const uint32_t> before,
                                                   absl::Span<const uint32_t> after) {
  // Modifiers may change far from the edit; all else of those tokens is the same.
  const auto same_place = [&](size_t i, size_t k) {
    return std::equal(before.begin() + static_cast<ptrdiff_t>(i), before.begin() + static_cast<ptrdiff_t>(i + 4),
                      after.begin() + static_cast<ptrdiff_t>(k));
  };
  const size_t shorter = std::min(before.size(), after.size());
  size_t prefix = 0, suffix = 0;
  while (prefix + kNumbers <= shorter && same_place(prefix, prefix)) prefix += kNumbers;
  while (suffix + kNumbers <= shorter - prefix &&
         same_place(before.size() - suffix - kNumbers, after.size() - suffix - kNumbers)) {
    suffix += kNumbers;
  }
  std::vector<SemanticTokensEdit> edits;
  const auto compare_modifiers = [&](size_t begin, size_t end, size_t k) {
    for (size_t i = begin; i < end; i += kNumbers, k += kNumbers) {
      if (before[i + 4] != after[k + 4]) edits.push_back({static_cast<uint32_t>(i + 4), 1, {after[k + 4]}});
    }
  };
  compare_modifiers(0, prefix, 0);
  if (prefix + suffix < before.size() || prefix + suffix < after.size()) {
    SemanticTokensEdit edit;
    edit.start = static_cast<uint32_t>(prefix);
    edit.delete_count = static_cast<uint32_t>(before.size() - suffix - prefix);
    edit.data.assign(after.begin() + static_cast<ptrdiff_t>(prefix), after.end() - static_cast<ptrdiff_t>(suffix));
    edits.push_back(std::move(edit));
  }
  compare_modifiers(before.size() - suffix, before.size(), after.size() - suffix);
  return edits;
}

}  // namespace hloscope::lsp
