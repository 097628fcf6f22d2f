// SPDX-License-Identifier: Apache-2.0
// Values of constants that are written in another language's way.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "core/editing/repair_line.h"
#include "core/lex/lexer.h"

namespace hloscope {
namespace {

bool IsDecimalDigit(char c) { return absl::ascii_isdigit(static_cast<unsigned char>(c)); }

// One number of a longest text, with its sign; `1e` is 1, `0.5f` is 0.5.
size_t NumberLength(absl::string_view text) {
  if (text.empty()) return 0;
  size_t end = text[0] == '-' || text[0] == '+' ? 1 : 0;
  const size_t first = end;
  bool has_point = false;
  const auto is_separator = [&](size_t i) {  // `1_000`
    return text[i] == '_' && i > first && i + 1 < text.size() && IsDecimalDigit(text[i + 1]);
  };
  while (end < text.size() && (IsDecimalDigit(text[end]) || (text[end] == '.' && !has_point) || is_separator(end))) {
    has_point |= text[end++] == '.';
  }
  if (end == first || (end == first + 1 && has_point)) return 0;
  size_t exponent = end;
  if (exponent < text.size() && (text[exponent] == 'e' || text[exponent] == 'E')) {
    ++exponent;
    if (exponent < text.size() && (text[exponent] == '-' || text[exponent] == '+')) ++exponent;
    const size_t digits = exponent;
    while (exponent < text.size() && IsDecimalDigit(text[exponent])) ++exponent;
    if (exponent > digits) end = exponent;
  }
  return end;
}

// Numbers, truth values and infinities in a text, as HLO writes them; at most 256.
std::vector<std::string> ValuesIn(absl::string_view text) {
  constexpr size_t kMaxValues = 256;
  std::vector<std::string> values;
  for (size_t i = 0; i < text.size() && values.size() < kMaxValues;) {
    if (uint64_t number = 0; text[i] == '0' && i + 2 < text.size() && (text[i + 1] == 'x' || text[i + 1] == 'X')) {
      size_t end = i + 2;
      while (end < text.size() && absl::ascii_isxdigit(static_cast<unsigned char>(text[end]))) ++end;
      if (absl::SimpleHexAtoi(text.substr(i, end - i), &number)) {
        values.push_back(absl::StrCat(number));
        i = end;
        continue;
      }
    }
    if (const size_t length = NumberLength(text.substr(i)); length > 0) {
      absl::string_view number = text.substr(i, length);
      absl::ConsumePrefix(&number, "+");
      values.push_back(absl::StrReplaceAll(number, {{"_", ""}}));
      i += length;
      // A second point, a suffix.
      while (i < text.size() && (text[i] == '.' || absl::ascii_isalnum(static_cast<unsigned char>(text[i])))) ++i;
      continue;
    }
    size_t end = i;
    while (end < text.size() && absl::ascii_isalnum(static_cast<unsigned char>(text[end]))) ++end;
    const absl::string_view word = text.substr(i, end - i);
    // `-math.inf`, `float('-inf')`: the sign may be before a longer name.
    size_t front = i;
    while (front > 0 && (text[front - 1] == '.' || absl::ascii_isalpha(static_cast<unsigned char>(text[front - 1]))))
      --front;
    const std::string sign = front > 0 && text[front - 1] == '-' ? "-" : "";
    if (const absl::string_view plain = PlainSpellingOfNonFinite(word); !plain.empty()) {
      values.push_back(absl::StrCat(sign, plain));
    } else if (word == "inf" || word == "nan") {
      values.push_back(absl::StrCat(sign, word));
    } else if (absl::EqualsIgnoreCase(word, "true") || absl::EqualsIgnoreCase(word, "false")) {
      values.push_back(absl::AsciiStrToLower(word));
    }
    i = std::max(end, i + 1);
  }
  return values;
}

// The values in the braces of the shape.
std::string NestedLiteral(const std::vector<std::string>& values, const std::vector<int64_t>& dimensions, size_t depth,
                          size_t* next) {
  if (depth == dimensions.size()) return values[(*next)++];
  std::vector<std::string> items;
  for (int64_t i = 0; i < dimensions[depth]; ++i) items.push_back(NestedLiteral(values, dimensions, depth + 1, next));
  return absl::StrCat("{", absl::StrJoin(items, ", "), "}");
}

// `1/3`, `10^-6`, `1,5`, `1e - 6`: what a single number is meant to be.
std::vector<std::string> SingleNumbers(absl::string_view inner) {
  std::vector<std::string> numbers;
  std::string joined(inner);
  joined.erase(std::remove(joined.begin(), joined.end(), ' '), joined.end());
  if (NumberLength(joined) == joined.size()) numbers.push_back(joined);
  double a = 0, b = 0;
  const auto split = [&](char sign) {
    const size_t at = joined.find(sign);
    return at != std::string::npos && absl::SimpleAtod(joined.substr(0, at), &a) &&
           absl::SimpleAtod(joined.substr(at + 1), &b);
  };
  if (split('/') && b != 0) numbers.push_back(absl::StrCat(a / b));
  if (split('^')) numbers.push_back(absl::StrCat(std::pow(a, b)));
  if (split(','))
    numbers.push_back(absl::StrCat(joined.substr(0, joined.find(',')), ".", joined.substr(joined.find(',') + 1)));
  return numbers;
}

}  // namespace

void AddLiteralSpellings(RepairLine& line) {
  const std::optional<size_t> opcode = line.Find("constant");
  if (!opcode || *opcode + 1 >= line.size()) return;
  // The value may have lost its brackets; attributes come after it.
  const uint32_t from = line.End(*opcode);
  uint32_t to = line.line_end();
  for (size_t i = *opcode + 1; i + 1 < line.size(); ++i) {
    const bool is_attribute = line.kind(i) == TokenKind::kComma && line.kind(i + 1) == TokenKind::kAttributeName;
    if (is_attribute && line.word(i + 1) != "value=") {
      to = line.At(i);
      break;
    }
  }
  const absl::string_view whole = absl::StripTrailingAsciiWhitespace(line.Between(from, to));
  to = from + static_cast<uint32_t>(whole.size());
  const auto write = [&](absl::string_view value) { line.Write(from, to, absl::StrCat("(", value, ")")); };
  absl::string_view inner = absl::StripAsciiWhitespace(whole);
  absl::ConsumePrefix(&inner, "(");
  absl::ConsumeSuffix(&inner, ")");
  for (const std::string& number : SingleNumbers(inner)) write(number);

  const std::vector<int64_t> dimensions = line.WrittenDimensions();
  constexpr int64_t kMaxElements = 256;
  int64_t count = 1;
  for (const int64_t dimension : dimensions) {
    if (dimension > kMaxElements || (count *= dimension) > kMaxElements) return;
  }
  std::vector<std::string> values = ValuesIn(whole);
  if (values.empty()) values.push_back("0");
  const size_t written = values.size();
  // The values of the shape; what is missing is like the last one.
  values.resize(static_cast<size_t>(count), values.back());
  size_t next = 0;
  if (count > 0) write(NestedLiteral(values, dimensions, 0, &next));
  // Integers have no fractions.
  std::vector<std::string> whole_numbers;
  for (const std::string& value : values) whole_numbers.push_back(value.substr(0, value.find('.')));
  next = 0;
  if (count > 0 && whole_numbers != values) write(NestedLiteral(whole_numbers, dimensions, 0, &next));
  // A fraction says what type is meant.
  const std::optional<size_t> equals = line.Equals();
  if (equals && *equals + 1 == *opcode) {  // no shape
    const bool is_float = absl::StrContains(whole, ".") || absl::StrContains(whole, "e");
    for (const char* type : {is_float ? "f32" : "s32", is_float ? "bf16" : "f32", is_float ? "f64" : "s64", "pred"}) {
      line.Write(line.At(*opcode), line.At(*opcode), absl::StrCat(type, "[] "));
    }
  }
  const bool has_fraction =
      std::any_of(values.begin(), values.end(), [](const std::string& value) { return absl::StrContains(value, "."); });
  if (equals && has_fraction && line.kind(*equals + 1) == TokenKind::kPrimitiveType) {
    for (const char* type : {"f32", "bf16", "f16", "f64"}) {
      line.Replace(absl::StrCat("make it `", type, "`"), *equals + 1, *equals + 1, type);
    }
  }
  // The first dimension as long as the list.
  const std::optional<size_t> bracket = line.Find("[");
  if (dimensions.size() == 1 && bracket && line.IsNumber(*bracket + 1)) {
    line.Replace(absl::StrCat("change the size to ", written), *bracket + 1, *bracket + 1, absl::StrCat(written));
  }
}

}  // namespace hloscope
