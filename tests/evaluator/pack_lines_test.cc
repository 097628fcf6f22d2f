// SPDX-License-Identifier: Apache-2.0
#include "numerics/contraction/pack_lines.h"

#include <algorithm>
#include <random>
#include <vector>

#include "gtest/gtest.h"
#include "numerics/elements/numeric.h"

namespace hloscope::evaluator {
namespace {

// A part of a matrix, and how its lines lie in memory.
struct Part {
  int64_t line_stride, step, first, count, begin, end, panel;
  size_t packed_size() const { return static_cast<size_t>((end - begin) * panel); }
};

class PackLinesTest : public ::testing::Test {
 protected:
  int64_t Random(int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(random_); }

  // Of `lines_` lines of `inner_` elements, or of that many pairs.
  Part RandomPart(int64_t elements) {
    Part part;
    lines_ = Random(1, 40);
    // Lines are rows, columns, or neither.
    const int64_t layout = Random(0, 2), gap = Random(0, 3);
    part.step = layout == 0 ? 1 : layout == 1 ? lines_ + gap : 2;
    part.line_stride = layout == 0 ? inner_ + gap : layout == 1 ? 1 : 2 * inner_ + gap;
    part.first = Random(0, lines_ - 1);
    part.count = Random(1, lines_ - part.first);
    part.begin = Random(0, elements - 1);
    part.end = Random(part.begin + 1, elements);
    part.panel = part.count + Random(0, 1) * Random(1, 5);
    return part;
  }
  template <typename T>
  std::vector<T> Matrix(const Part& part, T greatest) {
    std::vector<T> matrix(static_cast<size_t>((lines_ - 1) * part.line_stride + (inner_ - 1) * part.step + 1));
    for (T& element : matrix) element = static_cast<T>(Random(1, static_cast<int64_t>(greatest)));
    return matrix;
  }
  // What is at element k of a line.
  template <typename T>
  static T At(const std::vector<T>& matrix, const Part& part, int64_t line, int64_t k) {
    return matrix[static_cast<size_t>(line * part.line_stride + k * part.step)];
  }
  // Every place of the packed part against element(line, k), 0 after the last line.
  template <typename T, typename Element>
  static void ExpectPacked(const std::vector<T>& packed, const Part& part, const Element& element) {
    for (int64_t k = part.begin; k < part.end; ++k) {
      for (int64_t l = 0; l < part.panel; ++l) {
        const T expected = l < part.count ? element(part.first + l, k) : T();
        ASSERT_EQ(packed[static_cast<size_t>((k - part.begin) * part.panel + l)], expected)
            << "line " << part.first + l << ", element " << k << ", stride " << part.line_stride << ", step "
            << part.step;
      }
    }
  }
  template <typename T>
  void ExpectStridedLines() {
    inner_ = Random(1, 50);
    const Part part = RandomPart(inner_);
    const std::vector<T> matrix = Matrix<T>(part, T(1000));
    std::vector<T> packed(part.packed_size(), T(-1));
    numerics::PackStrided(matrix.data(), part.line_stride, part.step, part.first, part.count, part.begin, part.end,
                          part.panel, packed.data());
    ExpectPacked(packed, part, [&](int64_t line, int64_t k) { return At(matrix, part, line, k); });
  }

  std::mt19937 random_{20261122};
  int64_t lines_ = 0, inner_ = 0;
};

TEST_F(PackLinesTest, EveryElementFindsItsPlace) {
  for (int round = 0; round < 400; ++round) {
    ExpectStridedLines<float>();
    ExpectStridedLines<double>();
  }
}

TEST_F(PackLinesTest, Bf16IsWidened) {
  for (int round = 0; round < 400; ++round) {
    inner_ = Random(1, 50);
    const Part part = RandomPart(inner_);
    const std::vector<uint16_t> matrix = Matrix<uint16_t>(part, 0x7f7f);
    std::vector<float> packed(part.packed_size(), -1.0f);
    const numerics::Bf16Lines lines = {matrix.data(), part.line_stride, part.step, inner_};
    lines.Pack(part.first, part.count, part.begin, part.end, part.panel, packed.data());
    ExpectPacked(packed, part,
                 [&](int64_t line, int64_t k) { return numerics::Bf16ToFloat(At(matrix, part, line, k)); });
  }
}

TEST_F(PackLinesTest, PairsOfBf16AreNeighboursAndAnOddOneStandsAlone) {
  for (int round = 0; round < 400; ++round) {
    inner_ = Random(1, 50);
    const Part part = RandomPart((inner_ + 1) / 2);
    const std::vector<uint16_t> matrix = Matrix<uint16_t>(part, 0xffff);
    std::vector<uint32_t> packed(part.packed_size(), 1);
    const numerics::Bf16Lines lines = {matrix.data(), part.line_stride, part.step, inner_};
    lines.PackPairs(part.first, part.count, part.begin, part.end, part.panel, packed.data());
    ExpectPacked(packed, part, [&](int64_t line, int64_t pair) {
      const uint32_t low = At(matrix, part, line, 2 * pair);
      const uint32_t high = 2 * pair + 1 < inner_ ? At(matrix, part, line, 2 * pair + 1) : 0;
      return low | high << 16;
    });
  }
}

}  // namespace
}  // namespace hloscope::evaluator
