// SPDX-License-Identifier: Apache-2.0
// What fingerprints tell apart, and what not.
#include "insight/fingerprint/fingerprint.h"

#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "core/document/document.h"
#include "core/print/printer.h"
#include "core/transform/transform.h"
#include "gtest/gtest.h"
#include "tests/support/module_generator.h"

namespace hloscope::insight {
namespace {

Fingerprint Of(const std::string& text, const FingerprintOptions& options = {}) {
  const auto document = Document::Parse(SourceText::FromString("m.hlo", text));
  EXPECT_FALSE(document->has_errors()) << text;
  return FingerprintOf(document->module(), options);
}

constexpr char kFingerprinted[] = R"(HloModule m, entry_computation_layout={(f32[4,8]{1,0}, f32[8]{0})->f32[4]{0}}

add {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT s = f32[] add(x, y)
}

ENTRY e {
  p = f32[4,8]{1,0} parameter(0)
  q = f32[8]{0} parameter(1), metadata={op_name="q"}
  b = f32[4,8]{1,0} broadcast(q), dimensions={1}
  d = f32[4,8]{1,0} subtract(p, b)
  c = f32[] constant(1.5)
  ROOT r = f32[4]{0} reduce(d, c), dimensions={1}, to_apply=add, backend_config={"a":1}
}
)";

TEST(FingerprintTest, IsTheSameOnEveryMachine) {
  // A change of this number breaks what people keep: say so where changes are listed.
  EXPECT_EQ(Of(kFingerprinted).ToString(), "23cfeac43bab1170f72e5ea669f9a93f");
}

TEST(FingerprintTest, NamesMetadataAndOrderDoNotCount) {
  const std::string text = kFingerprinted;
  const Fingerprint one = Of(text);
  EXPECT_EQ(one, Of(absl::StrReplaceAll(text, {{"HloModule m", "HloModule other"},
                                               {"d = f32", "zz = f32"},
                                               {"(d, c)", "(zz, c)"},
                                               {"to_apply=add", "to_apply=sum"},
                                               {"\nadd {", "\nsum {"}})));
  EXPECT_EQ(one, Of(absl::StrReplaceAll(text, {{", metadata={op_name=\"q\"}", ""}})));
  const std::string p = "  p = f32[4,8]{1,0} parameter(0)\n", c = "  c = f32[] constant(1.5)\n";
  const std::string c_first = c + p;
  EXPECT_EQ(one, Of(absl::StrReplaceAll(text, {{c, ""}, {p, c_first}})));
  // The default spelled out.
  EXPECT_EQ(one, Of(absl::StrReplaceAll(text, {{"{1,0} broadcast", " broadcast"}})));
}

TEST(FingerprintTest, EverythingElseCounts) {
  const std::string text = kFingerprinted;
  std::set<std::string> seen = {Of(text).ToString()};
  for (const auto& [from, to] : std::initializer_list<std::pair<const char*, const char*>>{
           {"subtract(p, b)", "subtract(b, p)"},
           {"subtract(p, b)", "add(p, b)"},
           {"subtract(p, b)", "subtract(p, p)"},
           {"constant(1.5)", "constant(1.25)"},
           {"s = f32[] add(x, y)", "s = f32[] maximum(x, y)"},
           {"{\"a\":1}", "{\"a\":2}"},
           {"{1,0} subtract", "{0,1} subtract"},
           {"HloModule m,", "HloModule m, num_partitions=2,"},
           {"  c = f32[]", "  u = f32[4,8]{1,0} negate(d)\n  c = f32[]"}}) {
    const std::string other = absl::StrReplaceAll(text, {{from, to}});
    ASSERT_NE(other, text) << from;
    EXPECT_TRUE(seen.insert(Of(other).ToString()).second) << from << " -> " << to;
  }
}

TEST(FingerprintTest, WhichOfTwoEqualValuesIsUsedCounts) {
  const auto with = [](const char* operands) {
    return Of(
        absl::StrCat("HloModule m\nENTRY e {\n p = f32[4] parameter(0)\n a = f32[4] negate(p)\n b = f32[4] negate(p)\n"
                     " ROOT r = f32[4] add(",
                     operands, ")\n}\n"));
  };
  EXPECT_EQ(with("a, b"), with("b, a"));
  EXPECT_NE(with("a, b"), with("a, a"));
}

TEST(FingerprintTest, WhatIsIgnoredDoesNotCount) {
  const std::string text = kFingerprinted;
  const auto changed = [&](const char* from, const char* to) { return absl::StrReplaceAll(text, {{from, to}}); };
  FingerprintOptions options;
  options.ignore_backend_config = true;
  EXPECT_EQ(Of(text, options), Of(changed("{\"a\":1}", "{\"a\":2}"), options));
  options = {};
  options.ignore_layouts = true;
  EXPECT_EQ(Of(text, options), Of(changed("{1,0} subtract", "{0,1} subtract"), options));
  EXPECT_NE(Of(text, options), Of(changed("[4", "[5"), options));
  options = {};
  options.ignore_shapes = true;
  EXPECT_EQ(Of(text, options), Of(absl::StrReplaceAll(text, {{"[4", "[5"}}), options));
  EXPECT_NE(Of(text, options), Of(absl::StrReplaceAll(text, {{"f32", "f64"}}), options));
}

TEST(FingerprintTest, SurvivesNewNamesAndAnotherOrderOfRandomModules) {
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    const auto document = Document::Parse(SourceText::FromString("m.hlo", RandomModule(seed)));
    ASSERT_FALSE(document->has_errors());
    PrintOptions options;
    options.order = PrintOrder::kXla;
    options.large_constants = true;
    options.metadata = false;
    const auto again = Document::Parse(SourceText::FromString("n.hlo", PrintModule(document->module(), options)));
    ASSERT_FALSE(again->has_errors()) << seed;
    EXPECT_EQ(FingerprintOf(document->module()), FingerprintOf(again->module())) << seed;
    const auto next = Document::Parse(SourceText::FromString("m.hlo", RandomModule(seed + 1000)));
    EXPECT_NE(FingerprintOf(document->module()), FingerprintOf(next->module())) << seed;
  }
}

}  // namespace
}  // namespace hloscope::insight
