// SPDX-License-Identifier: Apache-2.0
// Fields of messages may come in any order, and in several pieces.
#include "interop/hlo_proto/module_bytes.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "interop/proto/hlo.pb.h"
#include "tests/support/processor_time.h"
#include "tests/support/time_limit.h"

namespace hloscope::interop {
namespace {

using ::testing::ElementsAreArray;

// A field of bytes.
std::string Field(int number, const std::string& bytes) {
  std::string field(1, static_cast<char>(number << 3 | 2));
  size_t length = bytes.size();
  for (; length >= 0x80; length >>= 7) field.push_back(static_cast<char>((length & 0x7F) | 0x80));
  field.push_back(static_cast<char>(length));
  return field + bytes;
}

TEST(ModuleBytesTest, ListsComeInAnyOrderAndInPieces) {
  std::mt19937 random(22);
  const auto below = [&](int count) { return std::uniform_int_distribution<int>(0, count - 1)(random); };
  for (int trial = 0; trial < 300; ++trial) {
    std::string instruction;
    std::vector<int64_t> lists[3];
    for (int piece = below(8); piece > 0; --piece) {
      proto::HloInstructionProto part;
      const int list = below(3);
      for (int k = below(4); k > 0; --k) {
        const int64_t id = below(2) == 0 ? below(100) : int64_t{7} << 32 | below(100);
        lists[list].push_back(id);
        if (list == 0) part.add_operand_ids(id);
        if (list == 1) part.add_control_predecessor_ids(id);
        if (list == 2) part.add_called_computation_ids(id);
      }
      if (below(3) == 0) part.add_dimensions(1);  // anything else
      instruction += part.SerializeAsString();
    }
    proto::HloInstructionProto first;
    first.add_operand_ids(1);
    first.add_called_computation_ids(2);
    const int in_computation = proto::HloComputationProto::kInstructionsFieldNumber;
    const std::string bytes =
        Field(proto::HloModuleProto::kComputationsFieldNumber,
              Field(in_computation, first.SerializeAsString()) + Field(in_computation, instruction));
    ModuleBytes cut;
    ASSERT_TRUE(cut.Cut(bytes));
    ASSERT_EQ(cut.instructions().size(), 2u);
    EXPECT_THAT(cut.operands(cut.instructions()[0]), ElementsAreArray({1}));
    EXPECT_THAT(cut.callees(cut.instructions()[0]), ElementsAreArray({2}));
    const ModuleBytes::Instruction& read = cut.instructions()[1];
    EXPECT_THAT(cut.operands(read), ElementsAreArray(lists[0]));
    EXPECT_THAT(cut.predecessors(read), ElementsAreArray(lists[1]));
    EXPECT_THAT(cut.callees(read), ElementsAreArray(lists[2]));
  }
}

// A list of many numbers, and in front of it another one whose numbers come one by one.
TEST(ModuleBytesTest, MixedListsOfAnyLengthTakeTimeInProportion) {
  constexpr int kCount = 200000;
  proto::HloInstructionProto callees, operand;
  for (int k = 0; k < kCount; ++k) callees.add_called_computation_ids(k);
  operand.add_operand_ids(1);
  std::string instruction = callees.SerializeAsString();
  for (int k = 0; k < kCount; ++k) instruction += operand.SerializeAsString();
  const std::string bytes = Field(proto::HloModuleProto::kComputationsFieldNumber,
                                  Field(proto::HloComputationProto::kInstructionsFieldNumber, instruction));
  ModuleBytes cut;
  const double start = ProcessorSeconds();
  ASSERT_TRUE(cut.Cut(bytes));
  EXPECT_LT(ProcessorSeconds() - start, TimeLimit(0.5));
  EXPECT_EQ(cut.operands(cut.instructions()[0]).size(), size_t{kCount});
  ASSERT_EQ(cut.callees(cut.instructions()[0]).size(), size_t{kCount});
  EXPECT_EQ(cut.callees(cut.instructions()[0])[kCount - 1], kCount - 1);
}

}  // namespace
}  // namespace hloscope::interop
