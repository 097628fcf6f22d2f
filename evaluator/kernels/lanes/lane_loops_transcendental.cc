// SPDX-License-Identifier: Apache-2.0
// Loops of the transcendental opcodes on f32 and f64.
#include "evaluator/kernels/lanes/lane_loops.h"
#include "evaluator/kernels/lanes/wide_loops.h"
#include "numerics/elements/elementwise_functions.h"
#include "numerics/elements/float_exp.h"
#include "numerics/elements/float_log.h"
#include "numerics/elements/float_math.h"
#include "numerics/elements/numeric.h"

namespace hloscope::evaluator {
namespace {

// The functions that elementwise.def names.
namespace functions {
using namespace numerics::elementwise;  // NOLINT: all of them
using lane_loops::None;
}  // namespace functions

// Vector loops over a branch-free expression of the f32 x, for f32 and for bf16.
#define HLOSCOPE_VECTOR_LOOP(Name, expression_of_x)                                                     \
  HLOSCOPE_VECTOR_CLONES void Name(const LaneOperand* operands, uint8_t* result, int64_t count,         \
                                   const LaneParameters&) {                                             \
    const float* numbers = reinterpret_cast<const float*>(operands[0].data);                            \
    float* out = reinterpret_cast<float*>(result);                                                      \
    HLOSCOPE_INDEPENDENT_LANES                                                                          \
    for (int64_t i = 0; i < count; ++i) {                                                               \
      const float x = numbers[i];                                                                       \
      out[i] = expression_of_x;                                                                         \
    }                                                                                                   \
  }                                                                                                     \
  HLOSCOPE_VECTOR_CLONES void Name##OfBf16(const LaneOperand* operands, uint8_t* result, int64_t count, \
                                           const LaneParameters&) {                                     \
    const uint16_t* numbers = reinterpret_cast<const uint16_t*>(operands[0].data);                      \
    uint16_t* out = reinterpret_cast<uint16_t*>(result);                                                \
    HLOSCOPE_INDEPENDENT_LANES                                                                          \
    for (int64_t i = 0; i < count; ++i) {                                                               \
      const float x = numerics::Bf16ToFloat(numbers[i]);                                                \
      out[i] = numerics::FloatToBf16(expression_of_x);                                                  \
    }                                                                                                   \
  }
HLOSCOPE_VECTOR_LOOP(ExpLanes, numerics::float_math::ExpSingle(x))
HLOSCOPE_VECTOR_LOOP(ExpMinusOneLanes, numerics::float_math::ExpMinusOne(x))
HLOSCOPE_VECTOR_LOOP(LogLanes, numerics::float_math::LogSingle(x))
HLOSCOPE_VECTOR_LOOP(LogPlusOneLanes, numerics::float_math::LogPlusOneSingle(x))
HLOSCOPE_VECTOR_LOOP(LogisticLanes, 1.0f / (1.0f + numerics::float_math::ExpSingle(-x)))
HLOSCOPE_VECTOR_LOOP(SinhLanes, numerics::float_math::Sinh(x))
HLOSCOPE_VECTOR_LOOP(CoshLanes, numerics::float_math::Cosh(x))
HLOSCOPE_VECTOR_LOOP(TanhLanes, numerics::float_math::Tanh(x))
HLOSCOPE_VECTOR_LOOP(CbrtLanes, numerics::float_math::Cbrt(x))
HLOSCOPE_VECTOR_LOOP(ErfLanes, numerics::float_math::Erf(x))
#undef HLOSCOPE_VECTOR_LOOP

FloatLoops VectorLoopsOf(Opcode opcode) {
  switch (opcode) {
    case Opcode::kExponential:
      return {&ExpLanes, &ExpLanesOfBf16, 0.5};
    case Opcode::kExponentialMinusOne:
      return {&ExpMinusOneLanes, &ExpMinusOneLanesOfBf16, 1};
    case Opcode::kLog:
      return {&LogLanes, &LogLanesOfBf16, 1.5};
    case Opcode::kLogPlusOne:
      return {&LogPlusOneLanes, &LogPlusOneLanesOfBf16, 1.5};
    case Opcode::kLogistic:
      return {&LogisticLanes, &LogisticLanesOfBf16, 1};
    case Opcode::kSinh:
      return {&SinhLanes, &SinhLanesOfBf16, 1.5};
    case Opcode::kCosh:
      return {&CoshLanes, &CoshLanesOfBf16, 1.5};
    case Opcode::kTanh:
      return {&TanhLanes, &TanhLanesOfBf16, 1.5};
    case Opcode::kCbrt:
      return {&CbrtLanes, &CbrtLanesOfBf16, 2};
    case Opcode::kErf:
      return {&ErfLanes, &ErfLanesOfBf16, 1.5};
    default:
      return {};
  }
}

template <typename T>
LaneLoopEntry LoopOf(Opcode opcode) {
  switch (opcode) {
#define HLO_ELEMENTWISE(Name, Arity, Predicate, Integer, Float, Complex, transcendental, integer_ns, float_ns, \
                        complex_ns)                                                                            \
  case Opcode::k##Name:                                                                                        \
    if constexpr (transcendental) {                                                                            \
      return lane_loops::PlainLoop<lane_loops::LoopArity::k##Arity, T, functions::Float>(float_ns);            \
    } else {                                                                                                   \
      return {};                                                                                               \
    }
#include "core/ir/elementwise.def"
    default:
      return {};
  }
}

}  // namespace

LaneLoopEntry TranscendentalBf16Loop(Opcode opcode) {
  const FloatLoops loops = VectorLoopsOf(opcode);
  const LaneLoop wide = WideBf16Loop(opcode);
  return {wide != nullptr ? wide : loops.bf16s, loops.nanoseconds};
}

LaneLoopEntry TranscendentalLoop(Opcode opcode, ElementType domain) {
  switch (domain) {
    case ElementType::kF32: {
      const FloatLoops vector = VectorLoopsOf(opcode);
      if (const LaneLoop wide = WideFloatLoop(opcode); wide != nullptr) return {wide, vector.nanoseconds};
      return vector.floats != nullptr ? LaneLoopEntry{vector.floats, vector.nanoseconds} : LoopOf<float>(opcode);
    }
    case ElementType::kF64:
      return LoopOf<double>(opcode);
    default:
      return {};
  }
}

}  // namespace hloscope::evaluator
