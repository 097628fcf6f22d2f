// SPDX-License-Identifier: Apache-2.0
// What the modules of a compiled program look like from outside. A program calls `kModules[k].run` with the leaves of
// its parameters and room for those of its results; so does whoever loads it as a library, through hlo_run.
#ifndef HLO_MAIN_H_
#define HLO_MAIN_H_

#include <cstdint>

#include "hlo_runtime.h"

namespace hlo {

// An array of a parameter or a result.
struct Leaf {
  const char* label;     // "0", or "0.1" inside of a tuple; "" for a token
  const char* shape;     // "f32[2,3]"
  const char* npy_type;  // "<f4"; types that .npy lacks are bits in an unsigned integer
  int bytes, bits;       // of an element
  bool is_signed;
  int64_t rank;
  const int64_t* dimensions;

  int64_t count() const {
    int64_t count = 1;
    for (int64_t d = 0; d < rank; ++d) count *= dimensions[d];
    return count;
  }
};

struct CompiledModule {
  const char* name;
  void (*run)(Array* in, Array* out);
  const Leaf* parameters;
  int parameter_count;
  const Leaf* results;
  int result_count;
};
extern const CompiledModule kModules[];
extern const int kModuleCount;

}  // namespace hlo

// Runs a module on dense row-major arrays, one pointer for each leaf. `results` must have room for all elements.
// Returns 0, or 1 if there is no such module.
extern "C" __attribute__((visibility("default"))) int hlo_run(const char* module, const void* const* parameters,
                                                              void* const* results);

#endif  // HLO_MAIN_H_
