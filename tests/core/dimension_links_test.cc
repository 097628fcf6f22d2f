// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/dimension_links.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/document/document.h"

namespace hloscope {
namespace {

// "0:1>2" (dimension 1 of operand 0 becomes 2), "0:1~2" mixed, "0:1>x" summed, "0:x>2" repeated.
std::string LinksOfRoot(const std::string& body) {
  const auto document = Document::Parse(SourceText::FromString("m", absl::StrCat("HloModule m\n", body)));
  const Module& module = document->module();
  const InstructionId root = module.computation(module.entry()).root;
  return absl::StrJoin(DimensionLinksOf(module, root), " ", [](std::string* out, const DimensionLink& link) {
    const auto dimension = [](int64_t d) { return d < 0 ? std::string("x") : absl::StrCat(d); };
    absl::StrAppend(out, link.operand, ":", dimension(link.operand_dimension),
                    link.kind == DimensionLink::Kind::kMixed ? "~" : ">", dimension(link.result_dimension));
  });
}

TEST(DimensionLinksTest, MovementsOfData) {
  EXPECT_EQ(LinksOfRoot("ENTRY e { p = f32[3,4] parameter(0) ROOT b = f32[2,3,5,4] broadcast(p), dimensions={1,3} }"),
            "0:0>1 0:1>3 0:x>0 0:x>2");
  EXPECT_EQ(LinksOfRoot("ENTRY e { p = f32[2,3,4] parameter(0) ROOT b = f32[4,2,3] transpose(p), dimensions={2,0,1} }"),
            "0:0>1 0:1>2 0:2>0");
  EXPECT_EQ(LinksOfRoot("ENTRY e { p = f32[2,3,4] parameter(0) ROOT b = f32[6,4] reshape(p) }"), "0:0~0 0:1~0 0:2>1");
  EXPECT_EQ(LinksOfRoot("ENTRY e { p = f32[4] parameter(0) ROOT b = f32[2] slice(p), slice={[1:3]} }"), "0:0>0");
}

TEST(DimensionLinksTest, Sums) {
  EXPECT_EQ(
      LinksOfRoot("ENTRY e { a = f32[7,2,3] parameter(0) b = f32[7,3,5] parameter(1) ROOT d = f32[7,2,5] dot(a, "
                  "b), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1} }"),
      "0:0>0 0:1>1 0:2>x 1:0>0 1:1>x 1:2>2");
  EXPECT_EQ(LinksOfRoot("add { x = f32[] parameter(0) y = f32[] parameter(1) ROOT s = f32[] add(x, y) }\n"
                        "ENTRY e { p = f32[2,3,4] parameter(0) z = f32[] constant(0) ROOT r = f32[2,4] reduce(p, z), "
                        "dimensions={1}, to_apply=add }"),
            "0:0>0 0:1>x 0:2>1");
  EXPECT_EQ(LinksOfRoot("ENTRY e { x = f32[1,8,8,3] parameter(0) k = f32[3,3,3,6] parameter(1) ROOT c = f32[1,6,6,6] "
                        "convolution(x, k), window={size=3x3}, dim_labels=b01f_01io->b01f }"),
            "0:0>0 0:3>x 0:1>1 0:2>2 1:2>x 1:3>3 1:0>x 1:1>x");
  EXPECT_EQ(LinksOfRoot("ENTRY e { p = f32[9,4] parameter(0) i = s32[5,1] parameter(1) ROOT g = f32[5,4] gather(p, i), "
                        "offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, "
                        "slice_sizes={1,4} }"),
            "0:1>1 1:0>0");
}

TEST(DimensionLinksTest, NothingIsSaidWhereNothingIsKnown) {
  EXPECT_EQ(LinksOfRoot("ENTRY e { ROOT p = f32[3,4] parameter(0) }"), "");
  EXPECT_EQ(LinksOfRoot("ENTRY e { p = f32[3] parameter(0) ROOT t = (f32[3]) tuple(p) }"), "");
  EXPECT_EQ(LinksOfRoot("ENTRY e { p = f32[3] parameter(0) ROOT b = f32[2,3] broadcast(p), dimensions={9} }"), "");
  EXPECT_EQ(LinksOfRoot("ENTRY e { ROOT b = f32[2,3] broadcast(missing), dimensions={1} }"), "");
  EXPECT_EQ(LinksOfRoot("ENTRY e { p = f32[?] parameter(0) ROOT b = f32[?] negate(p) }"), "");
}

}  // namespace
}  // namespace hloscope
