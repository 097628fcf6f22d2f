// SPDX-License-Identifier: Apache-2.0
// The arrays inside the values of a module: their shapes, indices and names.
#ifndef HLOSCOPE_INSIGHT_MEMORY_LEAVES_H_
#define HLOSCOPE_INSIGHT_MEMORY_LEAVES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/node_hash_map.h"
#include "absl/types/span.h"
#include "core/ir/module.h"

namespace hloscope::insight {

struct Leaf {
  ShapeIndex index;  // {} of an array, {0,1} in a tuple
  Shape shape;
  int64_t bytes = 0;         // DataBytes
  int64_t padded_bytes = 0;  // PhysicalBytes
};

// Leaves by shape, depth first, each list made once. Shapes of too many leaves (BufferTable::kMaxLeaves) have none.
class LeafTable {
 public:
  explicit LeafTable(const Module& module) : module_(module) {}

  const std::vector<Leaf>& Of(InstructionId id) const;
  // Null if the value has no such leaf.
  const Leaf* At(InstructionId id, uint32_t leaf) const;
  // The number of the leaf at an index; -1 if there is no leaf: a tuple, or nothing.
  int64_t Find(InstructionId id, absl::Span<const int64_t> index) const;
  // "fusion.3", "fusion.3{1}" for a leaf of a tuple.
  std::string Name(InstructionId id, uint32_t leaf) const;

 private:
  const Module& module_;
  mutable absl::node_hash_map<ShapeId, std::vector<Leaf>> leaves_;
};

// "{0,1}"; "" for {}.
std::string IndexText(absl::Span<const int64_t> index);

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_MEMORY_LEAVES_H_
