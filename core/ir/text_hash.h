// SPDX-License-Identifier: Apache-2.0
// A hash of short texts, for tables of names: no slower than reading them.
#ifndef HLOSCOPE_CORE_IR_TEXT_HASH_H_
#define HLOSCOPE_CORE_IR_TEXT_HASH_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "absl/strings/string_view.h"

namespace hloscope {

// Differs from run to run, as far as addresses do: nobody can write a text whose names collide.
inline uint64_t HashText(absl::string_view text) {
  static const char kAnchor = 0;
  constexpr uint64_t kFirst = 0x9E3779B97F4A7C15u, kSecond = 0xE7037ED1A0B428DBu;
  __extension__ using Wide = unsigned __int128;
  const auto mix = [](uint64_t a, uint64_t b) {
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
  };
  const auto load8 = [](const char* at) {
    uint64_t value;
    std::memcpy(&value, at, sizeof(value));
    return value;
  };
  const auto load4 = [](const char* at) {
    uint32_t value;
    std::memcpy(&value, at, sizeof(value));
    return uint64_t{value};
  };

  const char* at = text.data();
  const size_t size = text.size();
  uint64_t state = reinterpret_cast<uintptr_t>(&kAnchor) ^ kSecond, a = 0, b = 0;
  if (size > 16) {
    for (const char* const last = at + size - 16; at < last; at += 16) {
      state = mix(load8(at) ^ kFirst, load8(at + 8) ^ state);
    }
    a = load8(text.data() + size - 16);
    b = load8(text.data() + size - 8);
  } else if (size >= 8) {
    a = load8(at);
    b = load8(at + size - 8);
  } else if (size >= 4) {
    a = load4(at);
    b = load4(at + size - 4);
  } else if (size > 0) {
    const auto byte = [&](size_t i) { return uint64_t{static_cast<uint8_t>(at[i])}; };
    a = byte(0) << 16 | byte(size / 2) << 8 | byte(size - 1);
  }
  return mix(kFirst ^ size, mix(a ^ kFirst, b ^ state));
}

// For hash tables with texts as keys.
struct TextHash {
  size_t operator()(absl::string_view text) const { return HashText(text); }
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_IR_TEXT_HASH_H_
