#include "core/semantics/token_cursor.h"

#include <charconv>
#include <cmath>
#include <cstdlib>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace hloscope {

std::string TokenCursor::Found() const {
  if (AtEnd()) return "the end of the value";
  const absl::string_view t = text();
  return t.size() > 40 ? absl::StrCat("`", t.substr(0, 37), "...`") : absl::StrCat("`", t, "`");
}

bool TokenCursor::FailExpected(absl::string_view what) {
  return Fail(DiagnosticKind::kBadValue, subject_, what, Found());
}

bool TokenCursor::Expect(TokenKind k) {
  if (Eat(k)) return true;
  return FailExpected(TokenDescription(k));
}

bool TokenCursor::ExpectEnd() {
  if (AtEnd()) return true;
  return FailExpected("nothing more");
}

std::optional<int64_t> TokenCursor::Int() {
  if (!At(TokenKind::kInteger)) {
    FailExpected("an integer");
    return std::nullopt;
  }
  const auto value = DecodeInteger(text());
  Advance();
  return value;
}

std::optional<int64_t> TokenCursor::IntIn(int64_t low, int64_t high) {
  const TokenIndex at = pos_;
  const absl::string_view digits = text();
  const auto value = Int();
  // A token above 2^63-1 has wrapped: its sign tells.
  const bool wrapped = value && *value < 0 && !absl::StartsWith(digits, "-");
  if (value && (wrapped || *value < low || *value > high)) {
    sink_.Report(DiagnosticKind::kValueOutOfRange, tokens_.range(at), digits,
                 absl::StrCat("`", subject_, "` takes ", low, " to ", high));
    return std::nullopt;
  }
  return value;
}

std::optional<bool> TokenCursor::Bool() {
  if (Eat(TokenKind::kTrue)) return true;
  if (Eat(TokenKind::kFalse)) return false;
  FailExpected("`true` or `false`");
  return std::nullopt;
}

std::optional<double> TokenCursor::Double() {
  const bool is_nan = At(TokenKind::kDecimal) && absl::StrContains(text(), "nan");
  if ((!At(TokenKind::kInteger) && !At(TokenKind::kDecimal)) || is_nan) {
    FailExpected("a number");
    return std::nullopt;
  }
  const double value = DecodeDecimal(text());
  if (!std::isfinite(value)) {
    Fail(DiagnosticKind::kValueOutOfRange, text(), "it is beyond the largest double");
    return std::nullopt;
  }
  Advance();
  return value;
}

std::optional<std::string> TokenCursor::String() {
  if (!At(TokenKind::kString)) {
    FailExpected("a string");
    return std::nullopt;
  }
  auto value = DecodeString(text());
  Advance();
  return value;
}

double DecodeDecimal(absl::string_view token) {
  double value = 0;
  const auto result = std::from_chars(token.data(), token.data() + token.size(), value);
  if (result.ec == std::errc::result_out_of_range) {
    // from_chars does not say whether the value is too large or too small.
    value = std::strtod(std::string(token).c_str(), nullptr);
  }
  return value;
}

}  // namespace hloscope
