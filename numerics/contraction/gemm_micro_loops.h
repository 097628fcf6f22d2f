// SPDX-License-Identifier: Apache-2.0
// The text of the loops that gemm_micro.h declares. Included by the files of single instruction sets only.
#ifndef HLOSCOPE_NUMERICS_CONTRACTION_GEMM_MICRO_LOOPS_H_
#define HLOSCOPE_NUMERICS_CONTRACTION_GEMM_MICRO_LOOPS_H_

#include "numerics/contraction/gemm_micro.h"

namespace hloscope::numerics {
namespace {

// kRows x (kVectors vectors of kBytes): accumulators that all fit into registers.
template <typename T, int kBytes, int kRows, int kVectors>
void MultiplyTile(int64_t inner, const T* a, const T* b, T* c, int64_t c_stride, bool accumulate) {
  typedef T Vector __attribute__((vector_size(kBytes)));
  typedef T UnalignedVector __attribute__((vector_size(kBytes), aligned(sizeof(T)), may_alias));
  constexpr int kLanes = kBytes / static_cast<int>(sizeof(T));
  Vector sums[kRows][kVectors] = {};
#pragma GCC unroll 4
  for (int64_t k = 0; k < inner; ++k, a += kRows, b += kVectors * kLanes) {
    Vector row[kVectors];
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) row[v] = *reinterpret_cast<const UnalignedVector*>(b + v * kLanes);
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      const Vector factor = a[r] - Vector{};  // one number in all lanes
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) sums[r][v] += factor * row[v];
    }
  }
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) {
      UnalignedVector* const to = reinterpret_cast<UnalignedVector*>(c + r * c_stride + v * kLanes);
      *to = accumulate ? *to + sums[r][v] : sums[r][v];
    }
  }
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
  for (int64_t g = 0; g < groups; ++g, lines += kRows) {
    const T* line[kRows];
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) line[r] = lines[r] + first;
#pragma GCC unroll 4
    for (int64_t k = 0; k < run; ++k, b += kVectors * kLanes) {
      Vector row[kVectors];
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) row[v] = *reinterpret_cast<const UnalignedVector*>(b + v * kLanes);
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) {
        const Vector factor = line[r][k] - Vector{};
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
          &MultiplyTaps<T, kBytes, kTapVectors>};
}

template <int kBytes, int kRows, int kVectors>
MicroKernels KernelsOf() {
  return {KernelOf<float, kBytes, kRows, kVectors>(), KernelOf<double, kBytes, kRows, kVectors>(),
          KernelOf<uint32_t, kBytes, kRows, kVectors>()};
}

}  // namespace
}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_CONTRACTION_GEMM_MICRO_LOOPS_H_
