// SPDX-License-Identifier: Apache-2.0
#include "stablehlo/import_options.h"

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace hloscope::stablehlo {

absl::StatusOr<ArgumentShape> ParseArgumentShape(absl::string_view text) {
  ArgumentShape shape;
  shape.written = std::string(text);
  const size_t equals = text.find('=');
  absl::string_view argument = absl::StripAsciiWhitespace(text.substr(0, equals));
  absl::ConsumePrefix(&argument, "%");
  if (equals == absl::string_view::npos || argument.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", text, "` does not say which argument: write ARG=SIZES, such as 0=3x4 or %x=3x4"));
  }
  shape.argument = std::string(argument);
  const absl::string_view sizes = absl::StripAsciiWhitespace(text.substr(equals + 1));
  if (sizes.empty()) return shape;
  for (absl::string_view word : absl::StrSplit(sizes, 'x')) {
    word = absl::StripAsciiWhitespace(word);
    ArgumentShape::Size size;
    const absl::string_view whole = word;
    size.is_bound = absl::ConsumePrefix(&word, "<=");
    if (!absl::SimpleAtoi(word, &size.size) || size.size < 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("`", whole, "` in `", text, "` is no size: write sizes with x between them, such as 0=3x4, or ",
                       "bounds, such as 0=<=8x4"));
    }
    shape.sizes.push_back(size);
  }
  return shape;
}

}  // namespace hloscope::stablehlo
