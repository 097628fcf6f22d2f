// The tokens of a text: parallel vectors of kinds and byte ranges.
#ifndef HLOSCOPE_CORE_LEX_TOKEN_BUFFER_H_
#define HLOSCOPE_CORE_LEX_TOKEN_BUFFER_H_

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
  size_t size() const { return kinds_.size(); }
  TokenKind kind(TokenIndex i) const { return kinds_[i]; }
  uint32_t begin(TokenIndex i) const { return begins_[i]; }
  uint32_t end(TokenIndex i) const { return begins_[i] + lengths_[i]; }
  SourceRange range(TokenIndex i) const { return {begin(i), end(i)}; }
  // The first token that ends after `offset` (it may begin after it).
  TokenIndex TokenAt(uint32_t offset) const;

  void Reserve(size_t n) {
    kinds_.reserve(n);
    begins_.reserve(n);
    lengths_.reserve(n);
  }
  void Add(TokenKind kind, uint32_t begin, uint32_t end) {
    kinds_.push_back(kind);
    begins_.push_back(begin);
    lengths_.push_back(end - begin);
  }
  size_t MemoryUsage() const { return kinds_.capacity() + (begins_.capacity() + lengths_.capacity()) * 4; }

 private:
  std::vector<TokenKind> kinds_;
  std::vector<uint32_t> begins_;
  std::vector<uint32_t> lengths_;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_LEX_TOKEN_BUFFER_H_
