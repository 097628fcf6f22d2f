// SPDX-License-Identifier: Apache-2.0
// The text of the loops that gemm_micro.h declares. Included by the files of single instruction sets only.
#ifndef HLOSCOPE_NUMERICS_CONTRACTION_GEMM_MICRO_LOOPS_H_
#define HLOSCOPE_NUMERICS_CONTRACTION_GEMM_MICRO_LOOPS_H_

#include "numerics/contraction/gemm_micro.h"

namespace hloscope::numerics {
namespace {

template <typename T, int kBytes>
struct VectorOf {
  typedef T Vector __attribute__((vector_size(kBytes)));
  typedef T Unaligned __attribute__((vector_size(kBytes), aligned(sizeof(T)), may_alias));
  static constexpr int kLanes = kBytes / static_cast<int>(sizeof(T));
};

// kHeight x (kVectors vectors of kBytes): accumulators that all fit into registers.
template <typename T, int kBytes, int kHeight, int kVectors>
using TileSums = typename VectorOf<T, kBytes>::Vector[kHeight][kVectors];

// Adds the products of kHeight elements and kVectors vectors.
template <typename T, int kBytes, int kHeight, int kVectors>
[[gnu::always_inline]] inline void AddProducts(const T* a, const T* b, TileSums<T, kBytes, kHeight, kVectors>& sums) {
  using V = VectorOf<T, kBytes>;
  typename V::Vector row[kVectors];
#pragma GCC unroll 8
  for (int v = 0; v < kVectors; ++v) row[v] = *reinterpret_cast<const typename V::Unaligned*>(b + v * V::kLanes);
#pragma GCC unroll 16
  for (int r = 0; r < kHeight; ++r) {
    const typename V::Vector factor = a[r] - typename V::Vector{};  // one number in all lanes
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) sums[r][v] += factor * row[v];
  }
}

template <typename T, int kBytes, int kHeight, int kVectors>
[[gnu::always_inline]] inline void StoreTile(const TileSums<T, kBytes, kHeight, kVectors>& sums, bool accumulate, T* c,
                                             int64_t c_stride) {
  using V = VectorOf<T, kBytes>;
#pragma GCC unroll 16
  for (int r = 0; r < kHeight; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) {
      auto* const to = reinterpret_cast<typename V::Unaligned*>(c + r * c_stride + v * V::kLanes);
      *to = accumulate ? *to + sums[r][v] : sums[r][v];
    }
  }
}

// Of panels of kRows rows.
template <typename T, int kBytes, int kRows, int kHeight, int kVectors>
void MultiplyFirstRows(int64_t inner, const T* a, const T* b, T* c, int64_t c_stride, bool accumulate) {
  constexpr int kLanes = VectorOf<T, kBytes>::kLanes, kStepsAhead = 16;
  TileSums<T, kBytes, kHeight, kVectors> sums = {};
#pragma GCC unroll 4
  for (int64_t k = 0; k < inner; ++k, a += kRows, b += kVectors * kLanes) {
    // Panels of columns come from the second cache, and the processor fetches them too late: 2 to 8 % (Emerald Rapids).
    if constexpr (kBytes == 64) {
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) __builtin_prefetch(b + (kStepsAhead * kVectors + v) * kLanes);
    }
    AddProducts<T, kBytes, kHeight, kVectors>(a, b, sums);
  }
  StoreTile<T, kBytes, kHeight, kVectors>(sums, accumulate, c, c_stride);
}

template <typename T, int kBytes, int kRows, int kHeight, int kVectors>
void MultiplyFirstRowsInPlanes(const T* a, const PlaneColumns<T>& b, T* c, int64_t c_stride) {
  TileSums<T, kBytes, kHeight, kVectors> sums = {};
  const int64_t* const elements_end = b.elements + b.element_count;
  const T* feature = b.columns;
  for (int64_t f = 0; f < b.features; ++f, feature += b.feature_stride) {
#pragma GCC unroll 1
    for (const int64_t* element = b.elements; element != elements_end; ++element, a += kRows) {
      AddProducts<T, kBytes, kHeight, kVectors>(a, feature + *element, sums);
    }
  }
  StoreTile<T, kBytes, kHeight, kVectors>(sums, false, c, c_stride);
}

template <int kCount>
struct Rows {
  static constexpr int kRows = kCount;
};

// multiply(Rows<n>()) for the rows of a panel of kRows that are computed for `height`.
template <int kRows, typename Multiply>
[[gnu::always_inline]] inline void WithComputedRows(int64_t height, Multiply&& multiply) {
  constexpr int kThird = static_cast<int>(ComputedRows(kRows, 1));
  const int64_t computed = ComputedRows(kRows, height);
  if (computed == kThird) {
    multiply(Rows<kThird>());
  } else if (computed == 2 * kThird) {
    multiply(Rows<2 * kThird>());
  } else {
    multiply(Rows<kRows>());
  }
}

template <typename T, int kBytes, int kRows, int kVectors>
void MultiplyTile(int64_t height, int64_t inner, const T* a, const T* b, T* c, int64_t c_stride, bool accumulate) {
  WithComputedRows<kRows>(height, [&](auto rows) {
    MultiplyFirstRows<T, kBytes, kRows, decltype(rows)::kRows, kVectors>(inner, a, b, c, c_stride, accumulate);
  });
}

template <typename T, int kBytes, int kRows, int kVectors>
void MultiplyTileInPlanes(int64_t height, const T* a, const PlaneColumns<T>& b, T* c, int64_t c_stride) {
  WithComputedRows<kRows>(height, [&](auto rows) {
    MultiplyFirstRowsInPlanes<T, kBytes, kRows, decltype(rows)::kRows, kVectors>(a, b, c, c_stride);
  });
}

template <typename T, int kBytes, int kRows, int kVectors>
void MultiplyLines(int64_t groups, int64_t first, int64_t run, const T* const* lines, const T* b, T* c,
                   int64_t c_stride, bool accumulate) {
  typedef T Vector __attribute__((vector_size(kBytes)));
  typedef T UnalignedVector __attribute__((vector_size(kBytes), aligned(sizeof(T)), may_alias));
  constexpr int kLanes = kBytes / static_cast<int>(sizeof(T));
  Vector sums[kRows][kVectors] = {};
  if (accumulate) {
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) {
        sums[r][v] = *reinterpret_cast<const UnalignedVector*>(c + r * c_stride + v * kLanes);
      }
    }
  }
  // The innermost loop needs nearly all registers for its lines: what only the outer one needs stays in memory.
  struct {
    int64_t groups, end, run;
    const T* const* lines;
  } outer = {groups, first + run, run, lines};
  for (; outer.groups > 0; --outer.groups, outer.lines += kRows) {
    const T* line_end[kRows];
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) line_end[r] = outer.lines[r] + outer.end;
    int64_t k = -outer.run;
    asm volatile("" : "+m"(outer));
#pragma GCC unroll 1
    for (; k < 0; ++k, b += kVectors * kLanes) {
      Vector row[kVectors];
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) row[v] = *reinterpret_cast<const UnalignedVector*>(b + v * kLanes);
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) {
        const Vector factor = line_end[r][k] - Vector{};
#pragma GCC unroll 8
        for (int v = 0; v < kVectors; ++v) sums[r][v] += factor * row[v];
      }
    }
  }
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) {
      *reinterpret_cast<UnalignedVector*>(c + r * c_stride + v * kLanes) = sums[r][v];
    }
  }
}

template <typename T, int kBytes, int kVectors>
void MultiplyTaps(int64_t taps, const T* const* inputs, int64_t first, const T* weights, T* c, int64_t c_stride) {
  typedef T Vector __attribute__((vector_size(kBytes)));
  typedef T UnalignedVector __attribute__((vector_size(kBytes), aligned(sizeof(T)), may_alias));
  constexpr int kLanes = kBytes / static_cast<int>(sizeof(T)), kRows = static_cast<int>(kTapRows);
  Vector sums[kRows][kVectors] = {};
  for (int64_t t = 0; t < taps; ++t, weights += kRows) {
    const T* const from = inputs[t] + first;
    Vector row[kVectors];
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) row[v] = *reinterpret_cast<const UnalignedVector*>(from + v * kLanes);
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      const Vector factor = weights[r] - Vector{};
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) sums[r][v] += factor * row[v];
    }
  }
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) {
      *reinterpret_cast<UnalignedVector*>(c + r * c_stride + v * kLanes) = sums[r][v];
    }
  }
}

// Of taps, as many vectors as fit into registers beside their inputs.
template <typename T, int kBytes, int kRows, int kVectors>
MicroKernel<T> KernelOf() {
  constexpr int kLanes = kBytes / static_cast<int>(sizeof(T)), kTapVectors = kBytes == 64 ? 4 : 2;
  return {kRows,
          kVectors * kLanes,
          &MultiplyTile<T, kBytes, kRows, kVectors>,
          &MultiplyLines<T, kBytes, kRows, kVectors>,
          kTapVectors * kLanes,
          &MultiplyTaps<T, kBytes, kTapVectors>,
          &MultiplyTileInPlanes<T, kBytes, kRows, kVectors>};
}

template <int kBytes, int kRows, int kVectors>
MicroKernels KernelsOf() {
  return {KernelOf<float, kBytes, kRows, kVectors>(), KernelOf<double, kBytes, kRows, kVectors>(),
          KernelOf<uint32_t, kBytes, kRows, kVectors>()};
}

}  // namespace
}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_CONTRACTION_GEMM_MICRO_LOOPS_H_
