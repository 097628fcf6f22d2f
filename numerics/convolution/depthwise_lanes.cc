// SPDX-License-Identifier: Apache-2.0
#include "numerics/convolution/depthwise_lanes.h"

#include <utility>

#include "numerics/elements/numeric.h"
#include "numerics/parallel/cpu_level.h"
#include "numerics/parallel/vector_loops.h"

namespace hloscope::numerics {
namespace {

// Steps of two are what the compiler knows shuffles for.
template <typename T>
[[gnu::always_inline]] inline void CopyElements(const T* from, int64_t from_step, int64_t count, T* to,
                                                int64_t to_step) {
  if (from_step == 2 && to_step == 1) {
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t i = 0; i < count; ++i) to[i] = from[2 * i];
  } else if (from_step == 1 && to_step == 2) {
    for (int64_t i = 0; i < count; ++i) to[2 * i] = from[i];
  } else {
    for (int64_t i = 0; i < count; ++i) to[i * to_step] = from[i * from_step];
  }
}

template <typename T>
[[gnu::always_inline]] inline void SplitInPairs(const T* from, int64_t count, T* even, T* odd) {
  HLOSCOPE_INDEPENDENT_LANES
  for (int64_t i = 0; i < count; ++i) {
    even[i] = from[2 * i];
    odd[i] = from[2 * i + 1];
  }
}

template <typename T>
[[gnu::always_inline]] inline void SumRows(const ScaledRow<T>* rows, size_t row_count, int64_t step, T* sums,
                                           int64_t count) {
  for (int64_t x = 0; x < count; ++x) sums[x] = 0;
  for (size_t r = 0; r < row_count; ++r) {
    const T scale = rows[r].scale;
    const T* const inputs = rows[r].inputs;
    T* const out = sums + rows[r].begin;
    const int64_t size = rows[r].end - rows[r].begin;
    if (step == 1) {
      HLOSCOPE_INDEPENDENT_LANES
      for (int64_t x = 0; x < size; ++x) out[x] += scale * inputs[x];
    } else {
      HLOSCOPE_INDEPENDENT_LANES
      for (int64_t x = 0; x < size; ++x) out[x] += scale * inputs[x * step];
    }
  }
}

// A vector of an instruction set with registers of kBytes: the compiler keeps wider ones in memory.
template <typename T, int kBytes>
struct LaneVector {
  typedef T Type __attribute__((vector_size(kBytes)));
  static constexpr int64_t kLanes = kBytes / sizeof(T);
};
constexpr int kWideBytes = 64, kPlainBytes = 32;  // of CpuLevel::kAvx512, and of what is cloned

// Sums of kVectors vectors stay in registers over all taps.
template <int kBytes, int kVectors, typename T>
[[gnu::always_inline]] inline void SumBlock(const T* const* taps, const T* scales, size_t tap_count, int64_t x, T* sums,
                                            int64_t count) {
  using Vector = typename LaneVector<T, kBytes>::Type;
  constexpr int64_t kLanes = LaneVector<T, kBytes>::kLanes;
  Vector block[kVectors] = {};
  for (size_t t = 0; t < tap_count; ++t) {
    const T scale = scales[t];
    for (int v = 0; v < kVectors; ++v) {
      Vector inputs;
      __builtin_memcpy(&inputs, taps[t] + x + v * kLanes, sizeof inputs);
      block[v] += scale * inputs;
    }
  }
  if (count >= kVectors * kLanes) {
    __builtin_memcpy(sums + x, block, sizeof block);
  } else {
    __builtin_memcpy(sums + x, block, static_cast<size_t>(count) * sizeof(T));
  }
}

template <int kBytes, typename T>
[[gnu::always_inline]] inline void SumInBlocks(const T* const* taps, const T* scales, size_t tap_count, T* sums,
                                               int64_t count) {
  constexpr int64_t kLanes = LaneVector<T, kBytes>::kLanes;
  int64_t x = 0;
  for (; count - x > 2 * kLanes; x += 4 * kLanes) SumBlock<kBytes, 4>(taps, scales, tap_count, x, sums, count - x);
  for (; x < count; x += kLanes) SumBlock<kBytes, 1>(taps, scales, tap_count, x, sums, count - x);
}

// Taps of neighbouring places: inputs lie `step` apart.
template <typename T>
struct LaneTaps {
  const T* const* inputs;
  const T* const* weights;
  size_t count;
  int64_t step;
};

// Sums of kVectors vectors of lanes from `first` on, at kPlaces places, stay in registers over all taps.
template <int kBytes, int kVectors, int kPlaces, typename T>
[[gnu::always_inline]] inline void SumLaneBlock(const LaneTaps<T>& taps, int64_t place, int64_t first, T* sums,
                                                int64_t lanes) {
  using Vector = typename LaneVector<T, kBytes>::Type;
  constexpr int64_t kLanes = LaneVector<T, kBytes>::kLanes;
  Vector block[kPlaces][kVectors] = {};
  for (size_t t = 0; t < taps.count; ++t) {
    const T* const inputs = taps.inputs[t] + place * taps.step + first;
    const T* const weights = taps.weights[t] + first;
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      Vector weight;
      __builtin_memcpy(&weight, weights + v * kLanes, sizeof weight);
#pragma GCC unroll 2
      for (int p = 0; p < kPlaces; ++p) {
        Vector input;
        __builtin_memcpy(&input, inputs + p * taps.step + v * kLanes, sizeof input);
        block[p][v] += input * weight;
      }
    }
  }
#pragma GCC unroll 2
  for (int p = 0; p < kPlaces; ++p) {
    T* const to = sums + (place + p) * lanes + first;
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) __builtin_memcpy(to + v * kLanes, &block[p][v], sizeof(Vector));
  }
}

template <int kBytes, int kPlaces, typename T>
[[gnu::always_inline]] inline void SumLanesOfPlaces(const LaneTaps<T>& taps, int64_t place, T* sums, int64_t lanes) {
  constexpr int64_t kLanes = LaneVector<T, kBytes>::kLanes;
  int64_t l = 0;
  for (; l + 4 * kLanes <= lanes; l += 4 * kLanes) SumLaneBlock<kBytes, 4, kPlaces>(taps, place, l, sums, lanes);
  for (; l + 2 * kLanes <= lanes; l += 2 * kLanes) SumLaneBlock<kBytes, 2, kPlaces>(taps, place, l, sums, lanes);
  for (; l + kLanes <= lanes; l += kLanes) SumLaneBlock<kBytes, 1, kPlaces>(taps, place, l, sums, lanes);
  for (int p = 0; p < kPlaces && l < lanes; ++p) {
    T* const to = sums + (place + p) * lanes;
    for (int64_t rest = l; rest < lanes; ++rest) to[rest] = 0;
    for (size_t t = 0; t < taps.count; ++t) {
      const T *const input = taps.inputs[t] + (place + p) * taps.step, *const weight = taps.weights[t];
      HLOSCOPE_INDEPENDENT_LANES
      for (int64_t rest = l; rest < lanes; ++rest) to[rest] += input[rest] * weight[rest];
    }
  }
}

template <int kBytes, typename T>
[[gnu::always_inline]] inline void SumLanes(const LaneTaps<T>& taps, int64_t places, T* sums, int64_t lanes) {
  int64_t place = 0;
  for (; place + 2 <= places; place += 2) SumLanesOfPlaces<kBytes, 2>(taps, place, sums, lanes);
  if (place < places) SumLanesOfPlaces<kBytes, 1>(taps, place, sums, lanes);
}

// A band of sums that is kVectors vectors wide.
template <typename T, int kBytes>
struct BandBlock {
  static constexpr int kRows = static_cast<int>(kBandRows), kVectors = 2;
  typename LaneVector<T, kBytes>::Type sums[kRows][kVectors];
};

// What column `c` of the window adds that meets row `i` of the inputs, there the vectors `in`. Weight: a vector of
// equal numbers, or a number.
template <int kBytes, int kSide, typename T, typename Weight>
[[gnu::always_inline]] inline void AddColumn(const typename LaneVector<T, kBytes>::Type* in, const Weight* weights,
                                             int i, int c, BandBlock<T, kBytes>& block) {
#pragma GCC unroll 8
  for (int r = 0; r < block.kRows; ++r) {
    if (i < r || i - r >= kSide) continue;
#pragma GCC unroll 2
    for (int v = 0; v < block.kVectors; ++v) block.sums[r][v] += weights[(i - r) * kSide + c] * in[v];
  }
}

template <int kBytes, typename T>
[[gnu::always_inline]] inline void StartBand(BandBlock<T, kBytes>& block) {
#pragma GCC unroll 8
  for (int r = 0; r < block.kRows; ++r) {
#pragma GCC unroll 2
    for (int v = 0; v < block.kVectors; ++v) block.sums[r][v] = typename LaneVector<T, kBytes>::Type{};
  }
}

template <int kBytes, typename T>
[[gnu::always_inline]] inline void StoreBand(const BandBlock<T, kBytes>& block, int64_t x, T* sums,
                                             int64_t sums_pitch) {
#pragma GCC unroll 8
  for (int r = 0; r < block.kRows; ++r) {
    T* const to = sums + r * sums_pitch + x;
#pragma GCC unroll 2
    for (int v = 0; v < block.kVectors; ++v) {
      __builtin_memcpy(to + v * LaneVector<T, kBytes>::kLanes, &block.sums[r][v],
                       sizeof(typename LaneVector<T, kBytes>::Type));
    }
  }
}

// Elements kShift and up of two vectors, one after the other.
template <int kShift, typename Vector, size_t... kLane>
[[gnu::always_inline]] inline void ShiftLanes(const Vector& first, const Vector& second, std::index_sequence<kLane...>,
                                              Vector& shifted) {
  shifted = __builtin_shufflevector(first, second, static_cast<int>(kLane) + kShift...);
}

// All columns of the window, from `kColumn` on, of which `in` is the first, with one vector more.
template <int kBytes, int kSide, int kColumn, typename T, typename Weight>
[[gnu::always_inline]] inline void AddShiftedColumns(const typename LaneVector<T, kBytes>::Type* in,
                                                     const Weight* weights, int i, BandBlock<T, kBytes>& block) {
  if constexpr (kColumn < kSide) {
    typename LaneVector<T, kBytes>::Type shifted[block.kVectors];
#pragma GCC unroll 2
    for (int v = 0; v < block.kVectors; ++v) {
      ShiftLanes<kColumn>(in[v], in[v + 1], std::make_index_sequence<LaneVector<T, kBytes>::kLanes>(), shifted[v]);
    }
    AddColumn<kBytes, kSide, T>(shifted, weights, i, kColumn, block);
    AddShiftedColumns<kBytes, kSide, kColumn + 1>(in, weights, i, block);
  }
}

template <int kBytes, int kVectors, typename T>
[[gnu::always_inline]] inline void LoadLanes(const T* from, typename LaneVector<T, kBytes>::Type* in) {
#pragma GCC unroll 3
  for (int v = 0; v < kVectors; ++v) {
    __builtin_memcpy(&in[v], from + v * LaneVector<T, kBytes>::kLanes, sizeof(typename LaneVector<T, kBytes>::Type));
  }
}

// Each input is read once for all rows of sums that it belongs to. For the columns of the window it is read again or,
// if kShifts, shifted: nearly every read that is not aligned meets two lines of the cache and takes twice as long, but
// only the widest vectors are shifted in one step.
template <int kBytes, int kSide, bool kShifts, typename T, typename Weight>
[[gnu::always_inline]] inline void SumBandBlock(const T* const* inputs, const Weight* weights, int64_t x, T* sums,
                                                int64_t sums_pitch) {
  constexpr int kVectors = BandBlock<T, kBytes>::kVectors;
  BandBlock<T, kBytes> block;
  StartBand(block);
#pragma GCC unroll 16
  for (int i = 0; i < block.kRows + kSide - 1; ++i) {
    typename LaneVector<T, kBytes>::Type in[kVectors + 1];
    if constexpr (kShifts) {
      LoadLanes<kBytes, kVectors + 1>(inputs[i] + x, in);
      AddShiftedColumns<kBytes, kSide, 0>(in, weights, i, block);
    } else {
#pragma GCC unroll 8
      for (int c = 0; c < kSide; ++c) {
        LoadLanes<kBytes, kVectors>(inputs[i] + x + c, in);
        AddColumn<kBytes, kSide, T>(in, weights, i, c, block);
      }
    }
  }
  StoreBand(block, x, sums, sums_pitch);
}

// Sums at the blocks of a row. From the right: what hangs over the end of a row is overwritten by the beginning of the
// next one.
template <typename T, int kBytes>
constexpr int64_t kBandStep = BandBlock<T, kBytes>::kVectors* LaneVector<T, kBytes>::kLanes;
static_assert(kBandStep<float, kWideBytes> <= kTapSlack);

template <int kBytes, typename T>
[[gnu::always_inline]] inline void SumBandRows(const T* const* inputs, const T* weights, int64_t side, T* sums,
                                               int64_t sums_pitch, int64_t count) {
  constexpr int64_t kStep = kBandStep<T, kBytes>;
  for (int64_t x = (count - 1) / kStep * kStep; x >= 0; x -= kStep) {
    if (side == 3) {
      SumBandBlock<kBytes, 3, false>(inputs, weights, x, sums, sums_pitch);
    } else {
      SumBandBlock<kBytes, 5, false>(inputs, weights, x, sums, sums_pitch);
    }
  }
}
// In functions of their own: there is so much of it that the compiler would optimise the others less.
template <int kBytes, bool kShifts, typename T>
[[gnu::always_inline]] inline void SumBandRowsBy7(const T* const* inputs, const T* weights, T* sums, int64_t sums_pitch,
                                                  int64_t count) {
  constexpr int64_t kStep = kBandStep<T, kBytes>;
  for (int64_t x = (count - 1) / kStep * kStep; x >= 0; x -= kStep) {
    SumBandBlock<kBytes, 7, kShifts>(inputs, weights, x, sums, sums_pitch);
  }
}

#ifdef HLOSCOPE_AVX512_FUNCTION
template <typename T>
HLOSCOPE_AVX512_FUNCTION void SumBandWide(const T* const* inputs, const T* weights, int64_t side, T* sums,
                                          int64_t sums_pitch, int64_t count) {
  constexpr int kBytes = kWideBytes;
  constexpr int64_t kStep = kBandStep<T, kBytes>;
  const int64_t last = (count - 1) / kStep * kStep;
  if (side == 3) {
    typename LaneVector<T, kBytes>::Type spread[9];  // as many as stay in registers
    for (int k = 0; k < 9; ++k) spread[k] = weights[k] - typename LaneVector<T, kBytes>::Type{};
    for (int64_t x = last; x >= 0; x -= kStep) SumBandBlock<kBytes, 3, true>(inputs, spread, x, sums, sums_pitch);
  } else {
    for (int64_t x = last; x >= 0; x -= kStep) SumBandBlock<kBytes, 5, true>(inputs, weights, x, sums, sums_pitch);
  }
}
template <typename T>
HLOSCOPE_AVX512_FUNCTION void SumBandBy7Wide(const T* const* inputs, const T* weights, T* sums, int64_t sums_pitch,
                                             int64_t count) {
  SumBandRowsBy7<kWideBytes, true>(inputs, weights, sums, sums_pitch, count);
}
#endif

// kVectors vectors of sums stay in registers over all rows.
template <int kBytes, int kVectors, typename T>
[[gnu::always_inline]] inline void SumProductBlock(const T* a, int64_t a_step, const T* b, int64_t b_step,
                                                   int64_t count, T* sums) {
  using Vector = typename LaneVector<T, kBytes>::Type;
  constexpr int64_t kLanes = LaneVector<T, kBytes>::kLanes;
  Vector block[kVectors];
  __builtin_memcpy(block, sums, sizeof block);
  for (int64_t x = 0; x < count; ++x, a += a_step, b += b_step) {
    for (int v = 0; v < kVectors; ++v) {
      Vector l, r;
      __builtin_memcpy(&l, a + v * kLanes, sizeof l);
      __builtin_memcpy(&r, b + v * kLanes, sizeof r);
      block[v] += l * r;
    }
  }
  __builtin_memcpy(sums, block, sizeof block);
}

template <int kBytes, typename T>
[[gnu::always_inline]] inline void SumProducts(const T* a, int64_t a_step, const T* b, int64_t b_step, int64_t count,
                                               T* sums, int64_t lanes) {
  constexpr int64_t kLanes = LaneVector<T, kBytes>::kLanes;
  int64_t l = 0;
  for (; l + 4 * kLanes <= lanes; l += 4 * kLanes) {
    SumProductBlock<kBytes, 4>(a + l, a_step, b + l, b_step, count, sums + l);
  }
  for (; l + kLanes <= lanes; l += kLanes) {
    SumProductBlock<kBytes, 1>(a + l, a_step, b + l, b_step, count, sums + l);
  }
  for (int64_t x = 0; x < count && l < lanes; ++x, a += a_step, b += b_step) {
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t rest = l; rest < lanes; ++rest) sums[rest] += a[rest] * b[rest];
  }
}

// kSums rows of lanes stay in registers over all products.
template <int kSums, typename T>
[[gnu::always_inline]] inline void AddShiftedBlock(const T* factors, const T* const* inputs, int64_t count, T* sums) {
  using Vector = typename LaneVector<T, kPlainBytes>::Type;
  static_assert(LaneVector<T, kPlainBytes>::kLanes == kSumLanes<T>);
  Vector block[kSums];
  __builtin_memcpy(block, sums, sizeof block);
  for (int64_t i = 0; i < count; i += kSumLanes<T>) {
    Vector factor;
    __builtin_memcpy(&factor, factors + i, sizeof factor);
#pragma GCC unroll 9
    for (int s = 0; s < kSums; ++s) {
      Vector input;
      __builtin_memcpy(&input, inputs[s] + i, sizeof input);
      block[s] += factor * input;
    }
  }
  __builtin_memcpy(sums, block, sizeof block);
}

// As many sums together as there are in a window of 3 x 3, then of 3.
template <typename T>
[[gnu::always_inline]] inline void AddShifted(const T* factors, const T* const* inputs, int64_t sum_count,
                                              int64_t count, T* sums) {
  constexpr int64_t kLanes = kSumLanes<T>;
  int64_t s = 0;
  for (; s + 9 <= sum_count; s += 9) AddShiftedBlock<9>(factors, inputs + s, count, sums + s * kLanes);
  for (; s + 3 <= sum_count; s += 3) AddShiftedBlock<3>(factors, inputs + s, count, sums + s * kLanes);
  for (; s < sum_count; ++s) AddShiftedBlock<1>(factors, inputs + s, count, sums + s * kLanes);
}

// The loops on T, as functions with these attributes whose names end in `Suffix`.
#define HLOSCOPE_DEPTHWISE_LOOPS(T, ATTRIBUTES, Suffix, kBytes)                                                      \
  ATTRIBUTES void SumLaneTaps##Suffix(const LaneTaps<T>& taps, int64_t places, T* sums, int64_t lanes) {             \
    SumLanes<kBytes>(taps, places, sums, lanes);                                                                     \
  }                                                                                                                  \
  ATTRIBUTES void SumProductRows##Suffix(const T* a, int64_t a_step, const T* b, int64_t b_step, int64_t count,      \
                                         T* sums, int64_t lanes) {                                                   \
    SumProducts<kBytes>(a, a_step, b, b_step, count, sums, lanes);                                                   \
  }                                                                                                                  \
  ATTRIBUTES void SumTaps##Suffix(const T* const* taps, const T* scales, size_t tap_count, T* sums, int64_t count) { \
    SumInBlocks<kBytes>(taps, scales, tap_count, sums, count);                                                       \
  }
#define HLOSCOPE_BAND_LOOP(T)                                                                                        \
  HLOSCOPE_VECTOR_CLONES void SumBandPlain(const T* const* inputs, const T* weights, int64_t side, T* sums,          \
                                           int64_t sums_pitch, int64_t count) {                                      \
    SumBandRows<kPlainBytes>(inputs, weights, side, sums, sums_pitch, count);                                        \
  }                                                                                                                  \
  HLOSCOPE_VECTOR_CLONES void SumBandBy7Plain(const T* const* inputs, const T* weights, T* sums, int64_t sums_pitch, \
                                              int64_t count) {                                                       \
    SumBandRowsBy7<kPlainBytes, false>(inputs, weights, sums, sums_pitch, count);                                    \
  }
HLOSCOPE_DEPTHWISE_LOOPS(float, HLOSCOPE_VECTOR_CLONES, Plain, kPlainBytes)
HLOSCOPE_DEPTHWISE_LOOPS(double, HLOSCOPE_VECTOR_CLONES, Plain, kPlainBytes)
HLOSCOPE_BAND_LOOP(float)
HLOSCOPE_BAND_LOOP(double)
#undef HLOSCOPE_BAND_LOOP

#ifdef HLOSCOPE_AVX512_FUNCTION
HLOSCOPE_DEPTHWISE_LOOPS(float, HLOSCOPE_AVX512_FUNCTION, Wide, kWideBytes)
HLOSCOPE_DEPTHWISE_LOOPS(double, HLOSCOPE_AVX512_FUNCTION, Wide, kWideBytes)

#define HLOSCOPE_CALL(Name, ...) \
  BestCpuLevel() == CpuLevel::kAvx512 ? Name##Wide(__VA_ARGS__) : Name##Plain(__VA_ARGS__)
#else
#define HLOSCOPE_CALL(Name, ...) Name##Plain(__VA_ARGS__)
#endif
#undef HLOSCOPE_DEPTHWISE_LOOPS

}  // namespace

void SumLaneTaps(const float* const* inputs, const float* const* weights, size_t tap_count, int64_t step,
                 int64_t places, float* sums, int64_t lanes) {
  const LaneTaps<float> taps = {inputs, weights, tap_count, step};
  HLOSCOPE_CALL(SumLaneTaps, taps, places, sums, lanes);
}

void SumProductRows(const float* a, int64_t a_step, const float* b, int64_t b_step, int64_t count, float* sums,
                    int64_t lanes) {
  HLOSCOPE_CALL(SumProductRows, a, a_step, b, b_step, count, sums, lanes);
}

void SumTaps(const float* const* taps, const float* scales, size_t tap_count, float* sums, int64_t count) {
  HLOSCOPE_CALL(SumTaps, taps, scales, tap_count, sums, count);
}

void SumBand(const float* const* inputs, const float* weights, int64_t side, float* sums, int64_t sums_pitch,
             int64_t count) {
  if (side == 7) return HLOSCOPE_CALL(SumBandBy7, inputs, weights, sums, sums_pitch, count);
  HLOSCOPE_CALL(SumBand, inputs, weights, side, sums, sums_pitch, count);
}

void SumLaneTaps(const double* const* inputs, const double* const* weights, size_t tap_count, int64_t step,
                 int64_t places, double* sums, int64_t lanes) {
  const LaneTaps<double> taps = {inputs, weights, tap_count, step};
  HLOSCOPE_CALL(SumLaneTaps, taps, places, sums, lanes);
}

void SumProductRows(const double* a, int64_t a_step, const double* b, int64_t b_step, int64_t count, double* sums,
                    int64_t lanes) {
  HLOSCOPE_CALL(SumProductRows, a, a_step, b, b_step, count, sums, lanes);
}

void SumTaps(const double* const* taps, const double* scales, size_t tap_count, double* sums, int64_t count) {
  HLOSCOPE_CALL(SumTaps, taps, scales, tap_count, sums, count);
}

void SumBand(const double* const* inputs, const double* weights, int64_t side, double* sums, int64_t sums_pitch,
             int64_t count) {
  if (side == 7) return HLOSCOPE_CALL(SumBandBy7, inputs, weights, sums, sums_pitch, count);
  HLOSCOPE_CALL(SumBand, inputs, weights, side, sums, sums_pitch, count);
}

HLOSCOPE_VECTOR_CLONES void SumScaledRows(const ScaledRow<float>* rows, size_t row_count, int64_t step, float* sums,
                                          int64_t count) {
  SumRows(rows, row_count, step, sums, count);
}

HLOSCOPE_VECTOR_CLONES void SumScaledRows(const ScaledRow<double>* rows, size_t row_count, int64_t step, double* sums,
                                          int64_t count) {
  SumRows(rows, row_count, step, sums, count);
}

HLOSCOPE_VECTOR_CLONES void CopyRows(const uint16_t* from, int64_t rows, int64_t row_size, float* to, int64_t pitch) {
  for (int64_t row = 0; row < rows; ++row, from += row_size, to += pitch) {
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t x = 0; x < row_size; ++x) to[x] = Bf16ToFloat(from[x]);
  }
}

HLOSCOPE_VECTOR_CLONES void CopyRows(const float* from, int64_t rows, int64_t row_size, float* to, int64_t pitch) {
  for (int64_t row = 0; row < rows; ++row, from += row_size, to += pitch) {
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t x = 0; x < row_size; ++x) to[x] = from[x];
  }
}

void CopyRows(const double* from, int64_t rows, int64_t row_size, double* to, int64_t pitch) {
  for (int64_t row = 0; row < rows; ++row, from += row_size, to += pitch) {
    for (int64_t x = 0; x < row_size; ++x) to[x] = from[x];
  }
}

HLOSCOPE_VECTOR_CLONES void AddShiftedProducts(const float* factors, const float* const* inputs, int64_t sum_count,
                                               int64_t count, float* sums) {
  AddShifted(factors, inputs, sum_count, count, sums);
}
HLOSCOPE_VECTOR_CLONES void AddShiftedProducts(const double* factors, const double* const* inputs, int64_t sum_count,
                                               int64_t count, double* sums) {
  AddShifted(factors, inputs, sum_count, count, sums);
}

HLOSCOPE_VECTOR_CLONES void CopyEach(const float* from, int64_t step, int64_t count, float* to) {
  CopyElements(from, step, count, to, 1);
}
HLOSCOPE_VECTOR_CLONES void CopyEach(const double* from, int64_t step, int64_t count, double* to) {
  CopyElements(from, step, count, to, 1);
}
HLOSCOPE_VECTOR_CLONES void SpreadElements(const float* from, int64_t count, int64_t step, float* to) {
  CopyElements(from, 1, count, to, step);
}
HLOSCOPE_VECTOR_CLONES void SpreadElements(const double* from, int64_t count, int64_t step, double* to) {
  CopyElements(from, 1, count, to, step);
}

HLOSCOPE_VECTOR_CLONES void SplitPairs(const float* from, int64_t count, float* even, float* odd) {
  SplitInPairs(from, count, even, odd);
}
HLOSCOPE_VECTOR_CLONES void SplitPairs(const double* from, int64_t count, double* even, double* odd) {
  SplitInPairs(from, count, even, odd);
}

}  // namespace hloscope::numerics
