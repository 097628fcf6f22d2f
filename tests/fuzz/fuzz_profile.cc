// SPDX-License-Identifier: Apache-2.0
// Any bytes as a profile: whatever is read holds together.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include "interop/profile/profile.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using hloscope::interop::Profile;
  const auto profile =
      hloscope::interop::ReadProfile(std::make_shared<const std::string>(reinterpret_cast<const char*>(data), size));
  if (!profile.ok()) return 0;
  for (const auto& plane : profile->planes) {
    for (const auto& line : plane.lines) {
      for (const auto& event : line.events) {
        if (event.metadata >= plane.metadata.size() || event.hlo_op >= profile->strings.size() ||
            event.hlo_module >= profile->strings.size() || event.duration_ps < 0 || event.occurrences < 1) {
          std::abort();
        }
      }
    }
  }
  return 0;
}
