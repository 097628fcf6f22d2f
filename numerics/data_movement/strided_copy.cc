// SPDX-License-Identifier: Apache-2.0
#include "numerics/data_movement/strided_copy.h"

#include <algorithm>
#include <cstring>

#include "numerics/data_movement/transposed_tiles.h"
#include "numerics/parallel/vector_loops.h"

namespace hloscope::numerics {
namespace {

using Dimension = StridedCopy::Dimension;
using Dimensions = StridedCopy::Dimensions;

// The same walk with as few dimensions as possible: size-1 dimensions left out, neighbours that are contiguous in both
// operands merged, sorted so that the target is written in ascending order. Never empty.
Dimensions Collapse(std::span<const int64_t> sizes, std::span<const int64_t> source_strides,
                    std::span<const int64_t> target_strides) {
  Dimensions all;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] != 1) all.push_back({sizes[i], source_strides[i], target_strides[i]});
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Dimension& a, const Dimension& b) { return a.target_stride > b.target_stride; });
  Dimensions merged;
  for (const Dimension& d : all) {
    if (!merged.empty() && merged.back().source_stride == d.size * d.source_stride &&
        merged.back().target_stride == d.size * d.target_stride) {
      merged.back() = {merged.back().size * d.size, d.source_stride, d.target_stride};
    } else {
      merged.push_back(d);
    }
  }
  if (merged.empty()) merged.push_back({1, 1, 1});
  return merged;
}

struct Wide {
  uint64_t low, high;
};

template <typename T>
void CopyRow(const Dimension& d, const T* source, T* target) {
  if (d.source_stride == 1 && d.target_stride == 1) {
    std::memcpy(target, source, static_cast<size_t>(d.size) * sizeof(T));
  } else if (d.source_stride == 0 && d.target_stride == 1) {
    std::fill_n(target, d.size, *source);
  } else {
    for (int64_t i = 0; i < d.size; ++i) target[i * d.target_stride] = source[i * d.source_stride];
  }
}

// target[i * kLines + j] = source[j * line_stride + i].
template <int64_t kLines, typename T>
[[gnu::always_inline]] inline void InterleaveLines(const T* source, int64_t line_stride, int64_t count, T* target) {
  HLOSCOPE_INDEPENDENT_LANES
  for (int64_t i = 0; i < count; ++i) {
#pragma GCC unroll 4
    for (int64_t j = 0; j < kLines; ++j) target[i * kLines + j] = source[j * line_stride + i];
  }
}

// The same for two or three lines. A function that is cloned for instruction sets cannot be a template's.
#define HLOSCOPE_INTERLEAVE(T)                                                                               \
  HLOSCOPE_VECTOR_CLONES void Interleave(int64_t lines, const T* source, int64_t line_stride, int64_t count, \
                                         T* target) {                                                        \
    lines == 2 ? InterleaveLines<2>(source, line_stride, count, target)                                      \
               : InterleaveLines<3>(source, line_stride, count, target);                                     \
  }
HLOSCOPE_INTERLEAVE(uint8_t)
HLOSCOPE_INTERLEAVE(uint16_t)
HLOSCOPE_INTERLEAVE(uint32_t)
HLOSCOPE_INTERLEAVE(uint64_t)
#undef HLOSCOPE_INTERLEAVE

// Rows of which some are so short that a call for each would take longer than its elements.
template <typename T>
void CopyRows(const Dimension& rows, const Dimension& row, const T* source, T* target) {
  constexpr int64_t kShort = 64 / sizeof(T);
  if (row.source_stride == 1 && row.target_stride == 1 && row.size < kShort) {
    for (int64_t r = 0; r < rows.size; ++r, source += rows.source_stride, target += rows.target_stride) {
      HLOSCOPE_INDEPENDENT_LANES
      for (int64_t i = 0; i < row.size; ++i) target[i] = source[i];
    }
    return;
  }
  if constexpr (sizeof(T) <= sizeof(uint64_t)) {
    // Each element some times.
    const bool repeats = row.source_stride == 0 && row.target_stride == 1 && rows.target_stride == row.size;
    if (repeats && rows.source_stride == 1 && (row.size == 2 || row.size == 3)) {
      return Interleave(row.size, source, 0, rows.size, target);
    }
  }
  for (int64_t r = 0; r < rows.size; ++r, source += rows.source_stride, target += rows.target_stride) {
    CopyRow(row, source, target);
  }
}

// Two dimensions, one contiguous in the source, the other in the target, in tiles that stay in the cache.
template <typename T>
void CopyTransposed(const Dimension& outer, const Dimension& inner, const T* source, T* target, bool past_cache) {
  // Tiles with shorter lines take longer than their elements one by one.
  constexpr int64_t kLeastPart = 4;
  const int64_t side = TileSide(sizeof(T));
  const bool in_lines = side > 0 && outer.source_stride == 1 && inner.target_stride == 1;
  if (in_lines && TakesPartsOfTiles(sizeof(T)) && std::min(outer.size, inner.size) >= kLeastPart) {
    TransposeTiles(sizeof(T), {reinterpret_cast<const uint8_t*>(source), inner.source_stride},
                   {reinterpret_cast<uint8_t*>(target), outer.target_stride}, outer.size, inner.size, past_cache);
    return;
  }
  if (in_lines && outer.size >= side && inner.size >= side) {
    const int64_t whole_outer = outer.size / side * side, whole_inner = inner.size / side * side;
    TransposeTiles(sizeof(T), {reinterpret_cast<const uint8_t*>(source), inner.source_stride},
                   {reinterpret_cast<uint8_t*>(target), outer.target_stride}, whole_outer, whole_inner, past_cache);
    // What is left over: a strip along each side, too narrow for tiles.
    if (whole_inner < inner.size) {
      CopyTransposed({whole_outer, 1, outer.target_stride}, {inner.size - whole_inner, inner.source_stride, 1},
                     source + whole_inner * inner.source_stride, target + whole_inner, past_cache);
    }
    if (whole_outer < outer.size) {
      CopyTransposed({outer.size - whole_outer, 1, outer.target_stride}, inner, source + whole_outer,
                     target + whole_outer * outer.target_stride, past_cache);
    }
    return;
  }
  if constexpr (sizeof(T) <= sizeof(uint64_t)) {
    const bool is_few = inner.size == 2 || inner.size == 3;
    if (is_few && outer.source_stride == 1 && inner.target_stride == 1 && outer.target_stride == inner.size) {
      return Interleave(inner.size, source, inner.source_stride, outer.size, target);
    }
  }
  constexpr int64_t kTile = sizeof(T) >= 8 ? 16 : 32;
  for (int64_t i0 = 0; i0 < outer.size; i0 += kTile) {
    const int64_t i_end = std::min(outer.size, i0 + kTile);
    for (int64_t j0 = 0; j0 < inner.size; j0 += kTile) {
      const int64_t j_end = std::min(inner.size, j0 + kTile);
      for (int64_t i = i0; i < i_end; ++i) {
        const T* from = source + i * outer.source_stride;
        T* to = target + i * outer.target_stride;
        for (int64_t j = j0; j < j_end; ++j) to[j * inner.target_stride] = from[j * inner.source_stride];
      }
    }
  }
}

// A dimension in blocks of `block`, as one that counts them; `d` becomes one block.
Dimension Cut(Dimension& d, int64_t block) {
  const Dimension blocks = {(d.size - 1) / block + 1, d.source_stride * block, d.target_stride * block};
  d.size = block;
  return blocks;
}

// Neighbours that stay together, and would fit into a larger element, as one: divides the strides, takes their
// dimension away and returns how many they are; 1 if there are none.
int64_t JoinNeighbours(int64_t element_bytes, const uint8_t* source, const uint8_t* target, Dimensions& dimensions) {
  constexpr int64_t kLargest = sizeof(uint64_t);
  const Dimension last = dimensions.back();
  const int64_t bytes = element_bytes * last.size;
  const bool is_power = (last.size & (last.size - 1)) == 0;
  if (dimensions.size() < 2 || last.source_stride != 1 || last.target_stride != 1 || !is_power || bytes > kLargest) {
    return 1;
  }
  const auto is_aligned = [bytes](const uint8_t* data) {
    return reinterpret_cast<uintptr_t>(data) % static_cast<uintptr_t>(bytes) == 0;
  };
  if (!is_aligned(source) || !is_aligned(target)) return 1;
  for (size_t k = 0; k + 1 < dimensions.size(); ++k) {
    if (dimensions[k].source_stride % last.size != 0 || dimensions[k].target_stride % last.size != 0) return 1;
  }
  dimensions.pop_back();
  for (Dimension& d : dimensions) {
    d.source_stride /= last.size;
    d.target_stride /= last.size;
  }
  return last.size;
}

}  // namespace

StridedCopy::StridedCopy(int64_t element_bytes, std::span<const int64_t> dimensions, const uint8_t* source,
                         std::span<const int64_t> source_strides, uint8_t* target,
                         std::span<const int64_t> target_strides, bool past_cache)
    : element_bytes_(element_bytes), past_cache_(past_cache), source_(source), target_(target) {
  if (std::find(dimensions.begin(), dimensions.end(), 0) != dimensions.end()) return;
  dims_ = Collapse(dimensions, source_strides, target_strides);
  element_bytes_ *= JoinNeighbours(element_bytes, source, target, dims_);
  inner_ = dims_.back();
  dims_.pop_back();
  // The dimension along which the source is contiguous, if it is not the innermost one.
  const auto contiguous = std::find_if(
      dims_.begin(), dims_.end(), [](const Dimension& d) { return d.source_stride == 1 || d.source_stride == -1; });
  is_transposed_ = inner_.source_stride != 1 && inner_.source_stride != 0 && contiguous != dims_.end();
  inner_size_ = inner_.size;
  if (is_transposed_) {
    // Parts of whole cache lines, in pairs, of both arrays.
    constexpr int64_t kSide = 64, kElements = 1 << 15;
    outer_ = *contiguous;
    dims_.erase(contiguous);
    outer_size_ = outer_.size;
    const auto block = [](int64_t size, int64_t other) {
      return std::min(size, std::max(kElements / other / kSide, int64_t{1}) * kSide);
    };
    const int64_t outer_block = block(outer_size_, inner_size_);
    dims_.push_back(Cut(inner_, block(inner_size_, outer_block)));
    dims_.push_back(Cut(outer_, outer_block));
  } else {
    constexpr int64_t kElements = 1 << 16;
    dims_.push_back(Cut(inner_, std::min(inner_size_, kElements)));
  }
  part_count_ = 1;
  for (const Dimension& d : dims_) part_count_ *= d.size;
}

int64_t StridedCopy::part_elements() const { return inner_.size * (is_transposed_ ? outer_.size : 1); }

template <typename T>
void StridedCopy::Copy(int64_t begin, int64_t end) const {
  const T* source = reinterpret_cast<const T*>(source_);
  T* target = reinterpret_cast<T*>(target_);
  DimensionVector index(dims_.size(), 0);
  for (size_t k = dims_.size(), n = static_cast<size_t>(begin); k-- > 0; n /= static_cast<size_t>(dims_[k].size)) {
    index[k] = static_cast<int64_t>(n) % dims_[k].size;
    source += index[k] * dims_[k].source_stride;
    target += index[k] * dims_[k].target_stride;
  }
  const size_t last = dims_.size() - 1;
  for (int64_t n = begin; n < end;) {
    // Rows that are not cut are copied together, as far as they are equally far apart.
    size_t moved = last;
    int64_t parts = 1;
    if (is_transposed_) {
      const Dimension outer = {std::min(outer_.size, outer_size_ - index[last] * outer_.size), outer_.source_stride,
                               outer_.target_stride};
      const Dimension inner = {std::min(inner_.size, inner_size_ - index[last - 1] * inner_.size), inner_.source_stride,
                               inner_.target_stride};
      CopyTransposed(outer, inner, source, target, past_cache_);
    } else if (dims_[last].size == 1 && last > 0) {
      moved = last - 1;
      parts = std::min(end - n, dims_[moved].size - index[moved]);
      CopyRows({parts, dims_[moved].source_stride, dims_[moved].target_stride}, inner_, source, target);
    } else {
      CopyRow(
          {std::min(inner_.size, inner_size_ - index.back() * inner_.size), inner_.source_stride, inner_.target_stride},
          source, target);
    }
    n += parts;
    index[moved] += parts - 1;
    source += (parts - 1) * dims_[moved].source_stride;
    target += (parts - 1) * dims_[moved].target_stride;
    for (size_t k = moved + 1; k-- > 0;) {
      source += dims_[k].source_stride;
      target += dims_[k].target_stride;
      if (++index[k] < dims_[k].size) break;
      source -= dims_[k].source_stride * dims_[k].size;
      target -= dims_[k].target_stride * dims_[k].size;
      index[k] = 0;
    }
  }
}

void StridedCopy::CopyParts(int64_t begin, int64_t end) const {
  switch (element_bytes_) {
    case 1:
      return Copy<uint8_t>(begin, end);
    case 2:
      return Copy<uint16_t>(begin, end);
    case 4:
      return Copy<uint32_t>(begin, end);
    case 8:
      return Copy<uint64_t>(begin, end);
    default:
      return Copy<Wide>(begin, end);
  }
}

void CopyStrided(int64_t element_bytes, std::span<const int64_t> dimensions, const uint8_t* source,
                 std::span<const int64_t> source_strides, uint8_t* target, std::span<const int64_t> target_strides,
                 bool past_cache) {
  const StridedCopy copy(element_bytes, dimensions, source, source_strides, target, target_strides, past_cache);
  copy.CopyParts(0, copy.part_count());
}

}  // namespace hloscope::numerics
