// SPDX-License-Identifier: Apache-2.0
// The innermost loops that this processor runs best, and the memory they read packed operands from.
#ifndef HLOSCOPE_NUMERICS_CONTRACTION_MICRO_KERNEL_CHOICE_H_
#define HLOSCOPE_NUMERICS_CONTRACTION_MICRO_KERNEL_CHOICE_H_

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <type_traits>

#include "numerics/contraction/gemm_micro.h"

namespace hloscope::numerics {

const MicroKernels& BestMicroKernels();

// Of operands packed as they are, or, of float, as pairs of bf16: requires MultipliesPairs().
template <typename T, typename Packed = T>
const MicroKernel<T, Packed>& BestMicroKernel() {
  if constexpr (!std::is_same_v<T, Packed>) {
    static const MicroKernel<T, Packed> pairs = PairMicroKernel();
    return pairs;
  } else if constexpr (std::is_same_v<T, uint32_t>) {
    return BestMicroKernels().words;
  } else if constexpr (sizeof(T) == 4) {
    return BestMicroKernels().floats;
  } else {
    return BestMicroKernels().doubles;
  }
}

inline int64_t RoundUp(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

// Aligned memory that is kept for the next use.
template <typename T>
class Workspace {
 public:
  // Null if there is no memory left.
  T* Get(int64_t count) {
    if (count > size_) {
      data_.reset(
          static_cast<T*>(std::aligned_alloc(64, static_cast<size_t>(RoundUp(count * int64_t{sizeof(T)}, 64)))));
      size_ = data_ == nullptr ? 0 : count;
    }
    return data_.get();
  }

 private:
  struct Release {
    void operator()(T* data) const { std::free(data); }
  };
  std::unique_ptr<T, Release> data_;
  int64_t size_ = 0;
};

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_CONTRACTION_MICRO_KERNEL_CHOICE_H_
