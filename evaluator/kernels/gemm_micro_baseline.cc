// For every processor of the target: no fused multiply-add, so the last bits may differ from the other two.
#include "evaluator/kernels/gemm_micro_loops.h"

namespace hloscope {

MicroKernels BaselineMicroKernels() { return KernelsOf<16, 4, 2>(); }

}  // namespace hloscope
