// SPDX-License-Identifier: Apache-2.0
#include "evaluator/tensor/tensor.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "evaluator/tensor/arena.h"
#include "evaluator/tensor/value.h"
#include "gtest/gtest.h"

namespace hloscope::evaluator {
namespace {

Tensor Iota(absl::Span<const int64_t> dimensions) {
  Tensor tensor = *Tensor::Allocate(ElementType::kS32, dimensions);
  std::iota(tensor.mutable_data_as<int32_t>(), tensor.mutable_data_as<int32_t>() + tensor.element_count(), 0);
  return tensor;
}

TEST(TensorTest, SizesThatCannotBeAddressedAreErrors) {
  const int64_t huge = int64_t{1} << 40;
  EXPECT_FALSE(Tensor::Allocate(ElementType::kF32, {huge, huge}).ok());
  EXPECT_FALSE(Tensor::Allocate(ElementType::kF32, {-1}).ok());
  EXPECT_FALSE(Tensor::Allocate(ElementType::kToken, {}).ok());
  EXPECT_EQ(Tensor::Allocate(ElementType::kF32, {huge, 1 << 10}).status().code(), absl::StatusCode::kResourceExhausted);
  const absl::StatusOr<Tensor> empty = Tensor::Allocate(ElementType::kF32, {huge, 0, huge});
  ASSERT_TRUE(empty.ok());
  EXPECT_EQ(empty->element_count(), 0);
  EXPECT_TRUE(empty->IsContiguous());
}

TEST(TensorTest, ViewsAreCopiedInLogicalOrder) {
  const Tensor t = Iota({2, 3, 4});
  // Transposed to [4,2,3] with the middle dimension reversed.
  const Tensor view = t.View({4, 2, 3}, {1, -12, 4}, 12);
  const Tensor copy = *view.Copy();
  ASSERT_TRUE(copy.IsContiguous());
  const int32_t* values = copy.data_as<int32_t>();
  for (int64_t i = 0; i < 4; ++i) {
    for (int64_t j = 0; j < 2; ++j) {
      for (int64_t k = 0; k < 3; ++k) EXPECT_EQ(*values++, (1 - j) * 12 + k * 4 + i);
    }
  }
}

TEST(TensorTest, LargeTransposeAndBroadcastCopy) {
  const Tensor t = Iota({67, 129});
  const Tensor transposed = *t.View({129, 67}, {1, 129}, 0).Copy();
  for (int64_t i = 0; i < 129; ++i) {
    for (int64_t j = 0; j < 67; ++j) ASSERT_EQ(transposed.data_as<int32_t>()[i * 67 + j], j * 129 + i);
  }
  const Tensor repeated = *t.View({3, 67, 2}, {0, 129, 0}, 5).Copy();
  for (int64_t i = 0; i < 3 * 67 * 2; ++i) ASSERT_EQ(repeated.data_as<int32_t>()[i], i / 2 % 67 * 129 + 5);
}

TEST(TensorTest, ReshapeSharesWhereStridesAllow) {
  const Tensor t = Iota({4, 6});
  EXPECT_EQ(t.Reshape({2, 12})->data(), t.data());
  const Tensor columns = t.View({4, 3}, {6, 2}, 0);  // every other column
  const Tensor split = *columns.Reshape({2, 2, 3, 1});
  EXPECT_EQ(split.data(), t.data());
  EXPECT_EQ(*reinterpret_cast<const int32_t*>(split.At({1, 0, 2, 0})), 2 * 6 + 4);
  const Tensor flat = *columns.Reshape({12});  // walks with one stride: 0 2 4 6 ...
  EXPECT_EQ(flat.data_as<int32_t>()[1 * flat.strides()[0]], 2);
  const Tensor mixed = *t.View({6, 4}, {1, 6}, 0).Reshape({24});
  EXPECT_NE(mixed.data(), t.data());
  EXPECT_EQ(mixed.data_as<int32_t>()[1], 6);
  EXPECT_FALSE(t.Reshape({5, 5}).ok());
}

TEST(TensorTest, LiteralsFillMissingElementsWithZeros) {
  Literal literal(Shape::Array(ElementType::kS32, {4}));
  literal.mutable_bytes() = {7, 0, 0, 0, 8, 0, 0, 0};
  const Tensor tensor = *Tensor::FromLiteral(literal);
  EXPECT_EQ(std::vector<int32_t>(tensor.data_as<int32_t>(), tensor.data_as<int32_t>() + 4),
            (std::vector<int32_t>{7, 8, 0, 0}));
  const int64_t before = Buffer::LiveBytes();
  const absl::StatusOr<Tensor> zeros =
      Tensor::FromLiteral(Literal(Shape::Array(ElementType::kF64, {1000, 1000, 1000, 1000})));
  ASSERT_TRUE(zeros.ok());
  EXPECT_LE(Buffer::LiveBytes() - before, 64);
  literal.set_elided();
  EXPECT_EQ(Tensor::FromLiteral(literal).status().code(), absl::StatusCode::kFailedPrecondition);
}

TEST(BufferTest, BytesAreCountedAndLimited) {
  const int64_t before = Buffer::LiveBytes();
  {
    const Tensor tensor = Iota({1000});
    EXPECT_EQ(Buffer::LiveBytes() - before, 4000);
    const Value tuple = Value::Tuple({tensor, Value::Tuple({tensor.View({2}, {0}, 3)}), Value::Token()});
    EXPECT_EQ(tuple.BufferBytes(), 4000);
    EXPECT_EQ(Buffer::LiveBytes() - before, 4000);
  }
  EXPECT_EQ(Buffer::LiveBytes(), before);
  EXPECT_GE(Buffer::PeakBytes(), before + 4000);
  Buffer::SetLimit(before + 10000);
  EXPECT_EQ(Buffer::Allocate(10001).status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_TRUE(Buffer::Allocate(10000).ok());
  Buffer::SetLimit(0);
}

TEST(BufferTest, EverySizeIsAlignedAndUsable) {
  for (int64_t bytes = 0; bytes < (int64_t{1} << 26); bytes = bytes * 3 / 2 + 1) {
    const std::shared_ptr<Buffer> buffer = *Buffer::Allocate(bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer->data()) % 64, 0u);
    if (bytes > 0) buffer->data()[0] = buffer->data()[bytes - 1] = 1;
  }
}

// Large blocks are cut and joined: other sizes than those that were given back come from the same memory.
TEST(ArenaTest, LargeBlocksServeOtherSizes) {
  constexpr int64_t kMegabyte = int64_t{1} << 20;
  Arena& arena = Arena::Global();
  arena.Trim();
  ASSERT_EQ(arena.cached_bytes(), 0);
  uint8_t* const whole = *arena.Allocate(96 * kMegabyte);
  arena.Free(whole, 96 * kMegabyte);
  EXPECT_EQ(arena.cached_bytes(), 96 * kMegabyte);
  std::vector<uint8_t*> parts;
  for (int i = 0; i < 3; ++i) parts.push_back(*arena.Allocate(31 * kMegabyte));  // rounded up to huge pages
  EXPECT_EQ(arena.cached_bytes(), 0);
  for (uint8_t* part : parts) {
    EXPECT_GE(part, whole);
    EXPECT_LE(part + 31 * kMegabyte, whole + 96 * kMegabyte);
    std::memset(part, 1, 31 * kMegabyte);
  }
  // In an order that joins ranges below, above and on both sides.
  for (size_t i : {0, 2, 1}) arena.Free(parts[i], 31 * kMegabyte);
  EXPECT_EQ(arena.cached_bytes(), 96 * kMegabyte);
  uint8_t* const again = *arena.Allocate(96 * kMegabyte);
  EXPECT_EQ(again, whole);
  arena.Free(again, 96 * kMegabyte);
  // The smallest range that is large enough.
  uint8_t* const first = *arena.Allocate(64 * kMegabyte);
  uint8_t* const second = *arena.Allocate(32 * kMegabyte);
  uint8_t* const third = *arena.Allocate(8 * kMegabyte);  // keeps what follows apart
  arena.Free(first, 64 * kMegabyte);
  uint8_t* const small = *arena.Allocate(4 * kMegabyte);
  EXPECT_EQ(small, first);
  arena.Free(second, 32 * kMegabyte);
  arena.Free(small, 4 * kMegabyte);
  arena.Free(third, 8 * kMegabyte);
  EXPECT_EQ(arena.cached_bytes(), 104 * kMegabyte);
  arena.Trim();
  EXPECT_EQ(arena.cached_bytes(), 0);
}

// A block that no range is large enough for takes the pages of several, which need not be cleared again.
TEST(ArenaTest, LargeBlocksAreJoinedFromPagesThatWait) {
  constexpr int64_t kMegabyte = int64_t{1} << 20;
  Arena& arena = Arena::Global();
  arena.Trim();
  std::vector<uint8_t*> blocks;
  for (int i = 0; i < 16; ++i) {
    blocks.push_back(*arena.Allocate(4 * kMegabyte));
    std::memset(blocks.back(), i + 1, 4 * kMegabyte);
  }
  for (size_t i = 0; i < 16; i += 2) arena.Free(blocks[i], 4 * kMegabyte);
  EXPECT_EQ(arena.cached_bytes(), 32 * kMegabyte);
  uint8_t* const joined = *arena.Allocate(20 * kMegabyte);
  EXPECT_EQ(arena.cached_bytes(), 12 * kMegabyte);
  // What was written to the pages is still there.
  for (int64_t page = 0; page < 10; ++page) EXPECT_EQ(joined[page * 2 * kMegabyte] % 2, 1) << page;
  std::memset(joined, 77, 20 * kMegabyte);
  // More than waits: the rest is new.
  uint8_t* const larger = *arena.Allocate(30 * kMegabyte);
  EXPECT_EQ(arena.cached_bytes(), 0);
  EXPECT_EQ(larger[30 * kMegabyte - 1], 0);
  std::memset(larger, 78, 30 * kMegabyte);
  for (size_t i = 1; i < 16; i += 2) {
    for (int64_t at = 0; at < 4 * kMegabyte; at += 4096) ASSERT_EQ(blocks[i][at], i + 1);
    arena.Free(blocks[i], 4 * kMegabyte);
  }
  EXPECT_EQ(std::count(joined, joined + 20 * kMegabyte, 77), 20 * kMegabyte);
  arena.Free(joined, 20 * kMegabyte);
  arena.Free(larger, 30 * kMegabyte);
  EXPECT_EQ(arena.cached_bytes(), 82 * kMegabyte);
  arena.Trim();
  EXPECT_EQ(arena.cached_bytes(), 0);
}

TEST(ArenaTest, WhatWaitsAndWhatIsInUseKeepTheLimit) {
  constexpr int64_t kMegabyte = int64_t{1} << 20;
  Arena& arena = Arena::Global();
  arena.Trim();
  const int64_t before = arena.live_bytes();
  arena.SetLimit(before + 100 * kMegabyte);
  uint8_t* const a = *arena.Allocate(40 * kMegabyte);
  uint8_t* const b = *arena.Allocate(40 * kMegabyte);
  arena.Free(a, 40 * kMegabyte);
  uint8_t* const c = *arena.Allocate(60 * kMegabyte);  // not in the 40 that wait, which must go
  EXPECT_LE(arena.live_bytes() + arena.cached_bytes(), before + 100 * kMegabyte);
  EXPECT_EQ(arena.Allocate(kMegabyte).status().code(), absl::StatusCode::kResourceExhausted);
  arena.Free(b, 40 * kMegabyte);
  arena.Free(c, 60 * kMegabyte);
  EXPECT_LE(arena.live_bytes() + arena.cached_bytes(), before + 100 * kMegabyte);
  arena.SetLimit(0);
}

}  // namespace
}  // namespace hloscope::evaluator
