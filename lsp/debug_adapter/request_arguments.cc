// SPDX-License-Identifier: Apache-2.0
#include "lsp/debug_adapter/request_arguments.h"

#include <limits>

#include "absl/strings/str_cat.h"
#include "nlohmann/json.hpp"

namespace hloscope::dap {
namespace {

using nlohmann::json;

std::optional<int64_t> IntegerIn(const json& value) {
  // The unsigned case first: get_ptr of the signed type also accepts unsigned values.
  if (value.is_number_unsigned()) {
    const uint64_t number = *value.get_ptr<const json::number_unsigned_t*>();
    if (number > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) return std::nullopt;
    return static_cast<int64_t>(number);
  }
  if (value.is_number_integer()) return *value.get_ptr<const json::number_integer_t*>();
  return std::nullopt;
}

absl::Status Missing(absl::string_view name) {
  return absl::InvalidArgumentError(absl::StrCat("`", name, "` is missing"));
}

}  // namespace

const json* Member(const json& object, absl::string_view name) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(std::string(name));
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

absl::StatusOr<std::optional<int64_t>> OptionalInteger(const json& object, absl::string_view name) {
  const json* const value = Member(object, name);
  if (value == nullptr) return std::optional<int64_t>();
  const std::optional<int64_t> number = IntegerIn(*value);
  if (!number.has_value()) return absl::InvalidArgumentError(absl::StrCat("`", name, "` must be a whole number"));
  return number;
}

absl::StatusOr<std::optional<std::string>> OptionalString(const json& object, absl::string_view name) {
  const json* const value = Member(object, name);
  if (value == nullptr) return std::optional<std::string>();
  const auto* const text = value->get_ptr<const json::string_t*>();
  if (text == nullptr) return absl::InvalidArgumentError(absl::StrCat("`", name, "` must be a string"));
  return std::optional<std::string>(*text);
}

absl::StatusOr<int64_t> RequiredInteger(const json& object, absl::string_view name) {
  const absl::StatusOr<std::optional<int64_t>> number = OptionalInteger(object, name);
  if (!number.ok()) return number.status();
  if (!number->has_value()) return Missing(name);
  return **number;
}

absl::StatusOr<std::string> RequiredString(const json& object, absl::string_view name) {
  absl::StatusOr<std::optional<std::string>> text = OptionalString(object, name);
  if (!text.ok()) return text.status();
  if (!text->has_value()) return Missing(name);
  return **std::move(text);
}

std::string StringOr(const json& object, absl::string_view name, absl::string_view otherwise) {
  const absl::StatusOr<std::optional<std::string>> text = OptionalString(object, name);
  return text.ok() && text->has_value() ? **text : std::string(otherwise);
}

bool BoolOr(const json& object, absl::string_view name, bool otherwise) {
  const json* const value = Member(object, name);
  const auto* const found = value == nullptr ? nullptr : value->get_ptr<const json::boolean_t*>();
  return found == nullptr ? otherwise : *found;
}

int64_t IntegerOr(const json& object, absl::string_view name, int64_t otherwise) {
  const absl::StatusOr<std::optional<int64_t>> number = OptionalInteger(object, name);
  return number.ok() && number->has_value() ? **number : otherwise;
}

std::vector<json> ListOf(const json& object, absl::string_view name) {
  const json* const list = Member(object, name);
  if (list == nullptr || !list->is_array()) return {};
  return std::vector<json>(list->begin(), list->end());
}

}  // namespace hloscope::dap
