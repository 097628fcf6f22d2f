// SPDX-License-Identifier: Apache-2.0
// Classes of bytes, and where words end.
#ifndef HLOSCOPE_CORE_LEX_WORD_SCAN_H_
#define HLOSCOPE_CORE_LEX_WORD_SCAN_H_

#include <array>
#include <cstddef>
#include <cstdint>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "absl/base/attributes.h"
#include "absl/strings/string_view.h"

namespace hloscope {

enum CharClass : uint8_t {
  kOtherChar = 0,
  kWordStart = 1,  // letter or underscore
  kDigit = 2,
  kWordMark = 4,  // '.' or '-' inside a word
  kSpace = 8,
  kNumberMark = 16,  // what is in longer numbers and what is made of them: 1.5 2e3 2x2 0_1 b01f ?
};

constexpr std::array<uint8_t, 256> MakeCharClasses() {
  std::array<uint8_t, 256> classes = {};
  for (int c = 'a'; c <= 'z'; ++c) classes[static_cast<size_t>(c)] = kWordStart;
  for (int c = 'A'; c <= 'Z'; ++c) classes[static_cast<size_t>(c)] = kWordStart;
  classes['_'] = kWordStart;
  for (int c = '0'; c <= '9'; ++c) classes[static_cast<size_t>(c)] = kDigit;
  classes['.'] = kWordMark;
  classes['-'] = kWordMark;
  for (const uint8_t c : {'.', 'e', 'E', 'x', '_', 'b', 'f', '?'}) classes[c] |= kNumberMark;
  classes[' '] = classes['\t'] = classes['\n'] = classes['\r'] = kSpace;
  return classes;
}
inline constexpr std::array<uint8_t, 256> kCharClasses = MakeCharClasses();

inline bool IsClass(char c, int mask) { return (kCharClasses[static_cast<uint8_t>(c)] & mask) != 0; }
inline bool IsDigit(char c) { return IsClass(c, kDigit); }
// NUL after the end of the text.
inline char ByteAt(absl::string_view text, size_t i) { return i < text.size() ? text[i] : '\0'; }
// Integers of so many characters fit 64 bits.
inline constexpr size_t kSafeDigits = 18;
inline constexpr int kWordByte = kWordStart | kDigit | kWordMark;

// The first byte of [at, end) that cannot be in a word; `end` if there is none. Sixteen bytes at a time where the
// processor can, which is any of x86-64.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline const char* EndOfWord(const char* at, const char* end) {
#ifdef __SSE2__
  const __m128i case_bit = _mm_set1_epi8(0x20), a = _mm_set1_epi8('a'), letters = _mm_set1_epi8(25);
  const __m128i minus = _mm_set1_epi8('-'), marks_and_digits = _mm_set1_epi8('9' - '-');
  const __m128i slash = _mm_set1_epi8('/'), underscore = _mm_set1_epi8('_');
  for (; end - at >= 16; at += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    // Unsigned comparisons: x <= n if min(x, n) is x.
    const __m128i from_a = _mm_sub_epi8(_mm_or_si128(bytes, case_bit), a);
    const __m128i is_letter = _mm_cmpeq_epi8(_mm_min_epu8(from_a, letters), from_a);
    const __m128i from_minus = _mm_sub_epi8(bytes, minus);  // - . / 0 to 9 follow each other
    const __m128i is_mark = _mm_cmpeq_epi8(_mm_min_epu8(from_minus, marks_and_digits), from_minus);
    const __m128i is_word = _mm_or_si128(_mm_or_si128(is_letter, _mm_cmpeq_epi8(bytes, underscore)),
                                         _mm_andnot_si128(_mm_cmpeq_epi8(bytes, slash), is_mark));
    const unsigned others = ~static_cast<unsigned>(_mm_movemask_epi8(is_word)) & 0xFFFFu;
    if (others != 0) return at + __builtin_ctz(others);
  }
#endif
  while (at < end && IsClass(*at, kWordByte)) ++at;
  return at;
}

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_LEX_WORD_SCAN_H_
