// SPDX-License-Identifier: Apache-2.0
// Bitcasts under tiled layouts: the elements keep their places in memory (docs/ops/tensor.md 9, 12.3).
#include <memory>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/module_evaluation.h"
#include "tests/support/session_test_support.h"

namespace hloscope::evaluator {
namespace {

using ::testing::HasSubstr;

absl::StatusOr<Value> Evaluate(const std::string& body) {
  const std::shared_ptr<const Module> module = ModuleFromText("HloModule m\nENTRY e {\n" + body + "\n}\n");
  return EvaluateModule(module, {});
}

void ExpectValue(const std::string& body, const std::string& expected) {
  SCOPED_TRACE(body);
  const absl::StatusOr<Value> result = Evaluate(body);
  ASSERT_TRUE(result.ok()) << result.status();
  const absl::StatusOr<Value> want = ValueFromTypedText(expected);
  ASSERT_TRUE(want.ok()) << want.status();
  EXPECT_TRUE(ValuesAgree(*result, *want));
}

constexpr char kRows[] =
    "  a = s32[3,5]{1,0:T(2,4)} constant({{0, 1, 2, 3, 4}, {5, 6, 7, 8, 9}, {10, 11, 12, 13, 14}})\n";

TEST(BitcastTest, TilesAreReadOneAfterTheOther) {
  // Four tiles of 2 x 4; what the array does not fill is padding.
  ExpectValue(std::string(kRows) + "  ROOT r = s32[32]{0} bitcast(a)",
              "s32[32] {0, 1, 2, 3, 5, 6, 7, 8, 4, 0, 0, 0, 9, 0, 0, 0, "
              "10, 11, 12, 13, 0, 0, 0, 0, 14, 0, 0, 0, 0, 0, 0, 0}");
  ExpectValue("  a = s32[8]{0} constant({0, 1, 2, 3, 4, 5, 6, 7})\n  ROOT r = s32[2,4]{1,0:T(2,2)} bitcast(a)",
              "s32[2,4] {{0, 1, 4, 5}, {2, 3, 6, 7}}");
}

TEST(BitcastTest, ThereAndBack) {
  ExpectValue(std::string(kRows) + "  b = s32[4,8]{1,0} bitcast(a)\n  ROOT r = s32[3,5]{1,0:T(2,4)} bitcast(b)",
              "s32[3,5] {{0, 1, 2, 3, 4}, {5, 6, 7, 8, 9}, {10, 11, 12, 13, 14}}");
  // The same tiles and order: nothing moves at all.
  ExpectValue(std::string(kRows) + "  ROOT r = u32[3,5]{1,0:T(2,4)} bitcast(a)",
              "u32[3,5] {{0, 1, 2, 3, 4}, {5, 6, 7, 8, 9}, {10, 11, 12, 13, 14}}");
  // A leading dimension of 1 comes and goes without a change of the tiles.
  ExpectValue(std::string(kRows) + "  ROOT r = s32[1,3,5]{2,1,0:T(2,4)} bitcast(a)",
              "s32[1,3,5] {{{0, 1, 2, 3, 4}, {5, 6, 7, 8, 9}, {10, 11, 12, 13, 14}}}");
}

TEST(BitcastTest, NestedTilesAndOtherWidths) {
  // T(4,2)(2,1): pairs of rows are interleaved, as 16-bit types are on 32-bit lanes.
  ExpectValue(
      "  a = s16[4,2]{1,0:T(4,2)(2,1)} constant({{1, 2}, {3, 4}, {5, 6}, {7, 8}})\n"
      "  ROOT r = s16[8]{0} bitcast(a)",
      "s16[8] {1, 3, 2, 4, 5, 7, 6, 8}");
  ExpectValue(
      "  a = s16[4,2]{1,0:T(4,2)(2,1)} constant({{1, 2}, {3, 4}, {5, 6}, {7, 8}})\n"
      "  ROOT r = s32[4]{0} bitcast(a)",
      "s32[4] {196609, 262146, 458757, 524294}");
  ExpectValue(
      "  a = s4[2,4]{1,0:T(2,2)E(4)} constant({{1, -2, 3, -4}, {5, 6, 7, -8}})\n"
      "  ROOT r = s4[8]{0:E(4)} bitcast(a)",
      "s4[8] {1, -2, 5, 6, 3, -4, 7, -8}");
}

TEST(BitcastTest, WhatCannotBe) {
  const auto error = [](const std::string& body) { return std::string(Evaluate(body).status().message()); };
  EXPECT_THAT(error(std::string(kRows) + "  ROOT r = s32[33]{0} bitcast(a)"), HasSubstr("only 128"));
  EXPECT_THAT(error("  a = s32[8]{0:SC(0:4)} constant({0, 1, 2, 3, 4, 5, 6, 7})\n"
                    "  ROOT r = s32[2,4]{1,0:T(2,2)} bitcast(a)"),
              HasSubstr("split between memories"));
}

}  // namespace
}  // namespace hloscope::evaluator
