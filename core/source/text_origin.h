// SPDX-License-Identifier: Apache-2.0
// Where the parts of a text come from that was made from another one.
#ifndef HLOSCOPE_CORE_SOURCE_TEXT_ORIGIN_H_
#define HLOSCOPE_CORE_SOURCE_TEXT_ORIGIN_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "core/source/source_range.h"

namespace hloscope {

class SourceText;

// Immutable once a SourceText has it. Thread-safe.
struct TextOrigin {
  // What a part is of the operation that it was made from.
  enum class Role : uint8_t {
    kResult,   // gives what the operation gives: a step of the operation ends here
    kPart,     // one of several instructions of the operation
    kImplied,  // nobody wrote it: parameters of regions, captured values
  };
  struct Part {
    SourceRange made;      // of the text that has this origin
    SourceRange original;  // of `source`
    Role role = Role::kResult;
  };

  std::shared_ptr<const SourceText> source;
  std::vector<Part> parts;  // ascending and apart in `made`

  // The part that covers `offset` of the made text, else the last one before it; null if there is none.
  const Part* PartAt(uint32_t offset) const;
  // The place in `source` of a range of the made text, by its first byte; the start of `source` before the first part.
  SourceRange OriginalRange(SourceRange made) const;
  // The first part, in the order of the made text, of those that come from what starts nearest at or after `offset` of
  // `source`; null if nothing starts there.
  const Part* FirstPartFrom(uint32_t offset) const;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SOURCE_TEXT_ORIGIN_H_
