// SPDX-License-Identifier: Apache-2.0
// The default of every attribute that may be left out.
#include "core/ops/attribute_defaults.h"

#include <algorithm>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "gtest/gtest.h"
#include "tests/support/op_page.h"

namespace hloscope {
namespace {

TEST(AttributeDefaults, EveryAttributeThatIsNotRequiredHasOne) {
  for (Opcode opcode : AllOpcodes()) {
    const OpcodeInfo& info = InfoOf(opcode);
    for (absl::Span<const AttributeKind> list : {info.attributes, CommonAttributes()}) {
      for (AttributeKind kind : list) {
        const bool required = std::find(info.required.begin(), info.required.end(), kind) != info.required.end();
        EXPECT_EQ(DefaultOf(opcode, kind).has_value(), !required) << info.name << " " << AttributeName(kind);
      }
    }
  }
  EXPECT_FALSE(DefaultOf(Opcode::kAdd, AttributeKind::kDimensions).has_value());
}

TEST(AttributeDefaults, SomeDependOnTheOpcode) {
  EXPECT_EQ(DefaultOf(Opcode::kTopk, AttributeKind::kIsStable)->text, "true");
  EXPECT_EQ(DefaultOf(Opcode::kSort, AttributeKind::kIsStable)->text, "false");
  EXPECT_FALSE(DefaultOf(AttributeKind::kIsStable).has_value());
  EXPECT_EQ(DefaultOf(AttributeKind::kFeatureGroupCount)->text, "1");
  EXPECT_TRUE(DefaultOf(AttributeKind::kFeatureGroupCount)->is_value);
  EXPECT_FALSE(DefaultOf(AttributeKind::kIndex).has_value());  // required wherever it may be
}

// "* `name` (default `x`): ..." on the page of an opcode says the same, where the default is a value.
TEST(AttributeDefaults, ThePagesAgree) {
  int compared = 0;
  for (Opcode opcode : AllOpcodes()) {
    const std::string page = OpPage(opcode);
    for (absl::string_view line : absl::StrSplit(page, '\n')) {
      const size_t at = line.find("(default ");
      const size_t end = line.find("): ");
      if (!absl::StartsWith(line, "* `") || at == absl::string_view::npos || end == absl::string_view::npos || end < at)
        continue;
      const std::string said =
          absl::StrReplaceAll(line.substr(at + 9, end - at - 9), {{"`", ""}, {", one group of all", ""}});
      for (AttributeKind kind : InfoOf(opcode).attributes) {
        if (!absl::StrContains(line.substr(0, at), absl::StrCat("`", AttributeName(kind), "`"))) continue;
        const std::optional<AttributeDefault> value = DefaultOf(opcode, kind);
        if (!value.has_value() || !value->is_value) continue;
        EXPECT_EQ(value->text, said) << OpcodeName(opcode) << " " << AttributeName(kind);
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 30);
}

}  // namespace
}  // namespace hloscope
