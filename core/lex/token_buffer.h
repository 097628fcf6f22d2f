// SPDX-License-Identifier: Apache-2.0
// The tokens of a text: kinds and byte ranges.
#ifndef HLOSCOPE_CORE_LEX_TOKEN_BUFFER_H_
#define HLOSCOPE_CORE_LEX_TOKEN_BUFFER_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/base/attributes.h"
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

// Always ends with one kEndOfFile token. Error tokens cover the bytes that no token could be made of; the diagnostic
// about them has been reported by the lexer.
class TokenBuffer {
 public:
  size_t size() const { return size_; }
  TokenKind kind(TokenIndex i) const { return static_cast<TokenKind>(tokens_[i].kind_and_length & 0xFF); }
  uint32_t begin(TokenIndex i) const { return tokens_[i].begin; }
  uint32_t end(TokenIndex i) const { return tokens_[i].begin + length(i); }
  SourceRange range(TokenIndex i) const { return {begin(i), end(i)}; }
  // The first token that ends after `offset` (it may begin after it).
  TokenIndex TokenAt(uint32_t offset) const;

  // Makes room for so many tokens in all.
  void Reserve(size_t n) {
    if (n > capacity_) Grow(n);
  }
  // Becomes part of the lexer's loop: a call would take longer than what it does.
  ABSL_ATTRIBUTE_ALWAYS_INLINE void Add(TokenKind kind, uint32_t begin, uint32_t end) {
    const uint32_t length = end - begin;
    if (size_ == capacity_ || length >= kLongToken) [[unlikely]]
      return AddUnusual(kind, begin, length);
    tokens_[size_++] = {begin, static_cast<uint32_t>(kind) | length << 8};
  }
  // Says that tokens [first, last) will be read soon.
  void Prefetch(TokenIndex first, TokenIndex last) const {
    constexpr TokenIndex kInCacheLine = 64 / sizeof(Token);
    for (; first < last; first += kInCacheLine) __builtin_prefetch(&tokens_[first]);
  }
  // Frontend attributes were left open and ended where the next instruction began: tokens depended on those far before.
  bool has_open_frontend_attributes() const { return has_open_frontend_attributes_; }
  void set_has_open_frontend_attributes() { has_open_frontend_attributes_ = true; }
  size_t MemoryUsage() const { return capacity_ * sizeof(Token); }

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
  // A token for which there is no room, or a long one.
  void AddUnusual(TokenKind kind, uint32_t begin, uint32_t length);
  void Grow(size_t capacity);

  // No std::vector: its way to add an element is too long to become part of the lexer's loop.
  std::unique_ptr<Token[]> tokens_;
  size_t size_ = 0, capacity_ = 0;
  std::vector<LongToken> long_tokens_;  // ascending
  bool has_open_frontend_attributes_ = false;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_LEX_TOKEN_BUFFER_H_
