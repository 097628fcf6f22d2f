// SPDX-License-Identifier: Apache-2.0
#include "core/editing/format_text.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/editing/statements.h"
#include "core/editing/text_style.h"
#include "core/editing/white_space.h"
#include "core/print/printer.h"

namespace hloscope {
namespace {

using PartKind = PrintedModule::Part::Kind;

// Finds the gaps between the tokens of a text in what is printed of it.
class GapFinder {
 public:
  explicit GapFinder(const Document& document)
      : document_(document),
        text_(document.source().text()),
        tokens_(document.tokens()),
        printed_(PrintModuleWithPositions(document.module(), StyleOf(document))),
        gaps_(tokens_.size()) {}

  // By token.
  const std::vector<absl::string_view>& Find() {
    const std::vector<Statement> statements = StatementsOf(document_);
    const std::vector<size_t> parts = PartsOfStatements(document_.module(), statements, printed_);
    TokenIndex done = 0;
    for (size_t i = 0; i < statements.size(); ++i) {
      const Statement& statement = statements[i];
      const bool is_table = statement.kind == PartKind::kHeader && statement.first > 0;
      if (statement.first < done || is_table || parts[i] == printed_.parts.size()) continue;
      const TokenIndex next = i + 1 < statements.size() ? statements[i + 1].first : EndOfFile();
      const TokenIndex end = EndOf(statement, next);
      const PrintedModule::Part& part = printed_.parts[parts[i]];
      Align(statement.first, end, absl::string_view(printed_.text).substr(part.begin, part.end - part.begin));
      done = end;
    }
    KeepBlankLines();
    return gaps_;
  }

 private:
  TokenIndex EndOfFile() const { return static_cast<TokenIndex>(tokens_.size() - 1); }

  // After the last token of a statement; bodies in place are parts of the instruction they are written in.
  TokenIndex EndOf(const Statement& statement, TokenIndex next) const {
    if (statement.kind != PartKind::kInstruction || !statement.instruction.has_value()) return next;
    const SyntaxId syntax = document_.module().instruction(statement.instruction).syntax;
    return document_.syntax().instructions[syntax.index()].tokens.end;
  }

  // Where the next token begins in what is printed.
  static size_t SkipGap(absl::string_view printed, size_t at) {
    while (at < printed.size()) {
      if (absl::ascii_isspace(static_cast<unsigned char>(printed[at]))) {
        ++at;
      } else if (absl::StartsWith(printed.substr(at), "/*")) {
        const size_t close = printed.find("*/", at + 2);
        at = close == absl::string_view::npos ? printed.size() : close + 2;
      } else {
        break;
      }
    }
    return at;
  }

  // Takes the gaps of what is printed, if it is the same but for white space.
  void Align(TokenIndex first, TokenIndex end, absl::string_view printed) {
    std::vector<absl::string_view> gaps;
    size_t at = 0;
    for (TokenIndex i = first; i < end; ++i) {
      const size_t begin = SkipGap(printed, at);
      const absl::string_view token = document_.source().Slice(tokens_.range(i));
      if (!absl::StartsWith(printed.substr(begin), token)) return;
      if (i > first) {
        const absl::string_view gap = printed.substr(at, begin - at);
        const absl::string_view written = text_.substr(tokens_.end(i - 1), tokens_.begin(i) - tokens_.end(i - 1));
        if (absl::StripAsciiWhitespace(gap) != absl::StripAsciiWhitespace(written)) return;
        gaps.push_back(gap);
      }
      at = begin + token.size();
    }
    if (at == printed.size()) std::copy(gaps.begin(), gaps.end(), gaps_.begin() + first + 1);
  }

  // Printers of 2019 put a blank into the lines between computations.
  void KeepBlankLines() {
    static constexpr absl::string_view kBlankLine = "\n \n";
    for (const ComputationSyntax& computation : document_.syntax().computations) {
      const TokenIndex first = computation.tokens.begin;
      if (computation.tokens.empty() || first == 0) continue;
      const absl::string_view gap = text_.substr(tokens_.end(first - 1), tokens_.begin(first) - tokens_.end(first - 1));
      if (gap == kBlankLine) gaps_[first] = gap;
    }
  }

  const Document& document_;
  const absl::string_view text_;
  const TokenBuffer& tokens_;
  const PrintedModule printed_;
  std::vector<absl::string_view> gaps_;
};

}  // namespace

std::vector<TextEdit> FormatTextEdits(const Document& document, SourceRange range) {
  GapFinder finder(document);
  return FormatWhiteSpace(document, range, finder.Find());
}

std::string FormatText(const Document& document) {
  const absl::string_view text = document.source().text();
  std::string formatted;
  formatted.reserve(text.size() + text.size() / 16);
  uint32_t copied = 0;
  for (const TextEdit& edit : FormatTextEdits(document, {0, document.source().size()})) {
    absl::StrAppend(&formatted, text.substr(copied, edit.range.begin - copied), edit.replacement);
    copied = edit.range.end;
  }
  absl::StrAppend(&formatted, text.substr(copied));
  return formatted;
}

}  // namespace hloscope
