// SPDX-License-Identifier: Apache-2.0
// Checks of the random-number ops (docs/ops/elementwise.md 11).
#include <gtest/gtest.h>

#include "tests/support/rule_test.h"

namespace hloscope {
namespace {

TEST(RngBitGeneratorRules, AcceptedAndRejected) {
  ExpectRules(R"(
    rng-bit-generator{algorithm=rng_three_fry} u64[2] -> (u64[2], u32[4]) : ok
    rng-bit-generator{algorithm=rng_philox} u64[3] -> (u64[3], u8[4]) : ok
    rng-bit-generator{algorithm=rng_philox} u64[2] -> (u64[3], u8[4]) : generator-state-changed
    rng-bit-generator{algorithm=rng_three_fry} u64[3] -> (u64[3], u32[4]) : generator-state at p0
    rng-bit-generator{algorithm=rng_default} u64[2] -> u32[4] : ok
    rng-bit-generator{algorithm=rng_default} u64[2] -> (u64[2], u32[4], u32[4]) : generator-result
    rng-bit-generator{algorithm=rng_default} u64[2] -> token[] : result-type-unsupported
    rng-bit-generator{algorithm=rng_default} u64[2] -> (u64[2], f32[4]) : result-type-unsupported
    rng-bit-generator{algorithm=rng_default} u64[2] -> (u64[2], pred[4]) : result-type-unsupported
    rng-bit-generator{algorithm=rng_default} u32[4] -> (u32[4], u32[4]) : generator-state
    rng-bit-generator{algorithm=rng_default} (u64[2]) -> (u64[2], u32[4]) : operand-not-array
  )");
}

TEST(RngRules, AcceptedAndRejected) {
  ExpectRules(R"(
    rng{distribution=rng_uniform} f32[], f32[] -> f32[2,3] : ok
    rng{distribution=rng_normal} bf16[], bf16[] -> bf16[2,3] : ok
    rng{distribution=rng_uniform} pred[], pred[] -> pred[2] : ok
    rng{distribution=rng_uniform} f32[] -> f32[2,3] : operand-count
    rng{distribution=rng_uniform} f32[1], f32[] -> f32[2,3] : operand-not-scalar at p0
    rng{distribution=rng_uniform} f32[], s32[] -> f32[2,3] : rng-types
    rng{distribution=rng_uniform} f32[], f32[] -> bf16[2,3] : rng-types
    rng{distribution=rng_uniform} c64[], c64[] -> c64[2] : rng-distribution at rng_uniform
    rng{distribution=rng_normal} s32[], s32[] -> s32[2] : rng-distribution
  )");
  VerifyOptions options;
  options.allow_mixed_precision = true;
  ExpectRules("rng{distribution=rng_uniform} f32[], f32[] -> bf16[2,3] : ok", "", options);
}

TEST(RngGetAndUpdateStateRules, ResultIsTwoWords) {
  ExpectRules(R"(
    rng-get-and-update-state{delta=3} -> u64[2] : ok
    rng-get-and-update-state{delta=3} -> u64[3] : declared-shape
    rng-get-and-update-state{delta=3} u64[2] -> u64[2] : operand-count
  )");
}

}  // namespace
}  // namespace hloscope
