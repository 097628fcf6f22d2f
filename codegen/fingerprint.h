// SPDX-License-Identifier: Apache-2.0
// What compiled parts of programs are found by.
#ifndef HLOSCOPE_CODEGEN_FINGERPRINT_H_
#define HLOSCOPE_CODEGEN_FINGERPRINT_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace hloscope::codegen {

// Of a list of texts: two sums of FNV-1a with different beginnings, 128 bits. For files that nobody forges.
class Fingerprint {
 public:
  void Add(absl::string_view text) {
    for (const char c : text) Step(static_cast<uint8_t>(c));
    // Where one text ends and the next begins counts too.
    for (size_t size = text.size(), k = 0; k < sizeof(size); ++k) Step(static_cast<uint8_t>(size >> 8 * k));
  }
  // 32 hexadecimal digits.
  std::string Text() const { return absl::StrCat(absl::Hex(a_, absl::kZeroPad16), absl::Hex(b_, absl::kZeroPad16)); }

 private:
  void Step(uint8_t byte) {
    a_ = (a_ ^ byte) * 0x100000001b3;
    b_ = (b_ ^ byte ^ 0x5b) * 0x100000001b3;
  }
  uint64_t a_ = 0xcbf29ce484222325, b_ = 0x84222325cbf29ce4;
};

}  // namespace hloscope::codegen

#endif  // HLOSCOPE_CODEGEN_FINGERPRINT_H_
