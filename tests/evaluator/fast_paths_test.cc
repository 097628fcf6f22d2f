// SPDX-License-Identifier: Apache-2.0
// Fast paths against the plain formulas, on random shapes.
#include <algorithm>
#include <array>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/substitute.h"
#include "core/analysis/scalar_patterns.h"
#include "core/ops/window_rules.h"
#include "evaluator/kernels/contraction/dot.h"
#include "evaluator/kernels/indexing/memory_order.h"
#include "evaluator/kernels/lanes/element_conversion.h"
#include "evaluator/kernels/linear_algebra/fft.h"
#include "evaluator/kernels/reduction/reduce.h"
#include "evaluator/kernels/reduction/reduce_window.h"
#include "evaluator/kernels/sorting/sort.h"
#include "gtest/gtest.h"
#include "numerics/data_movement/strided_copy.h"
#include "numerics/fourier/fourier_transform.h"
#include "numerics/fourier/line_transforms.h"
#include "numerics/reduction/vector_sums.h"
#include "tests/support/module_evaluation.h"
#include "tests/support/random_arrays.h"
#include "tests/support/session_test_support.h"

namespace hloscope::evaluator {
namespace {

class FastPathsTest : public ::testing::Test, public RandomArrays {
 protected:
  // The fast kernel against the reference, with the computation f as the reducer.
  void ExpectWindowsAgree(const Module& module, WindowReduction& reduction, int round, Tensor* reference) {
    reduction.computation = module.FindComputation("f");
    const absl::StatusOr<std::vector<Tensor>> fast = ReduceWindow(module, reduction, runtime_);
    const absl::StatusOr<std::vector<Tensor>> slow = ReduceWindowByProgram(module, reduction, runtime_);
    ASSERT_TRUE(fast.ok() && slow.ok());
    EXPECT_TRUE(ValuesAgree((*fast)[0], (*slow)[0], 0)) << "round " << round;
    *reference = (*slow)[0];
  }

  // Whether Reduce gives every bit of the numbers reduced one after the other, with the computation f as the reducer.
  testing::AssertionResult ReducesAsItsFormula(const Module& module, ElementType type, const DimensionVector& sizes,
                                               const std::vector<float>& numbers, const DimensionVector& dimensions) {
    Reduction reduction;
    reduction.inputs = {
        *ConvertElements(*Tensor::FromValues<float>(ElementType::kF32, sizes, numbers), type, runtime_)};
    reduction.inits = {RandomTensor(type, {})};
    reduction.dimensions = dimensions;
    reduction.computation = module.FindComputation("f");
    const absl::StatusOr<std::vector<Tensor>> fast = Reduce(module, reduction, runtime_);
    const absl::StatusOr<std::vector<Tensor>> reference = ReduceByProgram(module, reduction, runtime_);
    if (!fast.ok() || !reference.ok()) return testing::AssertionFailure() << fast.status() << reference.status();
    if ((*fast)[0].BitwiseEqual((*reference)[0])) return testing::AssertionSuccess();
    return testing::AssertionFailure() << ElementTypeName(type) << " over " << dimensions.size() << " dimensions";
  }
};

constexpr ElementType kTypes[] = {ElementType::kF32, ElementType::kF64,  ElementType::kBF16,
                                  ElementType::kS32, ElementType::kS8,   ElementType::kU64,
                                  ElementType::kC64, ElementType::kC128, ElementType::kPred};

TEST_F(FastPathsTest, DotEqualsItsFormula) {
  for (int round = 0; round < 200; ++round) {
    const ElementType type = kTypes[round % 9];
    const int64_t batch = Random(1, 3), rows = Random(0, 40), columns = Random(0, 40), inner = Random(0, 40);
    // lhs [rows, batch, inner], rhs [columns, inner, batch]: everything is transposed.
    const Tensor lhs = RandomTensor(type, {rows, batch, inner}), rhs = RandomTensor(type, {columns, inner, batch});
    const DotDimensionNumbers numbers = {{1}, {2}, {2}, {1}};
    const absl::StatusOr<Tensor> fast = Dot(lhs, rhs, numbers, type, runtime_);
    const absl::StatusOr<Tensor> reference = DotReference(lhs, rhs, numbers, type, runtime_);
    ASSERT_TRUE(fast.ok() && reference.ok());
    EXPECT_EQ(fast->dimensions(), absl::Span<const int64_t>({batch, rows, columns}));
    EXPECT_TRUE(ValuesAgree(*fast, *reference, 0))
        << ElementTypeName(type) << " " << rows << "x" << inner << "x" << columns;
  }
}

// Small integers are multiplied as floats while their sums are exact: also the largest ones, of any length, and with
// results that keep the low bits alone.
TEST_F(FastPathsTest, DotOfSmallIntegersEqualsItsFormula) {
  constexpr ElementType kIntegers[] = {ElementType::kS4,  ElementType::kS8,  ElementType::kU8,
                                       ElementType::kS16, ElementType::kU16, ElementType::kS32};
  for (int round = 0; round < 300; ++round) {
    const ElementType l = kIntegers[Random(0, 5)], r = kIntegers[Random(0, 5)];
    const ElementType results[] = {ElementType::kS32, ElementType::kS64, ElementType::kS8,
                                   ElementType::kU16, ElementType::kU32, l};
    const ElementType type = results[Random(0, 5)];
    const int64_t rows = Random(1, 9), columns = Random(1, 20),
                  inner = round % 4 == 0 ? Random(900, 5000) : Random(1, 60);
    const bool extreme = Random(0, 1) == 1;
    const auto numbers_of = [&](ElementType element, const DimensionVector& sizes) {
      const int bits = BitWidth(element);
      const int64_t low = IsSigned(element) ? -(int64_t{1} << (bits - 1)) : 0, high = low + (int64_t{1} << bits) - 1;
      std::vector<int64_t> values;
      for (int64_t n = 0; n < sizes[0] * sizes[1]; ++n) values.push_back(extreme ? low : Random(low, high));
      return *ConvertElements(*Tensor::FromValues<int64_t>(ElementType::kS64, sizes, values), element, runtime_);
    };
    const Tensor lhs = numbers_of(l, {rows, inner}), rhs = numbers_of(r, {inner, columns});
    const DotDimensionNumbers numbers = {{}, {}, {1}, {0}};
    const absl::StatusOr<Tensor> fast = Dot(lhs, rhs, numbers, type, runtime_);
    const absl::StatusOr<Tensor> reference = DotReference(lhs, rhs, numbers, type, runtime_);
    ASSERT_TRUE(fast.ok() && reference.ok());
    EXPECT_TRUE(fast->BitwiseEqual(*reference))
        << ElementTypeName(l) << " " << ElementTypeName(r) << " " << ElementTypeName(type) << " " << inner;
  }
}

std::shared_ptr<const Module> BinaryModule(ElementType type, absl::string_view opcode) {
  return ModuleFromText(absl::Substitute(
      "HloModule m\nf {\n  a = $0[] parameter(0)\n  b = $0[] parameter(1)\n  ROOT r = $0[] $1(a, b)\n}\n"
      "ENTRY e {\n  x = $0[4] parameter(0)\n  z = $0[] parameter(1)\n  ROOT r = $0[] reduce(x, z), dimensions={0}, "
      "to_apply=f\n}\n",
      std::string(ElementTypeName(type)), std::string(opcode)));
}

constexpr absl::string_view kFastPathsReducers[] = {"add", "multiply", "minimum", "maximum", "subtract"};

TEST_F(FastPathsTest, ReduceEqualsItsFormula) {
  for (int round = 0; round < 300; ++round) {
    const ElementType type = kTypes[round % 6];
    const std::shared_ptr<const Module> module = BinaryModule(type, kFastPathsReducers[round % 5]);
    ASSERT_NE(module, nullptr);
    const int64_t rank = Random(0, 4);
    Reduction reduction;
    reduction.inputs = {RandomTensor(type, RandomSizes(rank, 0, round % 20 == 0 ? 40 : 7))};
    reduction.inits = {RandomTensor(type, {})};
    DimensionVector dimensions;
    for (int64_t d = 0; d < rank; ++d) {
      if (Random(0, 1) == 1) dimensions.push_back(d);
    }
    reduction.dimensions = dimensions;
    reduction.computation = module->FindComputation("f");
    const absl::StatusOr<std::vector<Tensor>> fast = Reduce(*module, reduction, runtime_);
    const absl::StatusOr<std::vector<Tensor>> reference = ReduceByProgram(*module, reduction, runtime_);
    ASSERT_TRUE(fast.ok() && reference.ok());
    // D3: a sum of narrow floats is rounded once, so only the fast path is right for bf16.
    if (type == ElementType::kBF16 && round % 5 == 0) continue;
    EXPECT_TRUE(ValuesAgree((*fast)[0], (*reference)[0], 0)) << "round " << round;
  }
}

// Short runs whose results are neighbours are taken in last, and sums of few neighbouring results are cut into
// segments.
TEST_F(FastPathsTest, ReductionsOfShortRunsEqualTheirFormula) {
  for (int round = 0; round < 200; ++round) {
    const ElementType type = kTypes[round % 6];
    const std::shared_ptr<const Module> module = BinaryModule(type, kFastPathsReducers[round / 6 % 5]);
    ASSERT_NE(module, nullptr);
    // [kept, reduced, neighbours, run], or a long dimension before few.
    const bool is_long = round % 4 == 3;
    const DimensionVector sizes = is_long ? DimensionVector{Random(9000, 30000), Random(8, 20)}
                                          : DimensionVector{Random(1, 4), Random(1, 40), Random(1, 12),
                                                            round % 7 == 0 ? Random(100, 140) : Random(1, 20)};
    Reduction reduction;
    reduction.inputs = {*RandomTensor(type, sizes).Contiguous()};
    reduction.inits = {RandomTensor(type, {})};
    const DimensionVector runs = {1, 3}, rows = {0}, last = {3};
    reduction.dimensions = is_long ? rows : round % 4 == 2 ? last : runs;
    reduction.computation = module->FindComputation("f");
    const absl::StatusOr<std::vector<Tensor>> fast = Reduce(*module, reduction, runtime_);
    const absl::StatusOr<std::vector<Tensor>> reference = ReduceByProgram(*module, reduction, runtime_);
    ASSERT_TRUE(fast.ok() && reference.ok());
    if (type == ElementType::kBF16 && round / 6 % 5 == 0) continue;  // D3, as above
    EXPECT_TRUE(ValuesAgree((*fast)[0], (*reference)[0], 0)) << "round " << round;
  }
}

// Runs by themselves have the bits of those that are summed together.
TEST_F(FastPathsTest, SumsOfRunsHaveTheBitsOfTheirNumbers) {
  std::vector<float> x(4000);
  for (float& number : x) number = static_cast<float>(Random(-1000000, 1000000)) * 0.001f;
  x[7] = -0.0f;
  std::vector<numerics::Bf16> narrow(x.size());
  for (size_t i = 0; i < x.size(); ++i) narrow[i] = numerics::Narrowed<numerics::Bf16>(x[i]);
  const auto check = [](const auto& numbers) {
    for (int64_t count = 1; count <= 70; ++count) {
      const int64_t stride = count + count % 3, runs = static_cast<int64_t>(numbers.size()) / stride;
      std::vector<double> sums(static_cast<size_t>(runs), 0.5);
      numerics::AddRunsOfFloats(numbers.data(), stride, runs, count, sums.data());
      for (int64_t r = 0; r < runs; ++r) {
        EXPECT_EQ(sums[static_cast<size_t>(r)], 0.5 + numerics::SumFloats(numbers.data() + r * stride, count)) << count;
      }
    }
  };
  check(x);
  check(narrow);
}

// Long runs are folded in vectors, narrow floats as f32; of integers any reducer that does not mind the order.
TEST_F(FastPathsTest, LongRunsEqualTheirFormula) {
  for (ElementType type : {ElementType::kF32, ElementType::kBF16, ElementType::kF16, ElementType::kF64,
                           ElementType::kS8, ElementType::kU8, ElementType::kS32, ElementType::kS64}) {
    for (absl::string_view opcode : {"minimum", "maximum", "add", "and", "or"}) {
      if (IsFloat(type) && opcode != "minimum" && opcode != "maximum") continue;
      const std::shared_ptr<const Module> module = BinaryModule(type, opcode);
      ASSERT_NE(module, nullptr);
      for (int64_t size : {0, 1, 15, 16, 17, 33, 63, 64, 65, 79, 80, 128, 1039, 1040, 1041, 3000}) {
        std::vector<float> values(static_cast<size_t>(3 * size));
        for (float& value : values) value = static_cast<float>(Random(-1000, 1000));
        if (size > 70) {
          values[static_cast<size_t>(Random(0, size - 1))] = std::numeric_limits<float>::quiet_NaN();
          values[static_cast<size_t>(size + Random(0, size - 1))] = -std::numeric_limits<float>::infinity();
        }
        EXPECT_TRUE(ReducesAsItsFormula(*module, type, {3, size}, values, {1})) << opcode << " " << size;
      }
    }
  }
}

// Runs whose order shows are folded several at a time, each in its order.
TEST_F(FastPathsTest, OrderedRunsEqualTheirFormula) {
  // Complex numbers are also summed in their order.
  const std::pair<ElementType, absl::string_view> kReductions[] = {{ElementType::kF32, "multiply"},
                                                                   {ElementType::kBF16, "multiply"},
                                                                   {ElementType::kF64, "multiply"},
                                                                   {ElementType::kC64, "multiply"},
                                                                   {ElementType::kC64, "add"}};
  for (const auto& [type, opcode] : kReductions) {
    const std::shared_ptr<const Module> module = BinaryModule(type, opcode);
    ASSERT_NE(module, nullptr);
    for (int64_t rows : {1, 7, 8, 9, 31}) {
      for (int64_t size : {0, 1, 5, 40}) {
        std::vector<float> values(static_cast<size_t>(rows * size));
        for (float& value : values) value = 1 + 0.001f * static_cast<float>(Random(-400, 400));
        EXPECT_TRUE(ReducesAsItsFormula(*module, type, {rows, size}, values, {1})) << rows << " " << size;
      }
    }
  }
}

// Few results side by side of many elements each, which threads share in segments: also with NaN, and folded in two
// steps.
TEST_F(FastPathsTest, FewResultsOfManyRowsEqualTheirFormula) {
  for (ElementType type : {ElementType::kF32, ElementType::kBF16, ElementType::kS32, ElementType::kS8}) {
    for (absl::string_view opcode : {"maximum", "minimum", "add"}) {
      if (IsFloat(type) && opcode == "add") continue;
      const std::shared_ptr<const Module> module = BinaryModule(type, opcode);
      ASSERT_NE(module, nullptr);
      for (const DimensionVector& sizes : {DimensionVector{701, 9, 100}, DimensionVector{12001, 3, 8}}) {
        const int64_t count = sizes[0] * sizes[1] * sizes[2];
        std::vector<float> values(static_cast<size_t>(count));
        for (float& value : values) value = static_cast<float>(Random(-1000, 1000));
        for (int n = 0; n < 5; ++n) {
          values[static_cast<size_t>(Random(0, count - 1))] = std::numeric_limits<float>::quiet_NaN();
        }
        for (const DimensionVector& dimensions : {DimensionVector{0}, DimensionVector{0, 1}}) {
          EXPECT_TRUE(ReducesAsItsFormula(*module, type, sizes, values, dimensions)) << opcode;
        }
      }
    }
  }
}

// Bf16 is widened where it is read: as its copy in f32, whichever dimensions are reduced.
TEST_F(FastPathsTest, ReductionsOfBf16EqualThoseOfTheirCopiesInF32) {
  for (absl::string_view opcode : {"add", "minimum", "maximum"}) {
    const std::shared_ptr<const Module> narrow = BinaryModule(ElementType::kBF16, opcode);
    const std::shared_ptr<const Module> wide = BinaryModule(ElementType::kF32, opcode);
    ASSERT_TRUE(narrow != nullptr && wide != nullptr);
    for (int round = 0; round < 60; ++round) {
      const DimensionVector sizes = {Random(1, 12), Random(1, round % 10 == 0 ? 1100 : 40), Random(1, 70)};
      Tensor x = *ConvertElements(RandomTensor(ElementType::kF32, sizes), ElementType::kBF16, runtime_);
      if (round % 2 == 1) x = BackInOrder(*InOrder(x, {2, 0, 1}).Contiguous(), {2, 0, 1});
      DimensionVector dimensions;
      for (int64_t d = 0; d < 3; ++d) {
        if ((round % 7 + 1) >> d & 1) dimensions.push_back(d);
      }
      Reduction reduction;
      reduction.inputs = {x};
      reduction.inits = {RandomTensor(ElementType::kBF16, {})};
      reduction.dimensions = dimensions;
      reduction.computation = narrow->FindComputation("f");
      const absl::StatusOr<std::vector<Tensor>> direct = Reduce(*narrow, reduction, runtime_);
      reduction.inputs = {*ConvertElements(x, ElementType::kF32, runtime_)};
      reduction.inits = {*ConvertElements(reduction.inits[0], ElementType::kF32, runtime_)};
      reduction.computation = wide->FindComputation("f");
      const absl::StatusOr<std::vector<Tensor>> copied = Reduce(*wide, reduction, runtime_);
      ASSERT_TRUE(direct.ok() && copied.ok());
      EXPECT_TRUE((*direct)[0].BitwiseEqual(*ConvertElements((*copied)[0], ElementType::kBF16, runtime_)))
          << opcode << " round " << round;
    }
  }
}

// Large operands that lie in memory in another order than the others are copied into theirs first.
TEST_F(FastPathsTest, OperandsInAnotherOrderAreTheSame) {
  for (const std::string type : {"f32", "bf16", "s8", "f64"}) {
    const std::shared_ptr<const Module> module = ModuleFromText(absl::Substitute(
        "ENTRY e { x = $0[3,420,300] parameter(0) y = $0[420,300,3] parameter(1) c = pred[3,420,300] compare(x, x), "
        "direction=EQ t = $0[420,300,3] transpose(x), dimensions={1,2,0} u = $0[3,420,300] transpose(y), "
        "dimensions={2,0,1} a = $0[420,300,3] add(t, y) b = $0[3,420,300] add(x, u) m = $0[420,300,3] multiply(y, t) "
        "n = $0[3,420,300] multiply(u, x) s = $0[3,420,300] select(c, u, x) k = $0[420,300,3] maximum(a, m) "
        "l = $0[3,420,300] maximum(b, n) lt = $0[420,300,3] transpose(l), dimensions={1,2,0} "
        "ROOT r = ($0[420,300,3], $0[420,300,3], $0[3,420,300], $0[3,420,300]) tuple(k, lt, s, u) }",
        type));
    ASSERT_NE(module, nullptr);
    const ElementType element = module->shape(module->computation(module->entry()).parameters[0]).element_type();
    const Tensor x = *RandomTensor(element, {3, 420, 300}).Contiguous(),
                 y = *RandomTensor(element, {420, 300, 3}).Contiguous();
    const absl::StatusOr<Value> result = EvaluateModule(module, {Value(x), Value(y)});
    ASSERT_TRUE(result.ok()) << result.status();
    const absl::Span<const Value> leaves = result->elements();
    EXPECT_TRUE(leaves[0].tensor().BitwiseEqual(leaves[1].tensor())) << type;
    EXPECT_TRUE(leaves[2].tensor().BitwiseEqual(leaves[3].tensor())) << type;
    EXPECT_TRUE(leaves[3].tensor().BitwiseEqual(InOrder(y, {2, 0, 1}))) << type;
  }
}

// Products of bf16 with few rows or columns read the other operand as it lies in memory: the sums are those of its copy
// in f32, bit by bit.
TEST_F(FastPathsTest, ThinProductsOfBf16EqualThoseOfTheirCopiesInF32) {
  for (int round = 0; round < 120; ++round) {
    const int64_t thin = Random(1, 3), wide = Random(1, round % 5 == 0 ? 2100 : 60);
    const int64_t inner = Random(1, round % 3 == 0 ? 4500 : 300), batch = Random(1, 3);
    const bool is_thin_left = round % 2 == 0;
    const auto operand = [&](int64_t free) {
      // Numbers whose sums depend on their order; contracted along the first or the last dimension.
      const bool last = Random(0, 1) == 0;
      const DimensionVector sizes = last ? DimensionVector{batch, free, inner} : DimensionVector{batch, inner, free};
      std::vector<double> values(static_cast<size_t>(batch * free * inner));
      for (double& value : values) value = std::normal_distribution<double>(0, 1)(random_);
      const Tensor tensor =
          *ConvertElements(*Tensor::FromValues<double>(ElementType::kF64, sizes, values), ElementType::kBF16, runtime_);
      return std::pair(tensor, last ? int64_t{2} : int64_t{1});
    };
    const auto [lhs, lhs_inner] = operand(is_thin_left ? thin : wide);
    const auto [rhs, rhs_inner] = operand(is_thin_left ? wide : thin);
    const DotDimensionNumbers numbers = {{0}, {0}, {lhs_inner}, {rhs_inner}};
    const absl::StatusOr<Tensor> sums = Dot(lhs, rhs, numbers, ElementType::kF32, runtime_);
    const absl::StatusOr<Tensor> rounded = Dot(lhs, rhs, numbers, ElementType::kBF16, runtime_);
    const absl::StatusOr<Tensor> copied =
        Dot(*ConvertElements(lhs, ElementType::kF32, runtime_), *ConvertElements(rhs, ElementType::kF32, runtime_),
            numbers, ElementType::kF32, runtime_);
    ASSERT_TRUE(sums.ok() && rounded.ok() && copied.ok());
    const std::string text = absl::StrCat(thin, " and ", wide, ", inner ", inner, ", contracted dimensions ", lhs_inner,
                                          " and ", rhs_inner, is_thin_left ? ", few rows" : ", few columns");
    EXPECT_TRUE(sums->BitwiseEqual(*copied)) << text;
    EXPECT_TRUE(rounded->BitwiseEqual(*ConvertElements(*copied, ElementType::kBF16, runtime_))) << text;
  }
}

// Large matrices are read as they lie where they are multiplied by few rows.
TEST_F(FastPathsTest, FewRowsByALargeMatrixEqualTheirFormula) {
  for (const ElementType type : {ElementType::kF32, ElementType::kF64}) {
    for (const int64_t rows : {4, 5, 8, 12, 13}) {
      const int64_t inner = rows == 4 ? 520 : 2053, columns = 1030;
      const Tensor lhs = RandomTensor(type, {rows, inner}), rhs = RandomTensor(type, {inner, columns});
      const DotDimensionNumbers numbers = {{}, {}, {1}, {0}};
      const absl::StatusOr<Tensor> fast = Dot(lhs, rhs, numbers, type, runtime_);
      const absl::StatusOr<Tensor> reference = DotReference(lhs, rhs, numbers, type, runtime_);
      ASSERT_TRUE(fast.ok() && reference.ok());
      EXPECT_TRUE(ValuesAgree(*fast, *reference, 1e-4)) << ElementTypeName(type) << " " << rows << " rows";
    }
  }
}

// Products of integers of every width, with sums that wrap: few rows or columns are read as they are stored.
TEST_F(FastPathsTest, ProductsOfIntegersEqualTheirFormula) {
  const std::vector<ElementType> types = {ElementType::kS8,  ElementType::kU8,  ElementType::kS16, ElementType::kU16,
                                          ElementType::kS32, ElementType::kU32, ElementType::kS64, ElementType::kS4};
  for (int round = 0; round < 300; ++round) {
    const int64_t rows = Random(1, 20), columns = Random(1, round % 10 == 0 ? 600 : 70);
    const int64_t inner = Random(1, round % 7 == 0 ? 5000 : 200), batch = Random(1, 2);
    const auto type = [&] { return types[static_cast<size_t>(Random(0, 7))]; };
    const ElementType lhs_type = type(), rhs_type = round % 3 == 0 ? lhs_type : type();
    const ElementType result_type = round % 2 == 0 ? ElementType::kS32 : type();
    const auto operand = [&](ElementType t, int64_t free) {
      const bool last = Random(0, 1) == 0;
      const DimensionVector sizes = last ? DimensionVector{batch, free, inner} : DimensionVector{batch, inner, free};
      std::vector<int64_t> values(static_cast<size_t>(batch * free * inner));
      for (int64_t& value : values) value = static_cast<int64_t>(random_()) - (int64_t{1} << 31);
      return std::pair(*ConvertElements(*Tensor::FromValues<int64_t>(ElementType::kS64, sizes, values), t, runtime_),
                       last ? int64_t{2} : int64_t{1});
    };
    const bool is_turned = round % 4 == 1;  // few columns
    const auto [lhs, lhs_inner] = operand(lhs_type, is_turned ? columns : rows);
    const auto [rhs, rhs_inner] = operand(rhs_type, is_turned ? rows : columns);
    const DotDimensionNumbers numbers = {{0}, {0}, {lhs_inner}, {rhs_inner}};
    const absl::StatusOr<Tensor> fast = Dot(lhs, rhs, numbers, result_type, runtime_);
    const absl::StatusOr<Tensor> reference = DotReference(lhs, rhs, numbers, result_type, runtime_);
    ASSERT_TRUE(fast.ok() && reference.ok());
    ASSERT_TRUE(fast->BitwiseEqual(*reference))
        << ElementTypeName(lhs_type) << " and " << ElementTypeName(rhs_type) << " to " << ElementTypeName(result_type)
        << ", " << rows << " rows, " << columns << " columns" << (is_turned ? " turned" : "") << ", inner " << inner
        << ", contracted dimensions " << lhs_inner << " and " << rhs_inner;
  }
}

TEST_F(FastPathsTest, ReduceWindowEqualsItsFormula) {
  for (int round = 0; round < 400; ++round) {
    const ElementType type = kTypes[round % 6];
    const std::shared_ptr<const Module> module = BinaryModule(type, kFastPathsReducers[round % 5]);
    ASSERT_NE(module, nullptr);
    const int64_t rank = Random(0, 3);
    WindowReduction reduction;
    reduction.inputs = {RandomTensor(type, RandomSizes(rank, 1, round % 4 == 0 ? 20 : 6))};
    reduction.inits = {RandomTensor(type, {})};
    bool valid = true;
    const int64_t cumulative = Random(0, 5);
    for (int64_t d = 0; d < rank; ++d) {
      const int64_t size = reduction.inputs[0].dimension(d);
      WindowDimension w;
      if (cumulative < rank) {
        if (d == cumulative) {
          w.size = size;
          w.padding_low = size - 1;
        }
      } else {
        w.size = Random(1, 3);
        w.stride = Random(1, 3);
        w.padding_low = Random(-1, 3);
        w.padding_high = Random(-1, 3);
        w.base_dilation = Random(1, 3);
        w.window_dilation = Random(1, 2);
      }
      const std::optional<int64_t> count = WindowCount(size, w);
      valid = valid && count;
      reduction.window.push_back(w);
      reduction.window_counts.push_back(count.value_or(0));
    }
    if (!valid) continue;
    Tensor reference;
    ExpectWindowsAgree(*module, reduction, round, &reference);

    // The formula, one position after the other.
    if (rank != 1 || type != ElementType::kS32 || round % 5 != 4) continue;
    const Tensor x = *reduction.inputs[0].Contiguous();
    for (int64_t o = 0; o < reduction.window_counts[0]; ++o) {
      int32_t expected = *reduction.inits[0].data_as<int32_t>();
      const WindowDimension& w = reduction.window[0];
      for (int64_t k = 0; k < w.size; ++k) {
        const int64_t p = o * w.stride + k * w.window_dilation - w.padding_low;
        if (p < 0 || p % w.base_dilation != 0 || p / w.base_dilation >= x.dimension(0)) continue;
        expected -= x.data_as<int32_t>()[p / w.base_dilation];
      }
      EXPECT_EQ(reference.data_as<int32_t>()[o], expected);
    }
  }
}

// Windows over the dimensions before the last one, whose elements are folded side by side, as in a network's pooling.
TEST_F(FastPathsTest, WindowsOfWholeRowsEqualTheirFormula) {
  for (int round = 0; round < 150; ++round) {
    const ElementType type = round % 3 == 2 ? ElementType::kBF16 : ElementType::kF32;
    const std::shared_ptr<const Module> module = BinaryModule(type, kFastPathsReducers[round % 5]);
    ASSERT_NE(module, nullptr);
    WindowReduction reduction;
    reduction.inputs = {RandomTensor(type, {Random(1, 2), Random(1, 9), Random(1, 9), Random(1, 150)})};
    reduction.inits = {RandomTensor(type, {})};
    bool valid = true;
    for (int64_t d = 0; d < 4; ++d) {
      WindowDimension w;
      if (d == 1 || d == 2) {
        w.size = Random(1, 4);
        w.stride = Random(1, 3);
        w.padding_low = Random(-1, 2);
        w.padding_high = Random(-1, 2);
        w.base_dilation = round % 4 == 0 ? 2 : 1;
        w.window_dilation = round % 5 == 0 ? 2 : 1;
      }
      const std::optional<int64_t> count = WindowCount(reduction.inputs[0].dimension(d), w);
      valid = valid && count;
      reduction.window.push_back(w);
      reduction.window_counts.push_back(count.value_or(0));
    }
    if (!valid) continue;
    Tensor reference;
    ExpectWindowsAgree(*module, reduction, round, &reference);
  }
}

TEST_F(FastPathsTest, SortEqualsTheAlgorithmOfTheSpec) {
  for (int round = 0; round < 120; ++round) {
    const ElementType type = kTypes[round % 6];
    const absl::string_view direction =
        std::vector<absl::string_view>{"LT", "GT", "LE"}[static_cast<size_t>(round % 3)];
    const std::shared_ptr<const Module> module = ModuleFromText(absl::Substitute(
        "HloModule m\nf {\n  a = $0[] parameter(0)\n  b = $0[] parameter(1)\n  c = s32[] parameter(2)\n"
        "  d = s32[] parameter(3)\n  ROOT r = pred[] compare(a, b), direction=$1\n}\nENTRY e {\n  x = $0[4] "
        "parameter(0)\n"
        "  y = s32[4] parameter(1)\n  ROOT r = ($0[4], s32[4]) sort(x, y), dimensions={0}, to_apply=f\n}\n",
        std::string(ElementTypeName(type)), std::string(direction)));
    ASSERT_NE(module, nullptr);
    const DimensionVector sizes = RandomSizes(2, 1, round % 10 == 0 ? 100 : 20);
    Sort sort;
    sort.operands = {RandomTensor(type, sizes), RandomTensor(ElementType::kS32, sizes)};
    sort.dimension = Random(0, 1);
    sort.comparator = module->FindComputation("f");
    const absl::StatusOr<std::vector<Tensor>> fast = SortOperands(*module, sort, runtime_);
    const absl::StatusOr<std::vector<Tensor>> lanes = SortByProgram(*module, sort, runtime_);
    ASSERT_TRUE(fast.ok() && lanes.ok());
    for (size_t k = 0; k < 2; ++k) EXPECT_TRUE(ValuesAgree((*fast)[k], (*lanes)[k], 0)) << "round " << round;
  }
}

// Lines that are long enough to be sorted by digits: any bits, ties, both zeros and, in every other round, NaNs. The
// second operand shows which of several equal elements went first.
TEST_F(FastPathsTest, SortOfLongLinesEqualsTheAlgorithmOfTheSpec) {
  const ElementType types[] = {ElementType::kF32, ElementType::kBF16, ElementType::kF16, ElementType::kS32,
                               ElementType::kU32, ElementType::kS16,  ElementType::kU16};
  for (int round = 0; round < 28; ++round) {
    const ElementType type = types[round % 7];
    const std::string compare = absl::StrCat("direction=", round % 2 == 0 ? "LT" : "GT",
                                             IsFloat(type) && round >= 21 ? ", type=TOTALORDER" : "");
    const std::shared_ptr<const Module> module = ModuleFromText(absl::Substitute(
        "HloModule m\nf {\n  a = $0[] parameter(0)\n  b = $0[] parameter(1)\n  c = s32[] parameter(2)\n"
        "  d = s32[] parameter(3)\n  ROOT r = pred[] compare(a, b), $1\n}\nENTRY e {\n  x = $0[2,300] parameter(0)\n"
        "  y = s32[2,300] parameter(1)\n  ROOT r = ($0[2,300], s32[2,300]) sort(x, y), dimensions={1}, to_apply=f\n}\n",
        std::string(ElementTypeName(type)), compare));
    ASSERT_NE(module, nullptr);
    Tensor keys = *Tensor::Allocate(type, {2, 300}), numbers = *Tensor::Allocate(ElementType::kS32, {2, 300});
    const bool may_have_nan = round % 4 < 2;
    for (int64_t i = 0; i < 600; ++i) {
      const int64_t kind = Random(0, 3);
      uint32_t bits = static_cast<uint32_t>(random_());
      const uint32_t sign = StorageBytes(type) == 4 ? 0x80000000u : 0x8000u;
      if (kind == 0) bits = bits % 2 == 0 ? 0 : sign;
      if (kind == 1) bits = bits % 16;
      if (IsFloat(type) && !may_have_nan) bits &= ~(sign >> 1);  // no exponent of all ones
      std::memcpy(keys.mutable_data() + i * keys.element_bytes(), &bits, static_cast<size_t>(keys.element_bytes()));
      numbers.mutable_data_as<int32_t>()[i] = static_cast<int32_t>(i);
    }
    const Sort sort = {{keys, numbers}, 1, module->FindComputation("f")};
    const absl::StatusOr<std::vector<Tensor>> fast = SortOperands(*module, sort, runtime_);
    const absl::StatusOr<std::vector<Tensor>> lanes = SortByProgram(*module, sort, runtime_);
    ASSERT_TRUE(fast.ok() && lanes.ok());
    for (size_t k = 0; k < 2; ++k) EXPECT_TRUE((*fast)[k].BitwiseEqual((*lanes)[k])) << "round " << round << " " << k;
  }
}

// Lines that are sorted without their positions: of all lengths around those at which another way is taken, with keys
// of any bits, few different ones, all alike, and already in order; both zeros and, in some rounds, NaNs.
TEST_F(FastPathsTest, SortOfOneOperandEqualsTheAlgorithmOfTheSpec) {
  const ElementType types[] = {ElementType::kF32, ElementType::kBF16, ElementType::kF16, ElementType::kS32,
                               ElementType::kU32, ElementType::kS16,  ElementType::kU16, ElementType::kS8,
                               ElementType::kU8,  ElementType::kF64,  ElementType::kS64, ElementType::kPred};
  const int64_t lengths[] = {1, 2, 15, 16, 17, 33, 64, 100, 129, 255, 256, 257, 384, 511, 700, 3000, 40000};
  int round = 0;
  for (const int64_t length : lengths) {
    for (const ElementType type : types) {
      ++round;
      const int kind = round % 5;
      const bool may_have_nan = round % 7 == 0;
      const std::string compare = absl::StrCat("direction=", round % 2 == 0 ? "LT" : "GT",
                                               IsFloat(type) && round % 3 == 0 ? ", type=TOTALORDER" : "");
      const std::shared_ptr<const Module> module = ModuleFromText(absl::Substitute(
          "HloModule m\nf {\n  a = $0[] parameter(0)\n  b = $0[] parameter(1)\n  ROOT r = pred[] compare(a, b), $1\n}\n"
          "ENTRY e {\n  x = $0[$2] parameter(0)\n  ROOT r = $0[$2] sort(x), dimensions={0}, to_apply=f\n}\n",
          std::string(ElementTypeName(type)), compare, length));
      ASSERT_NE(module, nullptr);
      Tensor keys = *Tensor::Allocate(type, {length});
      const int bytes = StorageBytes(type);
      const uint64_t sign = uint64_t{1} << (8 * bytes - 1);
      for (int64_t i = 0; i < length; ++i) {
        uint64_t bits = random_() | static_cast<uint64_t>(random_()) << 32;
        if (kind == 1) bits = bits % 8 | (bits & sign);
        if (kind == 2) bits = sign;
        if (kind == 3) bits = static_cast<uint64_t>(i);
        if (kind == 4) bits = i % 3 == 0 ? sign : i % 3 == 1 ? 0 : bits;
        if (IsFloat(type) && !may_have_nan) bits &= ~(sign >> 1);  // no exponent of all ones
        if (type == ElementType::kPred) bits &= 1;
        std::memcpy(keys.mutable_data() + i * bytes, &bits, static_cast<size_t>(bytes));
      }
      const Sort sort = {{keys}, 0, module->FindComputation("f")};
      const absl::StatusOr<std::vector<Tensor>> fast = SortOperands(*module, sort, runtime_);
      const absl::StatusOr<std::vector<Tensor>> lanes = SortByProgram(*module, sort, runtime_);
      ASSERT_TRUE(fast.ok() && lanes.ok());
      EXPECT_TRUE((*fast)[0].BitwiseEqual((*lanes)[0])) << ElementTypeName(type) << " " << length << " " << compare;
    }
  }
}

// The comparator of numbers without kinds of NaN and signs of zero: what it takes for equal stays in order, with its
// bits. NaNs of both signs, both zeros, and lines without any of them.
TEST_F(FastPathsTest, SortOfCanonicalNumbersEqualsTheAlgorithmOfTheSpec) {
  const ElementType types[] = {ElementType::kF32, ElementType::kBF16, ElementType::kF16, ElementType::kF64};
  int round = 0;
  for (const int64_t length : {1, 2, 17, 100, 257, 700, 3000}) {
    for (const ElementType type : types) {
      for (const bool has_positions : {false, true}) {
        ++round;
        const std::string name(ElementTypeName(type));
        const std::string canonical = absl::Substitute(
            "  n$1 = pred[] compare($1, $1), direction=NE\n  e$1 = pred[] compare($1, zero), direction=EQ\n"
            "  z$1 = $0[] select(e$1, zero, $1)\n  k$1 = $0[] select(n$1, other, z$1)\n",
            name, "A");
        const std::shared_ptr<const Module> module = ModuleFromText(
            absl::Substitute("HloModule m\nf {\n  a = $0[] parameter(0)\n  b = $0[] parameter(1)\n$1"
                             "  other = $0[] constant(nan)\n  zero = $0[] constant(0)\n$2$3"
                             "  ROOT r = pred[] compare(ka, kb), direction=$4, type=TOTALORDER\n}\n"
                             "ENTRY e {\n  x = $0[$5] parameter(0)\n  ROOT r = $0[$5] negate(x)\n}\n",
                             name, has_positions ? "  c = s32[] parameter(2)\n  d = s32[] parameter(3)\n" : "",
                             absl::StrReplaceAll(canonical, {{"A", "a"}}), absl::StrReplaceAll(canonical, {{"A", "b"}}),
                             round % 3 == 0 ? "GT" : "LT", length));
        ASSERT_NE(module, nullptr);
        const ComputationId comparator = module->FindComputation("f");
        ASSERT_TRUE(RecognizeComparator(*module, comparator).has_value() &&
                    RecognizeComparator(*module, comparator)->canonical);
        Tensor keys = *Tensor::Allocate(type, {length}), numbers = *Tensor::Allocate(ElementType::kS32, {length});
        const int bytes = StorageBytes(type);
        const uint64_t sign = uint64_t{1} << (8 * bytes - 1);
        for (int64_t i = 0; i < length; ++i) {
          const uint64_t bits = random_() | static_cast<uint64_t>(random_()) << 32;
          uint64_t element = bits % 4 == 0 ? bits : bits % 4 == 1 ? bits & sign : bits % 64 | (bits & sign);
          if (round % 5 == 0) element = bits & ~(sign >> 1) & ~sign;  // all positive, no NaN
          std::memcpy(keys.mutable_data() + i * bytes, &element, static_cast<size_t>(bytes));
          numbers.mutable_data_as<int32_t>()[i] = static_cast<int32_t>(i);
        }
        Sort sort = {{keys}, 0, comparator};
        if (has_positions) sort.operands.push_back(numbers);
        const absl::StatusOr<std::vector<Tensor>> fast = SortOperands(*module, sort, runtime_);
        const absl::StatusOr<std::vector<Tensor>> lanes = SortByProgram(*module, sort, runtime_);
        ASSERT_TRUE(fast.ok() && lanes.ok());
        for (size_t k = 0; k < sort.operands.size(); ++k) {
          EXPECT_TRUE((*fast)[k].BitwiseEqual((*lanes)[k])) << name << ' ' << length << ' ' << k;
        }
      }
    }
  }
}

// Copies in tiles: sizes around multiples of a tile, one of the strides 1 on either side.
TEST_F(FastPathsTest, TransposedCopiesEqualTheirElements) {
  for (const ElementType type :
       {ElementType::kS8, ElementType::kF32, ElementType::kBF16, ElementType::kF64, ElementType::kC128}) {
    for (int round = 0; round < 40; ++round) {
      const DimensionVector sizes = {Random(1, 3), Random(1, 70), Random(1, 70)};
      const Tensor x = RandomTensor(type, sizes);
      const int64_t s0 = x.strides()[0], s1 = x.strides()[1], s2 = x.strides()[2];
      const Tensor turned = x.View({sizes[0], sizes[2], sizes[1]}, {s0, s2, s1}, 0);
      const absl::StatusOr<Tensor> copy = turned.Copy();
      ASSERT_TRUE(copy.ok());
      for (int64_t a = 0; a < sizes[0]; ++a) {
        for (int64_t b = 0; b < sizes[2]; ++b) {
          for (int64_t c = 0; c < sizes[1]; ++c) {
            ASSERT_EQ(std::memcmp(copy->At({a, b, c}), x.At({a, c, b}), static_cast<size_t>(x.element_bytes())), 0);
          }
        }
      }
    }
  }
}

// Any order of the dimensions, and parts of a copy one after the other in any order.
TEST_F(FastPathsTest, PermutedCopiesEqualTheirElements) {
  constexpr ElementType kTypes[] = {ElementType::kS8, ElementType::kBF16, ElementType::kF32, ElementType::kF64,
                                    ElementType::kC128};
  int in_parts = 0;
  for (int round = 0; round < 300; ++round) {
    const int64_t rank = Random(1, 5);
    DimensionVector sizes = RandomSizes(rank, 1, rank <= 2 ? 300 : rank == 3 ? 40 : 9), order(sizes.size());
    if (round % 10 == 0 && rank > 1) sizes[static_cast<size_t>(Random(0, rank - 1))] = rank <= 2 ? 3000 : 200;
    const Tensor x = RandomTensor(kTypes[round % 5], sizes);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random_);
    DimensionVector turned_sizes, turned_strides;
    for (int64_t d : order) {
      turned_sizes.push_back(sizes[static_cast<size_t>(d)]);
      turned_strides.push_back(x.strides()[static_cast<size_t>(d)]);
    }
    Tensor copy = *Tensor::Allocate(x.element_type(), turned_sizes);
    const numerics::StridedCopy parts(x.element_bytes(), turned_sizes, x.data(), turned_strides, copy.mutable_data(),
                                      copy.strides(), round % 2 == 0);
    in_parts += parts.part_count() > 1 ? 1 : 0;
    for (int64_t end = parts.part_count(); end > 0;) {
      const int64_t begin = std::max<int64_t>(0, end - Random(1, 5));
      parts.CopyParts(begin, end);
      end = begin;
    }
    const Tensor turned = x.View(turned_sizes, turned_strides, 0);
    DimensionVector index(turned_sizes.size(), 0);
    for (int64_t n = 0; n < copy.element_count(); ++n) {
      ASSERT_EQ(std::memcmp(copy.At(index), turned.At(index), static_cast<size_t>(x.element_bytes())), 0)
          << "round " << round << ", element " << n;
      for (size_t d = index.size(); d-- > 0 && ++index[d] == turned_sizes[d];) index[d] = 0;
    }
  }
  EXPECT_GT(in_parts, 100);
}

// Every element has its place, whether lines are written past the caches or not, aligned or not.
TEST_F(FastPathsTest, TransposedTilesEqualTheirElements) {
  const auto check = [](auto element) {
    using T = decltype(element);
    for (const bool past_cache : {false, true}) {
      for (const int64_t unaligned : {0, 1}) {
        constexpr int64_t kRows = 192, kColumns = 161;
        std::vector<T> x(kRows * kColumns);
        std::iota(x.begin(), x.end(), T{});
        std::vector<T> storage(x.size() + 2 * 64 / sizeof(T));
        T* target = storage.data();
        while (reinterpret_cast<uintptr_t>(target) % 64 != 0) ++target;
        target += unaligned;
        const std::array<int64_t, 2> sizes = {kColumns, kRows}, from = {1, kColumns}, to = {kRows, 1};
        numerics::CopyStrided(sizeof(T), sizes, reinterpret_cast<const uint8_t*>(x.data()), from,
                              reinterpret_cast<uint8_t*>(target), to, past_cache);
        int64_t wrong = 0;
        for (int64_t i = 0; i < kColumns; ++i) {
          for (int64_t j = 0; j < kRows; ++j)
            wrong += target[i * kRows + j] != x[static_cast<size_t>(j * kColumns + i)];
        }
        EXPECT_EQ(wrong, 0) << sizeof(T) << " bytes, " << past_cache << ", " << unaligned;
      }
    }
  };
  check(uint8_t{});
  check(uint16_t{});
  check(uint32_t{});
  check(uint64_t{});
}

TEST_F(FastPathsTest, FourierTransformsOfEveryLengthEqualTheFormula) {
  std::vector<int64_t> lengths;
  for (int64_t n = 1; n <= 70; ++n) lengths.push_back(n);
  // Beyond what one pass takes: powers of two, products of small and of large primes, a prime.
  for (const int64_t n : {900, 1001, 2 * 1009, 1 << 15, 1 << 16, 10007, 20000, 3 * 7 * 11 * 101, 65537}) {
    lengths.push_back(n);
  }
  for (const int64_t n : lengths) {
    std::vector<std::complex<double>> x(static_cast<size_t>(n)), y;
    for (auto& value : x) value = {static_cast<double>(Random(-9, 9)), static_cast<double>(Random(-9, 9))};
    y = x;
    const numerics::FourierTransform transform(n, runtime_);
    std::vector<std::complex<double>> scratch(static_cast<size_t>(transform.scratch_size()));
    ASSERT_TRUE(transform.Forward(y.data(), scratch.data(), runtime_).ok());
    const double tolerance = 1e-12 * std::sqrt(static_cast<double>(n));
    for (int64_t k = 0; k < n; k += n / 70 + 1) {
      std::complex<double> expected = 0;
      for (int64_t t = 0; t < n; ++t) expected += x[static_cast<size_t>(t)] * numerics::RootOfUnity(k * t, n);
      EXPECT_NEAR(std::abs(y[static_cast<size_t>(k)] - expected), 0, 10 * tolerance) << n;
    }
    ASSERT_TRUE(transform.Inverse(y.data(), scratch.data(), runtime_).ok());
    double worst = 0;
    for (size_t t = 0; t < x.size(); ++t) worst = std::max(worst, std::abs(y[t] - x[t]));
    EXPECT_LT(worst, tolerance) << n;
  }
}

TEST_F(FastPathsTest, FourierTransformsOfLinesEqualThoseOfOne) {
  using Complex = std::complex<double>;
  std::vector<int64_t> lengths;
  for (int64_t n = 2; n <= 50; ++n) lengths.push_back(n);
  for (const int64_t n : {125, 243, 900, 1000, 1024, 4095, 4096}) lengths.push_back(n);
  for (const int64_t n : lengths) {
    if (!numerics::LineTransforms::Handles(n)) continue;
    SCOPED_TRACE(n);
    const numerics::FourierTransform one(n, runtime_);
    std::vector<Complex> scratch(static_cast<size_t>(one.scratch_size()));
    const int64_t outer = Random(1, 4), inner = Random(0, 1) == 0 ? 1 : Random(2, 7), kept = n / 2 + 1;
    const double tolerance = 1e-12 * static_cast<double>(n);
    const auto at = [&](int64_t o, int64_t t, int64_t i, int64_t length) {
      return static_cast<size_t>((o * length + t) * inner + i);
    };
    std::vector<Complex> x(static_cast<size_t>(outer * n * inner)), y(x.size());
    std::vector<double> reals(x.size()), back(x.size());
    for (size_t k = 0; k < x.size(); ++k) {
      x[k] = {static_cast<double>(Random(-9, 9)), static_cast<double>(Random(-9, 9))};
      reals[k] = x[k].real();
    }
    std::vector<Complex> half(static_cast<size_t>(outer * kept * inner));
    for (const bool is_inverse : {false, true}) {
      const auto kind = is_inverse ? numerics::FourierKind::kInverse : numerics::FourierKind::kForward;
      ASSERT_TRUE(numerics::LineTransforms(kind, n).Run(x.data(), y.data(), outer, inner, runtime_).ok());
      for (int64_t o = 0; o < outer; ++o) {
        for (int64_t i = 0; i < inner; ++i) {
          std::vector<Complex> line;
          for (int64_t t = 0; t < n; ++t) line.push_back(x[at(o, t, i, n)]);
          ASSERT_TRUE((is_inverse ? one.Inverse(line.data(), scratch.data(), runtime_)
                                  : one.Forward(line.data(), scratch.data(), runtime_))
                          .ok());
          for (int64_t t = 0; t < n; ++t) {
            ASSERT_LE(std::abs(y[at(o, t, i, n)] - line[static_cast<size_t>(t)]), tolerance);
          }
        }
      }
    }
    // Real lines: half of what their complex ones become, and back.
    ASSERT_TRUE(numerics::LineTransforms(numerics::FourierKind::kForwardReal, n)
                    .Run(reals.data(), half.data(), outer, inner, runtime_)
                    .ok());
    for (int64_t o = 0; o < outer; ++o) {
      for (int64_t i = 0; i < inner; ++i) {
        std::vector<Complex> line;
        for (int64_t t = 0; t < n; ++t) line.push_back(reals[at(o, t, i, n)]);
        ASSERT_TRUE(one.Forward(line.data(), scratch.data(), runtime_).ok());
        for (int64_t t = 0; t < kept; ++t) {
          ASSERT_LE(std::abs(half[at(o, t, i, kept)] - line[static_cast<size_t>(t)]), tolerance);
        }
        half[at(o, 0, i, kept)] += Complex(0, 7);  // of no effect
        if (n % 2 == 0) half[at(o, n / 2, i, kept)] += Complex(0, 7);
      }
    }
    const numerics::LineTransforms to_real(numerics::FourierKind::kInverseReal, n);
    ASSERT_TRUE(to_real.Run(half.data(), back.data(), outer, inner, runtime_).ok());
    for (size_t k = 0; k < reals.size(); ++k) ASSERT_NEAR(back[k], reals[k], tolerance);
    // The last line of all has the same bits alone.
    if (inner == 1) {
      std::vector<double> alone(static_cast<size_t>(n));
      ASSERT_TRUE(to_real.Run(half.data() + (outer - 1) * kept, alone.data(), 1, 1, runtime_).ok());
      EXPECT_TRUE(std::equal(alone.begin(), alone.end(), back.end() - n));
    }
  }
}

TEST_F(FastPathsTest, RootsOfUnityAreExactAtTheQuarters) {
  for (int64_t n : {4, 8, 12, 100}) {
    EXPECT_EQ(numerics::RootOfUnity(0, n), std::complex<double>(1, 0));
    EXPECT_EQ(numerics::RootOfUnity(n / 4, n), std::complex<double>(0, -1));
    EXPECT_EQ(numerics::RootOfUnity(n / 2, n), std::complex<double>(-1, 0));
    EXPECT_EQ(numerics::RootOfUnity(3 * n / 4, n), std::complex<double>(0, 1));
  }
  EXPECT_NEAR(std::abs(numerics::RootOfUnity(1, 3) - std::polar(1.0, -2.0943951023931953)), 0, 1e-15);
}

}  // namespace
}  // namespace hloscope::evaluator
