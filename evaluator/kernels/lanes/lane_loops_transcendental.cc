// SPDX-License-Identifier: Apache-2.0
// Loops of the transcendental opcodes on f32 and f64.
#include <algorithm>

#include "evaluator/kernels/lanes/lane_loops.h"
#include "evaluator/kernels/lanes/wide_loops.h"
#include "numerics/elements/elementwise_functions.h"
#include "numerics/elements/float_exp.h"
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
HLOSCOPE_VECTOR_LOOP(LogLanes, numerics::float_math::Log(x))
HLOSCOPE_VECTOR_LOOP(LogPlusOneLanes, numerics::float_math::LogPlusOne(x))
HLOSCOPE_VECTOR_LOOP(LogisticLanes, 1.0f / (1.0f + numerics::float_math::Exp(-x)))
HLOSCOPE_VECTOR_LOOP(SinhLanes, numerics::float_math::Sinh(x))
HLOSCOPE_VECTOR_LOOP(CoshLanes, numerics::float_math::Cosh(x))
HLOSCOPE_VECTOR_LOOP(TanhLanes, numerics::float_math::Tanh(x))
#undef HLOSCOPE_VECTOR_LOOP

// Lanes between two looks for arguments that the branch-free function does not serve.
constexpr int64_t kPatchLanes = 256;

// Each returns whether the branch-free function served all lanes.
HLOSCOPE_VECTOR_CLONES bool ModerateSines(const float* x, float* out, int64_t count) {
  int32_t irregular = 0;
  for (int64_t i = 0; i < count; ++i) irregular |= numerics::float_math::IsModerateAngle(x[i]) ? 0 : 1;
  for (int64_t i = 0; i < count; ++i) out[i] = numerics::float_math::SineOfModerate(x[i]);
  return irregular == 0;
}
HLOSCOPE_VECTOR_CLONES bool ModerateCosines(const float* x, float* out, int64_t count) {
  int32_t irregular = 0;
  for (int64_t i = 0; i < count; ++i) irregular |= numerics::float_math::IsModerateAngle(x[i]) ? 0 : 1;
  for (int64_t i = 0; i < count; ++i) out[i] = numerics::float_math::CosineOfModerate(x[i]);
  return irregular == 0;
}
HLOSCOPE_VECTOR_CLONES bool RegularPowers(const float* x, const float* y, float* out, int64_t count) {
  int32_t irregular = 0;
  for (int64_t i = 0; i < count; ++i) irregular |= numerics::float_math::IsRegularPower(x[i], y[i]) ? 0 : 1;
  for (int64_t i = 0; i < count; ++i) out[i] = numerics::float_math::RegularPower(x[i], y[i]);
  return irregular == 0;
}

// Vector loops that patch lanes outside their range. The results go through a buffer, for they may replace an operand.
template <auto kVectorFunction, typename Function>
void PatchedUnary(const LaneOperand* operands, uint8_t* result, int64_t count, const LaneParameters&) {
  const float* x = reinterpret_cast<const float*>(operands[0].data);
  float* out = reinterpret_cast<float*>(result);
  float block[kPatchLanes];
  for (int64_t first = 0; first < count; first += kPatchLanes) {
    const int64_t lanes = std::min(kPatchLanes, count - first);
    if (!kVectorFunction(x + first, block, lanes)) {
      for (int64_t i = 0; i < lanes; ++i) block[i] = Function()(x[first + i]);
    }
    std::copy(block, block + lanes, out + first);
  }
}

void PowerLanes(const LaneOperand* operands, uint8_t* result, int64_t count, const LaneParameters&) {
  const float* x = reinterpret_cast<const float*>(operands[0].data);
  const float* y = reinterpret_cast<const float*>(operands[1].data);
  float* out = reinterpret_cast<float*>(result);
  float bases[kPatchLanes], exponents[kPatchLanes], block[kPatchLanes];
  if (operands[0].is_uniform) std::fill(bases, bases + kPatchLanes, x[0]);
  if (operands[1].is_uniform) std::fill(exponents, exponents + kPatchLanes, y[0]);
  for (int64_t first = 0; first < count; first += kPatchLanes) {
    const int64_t lanes = std::min(kPatchLanes, count - first);
    const float* base = operands[0].is_uniform ? bases : x + first;
    const float* exponent = operands[1].is_uniform ? exponents : y + first;
    if (!RegularPowers(base, exponent, block, lanes)) {
      for (int64_t i = 0; i < lanes; ++i) block[i] = numerics::float_math::Power(base[i], exponent[i]);
    }
    std::copy(block, block + lanes, out + first);
  }
}

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
    case Opcode::kSine:
      return {&PatchedUnary<&ModerateSines, numerics::elementwise::Sine>, nullptr, 2};
    case Opcode::kCosine:
      return {&PatchedUnary<&ModerateCosines, numerics::elementwise::Cosine>, nullptr, 2};
    case Opcode::kPower:
      return {&PowerLanes, nullptr, 3};
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
