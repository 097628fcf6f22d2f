// SPDX-License-Identifier: Apache-2.0
// When a reshape, transpose or copy moves nothing (docs/ops/tensor.md 12.6), and what it costs when it does.
#ifndef HLOSCOPE_CORE_LAYOUT_RELAYOUT_H_
#define HLOSCOPE_CORE_LAYOUT_RELAYOUT_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "core/ir/shape.h"
#include "core/layout/physical_layout.h"

namespace hloscope {

// Whether every element keeps its address. Untiled and evenly tiled layouts are decided from their strides, others by
// comparing addresses, dimension by dimension where the layouts allow it. Should that take more than `max_comparisons`
// the answer is no. Both shapes are arrays with usable layouts (none: the descending one).
//
// Different element types, element bits, memory spaces or element counts: no. Arrays without elements: yes.
inline constexpr int64_t kMaxComparisons = int64_t{1} << 23;
bool IsFreeReshape(const PhysicalLayout& operand, const PhysicalLayout& result,
                   int64_t max_comparisons = kMaxComparisons);
// `permutation[k]` is the operand's dimension that becomes dimension k of the result; the sizes must agree with it.
bool IsFreeTranspose(const PhysicalLayout& operand, const PhysicalLayout& result, absl::Span<const int64_t> permutation,
                     int64_t max_comparisons = kMaxComparisons);
// The same dimensions under another layout.
bool IsFreeCopy(const PhysicalLayout& operand, const PhysicalLayout& result);

// Whether `bitcast` may turn one buffer into the other (BC-1, BC-2 of section 9): equal bytes; with `size_may_differ`
// equal data extents are enough for static arrays; both or neither in host memory.
bool IsValidBitcast(const PhysicalLayout& operand, const PhysicalLayout& result, bool size_may_differ = false);

struct Relayout {
  bool is_free = false;
  std::string reason;  // why it is not free: "element types differ (f32, s32)", "(0,1) moves from address 2 to 1"
  // Elements whose address changes; not counted beyond 2^22 elements.
  std::optional<int64_t> moved_elements;
  // Whole buffers, read and written; 0 if it is free.
  int64_t bytes_moved = 0;
  // What has to move at least, read and written.
  std::optional<int64_t> least_bytes_moved;
};

// Errors InvalidArgument: the sizes do not belong to a reshape, or not to a transpose by this permutation.
absl::StatusOr<Relayout> ReshapeCost(const PhysicalLayout& operand, const PhysicalLayout& result);
absl::StatusOr<Relayout> TransposeCost(const PhysicalLayout& operand, const PhysicalLayout& result,
                                       absl::Span<const int64_t> permutation);

// The layouts of results that make the instruction free, for untiled operands. A transpose has one always; a reshape
// only if each factor group is contiguous and row-major in the operand. Nothing if there is none, or if `operand` has
// tiles, splits or a usable layout is missing. `result_dimensions` must have the operand's element count.
std::optional<Layout> LayoutOfFreeReshape(const Shape& operand, absl::Span<const int64_t> result_dimensions);
std::optional<Layout> LayoutOfFreeTranspose(const Shape& operand, absl::Span<const int64_t> permutation);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_LAYOUT_RELAYOUT_H_
