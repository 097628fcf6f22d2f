// SPDX-License-Identifier: Apache-2.0
// Reading the arguments of a request: what is missing or of the wrong kind is reported by name.
#ifndef HLOSCOPE_LSP_DEBUG_ADAPTER_REQUEST_ARGUMENTS_H_
#define HLOSCOPE_LSP_DEBUG_ADAPTER_REQUEST_ARGUMENTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "nlohmann/json_fwd.hpp"

namespace hloscope::dap {

// A member of `object` that is there and not null; null if there is none.
const nlohmann::json* Member(const nlohmann::json& object, absl::string_view name);

// Errors InvalidArgument: "`line` is missing", "`line` must be a whole number".
absl::StatusOr<int64_t> RequiredInteger(const nlohmann::json& object, absl::string_view name);
absl::StatusOr<std::string> RequiredString(const nlohmann::json& object, absl::string_view name);
// Nothing if it is missing; the same errors if it is something else.
absl::StatusOr<std::optional<int64_t>> OptionalInteger(const nlohmann::json& object, absl::string_view name);
absl::StatusOr<std::optional<std::string>> OptionalString(const nlohmann::json& object, absl::string_view name);

// What is missing or of another kind counts as `otherwise`.
std::string StringOr(const nlohmann::json& object, absl::string_view name, absl::string_view otherwise);
bool BoolOr(const nlohmann::json& object, absl::string_view name, bool otherwise);
int64_t IntegerOr(const nlohmann::json& object, absl::string_view name, int64_t otherwise);
// The members of a list; none if there is no list.
std::vector<nlohmann::json> ListOf(const nlohmann::json& object, absl::string_view name);

}  // namespace hloscope::dap

#endif  // HLOSCOPE_LSP_DEBUG_ADAPTER_REQUEST_ARGUMENTS_H_
