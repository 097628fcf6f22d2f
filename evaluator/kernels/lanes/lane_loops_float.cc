// SPDX-License-Identifier: Apache-2.0
// Loops of the arithmetic opcodes on f32 and f64.
#include "evaluator/kernels/lanes/lane_loops.h"
#include "numerics/elements/elementwise_functions.h"

namespace hloscope::evaluator {
namespace {

// The functions that elementwise.def names.
namespace functions {
using namespace numerics::elementwise;  // NOLINT: all of them
using lane_loops::None;
}  // namespace functions

// Rounding is one instruction, but not of the oldest instruction set.
#define HLOSCOPE_ROUNDING_LOOP(Name, T, Function)                                               \
  HLOSCOPE_VECTOR_CLONES void Name(const LaneOperand* operands, uint8_t* result, int64_t count, \
                                   const LaneParameters&) {                                     \
    const T* x = reinterpret_cast<const T*>(operands[0].data);                                  \
    T* out = reinterpret_cast<T*>(result);                                                      \
    HLOSCOPE_INDEPENDENT_LANES                                                                  \
    for (int64_t i = 0; i < count; ++i) out[i] = numerics::elementwise::Function()(x[i]);       \
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

// Loops without transcendental functions, which lane_loops_transcendental.cc has.
template <typename T>
LaneLoopEntry PlainLoopOf(Opcode opcode) {
  switch (opcode) {
#define HLO_ELEMENTWISE(Name, Arity, Predicate, Integer, Float, Complex, transcendental, integer_ns, float_ns, \
                        complex_ns)                                                                            \
  case Opcode::k##Name:                                                                                        \
    if constexpr (transcendental) {                                                                            \
      return TranscendentalLoop(opcode, sizeof(T) == 4 ? ElementType::kF32 : ElementType::kF64);               \
    } else {                                                                                                   \
      return lane_loops::PlainLoop<lane_loops::LoopArity::k##Arity, T, functions::Float>(float_ns);            \
    }
#include "core/ir/elementwise.def"
    default:
      return {};
  }
}

template <typename T>
LaneLoopEntry LoopOf(Opcode opcode) {
  constexpr bool kIsFloat = sizeof(T) == 4;
  switch (opcode) {
    case Opcode::kCeil:
      return {kIsFloat ? &CeilFloats : &CeilDoubles};
    case Opcode::kFloor:
      return {kIsFloat ? &FloorFloats : &FloorDoubles};
    case Opcode::kRoundNearestAfz:
      return {kIsFloat ? &RoundFloatsAfz : &RoundDoublesAfz};
    case Opcode::kRoundNearestEven:
      return {kIsFloat ? &RoundFloatsEven : &RoundDoublesEven};
    default:
      return PlainLoopOf<T>(opcode);
  }
}

}  // namespace

LaneLoopEntry FloatLoop(Opcode opcode, ElementType domain) {
  if (const LaneLoopEntry patched = PatchedLoop(opcode, domain); patched.loop != nullptr) return patched;
  switch (domain) {
    case ElementType::kF32: {
      const LaneLoopEntry vector = VectorFloatLoop(opcode);
      return vector.loop != nullptr ? vector : LoopOf<float>(opcode);
    }
    case ElementType::kF64: {
      const LaneLoopEntry vector = VectorDoubleLoop(opcode);
      return vector.loop != nullptr ? vector : LoopOf<double>(opcode);
    }
    default:
      return {};
  }
}

}  // namespace hloscope::evaluator
