// SPDX-License-Identifier: Apache-2.0
// Shape rules and checks of the type-changing ops (docs/ops/elementwise.md 9).
#include <gtest/gtest.h>

#include "tests/support/rule_test.h"

namespace hloscope {
namespace {

TEST(TypeConversionRules, Convert) {
  ExpectRules(R"(
    convert f32[2,3] -> s8[2,3] : ok
    convert c64[2] -> f32[2] : ok
    convert f32[<=3] -> f16[3] => f16[<=3]
    convert f32[2,3]{1,0} -> s8[2,3]{0,1} => s8[2,3]{0,1}
    convert f32[2,3] -> s8[3,2] : declared-shape at 3
    convert f32[2] -> (s8[2]) : result-not-array at (s8[2])
    convert (f32[2]) -> s8[2] : operand-not-array at p0
  )");
}

TEST(TypeConversionRules, BitcastConvert) {
  ExpectRules(R"(
    bitcast-convert f32[3] -> s32[3] : ok
    bitcast-convert f64[3] -> u32[3,2] : ok
    bitcast-convert u32[3,2] -> f64[3] : ok
    bitcast-convert u32[2,3] -> f64[3] : bitcast-convert-size at p0
    bitcast-convert u8[] -> u16[] : bitcast-convert-size at p0
    bitcast-convert f32[3] -> u8[4,3] : declared-shape
    bitcast-convert f32[2] -> c64[] : bitcast-convert-types at c64
    bitcast-convert c128[3] -> c64[3,2] : ok
    bitcast-convert s4[6,2] -> s8[6] : ok
    bitcast-convert pred[4] -> s8[4] : ok
    bitcast-convert f6e2m3fn[2] -> u8[2] : ok
    bitcast-convert u8[2] -> u2[2,4] : ok
    bitcast-convert u16[3,<=2] -> u32[3] : bitcast-convert-dynamic at p0
    bitcast-convert u32[<=3] -> u16[3,2] => u16[<=3,2]
  )");
}

TEST(TypeConversionRules, ReducePrecision) {
  ExpectRules(R"(
    reduce-precision{exponent_bits=5, mantissa_bits=10} f32[2] -> f32[2] : ok
    reduce-precision{exponent_bits=0, mantissa_bits=10} f32[2] -> f32[2] : precision-bits at 0
    reduce-precision{exponent_bits=5, mantissa_bits=-1} f32[2] -> f32[2] : precision-bits at -1
    reduce-precision{exponent_bits=5, mantissa_bits=10} s32[2] -> s32[2] : operand-element-type at p0
    reduce-precision{exponent_bits=5, mantissa_bits=10} f32[2] -> f16[2] : declared-shape
    // Several mistakes are all reported.
    reduce-precision{exponent_bits=0, mantissa_bits=-1} pred[] -> pred[] : operand-element-type at p0 | precision-bits | precision-bits
  )");
}

TEST(TypeConversionRules, StochasticConvert) {
  ExpectRules(R"(
    stochastic-convert f32[2], u32[2] -> s8[2] : ok
    stochastic-convert bf16[2], u16[2] -> s32[2] : ok
    stochastic-convert s32[2], u32[2] -> s8[2] : operand-element-type at p0
    stochastic-convert f32[2], s32[2] -> s8[2] : operand-element-type at p1
    stochastic-convert f32[2], u16[2] -> s8[2] : stochastic-widths at p1
    stochastic-convert f32[2], u32[3] -> s8[2] : operand-shapes-differ at p1
    stochastic-convert f32[<=2], u32[2] -> s8[<=2] : operand-shapes-differ at p1
    stochastic-convert f32[2,3]{0,1}, u32[2,3] -> s8[2,3] : operand-shapes-differ at p1
    stochastic-convert f32[2,3]{0,1}, u32[2,3]{0,1} -> s8[2,3] : ok
    stochastic-convert f32[2], u32[2] -> u8[2] : result-type-unsupported at u8
    stochastic-convert f32[2], u32[2] -> s8[3] : declared-shape
  )");
}

}  // namespace
}  // namespace hloscope
