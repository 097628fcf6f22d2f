// SPDX-License-Identifier: Apache-2.0
#include "core/syntax/token_walker.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/diagnostics/familiar_names.h"
#include "core/diagnostics/suggestions.h"
#include "core/ir/opcode.h"
#include "core/lex/lexer.h"

namespace hloscope {
namespace {

using Kind = TokenKind;

bool Matches(Kind opening, Kind closing) {
  return opening == Kind::kLeftBrace   ? closing == Kind::kRightBrace
         : opening == Kind::kLeftParen ? closing == Kind::kRightParen
                                       : closing == Kind::kRightBracket;
}

}  // namespace

std::string TokenWalker::Found(TokenIndex i) const {
  const Kind kind = tokens_.kind(i);
  if (kind == Kind::kEndOfFile) return std::string(TokenDescription(kind));
  absl::string_view text = Text(i);
  if (text.size() > 40) return absl::StrCat("`", text.substr(0, 37), "...`");
  return absl::StrCat("`", text, "`", kind == Kind::kHash ? " (comments start with `//`)" : "");
}

SourceRange TokenWalker::RangeBehind(TokenIndex i) const {
  const SourceRange between = {tokens_.end(i), tokens_.begin(i + 1)};
  return tokens_.kind(i + 1) == Kind::kEndOfFile ||
                 source_.Slice(between).find_first_of("\r\n") != absl::string_view::npos
             ? RangeAt(i)
             : RangeAt(i + 1);
}

bool TokenWalker::SkipGroup(GroupOf group) {
  const TokenIndex open = pos_;
  // Most groups are lists of numbers.
  TokenIndex close = open + 1;
  while (tokens_.kind(close) == Kind::kInteger || tokens_.kind(close) == Kind::kComma) ++close;
  if (IsClosingBracket(tokens_.kind(close)) && Matches(tokens_.kind(open), tokens_.kind(close))) {
    pos_ = close + 1;
    return true;
  }
  // The outer open brackets; those deeper inside are only counted.
  constexpr size_t kTracked = 16;
  std::array<TokenIndex, kTracked> opened;
  size_t depth = 0;
  bool good = true;
  while (true) {
    const Kind kind = tokens_.kind(pos_);
    if (IsListItem(kind)) {
      ++pos_;
      continue;
    }
    if (IsOpeningBracket(kind)) {
      if (depth < kTracked) opened[depth] = pos_;
      ++depth;
    } else if (IsClosingBracket(kind)) {
      size_t closed = depth;
      if (depth <= kTracked) {
        while (closed > 0 && !Matches(tokens_.kind(opened[closed - 1]), kind)) --closed;
      }
      // A brace that closes nothing ends the body. Another bracket is left to the reader of the value; it is taken
      // for the one that is meant unless another closing one touches it.
      if (closed != depth && (closed > 0 || kind == Kind::kRightBrace)) {
        if (good) sink_.Report(DiagnosticKind::kUnclosedBracket, RangeAt(opened[depth - 1]), Text(opened[depth - 1]));
        good = false;
        if (closed == 0) return false;
      }
      if (closed == 0 && (!IsClosingBracket(Peek(1)) || tokens_.begin(pos_ + 1) > tokens_.end(pos_))) closed = depth;
      if (closed > 0) depth = closed - 1;
      if (depth == 0) {
        ++pos_;
        return good;
      }
    } else if (kind == Kind::kEndOfFile || kind == Kind::kEntry || IsStatementStart(pos_) || CannotStandIn(group)) {
      if (good) ReportUnclosedGroup(open);
      return false;
    } else if (kind == Kind::kError) {
      good = false;  // reported by the lexer
    }
    ++pos_;
  }
}

void TokenWalker::ReportUnclosedGroup(TokenIndex open) {
  std::vector<TokenIndex> opened;
  for (TokenIndex i = open; i < pos_; ++i) {
    const Kind kind = tokens_.kind(i);
    if (IsOpeningBracket(kind)) opened.push_back(i);
    if (!IsClosingBracket(kind)) continue;
    const Kind expected = ClosingBracketOf(tokens_.kind(opened.back()));
    if (kind != expected) return ReportMismatch(i, opened.back());
    opened.pop_back();
  }
  sink_.Report(DiagnosticKind::kUnclosedBracket, RangeAt(opened.back()), Text(opened.back()));
}

void TokenWalker::ReportMismatch(TokenIndex close, TokenIndex open) {
  const absl::string_view expected = BracketText(ClosingBracketOf(tokens_.kind(open)));
  sink_.Report(DiagnosticKind::kMismatchedBracket, RangeAt(close), Text(close), Text(open), expected)
      .Related(RangeAt(open), "the bracket opened here")
      .Fix(absl::StrCat("change to `", expected, "`"), RangeAt(close), std::string(expected));
}

void TokenWalker::ReportMissingComma() {
  const uint32_t at = tokens_.end(pos_ - 1);
  sink_.Report(DiagnosticKind::kMissingComma, RangeAt(pos_), Found(pos_))
      .Fix("insert a comma", SourceRange{at, at}, ",");
}

void TokenWalker::ReportAttributeApart() {
  const SourceRange gap = {tokens_.end(pos_), tokens_.begin(pos_ + 1)};
  sink_.Report(DiagnosticKind::kAttributeApart, RangeAt(pos_), Text(pos_)).Fix("remove the blank", gap, "");
}

bool TokenWalker::Shape(TokenRange& range) {
  range.begin = range.end = pos_;
  if (At(Kind::kPrimitiveType)) {
    ++pos_;
    if ((At(Kind::kLeftParen) || At(Kind::kLeftBrace)) && Peek(1) == Kind::kInteger) return FailDimensionsBracket();
    if (!At(Kind::kLeftBracket)) {
      const uint32_t at = tokens_.end(pos_ - 1);
      sink_.Report(DiagnosticKind::kMissingDimensions, RangeAt(pos_ - 1), Text(pos_ - 1))
          .Fix("add `[]`", SourceRange{at, at}, "[]");
      return false;
    }
    if (!SkipGroup(GroupOf::kShape)) return false;
    if (At(Kind::kLeftBrace) && (Peek(1) == Kind::kInteger || Peek(1) == Kind::kColon)) {
      if (!SkipGroup(GroupOf::kShape)) return false;
    }
  } else if (At(Kind::kLeftParen)) {
    if (!SkipGroup(GroupOf::kShape)) return false;
  } else if (At(Kind::kIdentifier) && Peek(1) == Kind::kLeftParen && Text(pos_) == "b") {
    ++pos_;
    if (!SkipGroup(GroupOf::kShape)) return false;
  } else if (At(Kind::kIdentifier) && Peek(1) == Kind::kLeftBracket) {
    return FailElementType("");
  } else if (At(Kind::kIdentifier) && Peek(1) == Kind::kIdentifier && Peek(2) == Kind::kLeftParen &&
             !OpcodeFromName(Text(pos_)) && !NearestElementType(Text(pos_)).empty()) {
    return FailElementType("[]");
  }
  range.end = pos_;
  return true;
}

bool TokenWalker::FailDimensionsBracket() {
  const TokenIndex open = pos_;
  while (tokens_.kind(pos_) == Kind::kInteger || tokens_.kind(pos_) == Kind::kComma || pos_ == open) ++pos_;
  const Kind close = ClosingBracketOf(tokens_.kind(open));
  Diagnostic& d = sink_.Report(DiagnosticKind::kWrongBracket, RangeAt(open), Text(open - 1), "[", "]", Text(open),
                               BracketText(close));
  if (At(close)) {
    d.Fix("change to `[...]`", RangeAt(open), "[");
    d.fixes.back().edits.push_back({RangeAt(pos_), "]"});
  }
  return false;
}

bool TokenWalker::FailElementType(absl::string_view dimensions) {
  const absl::string_view type = NearestElementType(Text(pos_));
  const std::string nearest = type.empty() ? std::string() : absl::StrCat(type, dimensions);
  FixSpelling(sink_.Report(DiagnosticKind::kUnknownElementType, RangeAt(pos_), Text(pos_), DidYouMean(nearest)),
              RangeAt(pos_), nearest);
  return false;
}

}  // namespace hloscope
