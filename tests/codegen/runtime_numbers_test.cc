// SPDX-License-Identifier: Apache-2.0
// Conversions of compiled programs have every bit of those of the evaluator.
#include <bit>
#include <cstdint>

#include "gtest/gtest.h"
#include "numerics/elements/numeric.h"
#include "resources/compile/hlo_runtime.h"

namespace hloscope::codegen {
namespace {

// Every sign, exponent and leading bit, beside and in the middle between two numbers of 16 bits.
TEST(RuntimeNumbersTest, RoundBf16IsTheNumberOfFloatToBf16) {
  for (uint32_t upper = 0; upper <= 0xffff; ++upper) {
    for (const uint32_t lower : {0u, 1u, 0x3fffu, 0x7fffu, 0x8000u, 0x8001u, 0xc000u, 0xffffu}) {
      const float x = std::bit_cast<float>(upper << 16 | lower);
      const float expected = numerics::Bf16ToFloat(numerics::FloatToBf16(x));
      ASSERT_EQ(std::bit_cast<uint32_t>(hlo::RoundBf16(x)), std::bit_cast<uint32_t>(expected))
          << std::hex << upper << ' ' << lower;
    }
  }
}

}  // namespace
}  // namespace hloscope::codegen
