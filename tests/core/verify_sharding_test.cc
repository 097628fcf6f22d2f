// SPDX-License-Identifier: Apache-2.0
// Shardings, layouts and memory spaces (docs/ops/control.md 5.7, 6.12, 6.14).
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "tests/support/module_diagnostics.h"

namespace hloscope {
namespace {

// The code of the first diagnostic about a parameter with the sharding.
std::string Sharding(absl::string_view shape, absl::string_view sharding, absl::string_view header = "num_partitions=4",
                     Severity least = Severity::kWarning) {
  const std::string found = DiagnosticsOf(
      absl::StrCat("HloModule m, ", header, "\nENTRY e { ROOT p = ", shape, " parameter(0), sharding=", sharding, " }"),
      {}, least);
  return found.substr(0, found.find(" at "));
}

TEST(VerifySharding, FitsTheRank) {
  EXPECT_EQ(Sharding("f32[4,6]", "{devices=[2,2]<=[4]}"), "ok");
  EXPECT_EQ(Sharding("f32[4,6]", "{devices=[4]<=[4]}"), "sharding-rank");
  EXPECT_EQ(Sharding("f32[4,6]", "{devices=[2,1,2]<=[4] last_tile_dim_replicate}"), "ok");
  EXPECT_EQ(Sharding("f32[4,6]", "{devices=[2,2]<=[4] last_tile_dim_replicate}"), "sharding-rank");
  EXPECT_EQ(Sharding("f32[4,6]", "{devices=[1,1,2,2]<=[4] last_tile_dims={manual, replicated}}"), "ok");
  EXPECT_EQ(Sharding("f32[4]", "{replicated}"), "ok");
  EXPECT_EQ(Sharding("f32[4]", "{mesh['x'=2,'y'=2], [{'x'}]}"), "ok");
  EXPECT_EQ(Sharding("f32[4]", "{mesh['x'=2,'y'=2], [{'x'}, {}]}"), "sharding-rank");
}

TEST(VerifySharding, NamesDevicesOfTheModule) {
  EXPECT_EQ(Sharding("f32[4]", "{devices=[4]0,1,2,3}"), "ok");
  EXPECT_EQ(Sharding("f32[4]", "{devices=[4]0,1,2,2}"), "sharding-device");
  EXPECT_EQ(Sharding("f32[4]", "{devices=[4]0,1,2,4}"), "sharding-device");
  EXPECT_EQ(Sharding("f32[4]", "{devices=[2]<=[2]}"), "sharding-device");
  EXPECT_EQ(Sharding("f32[4]", "{devices=[2]<=[2]}", "num_partitions=1"), "ok");
  EXPECT_EQ(Sharding("f32[4]", "{maximal device=3}"), "ok");
  EXPECT_EQ(Sharding("f32[4]", "{maximal device=4}"), "sharding-device");
  EXPECT_EQ(Sharding("f32[4]", "{mesh['x'=8], [{'x'}]}"), "sharding-device");
}

TEST(VerifySharding, TuplesHaveOneEntryForEachLeaf) {
  EXPECT_EQ(Sharding("(f32[4], (s32[], f32[4]))", "{{devices=[4]<=[4]}, {replicated}, {maximal device=0}}"), "ok");
  EXPECT_EQ(Sharding("(f32[4], s32[])", "{{replicated}}"), "sharding-leaves");
  EXPECT_EQ(Sharding("f32[4]", "{{replicated}}"), "sharding-leaves");
  EXPECT_EQ(Sharding("(f32[4], s32[])", "{replicated}"), "ok");
  EXPECT_EQ(Sharding("(f32[4], s32[])", "{devices=[4]<=[4]}"), "sharding-rank");
  EXPECT_EQ(Sharding("()", "{}"), "ok");
}

TEST(VerifySharding, EmptyTilesAreAHint) {
  EXPECT_EQ(Sharding("f32[3]", "{devices=[4]<=[4]}", "num_partitions=4", Severity::kHint), "sharding-empty-tiles");
  EXPECT_EQ(Sharding("f32[4]", "{devices=[4]<=[4]}", "num_partitions=4", Severity::kHint), "ok");
}

TEST(VerifySharding, LoopsAndBranchesAgree) {
  const auto loop = [](absl::string_view body, absl::string_view loop) {
    return DiagnosticsOf(absl::StrCat(R"(
b { x = f32[4] parameter(0) ROOT y = f32[4] negate(x), sharding=)",
                                      body, R"( }
c { x = f32[4] parameter(0) ROOT t = pred[] constant(true) }
ENTRY e { p = f32[4] parameter(0) ROOT w = f32[4] while(p), condition=c, body=b, sharding=)",
                                      loop, " }"));
  };
  EXPECT_EQ(loop("{devices=[2]<=[2]}", "{devices=[2]0,1}"), "ok");
  EXPECT_EQ(loop("{replicated}", "{replicated metadata={op_name=\"a\"}}"), "ok");
  EXPECT_EQ(loop("{devices=[2]<=[2]}", "{devices=[2]1,0}"), "sharding-disagreement at sharding={devices=[2]1,0}");
  EXPECT_EQ(DiagnosticsOf(R"(
a { ROOT x = f32[4] parameter(0), sharding={replicated} }
b { ROOT x = f32[4] parameter(0), sharding={devices=[2]<=[2]} }
ENTRY e { i = s32[] parameter(0) p = f32[4] parameter(1)
  ROOT r = f32[4] conditional(i, p, p), branch_computations={a, b} })"),
            "sharding-disagreement at conditional");
}

std::string LayoutSensitive(absl::string_view entry) {
  VerifyOptions options;
  options.layout_sensitive = true;
  return DiagnosticsOf(absl::StrCat("ENTRY e { ", entry, " }"), options);
}

TEST(VerifyLayouts, BitcastKeepsTheBytes) {
  EXPECT_EQ(LayoutSensitive("p = f32[2,3] parameter(0) ROOT b = s32[6] bitcast(p)"), "ok");
  EXPECT_EQ(LayoutSensitive("p = s4[8]{0:E(4)} parameter(0) ROOT b = s8[4] bitcast(p)"), "ok");
  EXPECT_EQ(LayoutSensitive("p = f32[2,3] parameter(0) ROOT b = s32[6]{0:S(5)} bitcast(p)"),
            "host-memory at s32[6]{0:S(5)}");
}

TEST(VerifyLayouts, CopiesBetweenHostAndDevice) {
  EXPECT_EQ(LayoutSensitive("p = f32[2,3]{1,0} parameter(0) ROOT c = f32[2,3]{0,1:S(5)} copy(p)"), "ok");
  EXPECT_EQ(LayoutSensitive("p = f32[2,3]{1,0:S(5)} parameter(0) ROOT c = f32[2,3]{1,0} copy(p)"), "ok");
  EXPECT_EQ(LayoutSensitive("p = f32[2,3]{1,0:S(5)} parameter(0) ROOT c = f32[2,3]{0,1} copy(p)"),
            "host-memory at f32[2,3]{0,1}");
}

}  // namespace
}  // namespace hloscope
