// SPDX-License-Identifier: Apache-2.0
#include "stablehlo/exported_program.h"

#include <cstdint>
#include <optional>

#include "absl/strings/match.h"
#include "stablehlo/bytecode_container.h"

namespace hloscope::stablehlo {
namespace {

// The little-endian number of `size` bytes at `at`, if it is in the file.
std::optional<uint64_t> NumberAt(absl::string_view bytes, uint64_t at, size_t size) {
  if (at > bytes.size() || size > bytes.size() - at) return std::nullopt;
  uint64_t number = 0;
  for (size_t i = size; i > 0; --i) number = number << 8 | static_cast<uint8_t>(bytes[static_cast<size_t>(at) + i - 1]);
  return number;
}

// The place that the offset of four bytes at `at` leads to.
std::optional<uint64_t> FollowedFrom(absl::string_view bytes, uint64_t at) {
  const std::optional<uint64_t> offset = NumberAt(bytes, at, 4);
  return offset.has_value() && *offset != 0 ? std::optional<uint64_t>(at + *offset) : std::nullopt;
}

}  // namespace

// A root table begins with the distance back to its list of fields: sizes of list and table, and for each field its
// place in the table, or zero. The field that is wanted is the one whose bytes begin like bytecode.
absl::string_view ArtifactOfExported(absl::string_view bytes) {
  const std::optional<uint64_t> table = FollowedFrom(bytes, 0);
  const std::optional<uint64_t> back = table.has_value() ? NumberAt(bytes, *table, 4) : std::nullopt;
  if (!back.has_value()) return {};
  const uint64_t list = static_cast<uint64_t>(static_cast<int64_t>(*table) - static_cast<int32_t>(*back));
  const std::optional<uint64_t> list_size = NumberAt(bytes, list, 2), table_size = NumberAt(bytes, list + 2, 2);
  if (!list_size.has_value() || !table_size.has_value()) return {};
  for (uint64_t entry = list + 4; entry + 2 <= list + *list_size; entry += 2) {
    const std::optional<uint64_t> place = NumberAt(bytes, entry, 2);
    if (!place.has_value() || *place == 0 || *place + 4 > *table_size) continue;
    const std::optional<uint64_t> vector = FollowedFrom(bytes, *table + *place);
    const std::optional<uint64_t> size = vector.has_value() ? NumberAt(bytes, *vector, 4) : std::nullopt;
    if (!size.has_value() || *size > bytes.size() - *vector - 4) continue;
    const absl::string_view held = bytes.substr(static_cast<size_t>(*vector) + 4, static_cast<size_t>(*size));
    if (absl::StartsWith(held, kBytecodeMagic)) return held;
  }
  return {};
}

}  // namespace hloscope::stablehlo
