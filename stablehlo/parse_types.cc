// SPDX-License-Identifier: Apache-2.0
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "stablehlo/parser.h"

namespace hloscope::stablehlo {
namespace {

// Types whose HLO spelling is that of MLIR in lower case, and some others.
std::optional<ElementType> ElementOfWord(absl::string_view word) {
  static const auto& table = *new absl::flat_hash_map<absl::string_view, absl::string_view>{
      {"i1", "pred"}, {"i2", "s2"},  {"i4", "s4"},    {"i8", "s8"},    {"i16", "s16"},  {"i32", "s32"},  {"i64", "s64"},
      {"si2", "s2"},  {"si4", "s4"}, {"si8", "s8"},   {"si16", "s16"}, {"si32", "s32"}, {"si64", "s64"}, {"ui2", "u2"},
      {"ui4", "u4"},  {"ui8", "u8"}, {"ui16", "u16"}, {"ui32", "u32"}, {"ui64", "u64"}, {"index", "s64"}};
  const auto found = table.find(word);
  if (found != table.end()) return ElementTypeFromName(found->second);
  if (word == "f6E2M3FN" || word == "f6E3M2FN" || absl::StartsWith(word, "i") || word.empty()) return std::nullopt;
  const std::optional<ElementType> type = ElementTypeFromName(absl::AsciiStrToLower(word));
  if (!type.has_value() || !IsFloat(*type)) return std::nullopt;
  // f32 and bf16 are written in lower case, the others with capitals: f8E4M3FN.
  const bool is_plain = word == "f16" || word == "bf16" || word == "f32" || word == "f64";
  return is_plain || absl::c_any_of(word, absl::ascii_isupper) ? type : std::nullopt;
}

// A type of MLIR that HLO lacks: other widths, and the small floats.
bool IsOtherElement(absl::string_view word) {
  if (word == "f6E2M3FN" || word == "f6E3M2FN" || word == "f80" || word == "f128" || word == "tf32") return true;
  if (!absl::ConsumePrefix(&word, "si") && !absl::ConsumePrefix(&word, "ui")) absl::ConsumePrefix(&word, "i");
  return !word.empty() && absl::c_all_of(word, absl::ascii_isdigit);
}

// "; did you mean `f32`?" for the names of other languages, or nothing.
std::string SuggestElement(absl::string_view word) {
  static const auto& table =
      *new absl::flat_hash_map<absl::string_view, absl::string_view>{{"float", "f32"},
                                                                     {"float32", "f32"},
                                                                     {"double", "f64"},
                                                                     {"float64", "f64"},
                                                                     {"half", "f16"},
                                                                     {"float16", "f16"},
                                                                     {"bfloat", "bf16"},
                                                                     {"bfloat16", "bf16"},
                                                                     {"bool", "i1"},
                                                                     {"boolean", "i1"},
                                                                     {"pred", "i1"},
                                                                     {"int", "i32"},
                                                                     {"long", "i64"},
                                                                     {"int8", "i8"},
                                                                     {"int16", "i16"},
                                                                     {"int32", "i32"},
                                                                     {"int64", "i64"},
                                                                     {"s8", "i8"},
                                                                     {"s16", "i16"},
                                                                     {"s32", "i32"},
                                                                     {"s64", "i64"},
                                                                     {"s4", "i4"},
                                                                     {"u4", "ui4"},
                                                                     {"u8", "ui8"},
                                                                     {"u16", "ui16"},
                                                                     {"u32", "ui32"},
                                                                     {"u64", "ui64"},
                                                                     {"uint8", "ui8"},
                                                                     {"uint16", "ui16"},
                                                                     {"uint32", "ui32"},
                                                                     {"uint64", "ui64"},
                                                                     {"F32", "f32"},
                                                                     {"f8e4m3fn", "f8E4M3FN"},
                                                                     {"f8e5m2", "f8E5M2"},
                                                                     {"c64", "complex<f32>"},
                                                                     {"c128", "complex<f64>"},
                                                                     {"complex64", "complex<f32>"},
                                                                     {"complex128", "complex<f64>"}};
  const auto found = table.find(word);
  return found == table.end() ? "" : absl::StrCat("; did you mean `", found->second, "`?");
}

// A shape has room for a few dimensions; more take memory each time that the type is mentioned.
constexpr int64_t kDimensionsOfPart = 8;

std::string WithoutBlanks(absl::string_view text) {
  std::string out;
  for (const char c : text) {
    if (!absl::ascii_isspace(c)) out.push_back(c);
    if (c == ',') out.push_back(' ');
  }
  return out;
}

}  // namespace

Type* Parser::NewType(TypeKind kind, SourceRange text) {
  Type& type = program_.types.emplace_back();
  type.kind = kind;
  type.text = WithoutBlanks(lexer_.Slice(text).substr(0, 4096));
  return &type;
}

const Type* Parser::ErrorType() {
  static const Type& type = *new Type{TypeKind::kError, Shape(), "it could not be read", false, {}, {}, 1, "?"};
  return &type;
}

// A word, complex<...> or !quant.uniform<...>. Only what cannot be read at all fails; what has no HLO type says so in
// `type`.
bool Parser::ReadElementType(Type& type, ElementType& element) {
  if (At(TokenKind::kBang)) {
    const absl::string_view name = text();
    const uint32_t begin = token_.begin;
    if (const auto alias = program_.alias_of_name.find(name); alias != program_.alias_of_name.end()) {
      const Token after = token_;
      MoveTo(alias->second.begin);
      const Nesting nesting(*this);
      const bool read = !nesting.TooDeep() && ReadElementType(type, element);
      token_ = after;
      Advance();
      return read;
    }
    Advance();
    if (At(TokenKind::kLess)) MoveTo(lexer_.EndOfBracket(token_.begin));
    type.is_quantized = absl::StartsWith(name, "!quant.");
    type.no_hlo = absl::StrCat(
        type.is_quantized ? "quantized" : "the", " element type ", type.is_quantized ? "" : "of another dialect ",
        WithoutBlanks(lexer_.Slice({begin, std::min(token_.begin, begin + 100)})), " has no HLO type");
    return true;
  }
  if (!At(TokenKind::kWord)) return Fail("an element type such as `f32`");
  absl::string_view word = text();
  if (word == "complex") {
    Advance();
    if (!Expect(TokenKind::kLess, "`<`")) return false;
    const absl::string_view part = text();
    Advance();
    if (!Expect(TokenKind::kGreater, "`>`")) return false;
    if (part == "f32" || part == "f64") {
      element = part == "f32" ? ElementType::kC64 : ElementType::kC128;
    } else {
      type.no_hlo = absl::StrCat("complex<", part, "> is no element type of HLO; it has complex<f32> and complex<f64>");
    }
    return true;
  }
  const std::optional<ElementType> found = ElementOfWord(word);
  if (found.has_value()) {
    element = *found;
  } else if (IsOtherElement(word)) {
    type.no_hlo = absl::StrCat("element type `", word, "` is not in HLO");
  } else {
    sink_.Report(DiagnosticKind::kShloType, token_.range(),
                 absl::StrCat("`", word.substr(0, 40), "` is no element type", SuggestElement(word)));
    return false;
  }
  Advance();
  return true;
}

// #stablehlo.bounds<8, ?> or #stablehlo.type_extensions<bounds = [8, ?]>.
bool Parser::ReadBounds(Type& type, std::vector<int64_t>& dimensions, std::vector<bool>& dynamic) {
  absl::string_view name = text();
  if (const auto alias = program_.alias_of_name.find(name); alias != program_.alias_of_name.end()) {
    const Token after = token_;
    MoveTo(alias->second.begin);
    const Nesting nesting(*this);
    const bool read = !nesting.TooDeep() && ReadBounds(type, dimensions, dynamic);
    token_ = after;
    Advance();
    return read;
  }
  const uint32_t begin = token_.begin;
  Advance();
  if (!At(TokenKind::kLess)) return Fail("`<`");
  const uint32_t end = lexer_.EndOfBracket(token_.begin);
  if (!absl::StrContains(name, "bounds") && !absl::StrContains(name, "type_extensions")) {
    sink_.Report(DiagnosticKind::kShloIgnored, {begin, end}, absl::StrCat("the encoding `", name, "` is ignored"));
    MoveTo(end);
    return true;
  }
  size_t d = 0;
  for (Advance(); token_.begin + 1 < end; Advance()) {
    if (!At(TokenKind::kInteger) && !At(TokenKind::kQuestion)) continue;
    int64_t bound = 0;
    if (d >= dimensions.size()) return Fail(absl::StrCat("`>` after ", dimensions.size(), " bounds"));
    if (At(TokenKind::kInteger) && absl::SimpleAtoi(text(), &bound)) {
      if (dimensions[d] != kUnboundedSize) return Fail("`?`: this dimension is static, so that it has no bound");
      dimensions[d] = bound;
      dynamic[d] = true;
    }
    ++d;
  }
  MoveTo(end);
  return true;
}

// tensor<...>, memref<...> and vector<...>; equal texts are read once.
const Type* Parser::ReadTensor() {
  const uint32_t begin = token_.begin;
  const bool is_buffer = text() == "memref";
  const uint32_t open = lexer_.SkipBlanks(token_.end);
  const absl::string_view all = lexer_.text();
  if (open >= all.size() || all[open] != '<') {
    Advance();
    Fail("`<`");
    return nullptr;
  }
  // The same few types again and again.
  for (const auto& [recent, type] : recent_types_) {
    if (!absl::StartsWith(all.substr(begin), recent) || recent.empty()) continue;
    MoveTo(begin + static_cast<uint32_t>(recent.size()));
    return type;
  }
  const uint32_t end = lexer_.EndOfBracket(open);
  const absl::string_view written = all.substr(begin, end - begin);
  const auto remember = [&](const Type* type) {
    recent_types_[next_recent_++ % recent_types_.size()] = {written, type};
  };
  if (const auto found = type_of_text_.find(written); found != type_of_text_.end()) {
    remember(found->second);
    MoveTo(end);
    return found->second;
  }
  std::vector<int64_t> dimensions;
  bool is_unranked = false;
  uint32_t at = lexer_.SkipBlanks(open + 1);
  // Dimensions are read byte by byte: `0x4xf32` is no hexadecimal number.
  while (at < all.size() && (absl::ascii_isdigit(all[at]) || all[at] == '?' || all[at] == '*')) {
    const uint32_t first = at;
    int64_t size = kUnboundedSize;
    if (absl::ascii_isdigit(all[at])) {
      while (at < all.size() && absl::ascii_isdigit(all[at])) ++at;
      if (!absl::SimpleAtoi(all.substr(first, at - first), &size)) {
        sink_.Report(DiagnosticKind::kShloType, {first, at}, "this dimension does not fit 64 bits");
        MoveTo(end);
        return nullptr;
      }
    } else {
      is_unranked = all[at] == '*';
      ++at;
    }
    dimensions.push_back(size);
    at = lexer_.SkipBlanks(at);
    if (at >= all.size() || all[at] != 'x') {
      MoveTo(at);
      Fail("`x` after the dimension");
      return nullptr;
    }
    at = lexer_.SkipBlanks(at + 1);
  }
  MoveTo(at);
  Type* const type = NewType(is_buffer ? TypeKind::kBuffer : TypeKind::kTensor, {begin, end});
  ElementType element = ElementType::kInvalid;
  if (!ReadElementType(*type, element)) return nullptr;
  std::vector<bool> dynamic(dimensions.size(), false);
  for (size_t d = 0; d < dimensions.size(); ++d) dynamic[d] = dimensions[d] == kUnboundedSize;
  if (Eat(TokenKind::kComma)) {
    if (At(TokenKind::kHash)) {
      if (!ReadBounds(*type, dimensions, dynamic)) return nullptr;
    } else {
      MoveTo(end - 1);
    }
  }
  if (!At(TokenKind::kGreater)) {
    Fail("`>`");
    return nullptr;
  }
  Advance();
  type->parts += static_cast<int64_t>(dimensions.size()) / kDimensionsOfPart;
  if (is_unranked) type->no_hlo = "a tensor of unknown rank has no HLO shape";
  if (type->no_hlo.empty()) {
    const std::unique_ptr<bool[]> flags(new bool[dynamic.size() + 1]);
    absl::c_copy(dynamic, flags.get());
    type->shape = Shape::Array(element, dimensions, absl::MakeConstSpan(flags.get(), dynamic.size()));
    if (type->shape.ElementCount() == std::numeric_limits<int64_t>::max())
      type->no_hlo = "it has more than 2^63 elements";
    if (is_buffer) type->shape = Shape::Buffer(type->shape);
  }
  type_of_text_.emplace(written, type);
  remember(type);
  return type;
}

// The elements of tuple<...> and future<...>.
const Type* Parser::ParseTypeArguments(TypeKind kind) {
  const Nesting nesting(*this);
  if (nesting.TooDeep()) return nullptr;
  const uint32_t begin = token_.begin;
  Advance();
  if (!Expect(TokenKind::kLess, "`<`")) return nullptr;
  std::vector<const Type*> elements;
  while (!At(TokenKind::kGreater)) {
    if (!elements.empty() && !Expect(TokenKind::kComma, "`,` or `>`")) return nullptr;
    const Type* const element = ParseType();
    if (element == nullptr) return nullptr;
    elements.push_back(element);
  }
  Type* const type = NewType(kind, {begin, token_.end});
  Advance();
  std::vector<Shape> shapes;
  for (const Type* element : elements) {
    type->parts += element->parts;
    if (!element->no_hlo.empty() && type->no_hlo.empty()) type->no_hlo = element->no_hlo;
    shapes.push_back(element->shape);
  }
  if (type->no_hlo.empty()) type->shape = Shape::Tuple(std::move(shapes));
  type->elements = std::move(elements);
  return type;
}

// An alias of five bytes may stand for a tuple of tuples of any size, and each of its names for all of that.
const Type* Parser::Mentioned(const Type* type, SourceRange name) {
  constexpr int64_t kAlwaysAllowed = 1 << 18;
  mentioned_parts_ += type->parts;
  if (mentioned_parts_ <= kAlwaysAllowed + static_cast<int64_t>(lexer_.text().size())) return type;
  sink_.Report(DiagnosticKind::kShloType, name,
               absl::StrCat("`", lexer_.Slice(name).substr(0, 40), "` stands for ", type->parts,
                            " types; all that aliases stand for is much longer than the program"));
  return nullptr;
}

const Type* Parser::ReadBangType() {
  const absl::string_view name = text();
  const uint32_t begin = token_.begin;
  const SourceRange range = token_.range();
  if (const auto known = type_of_text_.find(name); known != type_of_text_.end()) {
    Advance();
    return Mentioned(known->second, range);
  }
  if (name == "!stablehlo.token" || name == "!mhlo.token") {
    Type* const type = NewType(TypeKind::kToken, token_.range());
    type->shape = Shape::Token();
    type_of_text_.emplace(name, type);
    Advance();
    return type;
  }
  if (name == "!stablehlo.future") return ParseTypeArguments(TypeKind::kFuture);
  if (const auto alias = program_.alias_of_name.find(name); alias != program_.alias_of_name.end()) {
    const Nesting nesting(*this);
    if (nesting.TooDeep()) return nullptr;
    const Token after = token_;
    MoveTo(alias->second.begin);
    const Type* const type = ParseType();
    token_ = after;
    Advance();
    if (type == nullptr) return nullptr;
    type_of_text_.emplace(name, type);
    return Mentioned(type, range);
  }
  Advance();
  if (At(TokenKind::kLess)) MoveTo(lexer_.EndOfBracket(token_.begin));
  Type* const type = NewType(TypeKind::kOther, {begin, std::max(begin + 1, token_.begin)});
  type->is_quantized = absl::StartsWith(name, "!quant.");
  type->no_hlo = absl::StrCat("type ", type->text, " has no HLO type");
  return type;
}

bool Parser::ParseTypeList(TypeList& types) {
  if (!Expect(TokenKind::kLeftParen, "`(`")) return false;
  while (!At(TokenKind::kRightParen)) {
    if (!types.empty() && !Expect(TokenKind::kComma, "`,` or `)`")) return false;
    const Type* const type = ParseType();
    if (type == nullptr) return false;
    types.push_back(type);
  }
  Advance();
  return true;
}

const Type* Parser::ParseFunctionType() {
  const uint32_t begin = token_.begin;
  TypeList operands, results;
  if (!ParseTypeList(operands) || !Expect(TokenKind::kArrow, "`->`")) return nullptr;
  if (At(TokenKind::kLeftParen)) {
    if (!ParseTypeList(results)) return nullptr;
  } else {
    const Type* const result = ParseType();
    if (result == nullptr) return nullptr;
    results.push_back(result);
  }
  Type* const type = NewType(TypeKind::kFunction, {begin, std::max(begin + 1, token_.begin)});
  type->no_hlo = "a function type is no type of a value";
  type->elements.assign(operands.begin(), operands.end());
  type->results.assign(results.begin(), results.end());
  return type;
}

const Type* Parser::ParseType() {
  const Nesting nesting(*this);
  if (nesting.TooDeep()) return nullptr;
  if (At(TokenKind::kBang)) return ReadBangType();
  if (At(TokenKind::kLeftParen)) return ParseFunctionType();
  if (!At(TokenKind::kWord)) {
    Fail("a type such as `tensor<2x3xf32>`");
    return nullptr;
  }
  const absl::string_view word = text();
  if (word == "tensor" || word == "memref" || word == "vector") return ReadTensor();
  if (word == "tuple") return ParseTypeArguments(TypeKind::kTuple);
  const SourceRange range = token_.range();
  if (ElementTypeFromName(word).has_value() && lexer_.text().substr(token_.end, 1) == "[") {
    sink_.Report(DiagnosticKind::kShloType, {token_.begin, lexer_.EndOfBracket(token_.end)},
                 "this is a shape as HLO writes it; StableHLO writes `tensor<2x3xf32>`");
    return nullptr;
  }
  Type scratch;
  ElementType element = ElementType::kInvalid;
  if (word != "complex" && word != "none" && !ElementOfWord(word).has_value() &&
      !(word.size() > 1 && (word[0] == 'i' || word[0] == 'f' || word[0] == 'u') && absl::ascii_isdigit(word.back()))) {
    Fail("a type such as `tensor<2x3xf32>`");
    return nullptr;
  }
  if (!ReadElementType(scratch, element)) return nullptr;
  Type* const type = NewType(TypeKind::kScalar, range);
  type->no_hlo = scratch.no_hlo;
  if (type->no_hlo.empty()) type->shape = Shape::Scalar(element);
  return type;
}

}  // namespace hloscope::stablehlo
