// SPDX-License-Identifier: Apache-2.0
#include "core/semantics/shape_reader.h"

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "core/diagnostics/familiar_names.h"
#include "core/diagnostics/suggestions.h"
#include "core/syntax/syntax_parser.h"

namespace hloscope {
namespace {

using Kind = TokenKind;

bool AtBuffer(const TokenCursor& c) { return c.AtWord("b") && c.Peek() == Kind::kLeftParen; }

// One dimension: INT, `<=` INT, `?`.
bool ReadDimension(TokenCursor& c, absl::InlinedVector<int64_t, 8>& sizes, absl::InlinedVector<bool, 8>& dynamic) {
  if (c.Eat(Kind::kQuestion)) {
    sizes.push_back(kUnboundedSize);
    dynamic.push_back(true);
    return true;
  }
  const TokenIndex first = c.position();
  const bool is_bound = c.Eat(Kind::kLessEqual);
  if (c.At(Kind::kDxD)) {
    const std::string sizes_with_commas = absl::StrReplaceAll(c.text(), {{"x", ","}});
    c.Report(DiagnosticKind::kJoinedDimensions, c.range(), sizes_with_commas)
        .Fix("write commas", c.range(), sizes_with_commas);
    return false;
  }
  if (!c.At(Kind::kInteger)) {
    if (!is_bound) return c.FailExpected("a dimension size");
    c.Report(DiagnosticKind::kMissingBound, c.RangeFrom(first));
    return false;
  }
  const auto size = DecodeInteger(c.text());
  if (!size || *size < 0) return c.Fail(DiagnosticKind::kDimensionSize, c.text());
  c.Advance();
  sizes.push_back(*size);
  dynamic.push_back(is_bound);
  return true;
}

void ReportTolerated(TokenCursor& c, DiagnosticKind kind, SourceRange range, std::vector<std::string> arguments) {
  c.sink().Add(kind, Severity::kWarning, range, std::move(arguments)).is_tolerated = true;
}

bool ReadParenthesizedInt(TokenCursor& c, absl::string_view item, int64_t low, int64_t* value) {
  if (!c.Expect(Kind::kLeftParen)) return false;
  const absl::string_view subject = c.subject();
  c.set_subject(item);
  const auto number = c.IntIn(low, std::numeric_limits<int64_t>::max());
  c.set_subject(subject);
  if (!number) return false;
  *value = *number;
  return c.Expect(Kind::kRightParen);
}

bool ReadUnsignedType(TokenCursor& c, absl::string_view item, ElementType* type) {
  if (!c.Expect(Kind::kLeftParen)) return false;
  if (!c.At(Kind::kPrimitiveType)) return c.FailExpected("an unsigned integer type");
  *type = ElementTypeFromName(c.text()).value_or(ElementType::kInvalid);
  if (!IsUnsigned(*type)) {
    ReportTolerated(c, DiagnosticKind::kLayoutIndexType, c.range(), {std::string(item), std::string(c.text())});
  }
  c.Advance();
  return c.Expect(Kind::kRightParen);
}

// D(...): read and discarded.
bool ReadLevels(TokenCursor& c) {
  return c.ReadList(Kind::kLeftParen, Kind::kRightParen, false, [&] {
    const absl::string_view level = c.text();
    if (!c.At(Kind::kIdentifier) || level.size() != 1 || !absl::StrContains("DCSH", level)) {
      return c.FailExpected("a dimension level: D, C, S or H");
    }
    c.Advance();
    c.Eat(Kind::kPlus);
    c.Eat(Kind::kTilde);
    return true;
  });
}

bool ReadTiles(TokenCursor& c, std::vector<Tile>* tiles) {
  if (!c.At(Kind::kLeftParen)) return c.FailExpected("`(` of a tile");
  while (c.At(Kind::kLeftParen)) {
    Tile tile;
    const bool good = c.ReadList(Kind::kLeftParen, Kind::kRightParen, false, [&] {
      if (c.Eat(Kind::kStar)) {
        tile.dimensions.push_back(Tile::kCombine);
        return true;
      }
      const SourceRange range = c.range();
      const absl::string_view text = c.text();
      const auto size = c.Int();
      if (!size) return false;
      if (*size < 0) {
        c.Report(DiagnosticKind::kTileSize, range, text);
        return false;
      }
      tile.dimensions.push_back(*size);
      return true;
    });
    if (!good) return false;
    tiles->push_back(std::move(tile));
  }
  return true;
}

bool ReadSplits(TokenCursor& c, std::vector<SplitConfig>* splits) {
  if (!c.At(Kind::kLeftParen)) return c.FailExpected("`(` of a split");
  while (c.Eat(Kind::kLeftParen)) {
    SplitConfig split;
    const auto dimension = c.Int();
    if (!dimension || !c.Expect(Kind::kColon)) return false;
    split.dimension = *dimension;
    while (c.At(Kind::kInteger)) {
      split.split_indices.push_back(*c.Int());
      if (!c.Eat(Kind::kComma)) break;
    }
    if (!c.Expect(Kind::kRightParen)) return false;
    splits->push_back(std::move(split));
  }
  return true;
}

// Is after the last part that the order of parts allows, and not at the closing brace.
bool FailLayoutItem(TokenCursor& c) {
  if (c.AtWord("P")) return c.Fail(DiagnosticKind::kLayoutPhysicalShape);
  const bool is_item = c.At(Kind::kIdentifier) || c.At(Kind::kHash) || c.At(Kind::kStar) || c.At(Kind::kComma);
  return is_item ? c.Fail(DiagnosticKind::kLayoutItem, c.text()) : c.Expect(Kind::kRightBrace);
}

bool ReadLayout(TokenCursor& c, int64_t rank, Layout* layout) {
  const TokenIndex first = c.position();
  c.Advance();  // {
  while (c.At(Kind::kInteger)) {
    const auto dimension = c.Int();
    if (!dimension) return false;
    layout->minor_to_major.push_back(*dimension);
    if (!c.Eat(Kind::kComma)) break;
    if (!c.At(Kind::kInteger)) return c.FailExpected("a dimension number");
  }
  const SourceRange order = c.RangeFrom(first + 1);
  const bool has_items = c.Eat(Kind::kColon);
  if (has_items) {
    if (c.AtWord("D")) {
      c.Report(DiagnosticKind::kOldSpelling, c.range(), "D", "sparse layouts are gone: it is read and ignored");
      c.Advance();
      if (!ReadLevels(c)) return false;
    }
    if (c.EatWord("T") && !ReadTiles(c, &layout->tiles)) return false;
    if (c.EatWord("L") && !ReadParenthesizedInt(c, "L", 1, &layout->tail_padding_alignment_in_elements)) return false;
    if (c.Eat(Kind::kHash) && !ReadUnsignedType(c, "#", &layout->index_primitive_type)) return false;
    if (c.Eat(Kind::kStar) && !ReadUnsignedType(c, "*", &layout->pointer_primitive_type)) return false;
    if (c.EatWord("E") && !ReadParenthesizedInt(c, "E", 0, &layout->element_size_in_bits)) return false;
    if (c.EatWord("S")) {
      const TokenIndex first = c.position();
      if (!ReadParenthesizedInt(c, "S", std::numeric_limits<int64_t>::min(), &layout->memory_space)) return false;
      if (layout->memory_space < 0) {
        ReportTolerated(c, DiagnosticKind::kValueOutOfRange, c.RangeFrom(first),
                        {absl::StrCat(layout->memory_space), "`S` takes 0 and more"});
      }
    }
    if (c.EatWord("SC") && !ReadSplits(c, &layout->split_configs)) return false;
    if (c.EatWord("M") && !ReadParenthesizedInt(c, "M", 0, &layout->dynamic_shape_metadata_prefix_bytes)) return false;
  }
  if (!c.Eat(Kind::kRightBrace)) return FailLayoutItem(c);
  const int64_t count = static_cast<int64_t>(layout->minor_to_major.size());
  if (count == rank) return true;
  const auto dimensions = [](int64_t n) { return absl::StrCat(n, n == 1 ? " dimension" : " dimensions"); };
  Diagnostic& d = c.Report(DiagnosticKind::kLayoutRank, count > 0 ? order : c.RangeFrom(first), dimensions(count),
                           dimensions(rank));
  if (rank == 0 && !has_items) {
    d.Fix("remove the layout", c.RangeFrom(first), "");
  } else if (rank <= 8) {
    std::vector<int64_t> descending;
    for (int64_t i = rank; i-- > 0;) descending.push_back(i);
    const std::string text = absl::StrJoin(descending, ",");
    // Without an order, the place where it is missing.
    const SourceRange where = count > 0 ? order : SourceRange{order.begin, order.begin};
    d.Fix(text.empty() ? "remove the dimensions" : absl::StrCat("write the default order `", text, "`"), where, text);
  }
  return false;
}

std::optional<Shape> ReadArray(TokenCursor& c) {
  const auto type = ElementTypeFromName(c.text());
  const TokenIndex first = c.position();
  c.Advance();
  if (!type) return std::nullopt;
  if (!c.At(Kind::kLeftBracket) && !c.At(Kind::kError)) {
    const SourceRange range = c.RangeFrom(first);
    c.Report(DiagnosticKind::kMissingDimensions, range, ElementTypeName(*type))
        .Fix("add `[]`", SourceRange{range.end, range.end}, "[]");
    return std::nullopt;
  }
  absl::InlinedVector<int64_t, 8> sizes;
  absl::InlinedVector<bool, 8> dynamic;
  const bool good =
      c.ReadList(Kind::kLeftBracket, Kind::kRightBracket, false, [&] { return ReadDimension(c, sizes, dynamic); });
  if (!good) return std::nullopt;
  if (!IsArrayElement(*type)) {
    if (!sizes.empty()) {
      const std::string right = absl::StrCat(ElementTypeName(*type), "[]");
      c.Report(DiagnosticKind::kTypeWithoutDimensions, c.RangeFrom(first), ElementTypeName(*type))
          .Fix(absl::StrCat("write `", right, "`"), c.RangeFrom(first), right);
      return std::nullopt;
    }
    if (c.At(Kind::kLeftBrace) && (c.Peek() == Kind::kInteger || c.Peek() == Kind::kColon)) {
      c.Fail(DiagnosticKind::kLayoutNotAllowed, ElementTypeName(*type));
      return std::nullopt;
    }
    return *type == ElementType::kToken ? Shape::Token() : Shape::Opaque();
  }
  Shape shape = Shape::Array(*type, sizes);
  for (size_t i = 0; i < dynamic.size(); ++i) {
    if (dynamic[i]) shape.set_dynamic_dimension(static_cast<int64_t>(i), true);
  }
  if (c.At(Kind::kLeftBrace) && (c.Peek() == Kind::kInteger || c.Peek() == Kind::kColon)) {
    Layout layout;
    if (!ReadLayout(c, shape.rank(), &layout)) return std::nullopt;
    shape.set_layout(std::move(layout));
  } else if (c.At(Kind::kLeftBrace) && c.Peek() == Kind::kRightBrace) {
    const TokenIndex open = c.position();
    c.Advance();
    c.Advance();
    const SourceRange braces = c.RangeFrom(open);
    c.Report(DiagnosticKind::kEmptyLayout, braces).Fix("remove the braces", braces, "");
    return std::nullopt;
  }
  return shape;
}

// Not at a shape.
void FailShape(TokenCursor& c) {
  if (!c.At(Kind::kIdentifier)) {
    c.Fail(DiagnosticKind::kExpectedShape, c.Found());
    return;
  }
  const absl::string_view nearest = NearestElementType(c.text());
  FixSpelling(c.Report(DiagnosticKind::kUnknownElementType, c.range(), c.text(), DidYouMean(nearest)), c.range(),
              nearest);
}

}  // namespace

bool AtShape(const TokenCursor& c) { return c.At(Kind::kPrimitiveType) || c.At(Kind::kLeftParen) || AtBuffer(c); }

std::optional<Shape> ReadShape(TokenCursor& c) {
  // Tuples being read, outermost first.
  struct OpenTuple {
    bool is_buffer;
    TokenIndex first;
    std::vector<Shape> elements;
  };
  std::vector<OpenTuple> open;
  while (true) {
    std::optional<Shape> done;
    if (c.At(Kind::kPrimitiveType)) {
      done = ReadArray(c);
      if (!done) return std::nullopt;
    } else if (c.At(Kind::kLeftParen) || AtBuffer(c)) {
      if (open.size() >= static_cast<size_t>(kMaxNesting)) {
        c.Fail(DiagnosticKind::kNestingTooDeep, kMaxNesting);
        return std::nullopt;
      }
      open.push_back({!c.At(Kind::kLeftParen), c.position(), {}});
      if (open.back().is_buffer) c.Advance();
      c.Advance();
      if (!c.Eat(Kind::kRightParen)) continue;
      if (open.back().is_buffer) {
        c.Report(DiagnosticKind::kBufferContents, c.RangeFrom(open.back().first));
        return std::nullopt;
      }
      open.pop_back();
      done = Shape::Tuple({});
    } else {
      FailShape(c);
      return std::nullopt;
    }
    // A complete shape: close what it completes.
    while (!open.empty()) {
      open.back().elements.push_back(*std::move(done));
      if (c.Eat(Kind::kComma)) {
        if (c.At(Kind::kRightParen)) {
          c.FailSurplusComma();
          return std::nullopt;
        }
        done.reset();
        break;
      }
      if (!c.Eat(Kind::kRightParen)) {
        c.FailListEnd(Kind::kRightParen);
        return std::nullopt;
      }
      OpenTuple tuple = std::move(open.back());
      open.pop_back();
      if (tuple.is_buffer) {
        if (tuple.elements.size() != 1 || !tuple.elements[0].IsArray()) {
          c.Report(DiagnosticKind::kBufferContents, c.RangeFrom(tuple.first));
          return std::nullopt;
        }
        done = Shape::Buffer(std::move(tuple.elements[0]));
      } else {
        done = Shape::Tuple(std::move(tuple.elements));
      }
    }
    if (done) return done;
  }
}

std::optional<Shape> ReadShapeText(const SourceText& source, DiagnosticSink& sink) {
  const TokenBuffer tokens = Lex(source, sink);
  TokenCursor cursor(source, tokens, sink, {0, static_cast<TokenIndex>(tokens.size() - 1)}, "a shape");
  std::optional<Shape> shape = ReadShape(cursor);
  if (!shape || !cursor.ExpectEnd() || sink.error_count() > 0) return std::nullopt;
  return shape;
}

std::optional<std::vector<Shape>> ReadShapeList(TokenCursor& c) {
  std::vector<Shape> shapes;
  const bool good = c.ReadList(Kind::kLeftBrace, Kind::kRightBrace, false, [&] {
    auto shape = ReadShape(c);
    if (shape) shapes.push_back(*std::move(shape));
    return shape.has_value();
  });
  if (!good) return std::nullopt;
  return shapes;
}

}  // namespace hloscope
