// SPDX-License-Identifier: Apache-2.0
#include "numerics/contraction/gemm_micro_loops.h"

namespace hloscope::numerics {

MicroKernels Avx512MicroKernels() { return KernelsOf<64, 12, 2>(); }

}  // namespace hloscope::numerics
