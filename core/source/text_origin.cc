// SPDX-License-Identifier: Apache-2.0
#include "core/source/text_origin.h"

#include <algorithm>

namespace hloscope {

const TextOrigin::Part* TextOrigin::PartAt(uint32_t offset) const {
  const auto after = std::upper_bound(parts.begin(), parts.end(), offset,
                                      [](uint32_t value, const Part& part) { return value < part.made.begin; });
  return after == parts.begin() ? nullptr : &*(after - 1);
}

SourceRange TextOrigin::OriginalRange(SourceRange made) const {
  const Part* const part = PartAt(made.begin);
  return part != nullptr ? part->original : SourceRange{};
}

const TextOrigin::Part* TextOrigin::FirstPartFrom(uint32_t offset) const {
  const Part* best = nullptr;
  for (const Part& part : parts) {
    if (part.role == Role::kImplied || part.original.begin < offset) continue;
    if (best == nullptr || part.original.begin < best->original.begin) best = &part;
  }
  return best;
}

}  // namespace hloscope
