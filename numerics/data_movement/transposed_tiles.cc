// SPDX-License-Identifier: Apache-2.0
#include "numerics/data_movement/transposed_tiles.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

#include "numerics/data_movement/copy_few.h"
#include "numerics/parallel/cpu_level.h"
#include "numerics/parallel/vector_loops.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace hloscope::numerics {
namespace {

constexpr int64_t kRowBytes = 64;

#if defined(__SSE2__)
// 16 x 16 elements of four bytes; strides in bytes. The source lines are read whole before anything is written: with
// strides of a power of two they all compete for the same few places of the cache.
void TransposeTile(const uint8_t* source, int64_t source_stride, uint8_t* target, int64_t target_stride) {
  alignas(kRowBytes) float lines[16][16];
  for (int64_t j = 0; j < 16; ++j) std::memcpy(lines[j], source + j * source_stride, sizeof(lines[j]));
  for (int64_t i = 0; i < 16; i += 4) {
    for (int64_t j = 0; j < 16; j += 4) {
      __m128 rows[4];
      for (int64_t k = 0; k < 4; ++k) rows[k] = _mm_load_ps(&lines[j + k][i]);
      _MM_TRANSPOSE4_PS(rows[0], rows[1], rows[2], rows[3]);
      for (int64_t k = 0; k < 4; ++k) {
        _mm_storeu_ps(reinterpret_cast<float*>(target + (i + k) * target_stride) + j, rows[k]);
      }
    }
  }
}

constexpr int64_t kShortRowBytes = 16;

template <typename T>
__m128i InterleaveLow(__m128i a, __m128i b) {
  return sizeof(T) == 1 ? _mm_unpacklo_epi8(a, b) : _mm_unpacklo_epi16(a, b);
}
template <typename T>
__m128i InterleaveHigh(__m128i a, __m128i b) {
  return sizeof(T) == 1 ? _mm_unpackhi_epi8(a, b) : _mm_unpackhi_epi16(a, b);
}

// Transposes as many rows as a short one has elements, of one or two bytes: rows that lie half of them apart are
// interleaved until each has been with all others. All unrolled, so that they stay in registers.
template <typename T, int64_t kSide>
[[gnu::always_inline]] inline void TransposeLines(__m128i (&lines)[kSide]) {
#pragma GCC unroll 4
  for (int64_t together = 1; together < kSide; together *= 2) {
    __m128i halves[kSide];
#pragma GCC unroll 8
    for (int64_t j = 0; j < kSide / 2; ++j) {
      halves[2 * j] = InterleaveLow<T>(lines[j], lines[j + kSide / 2]);
      halves[2 * j + 1] = InterleaveHigh<T>(lines[j], lines[j + kSide / 2]);
    }
#pragma GCC unroll 16
    for (int64_t j = 0; j < kSide; ++j) lines[j] = halves[j];
  }
}

// Short rows, as many as they have elements; strides in elements.
template <typename T>
void TransposeShortRows(const T* source, int64_t source_stride, T* target, int64_t target_stride) {
  constexpr int64_t kSide = kShortRowBytes / sizeof(T);
  __m128i lines[kSide];
#pragma GCC unroll 16
  for (int64_t j = 0; j < kSide; ++j) {
    lines[j] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(source + j * source_stride));
  }
  TransposeLines<T>(lines);
#pragma GCC unroll 16
  for (int64_t i = 0; i < kSide; ++i) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(target + i * target_stride), lines[i]);
  }
}

// The same where only `columns` x `rows` are there.
template <typename T>
void TransposeShortRest(const T* source, int64_t source_stride, T* target, int64_t target_stride, int64_t columns,
                        int64_t rows) {
  constexpr int64_t kSide = kShortRowBytes / sizeof(T);
  alignas(kShortRowBytes) T whole[kSide][kSide] = {};
  for (int64_t j = 0; j < rows; ++j) CopyUpToSixteen(source + j * source_stride, columns, whole[j]);
  TransposeShortRows(whole[0], kSide, whole[0], kSide);
  for (int64_t i = 0; i < columns; ++i) CopyUpToSixteen(whole[i], rows, target + i * target_stride);
}

template <typename T>
void TransposeShortTiles(TiledRows<const uint8_t> source, TiledRows<uint8_t> target, int64_t columns, int64_t rows) {
  constexpr int64_t kSide = kShortRowBytes / sizeof(T);
  const T* const from = reinterpret_cast<const T*>(source.data);
  T* const to = reinterpret_cast<T*>(target.data);
  for (int64_t i = 0; i < columns; i += kSide) {
    for (int64_t j = 0; j < rows; j += kSide) {
      const T* const block = from + i + j * source.stride;
      T* const transposed = to + i * target.stride + j;
      if (i + kSide <= columns && j + kSide <= rows) {
        TransposeShortRows(block, source.stride, transposed, target.stride);
      } else {
        TransposeShortRest(block, source.stride, transposed, target.stride, std::min(kSide, columns - i),
                           std::min(kSide, rows - j));
      }
    }
  }
}
#endif

#ifdef HLOSCOPE_AVX512_FUNCTION
#define HLOSCOPE_WIDE HLOSCOPE_AVX512_FUNCTION [[gnu::always_inline]] static inline

typedef int16_t Halves __attribute__((vector_size(kRowBytes)));
typedef int32_t Words __attribute__((vector_size(kRowBytes)));
typedef int64_t Longs __attribute__((vector_size(kRowBytes)));

// Rows kStep apart exchange the blocks of kStep elements in which they lie on the wrong side of the diagonal.
template <size_t kStep, typename Vector, size_t... kLane>
HLOSCOPE_WIDE void Exchange(Vector& a, Vector& b, std::index_sequence<kLane...>) {
  constexpr size_t kLanes = sizeof...(kLane);
#if __has_builtin(__builtin_shufflevector)  // clang, and GCC from 12 on
  const Vector first = __builtin_shufflevector(a, b, ((kLane & kStep) == 0 ? kLane : kLane - kStep + kLanes)...);
  b = __builtin_shufflevector(a, b, ((kLane & kStep) == 0 ? kLane + kStep : kLane + kLanes)...);
#else
  constexpr Vector kFirst = {(kLane & kStep) == 0 ? kLane : kLane - kStep + kLanes...};
  constexpr Vector kSecond = {(kLane & kStep) == 0 ? kLane + kStep : kLane + kLanes...};
  const Vector first = __builtin_shuffle(a, b, kFirst);
  b = __builtin_shuffle(a, b, kSecond);
#endif
  a = first;
}

template <size_t kStep = 1, typename Vector, size_t kRows>
HLOSCOPE_WIDE void TransposeRows(Vector (&rows)[kRows]) {
  if constexpr (kStep < kRows) {
#pragma GCC unroll 16
    for (size_t i = 0; i < kRows; ++i) {
      if ((i & kStep) == 0) Exchange<kStep>(rows[i], rows[i + kStep], std::make_index_sequence<kRows>());
    }
    TransposeRows<2 * kStep>(rows);
  }
}

// Stores rows kPitch apart from `first` on.
template <size_t kPitch, bool kPastCache, typename Vector, size_t kRows>
HLOSCOPE_WIDE void StoreRows(const Vector (&rows)[kRows], uint8_t* first, int64_t stride) {
#pragma GCC unroll 16
  for (size_t i = 0; i < kRows; ++i) {
    uint8_t* const to = first + static_cast<int64_t>(i * kPitch) * stride;
    if constexpr (kPastCache) {
      _mm512_stream_si512(reinterpret_cast<__m512i*>(to), reinterpret_cast<__m512i>(rows[i]));
    } else {
      _mm512_storeu_si512(to, reinterpret_cast<__m512i>(rows[i]));
    }
  }
}

// A tile with a cache line of elements along each side; strides in bytes.
template <typename Vector, bool kPastCache>
HLOSCOPE_WIDE void TransposeWideTile(const uint8_t* source, int64_t source_stride, uint8_t* target,
                                     int64_t target_stride) {
  constexpr size_t kRows = kRowBytes / sizeof(std::declval<Vector>()[0]);
  Vector rows[kRows];
#pragma GCC unroll 16
  for (size_t j = 0; j < kRows; ++j)
    __builtin_memcpy(&rows[j], source + static_cast<int64_t>(j) * source_stride, kRowBytes);
  TransposeRows(rows);
  StoreRows<1, kPastCache>(rows, target, target_stride);
}

// Two rows of elements of two bytes become one of the pairs in the even columns and one of those in the odd columns,
// and these the even and odd rows of the target.
template <bool kPastCache>
HLOSCOPE_WIDE void TransposePairs(const uint8_t* source, int64_t source_stride, uint8_t* target,
                                  int64_t target_stride) {
  Words even[16], odd[16];
#pragma GCC unroll 16
  for (int64_t k = 0; k < 16; ++k) {
    Halves a, b;
    __builtin_memcpy(&a, source + 2 * k * source_stride, kRowBytes);
    __builtin_memcpy(&b, source + (2 * k + 1) * source_stride, kRowBytes);
    Exchange<1>(a, b, std::make_index_sequence<32>());
    even[k] = reinterpret_cast<Words>(a);
    odd[k] = reinterpret_cast<Words>(b);
  }
  TransposeRows(even);
  StoreRows<2, kPastCache>(even, target, target_stride);
  TransposeRows(odd);
  StoreRows<2, kPastCache>(odd, target + target_stride, target_stride);
}

// A tile of which fewer columns or rows are there.
template <int64_t kBytes>
struct PartOfTile {
  const uint8_t* source;
  int64_t source_stride;
  uint8_t* target;
  int64_t target_stride, columns, rows;
};

// Of `columns` elements of row `j`, the others zero; a row that is not there is zero.
template <int64_t kBytes>
HLOSCOPE_WIDE __m512i LoadRow(const PartOfTile<kBytes>& part, int64_t j) {
  if (j >= part.rows) return _mm512_setzero_si512();
  const uint8_t* const from = part.source + j * part.source_stride;
  const uint64_t mask = (uint64_t{1} << part.columns) - 1;  // of at most 32 columns
  if constexpr (kBytes == 2) {
    return _mm512_maskz_loadu_epi16(static_cast<__mmask32>(mask), from);
  } else if constexpr (kBytes == 4) {
    return _mm512_maskz_loadu_epi32(static_cast<__mmask16>(mask), from);
  } else {
    return _mm512_maskz_loadu_epi64(static_cast<__mmask8>(mask), from);
  }
}

template <int64_t kBytes>
HLOSCOPE_WIDE void StoreRow(const PartOfTile<kBytes>& part, int64_t i, __m512i row) {
  if (i >= part.columns) return;
  uint8_t* const to = part.target + i * part.target_stride;
  const uint64_t mask = (uint64_t{1} << part.rows) - 1;
  if constexpr (kBytes == 2) {
    _mm512_mask_storeu_epi16(to, static_cast<__mmask32>(mask), row);
  } else if constexpr (kBytes == 4) {
    _mm512_mask_storeu_epi32(to, static_cast<__mmask16>(mask), row);
  } else {
    _mm512_mask_storeu_epi64(to, static_cast<__mmask8>(mask), row);
  }
}

template <int64_t kBytes>
HLOSCOPE_AVX512_FUNCTION void TransposePart(const PartOfTile<kBytes>& part) {
  if constexpr (kBytes == 2) {
    Words even[16], odd[16];
#pragma GCC unroll 16
    for (int64_t k = 0; k < 16; ++k) {
      Halves a = reinterpret_cast<Halves>(LoadRow(part, 2 * k));
      Halves b = reinterpret_cast<Halves>(LoadRow(part, 2 * k + 1));
      Exchange<1>(a, b, std::make_index_sequence<32>());
      even[k] = reinterpret_cast<Words>(a);
      odd[k] = reinterpret_cast<Words>(b);
    }
    TransposeRows(even);
#pragma GCC unroll 16
    for (int64_t k = 0; k < 16; ++k) StoreRow(part, 2 * k, reinterpret_cast<__m512i>(even[k]));
    TransposeRows(odd);
#pragma GCC unroll 16
    for (int64_t k = 0; k < 16; ++k) StoreRow(part, 2 * k + 1, reinterpret_cast<__m512i>(odd[k]));
  } else {
    using Vector = std::conditional_t<kBytes == 4, Words, Longs>;
    constexpr int64_t kRows = kRowBytes / kBytes;
    Vector rows[kRows];
#pragma GCC unroll 16
    for (int64_t j = 0; j < kRows; ++j) rows[j] = reinterpret_cast<Vector>(LoadRow(part, j));
    TransposeRows(rows);
#pragma GCC unroll 16
    for (int64_t i = 0; i < kRows; ++i) StoreRow(part, i, reinterpret_cast<__m512i>(rows[i]));
  }
}

template <int64_t kBytes, bool kPastCache>
HLOSCOPE_AVX512_FUNCTION void TransposeWideTiles(const uint8_t* source, int64_t source_stride, uint8_t* target,
                                                 int64_t target_stride, int64_t columns, int64_t rows) {
  constexpr int64_t kSide = kRowBytes / kBytes;
  // Two tiles side by side: memory gives pairs of lines sooner.
  for (int64_t i = 0; i < columns; i += 2 * kSide) {
    for (int64_t j = 0; j < rows; j += kSide) {
      for (int64_t tile = i; tile < columns && tile < i + 2 * kSide; tile += kSide) {
        const uint8_t* const from = source + j * source_stride + tile * kBytes;
        uint8_t* const to = target + tile * target_stride + j * kBytes;
        if (tile + kSide > columns || j + kSide > rows) {
          TransposePart<kBytes>(
              {from, source_stride, to, target_stride, std::min(kSide, columns - tile), std::min(kSide, rows - j)});
        } else if constexpr (kBytes == 2) {
          TransposePairs<kPastCache>(from, source_stride, to, target_stride);
        } else {
          using Vector = std::conditional_t<kBytes == 4, Words, Longs>;
          TransposeWideTile<Vector, kPastCache>(from, source_stride, to, target_stride);
        }
      }
    }
  }
  if constexpr (kPastCache) _mm_sfence();
}

template <int64_t kBytes>
void TransposeWide(TiledRows<const uint8_t> source, TiledRows<uint8_t> target, int64_t columns, int64_t rows,
                   bool past_cache) {
  const bool is_aligned =
      reinterpret_cast<uintptr_t>(target.data) % kRowBytes == 0 && target.stride * kBytes % kRowBytes == 0;
  const auto transpose =
      past_cache && is_aligned ? &TransposeWideTiles<kBytes, true> : &TransposeWideTiles<kBytes, false>;
  transpose(source.data, source.stride * kBytes, target.data, target.stride * kBytes, columns, rows);
}
#undef HLOSCOPE_WIDE

bool IsWide() { return BestCpuLevel() == CpuLevel::kAvx512; }
#endif

}  // namespace

int64_t TileSide(int64_t element_bytes) {
#ifdef HLOSCOPE_AVX512_FUNCTION
  if (IsWide() && (element_bytes == 2 || element_bytes == 4 || element_bytes == 8)) return kRowBytes / element_bytes;
#endif
#if defined(__SSE2__)
  if (element_bytes <= 2) return kShortRowBytes / element_bytes;
  return element_bytes == 4 ? 16 : 0;
#else
  return 0;
#endif
}

bool TakesPartsOfTiles(int64_t element_bytes) {
#ifdef HLOSCOPE_AVX512_FUNCTION
  if (IsWide()) return TileSide(element_bytes) > 0;
#endif
  return element_bytes <= 2 && TileSide(element_bytes) > 0;
}

void TransposeTiles([[maybe_unused]] int64_t element_bytes, [[maybe_unused]] TiledRows<const uint8_t> source,
                    [[maybe_unused]] TiledRows<uint8_t> target, [[maybe_unused]] int64_t columns,
                    [[maybe_unused]] int64_t rows, [[maybe_unused]] bool past_cache) {
#ifdef HLOSCOPE_AVX512_FUNCTION
  if (IsWide() && element_bytes > 1) {
    const auto transpose = element_bytes == 2   ? &TransposeWide<2>
                           : element_bytes == 4 ? &TransposeWide<4>
                                                : &TransposeWide<8>;
    return transpose(source, target, columns, rows, past_cache);
  }
#endif
#if defined(__SSE2__)
  if (element_bytes == 1) return TransposeShortTiles<uint8_t>(source, target, columns, rows);
  if (element_bytes == 2) return TransposeShortTiles<uint16_t>(source, target, columns, rows);
  const int64_t source_stride = source.stride * element_bytes, target_stride = target.stride * element_bytes;
  for (int64_t i = 0; i < columns; i += 16) {
    for (int64_t j = 0; j < rows; j += 16) {
      TransposeTile(source.data + i * element_bytes + j * source_stride, source_stride,
                    target.data + i * target_stride + j * element_bytes, target_stride);
    }
  }
#endif
}

}  // namespace hloscope::numerics
