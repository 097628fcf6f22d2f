// SPDX-License-Identifier: Apache-2.0
// What a user says about the translation of a program.
#ifndef HLOSCOPE_STABLEHLO_IMPORT_OPTIONS_H_
#define HLOSCOPE_STABLEHLO_IMPORT_OPTIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace hloscope::stablehlo {

enum class NameStyle : uint8_t {
  kReadable,  // the names of the program where they are words
  kXla,       // the names and numbers that XLA gives
};

// The sizes of an argument of the entry, for dimensions that the program leaves open.
struct ArgumentShape {
  std::string written;   // for messages
  std::string argument;  // its number from 0, or its name with or without %
  struct Size {
    int64_t size = 0;
    bool is_bound = false;  // `<=`
  };
  std::vector<Size> sizes;
};

// Reads `0=3x4`, `%x=<=8x4` or, for a scalar, `0=`. Error InvalidArgument, for the user.
absl::StatusOr<ArgumentShape> ParseArgumentShape(absl::string_view text);

struct ImportOptions {
  NameStyle names = NameStyle::kReadable;
  std::vector<ArgumentShape> shapes;
};

}  // namespace hloscope::stablehlo

#endif  // HLOSCOPE_STABLEHLO_IMPORT_OPTIONS_H_
