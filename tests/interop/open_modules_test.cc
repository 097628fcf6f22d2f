// SPDX-License-Identifier: Apache-2.0
// Files with any number of modules, and StableHLO programs, as HLO texts.
#include "interop/modules/open_modules.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/document/document.h"
#include "gtest/gtest.h"
#include "interop/modules/shown_diagnostics.h"
#include "tests/support/test_folder.h"

namespace hloscope::interop {
namespace {

constexpr char kModule[] = "HloModule first\n\nENTRY e {\n  ROOT c = s32[] constant(7)\n}\n\n";
constexpr char kProgram[] =
    "module @m {\n  func.func public @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {\n"
    "    %0 = stablehlo.add %arg0, %arg0 : tensor<2xf32>\n    return %0 : tensor<2xf32>\n  }\n}\n";

class OpenModulesTest : public testing::Test {
 protected:
  absl::StatusOr<OpenedModules> Open(const std::string& text, const std::optional<std::string>& wanted = std::nullopt) {
    std::ofstream(path_, std::ios::binary) << text;
    return OpenModules(path_, {}, wanted);
  }

  const TestFolder folder_;
  const std::string path_ = folder_ / "modules";
};

TEST_F(OpenModulesTest, SeveralModulesOfWhichOneIsChosen) {
  const std::string text = absl::StrCat(kModule, "HloModule second\n\nENTRY e {\n  ROOT c = s32[] constant(8)\n}\n");
  const auto all = Open(text);
  ASSERT_TRUE(all.ok()) << all.status();
  EXPECT_EQ(all->modules.size(), 2u);
  EXPECT_EQ(ModuleList(all->file->modules), "1 first, 2 second");
  for (const char* wanted : {"second", "2"}) {
    const auto one = Open(text, wanted);
    ASSERT_TRUE(one.ok()) << one.status();
    ASSERT_EQ(one->modules.size(), 1u);
    EXPECT_TRUE(absl::StrContains(one->modules[0].text->text(), "constant(8)"));
  }
  const auto none = Open(text, "third\n");
  EXPECT_TRUE(absl::IsNotFound(none.status()));
  EXPECT_TRUE(absl::EndsWith(none.status().message(), ": no module 'third\\n'; there is 1 first, 2 second"))
      << none.status();
  EXPECT_TRUE(absl::IsNotFound(OpenModules(path_ + ".missing").status()));
}

TEST_F(OpenModulesTest, DiagnosticsOfAProgramAreInTheProgram) {
  const auto good = Open(kProgram);
  ASSERT_TRUE(good.ok()) << good.status();
  ASSERT_EQ(good->modules.size(), 1u);
  EXPECT_FALSE(good->modules[0].has_errors);
  EXPECT_NE(good->modules[0].text->origin(), nullptr);
  EXPECT_FALSE(Document::Parse(good->modules[0].text)->has_errors());

  std::string wrong = kProgram;
  wrong.replace(wrong.find("stablehlo.add"), 13, "stablehlo.ad");
  const auto bad = Open(wrong);
  ASSERT_TRUE(bad.ok()) << bad.status();
  EXPECT_TRUE(bad->modules[0].has_errors);
  const auto document = Document::Parse(bad->modules[0].text);
  const ShownDiagnostics shown = DiagnosticsToShow(*document, bad->modules[0].diagnostics);
  EXPECT_EQ(shown.source->text(), wrong);
  ASSERT_EQ(shown.diagnostics.size(), 1u);
  EXPECT_TRUE(absl::StartsWith(shown.source->text().substr(shown.diagnostics[0].range.begin), "stablehlo.ad "))
      << shown.diagnostics[0].range.begin;
}

}  // namespace
}  // namespace hloscope::interop
