// SPDX-License-Identifier: Apache-2.0
#include "stablehlo/constants.h"

#include <cstring>
#include <utility>

#include "absl/numeric/int128.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "core/diagnostics/count_text.h"
#include "core/ir/checked_math.h"
#include "core/ir/element_type.h"
#include "core/ir/literal.h"
#include "core/print/literal_printer.h"
#include "core/print/number_printer.h"
#include "stablehlo/lexer.h"

namespace hloscope::stablehlo {
namespace {

// Of an attribute, written one by one, and written as one that stands for all.
constexpr int64_t kMostIntegers = int64_t{1} << 20, kMostSplatIntegers = 4096;
// A constant that the text spells out is at least two bytes for each element; a splat may have any size.
constexpr int64_t kMostSplatElements = 31;

uint8_t HexValue(char c) {
  return static_cast<uint8_t>(absl::ascii_isdigit(c) ? c - '0' : absl::ascii_tolower(c) - 'a' + 10);
}

// The bytes of "0x..." between its quotes; nullopt if it is not hexadecimal.
std::optional<std::vector<uint8_t>> DecodeHex(absl::string_view text) {
  if (!absl::StartsWith(text, "0x") || text.size() % 2 != 0) return std::nullopt;
  std::vector<uint8_t> bytes(text.size() / 2 - 1);
  for (size_t i = 0; i < bytes.size(); ++i) {
    const char high = text[2 * i + 2], low = text[2 * i + 3];
    if (!absl::ascii_isxdigit(high) || !absl::ascii_isxdigit(low)) return std::nullopt;
    bytes[i] = static_cast<uint8_t>(HexValue(high) * 16 + HexValue(low));
  }
  return bytes;
}

std::string ElementText(ElementType type, const uint8_t* bytes) {
  std::string text;
  AppendElement(type, bytes, &text);
  return text;
}

// Signless integers may be written with or without a sign: what fits the width is taken.
std::optional<std::string> IntegerText(absl::string_view written, ElementType type) {
  const bool negative = absl::ConsumePrefix(&written, "-");
  absl::uint128 magnitude = 0;
  if (absl::StartsWith(written, "0x")) {
    if (written.size() > 18) return std::nullopt;
    for (const char c : written.substr(2)) magnitude = magnitude * 16 + HexValue(c);
  } else {
    if (written.empty() || written.size() > 20) return std::nullopt;
    for (const char c : written) {
      if (!absl::ascii_isdigit(c)) return std::nullopt;
      magnitude = magnitude * 10 + static_cast<uint8_t>(c - '0');
    }
  }
  int width = 8 * StorageBytes(type);
  if (type == ElementType::kS4 || type == ElementType::kU4) width = 4;
  if (type == ElementType::kS2 || type == ElementType::kU2) width = 2;
  const absl::uint128 all = (absl::uint128(1) << width) - 1;
  if (negative ? magnitude > (absl::uint128(1) << (width - 1)) : magnitude > all) return std::nullopt;
  const absl::uint128 bits = (negative ? absl::uint128(0) - magnitude : magnitude) & all;
  const bool sign = ((bits >> (width - 1)) & 1) != 0;
  if (IsSigned(type) && sign) return absl::StrCat("-", absl::Uint128Low64(all - bits + 1));
  return absl::StrCat(absl::Uint128Low64(bits));
}

// Reads the elements of dense<...> one by one.
class DenseReader {
 public:
  DenseReader(const Program& program, const Shape& shape, SourceRange payload, DiagnosticSink& sink)
      : shape_(shape), sink_(sink), lexer_(program.source->text(), &sink), end_(payload.end), position_(payload.begin) {
    Next();
  }

  bool AtEnd() const { return token_.kind == TokenKind::kEnd || token_.begin >= end_; }
  SourceRange range() const { return AtEnd() ? SourceRange{end_, end_} : token_.range(); }
  bool At(TokenKind kind) const { return !AtEnd() && token_.kind == kind; }
  bool Eat(TokenKind kind) {
    if (!At(kind)) return false;
    Next();
    return true;
  }
  absl::string_view text() const { return AtEnd() ? "the end" : lexer_.Slice(token_.range()); }

  // One element, as HLO text.
  std::optional<std::string> Element() {
    if (!IsComplex(shape_.element_type())) return Part(shape_.element_type());
    if (!Eat(TokenKind::kLeftParen)) return Fail("a complex element `(re, im)`");
    const ElementType part = ComplexComponent(shape_.element_type());
    const std::optional<std::string> re = Part(part);
    if (!re.has_value()) return std::nullopt;
    if (!Eat(TokenKind::kComma)) return Fail("`,`");
    const std::optional<std::string> im = Part(part);
    if (!im.has_value()) return std::nullopt;
    if (!Eat(TokenKind::kRightParen)) return Fail("`)`");
    return absl::StrCat("(", *re, ", ", *im, ")");
  }

  // Nested brackets that follow the shape.
  std::optional<std::string> Nested() {
    const size_t rank = static_cast<size_t>(shape_.rank());
    std::vector<int64_t> counts;
    std::string out;
    do {
      if (!counts.empty() && counts.back() > 0 && !At(TokenKind::kRightBracket)) {
        if (!Eat(TokenKind::kComma)) return Fail("`,` or `]`");
        out.append(", ");
      }
      if (At(TokenKind::kRightBracket)) {
        const int64_t size = shape_.dimension(static_cast<int64_t>(counts.size()) - 1);
        if (counts.back() != size) return Miscount(counts.back(), counts.size() - 1);
        out.push_back('}');
        counts.pop_back();
        Next();
        continue;
      }
      if (!counts.empty()) ++counts.back();
      if (At(TokenKind::kLeftBracket)) {
        if (counts.size() == rank) {
          sink_.Report(
              DiagnosticKind::kShloConstant, range(),
              absl::StrCat("the value is nested deeper than the ", rank, " dimensions of ", shape_.ToString(false)));
          return std::nullopt;
        }
        counts.push_back(0);
        out.push_back('{');
        Next();
        continue;
      }
      if (counts.size() != rank) return Fail("`[`");
      const std::optional<std::string> element = Element();
      if (!element.has_value()) return std::nullopt;
      out.append(*element);
    } while (!counts.empty());
    return out;
  }

 private:
  void Next() {
    token_ = lexer_.ReadFrom(position_);
    position_ = token_.end;
  }
  std::nullopt_t Fail(absl::string_view expected, absl::string_view hint = "") {
    sink_.Report(
        DiagnosticKind::kShloConstant, range(),
        absl::StrCat("expected ", expected, " in a value of ", shape_.ToString(false), ", found `", text(), "`", hint));
    return std::nullopt;
  }
  // How MLIR writes what other languages write as `written`.
  static std::string Hint(ElementType type, absl::string_view written) {
    const std::string lower = absl::AsciiStrToLower(written);
    if (type == ElementType::kPred && (lower == "true" || lower == "false")) {
      return absl::StrCat("; did you mean `", lower, "`?");
    }
    if (!IsFloat(type) || (lower != "inf" && lower != "-inf" && lower != "nan")) return "";
    const char* const bits = lower == "nan"   ? "NaN is 0x7FC00000"
                             : lower == "inf" ? "it is 0x7F800000"
                                              : "it is 0xFF800000";
    return absl::StrCat("; such values are written as their bits: of f32, ", bits);
  }
  std::nullopt_t Miscount(int64_t count, size_t dimension) {
    sink_.Report(DiagnosticKind::kShloConstant, range(),
                 absl::StrCat(CountOf(static_cast<size_t>(count), "item"), " where dimension ", dimension, " of ",
                              shape_.ToString(false), " has ", shape_.dimension(static_cast<int64_t>(dimension))));
    return std::nullopt;
  }

  // A number that is not complex.
  std::optional<std::string> Part(ElementType type) {
    const SourceRange first = range();
    const bool negative = Eat(TokenKind::kMinus);
    const absl::string_view written = text();
    const TokenKind kind = AtEnd() ? TokenKind::kEnd : token_.kind;
    const std::string with_sign = absl::StrCat(negative ? "-" : "", written);
    std::optional<std::string> result;
    if (type == ElementType::kPred) {
      if (written == "true" || written == "1") result = "true";
      if (written == "false" || written == "0") result = "false";
    } else if (kind == TokenKind::kInteger && IsInteger(type)) {
      result = IntegerText(with_sign, type);
      if (!result.has_value()) return DoesNotFit(first, with_sign, type);
    } else if (kind == TokenKind::kWord && IsInteger(type) && (written == "true" || written == "false")) {
      result = written == "true" ? "1" : "0";
    } else if (IsFloat(type) && kind == TokenKind::kInteger && absl::StartsWith(written, "0x") && !negative) {
      if (written.size() - 2 > 2 * static_cast<size_t>(StorageBytes(type))) return DoesNotFit(first, with_sign, type);
      uint64_t bits = 0;
      for (const char c : written.substr(2)) bits = bits * 16 + HexValue(c);
      uint8_t bytes[8];
      std::memcpy(bytes, &bits, sizeof(bytes));
      result = ElementText(type, bytes);
    } else if (IsFloat(type) && (kind == TokenKind::kInteger || kind == TokenKind::kFloat)) {
      result = with_sign;
      // Powers of two only: MLIR makes a NaN of what is not positive.
      double number;
      if (type == ElementType::kF8E8M0FNU && absl::SimpleAtod(with_sign, &number) && number <= 0) result = "nan";
    }
    if (!result.has_value()) return Fail(absl::StrCat("an element of ", ElementTypeName(type)), Hint(type, with_sign));
    Next();
    return result;
  }
  std::nullopt_t DoesNotFit(SourceRange first, absl::string_view written, ElementType type) {
    sink_.Report(DiagnosticKind::kShloConstant, {first.begin, range().end},
                 absl::StrCat(written, " does not fit ", ElementTypeName(type)));
    return std::nullopt;
  }

  const Shape& shape_;
  DiagnosticSink& sink_;
  Lexer lexer_;
  const uint32_t end_;
  uint32_t position_;
  Token token_;
};

// `element` for every element of the shape.
std::string Repeated(absl::string_view element, const Shape& shape) {
  std::string text(element);
  for (int64_t d = shape.rank() - 1; d >= 0; --d) {
    std::string level = "{";
    for (int64_t i = 0; i < shape.dimension(d); ++i) absl::StrAppend(&level, i > 0 ? ", " : "", text);
    level.push_back('}');
    text = std::move(level);
  }
  return text;
}

std::optional<ConstantText> SplatText(std::string element, const Shape& shape) {
  if (shape.ElementCount() == 0) return ConstantText{PrintLiteral(Literal(shape)), false};
  if (shape.ElementCount() > kMostSplatElements) return ConstantText{std::move(element), true};
  return ConstantText{Repeated(element, shape), false};
}

// Of hexadecimal data without "0x". Booleans are a byte each, or bits from the lowest.
std::optional<ConstantText> BytesText(std::vector<uint8_t> bytes, const Shape& shape, SourceRange range,
                                      DiagnosticSink& sink) {
  const ElementType type = shape.element_type();
  const size_t width = static_cast<size_t>(StorageBytes(type));
  const size_t count = static_cast<size_t>(shape.ElementCount());
  if (type == ElementType::kPred) {
    if (bytes.size() == 1 && count > 1 && (bytes[0] == 0xFF || bytes[0] == 0)) {
      return SplatText(bytes[0] != 0 ? "true" : "false", shape);
    }
    if (bytes.size() != count && bytes.size() == (count + 7) / 8) {
      std::vector<uint8_t> unpacked(count);
      for (size_t i = 0; i < count; ++i) unpacked[i] = (bytes[i / 8] >> (i % 8)) & 1;
      bytes = std::move(unpacked);
    }
    for (uint8_t& byte : bytes) byte = byte != 0;
  }
  if (bytes.size() == width && count > 1) return SplatText(ElementText(type, bytes.data()), shape);
  // The product may be more than there are numbers.
  if (bytes.size() % width != 0 || bytes.size() / width != count) {
    sink.Report(DiagnosticKind::kShloConstant, range,
                absl::StrCat(bytes.size(), " bytes for ", count, " elements of ", ElementTypeName(type), ", which are ",
                             SaturatingProduct(static_cast<int64_t>(width), shape.ElementCount())));
    return std::nullopt;
  }
  if (type == ElementType::kS4 || type == ElementType::kS2) {
    const int shift = type == ElementType::kS4 ? 4 : 6;
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(static_cast<int8_t>(byte << shift) >> shift);
  }
  Literal literal(shape);
  literal.mutable_bytes() = std::move(bytes);
  return ConstantText{PrintLiteral(literal), false};
}

bool IsElided(absl::string_view payload) {
  return absl::StrContains(payload, "__elided__") || payload == "..." || absl::EndsWith(payload, "...\"");
}

std::optional<ConstantText> DenseText(const Program& program, const AttributeValue& value, const Shape& shape,
                                      DiagnosticSink& sink) {
  const absl::string_view payload = absl::StripAsciiWhitespace(program.Slice(value.payload));
  if (payload.size() < 64 && IsElided(payload)) return ConstantText{"{...}", false};
  if (payload.empty()) {
    if (shape.ElementCount() == 0) return ConstantText{PrintLiteral(Literal(shape)), false};
    sink.Report(DiagnosticKind::kShloConstant, value.range,
                absl::StrCat("no elements for ", shape.ToString(false), ", which has ", shape.ElementCount()));
    return std::nullopt;
  }
  if (payload.front() == '"') {
    if (IsElided(payload.substr(payload.size() > 8 ? payload.size() - 8 : 0))) return ConstantText{"{...}", false};
    std::optional<std::vector<uint8_t>> bytes =
        payload.size() >= 4 ? DecodeHex(payload.substr(1, payload.size() - 2)) : std::nullopt;
    if (bytes.has_value()) return BytesText(*std::move(bytes), shape, value.payload, sink);
    sink.Report(DiagnosticKind::kShloConstant, value.payload,
                "expected \"0x\" and an even number of hexadecimal digits");
    return std::nullopt;
  }
  DenseReader reader(program, shape, value.payload, sink);
  if (reader.At(TokenKind::kLeftBracket)) {
    std::optional<std::string> text = reader.Nested();
    if (!text.has_value()) return std::nullopt;
    if (reader.AtEnd()) {
      if (shape.ElementCount() == 0) text = PrintLiteral(Literal(shape));
      return ConstantText{*std::move(text), false};
    }
  } else {
    std::optional<std::string> element = reader.Element();
    if (!element.has_value()) return std::nullopt;
    if (reader.AtEnd()) return SplatText(*std::move(element), shape);
  }
  sink.Report(DiagnosticKind::kShloConstant, reader.range(),
              absl::StrCat("nothing may follow the value, found `", reader.text(), "`",
                           absl::StartsWith(reader.text(), "e") ? "; a number with an exponent has a dot: 1.0e5" : ""));
  return std::nullopt;
}

std::optional<ConstantText> ResourceText(const Program& program, const AttributeValue& value, const Shape& shape,
                                         DiagnosticSink& sink) {
  const auto found = program.resource_of_name.find(value.text);
  if (found == program.resource_of_name.end()) {
    if (value.text == "__elided__") return ConstantText{"{...}", false};
    sink.Report(DiagnosticKind::kShloUndefined, value.range, absl::StrCat("the resource `", value.text, "`"),
                ": the trailer `{-# dialect_resources ... #-}` has no such key");
    return std::nullopt;
  }
  const absl::string_view quoted = program.Slice(found->second);
  std::optional<std::vector<uint8_t>> bytes =
      quoted.size() >= 12 ? DecodeHex(quoted.substr(1, quoted.size() - 2)) : std::nullopt;
  if (!bytes.has_value()) {
    sink.Report(DiagnosticKind::kShloConstant, found->second, "expected \"0x\", eight digits of alignment, and data");
    return std::nullopt;
  }
  bytes->erase(bytes->begin(), bytes->begin() + 4);
  return BytesText(*std::move(bytes), shape, found->second, sink);
}

}  // namespace

std::optional<ConstantText> HloTextOfConstant(const Program& program, const AttributeValue& value, const Shape& shape,
                                              DiagnosticSink& sink) {
  switch (value.form) {
    case AttributeForm::kDense:
      return DenseText(program, value, shape, sink);
    case AttributeForm::kDenseResource:
      return ResourceText(program, value, shape, sink);
    case AttributeForm::kBool:
    case AttributeForm::kInteger:
    case AttributeForm::kFloat: {
      DenseReader reader(program, shape, value.payload, sink);
      std::optional<std::string> element = reader.Element();
      if (!element.has_value()) return std::nullopt;
      return SplatText(*std::move(element), shape);
    }
    case AttributeForm::kError:
    case AttributeForm::kUnit:
    case AttributeForm::kString:
    case AttributeForm::kSymbol:
    case AttributeForm::kArray:
    case AttributeForm::kDictionary:
    case AttributeForm::kIntegers:
    case AttributeForm::kType:
    case AttributeForm::kWord:
    case AttributeForm::kStructure:
    case AttributeForm::kLocation:
    case AttributeForm::kOther:
      break;
  }
  sink.Report(DiagnosticKind::kShloConstant, value.range,
              absl::StrCat("expected `dense<...>`, the value of a ", shape.ToString(false)));
  return std::nullopt;
}

std::optional<std::vector<int64_t>> IntegersOfConstant(const Program& program, const AttributeValue& value) {
  if (value.type == nullptr || !value.type->HasShape() || !value.type->shape.IsArray()) return std::nullopt;
  const Shape& shape = value.type->shape;
  const bool is_integer = IsInteger(shape.element_type()) || shape.element_type() == ElementType::kPred;
  if (!is_integer || shape.ElementCount() > kMostIntegers || shape.ElementCount() < 0) return std::nullopt;
  DiagnosticSink ignored;
  const std::optional<ConstantText> text = HloTextOfConstant(program, value, shape, ignored);
  if (!text.has_value()) return std::nullopt;
  std::vector<int64_t> integers;
  const absl::string_view all = text->text;
  for (size_t at = 0; at < all.size();) {
    const size_t begin = at;
    while (at < all.size() && (absl::ascii_isalnum(all[at]) || all[at] == '-')) ++at;
    if (begin == at) {
      ++at;
      continue;
    }
    const absl::string_view word = all.substr(begin, at - begin);
    int64_t integer = word == "true" ? 1 : 0;
    uint64_t large = 0;
    if (word != "true" && word != "false" && !absl::SimpleAtoi(word, &integer)) {
      if (!absl::SimpleAtoi(word, &large)) return std::nullopt;
      integer = static_cast<int64_t>(large);
    }
    integers.push_back(integer);
  }
  if (text->is_splat && shape.ElementCount() > kMostSplatIntegers) return std::nullopt;
  if (text->is_splat) integers.assign(static_cast<size_t>(shape.ElementCount()), integers.empty() ? 0 : integers[0]);
  if (static_cast<int64_t>(integers.size()) != shape.ElementCount()) return std::nullopt;
  return integers;
}

}  // namespace hloscope::stablehlo
