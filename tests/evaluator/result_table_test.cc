// SPDX-License-Identifier: Apache-2.0
// Functions of 8 and 16 bits give the same bits with a table of their results and without.
#include "numerics/rows/result_table.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

#include "core/ir/elementwise_table.h"
#include "evaluator/kernels/lanes/lane_function.h"
#include "gtest/gtest.h"

namespace hloscope::evaluator {
namespace {

using numerics::ResultTable;

constexpr ElementType kOperandTypes[] = {
    ElementType::kBF16,     ElementType::kF16,           ElementType::kF8E5M2,     ElementType::kF8E4M3,
    ElementType::kF8E4M3FN, ElementType::kF8E4M3B11FNUZ, ElementType::kF8E5M2FNUZ, ElementType::kF8E4M3FNUZ,
    ElementType::kF8E3M4,   ElementType::kF8E8M0FNU};

// All bits that an operand can have, `repeats` times.
std::vector<uint8_t> AllValues(int64_t bytes, int repeats) {
  std::vector<uint8_t> values;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    for (int64_t v = 0; v < (int64_t{1} << (8 * bytes)); ++v) {
      values.push_back(static_cast<uint8_t>(v & 0xff));
      if (bytes == 2) values.push_back(static_cast<uint8_t>(v >> 8));
    }
  }
  return values;
}

// Of all values: a few at a time, for which no table is asked, and all at once until there is one.
void ExpectSame(const LaneFunction& function, ElementType type) {
  const int64_t bytes = StorageBytes(type), result_bytes = StorageBytes(function.result_type());
  const std::vector<uint8_t> values = AllValues(bytes, 1);
  const int64_t count = static_cast<int64_t>(values.size()) / bytes;
  std::vector<uint8_t> computed(static_cast<size_t>(count * result_bytes));
  constexpr int64_t kFew = ResultTable::kLeastLanes / 2;
  for (int64_t first = 0; first < count; first += kFew) {
    const LaneOperand lanes = {values.data() + first * bytes, false};
    function(&lanes, computed.data() + first * result_bytes, kFew);
  }
  for (int round = 0; round < 3; ++round) {
    std::vector<uint8_t> results(computed.size());
    const LaneOperand lanes = {values.data(), false};
    function(&lanes, results.data(), count);
    ASSERT_EQ(results, computed) << "round " << round;
  }
  if (bytes != result_bytes) return;
  std::vector<uint8_t> in_place = values;
  const LaneOperand lanes = {in_place.data(), false};
  function(&lanes, in_place.data(), count);
  EXPECT_EQ(in_place, computed);
}

TEST(ResultTableTest, UnaryFunctionsHaveTheSameBits) {
  int functions = 0;
  for (ElementType type : kOperandTypes) {
    for (Opcode opcode : AllOpcodes()) {
      const ElementType result = opcode == Opcode::kIsFinite ? ElementType::kPred : type;
      const auto function = LaneFunction::Create(opcode, {type}, result);
      if (!function.ok()) continue;
      SCOPED_TRACE(::testing::Message() << OpcodeName(opcode) << " of " << ElementTypeName(type));
      ExpectSame(*function, type);
      ++functions;
    }
  }
  EXPECT_GT(functions, 200);
}

TEST(ResultTableTest, ConversionsHaveTheSameBits) {
  for (ElementType from : kOperandTypes) {
    for (ElementType to : kOperandTypes) {
      SCOPED_TRACE(::testing::Message() << ElementTypeName(from) << " to " << ElementTypeName(to));
      ExpectSame(LaneFunction::Convert(from, to), from);
    }
  }
}

TEST(ResultTableTest, IsMadeOnceAfterAsManyElementsAsItHas) {
  int64_t computed = 0;
  ResultTable table(
      [&](const uint8_t* operand, uint8_t* result, int64_t count) {
        computed += count;
        for (int64_t i = 0; i < count; ++i) result[i] = static_cast<uint8_t>(~operand[i]);
      },
      1, 1);
  const std::vector<uint8_t> values = AllValues(1, 1);
  std::vector<uint8_t> results(values.size(), 7);
  EXPECT_FALSE(table.LookUp(values.data(), results.data(), 256));
  EXPECT_EQ(results, std::vector<uint8_t>(values.size(), 7));
  EXPECT_EQ(computed, 0);
  for (int round = 0; round < 2; ++round) {
    EXPECT_TRUE(table.LookUp(values.data(), results.data(), 256));
    EXPECT_EQ(computed, 256);
    for (size_t i = 0; i < values.size(); ++i) ASSERT_EQ(results[i], 255 - values[i]);
  }
}

// Beyond 64 MiB of all tables there is none: results are computed as before.
TEST(ResultTableTest, AllTogetherHoldLimitedMemory) {
  const std::vector<uint8_t> values = AllValues(2, 1);
  std::vector<uint8_t> results(values.size());
  std::vector<std::unique_ptr<ResultTable>> tables;
  int made = 0;
  for (int k = 0; k < 600; ++k) {
    tables.push_back(std::make_unique<ResultTable>(
        [](const uint8_t* operand, uint8_t* result, int64_t count) { std::copy_n(operand, 2 * count, result); }, 2, 2));
    EXPECT_FALSE(tables.back()->LookUp(values.data(), results.data(), 65536));
    made += tables.back()->LookUp(values.data(), results.data(), 65536) ? 1 : 0;
  }
  EXPECT_GT(made, 300);
  EXPECT_LE(made, 512);
  EXPECT_FALSE(tables.back()->LookUp(values.data(), results.data(), 65536));
  tables.clear();  // gives the memory back
  ResultTable other(
      [](const uint8_t* operand, uint8_t* result, int64_t count) { std::copy_n(operand, 2 * count, result); }, 2, 2);
  EXPECT_FALSE(other.LookUp(values.data(), results.data(), 65536));
  EXPECT_TRUE(other.LookUp(values.data(), results.data(), 65536));
  EXPECT_EQ(results, values);
}

TEST(ResultTableTest, ThreadsShareIt) {
  std::atomic<int64_t> made = 0;
  ResultTable table(
      [&](const uint8_t* operand, uint8_t* result, int64_t count) {
        ++made;
        for (int64_t i = 0; i < count; ++i) {
          reinterpret_cast<uint16_t*>(result)[i] = reinterpret_cast<const uint16_t*>(operand)[i] ^ 1;
        }
      },
      2, 2);
  std::vector<std::thread> threads;
  std::atomic<int64_t> wrong = 0;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      std::vector<uint16_t> values(1000), results(1000);
      std::iota(values.begin(), values.end(), uint16_t{0});
      for (int round = 0; round < 200; ++round) {
        if (!table.LookUp(reinterpret_cast<const uint8_t*>(values.data()), reinterpret_cast<uint8_t*>(results.data()),
                          1000)) {
          continue;
        }
        for (size_t i = 0; i < values.size(); ++i) wrong += results[i] != (values[i] ^ 1);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(made, 1);
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace hloscope::evaluator
