// SPDX-License-Identifier: Apache-2.0
#include "numerics/contraction/micro_kernel_choice.h"

#include "numerics/parallel/cpu_level.h"

namespace hloscope::numerics {

const MicroKernels& BestMicroKernels() {
  static const MicroKernels kernels = [] {
    switch (BestCpuLevel()) {
      case CpuLevel::kAvx512:
        return Avx512MicroKernels();
      case CpuLevel::kAvx2:
        return Avx2MicroKernels();
      case CpuLevel::kBaseline:
        break;
    }
    return BaselineMicroKernels();
  }();
  return kernels;
}

}  // namespace hloscope::numerics
