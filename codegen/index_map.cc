// SPDX-License-Identifier: Apache-2.0
#include "codegen/index_map.h"

#include <algorithm>

#include "codegen/cpp_types.h"

namespace hloscope::codegen {
namespace {

// The dimension of the result that each dimension of the operand follows (-1: size 1, gone), if sizes differ by
// dimensions of size 1 alone.
std::optional<std::vector<int64_t>> MatchBigDimensions(absl::Span<const int64_t> operand,
                                                       absl::Span<const int64_t> result) {
  std::vector<int64_t> follows(operand.size(), -1);
  size_t r = 0;
  for (size_t d = 0; d < operand.size(); ++d) {
    if (operand[d] == 1) continue;
    while (r < result.size() && result[r] == 1) ++r;
    if (r == result.size() || result[r] != operand[d]) return std::nullopt;
    follows[d] = static_cast<int64_t>(r++);
  }
  while (r < result.size() && result[r] == 1) ++r;
  if (r != result.size()) return std::nullopt;
  return follows;
}

// For a bitcast with layouts, the dimension of the result that each dimension of the operand follows.
std::optional<std::vector<int64_t>> MatchBitcast(const Shape& operand, const Shape& result) {
  if (operand.rank() == 0 || result.rank() == 0) return std::nullopt;
  const std::vector<int64_t> from = MajorToMinor(operand), to = MajorToMinor(result);
  std::vector<int64_t> from_sizes, to_sizes;
  for (int64_t d : from) from_sizes.push_back(operand.dimension(d));
  for (int64_t d : to) to_sizes.push_back(result.dimension(d));
  const auto matched = MatchBigDimensions(from_sizes, to_sizes);
  if (!matched) return std::nullopt;
  std::vector<int64_t> follows(from.size(), -1);
  for (size_t k = 0; k < from.size(); ++k) {
    if ((*matched)[k] >= 0) follows[static_cast<size_t>(from[k])] = to[static_cast<size_t>((*matched)[k])];
  }
  return follows;
}

// Of reshapes and bitcasts.
std::optional<std::vector<int64_t>> FollowedDimensions(const Module& module, InstructionId id) {
  const Shape& operand = module.shape(module.operand(id, 0));
  const Shape& result = module.shape(id);
  if (!operand.IsArray() || !result.IsArray() || operand.ElementCount() == 0) return std::nullopt;
  if (StorageBytes(operand.element_type()) != StorageBytes(result.element_type())) return std::nullopt;
  if (module.opcode(id) == Opcode::kReshape) return MatchBigDimensions(operand.dimensions(), result.dimensions());
  // Elements that are packed in memory are another matter where the widths differ.
  if (BitWidth(operand.element_type()) != BitWidth(result.element_type())) return std::nullopt;
  return MatchBitcast(operand, result);
}

}  // namespace

IndexMap IdentityMap(size_t rank) {
  IndexMap map(rank);
  for (size_t d = 0; d < rank; ++d) map[d] = {static_cast<int>(d), 1, 0};
  return map;
}

bool IsView(const Module& module, InstructionId id) {
  switch (module.opcode(id)) {
    case Opcode::kBroadcast:
    case Opcode::kTranspose:
    case Opcode::kSlice:
    case Opcode::kReverse:
      return true;
    case Opcode::kReshape:
    case Opcode::kBitcast:
      return FollowedDimensions(module, id).has_value();
    default:
      return false;
  }
}

IndexMap OperandMap(const Module& module, InstructionId id, const IndexMap& map) {
  const Shape& operand = module.shape(module.operand(id, 0));
  IndexMap result(static_cast<size_t>(operand.rank()));
  switch (module.opcode(id)) {
    case Opcode::kBroadcast: {
      const absl::Span<const int64_t> dimensions = module.IntsAttribute(id, AttributeKind::kDimensions);
      for (size_t d = 0; d < result.size(); ++d) result[d] = map[static_cast<size_t>(dimensions[d])];
      break;
    }
    case Opcode::kTranspose: {
      const absl::Span<const int64_t> permutation = module.IntsAttribute(id, AttributeKind::kDimensions);
      for (size_t d = 0; d < permutation.size(); ++d) result[static_cast<size_t>(permutation[d])] = map[d];
      break;
    }
    case Opcode::kSlice: {
      const std::vector<SliceRange>& ranges = *module.SliceRangesAttribute(id);
      for (size_t d = 0; d < result.size(); ++d) {
        result[d] = {map[d].loop, map[d].scale * ranges[d].stride, ranges[d].start + map[d].offset * ranges[d].stride};
      }
      break;
    }
    case Opcode::kReverse: {
      result = map;
      for (int64_t d : module.IntsAttribute(id, AttributeKind::kDimensions)) {
        DimensionIndex& index = result[static_cast<size_t>(d)];
        index = {index.loop, -index.scale, operand.dimension(d) - 1 - index.offset};
      }
      break;
    }
    default: {
      const std::vector<int64_t> followed = *FollowedDimensions(module, id);
      for (size_t d = 0; d < followed.size(); ++d) {
        if (followed[d] >= 0) result[d] = map[static_cast<size_t>(followed[d])];
      }
      break;
    }
  }
  return result;
}

bool VisitsEachOnce(const IndexMap& map, absl::Span<const int64_t> loop_sizes) {
  for (size_t loop = 0; loop < loop_sizes.size(); ++loop) {
    if (loop_sizes[loop] <= 1) continue;
    if (std::none_of(map.begin(), map.end(), [&](const DimensionIndex& index) {
          return index.loop == static_cast<int>(loop) && index.scale != 0;
        })) {
      return false;
    }
  }
  return true;
}

LinearIndex LinearIndexOf(const IndexMap& map, absl::Span<const int64_t> sizes, size_t loop_count) {
  LinearIndex linear;
  linear.strides.assign(loop_count, 0);
  const std::vector<int64_t> strides = RowMajorStridesOf(sizes);
  for (size_t d = 0; d < map.size(); ++d) {
    linear.offset += map[d].offset * strides[d];
    if (map[d].loop >= 0) linear.strides[static_cast<size_t>(map[d].loop)] += map[d].scale * strides[d];
  }
  return linear;
}

std::vector<int64_t> MajorToMinor(const Shape& shape) {
  std::vector<int64_t> order;
  if (shape.has_layout() && static_cast<int64_t>(shape.layout().minor_to_major.size()) == shape.rank()) {
    order.assign(shape.layout().minor_to_major.rbegin(), shape.layout().minor_to_major.rend());
  } else {
    for (int64_t d = 0; d < shape.rank(); ++d) order.push_back(d);
  }
  return order;
}

bool KeepsLinearOrder(const Shape& shape) {
  int64_t last = -1;
  for (int64_t d : MajorToMinor(shape)) {
    if (shape.dimension(d) == 1) continue;
    if (d < last) return false;
    last = d;
  }
  return true;
}

}  // namespace hloscope::codegen
