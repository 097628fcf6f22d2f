// SPDX-License-Identifier: Apache-2.0
// When reshapes, transposes and bitcasts are free (docs/ops/tensor.md 12.6).
#include "core/layout/relayout.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/shape_text.h"

namespace hloscope {
namespace {

using ::testing::HasSubstr;

PhysicalLayout Physical(const Shape& shape) {
  absl::StatusOr<PhysicalLayout> layout = PhysicalLayout::Of(shape);
  EXPECT_TRUE(layout.ok()) << shape.ToString() << ": " << layout.status();
  return *std::move(layout);
}
PhysicalLayout Physical(absl::string_view text) { return Physical(ShapeFromText(text)); }

TEST(RelayoutTest, ReshapesOfTheSpecification) {
  struct Case {
    const char *from, *to;
    bool is_free;
    int64_t moved, bytes;
  };
  const Case cases[] = {
      {"f32[2,3,4]{2,1,0}", "f32[6,4]{1,0}", true, 0, 0},
      {"f32[4,6]{0,1}", "f32[4,2,3]{0,2,1}", true, 0, 0},
      {"f32[2,3]{0,1}", "f32[6]{0}", false, 4, 48},
      {"f32[2,3,4]{2,1,0}", "f32[2,12]{0,1}", false, 22, 192},
      {"f32[4,16,128]{2,1,0:T(8,128)}", "f32[64,128]{1,0:T(8,128)}", true, 0, 0},
      {"f32[4,4,128]{2,1,0:T(8,128)}", "f32[16,128]{1,0:T(8,128)}", false, 1536, 16384 + 8192},
      {"f32[8,256]{1,0:T(8,128)}", "f32[8,2,128]{2,1,0:T(8,128)}", false, 1792, 8192 + 32768},
      {"f32[8,128]{1,0:T(8,128)}", "f32[1024]{0:T(1024)}", true, 0, 0},
      {"f32[0,4]", "f32[2,0]", true, 0, 0},
      {"f32[1,1]", "f32[]", true, 0, 0},
      {"f32[2,1,3]{1,0,2}", "f32[2,3]{0,1}", true, 0, 0},
      {"f32[4,32,32,64]{3,2,1,0:T(8,128)}", "f32[4,32,32,8,8]{4,3,2,1,0:T(8,128)}", false, 262136,
       (2 << 20) + (16 << 20)},
  };
  for (const Case& c : cases) {
    const absl::StatusOr<Relayout> cost = ReshapeCost(Physical(c.from), Physical(c.to));
    ASSERT_TRUE(cost.ok());
    EXPECT_EQ(cost->is_free, c.is_free) << c.from << " -> " << c.to;
    EXPECT_EQ(cost->moved_elements, c.moved) << c.from << " -> " << c.to;
    EXPECT_EQ(cost->bytes_moved, c.bytes) << c.from << " -> " << c.to;
    EXPECT_EQ(cost->least_bytes_moved, 2 * 4 * c.moved) << c.from << " -> " << c.to;
    EXPECT_EQ(cost->reason.empty(), c.is_free);
  }
  EXPECT_EQ(ReshapeCost(Physical("f32[2,3]{0,1}"), Physical("f32[6]"))->reason,
            "element (0,1) at address 2 becomes (1) at address 1");
}

TEST(RelayoutTest, BuffersMustBeAlike) {
  const auto reason = [](absl::string_view from, absl::string_view to) {
    return ReshapeCost(Physical(from), Physical(to))->reason;
  };
  EXPECT_THAT(reason("f32[6]", "s32[6]"), HasSubstr("element types differ (f32, s32)"));
  EXPECT_THAT(reason("s4[6]{0:E(4)}", "s4[6]"), HasSubstr("4 bits in one buffer and 8"));
  EXPECT_THAT(reason("f32[6]", "f32[6]{0:S(1)}"), HasSubstr("memory spaces differ (S(0), S(1))"));
  EXPECT_FALSE(ReshapeCost(Physical("f32[6]"), Physical("f32[5]")).ok());
  EXPECT_FALSE(IsFreeReshape(Physical("f32[6]"), Physical("f32[5]")));
  // Moving everything to another memory costs every element.
  EXPECT_EQ(ReshapeCost(Physical("f32[6]"), Physical("f32[6]{0:S(1)}"))->moved_elements, 6);
}

TEST(RelayoutTest, Transposes) {
  const std::vector<int64_t> swap = {1, 0};
  EXPECT_TRUE(IsFreeTranspose(Physical("f32[2,3]{1,0}"), Physical("f32[3,2]{0,1}"), swap));
  EXPECT_FALSE(IsFreeTranspose(Physical("f32[2,3]{1,0}"), Physical("f32[3,2]{1,0}"), swap));
  EXPECT_TRUE(IsFreeTranspose(Physical("f32[1,3]{1,0}"), Physical("f32[3,1]{1,0}"), swap));
  EXPECT_FALSE(IsFreeTranspose(Physical("f32[9,9]{1,0:T(2,2)}"), Physical("f32[9,9]{0,1:T(2,3)}"), swap));
  EXPECT_TRUE(IsFreeTranspose(Physical("f32[9,9]{1,0:T(2,2)}"), Physical("f32[9,9]{0,1:T(2,2)}"), swap));
  EXPECT_THAT(std::string(TransposeCost(Physical("f32[2,3]"), Physical("f32[3,2]"), {1, 1}).status().message()),
              HasSubstr("each of the 2 dimensions once"));
  EXPECT_THAT(std::string(TransposeCost(Physical("f32[2,3]"), Physical("f32[2,3]"), {1, 0}).status().message()),
              HasSubstr("does not have the sizes"));
  EXPECT_EQ(TransposeCost(Physical("f32[2,3]"), Physical("f32[3,2]"), {1, 0})->moved_elements, 4);
  EXPECT_TRUE(IsFreeCopy(Physical("f32[8,128]"), Physical("f32[8,128]{1,0:T(8,128)}")));
  EXPECT_FALSE(IsFreeCopy(Physical("f32[8,256]"), Physical("f32[8,256]{1,0:T(8,128)}")));
  EXPECT_FALSE(IsFreeCopy(Physical("f32[2,3]"), Physical("f32[3,2]")));
}

TEST(RelayoutTest, Bitcasts) {
  EXPECT_TRUE(IsValidBitcast(Physical("f32[2,3]"), Physical("s8[24]")));
  EXPECT_FALSE(IsValidBitcast(Physical("f32[2,3]"), Physical("f32[2,3]{1,0:T(8,128)}")));
  EXPECT_FALSE(IsValidBitcast(Physical("f32[2,3]"), Physical("f32[2,3]{1,0:L(8)}")));
  EXPECT_TRUE(IsValidBitcast(Physical("f32[2,3]"), Physical("f32[2,3]{1,0:L(8)}"), /*size_may_differ=*/true));
  EXPECT_FALSE(IsValidBitcast(Physical("f32[<=6]"), Physical("f32[6]{0:L(8)}"), /*size_may_differ=*/true));
  EXPECT_FALSE(IsValidBitcast(Physical("f32[6]"), Physical("f32[6]{0:S(5)}")));
}

TEST(RelayoutTest, LargeShapesAreDecidedFromStrides) {
  EXPECT_TRUE(IsFreeReshape(Physical("f32[1048576,4096]"), Physical("f32[4096,256,64,64]")));
  EXPECT_FALSE(IsFreeReshape(Physical("f32[1048576,4096]{0,1}"), Physical("f32[4294967296]")));
  EXPECT_TRUE(IsFreeReshape(Physical("bf16[64,1024,4096]{2,1,0:T(8,128)(2,1)}"),
                            Physical("bf16[65536,4096]{1,0:T(8,128)(2,1)}")));
  EXPECT_FALSE(IsFreeReshape(Physical("bf16[64,1024,4096]{2,1,0:T(8,128)(2,1)}"),
                             Physical("bf16[65536,32,128]{2,1,0:T(8,128)(2,1)}")));
  EXPECT_TRUE(IsFreeTranspose(Physical("f32[1000000007,3]{1,0}"), Physical("f32[3,1000000007]{0,1}"), {1, 0}));
  EXPECT_EQ(ReshapeCost(Physical("f32[65536,65536]"), Physical("f32[4294967296]{0:T(3)}"))->moved_elements,
            std::nullopt);
}

// The definition of 12.6, for comparison: every element keeps its address.
bool EveryElementStays(const PhysicalLayout& operand, const PhysicalLayout& result,
                       const std::vector<int64_t>* permutation) {
  if (operand.element_count() == 0) return true;
  std::vector<int64_t> at(static_cast<size_t>(result.shape().rank()), 0);
  std::vector<int64_t> from(static_cast<size_t>(operand.shape().rank()), 0);
  do {
    if (permutation != nullptr) {
      for (size_t k = 0; k < at.size(); ++k) from[static_cast<size_t>((*permutation)[k])] = at[k];
    }
    if (operand.AddressOf(from) != result.AddressOf(at)) return false;
    if (permutation == nullptr) NextIndex(operand.shape().dimensions(), absl::MakeSpan(from));
  } while (NextIndex(result.shape().dimensions(), absl::MakeSpan(at)));
  return true;
}

class RandomRelayouts {
 public:
  int64_t Below(size_t n) { return static_cast<int64_t>(random_() % n); }

  // A random split of `count` into sizes.
  std::vector<int64_t> Sizes(int64_t count) {
    std::vector<int64_t> sizes;
    while (count > 1) {
      std::vector<int64_t> factors;
      for (int64_t f = 2; f <= count; ++f) {
        if (count % f == 0) factors.push_back(f);
      }
      sizes.push_back(factors[static_cast<size_t>(Below(factors.size()))]);
      count /= sizes.back();
      if (Below(5) == 0) sizes.push_back(1);
    }
    return sizes;
  }

  Shape Laid(const std::vector<int64_t>& sizes, bool tiled) {
    Shape shape = Shape::Array(ElementType::kF32, sizes);
    Layout layout = Layout::RowMajor(shape.rank());
    if (Below(3) == 0) std::shuffle(layout.minor_to_major.begin(), layout.minor_to_major.end(), random_);
    if (tiled) {
      const std::vector<std::vector<int64_t>> tiles = {{2}, {4}, {2, 2}, {2, 4}, {3}, {1, 2}, {Tile::kCombine, 4}};
      layout.tiles.push_back({tiles[static_cast<size_t>(Below(tiles.size()))]});
      if (Below(3) == 0) layout.tiles.push_back({{2, 1}});
    }
    shape.set_layout(layout);
    return shape;
  }

 private:
  std::mt19937 random_{7};
};

TEST(RelayoutTest, FastTestsAgreeWithTheDefinition) {
  RandomRelayouts random;
  const std::vector<int64_t> counts = {1, 4, 6, 8, 12, 16, 24, 36, 48, 64};
  int free_reshapes = 0, free_transposes = 0;
  for (int round = 0; round < 6000; ++round) {
    const int64_t count = counts[static_cast<size_t>(random.Below(counts.size()))];
    const bool tiled = random.Below(2) == 0;
    const std::vector<int64_t> sizes = random.Sizes(count);
    const Shape from = random.Laid(sizes, tiled), to = random.Laid(random.Sizes(count), tiled);
    const bool is_free = IsFreeReshape(Physical(from), Physical(to));
    free_reshapes += is_free;
    EXPECT_EQ(is_free, EveryElementStays(Physical(from), Physical(to), nullptr))
        << from.ToString() << " -> " << to.ToString();

    std::vector<int64_t> permutation;
    for (size_t k = 0; k < sizes.size(); ++k) permutation.push_back(static_cast<int64_t>(k));
    std::shuffle(permutation.begin(), permutation.end(), std::mt19937(static_cast<unsigned>(round)));
    std::vector<int64_t> permuted;
    for (int64_t d : permutation) permuted.push_back(sizes[static_cast<size_t>(d)]);
    const Shape transposed = random.Laid(permuted, tiled);
    const bool transpose_is_free = IsFreeTranspose(Physical(from), Physical(transposed), permutation);
    free_transposes += transpose_is_free;
    EXPECT_EQ(transpose_is_free, EveryElementStays(Physical(from), Physical(transposed), &permutation))
        << from.ToString() << " -> " << transposed.ToString();

    if (tiled) continue;
    Shape best = Shape::Array(ElementType::kF32, permuted);
    const auto layout = LayoutOfFreeTranspose(from, permutation);
    ASSERT_TRUE(layout.has_value());
    best.set_layout(*layout);
    EXPECT_TRUE(IsFreeTranspose(Physical(from), Physical(best), permutation)) << from.ToString();
    const auto reshaped = LayoutOfFreeReshape(from, to.dimensions());
    if (is_free) {
      EXPECT_TRUE(reshaped.has_value()) << from.ToString() << " -> " << to.ToString();
    }
    if (reshaped) {
      Shape result = to;
      result.set_layout(*reshaped);
      EXPECT_TRUE(IsFreeReshape(Physical(from), Physical(result))) << from.ToString() << " -> " << result.ToString();
    }
  }
  EXPECT_GT(free_reshapes, 300);
  EXPECT_GT(free_transposes, 300);
}

TEST(RelayoutTest, LayoutsThatMakeItFree) {
  EXPECT_EQ(LayoutOfFreeReshape(ShapeFromText("f32[4,6]{0,1}"), {4, 2, 3})->ToString(), "{0,2,1}");
  EXPECT_EQ(LayoutOfFreeReshape(ShapeFromText("f32[2,3]"), {2, 1, 3})->ToString(), "{2,1,0}");
  EXPECT_FALSE(LayoutOfFreeReshape(ShapeFromText("f32[2,3]{0,1}"), {6}).has_value());
  EXPECT_FALSE(LayoutOfFreeReshape(ShapeFromText("f32[2,3]{1,0:T(2,3)}"), {6}).has_value());
  EXPECT_FALSE(LayoutOfFreeReshape(ShapeFromText("f32[2,3]"), {7}).has_value());
  EXPECT_EQ(LayoutOfFreeReshape(ShapeFromText("f32[0,3]"), {3, 0})->ToString(), "{1,0}");
  EXPECT_EQ(LayoutOfFreeTranspose(ShapeFromText("f32[2,3,4]"), {2, 0, 1})->ToString(), "{0,2,1}");
  EXPECT_FALSE(LayoutOfFreeTranspose(ShapeFromText("f32[2,3]"), {0, 0}).has_value());
}

}  // namespace
}  // namespace hloscope
