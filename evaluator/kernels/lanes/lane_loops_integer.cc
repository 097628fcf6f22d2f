// SPDX-License-Identifier: Apache-2.0
// Loops of the integer and pred opcodes.
#include "evaluator/kernels/lanes/lane_loops.h"
#include "numerics/elements/elementwise_functions.h"

namespace hloscope::evaluator {
namespace {

// The functions that elementwise.def names.
namespace functions {
using namespace numerics::elementwise;  // NOLINT: all of them
using lane_loops::None;
}  // namespace functions

template <typename T>
LaneLoopEntry LoopOf(Opcode opcode) {
  switch (opcode) {
#define HLO_ELEMENTWISE(Name, Arity, Predicate, Integer, Float, Complex, transcendental, integer_ns, float_ns, \
                        complex_ns)                                                                            \
  case Opcode::k##Name:                                                                                        \
    return lane_loops::PlainLoop<lane_loops::LoopArity::k##Arity, T, functions::Integer>(integer_ns);
#include "core/ir/elementwise.def"
    default:
      return {};
  }
}

}  // namespace

// On 0 and 1: add and maximum are OR, multiply and minimum are AND.
LaneLoopEntry PredicateLoop(Opcode opcode) {
  switch (opcode) {
#define HLO_ELEMENTWISE(Name, Arity, Predicate, Integer, Float, Complex, transcendental, integer_ns, float_ns, \
                        complex_ns)                                                                            \
  case Opcode::k##Name:                                                                                        \
    return lane_loops::PlainLoop<lane_loops::LoopArity::k##Arity, uint8_t, functions::Predicate>(1);
#include "core/ir/elementwise.def"
    default:
      return {};
  }
}

LaneLoopEntry IntegerLoop(Opcode opcode, ElementType domain) {
  switch (domain) {
    case ElementType::kS8:
      return LoopOf<int8_t>(opcode);
    case ElementType::kS16:
      return LoopOf<int16_t>(opcode);
    case ElementType::kS32:
      return LoopOf<int32_t>(opcode);
    case ElementType::kS64:
      return LoopOf<int64_t>(opcode);
    case ElementType::kU8:
      return LoopOf<uint8_t>(opcode);
    case ElementType::kU16:
      return LoopOf<uint16_t>(opcode);
    case ElementType::kU32:
      return LoopOf<uint32_t>(opcode);
    case ElementType::kU64:
      return LoopOf<uint64_t>(opcode);
    default:
      return {};
  }
}

}  // namespace hloscope::evaluator
