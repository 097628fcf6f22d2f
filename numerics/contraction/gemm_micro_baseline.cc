// SPDX-License-Identifier: Apache-2.0
// For every processor of the target: no fused multiply-add, so the last bits may differ from the other two.
#include "numerics/contraction/gemm_micro_loops.h"

namespace hloscope::numerics {

MicroKernels BaselineMicroKernels() { return KernelsOf<16, 4, 2>(); }

}  // namespace hloscope::numerics
