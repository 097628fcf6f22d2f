// SPDX-License-Identifier: Apache-2.0
// Shapes from bytes are those from messages, or the same error.
#include "interop/hlo_proto/shape_bytes.h"

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "interop/hlo_proto/shapes.h"
#include "interop/proto/xla_data.pb.h"

namespace hloscope::interop {
namespace {

class ShapeBytesTest : public ::testing::Test {
 protected:
  int Below(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }
  bool Rarely() { return Below(8) == 0; }

  // Mostly as XLA writes them, sometimes with what is rare or wrong.
  proto::ShapeProto AnyShape(int levels) {
    proto::ShapeProto shape;
    if (levels > 0 && Below(3) == 0) {
      shape.set_element_type(proto::TUPLE);
      for (int k = Below(4); k > 0; --k) *shape.add_tuple_shapes() = AnyShape(levels - 1);
      if (Rarely()) shape.add_dimensions(3);
      if (Rarely()) shape.mutable_layout();
      return shape;
    }
    shape.set_element_type(Rarely() ? static_cast<proto::PrimitiveType>(Below(40)) : proto::F32);
    const int rank = Below(5);
    for (int d = 0; d < rank; ++d) {
      shape.add_dimensions(Rarely() ? -1 : Below(300));
      if (!Rarely()) shape.add_is_dynamic_dimension(Rarely());
    }
    if (Rarely()) return shape;
    proto::LayoutProto& layout = *shape.mutable_layout();
    for (int d = rank; d-- > 0;) layout.add_minor_to_major(Rarely() ? Below(rank + 1) : d);
    if (!Rarely()) layout.set_tail_padding_alignment_in_elements(Rarely() ? 128 : 1);
    if (Rarely()) layout.add_tiles()->add_dimensions(8);
    if (Rarely()) layout.set_memory_space(1);
    if (Rarely()) *shape.add_tuple_shapes() = AnyShape(0);
    return shape;
  }

  static absl::StatusOr<Shape> ByMessage(const std::string& bytes) {
    proto::ShapeProto message;
    if (!message.ParseFromString(bytes)) return absl::DataLossError("the message is damaged");
    return ShapeFromProto(message);
  }
  static void ExpectTheSame(const std::string& bytes) {
    const absl::StatusOr<Shape> read = ShapeFromBytes(bytes), expected = ByMessage(bytes);
    ASSERT_EQ(read.status(), expected.status());
    if (read.ok()) {
      ASSERT_EQ(*read, *expected);
      ASSERT_EQ(read->ToString(), expected->ToString());
    }
  }

  std::mt19937 random_{20};
};

TEST_F(ShapeBytesTest, AreThoseOfTheMessage) {
  int good = 0;
  for (int k = 0; k < 5000; ++k) {
    const std::string bytes = AnyShape(3).SerializeAsString();
    ExpectTheSame(bytes);
    good += ShapeFromBytes(bytes).ok();
  }
  EXPECT_GT(good, 1000);
  EXPECT_LT(good, 4900);
}

TEST_F(ShapeBytesTest, DamagedOnesHaveTheSameError) {
  for (int k = 0; k < 300; ++k) {
    std::string bytes = AnyShape(2).SerializeAsString();
    for (size_t size = 0; size < bytes.size(); ++size) ExpectTheSame(bytes.substr(0, size));
    if (bytes.empty()) continue;
    for (int change = 0; change < 20; ++change) {
      bytes[static_cast<size_t>(Below(static_cast<int>(bytes.size())))] = static_cast<char>(Below(256));
      ExpectTheSame(bytes);
    }
  }
}

// Fields that come twice count as a message counts them: the last number, and all dimensions.
TEST_F(ShapeBytesTest, TwoMessagesAfterEachOtherAreMerged) {
  for (int k = 0; k < 1000; ++k) ExpectTheSame(AnyShape(1).SerializeAsString() + AnyShape(1).SerializeAsString());
}

TEST_F(ShapeBytesTest, DeepTuplesAreReadUpToTheLimitOfMessages) {
  for (const int levels : {10, 15, 16, 17, 60, 99, 100, 120}) {
    std::string bytes = AnyShape(0).SerializeAsString();
    for (int k = 0; k < levels; ++k) {
      proto::ShapeProto tuple;
      tuple.set_element_type(proto::TUPLE);
      std::string outer = tuple.SerializeAsString();
      outer.push_back(static_cast<char>(proto::ShapeProto::kTupleShapesFieldNumber << 3 | 2));
      for (size_t size = bytes.size();; size >>= 7) {
        outer.push_back(static_cast<char>(size < 0x80 ? size : (size & 0x7F) | 0x80));
        if (size < 0x80) break;
      }
      bytes.insert(0, outer);
    }
    ExpectTheSame(bytes);
  }
}

}  // namespace
}  // namespace hloscope::interop
