// SPDX-License-Identifier: Apache-2.0
// Attributes that several instructions spell alike are read once: nothing else about them may differ from being read
// each time.
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "core/document/document.h"
#include "core/print/printer.h"
#include "tests/support/module_diagnostics.h"
#include "tests/support/read_document.h"

namespace hloscope {
namespace {

InstructionId Find(const Module& module, absl::string_view name) {
  return module.FindInstruction(module.entry(), name);
}

TEST(AttributesWrittenAlike, HaveEqualValuesAndPlacesOfTheirOwn) {
  const std::string text =
      "HloModule m\n\nENTRY e {\n  p = f32[2,3] parameter(0)\n"
      "  a = f32[3,2] transpose(p), dimensions={1,0}, metadata={op_name=\"x\"}\n"
      "  b = f32[2,3] transpose(a), metadata={op_name=\"x\"}, dimensions={1,0}\n"
      "  ROOT c = f32[3,2] transpose(b), dimensions={1,0}, backend_config={\"k\": {1}}\n}\n";
  const auto document = ReadCorrectDocument(text);
  const Module& module = document->module();
  for (const char* name : {"a", "b", "c"}) {
    const InstructionId id = Find(module, name);
    ASSERT_TRUE(id.has_value());
    EXPECT_EQ(module.IntsAttribute(id, AttributeKind::kDimensions), (std::vector<int64_t>{1, 0})) << name;
    const SourceRange range = document->AttributeRange(id, AttributeKind::kDimensions);
    const SourceRange whole = document->InstructionRange(id);
    EXPECT_EQ(document->source().Slice(range), "dimensions={1,0}") << name;
    EXPECT_TRUE(whole.begin < range.begin && range.end <= whole.end) << name;
  }
  EXPECT_EQ(module.MetadataOf(Find(module, "a")), module.MetadataOf(Find(module, "b")));
  EXPECT_EQ(module.MetadataOf(Find(module, "c")), nullptr);
  EXPECT_EQ(module.RawAttribute(Find(module, "c"), AttributeKind::kBackendConfig)->text, "{\"k\": {1}}");
}

TEST(AttributesWrittenAlike, AreEachReportedIfTheyAreBad) {
  EXPECT_EQ(DiagnosticsOf("ENTRY e {\n  p = f32[2,3] parameter(0)\n"
                          "  a = f32[2,3] copy(p), sharding={replicatd}\n"
                          "  ROOT b = f32[2,3] copy(a), sharding={replicatd}\n}\n"),
            DiagnosticsOf("ENTRY e {\n  p = f32[2,3] parameter(0)\n"
                          "  a = f32[2,3] copy(p), sharding={replicatd}\n"
                          "  ROOT b = f32[2,3] copy(a), sharding={ replicatd}\n}\n"));
  const std::string diagnostics = DiagnosticsOf(
      "ENTRY e {\n  p = f32[2,3] parameter(0)\n  a = f32[3,2] transpose(p), dimensions={1,x}\n"
      "  ROOT b = f32[3,2] transpose(p), dimensions={1,x}\n}\n");
  EXPECT_NE(diagnostics.find(" | "), std::string::npos) << diagnostics;
}

TEST(AttributesWrittenAlike, WithWarningsAreReportedEachTime) {
  const std::string diagnostics = DiagnosticsOf(
      "ENTRY e {\n  p = f32[2] parameter(0)\n"
      "  a = f32[2] copy(p), metadata={op_name=\"x\" creation_pass_id=1}\n"
      "  ROOT b = f32[2] copy(a), metadata={op_name=\"x\" creation_pass_id=1}\n}\n",
      {}, Severity::kHint);
  EXPECT_NE(diagnostics.find(" | "), std::string::npos) << diagnostics;
}

TEST(AttributesWrittenAlike, OfOtherOpcodesAreOfTheirOwnKind) {
  const auto document = ReadDocument(
      "HloModule m\n\nENTRY e {\n  p = f32[4] parameter(0)\n"
      "  a = f32[] custom-call(p), custom_call_target=\"t\", backend_config=\"x\"\n"
      "  b = f32[] custom-call(p), custom_call_target=\"t\", opaque=\"x\"\n"
      "  c = f32[] custom-call(p), custom_call_target=\"t\", backend_config=\"\"\n"
      "  ROOT d = (f32[], f32[], f32[]) tuple(a, b, c), backend_config=\"\"\n}\n");
  const Module& module = document->module();
  EXPECT_EQ(module.RawAttribute(Find(module, "a"), AttributeKind::kBackendConfig)->text, "x");
  EXPECT_EQ(module.RawAttribute(Find(module, "b"), AttributeKind::kBackendConfig)->text, "x");
  // An empty string counts as no attribute at all, also the second time.
  EXPECT_FALSE(module.HasAttribute(Find(module, "c"), AttributeKind::kBackendConfig));
  EXPECT_FALSE(module.HasAttribute(Find(module, "d"), AttributeKind::kBackendConfig));
}

TEST(AttributesWrittenAlike, MoreSpellingsThanAreRememberedKeepTheirValues) {
  constexpr int kCount = 3000;
  std::string text = "HloModule m\n\nENTRY e {\n  p0 = f32[] parameter(0)\n";
  for (int i = 1; i <= 2 * kCount; ++i) {
    absl::StrAppend(&text, i == 2 * kCount ? "  ROOT p" : "  p", i, " = f32[] copy(p", i - 1,
                    "), metadata={op_name=\"n", i % kCount, "\"}\n");
  }
  const auto document = ReadCorrectDocument(absl::StrCat(text, "}\n"));
  const Module& module = document->module();
  for (int i = 1; i <= 2 * kCount; ++i) {
    const Metadata* metadata = module.MetadataOf(Find(module, absl::StrCat("p", i)));
    ASSERT_NE(metadata, nullptr);
    ASSERT_EQ(module.string(metadata->op_name), absl::StrCat("n", i % kCount));
    if (i > 200 && i < 2 * kCount - 200) i += 97;  // diagnostic one is linear
  }
}

}  // namespace
}  // namespace hloscope
