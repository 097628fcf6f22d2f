// SPDX-License-Identifier: Apache-2.0
// Literals from bytes are those from messages, or the same error.
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "interop/hlo_proto/literals.h"
#include "interop/hlo_proto/shapes.h"
#include "interop/proto/xla_data.pb.h"

namespace hloscope::interop {
namespace {

class LiteralMessageTest : public ::testing::Test {
 protected:
  int Below(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }

  // Of any array type, in any order of dimensions, with any bits.
  proto::LiteralProto AnyArray() {
    std::vector<ElementType> types;
    for (int number = 0; number < 64; ++number) {
      const ElementType type = ElementTypeFromNumber(number);
      if (type != ElementType::kInvalid && IsArrayElement(type)) types.push_back(type);
    }
    const ElementType type = types[static_cast<size_t>(Below(static_cast<int>(types.size())))];
    std::vector<int64_t> sizes;
    for (int d = Below(4); d > 0; --d) sizes.push_back(Below(4));
    Shape shape = Shape::Array(type, sizes);
    Layout layout = Layout::RowMajor(shape.rank());
    std::shuffle(layout.minor_to_major.begin(), layout.minor_to_major.end(), random_);
    shape.set_layout(layout);
    std::vector<uint8_t> bytes(static_cast<size_t>(shape.ElementCount() * StorageBytes(type)));
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(type == ElementType::kPred ? Below(2) : Below(256));
    proto::LiteralProto message;
    const absl::StatusOr<Literal> literal = LiteralFromBytes(shape, bytes);
    EXPECT_TRUE(literal.ok()) << literal.status();
    EXPECT_TRUE(LiteralToProto(*literal, &message).ok());
    ShapeToProto(shape, message.mutable_shape());
    if (Below(10) == 0) message.add_s32s(-1);
    if (Below(10) == 0) message.clear_shape();
    return message;
  }

  static void ExpectTheSame(const std::string& bytes) {
    const absl::StatusOr<Literal> read = LiteralFromMessage(bytes);
    proto::LiteralProto message;
    if (!message.ParseFromString(bytes)) {
      ASSERT_TRUE(absl::IsDataLoss(read.status())) << read.status();
      return;
    }
    const absl::StatusOr<Literal> expected = LiteralFromProto(message);
    ASSERT_EQ(read.status(), expected.status());
    if (read.ok()) {
      ASSERT_TRUE(*read == *expected) << message.DebugString();
    }
  }

  std::mt19937 random_{21};
};

TEST_F(LiteralMessageTest, AreThoseOfTheMessage) {
  for (int k = 0; k < 5000; ++k) {
    std::string bytes = AnyArray().SerializeAsString();
    ExpectTheSame(bytes);
    // What comes in two pieces.
    if (k % 8 == 0) ExpectTheSame(bytes + AnyArray().SerializeAsString());
  }
}

TEST_F(LiteralMessageTest, DamagedOnesHaveTheSameError) {
  for (int k = 0; k < 300; ++k) {
    std::string bytes = AnyArray().SerializeAsString();
    for (size_t size = 0; size < bytes.size(); ++size) ExpectTheSame(bytes.substr(0, size));
    if (bytes.empty()) continue;
    for (int change = 0; change < 20; ++change) {
      bytes[static_cast<size_t>(Below(static_cast<int>(bytes.size())))] = static_cast<char>(Below(256));
      ExpectTheSame(bytes);
    }
  }
}

}  // namespace
}  // namespace hloscope::interop
