// SPDX-License-Identifier: Apache-2.0
// A hash that is the same in every process and on every machine.
#ifndef HLOSCOPE_INSIGHT_FINGERPRINT_STABLE_HASH_H_
#define HLOSCOPE_INSIGHT_FINGERPRINT_STABLE_HASH_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace hloscope::insight {

// 128 bits: two different things have the same one by chance about never. Somebody who means to can make such a pair.
struct Fingerprint {
  uint64_t high = 0, low = 0;

  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
  // For sums that do not depend on order.
  Fingerprint& operator+=(const Fingerprint& other) {
    high += other.high;
    low += other.low;
    return *this;
  }
  // 32 hexadecimal digits.
  std::string ToString() const;
};

class StableHash {
 public:
  StableHash& Add(uint64_t value) {
    high_ = Mix(high_ ^ value, 0x9E3779B97F4A7C15u);
    low_ = Mix(low_ + value, 0xE7037ED1A0B428DBu);
    return *this;
  }
  StableHash& Add(const Fingerprint& value) { return Add(value.high).Add(value.low); }
  // With its length, so that neighbouring texts do not run together.
  StableHash& Add(absl::string_view text);

  Fingerprint Get() const { return {Mix(high_, 0xD6E8FEB86659FD93u), Mix(low_, 0xA0761D6478BD642Fu)}; }

 private:
  static uint64_t Mix(uint64_t a, uint64_t b) {
    a ^= a >> 32;
    a *= b;
    a ^= a >> 29;
    a *= 0xBF58476D1CE4E5B9u;
    return a ^ a >> 32;
  }

  uint64_t high_ = 0x243F6A8885A308D3u, low_ = 0x13198A2E03707344u;
};

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_FINGERPRINT_STABLE_HASH_H_
