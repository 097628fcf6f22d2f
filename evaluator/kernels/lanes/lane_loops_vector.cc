// SPDX-License-Identifier: Apache-2.0
// The loops on f32 and bf16 that most modules spend their time in, compiled for several instruction sets. The results
// are those of the loops made from the same function objects in lane_loops_float.cc.
#include "evaluator/kernels/lanes/lane_loops.h"
#include "evaluator/kernels/lanes/wide_loops.h"
#include "numerics/elements/elementwise_functions.h"
#include "numerics/elements/numeric.h"

namespace hloscope::evaluator {
namespace {

// How elements are read and written: f32 as they are, bf16 widened and rounded.
inline float Wide(float x) { return x; }
inline float Wide(uint16_t x) { return numerics::Bf16ToFloat(x); }
template <typename T>
[[gnu::always_inline]] inline T Rounded(float x) {
  if constexpr (sizeof(T) == sizeof(float)) {
    return x;
  } else {
    return numerics::FloatToBf16(x);
  }
}

template <typename T, typename Function>
[[gnu::always_inline]] inline void UnaryLoop(const LaneOperand* operands, uint8_t* result, int64_t count, Function f) {
  const T* x = reinterpret_cast<const T*>(operands[0].data);
  T* out = reinterpret_cast<T*>(result);
  HLOSCOPE_INDEPENDENT_LANES
  for (int64_t i = 0; i < count; ++i) out[i] = Rounded<T>(f(Wide(x[i])));
}

template <typename T, typename Function>
[[gnu::always_inline]] inline void BinaryLoop(const LaneOperand* operands, uint8_t* result, int64_t count, Function f) {
  const T* a = reinterpret_cast<const T*>(operands[0].data);
  const T* b = reinterpret_cast<const T*>(operands[1].data);
  T* out = reinterpret_cast<T*>(result);
  if (operands[0].is_uniform) {
    const float a0 = Wide(a[0]);
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t i = 0; i < count; ++i) out[i] = Rounded<T>(f(a0, Wide(b[i])));
  } else if (operands[1].is_uniform) {
    const float b0 = Wide(b[0]);
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t i = 0; i < count; ++i) out[i] = Rounded<T>(f(Wide(a[i]), b0));
  } else {
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t i = 0; i < count; ++i) out[i] = Rounded<T>(f(Wide(a[i]), Wide(b[i])));
  }
}

#define HLOSCOPE_LOOPS(Arity, Name)                                                                     \
  HLOSCOPE_VECTOR_CLONES void Name##Floats(const LaneOperand* operands, uint8_t* result, int64_t count, \
                                           const LaneParameters&) {                                     \
    Arity##Loop<float>(operands, result, count, numerics::elementwise::Name());                         \
  }                                                                                                     \
  HLOSCOPE_VECTOR_CLONES void Name##Bf16s(const LaneOperand* operands, uint8_t* result, int64_t count,  \
                                          const LaneParameters&) {                                      \
    Arity##Loop<uint16_t>(operands, result, count, numerics::elementwise::Name());                      \
  }
HLOSCOPE_LOOPS(Unary, Abs)
HLOSCOPE_LOOPS(Unary, Negate)
HLOSCOPE_LOOPS(Unary, Sqrt)
HLOSCOPE_LOOPS(Unary, Rsqrt)
HLOSCOPE_LOOPS(Binary, Add)
HLOSCOPE_LOOPS(Binary, Subtract)
HLOSCOPE_LOOPS(Binary, Multiply)
HLOSCOPE_LOOPS(Binary, Divide)
HLOSCOPE_LOOPS(Binary, Atan2)
HLOSCOPE_LOOPS(Binary, Maximum)
HLOSCOPE_LOOPS(Binary, Minimum)
#undef HLOSCOPE_LOOPS

HLOSCOPE_VECTOR_CLONES void ClampBf16s(const LaneOperand* operands, uint8_t* result, int64_t count,
                                       const LaneParameters&) {
  const uint16_t* low = reinterpret_cast<const uint16_t*>(operands[0].data);
  const uint16_t* value = reinterpret_cast<const uint16_t*>(operands[1].data);
  const uint16_t* high = reinterpret_cast<const uint16_t*>(operands[2].data);
  uint16_t* out = reinterpret_cast<uint16_t*>(result);
  const numerics::elementwise::Clamp clamp;
  if (operands[0].is_uniform && !operands[1].is_uniform && operands[2].is_uniform) {
    const float low0 = Wide(low[0]), high0 = Wide(high[0]);
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t i = 0; i < count; ++i) out[i] = Rounded<uint16_t>(clamp(low0, Wide(value[i]), high0));
    return;
  }
  const int64_t low_step = operands[0].is_uniform ? 0 : 1;
  const int64_t value_step = operands[1].is_uniform ? 0 : 1;
  const int64_t high_step = operands[2].is_uniform ? 0 : 1;
  for (int64_t i = 0; i < count; ++i) {
    out[i] = Rounded<uint16_t>(clamp(Wide(low[i * low_step]), Wide(value[i * value_step]), Wide(high[i * high_step])));
  }
}

FloatLoops LoopsOf(Opcode opcode) {
  switch (opcode) {
    case Opcode::kAbs:
      return {&AbsFloats, &AbsBf16s, 0.5};
    case Opcode::kNegate:
      return {&NegateFloats, &NegateBf16s, 0.5};
    case Opcode::kSqrt:
      return {&SqrtFloats, &SqrtBf16s};
    case Opcode::kRsqrt:
      return {&RsqrtFloats, &RsqrtBf16s, 2};
    case Opcode::kAdd:
      return {&AddFloats, &AddBf16s, 0.5};
    case Opcode::kSubtract:
      return {&SubtractFloats, &SubtractBf16s, 0.5};
    case Opcode::kMultiply:
      return {&MultiplyFloats, &MultiplyBf16s, 0.5};
    case Opcode::kDivide:
      return {&DivideFloats, &DivideBf16s};
    case Opcode::kAtan2:
      return {&Atan2Floats, &Atan2Bf16s, 2};
    case Opcode::kClamp:
      return {nullptr, &ClampBf16s};
    case Opcode::kMaximum:
      return {&MaximumFloats, &MaximumBf16s, 0.5};
    case Opcode::kMinimum:
      return {&MinimumFloats, &MinimumBf16s, 0.5};
    default:
      return {};
  }
}

}  // namespace

LaneLoopEntry VectorFloatLoop(Opcode opcode) {
  const FloatLoops loops = LoopsOf(opcode);
  const LaneLoop wide = WideFloatLoop(opcode);
  return {wide != nullptr && loops.floats != nullptr ? wide : loops.floats, loops.nanoseconds};
}

LaneLoopEntry Bf16Loop(Opcode opcode) {
  const FloatLoops loops = LoopsOf(opcode);
  if (loops.bf16s == nullptr) return TranscendentalBf16Loop(opcode);
  const LaneLoop wide = WideBf16Loop(opcode);
  return {wide != nullptr ? wide : loops.bf16s, loops.nanoseconds};
}

}  // namespace hloscope::evaluator
