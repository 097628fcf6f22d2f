// SPDX-License-Identifier: Apache-2.0
#include "core/lex/number_scan.h"

#include <cstring>

#include "core/lex/word_scan.h"

namespace hloscope {
namespace {

size_t SkipDigits(absl::string_view text, size_t i) {
  while (i < text.size() && IsDigit(text[i])) ++i;
  return i;
}

}  // namespace

size_t MatchDimLabels(absl::string_view text, size_t i) {
  const auto part = [text](size_t at, const char* letters) {
    size_t end = at;
    while (end < text.size() && (IsDigit(text[end]) || (text[end] != '\0' && std::strchr(letters, text[end])))) {
      ++end;
    }
    return end - at >= 2 ? end : 0;
  };
  size_t end = part(i, "bf?");
  if (end == 0 || ByteAt(text, end) != '_') return 0;
  end = part(end + 1, "io?");
  if (end == 0 || ByteAt(text, end) != '-' || ByteAt(text, end + 1) != '>') return 0;
  return part(end + 2, "bf?");
}

size_t MatchInteger(absl::string_view text, size_t i) {
  const size_t digits = ByteAt(text, i) == '-' ? i + 1 : i;
  const size_t end = SkipDigits(text, digits);
  return end > digits ? end : 0;
}

size_t MatchDecimal(absl::string_view text, size_t i) {
  if (ByteAt(text, i) == '-') ++i;
  const size_t whole = SkipDigits(text, i);
  size_t end = whole;
  bool has_point = false;
  if (ByteAt(text, end) == '.') {
    const size_t fraction = SkipDigits(text, end + 1);
    if (fraction == end + 1 && whole == i) return 0;  // a lone point
    has_point = true;
    end = fraction;
  } else if (whole == i) {
    return 0;
  }
  if (ByteAt(text, end) == 'e' || ByteAt(text, end) == 'E') {
    size_t exponent = end + 1;
    if (ByteAt(text, exponent) == '+' || ByteAt(text, exponent) == '-') ++exponent;
    const size_t digits_end = SkipDigits(text, exponent);
    if (digits_end > exponent) return digits_end;
  }
  return has_point ? end : 0;
}

size_t MatchDxD(absl::string_view text, size_t i) {
  size_t end = SkipDigits(text, i);
  if (end == i || ByteAt(text, end) != 'x' || !IsDigit(ByteAt(text, end + 1))) return 0;
  while (ByteAt(text, end) == 'x' && IsDigit(ByteAt(text, end + 1))) end = SkipDigits(text, end + 1);
  return end;
}

namespace {

size_t MatchPadDimension(absl::string_view text, size_t i) {
  size_t end = MatchInteger(text, i);
  if (end == 0 || ByteAt(text, end) != '_') return 0;
  end = MatchInteger(text, end + 1);
  if (end == 0) return 0;
  if (ByteAt(text, end) == '_' && IsDigit(ByteAt(text, end + 1))) end = SkipDigits(text, end + 1);
  return end;
}

}  // namespace

size_t MatchPad(absl::string_view text, size_t i) {
  size_t end = MatchPadDimension(text, i);
  while (end != 0 && ByteAt(text, end) == 'x') {
    const size_t next = MatchPadDimension(text, end + 1);
    if (next == 0) break;
    end = next;
  }
  return end;
}

}  // namespace hloscope
