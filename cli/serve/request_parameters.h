// SPDX-License-Identifier: Apache-2.0
// Parameters of requests to `hloscope serve` (docs/serve.md), and the frames of bytes that they name.
#ifndef HLOSCOPE_CLI_SERVE_REQUEST_PARAMETERS_H_
#define HLOSCOPE_CLI_SERVE_REQUEST_PARAMETERS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "nlohmann/json.hpp"

namespace hloscope::cli {

// The value of a parameter; none where it is left out or null. Errors InvalidArgument name the parameter.
template <typename T>
absl::StatusOr<std::optional<T>> Param(const nlohmann::ordered_json& params, const char* name, absl::string_view what) {
  const auto found = params.find(name);
  if (found == params.end() || found->is_null()) return std::optional<T>();
  bool fits;
  if constexpr (std::is_same_v<T, std::string>) {
    fits = found->is_string();
  } else if constexpr (std::is_same_v<T, bool>) {
    fits = found->is_boolean();
  } else if constexpr (std::is_same_v<T, double>) {
    fits = found->is_number();
  } else {
    fits = found->is_number_integer();
  }
  if (!fits) return absl::InvalidArgumentError(absl::StrCat("`", name, "` must be ", what));
  return std::optional<T>(found->template get<T>());
}

inline absl::StatusOr<std::optional<int64_t>> IntegerParam(const nlohmann::ordered_json& params, const char* name) {
  return Param<int64_t>(params, name, "an integer");
}
inline absl::StatusOr<std::optional<std::string>> TextParam(const nlohmann::ordered_json& params, const char* name) {
  return Param<std::string>(params, name, "a string");
}

// The bytes that the number names.
inline absl::StatusOr<const std::string*> FrameOf(const std::vector<std::string>& frames,
                                                  const nlohmann::ordered_json& number) {
  if (!number.is_number_unsigned() || number.get<uint64_t>() >= frames.size()) {
    return absl::InvalidArgumentError(absl::StrCat("a frame is named by its number; there are ", frames.size()));
  }
  return &frames[number.get<uint64_t>()];
}

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_SERVE_REQUEST_PARAMETERS_H_
