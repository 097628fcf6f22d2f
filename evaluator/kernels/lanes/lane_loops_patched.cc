// SPDX-License-Identifier: Apache-2.0
// Vector loops of functions that have no branch-free form for every argument: blocks with arguments that the
// branch-free function does not serve are computed once more, lane by lane.
#include <algorithm>
#include <complex>

#include "evaluator/kernels/lanes/lane_loops.h"
#include "numerics/elements/complex_functions.h"
#include "numerics/elements/double_math.h"
#include "numerics/elements/elementwise_functions.h"
#include "numerics/elements/float_math.h"
#include "numerics/elements/float_remainder.h"
#include "numerics/parallel/cpu_level.h"
#include "numerics/parallel/vector_loops.h"

namespace hloscope::evaluator {
namespace {

// Lanes between two looks for such arguments.
constexpr int64_t kPatchLanes = 256;

// Each of the following returns whether the branch-free function served all lanes.

// `Flag` is as wide as the numbers, so that loops over both are of whole vectors.
#define HLOSCOPE_MODERATE_LOOP(Name, T, Flag, functions, Function)                                       \
  HLOSCOPE_VECTOR_CLONES bool Name(const T* x, T* out, int64_t count) {                                  \
    Flag irregular = 0;                                                                                  \
    for (int64_t i = 0; i < count; ++i) irregular |= numerics::functions::IsModerateAngle(x[i]) ? 0 : 1; \
    for (int64_t i = 0; i < count; ++i) out[i] = numerics::functions::Function(x[i]);                    \
    return irregular == 0;                                                                               \
  }
HLOSCOPE_MODERATE_LOOP(ModerateSines, float, int32_t, float_math, SineOfModerate)
HLOSCOPE_MODERATE_LOOP(ModerateCosines, float, int32_t, float_math, CosineOfModerate)
HLOSCOPE_MODERATE_LOOP(ModerateTans, float, int32_t, float_math, TanOfModerate)
HLOSCOPE_MODERATE_LOOP(ModerateSinesOfDoubles, double, int64_t, double_math, SineOfModerate)
HLOSCOPE_MODERATE_LOOP(ModerateCosinesOfDoubles, double, int64_t, double_math, CosineOfModerate)
HLOSCOPE_MODERATE_LOOP(ModerateTansOfDoubles, double, int64_t, double_math, TanOfModerate)
#undef HLOSCOPE_MODERATE_LOOP

HLOSCOPE_VECTOR_CLONES bool RegularPowers(const float* x, const float* y, float* out, int64_t count) {
  int32_t irregular = 0;
  for (int64_t i = 0; i < count; ++i) irregular |= numerics::float_math::IsRegularPower(x[i], y[i]) ? 0 : 1;
  for (int64_t i = 0; i < count; ++i) out[i] = numerics::float_math::RegularPower(x[i], y[i]);
  return irregular == 0;
}

// Those of distant numbers are NaN.
#define HLOSCOPE_REMAINDER_LOOP(Name, T, Flag)                                                      \
  HLOSCOPE_VECTOR_CLONES bool Name(const T* x, const T* y, T* out, int64_t count) {                 \
    for (int64_t i = 0; i < count; ++i) out[i] = numerics::float_math::RemainderOfNear(x[i], y[i]); \
    Flag irregular = 0;                                                                             \
    for (int64_t i = 0; i < count; ++i) irregular |= out[i] != out[i] ? 1 : 0;                      \
    return irregular == 0;                                                                          \
  }
HLOSCOPE_REMAINDER_LOOP(NearRemainders, float, int32_t)
HLOSCOPE_REMAINDER_LOOP(NearRemaindersOfDoubles, double, int64_t)
#undef HLOSCOPE_REMAINDER_LOOP

#ifdef HLOSCOPE_AVX2_FUNCTION
HLOSCOPE_AVX2_FUNCTION bool FusedRemainders(const float* x, const float* y, float* out, int64_t count) {
  for (int64_t i = 0; i < count; ++i) out[i] = numerics::float_math::FusedRemainderOfNear(x[i], y[i]);
  int32_t irregular = 0;
  for (int64_t i = 0; i < count; ++i) irregular |= out[i] != out[i] ? 1 : 0;
  return irregular == 0;
}
#endif

bool Remainders(const float* x, const float* y, float* out, int64_t count) {
#ifdef HLOSCOPE_AVX2_FUNCTION
  if (numerics::BestCpuLevel() != numerics::CpuLevel::kBaseline && FusedRemainders(x, y, out, count)) return true;
#endif
  return NearRemainders(x, y, out, count);
}

using ComplexFloat = std::complex<float>;

HLOSCOPE_VECTOR_CLONES bool PlainQuotients(const ComplexFloat* z, const ComplexFloat* w, ComplexFloat* out,
                                           int64_t count) {
  for (int64_t i = 0; i < count; ++i) out[i] = numerics::complex_functions::PlainQuotient(z[i], w[i]);
  int32_t irregular = 0;
  for (int64_t i = 0; i < count; ++i) {
    irregular |= (out[i].real() != out[i].real()) & (out[i].imag() != out[i].imag()) ? 1 : 0;
  }
  return irregular == 0;
}
HLOSCOPE_VECTOR_CLONES bool ModerateExponentials(const ComplexFloat* z, ComplexFloat* out, int64_t count) {
  for (int64_t i = 0; i < count; ++i) out[i] = numerics::complex_functions::ExponentialOfModerate(z[i]);
  int32_t irregular = 0;
  for (int64_t i = 0; i < count; ++i) {
    irregular |= (out[i].real() != out[i].real()) | (out[i].imag() != out[i].imag()) ? 1 : 0;
  }
  return irregular == 0;
}

// The results go through a buffer, for they may replace an operand.
template <typename T, typename Function, bool (*kVectorFunction)(const T* x, T* out, int64_t count)>
void PatchedUnary(const LaneOperand* operands, uint8_t* result, int64_t count, const LaneParameters&) {
  const T* x = reinterpret_cast<const T*>(operands[0].data);
  T* out = reinterpret_cast<T*>(result);
  T block[kPatchLanes];
  for (int64_t first = 0; first < count; first += kPatchLanes) {
    const int64_t lanes = std::min(kPatchLanes, count - first);
    if (!kVectorFunction(x + first, block, lanes)) {
      for (int64_t i = 0; i < lanes; ++i) block[i] = Function()(x[first + i]);
    }
    std::copy(block, block + lanes, out + first);
  }
}

template <typename T, typename Function, bool (*kVectorFunction)(const T* x, const T* y, T* out, int64_t count)>
void PatchedBinary(const LaneOperand* operands, uint8_t* result, int64_t count, const LaneParameters&) {
  const T* x = reinterpret_cast<const T*>(operands[0].data);
  const T* y = reinterpret_cast<const T*>(operands[1].data);
  T* out = reinterpret_cast<T*>(result);
  T repeated_x[kPatchLanes], repeated_y[kPatchLanes], block[kPatchLanes];
  if (operands[0].is_uniform) std::fill(repeated_x, repeated_x + kPatchLanes, x[0]);
  if (operands[1].is_uniform) std::fill(repeated_y, repeated_y + kPatchLanes, y[0]);
  for (int64_t first = 0; first < count; first += kPatchLanes) {
    const int64_t lanes = std::min(kPatchLanes, count - first);
    const T* a = operands[0].is_uniform ? repeated_x : x + first;
    const T* b = operands[1].is_uniform ? repeated_y : y + first;
    if (!kVectorFunction(a, b, block, lanes)) {
      for (int64_t i = 0; i < lanes; ++i) block[i] = Function()(a[i], b[i]);
    }
    std::copy(block, block + lanes, out + first);
  }
}

}  // namespace

LaneLoopEntry PatchedLoop(Opcode opcode, ElementType domain) {
  using namespace numerics::elementwise;  // NOLINT: the function objects
  if (domain == ElementType::kF64) {
    switch (opcode) {
      case Opcode::kSine:
        return {&PatchedUnary<double, Sine, &ModerateSinesOfDoubles>, 5};
      case Opcode::kCosine:
        return {&PatchedUnary<double, Cosine, &ModerateCosinesOfDoubles>, 5};
      case Opcode::kTan:
        return {&PatchedUnary<double, Tan, &ModerateTansOfDoubles>, 8};
      case Opcode::kRemainder:
        return {&PatchedBinary<double, Remainder, &NearRemaindersOfDoubles>, 4};
      default:
        return {};
    }
  }
  if (domain == ElementType::kC64) {
    namespace functions = numerics::complex_functions;
    return opcode == Opcode::kDivide
               ? LaneLoopEntry{&PatchedBinary<ComplexFloat, functions::Divide, &PlainQuotients>, 2}
           : opcode == Opcode::kExponential
               ? LaneLoopEntry{&PatchedUnary<ComplexFloat, functions::Exponential, &ModerateExponentials>, 4}
               : LaneLoopEntry{};
  }
  if (domain != ElementType::kF32) return {};
  switch (opcode) {
    case Opcode::kSine:
      return {&PatchedUnary<float, Sine, &ModerateSines>, 2};
    case Opcode::kCosine:
      return {&PatchedUnary<float, Cosine, &ModerateCosines>, 2};
    case Opcode::kTan:
      return {&PatchedUnary<float, Tan, &ModerateTans>, 2};
    case Opcode::kPower:
      return {&PatchedBinary<float, Power, &RegularPowers>, 3};
    case Opcode::kRemainder:
      return {&PatchedBinary<float, Remainder, &Remainders>, 2};
    default:
      return {};
  }
}

}  // namespace hloscope::evaluator
