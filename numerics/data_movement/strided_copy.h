// SPDX-License-Identifier: Apache-2.0
// Copying between strided views: the one place that walks indices of two layouts at once.
#ifndef HLOSCOPE_NUMERICS_DATA_MOVEMENT_STRIDED_COPY_H_
#define HLOSCOPE_NUMERICS_DATA_MOVEMENT_STRIDED_COPY_H_

#include <cstdint>
#include <span>

#include "numerics/parallel/small_vector.h"

namespace hloscope::numerics {

// CopyStrided in parts, which may be copied in any order and by several threads at a time. The arrays must outlive it.
class StridedCopy {
 public:
  StridedCopy(int64_t element_bytes, std::span<const int64_t> dimensions, const uint8_t* source,
              std::span<const int64_t> source_strides, uint8_t* target, std::span<const int64_t> target_strides,
              bool past_cache);

  int64_t part_count() const { return part_count_; }
  int64_t part_elements() const;  // of the largest part
  void CopyParts(int64_t begin, int64_t end) const;

  struct Dimension {
    int64_t size, source_stride, target_stride;
  };
  using Dimensions = SmallVector<Dimension, 6>;

 private:
  template <typename T>
  void Copy(int64_t begin, int64_t end) const;

  int64_t element_bytes_;  // of what is moved as one: an element, or some neighbours
  const bool past_cache_;
  const uint8_t* const source_;
  uint8_t* const target_;
  int64_t part_count_ = 0;
  // The source is contiguous along `outer_`, the target along `inner_`.
  bool is_transposed_ = false;
  Dimension outer_ = {}, inner_ = {};        // of a part
  int64_t outer_size_ = 0, inner_size_ = 0;  // of all parts
  Dimensions dims_;  // of parts, in the order of the target; those that count blocks of `inner_` and `outer_` are last
};

// Copies element (i0, i1, ...) of `source` to element (i0, i1, ...) of `target` for every index below `dimensions`.
// Strides are in elements of `element_bytes` (1, 2, 4, 8 or 16) bytes and may be zero or negative in the source. The
// ranges must not overlap. `past_cache`: transpositions may write as CopyPastCache does (past_cache.h).
void CopyStrided(int64_t element_bytes, std::span<const int64_t> dimensions, const uint8_t* source,
                 std::span<const int64_t> source_strides, uint8_t* target, std::span<const int64_t> target_strides,
                 bool past_cache = false);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_DATA_MOVEMENT_STRIDED_COPY_H_
