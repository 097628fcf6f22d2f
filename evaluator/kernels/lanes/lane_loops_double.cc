// SPDX-License-Identifier: Apache-2.0
// Loops of opcodes on f64 that take more time than their operands take to come from memory, compiled for several
// instruction sets. The results are those of the function objects.
#include "evaluator/kernels/lanes/lane_loops.h"
#include "numerics/elements/double_math.h"
#include "numerics/elements/elementwise_functions.h"

namespace hloscope::evaluator {
namespace {

#define HLOSCOPE_DOUBLE_LOOP(Name, expression_of_x)                                             \
  HLOSCOPE_VECTOR_CLONES void Name(const LaneOperand* operands, uint8_t* result, int64_t count, \
                                   const LaneParameters&) {                                     \
    const double* numbers = reinterpret_cast<const double*>(operands[0].data);                  \
    double* out = reinterpret_cast<double*>(result);                                            \
    HLOSCOPE_INDEPENDENT_LANES                                                                  \
    for (int64_t i = 0; i < count; ++i) {                                                       \
      const double x = numbers[i];                                                              \
      out[i] = expression_of_x;                                                                 \
    }                                                                                           \
  }
HLOSCOPE_DOUBLE_LOOP(ExpDoubles, numerics::double_math::Exp(x))
HLOSCOPE_DOUBLE_LOOP(ExpMinusOneDoubles, numerics::double_math::ExpMinusOne(x))
HLOSCOPE_DOUBLE_LOOP(LogDoubles, numerics::double_math::Log(x))
HLOSCOPE_DOUBLE_LOOP(LogPlusOneDoubles, numerics::double_math::LogPlusOne(x))
HLOSCOPE_DOUBLE_LOOP(LogisticDoubles, numerics::double_math::Logistic(x))
HLOSCOPE_DOUBLE_LOOP(TanhDoubles, numerics::double_math::Tanh(x))
HLOSCOPE_DOUBLE_LOOP(SqrtDoubles, numerics::elementwise::Sqrt()(x))
HLOSCOPE_DOUBLE_LOOP(RsqrtDoubles, numerics::elementwise::Rsqrt()(x))
#undef HLOSCOPE_DOUBLE_LOOP

HLOSCOPE_VECTOR_CLONES void Atan2Doubles(const LaneOperand* operands, uint8_t* result, int64_t count,
                                         const LaneParameters&) {
  const double* y = reinterpret_cast<const double*>(operands[0].data);
  const double* x = reinterpret_cast<const double*>(operands[1].data);
  double* out = reinterpret_cast<double*>(result);
  if (operands[0].is_uniform) {
    const double y0 = y[0];
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t i = 0; i < count; ++i) out[i] = numerics::double_math::Atan2(y0, x[i]);
  } else if (operands[1].is_uniform) {
    const double x0 = x[0];
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t i = 0; i < count; ++i) out[i] = numerics::double_math::Atan2(y[i], x0);
  } else {
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t i = 0; i < count; ++i) out[i] = numerics::double_math::Atan2(y[i], x[i]);
  }
}

}  // namespace

LaneLoopEntry VectorDoubleLoop(Opcode opcode) {
  switch (opcode) {
    case Opcode::kAtan2:
      return {&Atan2Doubles, 8};
    case Opcode::kExponential:
      return {&ExpDoubles, 2};
    case Opcode::kExponentialMinusOne:
      return {&ExpMinusOneDoubles, 3};
    case Opcode::kLog:
      return {&LogDoubles, 3};
    case Opcode::kLogPlusOne:
      return {&LogPlusOneDoubles, 4};
    case Opcode::kLogistic:
      return {&LogisticDoubles, 3};
    case Opcode::kTanh:
      return {&TanhDoubles, 4};
    case Opcode::kSqrt:
      return {&SqrtDoubles, 2};
    case Opcode::kRsqrt:
      return {&RsqrtDoubles, 3};
    default:
      return {};
  }
}

}  // namespace hloscope::evaluator
