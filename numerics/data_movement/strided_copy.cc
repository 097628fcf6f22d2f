// SPDX-License-Identifier: Apache-2.0
#include "numerics/data_movement/strided_copy.h"

#include <algorithm>
#include <cstring>

#include "numerics/data_movement/transposed_tiles.h"
#include "numerics/parallel/small_vector.h"

namespace hloscope::numerics {
namespace {

struct Dimension {
  int64_t size, source_stride, target_stride;
};
using Dimensions = SmallVector<Dimension, 6>;

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

// Two dimensions, one contiguous in the source, the other in the target, in tiles that stay in the cache.
template <typename T>
void CopyTransposed(const Dimension& outer, const Dimension& inner, const T* source, T* target, bool past_cache) {
  const int64_t side = TileSide(sizeof(T));
  const bool has_tiles =
      side > 0 && outer.source_stride == 1 && inner.target_stride == 1 && outer.size >= side && inner.size >= side;
  if (has_tiles) {
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

template <typename T>
void Copy(Dimensions dims, const T* source, T* target, bool past_cache) {
  const Dimension inner = dims.back();
  dims.pop_back();
  // The dimension along which the source is contiguous, if it is not the innermost one.
  const auto contiguous = std::find_if(
      dims.begin(), dims.end(), [](const Dimension& d) { return d.source_stride == 1 || d.source_stride == -1; });
  const bool transposed = inner.source_stride != 1 && inner.source_stride != 0 && contiguous != dims.end();
  Dimension outer{};
  if (transposed) {
    outer = *contiguous;
    dims.erase(contiguous);
  }
  DimensionVector index(dims.size(), 0);
  while (true) {
    if (transposed) {
      CopyTransposed(outer, inner, source, target, past_cache);
    } else {
      CopyRow(inner, source, target);
    }
    size_t k = dims.size();
    while (k > 0) {
      --k;
      source += dims[k].source_stride;
      target += dims[k].target_stride;
      if (++index[k] < dims[k].size) break;
      source -= dims[k].source_stride * dims[k].size;
      target -= dims[k].target_stride * dims[k].size;
      index[k] = 0;
      if (k == 0) return;
    }
    if (dims.empty()) return;
  }
}

}  // namespace

void CopyStrided(int64_t element_bytes, std::span<const int64_t> dimensions, const uint8_t* source,
                 std::span<const int64_t> source_strides, uint8_t* target, std::span<const int64_t> target_strides,
                 bool past_cache) {
  if (std::find(dimensions.begin(), dimensions.end(), 0) != dimensions.end()) return;
  const Dimensions dims = Collapse(dimensions, source_strides, target_strides);
  switch (element_bytes) {
    case 1:
      return Copy(dims, source, target, past_cache);
    case 2:
      return Copy(dims, reinterpret_cast<const uint16_t*>(source), reinterpret_cast<uint16_t*>(target), past_cache);
    case 4:
      return Copy(dims, reinterpret_cast<const uint32_t*>(source), reinterpret_cast<uint32_t*>(target), past_cache);
    case 8:
      return Copy(dims, reinterpret_cast<const uint64_t*>(source), reinterpret_cast<uint64_t*>(target), past_cache);
    default:
      return Copy(dims, reinterpret_cast<const Wide*>(source), reinterpret_cast<Wide*>(target), past_cache);
  }
}

}  // namespace hloscope::numerics
