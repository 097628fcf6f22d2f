// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/lanes/wide_loops.h"

#include "numerics/parallel/cpu_level.h"
#include "numerics/parallel/vector_loops.h"

#ifdef HLOSCOPE_AVX512_FUNCTION
#include <immintrin.h>

#include <type_traits>
#include <utility>

#include "numerics/elements/numeric.h"
#include "numerics/rows/row_functions.h"
#include "numerics/rows/wide_vectors.h"
#endif

namespace hloscope::evaluator {

#ifdef HLOSCOPE_AVX512_FUNCTION
namespace {

using namespace numerics::wide;  // NOLINT: the vocabulary of these loops

template <typename T>
const T* DataOf(const LaneOperand& operand) {
  return reinterpret_cast<const T*>(operand.data);
}

template <typename T>
void ExpWide(const LaneOperand* operands, uint8_t* result, int64_t count, const LaneParameters&) {
  numerics::ExpOfRow(DataOf<T>(operands[0]), count, reinterpret_cast<T*>(result));
}

template <typename Function>
HLOSCOPE_AVX512_FUNCTION void BinaryBf16s(const LaneOperand* operands, uint8_t* result, int64_t count,
                                          const LaneParameters&) {
  const uint16_t* const a = reinterpret_cast<const uint16_t*>(operands[0].data);
  const uint16_t* const b = reinterpret_cast<const uint16_t*>(operands[1].data);
  uint16_t* const out = reinterpret_cast<uint16_t*>(result);
  if (operands[0].is_uniform) {
    const Floats a0 = Everywhere(numerics::Bf16ToFloat(a[0]));
    EachBf16Vector(count, [&](int64_t i, __mmask32 lanes) HLOSCOPE_AVX512_FUNCTION {
      const Pair y = Widen(LoadBf16s(b + i, lanes));
      StoreBf16s(out + i, lanes, {Function::Of(a0, y.even), Function::Of(a0, y.odd)});
    });
  } else if (operands[1].is_uniform) {
    const Floats b0 = Everywhere(numerics::Bf16ToFloat(b[0]));
    EachBf16Vector(count, [&](int64_t i, __mmask32 lanes) HLOSCOPE_AVX512_FUNCTION {
      const Pair x = Widen(LoadBf16s(a + i, lanes));
      StoreBf16s(out + i, lanes, {Function::Of(x.even, b0), Function::Of(x.odd, b0)});
    });
  } else {
    EachBf16Vector(count, [&](int64_t i, __mmask32 lanes) HLOSCOPE_AVX512_FUNCTION {
      const Pair x = Widen(LoadBf16s(a + i, lanes)), y = Widen(LoadBf16s(b + i, lanes));
      StoreBf16s(out + i, lanes, {Function::Of(x.even, y.even), Function::Of(x.odd, y.odd)});
    });
  }
}

// `function` of two operands of f32, each of which may be one number for all lanes.
template <typename Function>
HLOSCOPE_AVX512_FUNCTION void BinaryFloats(const LaneOperand* operands, uint8_t* result, int64_t count,
                                           const LaneParameters&) {
  const float* const a = reinterpret_cast<const float*>(operands[0].data);
  const float* const b = reinterpret_cast<const float*>(operands[1].data);
  float* const out = reinterpret_cast<float*>(result);
  const bool one_a = operands[0].is_uniform, one_b = operands[1].is_uniform;
  const Floats a0 = Everywhere(one_a ? a[0] : 0.0f), b0 = Everywhere(one_b ? b[0] : 0.0f);
  EachVector(count, [&](int64_t i, __mmask16 lanes) HLOSCOPE_AVX512_FUNCTION {
    const Floats x = one_a ? a0 : LoadFloats(a + i, lanes), y = one_b ? b0 : LoadFloats(b + i, lanes);
    _mm512_mask_storeu_ps(out + i, lanes, Function::Of(x, y));
  });
}

template <typename T>
void DivideWide(const LaneOperand* operands, uint8_t* result, int64_t count, const LaneParameters& parameters) {
  if (operands[1].is_uniform && !operands[0].is_uniform) {
    return numerics::QuotientsOfRows(DataOf<T>(operands[0]), DataOf<T>(operands[1]), reinterpret_cast<T*>(result), 1,
                                     count);
  }
  if constexpr (std::is_same_v<T, float>) {
    BinaryFloats<DivideVectors>(operands, result, count, parameters);
  } else {
    BinaryBf16s<DivideVectors>(operands, result, count, parameters);
  }
}

// `Outer` of what `Inner` gives of the first two operands and of the third, in this order unless kIsRight.
template <typename Outer, typename Inner, bool kIsRight>
HLOSCOPE_AVX512_FUNCTION void ComposedFloats(const LaneOperand* operands, uint8_t* result, int64_t count,
                                             const LaneParameters&) {
  const auto data = [&](size_t k) { return reinterpret_cast<const float*>(operands[k].data); };
  const float *const a = data(0), *const b = data(1), *const c = data(2);
  float* const out = reinterpret_cast<float*>(result);
  const bool one_a = operands[0].is_uniform, one_b = operands[1].is_uniform, one_c = operands[2].is_uniform;
  const Floats a0 = Everywhere(one_a ? a[0] : 0.0f), b0 = Everywhere(one_b ? b[0] : 0.0f);
  const Floats c0 = Everywhere(one_c ? c[0] : 0.0f);
  EachVector(count, [&](int64_t i, __mmask16 lanes) HLOSCOPE_AVX512_FUNCTION {
    const Floats x = one_a ? a0 : LoadFloats(a + i, lanes), y = one_b ? b0 : LoadFloats(b + i, lanes);
    const Floats z = one_c ? c0 : LoadFloats(c + i, lanes), inner = Inner::Of(x, y);
    _mm512_mask_storeu_ps(out + i, lanes, kIsRight ? Outer::Of(z, inner) : Outer::Of(inner, z));
  });
}

template <typename Outer, typename Inner>
LaneLoop CompositionOf(bool is_right) {
  return is_right ? &ComposedFloats<Outer, Inner, true> : &ComposedFloats<Outer, Inner, false>;
}

template <typename Outer>
LaneLoop CompositionOf(Opcode inner, bool is_right) {
  return inner == Opcode::kAdd        ? CompositionOf<Outer, AddVectors>(is_right)
         : inner == Opcode::kSubtract ? CompositionOf<Outer, SubtractVectors>(is_right)
         : inner == Opcode::kMultiply ? CompositionOf<Outer, MultiplyVectors>(is_right)
                                      : nullptr;
}

// A function of rows with one number each.
template <typename T, void (*kFunction)(const T* x, const T* of_rows, T* result, int64_t rows, int64_t columns)>
void EachRow(const uint8_t* data, const uint8_t* of_rows, uint8_t* result, int64_t rows, int64_t columns) {
  kFunction(reinterpret_cast<const T*>(data), reinterpret_cast<const T*>(of_rows), reinterpret_cast<T*>(result), rows,
            columns);
}

}  // namespace

LaneLoop WideFloatLoop(Opcode opcode) {
  if (numerics::BestCpuLevel() != numerics::CpuLevel::kAvx512) return nullptr;
  return opcode == Opcode::kExponential ? &ExpWide<float> : opcode == Opcode::kDivide ? &DivideWide<float> : nullptr;
}

LaneLoop WideBf16Loop(Opcode opcode) {
  if (numerics::BestCpuLevel() != numerics::CpuLevel::kAvx512) return nullptr;
  switch (opcode) {
    case Opcode::kExponential:
      return &ExpWide<uint16_t>;
    case Opcode::kAdd:
      return &BinaryBf16s<AddVectors>;
    case Opcode::kSubtract:
      return &BinaryBf16s<SubtractVectors>;
    case Opcode::kMultiply:
      return &BinaryBf16s<MultiplyVectors>;
    case Opcode::kDivide:
      return &DivideWide<uint16_t>;
    default:
      return nullptr;
  }
}

LaneLoop WideExponentialOfDifference(ElementType type) {
  if (numerics::BestCpuLevel() != numerics::CpuLevel::kAvx512) return nullptr;
  return type == ElementType::kF32    ? &BinaryFloats<ExponentialOfDifference>
         : type == ElementType::kBF16 ? &BinaryBf16s<ExponentialOfBf16Difference>
                                      : nullptr;
}

RowLoop WideRowLoop(LaneLoop loop) {
  static constexpr std::pair<LaneLoop, RowLoop> kLoops[] = {
      {&BinaryBf16s<AddVectors>, &EachRow<uint16_t, RowsOf<AddVectors>>},
      {&BinaryBf16s<SubtractVectors>, &EachRow<uint16_t, RowsOf<SubtractVectors>>},
      {&BinaryBf16s<MultiplyVectors>, &EachRow<uint16_t, RowsOf<MultiplyVectors>>},
      {&BinaryBf16s<ExponentialOfBf16Difference>, &EachRow<uint16_t, numerics::ExpOfDifferences>},
      {&DivideWide<uint16_t>, &EachRow<uint16_t, numerics::QuotientsOfRows>},
      {&BinaryFloats<ExponentialOfDifference>, &EachRow<float, numerics::ExpOfDifferences>},
      {&DivideWide<float>, &EachRow<float, numerics::QuotientsOfRows>},
  };
  for (const auto& [of_lanes, of_rows] : kLoops) {
    if (of_lanes == loop) return of_rows;
  }
  return nullptr;
}

LaneLoop WideComposition(Opcode outer, Opcode inner, bool is_right) {
  if (numerics::BestCpuLevel() != numerics::CpuLevel::kAvx512) return nullptr;
  return outer == Opcode::kAdd        ? CompositionOf<AddVectors>(inner, is_right)
         : outer == Opcode::kSubtract ? CompositionOf<SubtractVectors>(inner, is_right)
         : outer == Opcode::kMultiply ? CompositionOf<MultiplyVectors>(inner, is_right)
                                      : nullptr;
}
#else
LaneLoop WideComposition(Opcode, Opcode, bool) { return nullptr; }
LaneLoop WideExponentialOfDifference(ElementType) { return nullptr; }
RowLoop WideRowLoop(LaneLoop) { return nullptr; }
LaneLoop WideFloatLoop(Opcode) { return nullptr; }
LaneLoop WideBf16Loop(Opcode) { return nullptr; }
#endif

}  // namespace hloscope::evaluator
