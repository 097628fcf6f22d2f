// SPDX-License-Identifier: Apache-2.0
// Byte ranges of a source text.
#ifndef HLOSCOPE_CORE_SOURCE_SOURCE_RANGE_H_
#define HLOSCOPE_CORE_SOURCE_SOURCE_RANGE_H_

#include <cstdint>

namespace hloscope {

// Half-open range [begin, end) of byte offsets.
struct SourceRange {
  uint32_t begin = 0;
  uint32_t end = 0;

  uint32_t size() const { return end - begin; }
  bool empty() const { return begin == end; }
  bool Contains(uint32_t offset) const { return begin <= offset && offset < end; }
  // As Contains, but an offset just after the last byte counts: where a cursor is after a word.
  bool Touches(uint32_t offset) const { return begin <= offset && offset <= end; }
  friend bool operator==(SourceRange, SourceRange) = default;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SOURCE_SOURCE_RANGE_H_
