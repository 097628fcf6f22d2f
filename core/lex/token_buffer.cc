// SPDX-License-Identifier: Apache-2.0
#include "core/lex/token_buffer.h"

#include <algorithm>
#include <utility>

#include "core/source/memory_hooks.h"

namespace hloscope {

absl::string_view TokenDescription(TokenKind kind) {
  static constexpr absl::string_view kDescriptions[] = {
#define HLO_TOKEN(Enum, description) description,
#include "core/lex/token_kinds.def"
  };
  return kDescriptions[static_cast<size_t>(kind)];
}

TokenKind ClosingBracketOf(TokenKind opening) {
  return opening == TokenKind::kLeftBrace   ? TokenKind::kRightBrace
         : opening == TokenKind::kLeftParen ? TokenKind::kRightParen
                                            : TokenKind::kRightBracket;
}

TokenKind OpeningBracketOf(TokenKind closing) {
  return closing == TokenKind::kRightBrace   ? TokenKind::kLeftBrace
         : closing == TokenKind::kRightParen ? TokenKind::kLeftParen
                                             : TokenKind::kLeftBracket;
}

absl::string_view BracketText(TokenKind bracket) {
  absl::string_view description = TokenDescription(bracket);  // in backticks
  return description.substr(1, description.size() - 2);
}

TokenIndex TokenBuffer::TokenAt(uint32_t offset) const {
  const Token* const it = std::upper_bound(tokens_.get(), tokens_.get() + size_, offset,
                                           [](uint32_t at, const Token& token) { return at < token.begin; });
  const TokenIndex i = static_cast<TokenIndex>(it - tokens_.get());
  if (i > 0 && end(i - 1) > offset) return i - 1;
  return std::min<TokenIndex>(i, static_cast<TokenIndex>(size()) - 1);
}

void TokenBuffer::Grow(size_t capacity) {
  auto grown = std::make_unique_for_overwrite<Token[]>(capacity);
  ReportFreshBlock(grown.get(), capacity * sizeof(Token));
  std::copy(tokens_.get(), tokens_.get() + size_, grown.get());
  tokens_ = std::move(grown);
  capacity_ = capacity;
}

void TokenBuffer::AddUnusual(TokenKind kind, uint32_t begin, uint32_t length) {
  if (length >= kLongToken) long_tokens_.push_back({static_cast<TokenIndex>(size_), length});
  if (size_ == capacity_) Grow(2 * size_ + 16);
  tokens_[size_++] = {begin, static_cast<uint32_t>(kind) | std::min(length, kLongToken) << 8};
}

uint32_t TokenBuffer::LengthOfLongToken(TokenIndex i) const {
  return std::lower_bound(long_tokens_.begin(), long_tokens_.end(), i,
                          [](const LongToken& token, TokenIndex wanted) { return token.token < wanted; })
      ->length;
}

}  // namespace hloscope
