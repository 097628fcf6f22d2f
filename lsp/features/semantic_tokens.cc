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
  explicit Encoder(const DocumentView& view) : view_(view), source_(view.document.source()) {}

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
    const uint32_t line_delta = start.line - last_.line;
    data_.insert(data_.end(),
                 {line_delta, line_delta == 0 ? start.character - last_.character : start.character, length,
                  static_cast<uint32_t>(text.token_class), text.is_definition ? kDefinitionModifier : 0});
    last_ = start;
  }

  const DocumentView& view_;
  const SourceText& source_;
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
