// SPDX-License-Identifier: Apache-2.0
// Shape rules and checks of get-dimension-size and set-dimension-size (docs/ops/tensor.md 10).
#include <gtest/gtest.h>

#include "tests/support/rule_test.h"

namespace hloscope {
namespace {

TEST(DimensionSizeRules, AcceptedAndRejected) {
  ExpectRules(R"(
    get-dimension-size{dimensions={1}} f32[2,5] => s32[]
    get-dimension-size{dimensions={0}} f32[<=2,5] => s32[]
    get-dimension-size{dimensions={0,1}} f32[2,5] -> s32[] : entry-count
    get-dimension-size{dimensions={2}} f32[2,5] -> s32[] : dimension-out-of-range
    get-dimension-size{dimensions={0}} s8[2147483648] -> s32[] : dimension-size-too-large
    get-dimension-size{dimensions={0}} s8[2147483647] -> s32[] : ok
    get-dimension-size{dimensions={0}} f32[2,5] -> s64[] : declared-shape
    get-dimension-size{dimensions={0}} (f32[2,5]) -> s32[] : operand-not-array
    set-dimension-size{dimensions={0}} s32[4], s32[] => s32[<=4]
    set-dimension-size{dimensions={1}} s32[<=4,3], s32[] => s32[<=4,<=3]
    set-dimension-size{dimensions={1}} s32[4], s32[] -> s32[4] : dimension-out-of-range
    set-dimension-size{dimensions={0}} s32[4], s64[] -> s32[<=4] : size-operand at p1
    set-dimension-size{dimensions={0}} s32[4], s32[1] -> s32[<=4] : size-operand at p1
    set-dimension-size{dimensions={0}} s8[2147483648], s32[] -> s8[<=2147483648] : dimension-size-too-large
    set-dimension-size{dimensions={0}} s32[4], s32[] -> s32[<=5] : declared-shape
  )");
}

}  // namespace
}  // namespace hloscope
