// SPDX-License-Identifier: Apache-2.0
#include "numerics/random/random_words.h"

#include <algorithm>

#include "numerics/parallel/parallel_loop.h"

namespace hloscope::numerics {

RandomSplit SplitOf(std::span<const int64_t> dimensions) {
  RandomSplit split;
  if (dimensions.empty()) return split;
  auto chosen = std::find_if(dimensions.begin(), dimensions.end(), [](int64_t n) { return n % 2 == 0; });
  if (chosen == dimensions.end()) chosen = std::max_element(dimensions.begin(), dimensions.end());
  for (auto it = dimensions.begin(); it != chosen; ++it) split.outer *= *it;
  for (auto it = chosen + 1; it != dimensions.end(); ++it) split.inner *= *it;
  split.size = *chosen;
  return split;
}

namespace {

constexpr double kNanosecondsPerWord = 2;
constexpr int64_t kBlock = 256;

template <typename T>
Outcome FillThreeFry(Executor& executor, uint64_t key, uint64_t counter, const RandomSplit& split, T* out) {
  return ParallelLoop(executor, split.pair_count(), kNanosecondsPerWord * 2, [&](int64_t begin, int64_t end) {
    uint32_t x0[kBlock], x1[kBlock];
    for (int64_t first = begin; first < end; first += kBlock) {
      const int64_t count = std::min(kBlock, end - first);
      ThreeFryBlocks(key, counter + static_cast<uint64_t>(first), count, x0, x1);
      int64_t inner = first % split.inner;
      int64_t h = first / split.inner % split.half();
      int64_t outer = first / split.inner / split.half();
      for (int64_t j = 0; j < count; ++j) {
        T* pair = out + (outer * split.size + 2 * h) * split.inner + inner;
        pair[0] = static_cast<T>(x0[j]);
        if (2 * h + 1 < split.size) pair[split.inner] = static_cast<T>(x1[j]);
        if (++inner < split.inner) continue;
        inner = 0;
        if (++h < split.half()) continue;
        h = 0;
        ++outer;
      }
    }
  });
}

Outcome FillThreeFry64(Executor& executor, uint64_t key, uint64_t counter, int64_t elements, uint64_t* out) {
  return ParallelLoop(executor, elements, kNanosecondsPerWord * 2, [&](int64_t begin, int64_t end) {
    uint32_t x0[kBlock], x1[kBlock];
    for (int64_t first = begin; first < end; first += kBlock) {
      const int64_t count = std::min(kBlock, end - first);
      ThreeFryBlocks(key, counter + static_cast<uint64_t>(first), count, x0, x1);
      for (int64_t j = 0; j < count; ++j) out[first + j] = x0[j] | static_cast<uint64_t>(x1[j]) << 32;
    }
  });
}

template <typename T>
Outcome FillPhilox(Executor& executor, uint64_t key, const RandomCounter& counter, int64_t elements, T* out) {
  constexpr int64_t kWords = sizeof(T) == 8 ? 2 : 1;
  return ParallelLoop(executor, elements, kNanosecondsPerWord * kWords, [&](int64_t begin, int64_t end) {
    uint32_t words[kBlock * kWords];
    for (int64_t first = begin; first < end; first += kBlock) {
      const int64_t count = std::min(kBlock, end - first);
      PhiloxWords(key, counter, first * kWords, count * kWords, words);
      for (int64_t j = 0; j < count; ++j) {
        if constexpr (kWords == 2) {
          out[first + j] = words[2 * j] | static_cast<T>(words[2 * j + 1]) << 32;
        } else {
          out[first + j] = static_cast<T>(words[j]);
        }
      }
    }
  });
}

}  // namespace

Outcome FillThreeFry(Executor& executor, uint64_t key, uint64_t counter, std::span<const int64_t> dimensions,
                     int64_t element_bytes, uint8_t* data) {
  const RandomSplit split = SplitOf(dimensions);
  switch (element_bytes) {
    case 1:
      return FillThreeFry(executor, key, counter, split, data);
    case 2:
      return FillThreeFry(executor, key, counter, split, reinterpret_cast<uint16_t*>(data));
    case 4:
      return FillThreeFry(executor, key, counter, split, reinterpret_cast<uint32_t*>(data));
    default: {
      int64_t elements = 1;
      for (int64_t size : dimensions) elements *= size;
      return FillThreeFry64(executor, key, counter, elements, reinterpret_cast<uint64_t*>(data));
    }
  }
}

int64_t ThreeFryBlockCount(std::span<const int64_t> dimensions, int64_t element_bytes) {
  int64_t elements = 1;
  for (int64_t size : dimensions) elements *= size;
  return element_bytes == 8 || elements == 0 ? elements : SplitOf(dimensions).pair_count();
}

Outcome FillPhilox(Executor& executor, uint64_t key, const RandomCounter& counter, int64_t elements,
                   int64_t element_bytes, uint8_t* data) {
  switch (element_bytes) {
    case 1:
      return FillPhilox(executor, key, counter, elements, data);
    case 2:
      return FillPhilox(executor, key, counter, elements, reinterpret_cast<uint16_t*>(data));
    case 4:
      return FillPhilox(executor, key, counter, elements, reinterpret_cast<uint32_t*>(data));
    default:
      return FillPhilox(executor, key, counter, elements, reinterpret_cast<uint64_t*>(data));
  }
}

}  // namespace hloscope::numerics
