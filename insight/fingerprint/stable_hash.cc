// SPDX-License-Identifier: Apache-2.0
#include "insight/fingerprint/stable_hash.h"

#include <cstddef>

#include "absl/strings/str_format.h"

namespace hloscope::insight {

std::string Fingerprint::ToString() const { return absl::StrFormat("%016x%016x", high, low); }

StableHash& StableHash::Add(absl::string_view text) {
  Add(uint64_t{text.size()});
  for (size_t at = 0; at < text.size(); at += 8) {
    uint64_t word = 0;  // little-endian everywhere
    for (size_t i = 0; i < 8 && at + i < text.size(); ++i) {
      word |= uint64_t{static_cast<uint8_t>(text[at + i])} << (8 * i);
    }
    Add(word);
  }
  return *this;
}

}  // namespace hloscope::insight
