// The f32 loops that most modules spend their time in, compiled for several instruction sets. The results are those of
// the loops made from the same function objects in lane_loops_float.cc.
#include "evaluator/kernels/elementwise_functions.h"
#include "evaluator/kernels/lane_loops.h"

namespace hloscope {
namespace {

#define HLOSCOPE_UNARY_FLOATS(Name)                                                                     \
  HLOSCOPE_VECTOR_CLONES void Name##Floats(const LaneOperand* operands, uint8_t* result, int64_t count, \
                                           const LaneParameters&) {                                     \
    const float* x = reinterpret_cast<const float*>(operands[0].data);                                  \
    float* out = reinterpret_cast<float*>(result);                                                      \
    HLOSCOPE_INDEPENDENT_LANES                                                                          \
    for (int64_t i = 0; i < count; ++i) out[i] = elementwise::Name()(x[i]);                             \
  }
HLOSCOPE_UNARY_FLOATS(Abs)
HLOSCOPE_UNARY_FLOATS(Negate)
HLOSCOPE_UNARY_FLOATS(Sqrt)
HLOSCOPE_UNARY_FLOATS(Rsqrt)
#undef HLOSCOPE_UNARY_FLOATS

#define HLOSCOPE_BINARY_FLOATS(Name)                                                                    \
  HLOSCOPE_VECTOR_CLONES void Name##Floats(const LaneOperand* operands, uint8_t* result, int64_t count, \
                                           const LaneParameters&) {                                     \
    const float* a = reinterpret_cast<const float*>(operands[0].data);                                  \
    const float* b = reinterpret_cast<const float*>(operands[1].data);                                  \
    float* out = reinterpret_cast<float*>(result);                                                      \
    if (operands[0].is_uniform) {                                                                       \
      const float a0 = a[0];                                                                            \
      HLOSCOPE_INDEPENDENT_LANES                                                                        \
      for (int64_t i = 0; i < count; ++i) out[i] = elementwise::Name()(a0, b[i]);                       \
    } else if (operands[1].is_uniform) {                                                                \
      const float b0 = b[0];                                                                            \
      HLOSCOPE_INDEPENDENT_LANES                                                                        \
      for (int64_t i = 0; i < count; ++i) out[i] = elementwise::Name()(a[i], b0);                       \
    } else {                                                                                            \
      HLOSCOPE_INDEPENDENT_LANES                                                                        \
      for (int64_t i = 0; i < count; ++i) out[i] = elementwise::Name()(a[i], b[i]);                     \
    }                                                                                                   \
  }
HLOSCOPE_BINARY_FLOATS(Add)
HLOSCOPE_BINARY_FLOATS(Subtract)
HLOSCOPE_BINARY_FLOATS(Multiply)
HLOSCOPE_BINARY_FLOATS(Divide)
HLOSCOPE_BINARY_FLOATS(Maximum)
HLOSCOPE_BINARY_FLOATS(Minimum)
#undef HLOSCOPE_BINARY_FLOATS

}  // namespace

LaneLoopEntry VectorFloatLoop(Opcode opcode) {
  switch (opcode) {
    case Opcode::kAbs:
      return {&AbsFloats, 0.5};
    case Opcode::kNegate:
      return {&NegateFloats, 0.5};
    case Opcode::kSqrt:
      return {&SqrtFloats};
    case Opcode::kRsqrt:
      return {&RsqrtFloats, 2};
    case Opcode::kAdd:
      return {&AddFloats, 0.5};
    case Opcode::kSubtract:
      return {&SubtractFloats, 0.5};
    case Opcode::kMultiply:
      return {&MultiplyFloats, 0.5};
    case Opcode::kDivide:
      return {&DivideFloats};
    case Opcode::kMaximum:
      return {&MaximumFloats, 0.5};
    case Opcode::kMinimum:
      return {&MinimumFloats, 0.5};
    default:
      return {};
  }
}

}  // namespace hloscope
