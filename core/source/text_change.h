// SPDX-License-Identifier: Apache-2.0
// What changed between two versions of a text.
#ifndef HLOSCOPE_CORE_SOURCE_TEXT_CHANGE_H_
#define HLOSCOPE_CORE_SOURCE_TEXT_CHANGE_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "core/source/source_range.h"

namespace hloscope {

// [before.begin, before.end) of the old text became [after.begin, after.end) of the new one.
struct TextChange {
  SourceRange before;
  SourceRange after;
};

// Where offsets of an old text are in the new one. The changes are ascending and do not touch each other.
class OffsetMap {
 public:
  explicit OffsetMap(std::vector<TextChange> changes) : changes_(std::move(changes)) {}

  // The offset as the begin of something that is before, between or after the changes.
  uint32_t Begin(uint32_t offset) const {
    uint32_t shift = 0;  // modulo 2^32
    for (const TextChange& change : changes_) {
      if (offset < change.before.end) break;
      shift = change.after.end - change.before.end;
    }
    return offset + shift;
  }
  // The same for the end of something.
  uint32_t End(uint32_t offset) const {
    uint32_t shift = 0;
    for (const TextChange& change : changes_) {
      if (offset <= change.before.begin) break;
      shift = change.after.end - change.before.end;
    }
    return offset + shift;
  }
  SourceRange Range(SourceRange range) const {
    if (range.empty()) return {Begin(range.begin), Begin(range.begin)};
    return {Begin(range.begin), End(range.end)};
  }
  // The range shares bytes with a change, or is empty and lies in one.
  bool IsTouched(SourceRange range) const {
    for (const TextChange& change : changes_) {
      if (range.empty() ? change.before.Contains(range.begin)
                        : range.begin < change.before.end && change.before.begin < range.end) {
        return true;
      }
    }
    return false;
  }
  const std::vector<TextChange>& changes() const { return changes_; }

 private:
  std::vector<TextChange> changes_;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SOURCE_TEXT_CHANGE_H_
