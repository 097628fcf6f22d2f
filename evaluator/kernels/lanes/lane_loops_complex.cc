// SPDX-License-Identifier: Apache-2.0
// Loops of the opcodes on c64 and c128.
#include "evaluator/kernels/lanes/lane_loops.h"
#include "numerics/elements/complex_functions.h"

namespace hloscope::evaluator {
namespace {

// The functions that elementwise.def names.
namespace functions {
using namespace numerics::complex_functions;  // NOLINT: all of them
using lane_loops::None;
}  // namespace functions

template <typename T>
LaneLoopEntry LoopOf(Opcode opcode) {
  switch (opcode) {
#define HLO_ELEMENTWISE(Name, Arity, Predicate, Integer, Float, Complex, transcendental, integer_ns, float_ns, \
                        complex_ns)                                                                            \
  case Opcode::k##Name: {                                                                                      \
    using Function = functions::Complex;                                                                       \
    using In = std::conditional_t<std::is_same_v<Function, functions::Make>, T, std::complex<T>>;              \
    return lane_loops::PlainLoop<lane_loops::LoopArity::k##Arity, In, Function>(complex_ns);                   \
  }
#include "core/ir/elementwise.def"
    default:
      return {};
  }
}

}  // namespace

LaneLoopEntry ComplexLoop(Opcode opcode, ElementType domain) {
  if (const LaneLoopEntry patched = PatchedLoop(opcode, domain); patched.loop != nullptr) return patched;
  switch (domain) {
    case ElementType::kC64:
      return LoopOf<float>(opcode);
    case ElementType::kC128:
      return LoopOf<double>(opcode);
    default:
      return {};
  }
}

}  // namespace hloscope::evaluator
