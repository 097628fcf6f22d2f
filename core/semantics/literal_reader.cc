#include "core/semantics/literal_reader.h"

#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/ir/float_conversion.h"
#include "core/semantics/shape_reader.h"
#include "core/syntax/syntax_parser.h"

namespace hloscope {
namespace {

using Kind = TokenKind;

void AppendBits(uint64_t bits, int bytes, std::vector<uint8_t>& out) {
  const size_t at = out.size();
  out.resize(at + static_cast<size_t>(bytes));
  std::memcpy(out.data() + at, &bits, static_cast<size_t>(bytes));
}

bool Bad(TokenCursor& c, absl::string_view message) { return c.Fail(DiagnosticKind::kBadLiteral, message); }

// A NaN token: `nan`, `-nan`, `nan(0x...)`.
bool AppendNan(TokenCursor& c, ElementType type, std::vector<uint8_t>& out) {
  const absl::string_view token = c.text();
  const bool negative = absl::StartsWith(token, "-");
  uint64_t bits = EncodeFloat(type, std::copysign(std::nan(""), negative ? -1.0 : 1.0));
  const size_t open = token.find('(');
  if (open != absl::string_view::npos) {
    uint64_t payload = 0;
    for (const char digit : token.substr(open + 3, token.size() - open - 4)) {
      payload = payload * 16 + static_cast<uint64_t>(digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10);
    }
    const FloatFormat& format = FloatFormatOf(type);
    const int payload_bits = format.has_infinity && format.has_nan ? format.mantissa_bits : 0;
    const uint64_t mask = (uint64_t{1} << payload_bits) - 1;
    if (payload_bits == 0 || payload > mask) {
      return Bad(c, payload_bits == 0
                        ? absl::StrCat("a NaN of ", ElementTypeName(type), " has no payload; write `nan`")
                        : absl::StrCat("the NaN payload of ", ElementTypeName(type), " has ", payload_bits, " bits"));
    }
    bits = (bits & ~mask) | payload;
  }
  AppendBits(bits, StorageBytes(type), out);
  c.Advance();
  return true;
}

// One real number of a float type or of a component of a complex type.
bool AppendReal(TokenCursor& c, ElementType type, bool is_component, std::vector<uint8_t>& out) {
  double value;
  switch (c.kind()) {
    case Kind::kInf:
      value = HUGE_VAL;
      break;
    case Kind::kNegativeInf:
      value = -HUGE_VAL;
      break;
    case Kind::kInteger:
    case Kind::kDecimal:
      if (absl::StrContains(c.text(), "nan")) return AppendNan(c, type, out);
      value = DecodeDecimal(c.text());
      break;
    case Kind::kTrue:
    case Kind::kFalse:
      return Bad(c, absl::StrCat("`", c.text(), "` is not a number of ", ElementTypeName(type)));
    default:
      return Bad(c, absl::StrCat("expected a number of ", ElementTypeName(type), ", found ", c.Found()));
  }
  const bool is_infinity = c.At(Kind::kInf) || c.At(Kind::kNegativeInf);
  if (!is_infinity && !std::isfinite(value)) {
    return c.Fail(DiagnosticKind::kValueOutOfRange, c.text(), "it is beyond the largest f64");
  }
  const FloatFormat& format = FloatFormatOf(type);
  const uint64_t bits = EncodeFloat(type, value);
  const bool saturates = !format.has_infinity && !format.has_nan;
  if (!is_infinity && !saturates && !std::isfinite(DecodeFloat(type, bits))) {
    return c.Fail(DiagnosticKind::kValueOutOfRange, c.text(),
                  absl::StrCat("the largest ", is_component ? "component" : "value", " of ", ElementTypeName(type),
                               " is smaller"));
  }
  AppendBits(bits, StorageBytes(type), out);
  c.Advance();
  return true;
}

bool AppendInteger(TokenCursor& c, ElementType type, std::vector<uint8_t>& out) {
  if (!c.At(Kind::kInteger)) {
    return Bad(c, absl::StrCat("expected an integer of ", ElementTypeName(type), ", found ", c.Found()));
  }
  const absl::string_view digits = c.text();
  const int64_t value = DecodeInteger(digits).value_or(0);
  const bool negative = absl::StartsWith(digits, "-");
  const bool wrapped = value < 0 && !negative;  // above 2^63-1
  const int bits = BitWidth(type);
  bool fits;
  if (IsSigned(type)) {
    const int64_t high = bits == 64 ? std::numeric_limits<int64_t>::max() : (int64_t{1} << (bits - 1)) - 1;
    fits = !wrapped && value <= high && value >= -high - 1;
  } else {
    // Negative u64 values are taken modulo 2^64.
    fits = bits == 64 || (!wrapped && !negative && value <= (int64_t{1} << bits) - 1);
    if (bits < 64 && negative && value == 0) fits = true;
  }
  if (!fits) {
    return c.Fail(DiagnosticKind::kValueOutOfRange, digits, absl::StrCat("it does not fit ", ElementTypeName(type)));
  }
  AppendBits(static_cast<uint64_t>(value), StorageBytes(type), out);
  c.Advance();
  return true;
}

bool AppendElement(TokenCursor& c, ElementType type, std::vector<uint8_t>& out) {
  switch (KindOf(type)) {
    case ElementKind::kPredicate: {
      uint8_t value;
      if (c.At(Kind::kTrue) || c.At(Kind::kFalse)) {
        value = c.At(Kind::kTrue) ? 1 : 0;
      } else if (c.At(Kind::kInteger)) {
        value = DecodeInteger(c.text()).value_or(0) != 0 ? 1 : 0;
      } else {
        return Bad(c, absl::StrCat("expected `true`, `false` or an integer, found ", c.Found()));
      }
      out.push_back(value);
      c.Advance();
      return true;
    }
    case ElementKind::kSigned:
    case ElementKind::kUnsigned:
      return AppendInteger(c, type, out);
    case ElementKind::kFloat:
      return AppendReal(c, type, false, out);
    case ElementKind::kComplex: {
      const ElementType component = ComplexComponent(type);
      if (!c.Eat(Kind::kLeftParen)) {
        return Bad(c, absl::StrCat("expected `(real, imaginary)` of ", ElementTypeName(type), ", found ", c.Found()));
      }
      if (!AppendReal(c, component, true, out)) return false;
      if (!c.Eat(Kind::kComma))
        return Bad(c, absl::StrCat("expected `,` between real and imaginary part, found ", c.Found()));
      if (!AppendReal(c, component, true, out)) return false;
      if (!c.Eat(Kind::kRightParen)) return Bad(c, absl::StrCat("expected `)`, found ", c.Found()));
      return true;
    }
    case ElementKind::kOther:
      break;
  }
  return Bad(c, absl::StrCat("a value of type ", ElementTypeName(type), " cannot be written"));
}

// Whether a literal of this type can start here with an element (and not with a brace).
bool AtElement(const TokenCursor& c) { return !c.At(Kind::kLeftBrace) && !c.AtEnd(); }

// A dense array, possibly in the looser forms of spec 5.2.
bool ReadArray(TokenCursor& c, Literal& literal) {
  const Shape& shape = literal.shape();
  const size_t rank = static_cast<size_t>(shape.rank());
  const ElementType type = shape.element_type();
  if (!shape.IsArray()) return Bad(c, absl::StrCat("a value of shape ", shape.ToString(), " cannot be written"));
  if (shape.HasUnboundedDimension()) return Bad(c, "a constant cannot have a dimension of unknown size `?`");
  std::vector<uint8_t>& bytes = literal.mutable_bytes();
  if (rank == 0) {
    if (c.At(Kind::kLeftBrace) && c.Peek() == Kind::kDots) {
      return Bad(c, "a scalar cannot be left out; write its value");
    }
    return AppendElement(c, type, bytes);
  }
  const TokenIndex first = c.position();
  if (AtElement(c) && (KindOf(type) != ElementKind::kComplex || !c.At(Kind::kLeftParen))) {
    // A single value sets element 0 only.
    if (shape.ElementCount() == 0) return Bad(c, "the array has no elements; write `{}`");
    if (!AppendElement(c, type, bytes)) return false;
    bool zero = true;
    for (uint8_t byte : bytes) zero = zero && byte == 0;
    if (zero) {
      bytes.clear();
    } else if (shape.ElementCount() > 1) {
      c.Report(DiagnosticKind::kScalarLiteralForArray, c.RangeFrom(first), shape.ElementCount() - 1);
    }
    return true;
  }
  std::vector<int64_t> counts;  // items read so far at each open level
  do {
    while (c.Eat(Kind::kComma)) {
    }
    if (c.At(Kind::kLeftBrace)) {
      if (counts.size() == rank) {
        return Bad(
            c, absl::StrCat("the array has rank ", rank, ", so elements stand at brace level ", rank, ", not deeper"));
      }
      if (!counts.empty() && ++counts.back() > shape.dimension(static_cast<int64_t>(counts.size()) - 1)) {
        return Bad(c, absl::StrCat("dimension ", counts.size() - 1, " has size ",
                                   shape.dimension(static_cast<int64_t>(counts.size()) - 1), "; this is one too many"));
      }
      counts.push_back(0);
      c.Advance();
    } else if (c.At(Kind::kRightBrace)) {
      if (counts.empty()) return Bad(c, "unexpected `}`");
      const int64_t size = shape.dimension(static_cast<int64_t>(counts.size()) - 1);
      if (counts.back() != size) {
        return Bad(c, absl::StrCat("dimension ", counts.size() - 1, " has size ", size, " but ", counts.back(),
                                   counts.back() == 1 ? " item is" : " items are", " given"));
      }
      counts.pop_back();
      c.Advance();
    } else if (c.At(Kind::kDots)) {
      if (counts.size() != 1) {
        return Bad(c, counts.empty() ? "`...` must stand in braces: `{...}`"
                                     : "`...` is allowed at the first brace level only");
      }
      c.Advance();
      if (!c.Eat(Kind::kRightBrace)) return Bad(c, absl::StrCat("expected `}` after `...`, found ", c.Found()));
      literal.set_elided();
      bytes.clear();
      return true;
    } else if (c.AtEnd()) {
      return Bad(c, "the literal ends too early");
    } else {
      if (counts.size() != rank) {
        return Bad(c, absl::StrCat("the array has rank ", rank, ": expected `{`, found ", c.Found()));
      }
      if (++counts.back() > shape.dimension(static_cast<int64_t>(rank) - 1)) {
        return Bad(c, absl::StrCat("dimension ", rank - 1, " has size ",
                                   shape.dimension(static_cast<int64_t>(rank) - 1), "; this element is one too many"));
      }
      if (!AppendElement(c, type, bytes)) return false;
    }
  } while (!counts.empty());
  return true;
}

// Tuples of literals, without recursion. `shape` is null where each array is preceded by its own shape.
std::optional<Literal> ReadNested(TokenCursor& c, const Shape* shape) {
  struct OpenTuple {
    const Shape* shape;
    std::vector<Literal> elements;
  };
  std::vector<OpenTuple> open;
  while (true) {
    const Shape* current = shape;
    if (shape != nullptr && !open.empty()) {
      const OpenTuple& tuple = open.back();
      const int64_t index = static_cast<int64_t>(tuple.elements.size());
      if (index >= tuple.shape->tuple_size()) {
        Bad(c, absl::StrCat("the tuple has ", tuple.shape->tuple_size(), " elements; this is one too many"));
        return std::nullopt;
      }
      current = &tuple.shape->element(index);
    }
    std::optional<Literal> done;
    const bool is_tuple = shape != nullptr ? current->IsTuple() : c.At(Kind::kLeftParen);
    if (is_tuple) {
      if (open.size() >= static_cast<size_t>(kMaxNesting)) {
        c.Fail(DiagnosticKind::kNestingTooDeep, kMaxNesting);
        return std::nullopt;
      }
      if (!c.Eat(Kind::kLeftParen)) {
        Bad(c, absl::StrCat("expected `(` of a tuple, found ", c.Found()));
        return std::nullopt;
      }
      if (!c.At(Kind::kRightParen)) {
        open.push_back({current, {}});
        continue;
      }
      c.Advance();
      if (shape != nullptr && current->tuple_size() != 0) {
        Bad(c, absl::StrCat("the tuple has ", current->tuple_size(), " elements but none is given"));
        return std::nullopt;
      }
      done = Literal::Tuple(Shape::Tuple({}), {});
    } else if (shape != nullptr) {
      done = Literal(*current);
      if (!ReadArray(c, *done)) return std::nullopt;
    } else {
      auto own = ReadShape(c);
      if (!own) return std::nullopt;
      done = Literal(*std::move(own));
      if (!ReadArray(c, *done)) return std::nullopt;
    }
    while (!open.empty()) {
      open.back().elements.push_back(*std::move(done));
      done.reset();
      const bool more =
          shape == nullptr || static_cast<int64_t>(open.back().elements.size()) < open.back().shape->tuple_size();
      if (c.Eat(Kind::kComma)) {
        if (more) break;
        Bad(c, absl::StrCat("the tuple has ", open.back().elements.size(), " elements; nothing may follow"));
        return std::nullopt;
      }
      if (shape != nullptr && more) {
        Bad(c, absl::StrCat("the tuple has ", open.back().shape->tuple_size(), " elements: expected `,`, found ",
                            c.Found()));
        return std::nullopt;
      }
      if (!c.Eat(Kind::kRightParen)) {
        Bad(c, absl::StrCat("expected `)`, found ", c.Found()));
        return std::nullopt;
      }
      std::vector<Shape> shapes;
      for (const Literal& element : open.back().elements) shapes.push_back(element.shape());
      done = Literal::Tuple(Shape::Tuple(std::move(shapes)), std::move(open.back().elements));
      open.pop_back();
    }
    if (done) return done;
  }
}

}  // namespace

std::optional<Literal> ReadLiteral(TokenCursor& c, const Shape& shape) {
  auto literal = ReadNested(c, &shape);
  if (literal && !c.AtEnd()) {
    Bad(c, absl::StrCat("expected the end of the literal, found ", c.Found()));
    return std::nullopt;
  }
  return literal;
}

std::optional<Literal> ReadLiteralWithShapes(TokenCursor& c) { return ReadNested(c, nullptr); }

}  // namespace hloscope
