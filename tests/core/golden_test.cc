// SPDX-License-Identifier: Apache-2.0
// Every file of tests/corpus finds exactly what its comments say (tests/support/golden_file.h), and the directives are
// read as described there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tests/support/golden_file.h"
#include "tests/support/shared_files.h"

namespace hloscope {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string CorpusRoot() { return std::string(HLOSCOPE_SOURCE_DIR) + "/tests/corpus"; }

// Paths relative to tests/corpus, sorted.
std::vector<std::string> GoldenFiles() {
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(CorpusRoot(), error)) {
    if (entry.path().extension() == ".hlo") {
      files.push_back(std::filesystem::relative(entry.path(), CorpusRoot()).string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

class Golden : public testing::TestWithParam<std::string> {};

TEST_P(Golden, FindsWhatItsCommentsSay) {
  const auto sections = ParseGoldenFile(ReadFileOrDie(absl::StrCat(CorpusRoot(), "/", GetParam())));
  ASSERT_TRUE(sections.ok()) << "tests/corpus/" << GetParam() << ": " << sections.status().message();
  for (const GoldenSection& section : *sections) {
    for (const std::string& failure : CheckGoldenSection(section)) {
      ADD_FAILURE() << "tests/corpus/" << GetParam() << ":" << failure;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, Golden, testing::ValuesIn(GoldenFiles()), [](const auto& parameter) {
  std::string name = parameter.param.substr(0, parameter.param.size() - 4);
  for (char& c : name) c = c == '/' || c == '-' || c == '.' ? '_' : c;
  return name;
});

// --- The format itself ---

GoldenSection OnlySection(absl::string_view text) {
  const auto sections = ParseGoldenFile(text);
  EXPECT_TRUE(sections.ok()) << sections.status();
  if (!sections.ok()) return {};
  EXPECT_EQ(sections->size(), 1u);
  return sections->front();
}

TEST(GoldenFile, ReadsAnExpectation) {
  const GoldenSection section = OnlySection("a\n// expect-warning@+2:5-9 {{{x} }}} [unknown-opcode]\n");
  ASSERT_EQ(section.expectations.size(), 1u);
  const GoldenExpectation& expected = section.expectations[0];
  EXPECT_EQ(expected.severity, Severity::kWarning);
  EXPECT_EQ(expected.place.line, 4);
  EXPECT_EQ(expected.place.column, 5);
  EXPECT_EQ(expected.place.end_column, 10);
  EXPECT_EQ(expected.text, "{x} }");
  EXPECT_EQ(expected.code, "unknown-opcode");
  EXPECT_EQ(expected.directive_line, 2);
}

TEST(GoldenFile, ReadsDirectivesBehindTextAndTheirDetails) {
  const GoldenSection section = OnlySection(
      "// options: --layout-sensitive --replicas=3 --partitions=2 --allow-mixed-precision --parse-only\n"
      "x // expect-hint {{m}} [dead-code]\n"
      "// related@-1:7 {{there}}\n"
      "// fix {{do it}} -> {{a\\nb}}\n");
  EXPECT_TRUE(section.options.verify.layout_sensitive);
  EXPECT_TRUE(section.options.verify.allow_mixed_precision);
  EXPECT_TRUE(section.options.parse_only);
  EXPECT_EQ(section.options.verify.replica_count, 3);
  EXPECT_EQ(section.options.verify.num_partitions, 2);
  ASSERT_EQ(section.expectations.size(), 1u);
  const GoldenExpectation& expected = section.expectations[0];
  EXPECT_EQ(expected.place.line, 2);
  ASSERT_EQ(expected.related.size(), 1u);
  EXPECT_EQ(expected.related[0].place.line, 2);
  EXPECT_EQ(expected.related[0].place.column, 7);
  ASSERT_EQ(expected.fixes.size(), 1u);
  EXPECT_EQ(expected.fixes[0].title, "do it");
  EXPECT_EQ(expected.fixes[0].replacement, "a\nb");
}

TEST(GoldenFile, SeparatesSections) {
  const auto sections = ParseGoldenFile("a\nb\n// -----\nc\n");
  ASSERT_TRUE(sections.ok());
  ASSERT_EQ(sections->size(), 2u);
  EXPECT_EQ((*sections)[0].text, "a\nb");
  EXPECT_EQ((*sections)[1].text, "c\n");
  EXPECT_EQ((*sections)[1].first_line, 4);
}

TEST(GoldenFile, MalformedDirectivesAreErrors) {
  for (const char* text : {"// expect-error {{a}}", "// expect-error {{a} [dead-code]", "// expect-error [dead-code]",
                           "// expect-error@1 {{a}} [dead-code]", "// expect-error@+x {{a}} [dead-code]",
                           "// expect-eror {{a}} [dead-code]", "// expect-error:x {{a}} [dead-code]",
                           "// expect-error:1-x {{a}} [dead-code]", "// expect-error {{a}} [no-such-code]",
                           "// expect-error {{a}} [dead-code] more", "// related {{a}}", "// fix {{a}} -> {{b}}",
                           "// options: --nosuch", "// options: --replicas=x"}) {
    const auto sections = ParseGoldenFile(absl::StrCat("\n", text));
    ASSERT_FALSE(sections.ok()) << text;
    EXPECT_THAT(std::string(sections.status().message()), HasSubstr("line 2: ")) << text;
  }
  const std::string before = "// expect-error {{a}} [dead-code]\n";
  for (const char* text : {"// fix {{a}} {{b}}", "// fix {{a}} -> b", "// related@+1", "// related {{a}} b"}) {
    EXPECT_FALSE(ParseGoldenFile(absl::StrCat(before, text)).ok()) << text;
  }
}

TEST(GoldenFile, ASectionThatSaysWhatIsFoundPasses) {
  EXPECT_THAT(
      CheckGoldenSection(OnlySection("ENTRY e {\n  value = f32[] constant(1)\n"
                                     "  // expect-error@+2:25-29 {{no instruction `vaule`}} [unknown-instruction]\n"
                                     "  // fix {{change to `value`}} -> {{value}}\n"
                                     "  ROOT r = f32[] negate(vaule)\n}\n")),
      IsEmpty());
  EXPECT_THAT(CheckGoldenSection(OnlySection("ENTRY e { ROOT value = f32[] constant(1) }")), IsEmpty());
}

TEST(GoldenFile, TellsEveryDifference) {
  // Nothing is expected, something else is expected, other columns, other related places, other fixes.
  const std::string module = "ENTRY e {\n  value = f32[] constant(1)\n  ROOT r = f32[] negate(vaule)\n}\n";
  EXPECT_THAT(CheckGoldenSection(OnlySection(module)),
              ElementsAre(HasSubstr("3: not expected: line 3:25-29 error {{no instruction `vaule`")));
  EXPECT_THAT(CheckGoldenSection(OnlySection(absl::StrCat(module, "// expect-error@-2 {{x}} [unknown-opcode]"))),
              ElementsAre(HasSubstr("5: not found: line 3 error {{x}} [unknown-opcode]"), HasSubstr("not expected")));
  EXPECT_THAT(CheckGoldenSection(OnlySection(absl::StrCat(module, "// expect-error@-2:24 {{}} [unknown-instruction]"))),
              ElementsAre(HasSubstr("not found"), HasSubstr("not expected")));
  EXPECT_THAT(
      CheckGoldenSection(OnlySection(absl::StrCat(module, "// expect-error@-2:25-28 {{}} [unknown-instruction]"))),
      ElementsAre(HasSubstr("not found"), HasSubstr("not expected")));
  EXPECT_THAT(CheckGoldenSection(OnlySection(absl::StrCat(module, "// expect-error@-2 {{}} [unknown-instruction]\n",
                                                          "// related {{no such}}\n// fix {{no such}} -> {{a}}"))),
              ElementsAre(HasSubstr("no related location"), HasSubstr("no fix")));
}

}  // namespace
}  // namespace hloscope
