// SPDX-License-Identifier: Apache-2.0
#include "core/semantics/literal_reader.h"

#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "core/diagnostics/count_text.h"
#include "core/diagnostics/suggestions.h"
#include "core/semantics/shape_reader.h"
#include "core/syntax/syntax_parser.h"
#include "numerics/elements/float_conversion.h"

namespace hloscope {
namespace {

using Kind = TokenKind;

void AppendBits(uint64_t bits, int bytes, std::vector<uint8_t>& out) {
  const size_t at = out.size();
  out.resize(at + static_cast<size_t>(bytes));
  std::memcpy(out.data() + at, &bits, static_cast<size_t>(bytes));
}

// Not a value of the type: `NaN`, `true` for a number, a name, ...
bool FailElement(TokenCursor& c, ElementType type) {
  if (c.AtEnd()) return c.Fail(DiagnosticKind::kLiteralIncomplete, absl::StrCat("a value of ", ElementTypeName(type)));
  if (c.At(Kind::kError)) return false;
  if (c.At(Kind::kIdentifier) && (IsFloat(type) || IsComplex(type))) {
    if (const absl::string_view plain = PlainSpellingOfNonFinite(c.text()); !plain.empty()) {
      c.Report(DiagnosticKind::kNumberSpelling, c.range(), c.text(), plain)
          .Fix(absl::StrCat("write `", plain, "`"), c.range(), std::string(plain));
      return false;
    }
  }
  if (c.At(Kind::kLeftBracket)) {
    c.Report(DiagnosticKind::kLiteralBracket, c.range(), ElementTypeName(type));
    return false;
  }
  Diagnostic& d = c.Report(DiagnosticKind::kLiteralElement, c.range(), ElementTypeName(type), c.Found());
  if ((c.At(Kind::kTrue) || c.At(Kind::kFalse)) && KindOf(type) != ElementKind::kPredicate) {
    d.Fix("write a number", c.range(), c.At(Kind::kTrue) ? "1" : "0");
  }
  if (KindOf(type) == ElementKind::kPredicate) {
    for (const absl::string_view word : {"true", "false"}) {
      if (absl::EqualsIgnoreCase(c.text(), word)) FixSpelling(d, c.range(), word);
    }
  }
  return false;
}

std::string Items(int64_t n, absl::string_view noun) { return absl::StrCat(n, " ", noun, n == 1 ? "" : "s"); }

// The largest finite value, short.
std::string LargestText(ElementType type) {
  const FloatFormat& format = FloatFormatOf(type);
  const int sign_bit = format.exponent_bits + format.mantissa_bits;
  // The largest encoding that decodes to a finite value.
  for (uint64_t bits = (uint64_t{1} << sign_bit) - 1;; --bits) {
    const double value = DecodeFloat(type, bits);
    if (std::isfinite(value)) return absl::StrFormat("%.4g", value);
    // All encodings of the largest exponent may be NaN: go to its end at once.
    if ((bits & ((uint64_t{1} << format.mantissa_bits) - 1)) != 0 && format.has_infinity) {
      bits &= ~((uint64_t{1} << format.mantissa_bits) - 1);
    }
  }
}

std::string IntegerRangeText(ElementType type) {
  const int bits = BitWidth(type);
  if (bits == 0) return "any value";  // a type that is not known
  if (!IsSigned(type)) return absl::StrCat("0 to ", ~uint64_t{0} >> (64 - bits));
  const int64_t high = static_cast<int64_t>((uint64_t{1} << (bits - 1)) - 1);
  return absl::StrCat(-high - 1, " to ", high);
}

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
      const std::string plain = negative ? "-nan" : "nan";
      c.Report(
           DiagnosticKind::kNanPayloadSize, c.range(), ElementTypeName(type),
           payload_bits == 0 ? "does not exist: it has no bits for one" : absl::StrCat("has ", payload_bits, " bits"))
          .Fix(absl::StrCat("write `", plain, "`"), c.range(), plain);
      return false;
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
    default:
      return FailElement(c, type);
  }
  const bool is_infinity = c.At(Kind::kInf) || c.At(Kind::kNegativeInf);
  if (!is_infinity && !std::isfinite(value)) {
    return c.Fail(DiagnosticKind::kValueOutOfRange, c.text(), "it is beyond the largest f64");
  }
  const FloatFormat& format = FloatFormatOf(type);
  const uint64_t bits = EncodeFloat(type, value);
  const bool saturates = !format.has_infinity && !format.has_nan;
  if (!is_infinity && !saturates && !std::isfinite(DecodeFloat(type, bits))) {
    return c.Fail(DiagnosticKind::kLiteralOutOfRange, c.text(),
                  is_component ? absl::StrCat("a part of ", ElementTypeName(ComplexOf(type))) : ElementTypeName(type),
                  absl::StrCat("numbers up to ", LargestText(type)));
  }
  AppendBits(bits, StorageBytes(type), out);
  c.Advance();
  return true;
}

// A complex value without its parentheses; a real number alone can be completed.
bool FailComplex(TokenCursor& c, ElementType type) {
  if (c.AtEnd() || c.At(Kind::kError)) return FailElement(c, type);
  Diagnostic& d = c.Report(DiagnosticKind::kComplexLiteral, c.range(), ElementTypeName(type), c.Found());
  if (c.At(Kind::kInteger) || c.At(Kind::kDecimal) || c.At(Kind::kInf) || c.At(Kind::kNegativeInf)) {
    d.Fix("add an imaginary part of 0", c.range(), absl::StrCat("(", c.text(), ", 0)"));
  }
  return false;
}

bool AppendInteger(TokenCursor& c, ElementType type, std::vector<uint8_t>& out) {
  if (!c.At(Kind::kInteger)) return FailElement(c, type);
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
  // The reference reads 64 bits, and looks at their sign then.
  const bool wraps = wrapped && IsSigned(type) && (bits == 64 || value >= -(int64_t{1} << (bits - 1)));
  if (wraps) {
    c.sink()
        .Add(DiagnosticKind::kLiteralOutOfRange, Severity::kWarning, c.range(),
             {std::string(digits), std::string(ElementTypeName(type)), IntegerRangeText(type)})
        .is_tolerated = true;
  } else if (!fits) {
    return c.Fail(DiagnosticKind::kLiteralOutOfRange, digits, ElementTypeName(type), IntegerRangeText(type));
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
        return FailElement(c, type);
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
      const auto fail = [&] {
        if (c.AtEnd()) return FailElement(c, type);
        return c.Fail(DiagnosticKind::kComplexLiteral, ElementTypeName(type), c.Found());
      };
      if (!c.Eat(Kind::kLeftParen)) return FailComplex(c, type);
      if (!AppendReal(c, component, true, out)) return false;
      if (!c.Eat(Kind::kComma)) return fail();
      if (!AppendReal(c, component, true, out)) return false;
      return c.Eat(Kind::kRightParen) || fail();
    }
    case ElementKind::kOther:
      break;
  }
  return c.Fail(DiagnosticKind::kLiteralNotWritable, ElementTypeName(type));
}

// Whether a literal of this type can start here with an element (and not with a brace).
bool AtElement(const TokenCursor& c) { return !c.At(Kind::kLeftBrace) && !c.AtEnd(); }

// A brace or an element at the wrong depth of an array.
bool FailNesting(TokenCursor& c, size_t rank, size_t depth) {
  return c.Fail(DiagnosticKind::kLiteralNesting, rank, Items(static_cast<int64_t>(rank), "brace"), c.Found(), depth);
}

// A single value for a whole array: element 0 is meant by the format, all elements by most people.
void WarnOfScalar(TokenCursor& c, TokenIndex first, const Shape& shape) {
  if (c.At(Kind::kComma)) return;  // a list without its braces
  Diagnostic& d = c.Report(DiagnosticKind::kScalarLiteralForArray, c.RangeFrom(first),
                           CountOf(shape.ElementCount() - 1, "element"));
  const bool is_constant = first >= 2 && c.source().Slice(c.tokens().range(first - 2)) == "constant" && c.AtEnd() &&
                           c.tokens().kind(c.position()) == Kind::kRightParen;
  if (!is_constant) return;
  const SourceRange whole = {c.tokens().begin(first - 2), c.tokens().end(c.position())};
  const std::string text =
      absl::StrCat("broadcast(", ElementTypeName(shape.element_type()), "[] constant(", c.TextFrom(first), "))");
  d.Fix(absl::StrCat("fill the array: `", text, ", dimensions={}`"), whole, absl::StrCat(text, ", dimensions={}"));
}

// A dense array, possibly in the looser forms of docs/text-format.md 5.2.
bool ReadArray(TokenCursor& c, Literal& literal) {
  const Shape& shape = literal.shape();
  const size_t rank = static_cast<size_t>(shape.rank());
  const ElementType type = shape.element_type();
  if (!shape.IsArray() || shape.HasUnboundedDimension()) {
    return c.Fail(DiagnosticKind::kLiteralNotWritable, shape.ToString());
  }
  std::vector<uint8_t>& bytes = literal.mutable_bytes();
  if (rank == 0) {
    if (c.At(Kind::kLeftBrace) && c.Peek() == Kind::kDots) {
      return c.Fail(DiagnosticKind::kMisplacedElision, "a scalar is written out");
    }
    if (c.At(Kind::kLeftBrace)) return FailNesting(c, rank, 1);
    return AppendElement(c, type, bytes);
  }
  const TokenIndex first = c.position();
  if (AtElement(c) && !c.At(Kind::kDots) && (KindOf(type) != ElementKind::kComplex || !c.At(Kind::kLeftParen))) {
    // A single value sets element 0 only.
    if (shape.ElementCount() == 0) return c.Fail(DiagnosticKind::kLiteralCount, 0, 0, "there is an item");
    if (!AppendElement(c, type, bytes)) return false;
    bool zero = true;
    for (uint8_t byte : bytes) zero = zero && byte == 0;
    if (zero) {
      bytes.clear();
    } else if (shape.ElementCount() > 1) {
      WarnOfScalar(c, first, shape);
    }
    return true;
  }
  std::vector<int64_t> counts;  // items read so far at each open level
  const auto size_of_level = [&] { return shape.dimension(static_cast<int64_t>(counts.size()) - 1); };
  const auto fail_count = [&](absl::string_view what) {
    return c.Fail(DiagnosticKind::kLiteralCount, counts.size() - 1, size_of_level(), what);
  };
  do {
    while (c.Eat(Kind::kComma)) {
    }
    if (c.At(Kind::kLeftBrace)) {
      if (counts.size() == rank) return FailNesting(c, rank, counts.size() + 1);
      if (!counts.empty() && ++counts.back() > size_of_level()) return fail_count("there is another item");
      counts.push_back(0);
      c.Advance();
    } else if (c.At(Kind::kRightBrace)) {
      if (counts.empty()) return FailElement(c, type);
      if (counts.back() != size_of_level()) {
        return fail_count(absl::StrCat("there ", counts.back() == 1 ? "is " : "are ", Items(counts.back(), "item")));
      }
      counts.pop_back();
      c.Advance();
    } else if (c.At(Kind::kDots)) {
      if (counts.size() != 1) {
        return c.Fail(DiagnosticKind::kMisplacedElision,
                      counts.empty() ? "it needs its braces" : "it is allowed in the outermost braces only");
      }
      c.Advance();
      while (c.Eat(Kind::kComma)) {
      }
      if (!c.Eat(Kind::kRightBrace)) {
        return c.Fail(DiagnosticKind::kMisplacedElision, absl::StrCat("nothing may follow it, found ", c.Found()));
      }
      // Of an array without elements nothing is left out.
      if (literal.shape().ElementCount() != 0) literal.set_elided();
      bytes.clear();
      return true;
    } else if (c.AtEnd()) {
      return c.Fail(DiagnosticKind::kLiteralIncomplete, counts.empty() ? "`{`" : "`}`");
    } else if (c.At(Kind::kRightParen) || c.At(Kind::kRightBracket)) {
      return c.Expect(counts.empty() ? Kind::kLeftBrace : Kind::kRightBrace);
    } else {
      if (counts.size() != rank) return FailNesting(c, rank, counts.size());
      if (++counts.back() > size_of_level()) return fail_count("there is another item");
      if (!AppendElement(c, type, bytes)) return false;
    }
  } while (!counts.empty());
  return true;
}

// Reads tuples of literals, without recursion.
class NestedReader {
 public:
  // `shape` is null where each array is preceded by its own shape.
  NestedReader(TokenCursor& cursor, const Shape* shape) : c_(cursor), shape_(shape) {}

  std::optional<Literal> Read() {
    do {
      const Shape* const current = NextShape();
      if (shape_ != nullptr && current == nullptr) return std::nullopt;
      const bool is_tuple = shape_ != nullptr ? current->IsTuple() : c_.At(Kind::kLeftParen);
      if (!(is_tuple ? OpenOrReadEmpty(current) : ReadLeaf(current))) return std::nullopt;
      while (done_ && !open_.empty()) {
        if (!AddDone()) return std::nullopt;
      }
    } while (!done_);
    return std::move(done_);
  }

 private:
  struct OpenTuple {
    const Shape* shape;
    std::vector<Literal> elements;
  };

  int64_t ElementCount() const { return static_cast<int64_t>(open_.back().elements.size()); }

  // Nothing, and a diagnostic, if the innermost tuple has no further element.
  const Shape* NextShape() {
    if (shape_ == nullptr || open_.empty()) return shape_;
    const Shape& tuple = *open_.back().shape;
    if (ElementCount() < tuple.tuple_size()) return &tuple.element(ElementCount());
    FailSurplusElement(tuple);
    return nullptr;
  }

  void FailSurplusElement(const Shape& tuple) {
    c_.Fail(DiagnosticKind::kLiteralTupleCount, Items(tuple.tuple_size(), "element"), "there is another one");
  }

  // `(`: a tuple is open now, or done if it is empty.
  bool OpenOrReadEmpty(const Shape* tuple) {
    if (open_.size() >= static_cast<size_t>(kMaxNesting)) {
      c_.Fail(DiagnosticKind::kNestingTooDeep, kMaxNesting);
      return false;
    }
    if (!c_.Eat(Kind::kLeftParen)) {
      if (c_.At(Kind::kLeftBrace) && c_.Peek() == Kind::kDots) {
        c_.Fail(DiagnosticKind::kMisplacedElision, "a tuple is elided element by element, as in `({...}, {...})`");
      } else if (c_.AtEnd()) {
        c_.Fail(DiagnosticKind::kLiteralIncomplete, "`(` of a tuple");
      } else {
        c_.Expect(Kind::kLeftParen);
      }
      return false;
    }
    if (!c_.At(Kind::kRightParen)) {
      open_.push_back({tuple, {}});
      return true;
    }
    c_.Advance();
    if (tuple != nullptr && tuple->tuple_size() != 0) {
      c_.Fail(DiagnosticKind::kLiteralTupleCount, Items(tuple->tuple_size(), "element"), "none is given");
      return false;
    }
    done_ = Literal::Tuple(Shape::Tuple({}), {});
    return true;
  }

  // An array; its own shape precedes it if `shape` is null.
  bool ReadLeaf(const Shape* shape) {
    if (shape != nullptr) {
      done_ = Literal(*shape);
    } else {
      auto own = ReadShape(c_);
      if (!own) return false;
      done_ = Literal(*std::move(own));
    }
    return ReadArray(c_, *done_);
  }

  // What is done becomes an element of the innermost tuple, which is done itself if `)` follows.
  bool AddDone() {
    OpenTuple& tuple = open_.back();
    tuple.elements.push_back(*std::move(done_));
    done_.reset();
    const bool more = shape_ == nullptr || ElementCount() < tuple.shape->tuple_size();
    if (c_.Eat(Kind::kComma)) {
      if (more) return true;
      if (c_.At(Kind::kRightParen)) {
        c_.FailSurplusComma();
      } else {
        FailSurplusElement(*tuple.shape);
      }
      return false;
    }
    if (shape_ != nullptr && more) {
      if (c_.At(Kind::kRightParen)) {
        const int64_t given = ElementCount();
        c_.Fail(DiagnosticKind::kLiteralTupleCount, Items(tuple.shape->tuple_size(), "element"),
                absl::StrCat("only ", given, given == 1 ? " is given" : " are given"));
      } else {
        c_.FailListEnd(Kind::kRightParen);
      }
      return false;
    }
    if (!c_.Eat(Kind::kRightParen)) {
      c_.FailListEnd(Kind::kRightParen);
      return false;
    }
    std::vector<Shape> shapes;
    for (const Literal& element : tuple.elements) shapes.push_back(element.shape());
    done_ = Literal::Tuple(Shape::Tuple(std::move(shapes)), std::move(tuple.elements));
    open_.pop_back();
    return true;
  }

  TokenCursor& c_;
  const Shape* const shape_;
  std::vector<OpenTuple> open_;
  std::optional<Literal> done_;  // what was read last; nothing where an element is to be read
};

}  // namespace

std::optional<Literal> ReadLiteral(TokenCursor& c, const Shape& shape) {
  auto literal = NestedReader(c, &shape).Read();
  if (literal && !c.AtEnd()) {
    if (c.At(Kind::kComma) && shape.IsArray() && !shape.IsScalar()) {
      c.Report(DiagnosticKind::kLiteralComma, c.range());
    } else {
      c.ExpectEnd();
    }
    return std::nullopt;
  }
  return literal;
}

std::optional<Literal> ReadLiteralWithShapes(TokenCursor& c) { return NestedReader(c, nullptr).Read(); }

}  // namespace hloscope
