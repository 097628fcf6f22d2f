// SPDX-License-Identifier: Apache-2.0
#include "core/semantics/text_parts.h"

#include <algorithm>

namespace hloscope {
namespace {

bool Opens(TokenKind kind) {
  return kind == TokenKind::kLeftBrace || kind == TokenKind::kLeftBracket || kind == TokenKind::kLeftParen;
}

bool Closes(TokenKind kind) {
  return kind == TokenKind::kRightBrace || kind == TokenKind::kRightBracket || kind == TokenKind::kRightParen;
}

SourceRange RangeBetween(const TokenBuffer& tokens, TokenIndex begin, TokenIndex end) {
  if (begin >= end) return {};
  return {tokens.begin(begin), tokens.end(end - 1)};
}

// Element `i` of the bracketed, comma-separated list that starts at `open`; empty if there is none. `end` bounds the
// search.
TokenRange ListElement(const TokenBuffer& tokens, TokenIndex open, TokenIndex end, size_t i) {
  if (open >= end || !Opens(tokens.kind(open))) return {};
  TokenIndex begin = open + 1;
  int depth = 0;
  for (TokenIndex t = begin; t < end; ++t) {
    const TokenKind kind = tokens.kind(t);
    const bool closes_list = Closes(kind) && depth == 0;
    if (closes_list || (kind == TokenKind::kComma && depth == 0)) {
      if (i == 0) return {begin, t};
      if (closes_list) return {};
      --i;
      begin = t + 1;
    } else if (Opens(kind)) {
      ++depth;
    } else if (Closes(kind)) {
      --depth;
    }
  }
  return {};
}

// Part `i` of a token whose parts are joined by x.
SourceRange JoinedPart(const SourceText& source, SourceRange token, size_t i) {
  const absl::string_view text = source.Slice(token);
  size_t begin = 0;
  for (; i > 0; --i) {
    begin = text.find('x', begin);
    if (begin == absl::string_view::npos) return {};
    ++begin;
  }
  const size_t end = std::min(text.find('x', begin), text.size());
  return {token.begin + static_cast<uint32_t>(begin), token.begin + static_cast<uint32_t>(end)};
}

}  // namespace

SourceRange ListEntryRange(const SourceText& source, const TokenBuffer& tokens, TokenRange value,
                           absl::string_view field, size_t i) {
  if (!field.empty()) {
    for (TokenIndex t = value.begin; t + 1 < value.end; ++t) {
      if (tokens.kind(t) != TokenKind::kAttributeName) continue;
      SourceRange name = tokens.range(t);
      --name.end;
      if (source.Slice(name) == field) return JoinedPart(source, tokens.range(t + 1), i);
    }
    return {};
  }
  if (value.empty()) return {};
  if (!Opens(tokens.kind(value.begin))) {
    return value.end - value.begin == 1 ? JoinedPart(source, tokens.range(value.begin), i) : SourceRange();
  }
  const TokenRange element = ListElement(tokens, value.begin, value.end, i);
  return RangeBetween(tokens, element.begin, element.end);
}

SourceRange ShapePartRange(const TokenBuffer& tokens, TokenRange shape, const ShapePart& part) {
  for (int64_t i : part.index) {
    if (shape.empty() || tokens.kind(shape.begin) != TokenKind::kLeftParen) return {};
    shape = ListElement(tokens, shape.begin, shape.end, static_cast<size_t>(i));
  }
  if (shape.empty()) return {};
  const SourceRange whole = RangeBetween(tokens, shape.begin, shape.end);
  if (part.kind == ShapePart::Kind::kWhole) return whole;
  if (tokens.kind(shape.begin) != TokenKind::kPrimitiveType) return {};
  if (part.kind == ShapePart::Kind::kElementType) return tokens.range(shape.begin);
  const TokenIndex open = shape.begin + 1;
  if (open >= shape.end || tokens.kind(open) != TokenKind::kLeftBracket) return {};
  if (part.kind == ShapePart::Kind::kDimension) {
    const TokenRange size = ListElement(tokens, open, shape.end, static_cast<size_t>(part.dimension));
    return RangeBetween(tokens, size.begin, size.end);
  }
  TokenIndex close = open;
  while (close < shape.end && tokens.kind(close) != TokenKind::kRightBracket) ++close;
  if (close >= shape.end) return {};
  if (part.kind == ShapePart::Kind::kDimensions) return RangeBetween(tokens, open, close + 1);
  return RangeBetween(tokens, close + 1, shape.end);
}

SourceRange HeaderPartRange(const TokenBuffer& tokens, TokenRange value, const HeaderPart& part) {
  if (value.empty() || part.kind == HeaderPart::Kind::kWhole) return {};
  const bool of_layout =
      part.kind == HeaderPart::Kind::kLayoutParameter || part.kind == HeaderPart::Kind::kLayoutResult;
  if (!of_layout) {
    const TokenRange entry = ListElement(tokens, value.begin, value.end, part.index);
    TokenIndex colon = entry.begin;
    for (int depth = 0; colon < entry.end && (depth > 0 || tokens.kind(colon) != TokenKind::kColon); ++colon) {
      depth += Opens(tokens.kind(colon)) ? 1 : Closes(tokens.kind(colon)) ? -1 : 0;
    }
    if (part.kind == HeaderPart::Kind::kEntryKey) return RangeBetween(tokens, entry.begin, colon);
    if (part.kind == HeaderPart::Kind::kEntryValue) return RangeBetween(tokens, colon + 1, entry.end);
    return RangeBetween(tokens, entry.begin, entry.end);
  }
  // {(parameters)->result}
  const TokenIndex parameters = value.begin + 1;
  if (part.kind == HeaderPart::Kind::kLayoutParameter) {
    const TokenRange shape = ListElement(tokens, parameters, value.end, part.index);
    return RangeBetween(tokens, shape.begin, shape.end);
  }
  TokenIndex arrow = parameters;
  while (arrow < value.end && tokens.kind(arrow) != TokenKind::kArrow) ++arrow;
  if (arrow >= value.end || tokens.kind(value.end - 1) != TokenKind::kRightBrace) return {};
  return RangeBetween(tokens, arrow + 1, value.end - 1);
}

}  // namespace hloscope
