// The tokens of a text: kinds and byte ranges.
#ifndef HLOSCOPE_CORE_LEX_TOKEN_BUFFER_H_
#define HLOSCOPE_CORE_LEX_TOKEN_BUFFER_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/source/source_range.h"

namespace hloscope {

enum class TokenKind : uint8_t {
#define HLO_TOKEN(Enum, description) k##Enum,
#include "core/lex/token_kinds.def"
};

// "`{`", "a name", ... for messages.
absl::string_view TokenDescription(TokenKind kind);

// The kinds of brackets: ( [ {
inline bool IsOpeningBracket(TokenKind kind) {
  return kind == TokenKind::kLeftBrace || kind == TokenKind::kLeftParen || kind == TokenKind::kLeftBracket;
}
inline bool IsClosingBracket(TokenKind kind) {
  return kind == TokenKind::kRightBrace || kind == TokenKind::kRightParen || kind == TokenKind::kRightBracket;
}
TokenKind ClosingBracketOf(TokenKind opening);
TokenKind OpeningBracketOf(TokenKind closing);
absl::string_view BracketText(TokenKind bracket);

// Index of a token.
using TokenIndex = uint32_t;

// Always ends with one kEndOfFile token. Error tokens cover the bytes that no token could be made of; the finding about
// them has been reported by the lexer.
class TokenBuffer {
 public:
  size_t size() const { return tokens_.size(); }
  TokenKind kind(TokenIndex i) const { return static_cast<TokenKind>(tokens_[i].kind_and_length & 0xFF); }
  uint32_t begin(TokenIndex i) const { return tokens_[i].begin; }
  uint32_t end(TokenIndex i) const { return tokens_[i].begin + length(i); }
  SourceRange range(TokenIndex i) const { return {begin(i), end(i)}; }
  // The first token that ends after `offset` (it may begin after it).
  TokenIndex TokenAt(uint32_t offset) const;

  void Reserve(size_t n) { tokens_.reserve(n); }
  void Add(TokenKind kind, uint32_t begin, uint32_t end) {
    const uint32_t length = end - begin;
    if (length >= kLongToken) long_tokens_.push_back({static_cast<TokenIndex>(tokens_.size()), length});
    tokens_.push_back({begin, static_cast<uint32_t>(kind) | std::min(length, kLongToken) << 8});
  }
  // Frontend attributes were left open and ended where the next instruction began: tokens depended on those far before.
  bool has_open_frontend_attributes() const { return has_open_frontend_attributes_; }
  void set_has_open_frontend_attributes() { has_open_frontend_attributes_ = true; }
  size_t MemoryUsage() const { return tokens_.capacity() * sizeof(Token); }

 private:
  struct Token {
    uint32_t begin;
    uint32_t kind_and_length;  // kind in the low byte; lengths from kLongToken on are in long_tokens_
  };
  struct LongToken {
    TokenIndex token;
    uint32_t length;
  };
  static constexpr uint32_t kLongToken = (1u << 24) - 1;

  uint32_t length(TokenIndex i) const {
    const uint32_t length = tokens_[i].kind_and_length >> 8;
    return length < kLongToken ? length : LengthOfLongToken(i);
  }
  uint32_t LengthOfLongToken(TokenIndex i) const;

  std::vector<Token> tokens_;
  std::vector<LongToken> long_tokens_;  // ascending
  bool has_open_frontend_attributes_ = false;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_LEX_TOKEN_BUFFER_H_
