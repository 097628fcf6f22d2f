// SPDX-License-Identifier: Apache-2.0
#include "core/semantics/shape_cache.h"

#include <utility>

#include "core/lex/lexer.h"
#include "core/semantics/shape_reader.h"

namespace hloscope {

std::optional<ShapeId> ShapeCache::Read(TokenRange range) {
  const absl::string_view text = text_.TextOf(range);
  const auto it = shapes_.find(text);
  if (it != shapes_.end()) return it->second;
  TokenCursor cursor = text_.Cursor(range, "shape");
  const size_t diagnostics = text_.sink().diagnostics().size();
  const auto shape = ReadShape(cursor);
  if (!shape || !cursor.ExpectEnd()) return std::nullopt;
  const ShapeId id = module_.InternShape(*shape);
  if (text_.sink().diagnostics().size() == diagnostics) shapes_.emplace(text, id);
  return id;
}

const Shape* ShapeCache::ReadItem(TokenCursor& cursor) {
  TokenIndex end = cursor.position();
  int64_t depth = 0;
  for (; end < cursor.end(); ++end) {
    const TokenKind kind = cursor.tokens().kind(end);
    if (depth == 0 && kind == TokenKind::kComma) break;
    if (IsOpeningBracket(kind)) ++depth;
    if (IsClosingBracket(kind)) --depth;
  }
  const absl::string_view text = text_.TextOf(TokenRange{cursor.position(), end});
  const auto known = items_.find(text);
  if (known != items_.end()) {
    while (cursor.position() < end) cursor.Advance();
    return &known->second;
  }
  const size_t diagnostics = text_.sink().diagnostics().size();
  auto shape = ReadShape(cursor);
  if (!shape) return nullptr;
  if (cursor.position() == end && text_.sink().diagnostics().size() == diagnostics) {
    return &items_.emplace(text, *std::move(shape)).first->second;
  }
  odd_item_ = *std::move(shape);
  return &odd_item_;
}

}  // namespace hloscope
