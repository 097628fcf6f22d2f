// Stands for the evaluator's header in compiled programs, which are built for one processor.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_LANE_LOOPS_H_
#define HLOSCOPE_EVALUATOR_KERNELS_LANE_LOOPS_H_
#define HLOSCOPE_INDEPENDENT_LANES _Pragma("GCC ivdep")
#define HLOSCOPE_VECTOR_CLONES
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define HLOSCOPE_AVX512_FUNCTION
#endif
#endif
