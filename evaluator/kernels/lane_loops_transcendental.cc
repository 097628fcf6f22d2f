// Loops of the transcendental opcodes on f32 and f64.
#include "evaluator/kernels/elementwise_functions.h"
#include "evaluator/kernels/lane_loops.h"

namespace hloscope {
namespace {

using lane_loops::Binary;
using lane_loops::Unary;

template <typename T>
LaneLoopEntry LoopOf(Opcode opcode) {
  switch (opcode) {
    case Opcode::kExponential: return {&Unary<T, T, elementwise::Exponential>, 5};
    case Opcode::kExponentialMinusOne: return {&Unary<T, T, elementwise::ExponentialMinusOne>, 12};
    case Opcode::kLog: return {&Unary<T, T, elementwise::Log>, 5};
    case Opcode::kLogPlusOne: return {&Unary<T, T, elementwise::LogPlusOne>, 12};
    case Opcode::kLogistic: return {&Unary<T, T, elementwise::Logistic>, 7};
    case Opcode::kCbrt: return {&Unary<T, T, elementwise::Cbrt>, 20};
    case Opcode::kSine: return {&Unary<T, T, elementwise::Sine>, 10};
    case Opcode::kCosine: return {&Unary<T, T, elementwise::Cosine>, 10};
    case Opcode::kTan: return {&Unary<T, T, elementwise::Tan>, 20};
    case Opcode::kAsin: return {&Unary<T, T, elementwise::Asin>, 15};
    case Opcode::kAcos: return {&Unary<T, T, elementwise::Acos>, 15};
    case Opcode::kSinh: return {&Unary<T, T, elementwise::Sinh>, 20};
    case Opcode::kCosh: return {&Unary<T, T, elementwise::Cosh>, 20};
    case Opcode::kTanh: return {&Unary<T, T, elementwise::Tanh>, 15};
    case Opcode::kAsinh: return {&Unary<T, T, elementwise::Asinh>, 25};
    case Opcode::kAcosh: return {&Unary<T, T, elementwise::Acosh>, 25};
    case Opcode::kAtanh: return {&Unary<T, T, elementwise::Atanh>, 20};
    case Opcode::kErf: return {&Unary<T, T, elementwise::Erf>, 15};
    case Opcode::kPower: return {&Binary<T, T, elementwise::Power>, 20};
    case Opcode::kAtan2: return {&Binary<T, T, elementwise::Atan2>, 25};
    default: return {};
  }
}

}  // namespace

LaneLoopEntry TranscendentalLoop(Opcode opcode, ElementType domain) {
  switch (domain) {
    case ElementType::kF32: return LoopOf<float>(opcode);
    case ElementType::kF64: return LoopOf<double>(opcode);
    default: return {};
  }
}

}  // namespace hloscope
