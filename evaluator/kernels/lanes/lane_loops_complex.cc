// Loops of the opcodes on c64 and c128.
#include "evaluator/kernels/lanes/lane_loops.h"
#include "numerics/elements/complex_functions.h"

namespace hloscope {
namespace {

using lane_loops::Binary;
using lane_loops::Unary;

template <typename T>
LaneLoopEntry LoopOf(Opcode opcode) {
  namespace f = complex_functions;
  using Z = std::complex<T>;
  switch (opcode) {
    case Opcode::kAbs:
      return {&Unary<Z, T, f::Abs>, 5};
    case Opcode::kNegate:
      return {&Unary<Z, Z, f::Negate>, 2};
    case Opcode::kSign:
      return {&Unary<Z, Z, f::Sign>, 10};
    case Opcode::kReal:
      return {&Unary<Z, T, f::Real>, 2};
    case Opcode::kImag:
      return {&Unary<Z, T, f::Imag>, 2};
    case Opcode::kComplex:
      return {&Binary<T, Z, f::Make>, 2};
    case Opcode::kAdd:
      return {&Binary<Z, Z, f::Add>, 2};
    case Opcode::kSubtract:
      return {&Binary<Z, Z, f::Subtract>, 2};
    case Opcode::kMaximum:
      return {&Binary<Z, Z, f::Maximum>, 3};
    case Opcode::kMinimum:
      return {&Binary<Z, Z, f::Minimum>, 3};
    case Opcode::kMultiply:
      return {&Binary<Z, Z, f::Multiply>, 3};
    case Opcode::kDivide:
      return {&Binary<Z, Z, f::Divide>, 30};
    case Opcode::kPower:
      return {&Binary<Z, Z, f::Power>, 200};
    case Opcode::kAtan2:
      return {&Binary<Z, Z, f::Atan2>, 200};
    case Opcode::kExponential:
      return {&Unary<Z, Z, f::Exponential>, 50};
    case Opcode::kExponentialMinusOne:
      return {&Unary<Z, Z, f::ExponentialMinusOne>, 100};
    case Opcode::kLog:
      return {&Unary<Z, Z, f::Log>, 60};
    case Opcode::kLogPlusOne:
      return {&Unary<Z, Z, f::LogPlusOne>, 100};
    case Opcode::kLogistic:
      return {&Unary<Z, Z, f::Logistic>, 100};
    case Opcode::kSqrt:
      return {&Unary<Z, Z, f::Sqrt>, 40};
    case Opcode::kRsqrt:
      return {&Unary<Z, Z, f::Rsqrt>, 80};
    case Opcode::kSine:
      return {&Unary<Z, Z, f::Sine>, 80};
    case Opcode::kCosine:
      return {&Unary<Z, Z, f::Cosine>, 80};
    case Opcode::kTan:
      return {&Unary<Z, Z, f::Tan>, 100};
    case Opcode::kSinh:
      return {&Unary<Z, Z, f::Sinh>, 80};
    case Opcode::kCosh:
      return {&Unary<Z, Z, f::Cosh>, 80};
    case Opcode::kTanh:
      return {&Unary<Z, Z, f::Tanh>, 100};
    case Opcode::kAsin:
      return {&Unary<Z, Z, f::Asin>, 150};
    case Opcode::kAcos:
      return {&Unary<Z, Z, f::Acos>, 150};
    case Opcode::kAsinh:
      return {&Unary<Z, Z, f::Asinh>, 150};
    case Opcode::kAcosh:
      return {&Unary<Z, Z, f::Acosh>, 150};
    case Opcode::kAtanh:
      return {&Unary<Z, Z, f::Atanh>, 100};
    default:
      return {};
  }
}

}  // namespace

LaneLoopEntry ComplexLoop(Opcode opcode, ElementType domain) {
  switch (domain) {
    case ElementType::kC64:
      return LoopOf<float>(opcode);
    case ElementType::kC128:
      return LoopOf<double>(opcode);
    default:
      return {};
  }
}

}  // namespace hloscope
