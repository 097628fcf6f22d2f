// SPDX-License-Identifier: Apache-2.0
// core/layout: the worked examples of docs/ops/tensor.md 12, and that index and address are each other's inverse.
#include "core/layout/physical_layout.h"

#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/layout/byte_size.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/shape_text.h"

namespace hloscope {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

PhysicalLayout LayoutOf(absl::string_view text, const PaddedDimensions& padded = {}) {
  absl::StatusOr<PhysicalLayout> layout = PhysicalLayout::Of(ShapeFromText(text), padded);
  EXPECT_TRUE(layout.ok()) << text << ": " << layout.status();
  return *std::move(layout);
}

// Addresses of all elements in row-major order.
std::vector<int64_t> Addresses(const PhysicalLayout& layout) {
  std::vector<int64_t> result;
  if (layout.element_count() == 0) return result;
  std::vector<int64_t> index(static_cast<size_t>(layout.shape().rank()), 0);
  do {
    result.push_back(layout.AddressOf(index));
  } while (NextIndex(layout.shape().dimensions(), absl::MakeSpan(index)));
  return result;
}

// Row-major numbers of the elements in the cells, -1 for padding.
std::vector<int64_t> Cells(const PhysicalLayout& layout) {
  std::vector<int64_t> result;
  for (int64_t address = 0; address < layout.cell_count(); ++address) {
    const auto index = layout.IndexAt({0, address});
    int64_t number = index ? 0 : -1;
    for (size_t d = 0; index && d < index->size(); ++d) {
      number = number * layout.shape().dimensions()[d] + (*index)[d];
    }
    result.push_back(number);
  }
  return result;
}

TEST(PhysicalLayoutTest, OrdersWithoutTiles) {
  EXPECT_THAT(Addresses(LayoutOf("s32[2,3]{1,0}")), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(Addresses(LayoutOf("s32[2,3]")), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(Cells(LayoutOf("s32[2,3]{0,1}")), ElementsAre(0, 3, 1, 4, 2, 5));
  EXPECT_EQ(LayoutOf("s32[6,7,9,5]{3,2,1,0}").AddressOf({1, 2, 3, 0}), 420);
  EXPECT_EQ(LayoutOf("s32[6,7,9,5]{3,2,1,0}").AddressOf({0, 1, 0, 0}), 45);
  EXPECT_THAT(Addresses(LayoutOf("f32[]")), ElementsAre(0));
  EXPECT_THAT(Addresses(LayoutOf("f32[3,0,2]")), ElementsAre());
}

TEST(PhysicalLayoutTest, OldPaddingIsOneTile) {
  const PaddedDimensions padded{{4, 3}};
  const PhysicalLayout old = LayoutOf("s32[2,2]{0,1}", padded);
  // 1 3 0 0 2 4 0 0 0 0 0 0, with the data 1, 2, 3, 4 being elements 0, 1, 2, 3.
  EXPECT_THAT(Cells(old), ElementsAre(0, 2, -1, -1, 1, 3, -1, -1, -1, -1, -1, -1));
  const Layout today = TiledEquivalent(ShapeFromText("s32[2,2]{0,1}"), padded);
  EXPECT_EQ(today.ToString(), "{0,1:T(3,4)}");
  EXPECT_EQ(Cells(LayoutOf("s32[2,2]{0,1:T(3,4)}")), Cells(old));
  const auto error = [](std::vector<int64_t> widths) {
    return std::string(PhysicalLayout::Of(ShapeFromText("s32[2,2]{0,1}"), {std::move(widths)}).status().message());
  };
  EXPECT_EQ(error({4}), "padded_dimensions has 1 entries for rank 2");
  EXPECT_EQ(error({2, 1}), "padded_dimensions[1]=1 is smaller than the size 2");
}

TEST(PhysicalLayoutTest, TilesOfTheSpecification) {
  struct Case {
    const char* shape;
    std::vector<int64_t> stored;
    int64_t cells;
    std::vector<int64_t> index;
    int64_t address;
  };
  const Case cases[] = {
      {"f32[5,6]{1,0:T(2,4)}", {3, 2, 2, 4}, 48, {3, 5}, 29},
      {"s32[4,6]{1,0:T(2,3)(2,1)}", {2, 2, 1, 3, 2, 1}, 24, {2, 0}, 12},
      {"bf16[10,200]{1,0:T(8,128)(2,1)}", {2, 2, 4, 128, 2, 1}, 4096, {3, 5}, 267},
      {"bf16[10,200]{1,0:T(8,128)(2,1)}", {2, 2, 4, 128, 2, 1}, 4096, {9, 130}, 3077},
      {"s8[33,130]{1,0:T(8,128)(4,1)}", {5, 2, 2, 128, 4, 1}, 10240, {5, 1}, 517},
      {"f32[5,9,130]{2,1,0:T(8,128)}", {5, 2, 2, 8, 128}, 20480, {1, 8, 129}, 7169},
      {"f32[3,2,6,5,4]{4,3,2,1,0:T(*,*,4,*,8)}", {9, 3, 4, 8}, 864, {2, 1, 5, 4, 3}, 859},
      {"f32[100]{0:T(8,128)}", {1, 1, 8, 128}, 1024, {99}, 99},
      {"f32[5,7]{1,0:T(2,2)(3,2,2)}", {3, 2, 1, 1, 3, 2, 2}, 72, {4, 6}, 60},
  };
  for (const Case& c : cases) {
    const PhysicalLayout layout = LayoutOf(c.shape);
    EXPECT_THAT(layout.stored_dimensions(), ElementsAreArray(c.stored)) << c.shape;
    EXPECT_EQ(layout.cell_count(), c.cells) << c.shape;
    EXPECT_EQ(layout.AddressOf(c.index), c.address) << c.shape;
    EXPECT_THAT(*layout.IndexAt({0, c.address}), ElementsAreArray(c.index)) << c.shape;
  }
  const std::vector<int64_t> rows = Addresses(LayoutOf("s32[4,6]{1,0:T(2,3)(2,1)}"));
  EXPECT_THAT(std::vector<int64_t>(rows.begin(), rows.begin() + 13),
              ElementsAre(0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11, 12));
}

TEST(PhysicalLayoutTest, BytesOfTheSpecification) {
  struct Case {
    const char* shape;
    int64_t data, physical;
    double waste_percent;
  };
  const Case cases[] = {{"f32[5,6]{1,0:T(2,4)}", 120, 192, 37.5},
                        {"bf16[10,200]{1,0:T(8,128)(2,1)}", 4000, 8192, 51.2},
                        {"f32[1024,1]{1,0:T(8,128)}", 4096, 524288, 99.2},
                        {"f32[2,300]{1,0:T(8,128)}", 2400, 12288, 80.5},
                        {"f32[2,300]{1,0:T(2,128)}", 2400, 3072, 21.9},
                        {"f32[3,2,6,5,4]{4,3,2,1,0:T(*,*,4,*,8)}", 2880, 3456, 16.7},
                        {"s4[5]{0:E(4)}", 3, 3, 0},
                        {"s4[5]{0}", 5, 5, 0},
                        {"s4[100]{0:T(1024)E(4)}", 50, 512, 90.2},
                        {"pred[7]", 7, 7, 0},
                        {"f32[3]{0:L(8)}", 12, 32, 62.5},
                        {"f32[<=4]{0:M(1024)}", 16, 1040, 98.5},
                        {"f32[0,3]", 0, 0, 0}};
  for (const Case& c : cases) {
    const PhysicalLayout layout = LayoutOf(c.shape);
    EXPECT_EQ(layout.data_bytes(), c.data) << c.shape;
    EXPECT_EQ(layout.physical_bytes(), c.physical) << c.shape;
    EXPECT_NEAR(layout.waste() * 100, c.waste_percent, 0.05) << c.shape;
    EXPECT_EQ(DataBytes(ShapeFromText(c.shape)), c.data);
    EXPECT_EQ(PhysicalBytes(ShapeFromText(c.shape)), c.physical);
  }
  EXPECT_EQ(PhysicalBytes(ShapeFromText("(f32[5,6]{1,0:T(2,4)}, (s4[5]{0:E(4)}, token[]), opaque[])")), 192 + 3 + 8);
  EXPECT_EQ(PhysicalBytes(ShapeFromText("b(f32[2])")), 8);
  EXPECT_EQ(PhysicalBytes(ShapeFromText("f32[?]")), 0);
  EXPECT_EQ(PhysicalBytes(ShapeFromText("f32[5,6]{1,0:T()}")), 120);  // no usable layout: the data
  EXPECT_EQ(ElementBits(ShapeFromText("f6e2m3fn[2]")), 8);
  EXPECT_EQ(LayoutOf("f32[5,6]{1,0:T(2,4)}").data_extent_bytes(), (32 + 9 + 1) * 4);
}

TEST(PhysicalLayoutTest, SplitsLieInPieces) {
  // Physical dimension 0 is logical dimension 1 here: 5 = 2 + 3.
  const PhysicalLayout layout = LayoutOf("f32[4,5]{0,1:SC(0:2)}");
  EXPECT_EQ(layout.piece_count(), 2);
  EXPECT_EQ(layout.cell_count(), 12);  // the longer piece: 3 x 4
  EXPECT_EQ(layout.PlaceOf({1, 1}), (PhysicalLayout::Place{0, 5}));
  EXPECT_EQ(layout.PlaceOf({1, 2}), (PhysicalLayout::Place{1, 1}));
  EXPECT_THAT(*layout.IndexAt({1, 11}), ElementsAre(3, 4));
  EXPECT_FALSE(layout.IndexAt({0, 8}).has_value());
}

TEST(PhysicalLayoutTest, UnusableLayoutsAreExplained) {
  const std::pair<const char*, const char*> cases[] = {
      {"f32[2,3]{0,0}", "dimension 0 is repeated in {0,0}"},
      {"f32[2,3]{2,0}", "dimension 2 in {2,0} is out of range [0,2)"},
      {"f32[2,3]{1,0:T()}", "tile level 1 is empty"},
      {"f32[2,3]{1,0:T(2,2)(0)}", "tile level 2 has size 0"},
      {"f32[2,3]{1,0:T(2,*)}", "tile level 1 ends in `*`"},
      {"f32[2,3]{1,0:#(u32)}", "index and pointer types"},
      {"f32[2,3]{1,0:SC(2:1)}", "there is no physical dimension 2"},
      {"f32[2,3]{1,0:SC(0:1)(0:1)}", "physical dimension 0 is split twice"},
      {"f32[2,3]{1,0:SC(0:2)}", "split indices must increase within (0,2)"},
      {"f32[2,?]", "an unbounded dimension cannot be laid out"},
      {"(f32[2])", "is not an array"},
      {"f32[4611686018427387904,2]{1,0:T(8,128)}", "does not fit 64 bits"},
      {"f32[9,9]{1,0:T(9223372036854775807,2)}", "does not fit 64 bits"},
      {"f32[4]{0:L(9223372036854775807)}", "does not fit 64 bits"},
  };
  for (const auto& [shape, message] : cases) {
    EXPECT_THAT(std::string(PhysicalLayout::Of(ShapeFromText(shape)).status().message()), HasSubstr(message)) << shape;
  }
  Shape shape = ShapeFromText("f32[2,3]");
  Layout layout;
  layout.minor_to_major = {0};
  shape.set_layout(layout);
  EXPECT_THAT(std::string(CheckLayout(shape).message()), HasSubstr("orders 1 dimensions but f32[2,3] has 2"));
  layout = Layout::RowMajor(2);
  layout.tail_padding_alignment_in_elements = 0;
  shape.set_layout(layout);
  EXPECT_THAT(std::string(CheckLayout(shape).message()), HasSubstr("L=0"));
  layout = Layout::RowMajor(2);
  layout.element_size_in_bits = -1;
  shape.set_layout(layout);
  EXPECT_THAT(std::string(CheckLayout(shape).message()), HasSubstr("E=-1"));
  layout = Layout::RowMajor(2);
  layout.dynamic_shape_metadata_prefix_bytes = -1;
  shape.set_layout(layout);
  EXPECT_THAT(std::string(CheckLayout(shape).message()), HasSubstr("M=-1"));
}

// Over random shapes and layouts: every element has a cell of its own, the cell leads back to the element, and all
// other cells are padding.
TEST(PhysicalLayoutTest, IndexAndAddressAreInverse) {
  std::mt19937 random(20240607);
  const auto below = [&](int n) { return static_cast<int64_t>(random() % static_cast<unsigned>(n)); };
  for (int round = 0; round < 3000; ++round) {
    std::vector<int64_t> sizes(static_cast<size_t>(below(5)));
    for (int64_t& size : sizes) size = below(20) == 0 ? 0 : 1 + below(7);
    Shape shape = Shape::Array(ElementType::kF32, sizes);
    Layout layout = Layout::RowMajor(shape.rank());
    std::shuffle(layout.minor_to_major.begin(), layout.minor_to_major.end(), random);
    for (int64_t level = below(4); level-- > 0;) {
      Tile tile;
      for (int64_t k = 1 + below(4); k-- > 0;) tile.dimensions.push_back(below(4) == 0 ? Tile::kCombine : 1 + below(4));
      if (tile.dimensions.back() == Tile::kCombine) tile.dimensions.back() = 3;
      layout.tiles.push_back(tile);
    }
    if (below(4) == 0) layout.tail_padding_alignment_in_elements = 1 + below(9);
    PaddedDimensions padded;
    if (layout.tiles.empty() && below(2) == 0) {
      for (int64_t size : sizes) padded.widths.push_back(size + below(3));
    }
    if (shape.rank() > 0 && below(4) == 0) {
      const int64_t k = below(static_cast<int>(shape.rank()));
      const int64_t size = sizes[static_cast<size_t>(layout.minor_to_major[sizes.size() - 1 - static_cast<size_t>(k)])];
      if (size > 1 && padded.widths.empty())
        layout.split_configs.push_back({k, {1 + below(static_cast<int>(size) - 1)}});
    }
    shape.set_layout(layout);
    SCOPED_TRACE(absl::StrCat(shape.ToString(), " padded to {", absl::StrJoin(padded.widths, ","), "}"));
    const absl::StatusOr<PhysicalLayout> physical = PhysicalLayout::Of(shape, padded);
    ASSERT_TRUE(physical.ok()) << physical.status();
    std::set<std::pair<int64_t, int64_t>> used;
    std::vector<int64_t> index(sizes.size(), 0);
    if (physical->element_count() > 0) {
      do {
        const PhysicalLayout::Place place = physical->PlaceOf(index);
        ASSERT_GE(place.address, 0);
        ASSERT_LT(place.address, physical->cell_count());
        ASSERT_LT(place.piece, physical->piece_count());
        ASSERT_TRUE(used.emplace(place.piece, place.address).second);
        const auto back = physical->IndexAt(place);
        ASSERT_TRUE(back.has_value());
        ASSERT_THAT(*back, ElementsAreArray(index));
      } while (NextIndex(sizes, absl::MakeSpan(index)));
    }
    for (int64_t piece = 0; piece < physical->piece_count(); ++piece) {
      for (int64_t address = 0; address < physical->cell_count(); ++address) {
        ASSERT_EQ(physical->IndexAt({piece, address}).has_value(), used.count({piece, address}) > 0);
      }
    }
  }
}

}  // namespace
}  // namespace hloscope
