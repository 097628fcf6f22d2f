// SPDX-License-Identifier: Apache-2.0
#include "hlo_random.h"

#include <algorithm>

#include "numerics/random/random_words.h"

namespace hlo {

void GenerateThreeFry(const uint64_t* state, int64_t rank, const int64_t* sizes, int element_bytes, uint64_t* next,
                      void* data) {
  const std::span<const int64_t> dimensions(sizes, static_cast<size_t>(rank));
  static_cast<void>(numerics::FillThreeFry(ProgramThreads(), state[0], state[1], dimensions, element_bytes,
                                           static_cast<uint8_t*>(data)));
  next[0] = state[0];
  next[1] = state[1] + static_cast<uint64_t>(numerics::ThreeFryBlockCount(dimensions, element_bytes));
}

void GeneratePhilox(const uint64_t* state, int64_t state_size, int64_t count, int element_bytes, uint64_t* next,
                    void* data) {
  // The key word doubles as the upper half of a two-element state's counter, whose carry is dropped.
  const numerics::RandomCounter counter = {state[1], state_size == 3 ? state[2] : state[0]};
  static_cast<void>(
      numerics::FillPhilox(ProgramThreads(), state[0], counter, count, element_bytes, static_cast<uint8_t*>(data)));
  const uint64_t words = static_cast<uint64_t>(count) * (element_bytes == 8 ? 2 : 1);
  const numerics::RandomCounter after = counter.Plus(words / 4 + (words % 4 != 0 ? 1 : 0));
  next[0] = state[0];
  next[1] = after.low;
  if (state_size == 3) next[2] = after.high;
}

}  // namespace hlo
