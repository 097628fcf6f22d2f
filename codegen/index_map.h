// SPDX-License-Identifier: Apache-2.0
// Where the elements of an instruction's result lie, seen from the loops that compute something else.
#ifndef HLOSCOPE_CODEGEN_INDEX_MAP_H_
#define HLOSCOPE_CODEGEN_INDEX_MAP_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "core/ir/module.h"

namespace hloscope::codegen {

// An index in one dimension: loop variable number `loop` times `scale`, plus `offset`. Without a loop: the offset.
struct DimensionIndex {
  int loop = -1;
  int64_t scale = 0, offset = 0;
  friend bool operator==(const DimensionIndex&, const DimensionIndex&) = default;
};
// By dimension of the instruction.
using IndexMap = std::vector<DimensionIndex>;

// One loop for each dimension.
IndexMap IdentityMap(size_t rank);

// True for instructions whose elements are elements of their operand at other places, such that each dimension of the
// operand follows one dimension of the result: broadcast, transpose, slice, reverse, reshapes that insert or delete
// dimensions of size 1, bitcasts that amount to one of these.
bool IsView(const Module& module, InstructionId id);
// The index in operand 0 for an index in the result. Requires IsView.
IndexMap OperandMap(const Module& module, InstructionId id, const IndexMap& map);

// True if each loop of more than one iteration reaches other elements: nothing is computed twice.
bool VisitsEachOnce(const IndexMap& map, absl::Span<const int64_t> loop_sizes);

// Offset and strides by loop of the elements in a dense array of `sizes`.
struct LinearIndex {
  int64_t offset = 0;
  std::vector<int64_t> strides;
};
LinearIndex LinearIndexOf(const IndexMap& map, absl::Span<const int64_t> sizes, size_t loop_count);

// Dimensions from the slowest to the fastest varying one in memory.
std::vector<int64_t> MajorToMinor(const Shape& shape);
// True if a bitcast is a reshape: the elements in the order of memory are those in logical order, on both sides.
bool KeepsLinearOrder(const Shape& shape);

}  // namespace hloscope::codegen

#endif  // HLOSCOPE_CODEGEN_INDEX_MAP_H_
