// SPDX-License-Identifier: Apache-2.0
#include "numerics/contraction/pack_lines.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "numerics/data_movement/run_ahead.h"
#include "numerics/elements/numeric.h"
#include "numerics/parallel/cpu_level.h"
#include "numerics/parallel/vector_loops.h"

#ifdef HLOSCOPE_AVX512_FUNCTION
#include <immintrin.h>
#endif

namespace hloscope::numerics {
namespace {

// Elements of a line that are packed at a time, so that what is written stays in the cache while all lines go over it.
constexpr int64_t kRun = 16;

// to[(k - begin) * panel + line] = get(address of element k of line), for lines from `from`, a step for k = begin.
template <typename From, typename To, typename Get>
void PackEach(const From* from, int64_t line_stride, int64_t step, int64_t count, int64_t elements, int64_t panel,
              To* to, const Get& get) {
  for (int64_t k = 0; k < elements; k += kRun, from += kRun * step, to += kRun * panel) {
    const int64_t run = std::min(kRun, elements - k);
    for (int64_t line = 0; line < count; ++line) {
      for (int64_t i = 0; i < run; ++i) to[i * panel + line] = get(from + line * line_stride + i * step);
    }
  }
}

typedef uint32_t FourWords __attribute__((vector_size(16)));

FourWords LoadFour(const uint32_t* from) {
  FourWords words;
  std::memcpy(&words, from, sizeof words);
  return words;
}
// Of bf16, widened.
FourWords LoadFour(const Bf16* from) {
  typedef uint16_t FourHalves __attribute__((vector_size(8)));
  FourHalves halves;
  std::memcpy(&halves, from, sizeof halves);
  return __builtin_convertvector(halves, FourWords) << 16;
}
uint32_t LoadOne(const uint32_t* from) {
  uint32_t word;
  std::memcpy(&word, from, sizeof word);
  return word;
}
uint32_t LoadOne(const Bf16* from) { return std::bit_cast<uint32_t>(Widened(*from)); }

// Four neighbouring elements of each of four lines, `offset` bytes from where those start, become four neighbours in
// each of four rows.
template <typename X>
void TransposeFour(const uint8_t* const* lines, int64_t offset, uint32_t* to, int64_t panel) {
  FourWords a = LoadFour(reinterpret_cast<const X*>(lines[0] + offset));
  FourWords b = LoadFour(reinterpret_cast<const X*>(lines[1] + offset));
  FourWords c = LoadFour(reinterpret_cast<const X*>(lines[2] + offset));
  FourWords d = LoadFour(reinterpret_cast<const X*>(lines[3] + offset));
  const FourWords ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5),
                  cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5);
  const FourWords ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const FourWords cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  a = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
  b = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
  c = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
  d = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
  std::memcpy(to, &a, sizeof a);
  std::memcpy(to + panel, &b, sizeof b);
  std::memcpy(to + 2 * panel, &c, sizeof c);
  std::memcpy(to + 3 * panel, &d, sizeof d);
}

// The same of two lines.
template <typename X>
void TransposeTwo(const uint8_t* first, const uint8_t* second, uint32_t* to, int64_t panel) {
  const FourWords a = LoadFour(reinterpret_cast<const X*>(first)), b = LoadFour(reinterpret_cast<const X*>(second));
  const FourWords low = __builtin_shufflevector(a, b, 0, 4, 1, 5), high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  std::memcpy(to, &low, 8);
  std::memcpy(to + panel, reinterpret_cast<const uint8_t*>(&low) + 8, 8);
  std::memcpy(to + 2 * panel, &high, 8);
  std::memcpy(to + 3 * panel, reinterpret_cast<const uint8_t*>(&high) + 8, 8);
}

// Lines of neighbouring elements, words or bf16 that become floats; they need not be aligned. line_at(l) is where the
// elements of line l start.
template <typename X, typename LineAt>
[[gnu::always_inline]] inline void PackLinesAt(const LineAt& line_at, int64_t count, int64_t elements, int64_t panel,
                                               uint32_t* to) {
  constexpr int64_t kBytes = sizeof(X);
  const int64_t fours = count / 4 * 4, whole_elements = elements / 4 * 4;
  for (int64_t k = 0; k < whole_elements; k += kRun) {
    const int64_t run = std::min(kRun, whole_elements - k);
    int64_t line = 0;
    for (; line < fours; line += 4) {
      const uint8_t* const lines[] = {line_at(line) + k * kBytes, line_at(line + 1) + k * kBytes,
                                      line_at(line + 2) + k * kBytes, line_at(line + 3) + k * kBytes};
      for (const uint8_t* start : lines) FetchAhead(start, run * kBytes);
      for (int64_t i = 0; i < run; i += 4) TransposeFour<X>(lines, i * kBytes, to + (k + i) * panel + line, panel);
    }
    if (line + 2 <= count) {
      const uint8_t *const first = line_at(line) + k * kBytes, *const second = line_at(line + 1) + k * kBytes;
      for (int64_t i = 0; i < run; i += 4) {
        TransposeTwo<X>(first + i * kBytes, second + i * kBytes, to + (k + i) * panel + line, panel);
      }
    }
  }
  const auto pack_rest = [&](int64_t first_line, int64_t first_element) {
    for (int64_t line = first_line; line < count; ++line) {
      const uint8_t* const start = line_at(line);
      for (int64_t k = first_element; k < elements; ++k) {
        to[k * panel + line] = LoadOne(reinterpret_cast<const X*>(start + k * kBytes));
      }
    }
  };
  if (count % 2 != 0) pack_rest(count - 1, 0);
  if (whole_elements < elements) pack_rest(0, whole_elements);
}

template <typename X>
void PackNeighbours(const uint8_t* from, int64_t line_bytes, int64_t count, int64_t elements, int64_t panel,
                    uint32_t* to) {
  PackLinesAt<X>([=](int64_t line) { return from + line * line_bytes; }, count, elements, panel, to);
}

void PackWords(const uint8_t* from, int64_t line_bytes, int64_t count, int64_t elements, int64_t panel, uint32_t* to) {
  PackNeighbours<uint32_t>(from, line_bytes, count, elements, panel, to);
}

// Rows of neighbouring lines.
HLOSCOPE_VECTOR_CLONES void WidenRows(const uint16_t* rows, int64_t step, int64_t count, int64_t elements,
                                      int64_t panel, uint32_t* to) {
  for (int64_t k = 0; k < elements; ++k, rows += step, to += panel) {
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t line = 0; line < count; ++line) to[line] = static_cast<uint32_t>(rows[line]) << 16;
  }
}

// Rows of neighbouring lines, two at a time.
HLOSCOPE_VECTOR_CLONES void PackRowPairs(const uint16_t* rows, int64_t step, int64_t count, int64_t pairs,
                                         int64_t panel, uint32_t* to) {
  for (int64_t k = 0; k < pairs; ++k, rows += 2 * step, to += panel) {
    const uint16_t* const next = rows + step;
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t line = 0; line < count; ++line) to[line] = rows[line] | static_cast<uint32_t>(next[line]) << 16;
  }
}

#ifdef HLOSCOPE_AVX512_FUNCTION
// PackLinePairs, whose lines are too short for what compilers make of its loop.
HLOSCOPE_AVX512_FUNCTION void PackWideLinePairs(const uint16_t* const* lines, int64_t pairs, int64_t count,
                                                int64_t panel, uint32_t* to) {
  constexpr int64_t kLanes = 16;
  for (int64_t first = 0; first < count; first += kLanes) {
    const __mmask16 mask = static_cast<__mmask16>((1u << std::min(kLanes, count - first)) - 1);
    for (int64_t p = 0; p < pairs; ++p) {
      const __m256i low = _mm256_maskz_loadu_epi16(mask, lines[2 * p] + first);
      const __m256i high = _mm256_maskz_loadu_epi16(mask, lines[2 * p + 1] + first);
      const __m512i words = _mm512_or_si512(_mm512_maskz_cvtepu16_epi32(mask, low),
                                            _mm512_maskz_slli_epi32(mask, _mm512_maskz_cvtepu16_epi32(mask, high), 16));
      _mm512_mask_storeu_epi32(to + p * panel + first, mask, words);
    }
  }
}
#endif

template <size_t kBytes, typename T>
void CopyLinesOf(const T* from, int64_t step, int64_t elements, int64_t panel, T* to) {
  for (int64_t k = 0; k < elements; ++k, from += step, to += panel) std::memcpy(to, from, kBytes);
}

// to[k * panel + line] = from[k * step + line]. For whole panels of the kernels (gemm_micro.h) without a call for each
// k.
template <typename T>
void CopyLines(const T* from, int64_t step, int64_t count, int64_t elements, int64_t panel, T* to) {
  const size_t bytes = static_cast<size_t>(count) * sizeof(T);
  switch (bytes) {
    case 48:
      return CopyLinesOf<48>(from, step, elements, panel, to);
    case 64:
      return CopyLinesOf<64>(from, step, elements, panel, to);
    case 96:
      return CopyLinesOf<96>(from, step, elements, panel, to);
    case 128:
      return CopyLinesOf<128>(from, step, elements, panel, to);
    default:
      for (int64_t k = 0; k < elements; ++k, from += step, to += panel) std::memcpy(to, from, bytes);
  }
}

}  // namespace

template <typename T>
void PackStrided(const T* data, int64_t line_stride, int64_t step, int64_t first, int64_t count, int64_t begin,
                 int64_t end, int64_t panel, T* to) {
  if (count < panel) std::fill_n(to, panel * (end - begin), T());
  data += first * line_stride + begin * step;
  if (line_stride == 1) {
    CopyLines(data, step, count, end - begin, panel, to);
  } else if (step == 1 && sizeof(T) == sizeof(uint32_t)) {
    PackWords(reinterpret_cast<const uint8_t*>(data), line_stride * static_cast<int64_t>(sizeof(T)), count, end - begin,
              panel, reinterpret_cast<uint32_t*>(to));
  } else {
    PackEach(data, line_stride, step, count, end - begin, panel, to, [](const T* from) { return *from; });
  }
}

template void PackStrided<float>(const float*, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, float*);
template void PackStrided<uint32_t>(const uint32_t*, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
                                    uint32_t*);
template void PackStrided<double>(const double*, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
                                  double*);

template <typename T>
void PackLines(const T* const* lines, int64_t offset, int64_t count, int64_t elements, int64_t panel, T* to) {
  if constexpr (sizeof(T) == sizeof(uint32_t)) {
    const auto line_at = [=](int64_t line) { return reinterpret_cast<const uint8_t*>(lines[line] + offset); };
    PackLinesAt<uint32_t>(line_at, count, elements, panel, reinterpret_cast<uint32_t*>(to));
  } else {
    for (int64_t k = 0; k < elements; k += kRun) {
      const int64_t run = std::min(kRun, elements - k);
      for (int64_t line = 0; line < count; ++line) {
        const T* const from = lines[line] + offset + k;
        for (int64_t i = 0; i < run; ++i) to[(k + i) * panel + line] = from[i];
      }
    }
  }
}

template void PackLines<float>(const float* const*, int64_t, int64_t, int64_t, int64_t, float*);
template void PackLines<double>(const double* const*, int64_t, int64_t, int64_t, int64_t, double*);

void PackLinePairs(const uint16_t* const* lines, int64_t pairs, int64_t count, int64_t panel, uint32_t* to) {
#ifdef HLOSCOPE_AVX512_FUNCTION
  if (BestCpuLevel() == CpuLevel::kAvx512) return PackWideLinePairs(lines, pairs, count, panel, to);
#endif
  for (int64_t p = 0; p < pairs; ++p, to += panel) {
    const uint16_t *const low = lines[2 * p], *const high = lines[2 * p + 1];
    for (int64_t l = 0; l < count; ++l) to[l] = low[l] | static_cast<uint32_t>(high[l]) << 16;
  }
}

void Bf16Lines::Pack(int64_t first, int64_t count, int64_t begin, int64_t end, int64_t panel, float* to) const {
  if (count < panel) std::fill_n(to, panel * (end - begin), 0.0f);
  const uint16_t* const from = data + first * line_stride + begin * step;
  if (line_stride == 1) {
    WidenRows(from, step, count, end - begin, panel, reinterpret_cast<uint32_t*>(to));
  } else if (step == 1) {
    PackNeighbours<Bf16>(reinterpret_cast<const uint8_t*>(from), line_stride * static_cast<int64_t>(sizeof(uint16_t)),
                         count, end - begin, panel, reinterpret_cast<uint32_t*>(to));
  } else {
    PackEach(from, line_stride, step, count, end - begin, panel, to,
             [](const uint16_t* bits) { return Bf16ToFloat(*bits); });
  }
}

void Bf16Lines::PackPairs(int64_t first, int64_t count, int64_t begin, int64_t end, int64_t panel, uint32_t* to) const {
  if (count < panel) std::fill_n(to, panel * (end - begin), 0);
  const uint16_t* const from = data + first * line_stride + 2 * begin * step;
  const int64_t whole = std::min(end, inner / 2) - begin;
  if (line_stride == 1) {
    PackRowPairs(from, step, count, whole, panel, to);
  } else if (step == 1) {
    PackWords(reinterpret_cast<const uint8_t*>(from), line_stride * static_cast<int64_t>(sizeof(uint16_t)), count,
              whole, panel, to);
  } else {
    PackEach(from, line_stride, 2 * step, count, whole, panel, to,
             [this](const uint16_t* pair) { return pair[0] | static_cast<uint32_t>(pair[step]) << 16; });
  }
  if (begin + whole == end) return;
  uint32_t* const last = to + whole * panel;
  for (int64_t line = 0; line < count; ++line) last[line] = data[(first + line) * line_stride + (inner - 1) * step];
}

}  // namespace hloscope::numerics
