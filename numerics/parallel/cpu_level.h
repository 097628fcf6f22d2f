// SPDX-License-Identifier: Apache-2.0
// Which of the instruction sets that kernels are compiled for this processor has.
#ifndef HLOSCOPE_NUMERICS_PARALLEL_CPU_LEVEL_H_
#define HLOSCOPE_NUMERICS_PARALLEL_CPU_LEVEL_H_

namespace hloscope::numerics {

enum class CpuLevel { kBaseline, kAvx2, kAvx512 };

// The best level of this processor; HLOSCOPE_CPU=baseline|avx2|avx512 in the environment asks for a lower one.
CpuLevel BestCpuLevel();
// True if code of that level runs here.
bool HasCpuLevel(CpuLevel level);

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_PARALLEL_CPU_LEVEL_H_
