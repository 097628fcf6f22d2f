// SPDX-License-Identifier: Apache-2.0
// Changes that are alike are listed once.
#include "insight/diff/change_groups.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "core/document/document.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "insight/diff/diff_page.h"
#include "insight/html/html_report.h"

namespace hloscope::insight {
namespace {

using ::testing::HasSubstr;

std::shared_ptr<const Document> Read(const std::string& text) {
  auto document = Document::Parse(SourceText::FromString("m.hlo", text));
  EXPECT_FALSE(document->has_errors()) << text;
  return document;
}

// Layers that all do the same.
std::string Layers(int count, const std::string& opcode) {
  std::string text = "HloModule m\n\nENTRY e {\n  x.0 = f32[8] parameter(0)\n";
  for (int i = 0; i < count; ++i) {
    absl::StrAppend(&text, "  t.", i, " = f32[8] ", opcode, "(x.", i, ")\n  x.", i + 1, " = f32[8] add(t.", i, ", x.",
                    i, ")\n");
  }
  return absl::StrCat(text, "  ROOT r = f32[8] negate(x.", count, ")\n}\n");
}

TEST(ChangeGroupsTest, LayersChangeAlike) {
  const auto a = Read(Layers(32, "tanh"));
  const auto counts = [&](const std::string& text) {
    const auto b = Read(text);
    const ModuleDiff diff = DiffModules(a->module(), b->module());
    const std::vector<ChangeGroup> groups = GroupChanges(a->module(), b->module(), diff);
    size_t changes = 0;
    for (const ChangeGroup& group : groups) changes += group.changes.size();
    return std::pair(groups.size(), changes);
  };
  EXPECT_EQ(counts(Layers(32, "logistic")), std::pair(size_t{1}, size_t{32}));
  // Another name makes it another instruction.
  const auto [groups, changes] = counts(absl::StrReplaceAll(Layers(32, "logistic"), {{"t.", "u."}}));
  EXPECT_GE(changes, 32 * 2);
  EXPECT_LE(groups, 6);
}

// Sums of `count` parameters, each with a computation of its own or all with one.
std::string Sums(int count, bool shared) {
  std::string text = "HloModule m\n\n", calls, names;
  for (int i = 0; i < (shared ? 1 : count); ++i) {
    absl::StrAppend(&text, "add.", i, " {\n  x.", i, " = f32[] parameter(0)\n  y.", i,
                    " = f32[] parameter(1)\n  ROOT s.", i, " = f32[] add(x.", i, ", y.", i, ")\n}\n\n");
  }
  for (int i = 0; i < count; ++i) {
    absl::StrAppend(&calls, "  r.", i, " = f32[] reduce(p, z), dimensions={0}, to_apply=add.", shared ? 0 : i, "\n");
    absl::StrAppend(&names, i > 0 ? ", " : "", "r.", i);
  }
  return absl::StrCat(text, "ENTRY e {\n  p = f32[8] parameter(0)\n  z = f32[] constant(0)\n", calls, "  ROOT t = (",
                      absl::StrReplaceAll(std::string(static_cast<size_t>(count - 1), ','), {{",", "f32[], "}}),
                      "f32[]) tuple(", names, ")\n}\n");
}

TEST(ChangeGroupsTest, CopiesOfAComputationAreToldOnce) {
  const auto copies = Read(Sums(40, false)), shared = Read(Sums(40, true));
  for (const bool forth : {true, false}) {
    const Module &a = (forth ? copies : shared)->module(), &b = (forth ? shared : copies)->module();
    const ModuleDiff diff = DiffModules(a, b);
    EXPECT_TRUE(GroupChanges(a, b, diff).empty());
    const std::vector<std::vector<size_t>> groups = GroupComputations(diff);
    ASSERT_EQ(groups.size(), 1);
    EXPECT_EQ(groups[0].size(), 39);
    const ComputationDiff& first = diff.computations[groups[0][0]];
    EXPECT_EQ((forth ? b : a).ComputationName(first.equal), "add.0");
    HtmlReport report("Diff", "a b");
    AddDiff(a, b, diff, {}, &report);
    const std::string page = std::move(report).Finish();
    EXPECT_THAT(page, HasSubstr("added (and 38 more alike)"));
    EXPECT_THAT(page, ::testing::Not(HasSubstr("computation add.2")));
  }
}

TEST(ChangeGroupsTest, ComputationsThatNobodyCallsAreEqualUnderOtherNames) {
  const std::string f =
      "HloModule m\n\nONE {\n  x = f32[] parameter(0)\n  ROOT r = f32[] negate(x)\n}\n\nTWO {\n"
      "  x = f32[] parameter(0)\n  ROOT r = f32[] tanh(x)\n}\n\nENTRY e {\n  ROOT p = f32[] parameter(0)\n}\n";
  const auto a = Read(f), b = Read(absl::StrReplaceAll(f, {{"ONE", "TWO"}, {"TWO", "ONE"}}));
  EXPECT_TRUE(DiffModules(a->module(), b->module()).IsEmpty());
}

TEST(ChangeGroupsTest, SimilarityIsAShare) {
  const auto a = Read(Layers(8, "tanh")), b = Read(Layers(8, "logistic"));
  EXPECT_EQ(CountsOf(DiffModules(a->module(), a->module())).similarity, 1);
  const double some = CountsOf(DiffModules(a->module(), b->module())).similarity;
  EXPECT_GT(some, 0);
  EXPECT_LT(some, 0.9);
}

TEST(ChangeGroupsTest, WhatIsIgnoredIsNoDifference) {
  const std::string text = Layers(4, "tanh");
  const auto a = Read(text), larger = Read(absl::StrReplaceAll(text, {{"[8]", "[16]"}}));
  EXPECT_FALSE(DiffModules(a->module(), larger->module()).IsEmpty());
  EXPECT_TRUE(DiffModules(a->module(), larger->module(), {.shapes = true}).IsEmpty());
  const auto square = Read(absl::StrReplaceAll(text, {{"[8]", "[8,8]"}}));
  const auto other = Read(absl::StrReplaceAll(text, {{"[8]", "[8,8]{0,1}"}}));
  EXPECT_FALSE(DiffModules(square->module(), other->module()).IsEmpty());
  EXPECT_TRUE(DiffModules(square->module(), other->module(), {.layouts = true}).IsEmpty());
  const auto configured = Read(absl::StrReplaceAll(text, {{"tanh(x.0)", "tanh(x.0), backend_config={\"a\":1}"}}));
  EXPECT_FALSE(DiffModules(a->module(), configured->module()).IsEmpty());
  EXPECT_TRUE(DiffModules(a->module(), configured->module(), {.backend_config = true}).IsEmpty());
  EXPECT_FALSE(DiffModules(a->module(), Read(Layers(4, "sine"))->module(), {true, true, true}).IsEmpty());
}

TEST(DiffPageTest, BothSidesOfAChange) {
  const auto a = Read(Layers(40, "tanh"));
  const auto b = Read(absl::StrReplaceAll(Layers(40, "tanh"), {{"tanh(x.20)", "sine(x.20)"}}));
  const ModuleDiff diff = DiffModules(a->module(), b->module());
  HtmlReport report("t", "");
  AddDiff(a->module(), b->module(), diff, {}, &report);
  const std::string page = std::move(report).Finish();
  EXPECT_THAT(page, HasSubstr("tanh(x.20)"));
  EXPECT_THAT(page, HasSubstr("sine(x.20)"));
  EXPECT_THAT(page, HasSubstr("unchanged lines"));
  EXPECT_THAT(page, ::testing::Not(HasSubstr("tanh(x.5)")));
}

}  // namespace
}  // namespace hloscope::insight
