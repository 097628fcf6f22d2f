// Loops of the arithmetic opcodes on f32 and f64.
#include "evaluator/kernels/lanes/lane_loops.h"
#include "numerics/elements/elementwise_functions.h"

namespace hloscope {
namespace {

using lane_loops::Binary;
using lane_loops::Clamp;
using lane_loops::Unary;

// Rounding is one instruction, but not of the oldest instruction set.
#define HLOSCOPE_ROUNDING_LOOP(Name, T, Function)                                               \
  HLOSCOPE_VECTOR_CLONES void Name(const LaneOperand* operands, uint8_t* result, int64_t count, \
                                   const LaneParameters&) {                                     \
    const T* x = reinterpret_cast<const T*>(operands[0].data);                                  \
    T* out = reinterpret_cast<T*>(result);                                                      \
    HLOSCOPE_INDEPENDENT_LANES                                                                  \
    for (int64_t i = 0; i < count; ++i) out[i] = elementwise::Function()(x[i]);                 \
  }
HLOSCOPE_ROUNDING_LOOP(CeilFloats, float, Ceil)
HLOSCOPE_ROUNDING_LOOP(CeilDoubles, double, Ceil)
HLOSCOPE_ROUNDING_LOOP(FloorFloats, float, Floor)
HLOSCOPE_ROUNDING_LOOP(FloorDoubles, double, Floor)
HLOSCOPE_ROUNDING_LOOP(RoundFloatsAfz, float, RoundNearestAfz)
HLOSCOPE_ROUNDING_LOOP(RoundDoublesAfz, double, RoundNearestAfz)
HLOSCOPE_ROUNDING_LOOP(RoundFloatsEven, float, RoundNearestEven)
HLOSCOPE_ROUNDING_LOOP(RoundDoublesEven, double, RoundNearestEven)
#undef HLOSCOPE_ROUNDING_LOOP

template <typename T>
LaneLoopEntry LoopOf(Opcode opcode) {
  constexpr bool kIsFloat = sizeof(T) == 4;
  switch (opcode) {
    case Opcode::kAbs:
      return {&Unary<T, T, elementwise::Abs>};
    case Opcode::kNegate:
      return {&Unary<T, T, elementwise::Negate>};
    case Opcode::kSign:
      return {&Unary<T, T, elementwise::Sign>};
    case Opcode::kCeil:
      return {kIsFloat ? &CeilFloats : &CeilDoubles};
    case Opcode::kFloor:
      return {kIsFloat ? &FloorFloats : &FloorDoubles};
    case Opcode::kRoundNearestAfz:
      return {kIsFloat ? &RoundFloatsAfz : &RoundDoublesAfz};
    case Opcode::kRoundNearestEven:
      return {kIsFloat ? &RoundFloatsEven : &RoundDoublesEven};
    case Opcode::kIsFinite:
      return {&Unary<T, uint8_t, elementwise::IsFinite>};
    case Opcode::kImag:
      return {&Unary<T, T, elementwise::Zero>};
    case Opcode::kSqrt:
      return {&Unary<T, T, elementwise::Sqrt>, 2};
    case Opcode::kRsqrt:
      return {&Unary<T, T, elementwise::Rsqrt>, 3};
    case Opcode::kAdd:
      return {&Binary<T, T, elementwise::Add>};
    case Opcode::kSubtract:
      return {&Binary<T, T, elementwise::Subtract>};
    case Opcode::kMultiply:
      return {&Binary<T, T, elementwise::Multiply>};
    case Opcode::kDivide:
      return {&Binary<T, T, elementwise::Divide>, 2};
    case Opcode::kRemainder:
      return {&Binary<T, T, elementwise::Remainder>, 10};
    case Opcode::kMaximum:
      return {&Binary<T, T, elementwise::Maximum>};
    case Opcode::kMinimum:
      return {&Binary<T, T, elementwise::Minimum>};
    case Opcode::kClamp:
      return {&Clamp<T, elementwise::Clamp>};
    default:
      return TranscendentalLoop(opcode, kIsFloat ? ElementType::kF32 : ElementType::kF64);
  }
}

}  // namespace

LaneLoopEntry FloatLoop(Opcode opcode, ElementType domain) {
  switch (domain) {
    case ElementType::kF32: {
      const LaneLoopEntry vector = VectorFloatLoop(opcode);
      return vector.loop != nullptr ? vector : LoopOf<float>(opcode);
    }
    case ElementType::kF64:
      return LoopOf<double>(opcode);
    default:
      return {};
  }
}

}  // namespace hloscope
