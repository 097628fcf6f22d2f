// SPDX-License-Identifier: Apache-2.0
// What is meant by a statement that is not written as HLO is: words before it, expressions of other languages.
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "core/diagnostics/familiar_names.h"
#include "core/diagnostics/suggestions.h"
#include "core/ir/opcode.h"
#include "core/syntax/statement_parser.h"

namespace hloscope {

bool StatementParser::IsWordBeforeStatement(TokenIndex i) const {
  const Kind kind = tokens_.kind(i);
  if ((kind != Kind::kIdentifier && kind != Kind::kName) || !IsStatementStart(i + 1)) return false;
  const auto breaks_line = [&](SourceRange gap) {
    return source_.Slice(gap).find_first_of("\r\n") != absl::string_view::npos;
  };
  return !breaks_line({tokens_.end(i), tokens_.begin(i + 1)}) &&
         (i == 0 || breaks_line({tokens_.end(i - 1), tokens_.begin(i)}));
}

bool StatementParser::WordBeforeStatement() {
  absl::string_view word = Text(pos_);
  absl::ConsumeSuffix(&word, ":");
  absl::ConsumePrefix(&word, "%");
  const bool is_root = absl::EqualsIgnoreCase(word, "return") || word == "ROOT" || !NearestName(word, {"ROOT"}).empty();
  if (is_root) {
    sink_.Report(DiagnosticKind::kExpectedToken, RangeAt(pos_), "`ROOT`", Found(pos_))
        .Fix("change to `ROOT`", RangeAt(pos_), "ROOT");
  } else {
    sink_
        .Report(DiagnosticKind::kExpectedToken, RangeAt(pos_), "the name of an instruction and `=`",
                absl::StrCat(Found(pos_), " before them"))
        .Fix("remove it", SourceRange{tokens_.begin(pos_), tokens_.begin(pos_ + 1)}, "")
        .Fix(absl::StrCat("write `", word, "_", Text(pos_ + 1), "`"),
             SourceRange{tokens_.end(pos_), tokens_.begin(pos_ + 1)}, "_");
  }
  ++pos_;
  return is_root;
}

std::string StatementParser::FoundStatement() const {
  const SourceRange gap = {tokens_.end(pos_ - 1), tokens_.begin(pos_)};
  const bool is_misplaced = At(Kind::kRoot) && source_.Slice(gap).find_first_of("\r\n") == absl::string_view::npos;
  return is_misplaced ? "`ROOT`, which belongs before the name" : "the next instruction";
}

std::string StatementParser::FoundOpcode() const {
  const std::string found = Found(pos_);
  if (pos_ > 0 && tokens_.kind(pos_ - 1) == Kind::kRightBracket && At(Kind::kLeftBracket)) {
    return absl::StrCat(found, "; all dimensions are in one pair of brackets, `f32[8,16]`");
  }
  const Kind kind = tokens_.kind(pos_);
  if (pos_ == 0 || tokens_.kind(pos_ - 1) != Kind::kEquals) {
    // After the shape.
    if (pos_ == 0 || !IsClosingBracket(tokens_.kind(pos_ - 1))) return found;
    if (kind == Kind::kComma) {
      return absl::StrCat(found, "; the shapes of a tuple are in parentheses, `(f32[], s32[])`");
    }
    const bool is_tuple = kind == Kind::kLeftParen && tokens_.kind(pos_ - 1) == Kind::kRightParen;
    if (kind == Kind::kLeftBrace || is_tuple) {
      return absl::StrCat(found, "; elements are put together by `tuple(a, b)`");
    }
    if (kind == Kind::kLeftParen) return absl::StrCat(found, "; what computes the value is missing before it");
    const bool is_value = kind == Kind::kName || kind == Kind::kInteger || kind == Kind::kDecimal;
    return is_value ? absl::StrCat(found, HintAtExpression(pos_)) : found;
  }
  if (kind == Kind::kLeftBracket) return absl::StrCat(found, "; a shape begins with its element type, `f32[8,16]`");
  if (kind == Kind::kLeftBrace) {
    return absl::StrCat(found, "; the shape of a tuple is written in parentheses, `(f32[], s32[])`");
  }
  if (kind == Kind::kEquals) return absl::StrCat(found, "; one `=` is enough");
  return absl::StrCat(found, HintAtExpression(pos_));
}

std::string StatementParser::HintAtExpression(TokenIndex first) const {
  const auto kind_at = [&](TokenIndex i) { return i < tokens_.size() ? tokens_.kind(i) : Kind::kEndOfFile; };
  const Kind kind = kind_at(first), next = kind_at(first + 1);
  if (kind == Kind::kInteger || kind == Kind::kDecimal) {
    return absl::StrCat("; a number is a constant, `f32[] constant(", Text(first), ")`");
  }
  if (kind != Kind::kName && kind != Kind::kIdentifier) return "";
  const absl::string_view name = Text(first);
  if (next == Kind::kHash || (next == Kind::kLeftBracket && kind_at(first + 3) == Kind::kRightBracket)) {
    return absl::StrCat("; the element of a tuple is `get-tuple-element(", name, "), index=", Text(first + 2),
                        "`, a part of an array `slice`");
  }
  if (next == Kind::kLeftBracket) {
    return absl::StrCat("; a part of an array is `slice(", name, "), slice={[0:2], [0:4]}`");
  }
  if (next == Kind::kQuestion) return "; a choice is `select(condition, on_true, on_false)`";
  const absl::string_view sign = next != Kind::kEndOfFile ? Text(first + 1) : absl::string_view();
  absl::string_view opcode = OpcodeOfSign(sign);
  // `**`
  if (kind_at(first + 2) != Kind::kEndOfFile && tokens_.end(first + 1) == tokens_.begin(first + 2)) {
    const absl::string_view longer = OpcodeOfSign(absl::StrCat(sign, Text(first + 2)));
    if (!longer.empty()) opcode = longer;
  }
  if (!opcode.empty()) return absl::StrCat("; there are no signs: `", opcode, "(", name, ", ...)`");
  if (kind == Kind::kName && absl::EndsWith(name, ".T"))
    return "; a matrix is turned by `transpose(x), dimensions={1,0}`";
  const bool is_alone = kind == Kind::kName && (next == Kind::kRightBrace || IsStatementStart(first + 1));
  return is_alone ? absl::StrCat("; the same value under another name is `copy(", name, ")`") : "";
}

std::string StatementParser::HintAtMissingList(const InstructionSyntax& node) const {
  const absl::string_view opcode = Text(node.opcode);
  if (OpcodeFromName(opcode)) return "";
  if (std::string hint = HintAtExpression(node.opcode); !hint.empty()) return hint;
  return DidYouMean(NearestOpcode(opcode));
}

std::string StatementParser::FoundAttribute() const {
  const std::string found = Found(pos_);
  const Kind before = pos_ > 1 ? tokens_.kind(pos_ - 2) : Kind::kEndOfFile;
  const bool is_item = At(Kind::kInteger) || At(Kind::kLeftBracket);
  const bool after_item = before == Kind::kInteger || before == Kind::kRightBracket;
  return is_item && after_item ? absl::StrCat(found, "; lists are in braces, `dimensions={1,0}`") : found;
}

}  // namespace hloscope
