// SPDX-License-Identifier: Apache-2.0
// The loops that are written by hand for wide vectors (evaluator/kernels/lanes/wide_loops.h, numerics/rows,
// vector_sums.h, vector_folds.h) give the bits of the functions that they stand in for.
#include "evaluator/kernels/lanes/wide_loops.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <random>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "numerics/elements/elementwise_functions.h"
#include "numerics/elements/float_exp.h"
#include "numerics/reduction/vector_folds.h"
#include "numerics/reduction/vector_sums.h"

namespace hloscope::evaluator {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

const uint8_t* BytesOf(const void* data) { return static_cast<const uint8_t*>(data); }
uint8_t* BytesOf(void* data) { return static_cast<uint8_t*>(data); }

bool IsNan(float x) { return std::isnan(x); }
bool IsNan(uint16_t x) { return std::isnan(numerics::Bf16ToFloat(x)); }

// Equal bits, or NaN both.
template <typename T>
void ExpectSame(const std::vector<T>& got, const std::vector<T>& expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (size_t i = 0; i < got.size(); ++i) {
    if (IsNan(got[i]) && IsNan(expected[i])) continue;
    ASSERT_EQ(0, std::memcmp(&got[i], &expected[i], sizeof(T)))
        << "element " << i << ": " << +got[i] << ", not " << +expected[i];
  }
}

std::vector<uint16_t> EveryBf16() {
  std::vector<uint16_t> all(65536 + 7);  // and a vector that is partly filled
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<uint16_t>(i);
  return all;
}

std::vector<float> SomeFloats(size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<float> some(count);
  for (float& x : some) x = std::bit_cast<float>(static_cast<uint32_t>(random()));
  return some;
}

template <typename T>
std::vector<T> ResultOf(const LaneFunction& function, std::vector<LaneOperand> operands, size_t count) {
  std::vector<T> result(count);
  function(operands.data(), BytesOf(result.data()), static_cast<int64_t>(count));
  return result;
}

LaneFunction FunctionOf(Opcode opcode, ElementType type, size_t operands) {
  const std::vector<ElementType> types(operands, type);
  return *LaneFunction::Create(opcode, types, type);
}

TEST(WideLoopsTest, ExponentialOfFloats) {
  // Every exponent with many mantissas, and whatever is at the ends of the range.
  std::vector<float> x;
  for (uint64_t bits = 0; bits < uint64_t{1} << 32; bits += 4001) {
    x.push_back(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  }
  for (float end : {-104.0f, -103.97208f, -87.33655f, 88.72284f, 89.0f, 90.1f, 0.0f, kInfinity, -kInfinity}) {
    for (float step : {-1.0f, 0.0f, 1.0f}) x.push_back(std::nextafter(end, end + step));
  }
  std::vector<float> expected;
  for (float v : x) expected.push_back(numerics::float_math::ExpSingle(v));
  const LaneFunction exp = FunctionOf(Opcode::kExponential, ElementType::kF32, 1);
  ExpectSame(ResultOf<float>(exp, {{BytesOf(x.data()), false}}, x.size()), expected);
}

TEST(WideLoopsTest, ExponentialOfEveryBf16) {
  const std::vector<uint16_t> x = EveryBf16();
  std::vector<uint16_t> expected;
  for (uint16_t v : x) {
    expected.push_back(numerics::FloatToBf16(numerics::float_math::ExpSingle(numerics::Bf16ToFloat(v))));
  }
  const LaneFunction exp = FunctionOf(Opcode::kExponential, ElementType::kBF16, 1);
  ExpectSame(ResultOf<uint16_t>(exp, {{BytesOf(x.data()), false}}, x.size()), expected);
}

TEST(WideLoopsTest, LogisticAndTanhOfEveryBf16) {
  const std::vector<uint16_t> x = EveryBf16();
  std::vector<uint16_t> logistic, tanh;
  for (uint16_t v : x) {
    const float wide = numerics::Bf16ToFloat(v);
    logistic.push_back(numerics::FloatToBf16(numerics::elementwise::Logistic()(wide)));
    tanh.push_back(numerics::FloatToBf16(numerics::elementwise::Tanh()(wide)));
  }
  const std::vector<LaneOperand> operands = {{BytesOf(x.data()), false}};
  ExpectSame(ResultOf<uint16_t>(FunctionOf(Opcode::kLogistic, ElementType::kBF16, 1), operands, x.size()), logistic);
  ExpectSame(ResultOf<uint16_t>(FunctionOf(Opcode::kTanh, ElementType::kBF16, 1), operands, x.size()), tanh);
}

// What the function gives of f32, rounded.
template <typename Function>
void CheckUnaryBf16(Opcode opcode, Function function) {
  SCOPED_TRACE(OpcodeName(opcode));
  const std::vector<uint16_t> x = EveryBf16();
  std::vector<uint16_t> expected;
  for (uint16_t v : x) expected.push_back(numerics::FloatToBf16(function(numerics::Bf16ToFloat(v))));
  const LaneFunction lanes = FunctionOf(opcode, ElementType::kBF16, 1);
  // All of them, and so few that no vector is full.
  ExpectSame(ResultOf<uint16_t>(lanes, {{BytesOf(x.data()), false}}, x.size()), expected);
  expected.resize(7);
  ExpectSame(ResultOf<uint16_t>(lanes, {{BytesOf(x.data()), false}}, expected.size()), expected);
}

TEST(WideLoopsTest, FunctionsOfEveryBf16) {
  namespace functions = numerics::elementwise;
  CheckUnaryBf16(Opcode::kAbs, functions::Abs());
  CheckUnaryBf16(Opcode::kNegate, functions::Negate());
  CheckUnaryBf16(Opcode::kSqrt, functions::Sqrt());
  CheckUnaryBf16(Opcode::kRsqrt, functions::Rsqrt());
  CheckUnaryBf16(Opcode::kFloor, functions::Floor());
  CheckUnaryBf16(Opcode::kCeil, functions::Ceil());
  CheckUnaryBf16(Opcode::kRoundNearestEven, functions::RoundNearestEven());
}

TEST(WideLoopsTest, ExponentialOfADifference) {
  const LaneFunction exp = FunctionOf(Opcode::kExponential, ElementType::kF32, 1);
  const LaneFunction subtract = FunctionOf(Opcode::kSubtract, ElementType::kF32, 2);
  const LaneFunction add = FunctionOf(Opcode::kAdd, ElementType::kF32, 2);
  EXPECT_FALSE(LaneFunction::ExponentialOfDifference(exp, add).has_value());
  EXPECT_FALSE(LaneFunction::ExponentialOfDifference(FunctionOf(Opcode::kExponential, ElementType::kBF16, 1), subtract)
                   .has_value());
  const std::optional<LaneFunction> both = LaneFunction::ExponentialOfDifference(exp, subtract);
  ASSERT_EQ(both.has_value(), WideExponentialOfDifference(ElementType::kF32) != nullptr);
  if (!both.has_value()) GTEST_SKIP() << "this processor has no such loop";
  const std::vector<float> a = SomeFloats(1003, 1);
  std::vector<float> b = SomeFloats(1003, 2);
  for (size_t i = 0; i < b.size(); i += 2) b[i] = a[i] + static_cast<float>(i % 200) - 100;
  for (const bool one_a : {false, true}) {
    for (const bool one_b : {false, true}) {
      std::vector<float> expected;
      for (size_t i = 0; i < a.size(); ++i) {
        expected.push_back(numerics::float_math::ExpSingle(a[one_a ? 0 : i] - b[one_b ? 0 : i]));
      }
      ExpectSame(ResultOf<float>(*both, {{BytesOf(a.data()), one_a}, {BytesOf(b.data()), one_b}}, a.size()), expected);
    }
  }
}

TEST(WideLoopsTest, ExponentialOfABf16Difference) {
  const LaneFunction exp = FunctionOf(Opcode::kExponential, ElementType::kBF16, 1);
  const LaneFunction subtract = FunctionOf(Opcode::kSubtract, ElementType::kBF16, 2);
  const std::optional<LaneFunction> both = LaneFunction::ExponentialOfDifference(exp, subtract);
  ASSERT_EQ(both.has_value(), WideExponentialOfDifference(ElementType::kBF16) != nullptr);
  if (!both.has_value()) GTEST_SKIP() << "this processor has no such loop";
  const std::vector<uint16_t> all = EveryBf16();
  for (uint32_t b = 0; b < 65536; b += 251) {
    const uint16_t other = static_cast<uint16_t>(b);
    const std::vector<LaneOperand> operands = {{BytesOf(all.data()), false}, {BytesOf(&other), true}};
    const std::vector<uint16_t> difference = ResultOf<uint16_t>(subtract, operands, all.size());
    ExpectSame(ResultOf<uint16_t>(*both, operands, all.size()),
               ResultOf<uint16_t>(exp, {{BytesOf(difference.data()), false}}, all.size()));
  }
}

// Rows of elements with one number each are what a call for each row gives.
template <typename T>
void CheckRows(const LaneFunction& function, const std::vector<T>& x, const std::vector<T>& of_rows) {
  const RowLoop loop = function.LoopOfRows();
  ASSERT_EQ(loop != nullptr, WideBf16Loop(Opcode::kAdd) != nullptr);
  if (loop == nullptr) GTEST_SKIP() << "this processor has no such loop";
  for (const size_t columns : {1, 31, 64, 100, 129}) {
    const size_t rows = std::min(of_rows.size(), x.size() / columns);
    std::vector<T> got(rows * columns), expected;
    loop(BytesOf(x.data()), BytesOf(of_rows.data()), BytesOf(got.data()), static_cast<int64_t>(rows),
         static_cast<int64_t>(columns));
    for (size_t r = 0; r < rows; ++r) {
      const std::vector<T> row =
          ResultOf<T>(function, {{BytesOf(x.data() + r * columns), false}, {BytesOf(&of_rows[r]), true}}, columns);
      expected.insert(expected.end(), row.begin(), row.end());
    }
    ExpectSame(got, expected);
  }
}

TEST(WideLoopsTest, RowsOfBf16) {
  const std::vector<uint16_t> x = EveryBf16();
  std::vector<uint16_t> of_rows;
  for (uint32_t i = 0; i < 700; ++i) of_rows.push_back(static_cast<uint16_t>(i * 9973));
  for (const Opcode opcode : {Opcode::kAdd, Opcode::kSubtract, Opcode::kMultiply, Opcode::kDivide}) {
    SCOPED_TRACE(OpcodeName(opcode));
    CheckRows(FunctionOf(opcode, ElementType::kBF16, 2), x, of_rows);
  }
  const std::optional<LaneFunction> both = LaneFunction::ExponentialOfDifference(
      FunctionOf(Opcode::kExponential, ElementType::kBF16, 1), FunctionOf(Opcode::kSubtract, ElementType::kBF16, 2));
  if (both.has_value()) CheckRows(*both, x, of_rows);
}

TEST(WideLoopsTest, RowsOfFloats) {
  const std::vector<float> x = SomeFloats(40000, 3), of_rows = SomeFloats(300, 4);
  CheckRows(FunctionOf(Opcode::kDivide, ElementType::kF32, 2), x, of_rows);
  const std::optional<LaneFunction> both = LaneFunction::ExponentialOfDifference(
      FunctionOf(Opcode::kExponential, ElementType::kF32, 1), FunctionOf(Opcode::kSubtract, ElementType::kF32, 2));
  if (both.has_value()) CheckRows(*both, x, of_rows);
}

TEST(WideLoopsTest, DivisionOfFloatsByOneNumber) {
  const LaneFunction divide = FunctionOf(Opcode::kDivide, ElementType::kF32, 2);
  std::mt19937 random(1);
  std::vector<float> divisors = {0.0f,    -0.0f,    1.0f,      -1.0f,           3.0f,      0x1p-60f,     0x1.fffffep59f,
                                 0x1p60f, 0x1p-61f, 0x1p-149f, 0x1.fffffep127f, kInfinity, std::nanf("")};
  for (int i = 0; i < 300; ++i) {
    const uint32_t mantissa = i % 3 == 0 ? 0x7fffffu - static_cast<uint32_t>(i) : random() & 0x7fffff;
    divisors.push_back(std::bit_cast<float>(static_cast<uint32_t>(127 - 70 + random() % 140) << 23 | mantissa));
  }
  for (float divisor : divisors) {
    SCOPED_TRACE(divisor);
    std::vector<float> x = SomeFloats(1000, static_cast<uint32_t>(random()));
    // Quotients near 1 and near 2, whose last places are the hardest.
    for (size_t i = 0; i < 300; ++i)
      x[i] = divisor * (i % 2 == 0 ? 1.0f : 2.0f) * (1 + 0x1p-23f * static_cast<float>(i));
    for (size_t i = 300; i < 320; ++i) x[i] = i % 2 == 0 ? 0.0f : -0.0f;
    std::vector<float> expected;
    for (float v : x) expected.push_back(numerics::elementwise::Divide()(v, divisor));
    ExpectSame(ResultOf<float>(divide, {{BytesOf(x.data()), false}, {BytesOf(&divisor), true}}, x.size()), expected);
    expected.clear();
    for (float v : x) expected.push_back(numerics::elementwise::Divide()(divisor, v));
    ExpectSame(ResultOf<float>(divide, {{BytesOf(&divisor), true}, {BytesOf(x.data()), false}}, x.size()), expected);
  }
}

template <typename Function>
void CheckBinaryBf16(Opcode opcode, Function function) {
  const LaneFunction lanes = FunctionOf(opcode, ElementType::kBF16, 2);
  const std::vector<uint16_t> all = EveryBf16();
  const auto of = [&](uint16_t a, uint16_t b) {
    return numerics::FloatToBf16(function(numerics::Bf16ToFloat(a), numerics::Bf16ToFloat(b)));
  };
  std::vector<uint16_t> others = {0x0000, 0x8000, 0x3f80, 0xbf80, 0x0001, 0x807f,
                                  0x0080, 0x7f7f, 0x7f80, 0xff80, 0x7fc0};
  for (uint16_t mantissa = 0; mantissa < 128; mantissa += 3) {
    for (int exponent : {20, 67, 68, 110, 127, 186, 187, 230}) {
      others.push_back(static_cast<uint16_t>((exponent << 7) | mantissa));
    }
  }
  std::vector<uint16_t> expected(all.size()), shifted(all.size());
  for (size_t k = 0; k < others.size(); ++k) {
    SCOPED_TRACE(others[k]);
    const uint16_t other = others[k];
    std::transform(all.begin(), all.end(), expected.begin(), [&](uint16_t v) { return of(v, other); });
    ExpectSame(ResultOf<uint16_t>(lanes, {{BytesOf(all.data()), false}, {BytesOf(&other), true}}, all.size()),
               expected);
    if (k % 16 != 0) continue;
    std::transform(all.begin(), all.end(), expected.begin(), [&](uint16_t v) { return of(other, v); });
    ExpectSame(ResultOf<uint16_t>(lanes, {{BytesOf(&other), true}, {BytesOf(all.data()), false}}, all.size()),
               expected);
    for (size_t i = 0; i < all.size(); ++i) shifted[i] = static_cast<uint16_t>(all[i] * 7919u + other);
    for (size_t i = 0; i < all.size(); ++i) expected[i] = of(all[i], shifted[i]);
    ExpectSame(ResultOf<uint16_t>(lanes, {{BytesOf(all.data()), false}, {BytesOf(shifted.data()), false}}, all.size()),
               expected);
  }
}

TEST(WideLoopsTest, AdditionOfBf16) { CheckBinaryBf16(Opcode::kAdd, numerics::elementwise::Add()); }
TEST(WideLoopsTest, SubtractionOfBf16) { CheckBinaryBf16(Opcode::kSubtract, numerics::elementwise::Subtract()); }
TEST(WideLoopsTest, MultiplicationOfBf16) { CheckBinaryBf16(Opcode::kMultiply, numerics::elementwise::Multiply()); }
TEST(WideLoopsTest, DivisionOfBf16) { CheckBinaryBf16(Opcode::kDivide, numerics::elementwise::Divide()); }
TEST(WideLoopsTest, MaximumOfBf16) { CheckBinaryBf16(Opcode::kMaximum, numerics::elementwise::Maximum()); }
TEST(WideLoopsTest, MinimumOfBf16) { CheckBinaryBf16(Opcode::kMinimum, numerics::elementwise::Minimum()); }

TEST(WideLoopsTest, ClampOfBf16) {
  const LaneFunction clamp = FunctionOf(Opcode::kClamp, ElementType::kBF16, 3);
  const std::vector<uint16_t> all = EveryBf16();
  std::vector<uint16_t> lows(all.size()), highs(all.size()), expected(all.size());
  for (size_t i = 0; i < all.size(); ++i) {
    lows[i] = static_cast<uint16_t>(all[i] * 7919u);
    highs[i] = static_cast<uint16_t>(all[i] * 104729u + 5);
  }
  for (uint16_t limit : {0x0000, 0x8000, 0x3f80, 0xbf80, 0x7f80, 0xff80, 0x7fc1, 0xffc0}) {
    SCOPED_TRACE(limit);
    for (int uniform = 0; uniform < 8; ++uniform) {
      const bool one_low = (uniform & 1) != 0, one_value = (uniform & 2) != 0, one_high = (uniform & 4) != 0;
      for (size_t i = 0; i < all.size(); ++i) {
        const auto of = [&](bool one, const std::vector<uint16_t>& many) {
          return numerics::Bf16ToFloat(one ? limit : many[i]);
        };
        expected[i] = numerics::FloatToBf16(
            numerics::elementwise::Clamp()(of(one_low, lows), of(one_value, all), of(one_high, highs)));
      }
      const auto operand = [&](bool one, const std::vector<uint16_t>& many) {
        return LaneOperand{BytesOf(one ? &limit : many.data()), one};
      };
      ExpectSame(ResultOf<uint16_t>(clamp, {operand(one_low, lows), operand(one_value, all), operand(one_high, highs)},
                                    all.size()),
                 expected);
    }
  }
}

// The order that vector_sums.cc has: 32 sums side by side, halves of which are added to each other.
template <typename X>
double SumInOrder(const X* x, int64_t count) {
  double ways[32] = {};
  for (int64_t i = 0; i < count; ++i) ways[i % 32] += static_cast<double>(numerics::Widened(x[i]));
  for (int64_t half : {16, 8, 4, 2, 1}) {
    for (int64_t w = 0; w < half; ++w) ways[w] += ways[w + half];
  }
  return ways[0];
}

// Of bf16 eight numbers of each 128 are added first, and what is left over in the order of floats.
double SumInBlocks(const numerics::Bf16* x, int64_t count) {
  if (count < 128) return SumInOrder(x, count);
  double ways[16] = {};
  for (; count >= 128; count -= 128, x += 128) {
    for (int64_t w = 0; w < 16; ++w) {
      double pairs[4];
      for (int64_t row = 0; row < 4; ++row) {
        const numerics::Bf16* const pair = x + row * 32 + 2 * w;
        pairs[row] = static_cast<double>(numerics::Widened(pair[0])) + static_cast<double>(numerics::Widened(pair[1]));
      }
      ways[w] += (pairs[0] + pairs[1]) + (pairs[2] + pairs[3]);
    }
  }
  for (int64_t half : {8, 4, 2, 1}) {
    for (int64_t w = 0; w < half; ++w) ways[w] += ways[w + half];
  }
  return count > 0 ? ways[0] + SumInOrder(x, count) : ways[0];
}

TEST(WideLoopsTest, SumsHaveOneOrder) {
  // Of so different sizes that every order shows.
  std::mt19937 random(3);
  std::vector<float> floats(1000);
  std::vector<numerics::Bf16> bf16s(floats.size());
  for (size_t i = 0; i < floats.size(); ++i) {
    floats[i] = std::ldexp(1 + static_cast<float>(random() % 1000) / 1000, static_cast<int>(random() % 100));
    if (random() % 2 == 0) floats[i] = -floats[i];
    bf16s[i] = {numerics::FloatToBf16(floats[i])};
  }
  for (int64_t count : {0, 1, 31, 32, 33, 64, 95, 127, 128, 129, 256, 300, 512, 999}) {
    SCOPED_TRACE(count);
    EXPECT_EQ(numerics::SumFloats(floats.data(), count), SumInOrder(floats.data(), count));
    EXPECT_EQ(numerics::SumFloats(bf16s.data() + 1, count), SumInBlocks(bf16s.data() + 1, count));
  }
  // Sums of eight that are just exact in f32, and that are just not: exponents differ by 12 to 15, at every place.
  for (int difference = 12; difference < 16; ++difference) {
    for (size_t place = 0; place < 128; ++place) {
      for (size_t i = 0; i < 128; ++i) {
        const int exponent = i == place ? -difference : 0;
        bf16s[i] = {numerics::FloatToBf16(std::ldexp(1.9921875f, exponent))};
      }
      EXPECT_EQ(numerics::SumFloats(bf16s.data(), 128), SumInBlocks(bf16s.data(), 128)) << difference << " " << place;
    }
  }
}

TEST(WideLoopsTest, EveryBf16IsSummed) {
  // 160 numbers of about one size at a time: subnormal ones, zeros of both signs, infinities and NaN are among them.
  std::array<numerics::Bf16, 160> x;
  for (uint32_t first = 0; first < 0x8000; first += 48) {
    for (uint32_t i = 0; i < x.size(); ++i) {
      x[i] = {static_cast<uint16_t>((first + i / 2) | (i % 3 == 0 ? 0x8000u : 0))};
    }
    const double sum = numerics::SumFloats(x.data(), x.size()), expected = SumInBlocks(x.data(), x.size());
    SCOPED_TRACE(first);
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(sum));
    } else {
      EXPECT_EQ(std::bit_cast<uint64_t>(sum), std::bit_cast<uint64_t>(expected));
    }
  }
  // One number that is not finite, at every place.
  for (uint32_t bits : {0x7f80u, 0xff80u, 0x7fc0u, 0xff81u}) {
    for (size_t place = 0; place < x.size(); ++place) {
      x.fill({0x3f80});
      x[place] = {static_cast<uint16_t>(bits)};
      const double sum = numerics::SumFloats(x.data(), x.size()), expected = numerics::Widened(x[place]);
      EXPECT_TRUE(std::isnan(expected) ? std::isnan(sum) : sum == expected) << bits << " at " << place << ": " << sum;
    }
  }
}

template <typename X>
void CheckSumsOfRows(const std::vector<X>& x, int64_t stride) {
  for (int64_t rows : {0, 1, 3, 4, 7, 8, 13, 24}) {
    for (int64_t lanes : {int64_t{1}, int64_t{8}, int64_t{23}, stride}) {
      SCOPED_TRACE(rows * 1000 + lanes);
      std::vector<double> sums(static_cast<size_t>(lanes), 0.5), expected = sums, upwards = sums;
      numerics::AddRowsOfFloats(x.data(), stride, rows, lanes, sums.data());
      // The same rows in the other order.
      std::vector<X> turned;
      for (int64_t r = rows; r-- > 0;)
        turned.insert(turned.end(), x.begin() + r * stride, x.begin() + (r + 1) * stride);
      if (rows > 0) {
        numerics::AddRowsOfFloats(turned.data() + (rows - 1) * stride, -stride, rows, lanes, upwards.data());
        EXPECT_EQ(sums, upwards);
      }
      for (int64_t l = 0; l < lanes; ++l) {
        double& sum = expected[static_cast<size_t>(l)];
        const auto at = [&](int64_t r) {
          return static_cast<double>(numerics::Widened(x[static_cast<size_t>(r * stride + l)]));
        };
        int64_t r = 0;
        for (; r + 4 <= rows; r += 4) sum += (at(r) + at(r + 1)) + (at(r + 2) + at(r + 3));
        for (; r < rows; ++r) sum += at(r);
      }
      EXPECT_EQ(sums, expected);
    }
  }
}

TEST(WideLoopsTest, SumsOfRowsHaveOneOrder) {
  constexpr int64_t kStride = 45;
  std::mt19937 random(4);
  std::vector<float> floats(24 * kStride);
  for (float& x : floats) x = std::ldexp(static_cast<float>(random() % 1000) - 500, static_cast<int>(random() % 100));
  std::vector<numerics::Bf16> bf16s;
  for (float x : floats) bf16s.push_back({numerics::FloatToBf16(x)});
  CheckSumsOfRows(floats, kStride);
  CheckSumsOfRows(bf16s, kStride);
}

TEST(WideLoopsTest, ExtremesOfRuns) {
  std::mt19937 random(5);
  for (int64_t count : {16, 63, 64, 65, 127, 128, 300}) {
    for (int64_t nan : {int64_t{-1}, int64_t{0}, count / 2, count - 1}) {
      SCOPED_TRACE(count * 1000 + nan);
      std::vector<float> x(static_cast<size_t>(count));
      for (float& v : x) v = static_cast<float>(random() % 2001) - 1000;
      const float least = *std::min_element(x.begin(), x.end()), most = *std::max_element(x.begin(), x.end());
      if (nan >= 0) x[static_cast<size_t>(nan)] = std::nanf("");
      const float minimum = numerics::FoldFloatRun(numerics::elementwise::Minimum(), x.data(), count);
      const float maximum = numerics::FoldFloatRun(numerics::elementwise::Maximum(), x.data(), count);
      if (nan >= 0) {
        EXPECT_TRUE(std::isnan(minimum) && std::isnan(maximum));
      } else {
        EXPECT_EQ(minimum, least);
        EXPECT_EQ(maximum, most);
      }
    }
  }
}

// bf16 of all sizes, of one sign and of both, with infinities; zeros of both signs give what they give in f32.
TEST(WideLoopsTest, ExtremesOfRunsOfBf16) {
  std::mt19937 random(7);
  for (int64_t count : {16, 63, 64, 65, 127, 128, 300}) {
    for (uint32_t mask : {0xffffu, 0x7fffu, 0x0080u, 0x8000u}) {
      for (int round = 0; round < 20; ++round) {
        std::vector<numerics::Bf16> x(static_cast<size_t>(count));
        std::vector<float> wide;
        for (numerics::Bf16& v : x) {
          v = {static_cast<uint16_t>(random() & mask)};
          if (mask == 0x7fff && round % 2 == 0) v.bits |= 0x8000;
          if (std::isnan(numerics::Widened(v)) && round % 3 != 0) v.bits &= 0xff80;
          wide.push_back(numerics::Widened(v));
        }
        const auto check = [&](auto op) {
          const float folded = numerics::FoldFloatRun(op, x.data(), count);
          const float expected = numerics::FoldFloatRun(op, wide.data(), count);
          EXPECT_TRUE(std::isnan(expected) ? std::isnan(folded)
                                           : std::bit_cast<uint32_t>(folded) == std::bit_cast<uint32_t>(expected))
              << count << " of " << mask << ": " << folded << " and " << expected;
        };
        check(numerics::elementwise::Minimum());
        check(numerics::elementwise::Maximum());
      }
    }
  }
}

// Bit for bit the function applied row by row, with NaN, infinities and zeros of both signs among the rows and the
// accumulators.
template <typename Op>
void CheckExtremesOfRows(Op op, uint32_t seed) {
  std::mt19937 random(seed);
  const float special[] = {0.0f, -0.0f, INFINITY, -INFINITY, std::nanf("1"), -std::nanf("2")};
  for (int64_t lanes : {1, 15, 64, 65, 200}) {
    for (int64_t row_count : {1, 2, 16}) {
      for (uint32_t specials : {0u, 3u, 50u}) {
        SCOPED_TRACE(absl::StrCat(lanes, " lanes, ", row_count, " rows, ", specials, " per cent"));
        const auto number = [&] {
          if (random() % 100 < specials) return special[random() % 6];
          return static_cast<float>(random() % 2001) - 1000;
        };
        std::vector<float> x(static_cast<size_t>(lanes * row_count)), expected(static_cast<size_t>(lanes));
        for (float& v : x) v = number();
        for (float& v : expected) v = number();
        const std::vector<float> starts = expected;
        std::vector<float> folded = starts;
        std::vector<const float*> rows;
        for (int64_t r = 0; r < row_count; ++r) {
          rows.push_back(x.data() + r * lanes);
          for (int64_t l = 0; l < lanes; ++l) {
            float& v = expected[static_cast<size_t>(l)];
            v = op(v, rows.back()[l]);
          }
        }
        numerics::RowFold(op, rows[0])(rows.data(), row_count, lanes, folded.data(), folded.data(), 0, {});
        std::vector<float> elsewhere(folded.size());
        numerics::RowFold(op, rows[0])(rows.data(), row_count, lanes, starts.data(), elsewhere.data(), 0, {});
        EXPECT_EQ(std::memcmp(elsewhere.data(), folded.data(), folded.size() * sizeof(float)), 0);
        EXPECT_EQ(std::memcmp(folded.data(), expected.data(), folded.size() * sizeof(float)), 0);
      }
    }
  }
}

TEST(WideLoopsTest, ExtremesOfRows) {
  CheckExtremesOfRows(numerics::elementwise::Maximum(), 7);
  CheckExtremesOfRows(numerics::elementwise::Minimum(), 8);
}

// Two functions as one give every bit of one after the other: products are not fused, each operand keeps its place, and
// the result may be the array of any operand.
TEST(WideLoopsTest, CompositionsOfTwoFunctions) {
  constexpr Opcode kOpcodes[] = {Opcode::kAdd, Opcode::kSubtract, Opcode::kMultiply};
  constexpr ElementType kFloats[] = {ElementType::kF32, ElementType::kF32};
  std::mt19937 random(13);
  int compared = 0;
  for (const Opcode outer : kOpcodes) {
    for (const Opcode inner : kOpcodes) {
      for (const bool is_right : {false, true}) {
        const LaneFunction outer_function = *LaneFunction::Create(outer, kFloats, ElementType::kF32);
        const LaneFunction inner_function = *LaneFunction::Create(inner, kFloats, ElementType::kF32);
        const std::optional<LaneFunction> both = LaneFunction::Composition(outer_function, inner_function, is_right);
        if (!both.has_value()) continue;
        ASSERT_EQ(both->operand_count(), 3u);
        for (int64_t count : {1, 16, 100}) {
          for (int uniform = 0; uniform < 7; ++uniform) {  // a bit for each operand; not all of them
            std::vector<std::vector<float>> x(3, std::vector<float>(static_cast<size_t>(count)));
            for (auto& values : x) {
              for (float& v : values) v = std::ldexp(static_cast<float>(random() % 20001) - 10000, -12);
            }
            x[0][0] = kInfinity;
            std::vector<LaneOperand> operands;
            for (size_t k = 0; k < 3; ++k) operands.push_back({BytesOf(x[k].data()), (uniform >> k & 1) != 0});
            std::vector<float> first(x[0].size()), expected = first;
            inner_function(operands.data(), BytesOf(first.data()), count);
            LaneOperand second[2] = {{BytesOf(first.data()), false}, operands[2]};
            if (is_right) std::swap(second[0], second[1]);
            outer_function(second, BytesOf(expected.data()), count);
            size_t target = 0;
            while (operands[target].is_uniform) ++target;
            (*both)(operands.data(), BytesOf(x[target].data()), count);
            EXPECT_EQ(std::memcmp(x[target].data(), expected.data(), expected.size() * sizeof(float)), 0)
                << OpcodeName(outer) << " of " << OpcodeName(inner) << ", " << is_right << ", " << count << ", "
                << uniform;
            ++compared;
          }
        }
      }
    }
  }
  if (compared == 0) GTEST_SKIP() << "this processor has no such loop";
}

}  // namespace
}  // namespace hloscope::evaluator
