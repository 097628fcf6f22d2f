// SPDX-License-Identifier: Apache-2.0
// Every worked vector of the tensor operations (docs/ops/tensor.md 0.8) and of custom calls.
#include <map>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "gtest/gtest.h"
#include "tests/support/module_evaluation.h"
#include "tests/support/session_test_support.h"
#include "tests/support/shared_files.h"

namespace hloscope::evaluator {
namespace {

TEST(WorkedVectorsTest, DataMovement) { RunWorkedVectors("data_movement.vectors", 28); }
TEST(WorkedVectorsTest, GatherScatter) { RunWorkedVectors("gather_scatter.vectors", 14); }
TEST(WorkedVectorsTest, Reduction) { RunWorkedVectors("reduction.vectors", 17); }
TEST(WorkedVectorsTest, Convolution) { RunWorkedVectors("convolution.vectors", 10); }
TEST(WorkedVectorsTest, Dot) { RunWorkedVectors("dot.vectors", 13); }
TEST(WorkedVectorsTest, LinearAlgebra) { RunWorkedVectors("linear_algebra.vectors", 14); }
TEST(WorkedVectorsTest, Sorting) { RunWorkedVectors("sorting.vectors", 8); }
TEST(WorkedVectorsTest, Normalization) { RunWorkedVectors("normalization.vectors", 6); }
TEST(WorkedVectorsTest, DynamicDimension) { RunWorkedVectors("dynamic_dimension.vectors", 3); }

// Not of the specification: grouped, dilated, variadic and small-type forms. Results were worked out with loops in
// NumPy that follow the formulas.
TEST(WorkedVectorsTest, Variants) { RunWorkedVectors("variants.vectors", 29); }

TEST(WorkedVectorsTest, CustomCalls) {
  const std::string text =
      ReadFileOrDie(std::string(HLOSCOPE_SOURCE_DIR) + "/tests/evaluator/data/custom_call.modules");
  int count = 0;
  for (absl::string_view block : absl::StrSplit(text, "// id: ", absl::SkipEmpty())) {
    if (absl::StrContains(block, "// run: ")) continue;  // needs several devices
    SCOPED_TRACE(std::string(block));
    ++count;
    std::map<size_t, std::string> arguments;
    std::string out;
    for (absl::string_view line : absl::StrSplit(block, '\n')) {
      size_t number;
      const std::vector<std::string> sides = absl::StrSplit(line, absl::MaxSplits(" = ", 1));
      if (absl::ConsumePrefix(&line, "// out = ")) out = std::string(line);
      if (sides.size() == 2 && absl::StartsWith(sides[0], "// arg") && absl::SimpleAtoi(sides[0].substr(6), &number)) {
        arguments[number] = sides[1];
      }
    }
    const std::shared_ptr<const Module> module = ModuleFromText(block.substr(block.find("HloModule")));
    if (module == nullptr) continue;
    const Computation& entry = module->computation(module->entry());
    std::vector<Value> values;
    for (size_t k = 0; k < entry.parameters.size(); ++k) {
      absl::StatusOr<Value> value = ValueFromText(module->shape(entry.parameters[k]), arguments[k]);
      ASSERT_TRUE(value.ok()) << value.status();
      values.push_back(*std::move(value));
    }
    const absl::StatusOr<Value> actual = EvaluateModule(module, values);
    EXPECT_TRUE(actual.ok()) << actual.status();
    const absl::StatusOr<Value> expected = ValueFromText(module->shape(entry.root), out);
    EXPECT_TRUE(expected.ok()) << expected.status();
    if (actual.ok() && expected.ok()) {
      EXPECT_TRUE(ValuesAgree(*actual, *expected));
    }
  }
  EXPECT_EQ(count, 12);
}

}  // namespace
}  // namespace hloscope::evaluator
