#include "core/lex/token_buffer.h"

#include <algorithm>

namespace hloscope {

absl::string_view TokenDescription(TokenKind kind) {
  static constexpr absl::string_view kDescriptions[] = {
#define HLO_TOKEN(Enum, description) description,
#include "core/lex/token_kinds.def"
  };
  return kDescriptions[static_cast<size_t>(kind)];
}

TokenIndex TokenBuffer::TokenAt(uint32_t offset) const {
  const auto it = std::upper_bound(begins_.begin(), begins_.end(), offset);
  TokenIndex i = static_cast<TokenIndex>(it - begins_.begin());
  if (i > 0 && end(i - 1) > offset) return i - 1;
  return std::min<TokenIndex>(i, static_cast<TokenIndex>(size()) - 1);
}

}  // namespace hloscope
