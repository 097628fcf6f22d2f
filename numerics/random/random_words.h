// Arrays of random bits (spec/ops-a-elementwise.md 11.1): what rng-bit-generator and rng are made of.
#ifndef HLOSCOPE_NUMERICS_RANDOM_RANDOM_WORDS_H_
#define HLOSCOPE_NUMERICS_RANDOM_RANDOM_WORDS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "evaluator/kernels/interface/kernel.h"
#include "numerics/random/random_bits.h"

namespace hloscope {

// How an array is cut in two along its split dimension (11.1.1): the first one of even size, else the first of the
// largest. Elements have the index (outer, r, inner) with r below `size`.
struct RandomSplit {
  int64_t outer = 1, size = 1, inner = 1;
  int64_t half() const { return size / 2 + size % 2; }
  int64_t pair_count() const { return outer * half() * inner; }
};
RandomSplit SplitOf(absl::Span<const int64_t> dimensions);

// Fills a dense array of elements of 1, 2, 4 or 8 bytes with the words of ThreeFry. Errors: Cancelled.
absl::Status FillThreeFry(KernelRuntime& runtime, uint64_t key, uint64_t counter, absl::Span<const int64_t> dimensions,
                          int64_t element_bytes, uint8_t* data);
// How far that moves the counter.
int64_t ThreeFryBlockCount(absl::Span<const int64_t> dimensions, int64_t element_bytes);

// Fills `elements` elements of 1, 2, 4 or 8 bytes with the words of Philox. Errors: Cancelled.
absl::Status FillPhilox(KernelRuntime& runtime, uint64_t key, const RandomCounter& counter, int64_t elements,
                        int64_t element_bytes, uint8_t* data);

}  // namespace hloscope

#endif  // HLOSCOPE_NUMERICS_RANDOM_RANDOM_WORDS_H_
