// SPDX-License-Identifier: Apache-2.0
// Random bits: the evaluator's generators (numerics/random/random_words.h).
#ifndef HLO_RANDOM_H_
#define HLO_RANDOM_H_

#include <cstdint>

#include "hlo_runtime.h"

namespace hlo {

// rng-bit-generator: fills `data`, a dense array of unsigned elements, from a state of `state_size` words, and writes
// the state that follows.
void GenerateThreeFry(const uint64_t* state, int64_t rank, const int64_t* sizes, int element_bytes, uint64_t* next,
                      void* data);
void GeneratePhilox(const uint64_t* state, int64_t state_size, int64_t count, int element_bytes, uint64_t* next,
                    void* data);

}  // namespace hlo

#endif  // HLO_RANDOM_H_
