// SPDX-License-Identifier: Apache-2.0
// SHA-256, as pages name the only script that they may run.
#ifndef HLOSCOPE_INSIGHT_HTML_SHA256_H_
#define HLOSCOPE_INSIGHT_HTML_SHA256_H_

#include <array>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace hloscope::insight {

std::array<uint8_t, 32> Sha256(absl::string_view text);
// "sha256-" and the digest in base64: what a content security policy takes.
std::string PolicyHash(absl::string_view text);

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_HTML_SHA256_H_
