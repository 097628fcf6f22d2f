// SPDX-License-Identifier: Apache-2.0
// Typed 32-bit ids. Everything a Module owns lives in vectors and is named by one of these, so a reference costs four
// bytes, survives the vectors' growth, and cannot be confused with an id of another table.
#ifndef HLOSCOPE_CORE_IR_IDS_H_
#define HLOSCOPE_CORE_IR_IDS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

namespace hloscope {

template <typename Tag>
struct Id {
  static constexpr uint32_t kNoneValue = 0xFFFFFFFFu;

  uint32_t value = kNoneValue;

  constexpr Id() = default;
  constexpr explicit Id(size_t v) : value(static_cast<uint32_t>(v)) {}

  static constexpr Id None() { return Id(); }
  constexpr bool has_value() const { return value != kNoneValue; }
  constexpr size_t index() const { return value; }

  friend constexpr bool operator==(Id a, Id b) { return a.value == b.value; }
  friend constexpr bool operator!=(Id a, Id b) { return a.value != b.value; }
  friend constexpr bool operator<(Id a, Id b) { return a.value < b.value; }

  template <typename H>
  friend H AbslHashValue(H h, Id id) {
    return H::combine(std::move(h), id.value);
  }
};

using InstructionId = Id<struct InstructionTag>;
using ComputationId = Id<struct ComputationTag>;
using ShapeId = Id<struct ShapeTag>;
using StringId = Id<struct StringTag>;
using LiteralId = Id<struct LiteralTag>;
using MetadataId = Id<struct MetadataTag>;
// Index of an instruction node of the SyntaxTree.
using SyntaxId = Id<struct SyntaxTag>;

}  // namespace hloscope

template <typename Tag>
struct std::hash<hloscope::Id<Tag>> {
  size_t operator()(hloscope::Id<Tag> id) const { return id.value; }
};

#endif  // HLOSCOPE_CORE_IR_IDS_H_
