// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/lanes/lane_source.h"

#include <algorithm>
#include <cstring>

#include "numerics/data_movement/run_ahead.h"
#include "numerics/elements/element_bits.h"
#include "numerics/parallel/vector_loops.h"

namespace hloscope::evaluator {
namespace {

// Each of `rows` elements, `row_stride` apart, `size` times; kSize is that number, or 0.
template <int64_t kSize, typename T>
[[gnu::always_inline]] inline void RepeatEach(const T* from, int64_t row_stride, int64_t rows, int64_t size, T* to) {
  if constexpr (kSize > 0) size = kSize;
  for (int64_t r = 0; r < rows; ++r, from += row_stride, to += size) {
    const T element = *from;
    for (int64_t i = 0; i < size; ++i) to[i] = element;
  }
}

// `rows` rows of `size` elements, `stride` elements apart, the rows `row_stride` apart. Mostly of few elements: a call
// for each would take longer than its elements.
template <typename T>
[[gnu::always_inline]] inline void GatherRows(const T* from, int64_t row_stride, int64_t rows, int64_t stride,
                                              int64_t size, T* to) {
  constexpr int64_t kLong = 512 / sizeof(T);
  if (stride == 1 && size >= kLong) {
    for (int64_t r = 0; r < rows; ++r, from += row_stride, to += size) {
      std::memcpy(to, from, static_cast<size_t>(size) * sizeof(T));
    }
  } else if (stride == 1) {
    // Parts of longer rows.
    const bool is_near = row_stride > size && row_stride <= 4 * size;
    for (int64_t r = 0; r < rows; ++r, from += row_stride, to += size) {
      if (is_near) numerics::FetchAhead(from, size);
      HLOSCOPE_INDEPENDENT_LANES
      for (int64_t i = 0; i < size; ++i) to[i] = from[i];
    }
  } else if (stride == 0) {
    // Of many rows each is a store or two.
    if (size == 2) return RepeatEach<2>(from, row_stride, rows, size, to);
    if (size == 4) return RepeatEach<4>(from, row_stride, rows, size, to);
    if (size == 8) return RepeatEach<8>(from, row_stride, rows, size, to);
    if (size == 16) return RepeatEach<16>(from, row_stride, rows, size, to);
    return RepeatEach<0>(from, row_stride, rows, size, to);
  } else {
    for (int64_t r = 0; r < rows; ++r, from += row_stride, to += size) {
      for (int64_t i = 0; i < size; ++i) to[i] = from[i * stride];
    }
  }
}

// A function that is cloned for instruction sets cannot be a template's.
#define HLOSCOPE_GATHER_ROWS(T)                                                                             \
  HLOSCOPE_VECTOR_CLONES void GatherRowsOf(const T* from, int64_t row_stride, int64_t rows, int64_t stride, \
                                           int64_t size, T* to) {                                           \
    GatherRows(from, row_stride, rows, stride, size, to);                                                   \
  }
HLOSCOPE_GATHER_ROWS(uint8_t)
HLOSCOPE_GATHER_ROWS(uint16_t)
HLOSCOPE_GATHER_ROWS(uint32_t)
HLOSCOPE_GATHER_ROWS(uint64_t)
HLOSCOPE_GATHER_ROWS(numerics::Bits128)
#undef HLOSCOPE_GATHER_ROWS

// Elements [begin, begin + count) of the plan.
template <typename T>
void GatherElements(const StridedPlan<1>& plan, const T* data, int64_t begin, int64_t count, T* to) {
  const DimensionVector& sizes = plan.dimensions;
  const DimensionVector& strides = plan.strides[0];
  const size_t last = sizes.size() - 1;
  DimensionVector index(sizes.size(), 0);
  for (size_t d = sizes.size(), n = static_cast<size_t>(begin); d-- > 0; n /= static_cast<size_t>(sizes[d])) {
    index[d] = static_cast<int64_t>(n) % sizes[d];
    data += index[d] * strides[d];
  }
  // Dimension `d` goes on by `steps`, none of which is beyond its end, and carries.
  const auto advance = [&](size_t d, int64_t steps) {
    index[d] += steps;
    data += steps * strides[d];
    while (index[d] == sizes[d] && d > 0) {
      data += strides[d - 1] - sizes[d] * strides[d];
      index[d] = 0;
      ++index[--d];
    }
  };
  while (count > 0) {
    // Part of a row, or whole rows together.
    if (last == 0 || index[last] > 0 || count < sizes[last]) {
      const int64_t part = std::min(count, sizes[last] - index[last]);
      GatherRowsOf(data, 0, 1, strides[last], part, to);
      to += part;
      count -= part;
      advance(last, part);
    } else {
      const int64_t rows = std::min(count / sizes[last], sizes[last - 1] - index[last - 1]);
      GatherRowsOf(data, strides[last - 1], rows, strides[last], sizes[last], to);
      to += rows * sizes[last];
      count -= rows * sizes[last];
      advance(last - 1, rows);
    }
  }
}

}  // namespace

void GatherStrided(const uint8_t* from, int64_t stride, uint8_t* to, int64_t count, int64_t element_bytes) {
  numerics::VisitElementBytes(element_bytes, [&](auto element) {
    using T = decltype(element);
    GatherRowsOf(reinterpret_cast<const T*>(from), 0, 1, stride, count, reinterpret_cast<T*>(to));
  });
}

LaneSource::LaneSource(const Tensor& tensor, absl::Span<const int64_t> dimensions, absl::Span<const int64_t> strides)
    : data(tensor.data()), element_bytes(tensor.element_bytes()), plan(CollapseDimensions<1>(dimensions, {strides})) {
  const bool is_one_row = plan.dimensions.size() == 1;
  is_uniform = is_one_row && (plan.row_stride(0) == 0 || plan.row_size() == 1);
  is_dense = is_one_row && plan.row_stride(0) == 1;
  int64_t inner = plan.row_size();
  for (size_t d = plan.dimensions.size() - 1; d-- > 0 && period == 0; inner *= plan.dimensions[d]) {
    if (plan.strides[0][d] != 0) continue;
    period = inner;
    cycle = inner * plan.dimensions[d];
  }
}

const uint8_t* LaneSource::At(int64_t n) const {
  int64_t offset = 0;
  for (size_t d = plan.dimensions.size(); d-- > 0;) {
    offset += n % plan.dimensions[d] * plan.strides[0][d];
    n /= plan.dimensions[d];
  }
  return data + offset * element_bytes;
}

void LaneSource::Gather(int64_t begin, int64_t count, uint8_t* buffer) const {
  numerics::VisitElementBytes(element_bytes, [&](auto element) {
    using T = decltype(element);
    GatherElements(plan, reinterpret_cast<const T*>(data), begin, count, reinterpret_cast<T*>(buffer));
  });
}

bool GatheredBlock::Holds(const LaneSource& source, int64_t first, int64_t count) {
  if (source.period == 0) return false;
  const int64_t phase = first % source.period, number = first / source.cycle;
  if (phase == phase_ && number == number_ && count <= count_ && first % source.cycle + count <= source.cycle) {
    return true;
  }
  // Beyond the end of a cycle come other elements.
  phase_ = phase;
  number_ = number;
  count_ = std::min(count, source.cycle - first % source.cycle);
  return false;
}

int64_t BlockOfPeriods(absl::Span<const LaneSource> sources, int64_t first, int64_t most) {
  int64_t period = 1;
  for (const LaneSource& source : sources) {
    if (source.period <= most) period = std::max(period, source.period);
  }
  const int64_t phase = first % period;
  return phase > 0 ? period - phase : most / period * period;
}

}  // namespace hloscope::evaluator
