// Loops of the arithmetic opcodes on f32 and f64.
#include "evaluator/kernels/elementwise_functions.h"
#include "evaluator/kernels/lane_loops.h"

namespace hloscope {
namespace {

using lane_loops::Binary;
using lane_loops::Clamp;
using lane_loops::Unary;

template <typename T>
LaneLoopEntry LoopOf(Opcode opcode) {
  switch (opcode) {
    case Opcode::kAbs: return {&Unary<T, T, elementwise::Abs>};
    case Opcode::kNegate: return {&Unary<T, T, elementwise::Negate>};
    case Opcode::kSign: return {&Unary<T, T, elementwise::Sign>};
    case Opcode::kCeil: return {&Unary<T, T, elementwise::Ceil>};
    case Opcode::kFloor: return {&Unary<T, T, elementwise::Floor>};
    case Opcode::kRoundNearestAfz: return {&Unary<T, T, elementwise::RoundNearestAfz>};
    case Opcode::kRoundNearestEven: return {&Unary<T, T, elementwise::RoundNearestEven>};
    case Opcode::kIsFinite: return {&Unary<T, uint8_t, elementwise::IsFinite>};
    case Opcode::kImag: return {&Unary<T, T, elementwise::Zero>};
    case Opcode::kSqrt: return {&Unary<T, T, elementwise::Sqrt>, 2};
    case Opcode::kRsqrt: return {&Unary<T, T, elementwise::Rsqrt>, 3};
    case Opcode::kAdd: return {&Binary<T, T, elementwise::Add>};
    case Opcode::kSubtract: return {&Binary<T, T, elementwise::Subtract>};
    case Opcode::kMultiply: return {&Binary<T, T, elementwise::Multiply>};
    case Opcode::kDivide: return {&Binary<T, T, elementwise::Divide>, 2};
    case Opcode::kRemainder: return {&Binary<T, T, elementwise::Remainder>, 10};
    case Opcode::kMaximum: return {&Binary<T, T, elementwise::Maximum>};
    case Opcode::kMinimum: return {&Binary<T, T, elementwise::Minimum>};
    case Opcode::kClamp: return {&Clamp<T, elementwise::Clamp>};
    default: return TranscendentalLoop(opcode, sizeof(T) == 4 ? ElementType::kF32 : ElementType::kF64);
  }
}

}  // namespace

LaneLoopEntry FloatLoop(Opcode opcode, ElementType domain) {
  switch (domain) {
    case ElementType::kF32: return LoopOf<float>(opcode);
    case ElementType::kF64: return LoopOf<double>(opcode);
    default: return {};
  }
}

}  // namespace hloscope
