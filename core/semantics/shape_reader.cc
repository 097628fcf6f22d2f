#include "core/semantics/shape_reader.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/syntax/syntax_parser.h"

namespace hloscope {
namespace {

using Kind = TokenKind;

bool AtBuffer(const TokenCursor& c) { return c.AtWord("b") && c.Peek() == Kind::kLeftParen; }

// One dimension: INT, `<=` INT, `?`.
bool ReadDimension(TokenCursor& c, std::vector<int64_t>& sizes, std::vector<bool>& dynamic) {
  if (c.Eat(Kind::kQuestion)) {
    sizes.push_back(kUnboundedSize);
    dynamic.push_back(true);
    return true;
  }
  const bool is_bound = c.Eat(Kind::kLessEqual);
  if (!c.At(Kind::kInteger)) return c.FailExpected("a dimension size");
  const auto size = DecodeInteger(c.text());
  if (!size || *size < 0) {
    return c.Fail(DiagnosticKind::kBadShape,
                  absl::StrCat("dimension size ", c.text(), " is not a size: sizes are 0 to 2^63-1"));
  }
  c.Advance();
  sizes.push_back(*size);
  dynamic.push_back(is_bound);
  return true;
}

bool ReadParenthesizedInt(TokenCursor& c, int64_t low, int64_t* value) {
  if (!c.Expect(Kind::kLeftParen)) return false;
  const auto number = c.IntIn(low, std::numeric_limits<int64_t>::max());
  if (!number) return false;
  *value = *number;
  return c.Expect(Kind::kRightParen);
}

bool ReadUnsignedType(TokenCursor& c, ElementType* type) {
  if (!c.Expect(Kind::kLeftParen)) return false;
  if (!c.At(Kind::kPrimitiveType)) return c.FailExpected("an unsigned integer type");
  *type = ElementTypeFromName(c.text()).value_or(ElementType::kInvalid);
  if (!IsUnsigned(*type)) {
    return c.Fail(DiagnosticKind::kBadLayout, absl::StrCat("`", c.text(), "` must be an unsigned integer type"));
  }
  c.Advance();
  return c.Expect(Kind::kRightParen);
}

// D(...): read and discarded.
bool ReadLevels(TokenCursor& c) {
  if (!c.Expect(Kind::kLeftParen)) return false;
  while (!c.At(Kind::kRightParen)) {
    const absl::string_view level = c.text();
    if (!c.At(Kind::kIdentifier) || level.size() != 1 || !absl::StrContains("DCSH", level)) {
      return c.FailExpected("a dimension level: D, C, S or H");
    }
    c.Advance();
    c.Eat(Kind::kPlus);
    c.Eat(Kind::kTilde);
    if (!c.Eat(Kind::kComma)) break;
  }
  return c.Expect(Kind::kRightParen);
}

bool ReadTiles(TokenCursor& c, std::vector<Tile>* tiles) {
  if (!c.At(Kind::kLeftParen)) return c.FailExpected("`(` of a tile");
  while (c.Eat(Kind::kLeftParen)) {
    Tile tile;
    while (!c.At(Kind::kRightParen)) {
      if (c.Eat(Kind::kStar)) {
        tile.dimensions.push_back(Tile::kCombine);
      } else {
        const auto size = c.IntIn(0, std::numeric_limits<int64_t>::max());
        if (!size) return false;
        tile.dimensions.push_back(*size);
      }
      if (!c.Eat(Kind::kComma)) break;
    }
    if (!c.Expect(Kind::kRightParen)) return false;
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
  if (c.Eat(Kind::kColon)) {
    if (c.AtWord("D")) {
      c.Report(DiagnosticKind::kOldSpelling, c.range(), "D", "sparse layouts are gone: it is read and ignored");
      c.Advance();
      if (!ReadLevels(c)) return false;
    }
    if (c.EatWord("T") && !ReadTiles(c, &layout->tiles)) return false;
    if (c.EatWord("L") && !ReadParenthesizedInt(c, 1, &layout->tail_padding_alignment_in_elements)) return false;
    if (c.Eat(Kind::kHash) && !ReadUnsignedType(c, &layout->index_primitive_type)) return false;
    if (c.Eat(Kind::kStar) && !ReadUnsignedType(c, &layout->pointer_primitive_type)) return false;
    if (c.EatWord("E") && !ReadParenthesizedInt(c, 0, &layout->element_size_in_bits)) return false;
    if (c.EatWord("S") && !ReadParenthesizedInt(c, 0, &layout->memory_space)) return false;
    if (c.EatWord("SC") && !ReadSplits(c, &layout->split_configs)) return false;
    if (c.AtWord("P")) return c.Fail(DiagnosticKind::kBadLayout, "a physical shape `P(...)` is not accepted here");
    if (c.EatWord("M") && !ReadParenthesizedInt(c, 0, &layout->dynamic_shape_metadata_prefix_bytes)) return false;
  }
  if (!c.Expect(Kind::kRightBrace)) return false;
  if (static_cast<int64_t>(layout->minor_to_major.size()) != rank) {
    c.Report(DiagnosticKind::kBadLayout, c.RangeFrom(first),
             absl::StrCat("it orders ", layout->minor_to_major.size(), " dimensions but the array has ", rank));
    return false;
  }
  return true;
}

std::optional<Shape> ReadArray(TokenCursor& c) {
  const auto type = ElementTypeFromName(c.text());
  const TokenIndex first = c.position();
  c.Advance();
  if (!type || !c.Expect(Kind::kLeftBracket)) return std::nullopt;
  std::vector<int64_t> sizes;
  std::vector<bool> dynamic;
  while (!c.At(Kind::kRightBracket)) {
    if (!ReadDimension(c, sizes, dynamic)) return std::nullopt;
    if (!c.Eat(Kind::kComma)) break;
    if (c.At(Kind::kRightBracket)) {
      c.FailExpected("a dimension size");
      return std::nullopt;
    }
  }
  if (!c.Expect(Kind::kRightBracket)) return std::nullopt;
  if (!IsArrayElement(*type)) {
    if (!sizes.empty()) {
      c.Report(
          DiagnosticKind::kBadShape, c.RangeFrom(first),
          absl::StrCat("`", ElementTypeName(*type), "` has no dimensions; write `", ElementTypeName(*type), "[]`"));
      return std::nullopt;
    }
    if (c.At(Kind::kLeftBrace) && (c.Peek() == Kind::kInteger || c.Peek() == Kind::kColon)) {
      c.Fail(DiagnosticKind::kBadLayout, absl::StrCat("`", ElementTypeName(*type), "` has no layout"));
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
  }
  return shape;
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
        c.Report(DiagnosticKind::kBadShape, c.RangeFrom(open.back().first), "a buffer holds one array shape");
        return std::nullopt;
      }
      open.pop_back();
      done = Shape::Tuple({});
    } else {
      c.FailExpected("a shape");
      return std::nullopt;
    }
    // A complete shape: close what it completes.
    while (!open.empty()) {
      open.back().elements.push_back(*std::move(done));
      if (c.Eat(Kind::kComma)) {
        done.reset();
        break;
      }
      if (!c.Expect(Kind::kRightParen)) return std::nullopt;
      OpenTuple tuple = std::move(open.back());
      open.pop_back();
      if (tuple.is_buffer) {
        if (tuple.elements.size() != 1 || !tuple.elements[0].IsArray()) {
          c.Report(DiagnosticKind::kBadShape, c.RangeFrom(tuple.first), "a buffer holds one array shape");
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
  if (!c.Expect(Kind::kLeftBrace)) return std::nullopt;
  std::vector<Shape> shapes;
  while (!c.At(Kind::kRightBrace)) {
    auto shape = ReadShape(c);
    if (!shape) return std::nullopt;
    shapes.push_back(*std::move(shape));
    if (!c.Eat(Kind::kComma)) break;
  }
  if (!c.Expect(Kind::kRightBrace)) return std::nullopt;
  return shapes;
}

}  // namespace hloscope
