// SPDX-License-Identifier: Apache-2.0
// Modules against loops over single elements, written out here: vector loops of f32, select-and-scatter, and operations
// that only move elements. Watched and unwatched runs are compared as well.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "gtest/gtest.h"
#include "tests/support/module_evaluation.h"
#include "tests/support/session_test_support.h"

namespace hloscope::evaluator {
namespace {

class DirectReferenceTest : public ::testing::Test {
 protected:
  int64_t Random(int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(random_); }

  template <typename T>
  std::vector<T> RandomIntegers(int64_t count, int64_t low, int64_t high) {
    std::vector<T> values(static_cast<size_t>(count));
    for (T& value : values) value = static_cast<T>(Random(low, high));
    return values;
  }

  template <typename T>
  static Value ValueOf(ElementType type, const std::vector<int64_t>& sizes, const std::vector<T>& elements) {
    return Value(*Tensor::FromValues<T>(type, sizes, elements));
  }

  // Bit for bit.
  template <typename T>
  static void ExpectResult(const std::string& text, const std::vector<Value>& arguments,
                           const std::vector<T>& expected) {
    const std::shared_ptr<const Module> module = ModuleFromText(text);
    ASSERT_NE(module, nullptr) << text;
    const absl::StatusOr<Value> result = EvaluateModule(module, arguments);
    ASSERT_TRUE(result.ok()) << result.status() << "\n" << text;
    const Tensor tensor = *result->tensor().Contiguous();
    ASSERT_EQ(tensor.element_count(), static_cast<int64_t>(expected.size())) << text;
    for (size_t i = 0; i < expected.size(); ++i) {
      ASSERT_EQ(std::memcmp(tensor.data_as<T>() + i, &expected[i], sizeof(T)), 0)
          << "element " << i << ": " << tensor.data_as<T>()[i] << ", not " << expected[i] << "\n"
          << text;
    }
  }

  std::mt19937 random_{20241122};
};

// Lengths around multiples of any vector.
TEST_F(DirectReferenceTest, LoopsOfF32) {
  for (int64_t n = 1; n <= 70; n += n < 36 ? 1 : 5) {
    std::vector<float> x(static_cast<size_t>(n)), y(static_cast<size_t>(n));
    std::uniform_real_distribution<float> numbers(0.25f, 8.0f);
    for (float& v : x) v = numbers(random_);
    for (float& v : y) v = -numbers(random_);
    const auto expect = [&](const std::string& instruction, auto function) {
      std::vector<float> expected(x.size());
      for (size_t i = 0; i < x.size(); ++i) expected[i] = function(x[i], y[i]);
      ExpectResult(absl::StrCat("ENTRY e { x = f32[", n, "] parameter(0) y = f32[", n, "] parameter(1) ROOT r = f32[",
                                n, "] ", instruction, " }"),
                   {ValueOf(ElementType::kF32, {n}, x), ValueOf(ElementType::kF32, {n}, y)}, expected);
    };
    expect("add(x, y)", [](float a, float b) { return a + b; });
    expect("subtract(x, y)", [](float a, float b) { return a - b; });
    expect("multiply(x, y)", [](float a, float b) { return a * b; });
    expect("divide(x, y)", [](float a, float b) { return a / b; });
    expect("maximum(x, y)", [](float a, float b) { return a > b ? a : b; });
    expect("minimum(x, y)", [](float a, float b) { return a < b ? a : b; });
    expect("negate(x)", [](float a, float) { return -a; });
    expect("abs(y)", [](float, float b) { return std::fabs(b); });
    expect("sqrt(x)", [](float a, float) { return std::sqrt(a); });
    expect("floor(y)", [](float, float b) { return std::floor(b); });
    expect("ceil(y)", [](float, float b) { return std::ceil(b); });
  }
}

// Small integers, so that windows have equal candidates and sums are exact.
TEST_F(DirectReferenceTest, SelectAndScatter) {
  for (int round = 0; round < 150; ++round) {
    const bool greatest = round % 2 == 0, sums = round % 3 != 0;
    int64_t size[2], window[2], stride[2], low[2], high[2], count[2];
    for (int d = 0; d < 2; ++d) {
      size[d] = Random(1, d == 0 ? 6 : 40);
      window[d] = Random(1, std::min<int64_t>(size[d], 4));
      stride[d] = Random(1, 3);
      low[d] = Random(0, 2);
      high[d] = Random(0, 2);
      count[d] = (size[d] + low[d] + high[d] - window[d]) / stride[d] + 1;
    }
    const std::vector<float> x = RandomIntegers<float>(size[0] * size[1], -3, 3);
    const std::vector<float> source = RandomIntegers<float>(count[0] * count[1], 1, 9);
    const float init = static_cast<float>(Random(-2, 2));
    std::vector<float> expected(x.size(), init);
    for (int64_t r = 0; r < count[0]; ++r) {
      for (int64_t c = 0; c < count[1]; ++c) {
        int64_t selected = -1;
        for (int64_t i = 0; i < window[0]; ++i) {
          for (int64_t j = 0; j < window[1]; ++j) {
            const int64_t row = r * stride[0] + i - low[0], column = c * stride[1] + j - low[1];
            if (row < 0 || row >= size[0] || column < 0 || column >= size[1]) continue;
            const int64_t at = row * size[1] + column;
            // The earlier of equal ones stays.
            const auto keeps = [&](float a, float b) { return greatest ? a >= b : a <= b; };
            if (selected < 0 || !keeps(x[static_cast<size_t>(selected)], x[static_cast<size_t>(at)])) selected = at;
          }
        }
        if (selected < 0) continue;
        float& to = expected[static_cast<size_t>(selected)];
        const float from = source[static_cast<size_t>(r * count[1] + c)];
        to = sums ? to + from : std::max(to, from);
      }
    }
    const std::string text = absl::StrCat(
        "s { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = pred[] compare(a, b), direction=",
        greatest ? "GE" : "LE", " }\nf { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] ",
        sums ? "add" : "maximum", "(a, b) }\nENTRY e { x = f32[", size[0], ",", size[1], "] parameter(0) y = f32[",
        count[0], ",", count[1], "] parameter(1) z = f32[] parameter(2) ROOT r = f32[", size[0], ",", size[1],
        "] select-and-scatter(x, y, z), window={size=", window[0], "x", window[1], " stride=", stride[0], "x",
        stride[1], " pad=", low[0], "_", high[0], "x", low[1], "_", high[1], "}, select=s, scatter=f }");
    ExpectResult(
        text,
        {ValueOf(ElementType::kF32, {size[0], size[1]}, x), ValueOf(ElementType::kF32, {count[0], count[1]}, source),
         ValueOf(ElementType::kF32, {}, std::vector<float>{init})},
        expected);
  }
}

TEST_F(DirectReferenceTest, DataMovement) {
  for (int round = 0; round < 60; ++round) {
    const int64_t rows = Random(1, 20), columns = Random(1, 40);
    const std::vector<int32_t> x = RandomIntegers<int32_t>(rows * columns, -1000, 1000);
    const auto at = [&](int64_t r, int64_t c) { return x[static_cast<size_t>(r * columns + c)]; };
    // The result [m, n] of the instruction, whose element [r, c] is element(r, c).
    const auto expect = [&](int64_t m, int64_t n, const std::string& instruction, auto element) {
      std::vector<int32_t> expected;
      for (int64_t r = 0; r < m; ++r) {
        for (int64_t c = 0; c < n; ++c) expected.push_back(element(r, c));
      }
      ExpectResult(absl::Substitute("ENTRY e { x = s32[$0,$1] parameter(0) z = s32[] constant(-7) "
                                    "ROOT r = s32[$2,$3] $4 }",
                                    rows, columns, m, n, instruction),
                   {ValueOf(ElementType::kS32, {rows, columns}, x)}, expected);
    };
    expect(columns, rows, "transpose(x), dimensions={1,0}", [&](int64_t r, int64_t c) { return at(c, r); });
    expect(rows, columns, "reverse(x), dimensions={1}", [&](int64_t r, int64_t c) { return at(r, columns - 1 - c); });
    expect(rows, columns, "reverse(x), dimensions={0,1}",
           [&](int64_t r, int64_t c) { return at(rows - 1 - r, columns - 1 - c); });
    expect(2 * rows, columns, "concatenate(x, x), dimensions={0}",
           [&](int64_t r, int64_t c) { return at(r % rows, c); });
    expect(rows, 2 * columns, "concatenate(x, x), dimensions={1}",
           [&](int64_t r, int64_t c) { return at(r, c % columns); });
    const int64_t n = rows * columns;
    expect(n, 1, "reshape(x)", [&](int64_t r, int64_t) { return x[static_cast<size_t>(r)]; });

    const int64_t begin = Random(0, columns - 1), step = Random(1, 3);
    expect(rows, (columns - begin + step - 1) / step,
           absl::StrCat("slice(x), slice={[0:", rows, "],[", begin, ":", columns, ":", step, "]}"),
           [&](int64_t r, int64_t c) { return at(r, begin + c * step); });

    const int64_t low = Random(0, 3), high = Random(0, 3), interior = Random(0, 2);
    expect(rows, low + columns + (columns - 1) * interior + high,
           absl::StrCat("pad(x, z), padding=0_0x", low, "_", high, "_", interior), [&](int64_t r, int64_t c) {
             const int64_t p = c - low;
             const bool is_element = p >= 0 && p % (interior + 1) == 0 && p / (interior + 1) < columns;
             return is_element ? at(r, p / (interior + 1)) : -7;
           });
  }
}

}  // namespace
}  // namespace hloscope::evaluator
