// SPDX-License-Identifier: Apache-2.0
#include "core/editing/cursor_context.h"

#include <algorithm>
#include <optional>

#include "absl/strings/ascii.h"
#include "core/lex/lexer.h"

namespace hloscope {
namespace {

using Place = CursorContext::Place;

// Tokens that a name or a keyword may be the beginning of.
bool IsWordToken(TokenKind kind) {
  switch (kind) {
    case TokenKind::kName:
    case TokenKind::kAttributeName:
    case TokenKind::kPrimitiveType:
    case TokenKind::kIdentifier:
    case TokenKind::kDimLabels:
    case TokenKind::kTrue:
    case TokenKind::kFalse:
    case TokenKind::kInf:
    case TokenKind::kHloModule:
    case TokenKind::kEntry:
    case TokenKind::kRoot:
    case TokenKind::kFileNames:
    case TokenKind::kFunctionNames:
    case TokenKind::kFileLocations:
    case TokenKind::kStackFrames:
    case TokenKind::kMaximal:
    case TokenKind::kReplicated:
    case TokenKind::kManual:
    case TokenKind::kUnknown:
    case TokenKind::kUnreduced:
    case TokenKind::kLastTileDimReplicate:
    case TokenKind::kShardAs:
    case TokenKind::kShardLike:
      return true;
    case TokenKind::kEndOfFile:
    case TokenKind::kError:
    case TokenKind::kDxD:
    case TokenKind::kPad:
    case TokenKind::kInteger:
    case TokenKind::kDecimal:
    case TokenKind::kString:
    case TokenKind::kRawBlock:
    case TokenKind::kEquals:
    case TokenKind::kComma:
    case TokenKind::kColon:
    case TokenKind::kStar:
    case TokenKind::kHash:
    case TokenKind::kPlus:
    case TokenKind::kTilde:
    case TokenKind::kQuestion:
    case TokenKind::kLeftBracket:
    case TokenKind::kRightBracket:
    case TokenKind::kLeftBrace:
    case TokenKind::kRightBrace:
    case TokenKind::kLeftParen:
    case TokenKind::kRightParen:
    case TokenKind::kArrow:
    case TokenKind::kLessEqual:
    case TokenKind::kDots:
    case TokenKind::kNegativeInf:
      return false;
  }
  return false;
}

// Where the tokens that matter begin: the last statement of the body that begins before the offset.
uint32_t LastStatementBegin(const Document& document, ComputationId computation, uint32_t offset) {
  const TextMap& map = document.text_map();
  uint32_t begin = map.computations[document.module().computation(computation).syntax].body_begin;
  for (InstructionId id : document.module().computation(computation).instructions) {
    const SyntaxId syntax = document.module().instruction(id).syntax;
    if (!syntax.has_value() || (map.flags[syntax.index()] & TextMap::kStatement) == 0) continue;
    const uint32_t at = map.nodes[syntax.index()].begin;
    if (at <= offset) begin = std::max(begin, at);
  }
  return begin;
}

// The end of the last computation before the offset; 0 if there is none.
uint32_t LastComputationEnd(const Document& document, uint32_t offset) {
  uint32_t end = 0;
  for (const TextMap::ComputationText& text : document.text_map().computations) {
    if (text.is_top_level && text.range.end <= offset) end = std::max(end, text.range.end);
  }
  return end;
}

class ContextFinder {
 public:
  ContextFinder(const Document& document, uint32_t offset)
      : document_(document),
        text_(document.source().text()),
        offset_(std::min(offset, document.source().size())),
        computation_(ComputationWithBodyAt(document, offset_)),
        begin_(computation_.has_value() ? LastStatementBegin(document, computation_, offset_)
                                        : LastComputationEnd(document, offset_)) {
    // What the lexer has to say is among the document's diagnostics.
    DiagnosticSink quiet;
    tokens_ = LexPart(document.source(), begin_, offset_ + 1, 4, quiet);
  }

  CursorContext Find() {
    if (!FindWord()) return result_;
    result_.computation = computation_;
    if (!result_.computation.has_value()) {
      FindOutside();
      return result_;
    }
    const std::optional<TokenIndex> equals = FindStatement();
    if (!equals.has_value()) {
      result_.place = Place::kInstructionStart;
      result_.instruction_begin = limit_ < tokens_.size() ? std::min(tokens_.begin(limit_), offset_) : offset_;
      return result_;
    }
    result_.name = TokenName(tokens_.kind(*equals - 1), TextOf(*equals - 1));
    result_.instruction_begin = tokens_.begin(*equals - 1);
    at_ = *equals + 1;
    ReadStatement();
    return result_;
  }

 private:
  absl::string_view TextOf(TokenIndex i) const { return document_.source().Slice(tokens_.range(i)); }
  TokenKind KindOf(TokenIndex i) const { return i < limit_ ? tokens_.kind(i) : TokenKind::kEndOfFile; }

  // Sets the word and `limit_`, the first token that is not before the word. False inside comments and strings.
  bool FindWord() {
    const TokenIndex at = tokens_.TokenAt(offset_);  // ends after the cursor
    TokenIndex word = kNoToken;
    limit_ = at;
    if (tokens_.begin(at) < offset_) {
      if (!IsWordToken(tokens_.kind(at))) return false;
      word = at;
    } else if (at > 0 && tokens_.end(at - 1) == offset_) {
      const TokenKind kind = tokens_.kind(at - 1);
      if ((IsWordToken(kind) && text_[offset_ - 1] != '=' && text_[offset_ - 1] != ':') || TextOf(at - 1) == "%")
        word = at - 1;
    } else if (IsInComment(at)) {
      return false;
    }
    if (word == kNoToken) {
      result_.word = {offset_, offset_};
    } else {
      limit_ = word;
      result_.word = tokens_.range(word);
      if (text_[result_.word.begin] == '%') {
        result_.percent = true;
        ++result_.word.begin;
      }
      const char last = text_[result_.word.end - 1];
      if ((last == '=' || last == ':') && result_.word.end > result_.word.begin) {
        result_.attribute_has_equals = last == '=';
        --result_.word.end;
      }
      if (offset_ < result_.word.begin || offset_ > result_.word.end) return false;
    }
    result_.prefix = text_.substr(result_.word.begin, offset_ - result_.word.begin);
    return true;
  }

  // The cursor is in the gap before token `at`.
  bool IsInComment(TokenIndex at) const {
    uint32_t i = at > 0 ? tokens_.end(at - 1) : begin_;
    while (i + 1 < offset_) {
      if (text_[i] == '/' && text_[i + 1] == '/') {
        const size_t end = text_.find_first_of("\n\r", i);
        if (end == absl::string_view::npos || end >= offset_) return true;
        i = static_cast<uint32_t>(end);
      } else if (text_[i] == '/' && text_[i + 1] == '*') {
        const size_t end = text_.find("*/", i + 2);
        if (end == absl::string_view::npos || end + 2 > offset_) return true;
        i = static_cast<uint32_t>(end) + 2;
      } else {
        ++i;
      }
    }
    return false;
  }

  bool StartsLine(TokenIndex i) const {
    if (i == 0) return true;
    const absl::string_view gap = text_.substr(tokens_.end(i - 1), tokens_.begin(i) - tokens_.end(i - 1));
    return gap.find_first_of("\n\r") != absl::string_view::npos;
  }

  // The `=` of `name =` that begins the instruction before the cursor; nothing if there is none in the body.
  std::optional<TokenIndex> FindStatement() const {
    int depth = 0;
    for (TokenIndex i = limit_; i-- > 1;) {
      const TokenKind kind = tokens_.kind(i);
      if (kind == TokenKind::kRightBrace) {
        ++depth;
      } else if (kind == TokenKind::kLeftBrace) {
        if (depth > 0) --depth;
      } else if (kind == TokenKind::kEquals && depth == 0 && IsWordToken(tokens_.kind(i - 1))) {
        const TokenIndex name = i - 1;
        if (StartsLine(name) || tokens_.kind(name - 1) == TokenKind::kRoot ||
            tokens_.kind(name - 1) == TokenKind::kLeftBrace || tokens_.kind(name - 1) == TokenKind::kRightBrace ||
            tokens_.kind(name - 1) == TokenKind::kRightParen) {
          return i;
        }
      }
    }
    return std::nullopt;
  }

  // After the bracket that closes the one at `open`, or limit_.
  TokenIndex SkipBrackets(TokenIndex open) const {
    int depth = 0;
    for (TokenIndex i = open; i < limit_; ++i) {
      if (IsOpeningBracket(tokens_.kind(i))) ++depth;
      if (IsClosingBracket(tokens_.kind(i)) && --depth <= 0) return i + 1;
    }
    return limit_;
  }

  bool IsClosed(TokenIndex open) const {
    const TokenIndex end = SkipBrackets(open);
    return end > open && end <= limit_ && IsClosingBracket(tokens_.kind(end - 1)) && Depth(open, end) == 0;
  }
  int Depth(TokenIndex begin, TokenIndex end) const {
    int depth = 0;
    for (TokenIndex i = begin; i < end; ++i) {
      if (IsOpeningBracket(tokens_.kind(i))) ++depth;
      if (IsClosingBracket(tokens_.kind(i))) --depth;
    }
    return depth;
  }

  void ReadStatement() {
    if (at_ >= limit_) {
      result_.place = Place::kShapeOrOpcode;
      return;
    }
    if (!ReadShape()) return;
    if (at_ >= limit_) {
      result_.place = Place::kOpcode;
      return;
    }
    const absl::string_view word = TextOf(at_);
    if (const std::optional<Opcode> opcode = OpcodeFromName(word)) {
      result_.opcode = *opcode;
    } else {
      result_.unknown_opcode = std::string(word);
    }
    ++at_;
    if (KindOf(at_) != TokenKind::kLeftParen) return EndOfStatement();
    if (!ReadOperands()) return;
    ReadAttributes();
  }

  // False if the cursor is in the shape.
  bool ReadShape() {
    const TokenIndex begin = at_;
    if (KindOf(at_) == TokenKind::kLeftParen) {
      if (!IsClosed(at_)) {
        // In a tuple: after `(` or a comma another element begins.
        const TokenKind last = tokens_.kind(limit_ - 1);
        if (LayoutBraceBefore()) {
          result_.place = Place::kLayout;
        } else if (last == TokenKind::kLeftParen || last == TokenKind::kComma) {
          result_.place = Depth(at_, limit_) == ParenDepth(at_, limit_) ? Place::kElementType : Place::kNone;
        }
        return false;
      }
      at_ = SkipBrackets(at_);
    } else if (KindOf(at_) == TokenKind::kPrimitiveType) {
      ++at_;
      if (KindOf(at_) == TokenKind::kLeftBracket) {
        if (!IsClosed(at_)) return false;
        at_ = SkipBrackets(at_);
      }
      if (KindOf(at_) == TokenKind::kLeftBrace) {
        if (!IsClosed(at_)) {
          if (limit_ == at_ + 1) result_.place = Place::kLayout;
          result_.shape = {tokens_.begin(begin), tokens_.begin(at_)};
          return false;
        }
        at_ = SkipBrackets(at_);
      }
    } else {
      return true;
    }
    result_.shape = {tokens_.begin(begin), tokens_.end(at_ - 1)};
    return true;
  }

  int ParenDepth(TokenIndex begin, TokenIndex end) const {
    int depth = 0;
    for (TokenIndex i = begin; i < end; ++i) {
      if (tokens_.kind(i) == TokenKind::kLeftParen) ++depth;
      if (tokens_.kind(i) == TokenKind::kRightParen) --depth;
    }
    return depth;
  }
  bool LayoutBraceBefore() {
    if (limit_ < 2 || tokens_.kind(limit_ - 1) != TokenKind::kLeftBrace ||
        tokens_.kind(limit_ - 2) != TokenKind::kRightBracket) {
      return false;
    }
    TokenIndex type = limit_ - 2;
    while (type > 0 && tokens_.kind(type) != TokenKind::kLeftBracket) --type;
    if (type > 0) result_.shape = {tokens_.begin(type - 1), tokens_.begin(limit_ - 1)};
    return true;
  }

  // False if the cursor is between the parentheses.
  bool ReadOperands() {
    const TokenIndex open = at_;
    ++at_;
    result_.arguments = {tokens_.end(open), tokens_.end(open)};
    const bool has_operands = result_.opcode != Opcode::kConstant && result_.opcode != Opcode::kParameter;
    int depth = 1;
    absl::string_view name;
    bool any = false;
    for (; at_ < limit_; ++at_) {
      const TokenKind kind = tokens_.kind(at_);
      if (IsOpeningBracket(kind)) ++depth;
      if (IsClosingBracket(kind) && --depth == 0) break;
      if (depth != 1) continue;
      if (kind == TokenKind::kComma) {
        result_.operand_names.push_back(name);
        name = {};
        ++result_.operand;
        any = false;
      } else {
        any = true;
        if (kind == TokenKind::kName || kind == TokenKind::kIdentifier) name = TokenName(kind, TextOf(at_));
      }
    }
    if (any) result_.operand_names.push_back(name);
    if (at_ < limit_) {
      result_.arguments.end = tokens_.begin(at_);
      ++at_;
      return true;
    }
    result_.arguments.end = std::max(result_.arguments.begin, offset_);
    if (!has_operands || depth > 1) return false;
    // After a whole operand nothing but a comma fits; after its shape its name does.
    if (any && !name.empty()) return false;
    result_.place = Place::kOperand;
    return false;
  }

  // After `)`.
  void ReadAttributes() {
    while (at_ < limit_) {
      if (tokens_.kind(at_) != TokenKind::kComma) return EndOfStatement();
      ++at_;
      if (at_ >= limit_) {
        result_.place = Place::kAttributeName;
        return;
      }
      if (tokens_.kind(at_) != TokenKind::kAttributeName) {
        ++at_;
        continue;
      }
      const absl::string_view name = TokenName(tokens_.kind(at_), TextOf(at_));
      int kind = -1;  // an AttributeKind
      if (result_.opcode != Opcode::kInvalid) {
        if (const auto known = AttributeFromName(result_.opcode, name)) kind = static_cast<int>(*known);
      }
      const TokenIndex value = ++at_;
      while (at_ < limit_ && tokens_.kind(at_) != TokenKind::kComma) {
        if (IsOpeningBracket(tokens_.kind(at_))) {
          if (!IsClosed(at_)) return InValue(kind, value);
          at_ = SkipBrackets(at_);
        } else if (IsClosingBracket(tokens_.kind(at_))) {
          return EndOfStatement();
        } else {
          ++at_;
        }
        // A value ends with its line if something follows on another one without a comma.
        if (at_ < limit_ && StartsLine(at_)) break;
      }
      if (at_ >= limit_ && value == limit_) return InValue(kind, value);
      if (kind >= 0) result_.attributes.push_back(static_cast<AttributeKind>(kind));
    }
    EndOfStatement();
  }

  void InValue(int kind, TokenIndex value) {
    if (kind < 0) return;
    result_.place = Place::kAttributeValue;
    result_.attribute = static_cast<AttributeKind>(kind);
    result_.empty_value = value == limit_;
    result_.in_braces = value < limit_ && tokens_.kind(value) == TokenKind::kLeftBrace;
  }

  // After everything that belongs to the instruction: on another line the next one begins.
  void EndOfStatement() {
    const uint32_t end = limit_ > 0 ? tokens_.end(limit_ - 1) : 0;
    const absl::string_view gap = text_.substr(end, result_.word.begin - std::min(end, result_.word.begin));
    const bool after_root = limit_ > 0 && tokens_.kind(limit_ - 1) == TokenKind::kRoot;
    if (gap.find_first_of("\n\r") == absl::string_view::npos && !after_root) return;
    result_.place = Place::kInstructionStart;
    result_.instruction_begin = result_.word.begin;
    result_.opcode = Opcode::kInvalid;
    result_.name = {};
    result_.operand_names.clear();
    result_.attributes.clear();
  }

  // The header's attributes, or where a computation begins.
  void FindOutside() {
    if (IsBehindComputation()) {
      result_.place = Place::kThreadAttribute;
      return;
    }
    if (limit_ == 0) {
      if (begin_ == 0 || StartsLineOfWord()) result_.place = Place::kTopLevel;
      return;
    }
    TokenIndex begin = limit_;
    // The header is one statement: an attribute on the way back means it.
    int depth = 0;
    while (begin > 0) {
      const TokenKind kind = tokens_.kind(begin - 1);
      if (kind == TokenKind::kRightBrace) ++depth;
      if (kind == TokenKind::kLeftBrace) --depth;
      if (kind == TokenKind::kHloModule) break;
      // A computation lies between.
      if (kind == TokenKind::kRoot || kind == TokenKind::kEntry || kind == TokenKind::kEquals) break;
      if (kind == TokenKind::kAttributeName && depth == 0)
        result_.header_attributes.push_back(TokenName(kind, TextOf(begin - 1)));
      --begin;
    }
    const bool in_header = begin > 0 && tokens_.kind(begin - 1) == TokenKind::kHloModule;
    if (in_header && tokens_.kind(limit_ - 1) == TokenKind::kComma && depth == 0) {
      result_.place = Place::kHeaderAttribute;
    } else if (in_header && tokens_.kind(limit_ - 1) == TokenKind::kAttributeName && depth == 0) {
      result_.place = Place::kHeaderValue;
      result_.header_attribute = TokenName(TokenKind::kAttributeName, TextOf(limit_ - 1));
    } else if (ExpectsShapeOfSignature()) {
      result_.place = Place::kElementType;
    } else if (StartsLineOfWord()) {
      result_.place = Place::kTopLevel;
    }
  }
  // `name:` and `->` of a signature.
  bool ExpectsShapeOfSignature() const {
    const TokenKind kind = tokens_.kind(limit_ - 1);
    return kind == TokenKind::kArrow || (kind == TokenKind::kName && text_[tokens_.end(limit_ - 1) - 1] == ':');
  }
  // Nothing but a comma is between the word and the body before it.
  bool IsBehindComputation() const {
    for (const TextMap::ComputationText& text : document_.text_map().computations) {
      if (!text.is_top_level || !text.is_closed || text.close_brace >= result_.word.begin) continue;
      const absl::string_view between =
          text_.substr(text.close_brace + 1, result_.word.begin - text.close_brace - 1).substr(0, 80);
      if (absl::StripAsciiWhitespace(between) == ",") return true;
    }
    return false;
  }
  bool StartsLineOfWord() const {
    const uint32_t end = limit_ > 0 ? tokens_.end(limit_ - 1) : begin_;
    return text_.substr(end, result_.word.begin - std::min(end, result_.word.begin)).find_first_of("\n\r") !=
           absl::string_view::npos;
  }

  const Document& document_;
  const absl::string_view text_;
  const uint32_t offset_;
  const ComputationId computation_;
  const uint32_t begin_;  // of the tokens
  TokenBuffer tokens_;    // to some after the cursor
  CursorContext result_;
  TokenIndex limit_ = 0;
  TokenIndex at_ = 0;
};

}  // namespace

ComputationId ComputationWithBodyAt(const Document& document, uint32_t offset) {
  const TextMap& map = document.text_map();
  // A body that is never closed reaches to the next computation.
  const auto end_of = [&](const TextMap::ComputationText& text) {
    if (text.is_closed) return text.close_brace;
    uint32_t end = document.source().size();
    for (const TextMap::ComputationText& other : map.computations) {
      if (other.is_top_level && other.range.begin > text.body_begin) end = std::min(end, other.range.begin);
    }
    return end;
  };
  ComputationId best;
  uint32_t best_begin = 0;
  for (size_t i = 0; i < map.computations.size(); ++i) {
    const TextMap::ComputationText& text = map.computations[i];
    if (text.body_begin == 0 || text.body_begin > offset || text.body_begin < best_begin) continue;
    if (offset > end_of(text)) continue;
    best = document.ComputationOfNode(i);
    best_begin = text.body_begin;
  }
  return best;
}

CursorContext CursorContextAt(const Document& document, uint32_t offset) {
  return ContextFinder(document, offset).Find();
}

}  // namespace hloscope
