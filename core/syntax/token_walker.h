// SPDX-License-Identifier: Apache-2.0
// Walks over the tokens of a text: brackets, shapes, where statements start, and the reports that all parts of the
// parser share. Internal to core/syntax.
#ifndef HLOSCOPE_CORE_SYNTAX_TOKEN_WALKER_H_
#define HLOSCOPE_CORE_SYNTAX_TOKEN_WALKER_H_

#include <string>

#include "absl/strings/string_view.h"
#include "core/diagnostics/diagnostic.h"
#include "core/lex/token_buffer.h"
#include "core/source/source_text.h"
#include "core/syntax/syntax_tree.h"

namespace hloscope {

class TokenWalker {
 protected:
  using Kind = TokenKind;

  TokenWalker(const SourceText& source, const TokenBuffer& tokens, DiagnosticSink& sink)
      : source_(source), tokens_(tokens), sink_(sink) {}

  Kind Peek(TokenIndex ahead = 0) const {
    const TokenIndex i = pos_ + ahead;
    return i < tokens_.size() ? tokens_.kind(i) : Kind::kEndOfFile;
  }

  bool At(Kind kind) const { return tokens_.kind(pos_) == kind; }
  bool Eat(Kind kind) {
    if (!At(kind)) return false;
    ++pos_;
    return true;
  }

  absl::string_view Text(TokenIndex i) const { return source_.Slice(tokens_.range(i)); }
  std::string Found(TokenIndex i) const;
  // Where a missing token is reported: the offending token; at the end of the text, the last byte.
  SourceRange RangeAt(TokenIndex i) const { return tokens_.range(i); }
  // Where it is reported that something does not go on as it must: at the offending token, but who looks for it on
  // another line looks in vain, so then at the token before.
  SourceRange RangeBehind(TokenIndex i) const;
  // Reports at the current token, unless the lexer already did.
  template <typename... Args>
  bool Fail(DiagnosticKind kind, const Args&... args) {
    if (!At(Kind::kError)) sink_.Report(kind, RangeAt(pos_), args...);
    return false;
  }

  bool Expect(Kind kind) {
    if (Eat(kind)) return true;
    return Fail(DiagnosticKind::kExpectedToken, TokenDescription(kind), Found(pos_));
  }

  static bool IsNameLike(Kind kind) {
    return kind == Kind::kName || kind == Kind::kIdentifier || kind == Kind::kPrimitiveType || kind >= Kind::kTrue;
  }

  // `name =` or ROOT: the start of an instruction. A free-standing `=` occurs nowhere else but after strings in
  // meshes, and by mistake before the string of a `key ="value"`.
  bool IsStatementStart(TokenIndex i) const {
    const Kind kind = tokens_.kind(i);
    if (kind == Kind::kRoot) return true;
    return i + 1 < tokens_.size() && tokens_.kind(i + 1) == Kind::kEquals && IsNameLike(kind) &&
           (i + 2 >= tokens_.size() || tokens_.kind(i + 2) != Kind::kString);
  }

  bool IsHeadingWord(Kind kind) const {
    return kind == Kind::kFileNames || kind == Kind::kFunctionNames || kind == Kind::kFileLocations ||
           kind == Kind::kStackFrames;
  }

  // ENTRY, `name {` or `name (`: the start of a computation (only meaningful outside instructions).
  bool IsComputationStart(TokenIndex i) const {
    const Kind kind = tokens_.kind(i);
    if (kind == Kind::kEntry || kind == Kind::kHloModule) return true;
    if (kind != Kind::kName && kind != Kind::kIdentifier) return false;
    const Kind next = i + 1 < tokens_.size() ? tokens_.kind(i + 1) : Kind::kEndOfFile;
    return next == Kind::kLeftBrace || next == Kind::kLeftParen;
  }

  // What a group holds decides what cannot be in it.
  enum class GroupOf : uint8_t {
    kAnything,
    kPlainValue,  // no fields `name=value`
    kShape,       // no words but those of layouts, which have at most two letters
    kSignature,   // no arrow
  };

  bool CannotStandIn(GroupOf group) const {
    if (group == GroupOf::kPlainValue) return At(Kind::kAttributeName) && Text(pos_) != "device_id=";
    if (group == GroupOf::kSignature) return At(Kind::kArrow);
    return group == GroupOf::kShape && At(Kind::kIdentifier) && tokens_.range(pos_).size() > 2;
  }

  // What may be in any group and ends none.
  static bool IsListItem(Kind kind) {
    return kind == Kind::kInteger || kind == Kind::kComma || kind == Kind::kColon || kind == Kind::kLessEqual ||
           kind == Kind::kDecimal || kind == Kind::kString;
  }

  // Skips the bracketed group at the current token. Fails if it is not closed, standing where that shows: at the start
  // of the next statement, at a brace that closes something outside, or at what cannot be in the group.
  bool SkipGroup(GroupOf group = GroupOf::kAnything);
  // The group that starts at `open` is not closed before the current token: says which bracket is at fault.
  void ReportUnclosedGroup(TokenIndex open);
  void ReportMismatch(TokenIndex close, TokenIndex open);
  void ReportMissingComma();
  // One that compilers skip.
  void ReportSkippedComma(TokenIndex comma) {
    Diagnostic& diagnostic = sink_.Add(DiagnosticKind::kSurplusComma, Severity::kWarning, RangeAt(comma), {});
    diagnostic.is_tolerated = true;
    diagnostic.Fix("remove the comma", RangeAt(comma), "");
  }
  void ReportSurplusComma(TokenIndex comma) {
    sink_.Report(DiagnosticKind::kSurplusComma, RangeAt(comma)).Fix("remove the comma", RangeAt(comma), "");
  }

  void ReportAttributeApart();
  // [shape]; leaves `range` empty if there is none.
  bool Shape(TokenRange& range);
  // At a word where an element type must be; the fix adds `dimensions` to the type that is meant.
  bool FailElementType(absl::string_view dimensions);
  // At numbers after an element type, in brackets of another kind.
  bool FailDimensionsBracket();

  const SourceText& source_;
  const TokenBuffer& tokens_;
  DiagnosticSink& sink_;
  TokenIndex pos_ = 0;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SYNTAX_TOKEN_WALKER_H_
