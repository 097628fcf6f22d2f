// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/lanes/wide_loops.h"

#include "numerics/parallel/cpu_level.h"
#include "numerics/parallel/vector_loops.h"

#ifdef HLOSCOPE_AVX2_FUNCTION
#include <immintrin.h>

#include <type_traits>
#include <utility>

#include "numerics/elements/numeric.h"
#include "numerics/rows/avx2_vectors.h"
#include "numerics/rows/row_functions.h"
#include "numerics/rows/wide_vectors.h"
#endif

namespace hloscope::evaluator {

#ifdef HLOSCOPE_AVX2_FUNCTION
namespace {

template <typename T>
const T* DataOf(const LaneOperand& operand) {
  return reinterpret_cast<const T*>(operand.data);
}

#ifdef HLOSCOPE_AVX512_FUNCTION
namespace loops512 {
using namespace numerics::wide;  // NOLINT: the vocabulary of these loops
#define HLOSCOPE_VECTOR_FUNCTION HLOSCOPE_AVX512_FUNCTION
#include "evaluator/kernels/lanes/wide_loops.def"
}  // namespace loops512
#endif

namespace loops256 {
using namespace numerics::avx2;  // NOLINT: the vocabulary of these loops
#define HLOSCOPE_VECTOR_FUNCTION HLOSCOPE_AVX2_FUNCTION
#include "evaluator/kernels/lanes/wide_loops.def"
}  // namespace loops256

}  // namespace
#endif

// The loop for this processor.
#ifdef HLOSCOPE_AVX512_FUNCTION
#define HLOSCOPE_LOOP_512(Call) \
  if (numerics::BestCpuLevel() == numerics::CpuLevel::kAvx512) return loops512::Call
#else
#define HLOSCOPE_LOOP_512(Call)
#endif
#ifdef HLOSCOPE_AVX2_FUNCTION
#define HLOSCOPE_LOOP_256(Call) \
  if (numerics::BestCpuLevel() == numerics::CpuLevel::kAvx2) return loops256::Call
#else
#define HLOSCOPE_LOOP_256(Call)
#endif
#define HLOSCOPE_LOOP(Call) \
  HLOSCOPE_LOOP_512(Call);  \
  HLOSCOPE_LOOP_256(Call);  \
  return nullptr

LaneLoop WideFloatLoop([[maybe_unused]] Opcode opcode) { HLOSCOPE_LOOP(FloatLoop(opcode)); }
LaneLoop WideBf16Loop([[maybe_unused]] Opcode opcode) { HLOSCOPE_LOOP(Bf16Loop(opcode)); }
LaneLoop WideExponentialOfDifference([[maybe_unused]] ElementType type) {
  HLOSCOPE_LOOP(ExponentialOfDifferenceLoop(type));
}
RowLoop WideRowLoop([[maybe_unused]] LaneLoop loop) { HLOSCOPE_LOOP(RowLoopOf(loop)); }
LaneLoop WideComposition([[maybe_unused]] Opcode outer, [[maybe_unused]] Opcode inner, [[maybe_unused]] bool is_right) {
  HLOSCOPE_LOOP(Composition(outer, inner, is_right));
}

}  // namespace hloscope::evaluator
