// SPDX-License-Identifier: Apache-2.0
#include "numerics/normalization/batch_norm_wide.h"

#ifdef HLOSCOPE_AVX512_FUNCTION
#include <algorithm>
#include <cstdint>

#include "numerics/rows/wide_vectors.h"

namespace hloscope::numerics {
namespace {

using namespace wide;  // NOLINT: the vocabulary of these loops

// Sums in f32 are added to those in f64 after so many rows.
constexpr int64_t kRowsOfParts = 64;
// The numbers of lanes are arranged once for so many rows.
constexpr int64_t kRowsOfNumbers = 8;

// The lanes of a vector of bf16, and of the two halves of their numbers.
struct Lanes {
  __mmask32 all;

  HLOSCOPE_AVX512_FUNCTION static Lanes Of(int64_t count) {
    return {count >= kBf16s ? ~__mmask32{0} : static_cast<__mmask32>((uint32_t{1} << count) - 1)};
  }
  __mmask16 low() const { return static_cast<__mmask16>(all); }
  __mmask16 high() const { return static_cast<__mmask16>(all >> kFloats); }
};

// 32 numbers in the order of Pair: those of even lanes, and those of odd ones.
HLOSCOPE_WIDE Pair LoadPair(const float* numbers, Lanes lanes) {
  const __m512 low = _mm512_maskz_loadu_ps(lanes.low(), numbers);
  const __m512 high = _mm512_maskz_loadu_ps(lanes.high(), numbers + kFloats);
  const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
  const __m512i odd = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
  return {reinterpret_cast<Floats>(_mm512_permutex2var_ps(low, even, high)),
          reinterpret_cast<Floats>(_mm512_permutex2var_ps(low, odd, high))};
}

// to[l] += x[l], 8 numbers.
HLOSCOPE_WIDE void AddWidened(__m256 x, __mmask8 lanes, double* to) {
  const __m512d sum = _mm512_add_pd(_mm512_maskz_loadu_pd(lanes, to), _mm512_maskz_cvtps_pd(0xff, x));
  _mm512_mask_storeu_pd(to, lanes, sum);
}
HLOSCOPE_WIDE void AddWidened(__m512 x, __mmask16 lanes, double* to) {
  AddWidened(_mm512_maskz_extractf32x8_ps(0xff, x, 0), static_cast<__mmask8>(lanes), to);
  AddWidened(_mm512_maskz_extractf32x8_ps(0xff, x, 1), static_cast<__mmask8>(lanes >> 8), to + 8);
}
HLOSCOPE_WIDE void AddPair(Pair sums, Lanes lanes, double* to) {
  const __m512 even = reinterpret_cast<__m512>(sums.even), odd = reinterpret_cast<__m512>(sums.odd);
  const __m512i low = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const __m512i high = _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  AddWidened(_mm512_permutex2var_ps(even, low, odd), lanes.low(), to);
  AddWidened(_mm512_permutex2var_ps(even, high, odd), lanes.high(), to + kFloats);
}

struct Moments {
  Pair sums{}, products{};

  HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] void Add(Pair sum, Pair a, Pair b) {
    sums.even += sum.even;
    sums.odd += sum.odd;
    products.even = reinterpret_cast<Floats>(_mm512_fmadd_ps(a.even, b.even, products.even));
    products.odd = reinterpret_cast<Floats>(_mm512_fmadd_ps(a.odd, b.odd, products.odd));
  }
};

HLOSCOPE_WIDE Pair Difference(Pair a, Pair b) { return {a.even - b.even, a.odd - b.odd}; }

// Calls `add(first element, lanes, numbers, moments)` for each row of a part, and adds what comes of it to the sums.
template <typename Add>
HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] inline void EachMoment(const LaneRows& rows, const float* numbers,
                                                                       double* sums, double* products, Add add) {
  for (int64_t row = 0; row < rows.rows; row += kRowsOfParts) {
    const int64_t part_rows = std::min(kRowsOfParts, rows.rows - row);
    const int64_t first = row * rows.stride;
    int64_t l = 0;
    // Two vectors at a time, so that additions need not wait for each other.
    for (; l + 2 * kBf16s <= rows.lanes; l += 2 * kBf16s) {
      const Lanes all = Lanes::Of(kBf16s);
      const Pair of_first = LoadPair(numbers + l, all), of_second = LoadPair(numbers + l + kBf16s, all);
      Moments first_moments, second_moments;
      for (int64_t r = 0; r < part_rows; ++r) {
        const int64_t element = first + r * rows.stride + l;
        add(element, all, of_first, first_moments);
        add(element + kBf16s, all, of_second, second_moments);
      }
      AddPair(first_moments.sums, all, sums + l);
      AddPair(first_moments.products, all, products + l);
      AddPair(second_moments.sums, all, sums + l + kBf16s);
      AddPair(second_moments.products, all, products + l + kBf16s);
    }
    for (; l < rows.lanes; l += kBf16s) {
      const Lanes lanes = Lanes::Of(rows.lanes - l);
      const Pair of_lanes = LoadPair(numbers + l, lanes);
      Moments moments;
      for (int64_t r = 0; r < part_rows; ++r) add(first + r * rows.stride + l, lanes, of_lanes, moments);
      AddPair(moments.sums, lanes, sums + l);
      AddPair(moments.products, lanes, products + l);
    }
  }
}

HLOSCOPE_WIDE Pair LoadWide(const Bf16* x, Lanes lanes) { return Widen(LoadBf16s(&x->bits, lanes.all)); }

HLOSCOPE_AVX512_FUNCTION void AddMoments(const Bf16* x, const LaneRows& rows, const float* pivots, double* sums,
                                         double* squares) {
  EachMoment(rows, pivots, sums, squares,
             [&](int64_t i, Lanes lanes, Pair pivot, Moments& moments) HLOSCOPE_AVX512_FUNCTION {
               const Pair difference = Difference(LoadWide(x + i, lanes), pivot);
               moments.Add(difference, difference, difference);
             });
}

HLOSCOPE_AVX512_FUNCTION void AddGradients(const Bf16* x, const Bf16* g, const LaneRows& rows, const float* means,
                                           double* sums, double* weighted) {
  EachMoment(rows, means, sums, weighted,
             [&](int64_t i, Lanes lanes, Pair mean, Moments& moments) HLOSCOPE_AVX512_FUNCTION {
               const Pair gradient = LoadWide(g + i, lanes);
               moments.Add(gradient, gradient, Difference(LoadWide(x + i, lanes), mean));
             });
}

// Calls `result(first element, lanes, numbers)` for each vector of the rows, with the numbers of its lanes, and stores
// what it returns.
template <int kNumbers, typename Result>
HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] inline void EachResult(const LaneRows& rows,
                                                                       const float* const (&numbers)[kNumbers], Bf16* y,
                                                                       Result result) {
  for (int64_t row = 0; row < rows.rows; row += kRowsOfNumbers) {
    const int64_t end = std::min(row + kRowsOfNumbers, rows.rows);
    for (int64_t l = 0; l < rows.lanes; l += kBf16s) {
      const Lanes lanes = Lanes::Of(rows.lanes - l);
      Pair of_lanes[kNumbers];
      for (int k = 0; k < kNumbers; ++k) of_lanes[k] = LoadPair(numbers[k] + l, lanes);
      for (int64_t r = row; r < end; ++r) {
        const int64_t element = r * rows.stride + l;
        StoreBf16s(&(y + element)->bits, lanes.all, result(element, lanes, of_lanes));
      }
    }
  }
}

HLOSCOPE_AVX512_FUNCTION void NormalizeRows(const Bf16* x, const LaneRows& rows, const float* means,
                                            const float* factors, const float* offsets, Bf16* y) {
  EachResult<3>(rows, {means, factors, offsets}, y,
                [&](int64_t i, Lanes lanes, const Pair(&of)[3]) HLOSCOPE_AVX512_FUNCTION {
                  const Pair distance = Difference(LoadWide(x + i, lanes), of[0]);
                  return Pair{of[1].even * distance.even + of[2].even, of[1].odd * distance.odd + of[2].odd};
                });
}

HLOSCOPE_AVX512_FUNCTION void GradientRows(const Bf16* x, const Bf16* g, const LaneRows& rows, const float* means,
                                           const float* factors, const float* shares, const float* slopes, Bf16* y) {
  EachResult<4>(rows, {means, factors, shares, slopes}, y,
                [&](int64_t i, Lanes lanes, const Pair(&of)[4]) HLOSCOPE_AVX512_FUNCTION {
                  const Pair distance = Difference(LoadWide(x + i, lanes), of[0]), gradient = LoadWide(g + i, lanes);
                  return Pair{of[1].even * (gradient.even - of[2].even - distance.even * of[3].even),
                              of[1].odd * (gradient.odd - of[2].odd - distance.odd * of[3].odd)};
                });
}

}  // namespace

const BatchNormRows<Bf16> kWideBatchNormRows = {AddMoments, AddGradients, NormalizeRows, GradientRows};

}  // namespace hloscope::numerics
#endif
