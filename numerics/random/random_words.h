// SPDX-License-Identifier: Apache-2.0
// Arrays of random bits (docs/ops/elementwise.md 11.1): what rng-bit-generator and rng are made of.
#ifndef HLOSCOPE_NUMERICS_RANDOM_RANDOM_WORDS_H_
#define HLOSCOPE_NUMERICS_RANDOM_RANDOM_WORDS_H_

#include <cstdint>
#include <span>

#include "numerics/parallel/executor.h"
#include "numerics/random/random_bits.h"

namespace hloscope::numerics {

// How an array is cut in two along its split dimension (11.1.1): the first one of even size, else the first of the
// largest. Elements have the index (outer, r, inner) with r below `size`.
struct RandomSplit {
  int64_t outer = 1, size = 1, inner = 1;
  int64_t half() const { return size / 2 + size % 2; }
  int64_t pair_count() const { return outer * half() * inner; }
};
RandomSplit SplitOf(std::span<const int64_t> dimensions);

// Fills a dense array of elements of 1, 2, 4 or 8 bytes with the words of ThreeFry. Errors: kCancelled.
Outcome FillThreeFry(Executor& executor, uint64_t key, uint64_t counter, std::span<const int64_t> dimensions,
                     int64_t element_bytes, uint8_t* data);
// How far that moves the counter.
int64_t ThreeFryBlockCount(std::span<const int64_t> dimensions, int64_t element_bytes);

// Fills `elements` elements of 1, 2, 4 or 8 bytes with the words of Philox. Errors: kCancelled.
Outcome FillPhilox(Executor& executor, uint64_t key, const RandomCounter& counter, int64_t elements,
                   int64_t element_bytes, uint8_t* data);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_RANDOM_RANDOM_WORDS_H_
