// SPDX-License-Identifier: Apache-2.0
// The first few elements of a line are those that sorting it puts first.
#include "numerics/sorting/top_of_line.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#include "gtest/gtest.h"
#include "numerics/elements/elementwise_functions.h"

namespace hloscope::evaluator {
namespace {

using numerics::ElementType;

std::vector<int64_t> BySorting(const numerics::StrictOrder& by, const std::vector<uint8_t>& line, int64_t length,
                               int64_t k) {
  std::vector<int64_t> keys(static_cast<size_t>(length)), order(keys.size());
  numerics::OrderKeys(by.type, line.data(), length, keys.data());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    const int64_t x = keys[static_cast<size_t>(a)], y = keys[static_cast<size_t>(b)];
    return by.descending ? x > y : x < y;
  });
  order.resize(static_cast<size_t>(k));
  return order;
}

void ExpectTheFirst(ElementType type, const std::vector<uint8_t>& line, int64_t length) {
  for (const bool descending : {false, true}) {
    for (const int64_t k : {int64_t{0}, int64_t{1}, int64_t{10}, length / 2, length - 1, length}) {
      if (k < 0 || k > length) continue;
      const numerics::StrictOrder by = {type, descending, /*total_order=*/true};
      std::vector<int64_t> positions(static_cast<size_t>(k));
      numerics::TopOfLine(by, line.data(), length, k, positions.data());
      ASSERT_EQ(positions, BySorting(by, line, length, k)) << static_cast<int>(type) << ' ' << length << ' ' << k;
    }
  }
}

TEST(TopOfLineTest, IsWhatSortingPutsFirst) {
  std::mt19937 random(11);
  for (const ElementType type :
       {ElementType::kPred, ElementType::kS8, ElementType::kU8, ElementType::kS16, ElementType::kU32, ElementType::kS64,
        ElementType::kU64, ElementType::kF8E4M3FN, ElementType::kF8E8M0FNU, ElementType::kBF16, ElementType::kF16,
        ElementType::kF32, ElementType::kF64}) {
    for (const int64_t length : {0, 1, 7, 255, 256, 257, 1000, 5000}) {
      std::vector<uint8_t> line(static_cast<size_t>(length * numerics::StorageBytes(type)));
      // Any bits, NaNs and infinities included; then few that differ, so that many are equal.
      for (const uint32_t most : {256u, 2u}) {
        for (uint8_t& byte : line) byte = static_cast<uint8_t>(random() % most);
        if (type == ElementType::kPred) {
          for (uint8_t& byte : line) byte &= 1;
        }
        ExpectTheFirst(type, line, length);
      }
    }
  }
}

TEST(TopOfLineTest, KeysOfFloatsAreTheirTotalOrder) {
  std::mt19937_64 random(12);
  for (const ElementType type :
       {ElementType::kF8E5M2, ElementType::kF8E4M3FN, ElementType::kF8E4M3FNUZ, ElementType::kF4E2M1FN,
        ElementType::kF8E8M0FNU, ElementType::kBF16, ElementType::kF16, ElementType::kF32, ElementType::kF64}) {
    constexpr int64_t kLength = 4099;
    const size_t bytes = static_cast<size_t>(numerics::StorageBytes(type));
    const int width = numerics::BitWidth(type);
    std::vector<uint8_t> line(kLength * bytes);
    std::vector<uint64_t> patterns;
    for (size_t i = 0; i < kLength; ++i) {
      const uint64_t pattern = random() >> (64 - width);
      patterns.push_back(pattern);
      std::memcpy(&line[i * bytes], &pattern, bytes);
    }
    std::vector<int64_t> keys(kLength);
    numerics::OrderKeys(type, line.data(), kLength, keys.data());
    const numerics::FloatFormat& format = numerics::FloatFormatOf(type);
    for (size_t i = 0; i < kLength; ++i) {
      ASSERT_EQ(keys[i],
                numerics::elementwise::TotalOrderKey(patterns[i], width, format.has_sign, format.has_negative_zero))
          << static_cast<int>(type) << ' ' << patterns[i];
    }
  }
}

// Every element of a line in the wrong order is among the first, up to its place.
TEST(TopOfLineTest, LinesInOrderAndInReverse) {
  constexpr int64_t kLength = 3000;
  std::vector<int32_t> numbers(kLength);
  std::iota(numbers.begin(), numbers.end(), -1000);
  for (int turn = 0; turn < 2; ++turn) {
    const auto* const bytes = reinterpret_cast<const uint8_t*>(numbers.data());
    ExpectTheFirst(ElementType::kS32, std::vector<uint8_t>(bytes, bytes + kLength * 4), kLength);
    std::reverse(numbers.begin(), numbers.end());
  }
}

}  // namespace
}  // namespace hloscope::evaluator
