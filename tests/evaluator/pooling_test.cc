// SPDX-License-Identifier: Apache-2.0
// reduce-window and select-and-scatter by loops over rows of windows (numerics/pooling), against the same computations
// in a form that the loops do not know.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/substitute.h"
#include "core/ops/window_rules.h"
#include "gtest/gtest.h"
#include "numerics/elements/numeric.h"
#include "tests/support/module_evaluation.h"
#include "tests/support/session_test_support.h"

namespace hloscope::evaluator {
namespace {

constexpr ElementType kTypes[] = {ElementType::kF32, ElementType::kBF16, ElementType::kF16, ElementType::kF64,
                                  ElementType::kS32, ElementType::kU8,   ElementType::kS16, ElementType::kS64};

struct Windows {
  std::vector<int64_t> sizes, counts;
  std::vector<WindowDimension> window;
};

class PoolingTest : public ::testing::Test {
 protected:
  int64_t Random(int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(random_); }

  // A third of few different numbers; of floats, while `has_special_`, some are NaN, infinite or -0: loops have other
  // ways for rows without them.
  Tensor RandomTensor(ElementType type, const std::vector<int64_t>& sizes) {
    Tensor tensor = *Tensor::Allocate(type, DimensionVector(sizes.begin(), sizes.end()));
    const std::vector<double> few = {-0.0, 0.0, 1.0, -2.0, 3.0};
    const std::vector<double> special = {INFINITY, -INFINITY, NAN};
    for (int64_t i = 0; i < tensor.element_count(); ++i) {
      uint8_t* const element = tensor.mutable_data() + i * tensor.element_bytes();
      const int64_t kind = Random(0, 60);
      if (kind < 20) {
        numerics::WriteReal(type,
                            few[static_cast<size_t>(Random(!IsFloat(type) ? 2
                                                           : has_special_ ? 0
                                                                          : 1,
                                                           4))],
                            element);
      } else if (kind == 20 && IsFloat(type) && has_special_) {
        numerics::WriteReal(type, special[static_cast<size_t>(Random(0, 2))], element);
      } else {
        numerics::WriteReal(type, std::normal_distribution<double>(0, 40)(random_), element);
      }
    }
    return tensor;
  }

  // Windows of `rank` dimensions. `lanes`: the largest size of the last one.
  std::optional<Windows> RandomWindows(int64_t rank, int64_t lanes, bool is_dilated) {
    Windows windows;
    for (int64_t d = 0; d < rank; ++d) {
      windows.sizes.push_back(Random(1, d + 1 == rank ? lanes : 9));
      WindowDimension w;
      if (Random(0, 2) != 0) {
        w.size = Random(1, 4);
        w.stride = Random(1, 3);
        w.padding_low = Random(0, 2);
        w.padding_high = Random(0, 2);
        w.window_dilation = Random(0, 3) == 0 ? 2 : 1;
        if (is_dilated && Random(0, 3) == 0) w.base_dilation = Random(2, 3);
      }
      const std::optional<int64_t> count = WindowCount(windows.sizes.back(), w);
      if (!count || *count == 0) return std::nullopt;
      windows.window.push_back(w);
      windows.counts.push_back(*count);
    }
    return windows;
  }

  std::mt19937 random_{20261129};
  bool has_special_ = true;
};

std::string ShapeText(ElementType type, const std::vector<int64_t>& sizes) {
  return absl::StrCat(ElementTypeName(type), "[", absl::StrJoin(sizes, ","), "]");
}

std::string WindowText(const std::vector<WindowDimension>& window) {
  std::vector<std::string> size, stride, pad, base, dilation;
  for (const WindowDimension& w : window) {
    size.push_back(absl::StrCat(w.size));
    stride.push_back(absl::StrCat(w.stride));
    pad.push_back(absl::StrCat(w.padding_low, "_", w.padding_high));
    base.push_back(absl::StrCat(w.base_dilation));
    dilation.push_back(absl::StrCat(w.window_dilation));
  }
  return absl::StrCat("window={size=", absl::StrJoin(size, "x"), " stride=", absl::StrJoin(stride, "x"),
                      " pad=", absl::StrJoin(pad, "x"), " lhs_dilate=", absl::StrJoin(base, "x"),
                      " rhs_dilate=", absl::StrJoin(dilation, "x"), "}");
}

// Reducers f and g that are the same function, of which only f is a known one; comparisons s and t likewise.
std::string Computations(ElementType type, const std::string& opcode, const std::string& direction) {
  return absl::Substitute(
      "f { a = $0[] parameter(0) b = $0[] parameter(1) ROOT r = $0[] $1(a, b) }\n"
      "g { a = $0[] parameter(0) b = $0[] parameter(1) c = $0[] $1(a, b) y = pred[] constant(true) "
      "ROOT r = $0[] select(y, c, a) }\n"
      "s { a = $0[] parameter(0) b = $0[] parameter(1) ROOT r = pred[] compare(a, b), direction=$2 }\n"
      "t { a = $0[] parameter(0) b = $0[] parameter(1) c = pred[] compare(a, b), direction=$2 "
      "y = pred[] constant(true) ROOT r = pred[] and(c, y) }\n",
      std::string(ElementTypeName(type)), opcode, direction);
}

// Bit for bit, but for kinds of NaN.
void ExpectSame(const Value& value, const Value& expected, const std::string& text) {
  const Tensor a = *value.tensor().Contiguous(), b = *expected.tensor().Contiguous();
  ASSERT_EQ(a.dimensions(), b.dimensions()) << text;
  const ElementType type = a.element_type();
  for (int64_t i = 0; i < a.element_count(); ++i) {
    const uint8_t *const x = a.data() + i * a.element_bytes(), *const y = b.data() + i * b.element_bytes();
    if (std::memcmp(x, y, static_cast<size_t>(a.element_bytes())) == 0) continue;
    const double p = numerics::ReadReal(type, x), q = numerics::ReadReal(type, y);
    ASSERT_TRUE(IsFloat(type) && std::isnan(p) && std::isnan(q))
        << "element " << i << ": " << p << ", not " << q << "\n"
        << text;
  }
}

void ExpectKnownAsUnknown(const std::string& computations, const std::string& known, const std::string& unknown,
                          const std::vector<Value>& arguments) {
  const std::string text = absl::StrCat(computations, known);
  const std::shared_ptr<const Module> fast = ModuleFromText(text), slow = ModuleFromText(computations + unknown);
  ASSERT_TRUE(fast != nullptr && slow != nullptr) << text;
  const absl::StatusOr<Value> result = EvaluateModule(fast, arguments), expected = EvaluateModule(slow, arguments);
  ASSERT_TRUE(result.ok() && expected.ok()) << result.status() << expected.status() << "\n" << text;
  ExpectSame(*result, *expected, text);
}

std::string ReduceWindowText(ElementType type, const Windows& windows, const std::string& reducer) {
  return absl::StrCat("ENTRY e { x = ", ShapeText(type, windows.sizes), " parameter(0) i = ", ElementTypeName(type),
                      "[] parameter(1) ROOT r = ", ShapeText(type, windows.counts), " reduce-window(x, i), ",
                      WindowText(windows.window), ", to_apply=", reducer, " }");
}

TEST_F(PoolingTest, ReduceWindow) {
  const std::string opcodes[] = {"add", "maximum", "minimum", "multiply"};
  int compared = 0;
  for (int round = 0; round < 600; ++round) {
    const ElementType type = kTypes[round % 8];
    has_special_ = round % 7 < 3;
    const std::optional<Windows> windows = RandomWindows(Random(1, 4), round % 5 == 0 ? 200 : 30, round % 3 == 0);
    if (!windows) continue;
    ExpectKnownAsUnknown(Computations(type, opcodes[round / 8 % 4], "GE"), ReduceWindowText(type, *windows, "f"),
                         ReduceWindowText(type, *windows, "g"),
                         {Value(RandomTensor(type, windows->sizes)), Value(RandomTensor(type, {}))});
    if (HasFatalFailure()) return;
    ++compared;
  }
  EXPECT_GT(compared, 300);
}

// More lanes, and more elements of a window, than are folded at a time; sums that grow along one dimension.
TEST_F(PoolingTest, LargeWindowsAndLongRows) {
  const auto dimension = [](int64_t size, int64_t stride, int64_t low, int64_t high) {
    WindowDimension w;
    w.size = size;
    w.stride = stride;
    w.padding_low = low;
    w.padding_high = high;
    return w;
  };
  const Windows cases[] = {
      {{10000}, {9998}, {dimension(3, 1, 0, 0)}},
      {{10000}, {5000}, {dimension(3, 2, 1, 0)}},
      {{60, 70}, {23, 33}, {dimension(40, 1, 2, 0), dimension(40, 1, 0, 2)}},
      {{3000}, {1001}, {dimension(2000, 1, 0, 0)}},
      {{40, 50, 3}, {40, 50, 3}, {dimension(1, 1, 0, 0), dimension(50, 1, 49, 0), dimension(1, 1, 0, 0)}},
      {{3, 700}, {3, 700}, {dimension(1, 1, 0, 0), dimension(700, 1, 699, 0)}},
      {{9, 5000}, {9, 5000}, {dimension(9, 1, 8, 0), dimension(1, 1, 0, 0)}},
  };
  for (const ElementType type : {ElementType::kF32, ElementType::kBF16, ElementType::kS32}) {
    for (const std::string opcode : {"add", "maximum"}) {
      has_special_ = type != ElementType::kBF16;
      for (const Windows& windows : cases) {
        ExpectKnownAsUnknown(Computations(type, opcode, "GE"), ReduceWindowText(type, windows, "f"),
                             ReduceWindowText(type, windows, "g"),
                             {Value(RandomTensor(type, windows.sizes)), Value(RandomTensor(type, {}))});
        if (HasFatalFailure()) return;
      }
    }
  }
}

std::string SelectAndScatterText(ElementType type, const Windows& windows, const std::string& select,
                                 const std::string& scatter) {
  const std::string shape = ShapeText(type, windows.sizes);
  return absl::StrCat("ENTRY e { x = ", shape, " parameter(0) y = ", ShapeText(type, windows.counts),
                      " parameter(1) i = ", ElementTypeName(type), "[] parameter(2) ROOT r = ", shape,
                      " select-and-scatter(x, y, i), ", WindowText(windows.window), ", select=", select,
                      ", scatter=", scatter, " }");
}

TEST_F(PoolingTest, SelectAndScatter) {
  const std::string opcodes[] = {"add", "maximum", "multiply"};
  const std::string directions[] = {"GE", "LE", "GT", "LT"};
  int compared = 0;
  for (int round = 0; round < 800; ++round) {
    const ElementType type = kTypes[round % 8];
    has_special_ = round % 7 < 3;
    const std::optional<Windows> windows = RandomWindows(Random(1, 4), round % 5 == 0 ? 200 : 30, false);
    if (!windows) continue;
    ExpectKnownAsUnknown(Computations(type, opcodes[round / 8 % 3], directions[round % 4]),
                         SelectAndScatterText(type, *windows, "s", "f"), SelectAndScatterText(type, *windows, "t", "g"),
                         {Value(RandomTensor(type, windows->sizes)), Value(RandomTensor(type, windows->counts)),
                          Value(RandomTensor(type, {}))});
    if (HasFatalFailure()) return;
    ++compared;
  }
  EXPECT_GT(compared, 400);
}

// Images of some thousand elements, whose results are filled piece by piece: by windows that overlap, that leave gaps
// between and after them, and that begin in padding; and windows of so many elements that lanes go one by one.
TEST_F(PoolingTest, SelectAndScatterOfImages) {
  const auto dimension = [](int64_t size, int64_t stride, int64_t low) {
    WindowDimension w;
    w.size = size;
    w.stride = stride;
    w.padding_low = low;
    return w;
  };
  for (const int64_t images : {1, 9}) {
    for (const WindowDimension& w :
         {dimension(3, 2, 1), dimension(2, 3, 0), dimension(3, 1, 2), dimension(1, 7, 0), dimension(5, 2, 0)}) {
      for (const int64_t features : {1, 7, 20, 48}) {
        Windows windows;
        windows.sizes = {images, 21, 23, features};
        windows.window = {dimension(1, 1, 0), w, w, dimension(1, 1, 0)};
        for (size_t d = 0; d < 4; ++d) windows.counts.push_back(*WindowCount(windows.sizes[d], windows.window[d]));
        for (const ElementType type : {ElementType::kF32, ElementType::kBF16}) {
          ExpectKnownAsUnknown(Computations(type, "add", "GE"), SelectAndScatterText(type, windows, "s", "f"),
                               SelectAndScatterText(type, windows, "t", "g"),
                               {Value(RandomTensor(type, windows.sizes)), Value(RandomTensor(type, windows.counts)),
                                Value(RandomTensor(type, {}))});
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

}  // namespace
}  // namespace hloscope::evaluator
