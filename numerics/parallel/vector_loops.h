// SPDX-License-Identifier: Apache-2.0
// How loops are compiled for the instruction sets of processors.
#ifndef HLOSCOPE_NUMERICS_PARALLEL_VECTOR_LOOPS_H_
#define HLOSCOPE_NUMERICS_PARALLEL_VECTOR_LOOPS_H_

// Before a loop whose results may be written over an operand lane by lane: there is no dependence between lanes for the
// compiler to fear. Clang has a pragma of its own, and warns of each loop that it does not vectorise in spite of it.
#if defined(__GNUC__) && !defined(__clang__)
#define HLOSCOPE_INDEPENDENT_LANES _Pragma("GCC ivdep")
#else
#define HLOSCOPE_INDEPENDENT_LANES
#endif

// HLOSCOPE_VECTOR_CLONES, before a function that is a loop of its own: compiled for several instruction sets, chosen
// when the program starts. HLOSCOPE_AVX512_FUNCTION, before a function for processors of CpuLevel::kAvx512 alone, and
// HLOSCOPE_AVX2_FUNCTION, before one for those of kAvx2 and up: defined where the compiler can make one.
//
// Whoever compiles for the processor at hand alone defines HLOSCOPE_ONE_PROCESSOR.
#if defined(HLOSCOPE_ONE_PROCESSOR)
#define HLOSCOPE_VECTOR_CLONES
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define HLOSCOPE_AVX512_FUNCTION
#endif
#if defined(__AVX2__) && defined(__FMA__)
#define HLOSCOPE_AVX2_FUNCTION
#endif
#else
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define HLOSCOPE_VECTOR_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define HLOSCOPE_VECTOR_CLONES
#endif
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define HLOSCOPE_AVX512_FUNCTION __attribute__((target("arch=x86-64-v4")))
#define HLOSCOPE_AVX2_FUNCTION __attribute__((target("arch=x86-64-v3")))
#endif
#endif

#endif  // HLOSCOPE_NUMERICS_PARALLEL_VECTOR_LOOPS_H_
