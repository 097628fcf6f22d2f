// SPDX-License-Identifier: Apache-2.0
// Which of the instruction sets that kernels are compiled for this processor has.
#ifndef HLOSCOPE_NUMERICS_PARALLEL_CPU_LEVEL_H_
#define HLOSCOPE_NUMERICS_PARALLEL_CPU_LEVEL_H_

namespace hloscope::numerics {

enum class CpuLevel { kBaseline, kAvx2, kAvx512 };

// The best level of this processor; HLOSCOPE_CPU=baseline|avx2|avx512|avx512bf16 in the environment asks for a lower
// one.
CpuLevel BestCpuLevel();
// True if code of that level runs here.
bool HasCpuLevel(CpuLevel level);

// True at level kAvx512 where the instruction that multiplies pairs of bf16 takes less time than multiply-adds of as
// many f32. Of Intel's processors, Cooper Lake alone is taken for one: Emerald Rapids takes four times as long for a
// vector of pairs as for one of f32 (`hloscope_bench evaluator` prints the better rate). HLOSCOPE_CPU=avx512: never;
// avx512bf16: wherever the processor has the instruction.
bool MultipliesPairs();

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_PARALLEL_CPU_LEVEL_H_
