// SPDX-License-Identifier: Apache-2.0
// argmax and argmin in vectors, against the same computation step by step.
#include "evaluator/kernels/reduction/reduce_positions.h"

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_replace.h"
#include "evaluator/kernels/indexing/memory_order.h"
#include "evaluator/kernels/lanes/element_conversion.h"
#include "gtest/gtest.h"
#include "tests/support/kernel_test_support.h"
#include "tests/support/module_evaluation.h"
#include "tests/support/session_test_support.h"

namespace hloscope::evaluator {
namespace {

// How frameworks write the reducer, with GT and GE for the greatest number, LT and LE for the least.
constexpr absl::string_view kNanFirst = R"(
  gt = pred[] compare(a, b), direction=GT
  ne = pred[] compare(a, a), direction=NE
  or = pred[] or(gt, ne)
  eq = pred[] compare(a, b), direction=EQ
  lt = pred[] compare(i, j), direction=LT
  and = pred[] and(eq, lt)
  or2 = pred[] or(or, and)
  v = T[] select(or, a, b)
  k = I[] select(or2, i, j)
)";
constexpr absl::string_view kLeastTie = R"(
  gt = pred[] compare(a, b), direction=GE
  v = T[] select(gt, a, b)
  w = I[] select(gt, i, j)
  eq = pred[] compare(a, b), direction=EQ
  tie = I[] minimum(i, j)
  k = I[] select(eq, tie, w)
)";
constexpr absl::string_view kSwapped = R"(
  gt = pred[] compare(b, a), direction=LT
  eq = pred[] compare(b, a), direction=EQ
  later = pred[] compare(j, i), direction=GT
  or = pred[] and(eq, later)
  first = pred[] or(gt, or)
  second = pred[] not(first)
  v = T[] select(second, b, a)
  k = I[] select(second, j, i)
)";
constexpr absl::string_view kForms[] = {kNanFirst, kLeastTie, kSwapped};

class ReducePositionsTest : public ::testing::Test {
 protected:
  int64_t Random(int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(random_); }

  static std::shared_ptr<const Module> ModuleOf(absl::string_view form, bool least, absl::string_view type,
                                                absl::string_view position) {
    std::string body(form);
    if (least) {
      body = absl::StrReplaceAll(
          body, {{"gt = pred[] compare(a, b), direction=GT", "gt = pred[] compare(a, b), direction=LT"},
                 {"direction=GE", "direction=LE"},
                 {"gt = pred[] compare(b, a), direction=LT", "gt = pred[] compare(b, a), direction=GT"}});
    }
    const std::string text = absl::StrReplaceAll(
        "HloModule m\nf {\n  a = T[] parameter(0)\n  i = I[] parameter(1)\n  b = T[] parameter(2)\n  j = I[] "
        "parameter(3)\nBODY  ROOT r = (T[], I[]) tuple(v, k)\n}\nENTRY e {\n  x = T[4] parameter(0)\n  p = I[4] "
        "parameter(1)\n  y = T[] parameter(2)\n  q = I[] parameter(3)\n  ROOT r = (T[], I[]) reduce(x, p, y, q), "
        "dimensions={0}, to_apply=f\n}\n",
        {{"BODY", body}});
    return ModuleFromText(
        absl::StrReplaceAll(text, {{"T[", std::string(type) + "["}, {"I[", std::string(position) + "["}}));
  }

  // Few different numbers, so that many are equal, in some order in memory.
  Tensor Numbers(ElementType type, const DimensionVector& sizes, const DimensionVector& order, bool special) {
    DimensionVector stored;
    int64_t count = 1;
    for (int64_t d : order) {
      stored.push_back(sizes[static_cast<size_t>(d)]);
      count *= stored.back();
    }
    std::vector<float> values;
    const float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    const int64_t range = Random(0, 1) == 1 ? 3 : 1000;
    for (int64_t n = 0; n < count; ++n) {
      const int64_t choice = special ? Random(0, 40) : 40;
      values.push_back(choice == 0   ? nan
                       : choice == 1 ? infinity
                       : choice == 2 ? -infinity
                       : choice < 12 ? -0.0F
                       : choice < 20 ? 0.0F
                                     : static_cast<float>(Random(-range, range)));
    }
    const Tensor f32 = *Tensor::FromValues<float>(ElementType::kF32, stored, values);
    return BackInOrder(*ConvertElements(f32, type, runtime_), order);
  }

  // The position along a dimension, as iota has it, or any positions.
  template <typename Position>
  Tensor Positions(ElementType type, const DimensionVector& sizes, const DimensionVector& order, int64_t along) {
    DimensionVector stored, strides(sizes.size(), 0);
    if (along >= 0) {
      std::vector<Position> values;
      for (int64_t n = 0; n < sizes[static_cast<size_t>(along)]; ++n) values.push_back(static_cast<Position>(n));
      strides[static_cast<size_t>(along)] = 1;
      return Tensor::FromValues<Position>(type, {sizes[static_cast<size_t>(along)]}, values)->View(sizes, strides, 0);
    }
    int64_t count = 1;
    for (int64_t d : order) {
      stored.push_back(sizes[static_cast<size_t>(d)]);
      count *= stored.back();
    }
    std::vector<Position> values;
    for (int64_t n = 0; n < count; ++n) values.push_back(static_cast<Position>(Random(-20, 20)));
    return BackInOrder(*Tensor::FromValues<Position>(type, stored, values), order);
  }

  // True if there was a loop for it.
  bool ExpectStepByStep(const Module& module, const Reduction& reduction) {
    const absl::StatusOr<std::optional<std::vector<Tensor>>> fast = ReducePositions(module, reduction, runtime_);
    EXPECT_TRUE(fast.ok());
    if (!fast.ok() || !fast->has_value()) return false;
    const absl::StatusOr<std::vector<Tensor>> expected = ReduceByProgram(module, reduction, runtime_);
    EXPECT_TRUE(expected.ok());
    for (size_t k = 0; expected.ok() && k < 2; ++k) {
      EXPECT_TRUE((**fast)[k].BitwiseEqual((*expected)[k])) << "result " << k;
    }
    return true;
  }

  SerialRuntime runtime_;
  std::mt19937 random_{20261129};
};

TEST_F(ReducePositionsTest, RandomArraysStepByStep) {
  constexpr ElementType kTypes[] = {ElementType::kF32, ElementType::kBF16, ElementType::kF16, ElementType::kF64,
                                    ElementType::kS32};
  int loops = 0;
  for (int round = 0; round < 1200; ++round) {
    const ElementType type = kTypes[round % 5];
    const bool is_long = Random(0, 1) == 1, least = Random(0, 1) == 1;
    const ElementType position = is_long ? ElementType::kS64 : ElementType::kS32;
    const std::shared_ptr<const Module> module =
        ModuleOf(kForms[round % 3], least, ElementTypeName(type), ElementTypeName(position));
    ASSERT_NE(module, nullptr);
    DimensionVector sizes, order, dimensions;
    const int64_t rank = Random(1, 3), longest = Random(0, 9) == 0 ? 700 : 40;
    for (int64_t d = 0; d < rank; ++d) {
      sizes.push_back(Random(1, d == 0 ? longest : 12));
      order.push_back(d);
      if (Random(0, 1) == 1) dimensions.push_back(d);
    }
    std::shuffle(sizes.begin(), sizes.end(), random_);
    if (Random(0, 1) == 1) std::shuffle(order.begin(), order.end(), random_);
    if (dimensions.empty()) dimensions.push_back(Random(0, rank - 1));
    SCOPED_TRACE(::testing::Message() << "round " << round);
    const bool special = type != ElementType::kS32 && Random(0, 2) != 0;
    Reduction reduction;
    const int64_t along = Random(0, 2) != 0 ? dimensions[0] : -1;
    reduction.inputs = {Numbers(type, sizes, order, special), is_long
                                                                  ? Positions<int64_t>(position, sizes, order, along)
                                                                  : Positions<int32_t>(position, sizes, order, along)};
    reduction.inits = {Numbers(type, {}, {}, special),
                       is_long ? Positions<int64_t>(position, {}, {}, -1) : Positions<int32_t>(position, {}, {}, -1)};
    reduction.dimensions = dimensions;
    reduction.computation = module->FindComputation("f");
    loops += ExpectStepByStep(*module, reduction) ? 1 : 0;
    if (HasFailure()) return;
  }
  EXPECT_GT(loops, 700);
}

TEST_F(ReducePositionsTest, LongRunsAndManyResults) {
  const std::shared_ptr<const Module> module = ModuleOf(kNanFirst, false, "f32", "s32");
  ASSERT_NE(module, nullptr);
  for (const DimensionVector& sizes : {DimensionVector{300'000}, {3, 70'001}, {2100, 50}, {5, 4000, 3}}) {
    for (int64_t d = 0; d < static_cast<int64_t>(sizes.size()); ++d) {
      for (bool special : {false, true}) {
        DimensionVector order;
        for (size_t n = 0; n < sizes.size(); ++n) order.push_back(static_cast<int64_t>(n));
        const DimensionVector dimensions = {d};
        Reduction reduction;
        reduction.inputs = {Numbers(ElementType::kF32, sizes, order, special),
                            Positions<int32_t>(ElementType::kS32, sizes, order, d)};
        reduction.inits = {*Tensor::FromValues<float>(ElementType::kF32, {}, {-std::numeric_limits<float>::infinity()}),
                           *Tensor::FromValues<int32_t>(ElementType::kS32, {}, {0})};
        reduction.dimensions = dimensions;
        reduction.computation = module->FindComputation("f");
        SCOPED_TRACE(::testing::Message() << sizes.size() << " dimensions, " << d);
        const bool has_loop = ExpectStepByStep(*module, reduction);
        EXPECT_TRUE(has_loop || sizes.size() == 3);
      }
    }
  }
}

// What looks like it, and is something else.
TEST_F(ReducePositionsTest, OtherReducersAreLeftAlone) {
  const std::string bodies[] = {
      // the higher position
      absl::StrReplaceAll(kNanFirst, {{"compare(i, j), direction=LT", "compare(i, j), direction=GT"}}),
      // the last position
      absl::StrReplaceAll(kNanFirst, {{"and(eq, lt)", "and(lt, ne)"}}),
      // total order: -0 and 0 differ
      absl::StrReplaceAll(kNanFirst, {{"direction=GT", "direction=GT, type=TOTALORDER"}}),
      // a number of one pair with the position of the other one
      absl::StrReplaceAll(kNanFirst, {{"select(or2, i, j)", "select(or2, j, i)"}}),
      // a position that is none of the two
      absl::StrReplaceAll(kNanFirst, {{"I[] select(or2, i, j)", "I[] add(i, j)"}}),
  };
  for (const std::string& body : bodies) {
    const std::shared_ptr<const Module> module = ModuleOf(body, false, "f32", "s32");
    ASSERT_NE(module, nullptr);
    Reduction reduction;
    reduction.inputs = {Numbers(ElementType::kF32, {40}, {0}, false),
                        Positions<int32_t>(ElementType::kS32, {40}, {0}, 0)};
    reduction.inits = {Numbers(ElementType::kF32, {}, {}, false), Positions<int32_t>(ElementType::kS32, {}, {}, -1)};
    const DimensionVector dimensions = {0};
    reduction.dimensions = dimensions;
    reduction.computation = module->FindComputation("f");
    const auto fast = ReducePositions(*module, reduction, runtime_);
    ASSERT_TRUE(fast.ok());
    EXPECT_FALSE(fast->has_value()) << body;
  }
}

}  // namespace
}  // namespace hloscope::evaluator
