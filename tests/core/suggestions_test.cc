// SPDX-License-Identifier: Apache-2.0
#include "core/diagnostics/suggestions.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/diagnostics/familiar_names.h"

namespace hloscope {
namespace {

using NameList = std::vector<absl::string_view>;

TEST(Suggestions, TheNearestPlausibleName) {
  EXPECT_EQ(NearestName("negat", NameList{"negate", "not"}), "negate");
  EXPECT_EQ(NearestName("trasnpose", NameList{"transpose", "translate"}), "transpose");
  EXPECT_EQ(NearestName("dimension", NameList{"dimensions", "direction"}), "dimensions");
  EXPECT_EQ(NearestName("reduce", NameList{}), "");
}

TEST(Suggestions, NothingFarAway) {
  EXPECT_EQ(NearestName("x", NameList{"y", "z"}), "");
  EXPECT_EQ(NearestName("multiply", NameList{"subtract"}), "");
  EXPECT_EQ(NearestName("banana", NameList{"add", "dot"}), "");
  EXPECT_EQ(NearestName(std::string(10000, 'a'), NameList{"a"}), "");
}

TEST(Suggestions, StyleDoesNotCount) {
  EXPECT_EQ(NearestName("get_tuple_element", NameList{"get-dimension-size", "get-tuple-element"}), "get-tuple-element");
  EXPECT_EQ(NearestName("eq", NameList{"NE", "EQ"}), "EQ");
}

// `add.3` is not a misspelling of `add.5`: it is another instruction that is missing.
TEST(Suggestions, NamesThatDifferInTheirNumbersAreDifferent) {
  EXPECT_EQ(NearestName("add.3", NameList{"add.5", "add.4"}), "");
  EXPECT_EQ(NearestName("fusion.1234", NameList{"fusion.1243"}), "fusion.1243");
  EXPECT_EQ(NearestName("fuison.12", NameList{"fusion.12", "fusion.11"}), "fusion.12");
}

TEST(Suggestions, NamesOfOtherDialects) {
  EXPECT_EQ(NearestOpcode("exp"), "exponential");
  EXPECT_EQ(NearestOpcode("dot_general"), "dot");
  EXPECT_EQ(NearestOpcode("dynamic_slice"), "dynamic-slice");
  EXPECT_EQ(NearestOpcode("frobnicate"), "");
  EXPECT_EQ(NearestElementType("i32"), "s32");
  EXPECT_EQ(NearestElementType("bool"), "pred");
  EXPECT_EQ(NearestElementType("F32"), "f32");
  EXPECT_EQ(NearestElementType("tuple"), "");
  EXPECT_EQ(NearestAttribute("permutation", NameList{"dimensions"}), "dimensions");
  EXPECT_EQ(NearestAttribute("permutation", NameList{"direction"}), "");
  EXPECT_NE(ReplacementOfRemovedOpcode("tuple-select"), "");
  EXPECT_EQ(ReplacementOfRemovedOpcode("all-reduce"), "");
}

}  // namespace
}  // namespace hloscope
