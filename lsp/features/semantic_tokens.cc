#include "lsp/features/semantic_tokens.h"

#include <algorithm>

#include "core/editing/token_classes.h"

namespace hloscope::lsp {
namespace {

constexpr uint32_t kDefinitionModifier = 1;

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
constexpr absl::string_view kModifiers[] = {"definition"};
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
    data_.insert(data_.end(),
                 {line_delta, line_delta == 0 ? start.character - last_.character : start.character, length,
                  static_cast<uint32_t>(text.token_class), text.is_definition ? kDefinitionModifier : 0});
    last_ = start;
  }

  const DocumentView& view_;
  const SourceText& source_;
  const uint32_t first_line_ = 0, last_line_;
  protocol::Position last_;
  std::vector<uint32_t> data_;
};

}  // namespace

absl::Span<const absl::string_view> SemanticTokenTypes() { return kTypes; }
absl::Span<const absl::string_view> SemanticTokenModifiers() { return kModifiers; }

std::vector<uint32_t> ComputeSemanticTokens(const DocumentView& view, std::optional<protocol::Range> range) {
  const SourceRange wanted =
      range.has_value() ? view.positions.ToSourceRange(*range) : SourceRange{0, view.document.source().size()};
  Encoder encoder(view);
  for (const ClassifiedText& text : ClassifyText(view.document, wanted)) encoder.Add(text);
  return encoder.Take();
}

std::vector<uint32_t> UpdateSemanticTokens(const DocumentView& view, SourceRange changed,
                                           const std::vector<uint32_t>& before, uint32_t line_count_before) {
  constexpr size_t kNumbers = 5;  // of a token; the first is how many lines it is below the one before
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
  return result;
}

std::optional<SemanticTokensEdit> DiffSemanticTokens(absl::Span<const uint32_t> before,
                                                     absl::Span<const uint32_t> after) {
  const size_t shorter = std::min(before.size(), after.size());
  size_t prefix = 0, suffix = 0;
  while (prefix < shorter && before[prefix] == after[prefix]) ++prefix;
  if (prefix == before.size() && prefix == after.size()) return std::nullopt;
  while (suffix < shorter - prefix && before[before.size() - 1 - suffix] == after[after.size() - 1 - suffix]) ++suffix;
  SemanticTokensEdit edit;
  edit.start = static_cast<uint32_t>(prefix);
  edit.delete_count = static_cast<uint32_t>(before.size() - suffix - prefix);
  edit.data.assign(after.begin() + static_cast<ptrdiff_t>(prefix), after.end() - static_cast<ptrdiff_t>(suffix));
  return edit;
}

}  // namespace hloscope::lsp
