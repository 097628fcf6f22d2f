// SPDX-License-Identifier: Apache-2.0
#include "numerics/contraction/gemm_micro_loops.h"

namespace hloscope::numerics {

MicroKernels Avx2MicroKernels() { return KernelsOf<32, 6, 2>(); }

}  // namespace hloscope::numerics
