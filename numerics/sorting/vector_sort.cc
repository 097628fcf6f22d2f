// SPDX-License-Identifier: Apache-2.0
#include "numerics/sorting/vector_sort.h"

#include "numerics/parallel/cpu_level.h"
#include "numerics/parallel/vector_loops.h"

#ifdef HLOSCOPE_AVX512_FUNCTION
#include <immintrin.h>

#include <algorithm>
#include <limits>
#endif

namespace hloscope::numerics {

#ifdef HLOSCOPE_AVX512_FUNCTION
namespace {

typedef __m512i Vector;
constexpr int64_t kLanes = 16;

// The lanes [0, count).
HLOSCOPE_AVX512_FUNCTION inline __mmask16 FirstLanes(int64_t count) {
  return static_cast<__mmask16>((uint32_t{1} << count) - 1);
}

// Masks of all lanes: GCC 12 warns of what the functions without a mask leave undefined.
constexpr __mmask16 kAll = 0xffff;
HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] inline Vector Smaller(Vector a, Vector b) {
  return _mm512_maskz_min_epi32(kAll, a, b);
}
HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] inline Vector Larger(Vector a, Vector b) {
  return _mm512_maskz_max_epi32(kAll, a, b);
}
HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] inline Vector Permuted(Vector lanes, Vector v) {
  return _mm512_maskz_permutexvar_epi32(kAll, lanes, v);
}

// Compares each lane with the one whose number differs by the bits of `apart`; the lanes of `upper` keep the larger.
HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] inline Vector OrderLanes(Vector v, int apart, __mmask16 upper) {
  const Vector numbers = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const Vector other = Permuted(_mm512_xor_si512(numbers, _mm512_set1_epi32(apart)), v);
  return _mm512_mask_max_epi32(Smaller(v, other), upper, v, other);
}

constexpr __mmask16 kUpper1 = 0xaaaa, kUpper2 = 0xcccc, kUpper4 = 0xf0f0, kUpper8 = 0xff00;

// Sorts a vector whose lanes first rise and then fall, or the other way round.
HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] inline Vector MergeLanes(Vector v) {
  v = OrderLanes(v, 8, kUpper8);
  v = OrderLanes(v, 4, kUpper4);
  v = OrderLanes(v, 2, kUpper2);
  return OrderLanes(v, 1, kUpper1);
}

HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] inline Vector SortLanes(Vector v) {
  v = OrderLanes(v, 1, kUpper1);
  v = OrderLanes(v, 3, kUpper2);
  v = OrderLanes(v, 1, kUpper1);
  v = OrderLanes(v, 7, kUpper4);
  v = OrderLanes(v, 2, kUpper2);
  v = OrderLanes(v, 1, kUpper1);
  v = OrderLanes(v, 15, kUpper8);
  v = OrderLanes(v, 4, kUpper4);
  v = OrderLanes(v, 2, kUpper2);
  return OrderLanes(v, 1, kUpper1);
}

// A bitonic network: sorted runs of vectors are merged in pairs, the second one read backwards, so that what is merged
// rises and falls.
template <int kVectors>
HLOSCOPE_AVX512_FUNCTION void SortVectors(int32_t* keys, int64_t count) {
  const Vector last = _mm512_set1_epi32(std::numeric_limits<int32_t>::max());
  const Vector backwards = _mm512_setr_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  Vector v[kVectors];
#pragma GCC unroll 16
  for (int i = 0; i < kVectors; ++i) {
    const int64_t lanes = std::clamp<int64_t>(count - i * kLanes, 0, kLanes);
    v[i] = SortLanes(_mm512_mask_loadu_epi32(last, FirstLanes(lanes), keys + i * kLanes));
  }
#pragma GCC unroll 4
  for (int run = 2; run <= kVectors; run *= 2) {
#pragma GCC unroll 8
    for (int first = 0; first < kVectors; first += run) {
      Vector upper[kVectors];
      const int half = run / 2;
#pragma GCC unroll 8
      for (int i = 0; i < half; ++i) {
        const Vector other = Permuted(backwards, v[first + run - 1 - i]);
        upper[i] = Larger(v[first + i], other);
        v[first + i] = Smaller(v[first + i], other);
      }
#pragma GCC unroll 8
      for (int i = 0; i < half; ++i) v[first + half + i] = upper[i];
    }
#pragma GCC unroll 4
    for (int apart = run / 4; apart > 0; apart /= 2) {
#pragma GCC unroll 16
      for (int i = 0; i < kVectors; ++i) {
        if ((i & apart) != 0) continue;
        const Vector low = v[i];
        v[i] = Smaller(low, v[i + apart]);
        v[i + apart] = Larger(low, v[i + apart]);
      }
    }
#pragma GCC unroll 16
    for (int i = 0; i < kVectors; ++i) v[i] = MergeLanes(v[i]);
  }
#pragma GCC unroll 16
  for (int i = 0; i < kVectors; ++i) {
    const int64_t lanes = std::clamp<int64_t>(count - i * kLanes, 0, kLanes);
    _mm512_mask_storeu_epi32(keys + i * kLanes, FirstLanes(lanes), v[i]);
  }
}

// The two ends of what a partition has written: keys up to the pivot from the front, the others from the back.
struct Written {
  int32_t *front, *back;
};

// Appends the `lanes` of `v`, each at its end.
HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] inline void Distribute(Vector v, __mmask16 lanes, Vector pivot,
                                                                       Written& written) {
  const __mmask16 low = _mm512_mask_cmple_epi32_mask(lanes, v, pivot);
  const __mmask16 high = static_cast<__mmask16>(lanes & ~low);
  const int64_t lows = __builtin_popcount(low), highs = __builtin_popcount(high);
  written.back -= highs;
  _mm512_mask_storeu_epi32(written.front, FirstLanes(lows), _mm512_maskz_compress_epi32(low, v));
  _mm512_mask_storeu_epi32(written.back, FirstLanes(highs), _mm512_maskz_compress_epi32(high, v));
  written.front += lows;
}

constexpr int kTogether = 4;  // vectors that are read before their keys are written
constexpr int64_t kPartitionBlock = kTogether * kLanes;

// Reads a block from whichever end has less room, so that either end has room for all of it.
HLOSCOPE_AVX512_FUNCTION void DistributeBlocks(int64_t blocks, int32_t*& begin, int32_t*& end, Vector pivot,
                                               Written& written) {
  for (int64_t b = 0; b < blocks; ++b) {
    const bool from_front = begin - written.front <= written.back - end;
    int32_t* const block = from_front ? begin : end - kPartitionBlock;
    begin += from_front ? kPartitionBlock : 0;
    end -= from_front ? 0 : kPartitionBlock;
    Vector v[kTogether];
#pragma GCC unroll 4
    for (int i = 0; i < kTogether; ++i) v[i] = _mm512_loadu_si512(block + i * kLanes);
#pragma GCC unroll 4
    for (int i = 0; i < kTogether; ++i) Distribute(v[i], kAll, pivot, written);
  }
}

// Appends [from, from + count), which nothing that is written may overlap.
HLOSCOPE_AVX512_FUNCTION void DistributeCopied(const int32_t* from, int64_t count, Vector pivot, Written& written) {
  for (int64_t i = 0; i < count; i += kLanes) {
    const __mmask16 lanes = FirstLanes(std::min(kLanes, count - i));
    Distribute(_mm512_maskz_loadu_epi32(lanes, from + i), lanes, pivot, written);
  }
}

}  // namespace

bool HasVectorSort() { return BestCpuLevel() == CpuLevel::kAvx512; }

void SortFewKeys(int32_t* keys, int64_t count) {
  if (count <= kLanes) return SortVectors<1>(keys, count);
  if (count <= 2 * kLanes) return SortVectors<2>(keys, count);
  if (count <= 4 * kLanes) return SortVectors<4>(keys, count);
  if (count <= 8 * kLanes) return SortVectors<8>(keys, count);
  SortVectors<16>(keys, count);
}

HLOSCOPE_AVX512_FUNCTION int64_t PartitionKeys(int32_t* keys, int64_t count, int32_t pivot, CancellationPoll& poll) {
  // A block of either end is taken away, which makes room; so is what is left of whole blocks between.
  const int64_t ends = std::min(kPartitionBlock, count / 2);
  const int64_t inside = count - 2 * ends, rest = inside % kPartitionBlock;
  int32_t front[kPartitionBlock], back[kPartitionBlock], middle[kPartitionBlock];
  std::copy(keys, keys + ends, front);
  std::copy(keys + count - ends, keys + count, back);
  std::copy(keys + ends, keys + ends + rest, middle);
  const Vector pivots = _mm512_set1_epi32(pivot);
  Written written = {keys, keys + count};
  int32_t *begin = keys + ends + rest, *end = keys + count - ends;
  constexpr int64_t kPolledBlocks = 1024;
  for (int64_t blocks = inside / kPartitionBlock; blocks > 0; blocks -= kPolledBlocks) {
    DistributeBlocks(std::min(blocks, kPolledBlocks), begin, end, pivots, written);
    if (poll.Cancelled(static_cast<double>(kPolledBlocks * kPartitionBlock))) return -1;
  }
  DistributeCopied(front, ends, pivots, written);
  DistributeCopied(back, ends, pivots, written);
  DistributeCopied(middle, rest, pivots, written);
  return written.front - keys;
}

#else

bool HasVectorSort() { return false; }
void SortFewKeys(int32_t*, int64_t) {}
int64_t PartitionKeys(int32_t*, int64_t, int32_t, CancellationPoll&) { return -1; }

#endif

}  // namespace hloscope::numerics
