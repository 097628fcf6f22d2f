// SPDX-License-Identifier: Apache-2.0
#include "core/ir/element_type.h"

#include <cstddef>
#include <iterator>

#include "core/ir/word_table.h"

namespace hloscope {
namespace {

constexpr absl::string_view kNames[] = {
    "invalid",
#define HLO_ELEMENT_TYPE(Enum, spelling, bits, storage_bytes, kind, number) spelling,
#include "numerics/elements/element_types.def"
};

}  // namespace

absl::string_view ElementTypeName(ElementType type) {
  if (type == ElementType::kTuple) return "tuple";
  if (type == ElementType::kBuffer) return "buffer";
  return kNames[static_cast<size_t>(type)];
}

std::optional<ElementType> ElementTypeFromName(absl::string_view name) {
  static constexpr auto kTypes = [] {
    WordTable<ElementType, 128> types;
    for (size_t i = 1; i < std::size(kNames); ++i) {
      if (!kNames[i].empty()) types.Add(kNames[i], static_cast<ElementType>(i));
    }
    return types;
  }();
  const ElementType* const found = kTypes.Find(name);
  if (found == nullptr) return std::nullopt;
  return *found;
}

}  // namespace hloscope
