// SPDX-License-Identifier: Apache-2.0
// What commands print for bug reports: Markdown, Mermaid, drawings and pages.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/command_line.h"

namespace hloscope::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kSharedModule[] =
    "HloModule m\nENTRY e {\n  x = f32[3] parameter(0)\n  y = f32[3] add(x, x)\n  z = f32[3] log(y), "
    "control-predecessors={x}\n"
    "  ROOT r = f32[3] negate(z)\n}\n";

class SharingCommandTest : public CommandLineTest {
 protected:
  static int Count(absl::string_view text, absl::string_view what) {
    int count = 0;
    for (size_t at = text.find(what); at != absl::string_view::npos; at = text.find(what, at + what.size())) ++count;
    return count;
  }
  std::string Write(const std::string& name, absl::string_view text) const {
    const std::string path = absl::StrCat(directory_, "/", name);
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  std::string Read(const std::string& path) const {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
};

TEST_F(SharingCommandTest, TheReportOfSurroundingsHoldsNothingElse) {
  const std::string file = Write("m.hlo", kSharedModule), path = absl::StrCat(file, ".html");
  ASSERT_EQ(RunHloscope({"graph", file, "--around=z", "--depth=0", absl::StrCat("--html=", path)}).exit_status, 0);
  EXPECT_THAT(Read(path), HasSubstr("log(y), control-predecessors={x}"));
  EXPECT_THAT(Read(path), Not(HasSubstr("negate(z)")));
  ASSERT_EQ(RunHloscope({"graph", file, "--around=z", "--depth=1", absl::StrCat("--html=", path)}).exit_status, 0);
  EXPECT_THAT(Read(path), HasSubstr("negate(z)"));
}

TEST_F(SharingCommandTest, AGraphIsAMermaidDiagram) {
  const std::string file = Write("m.hlo", kSharedModule);
  const Outcome outcome = RunHloscope({"graph", file, "--format=mermaid"});
  EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
  EXPECT_EQ(outcome.output,
            "flowchart TD\n"
            "  n0[\"parameter 0<br>x<br>f32[3]\"]\n"
            "  n1[\"add<br>y<br>f32[3]\"]\n"
            "  n2[\"log<br>z<br>f32[3]\"]\n"
            "  n3[\"negate<br>r<br>f32[3]\"]\n"
            "  n0 --> n1\n"
            "  n1 --> n2\n"
            "  n0 -.-> n2\n"
            "  n2 --> n3\n");
  const Outcome groups = RunHloscope({"graph", file, "--format=mermaid", "--group-by=computation"});
  EXPECT_EQ(groups.output, "flowchart TD\n  n0[\"e<br>4 instructions\"]\n");
}

TEST_F(SharingCommandTest, MarkdownHasTheInstructionAndTheCommandThatMakesItAgain) {
  const std::string file = Write("m.hlo", kSharedModule);
  const std::vector<std::string> command = {"graph", "--around=y", "--depth=1", "--format=markdown", file};
  const Outcome outcome = RunHloscope(command);
  EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
  EXPECT_TRUE(
      absl::StartsWith(outcome.output, "**`y`** (m.hlo:4)\n\n```hlo\ny = f32[3] add(x, x)\n```\n\n```mermaid\n"))
      << outcome.output;
  EXPECT_TRUE(absl::EndsWith(
      outcome.output, absl::StrCat("```\n\n    hloscope graph --around=y --depth=1 --format=markdown ", file, "\n")))
      << outcome.output;
}

TEST_F(SharingCommandTest, LargeGraphsAreNoDiagrams) {
  std::string text = "HloModule m\nENTRY e {\n  x0 = f32[] parameter(0)\n";
  for (int k = 1; k <= 100; ++k) absl::StrAppend(&text, "  x", k, " = f32[] negate(x", k - 1, ")\n");
  const std::string file = Write("chain.hlo", text + "}\n");
  const Outcome outcome = RunHloscope({"graph", file, "--format=markdown"});
  EXPECT_EQ(outcome.exit_status, 1);
  EXPECT_EQ(outcome.output, "");
  EXPECT_THAT(outcome.errors, HasSubstr("1 to 80 boxes; choose a part of the graph with --around"));
  EXPECT_EQ(RunHloscope({"graph", file, "--format=markdown", "--around=x50"}).exit_status, 0);
}

TEST_F(SharingCommandTest, NamesCannotLeaveTheirPlace) {
  const std::string file = Write("m.hlo",
                                 "HloModule m\nENTRY e {\n  x = f32[2] parameter(0)\n"
                                 "  ROOT y = f32[2] custom-call(x), custom_call_target=\"a```b<script>\"\n}\n");
  const std::string text = RunHloscope({"graph", file, "--format=markdown", "--around=y"}).output;
  EXPECT_THAT(text, HasSubstr("````hlo\n"));
  EXPECT_THAT(text, Not(HasSubstr("\n```\n```")));
  const std::string path = absl::StrCat(file, ".html");
  EXPECT_EQ(
      RunHloscope({"layout", "f32[2]", absl::StrCat("--html=", path), "--padding-value=<script>alert(1)</script>"})
          .exit_status,
      0);
  EXPECT_THAT(Read(path), Not(HasSubstr("<script>alert")));
}

TEST_F(SharingCommandTest, DiagnosticsAreMarkdown) {
  const std::string file = Write("bad.hlo", absl::StrReplaceAll(kSharedModule, {{"f32[3] add", "f32[4] add"}}));
  const Outcome outcome = RunHloscope({"check", file, "--markdown"});
  EXPECT_EQ(outcome.exit_status, 1);
  EXPECT_EQ(outcome.errors, "");
  EXPECT_TRUE(absl::StartsWith(outcome.output, "**error**: `add`: declared shape f32[4]")) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr(" (`declared-shape`)\nbad.hlo:4:"));
  EXPECT_THAT(outcome.output, HasSubstr("```text\n"));
  EXPECT_TRUE(absl::EndsWith(outcome.output, absl::StrCat("    hloscope check --markdown ", file, "\n")));
  EXPECT_EQ(RunHloscope({"check", file, "--markdown", "--json"}).exit_status, 2);
  std::string many = "HloModule m\nENTRY e {\n  x = f32[3] parameter(0)\n";
  for (int k = 0; k < 1000; ++k) absl::StrAppend(&many, "  y", k, " = f32[4] add(x, x)\n");
  const std::string text = RunHloscope({"check", "--markdown", Write("many.hlo", many + "}\n")}).output;
  EXPECT_EQ(Count(text, "```text"), 50);
  EXPECT_THAT(text, HasSubstr(" more diagnostics\n\n    hloscope check"));
}

TEST_F(SharingCommandTest, LayoutsAreDrawn) {
  const std::string svg = RunHloscope({"layout", "f32[3,5]{1,0:T(2,4)}", "--svg"}).output;
  EXPECT_TRUE(absl::StartsWith(svg, "<svg ")) << svg.substr(0, 100);
  // 15 elements in the array; 32 cells of memory, 17 of them padding; the ground, and one in the pattern.
  EXPECT_EQ(Count(svg, "<rect "), 15 + 32 + 2);
  EXPECT_EQ(Count(svg, "fill=\"url(#padding)\""), 17);
  // A large one shows a part.
  const std::string large = RunHloscope({"layout", "f32[1000,1000,1000]{2,1,0:T(8,128)}", "--svg"}).output;
  EXPECT_LT(large.size(), 300'000u);
  EXPECT_THAT(large, HasSubstr("…"));
  EXPECT_EQ(RunHloscope({"layout", "f32[0,3]", "--svg"}).exit_status, 0);
  EXPECT_EQ(RunHloscope({"layout", "(f32[2], s8[3])", "--svg"}).exit_status, 0);
}

TEST_F(SharingCommandTest, BroadcastsAreDrawn) {
  const std::string svg = RunHloscope({"broadcast", "f32[4]", "f32[4,3]", "--dims=0", "--svg"}).output;
  // The operands, and the first one as it is read.
  EXPECT_EQ(Count(svg, "<rect "), 4 + 12 + 12 + 2);
  EXPECT_EQ(Count(svg, ">3</text>"), 1 + 3 + 1 + 1 + 1) << svg;  // read three times; heads of the last row and column
  EXPECT_EQ(RunHloscope({"broadcast", "--call=conv", "f32[1,3,8,8]", "f32[16,3,3,3]", "--svg"}).exit_status, 2);
}

// The same drawings as pictures and documents, by librsvg where it is.
TEST_F(SharingCommandTest, DrawingsInOtherFormats) {
  EXPECT_TRUE(absl::StartsWith(RunHloscope({"layout", "f32[2,3]", "--format=svg"}).output, "<svg "));
  EXPECT_EQ(RunHloscope({"layout", "f32[2,3]", "--format=gif"}).exit_status, 2);
  EXPECT_EQ(RunHloscope({"layout", "f32[2,3]", "--svg", "--format=png"}).exit_status, 2);
  EXPECT_EQ(RunHloscope({"broadcast", "--call=conv", "f32[1,3,8,8]", "f32[16,3,3,3]", "--format=png"}).exit_status, 2);
  const std::vector<std::vector<std::string>> drawings = {{"layout", "f32[3,5]{1,0:T(2,4)}"},
                                                          {"broadcast", "f32[4]", "f32[4,3]", "--dims=0"},
                                                          {"memory", Write("m.hlo", kSharedModule)}};
  const std::pair<const char*, const char*> formats[] = {{"--format=png", "\x89PNG"}, {"--format=pdf", "%PDF"}};
  for (const std::vector<std::string>& drawing : drawings) {
    for (const auto& format : formats) {
      std::vector<std::string> words = drawing;
      words.push_back(format.first);
      const Outcome outcome = RunHloscope(words);
      if (outcome.exit_status == 0) {
        EXPECT_TRUE(absl::StartsWith(outcome.output, format.second)) << words[0] << " " << format.first;
      } else {
        EXPECT_THAT(outcome.errors, HasSubstr("`rsvg-convert` was not found. Install librsvg2-bin")) << words[0];
      }
    }
  }
}

TEST_F(SharingCommandTest, MemoryIsDrawn) {
  const std::string file = Write("m.hlo", kSharedModule);
  const std::string svg = RunHloscope({"memory", file, "--format=svg"}).output;
  EXPECT_TRUE(absl::StartsWith(svg, "<svg ")) << svg.substr(0, 100);
  EXPECT_THAT(svg, HasSubstr("<polyline "));
  // A life for each array, with its name.
  EXPECT_THAT(svg, HasSubstr("<title>x 12 B</title>")) << svg;
  EXPECT_EQ(RunHloscope({"memory", file, "--format=gif"}).exit_status, 2);
  EXPECT_EQ(RunHloscope({"memory", file, "--format=svg", "--json"}).exit_status, 2);
}

TEST_F(SharingCommandTest, DifferencesOfTextsAreDrawn) {
  const std::string file = Write("m.hlo", kSharedModule);
  const std::string other = Write("n.hlo", absl::StrReplaceAll(kSharedModule, {{"log(y)", "exponential(y)"}}));
  const Outcome drawn = RunHloscope({"diff", file, other, "--format=svg"});
  EXPECT_EQ(drawn.exit_status, 1);
  EXPECT_TRUE(absl::StartsWith(drawn.output, "<svg ")) << drawn.output.substr(0, 100);
  EXPECT_THAT(drawn.output, HasSubstr("n.hlo</text>"));
  EXPECT_THAT(drawn.output, HasSubstr("opcode log became exponential")) << drawn.output;
  EXPECT_EQ(Count(drawn.output, "fill=\"#fff8c5\""), 2) << drawn.output;
  EXPECT_EQ(RunHloscope({"diff", file, file, "--format=svg"}).exit_status, 0);
  EXPECT_EQ(RunHloscope({"diff", file, other, "--format=svg", "--json"}).exit_status, 2);
}

TEST_F(SharingCommandTest, PagesSayHowTheyAreMade) {
  const std::string path = absl::StrCat(Write("x", ""), ".html");
  ASSERT_EQ(RunHloscope({"broadcast", "f32[3,1]", "f32[1,4]", absl::StrCat("--html=", path)}).exit_status, 0);
  EXPECT_THAT(Read(path), HasSubstr("hloscope broadcast --html="));
  ASSERT_EQ(RunHloscope({"layout", "f32[2,3]", "f32[3,2]", absl::StrCat("--html=", path)}).exit_status, 0);
  EXPECT_THAT(Read(path), HasSubstr("hloscope layout --html="));
  const Outcome outcome = RunHloscope({"layout", "f32[2]", "--html=/no/such/folder/x.html"});
  EXPECT_EQ(outcome.exit_status, 1);
  EXPECT_THAT(outcome.errors, HasSubstr("No such file"));
}

TEST_F(SharingCommandTest, EveryReportSaysHowItIsMade) {
  const std::string file = Write("m.hlo", kSharedModule), path = absl::StrCat(Write("x", ""), ".html");
  const std::string other = Write("n.hlo", absl::StrReplaceAll(kSharedModule, {{"log(y)", "exponential(y)"}}));
  const std::vector<std::vector<std::string>> commands = {{"graph", file},
                                                          {"cost", file},
                                                          {"memory", file},
                                                          {"diff", file, other},
                                                          {"compare", file, other, "--fill=ones"}};
  for (std::vector<std::string> words : commands) {
    words.push_back(absl::StrCat("--html=", path));
    EXPECT_LE(RunHloscope(words).exit_status, 1);
    EXPECT_THAT(Read(path), HasSubstr(absl::StrCat("Made by <code>hloscope ", words[0], " "))) << words[0];
  }
}

TEST_F(SharingCommandTest, LayoutsBroadcastsAndComparisonsAreMarkdown) {
  const std::string layout = RunHloscope({"layout", "f32[2,3]", "--format=markdown"}).output;
  EXPECT_TRUE(absl::StartsWith(layout, "```text\nf32[2,3]")) << layout;
  EXPECT_TRUE(absl::EndsWith(layout, "```\n\n    hloscope layout --format=markdown 'f32[2,3]'\n")) << layout;
  EXPECT_THAT(RunHloscope({"broadcast", "f32[3,1]", "f32[1,4]", "--format=markdown"}).output,
              HasSubstr("    hloscope broadcast --format=markdown "));
  EXPECT_TRUE(absl::StartsWith(
      RunHloscope({"broadcast", "--call=collapse", "f32[2,3]", "--dims=0,1", "--format=markdown"}).output,
      "```text\n"));
  const std::string file = Write("m.hlo", kSharedModule);
  const Outcome same = RunHloscope({"compare", file, file, "--fill=ones", "--format=markdown"});
  EXPECT_EQ(same.exit_status, 0);
  EXPECT_THAT(same.output, HasSubstr("    hloscope compare --fill=ones --format=markdown "));
}

// Where values part first, by Graphviz.
TEST_F(SharingCommandTest, ComparisonsAreDrawn) {
  const std::string file = Write("m.hlo", kSharedModule);
  const std::string other = Write("n.hlo", absl::StrReplaceAll(kSharedModule, {{"add(x, x)", "multiply(x, x)"}}));
  const Outcome drawn = RunHloscope({"compare", file, other, "--fill=ones", "--format=svg"});
  EXPECT_EQ(drawn.exit_status, 1);
  if (absl::StrContains(drawn.errors, "Install graphviz")) GTEST_SKIP() << "no Graphviz";
  EXPECT_THAT(drawn.output, HasSubstr("<svg"));
  const Outcome same = RunHloscope({"compare", file, file, "--fill=ones", "--format=svg"});
  EXPECT_EQ(same.exit_status, 0);
  EXPECT_EQ(same.output, "");
  EXPECT_THAT(same.errors, HasSubstr("the values agree: there is nothing to draw"));
  EXPECT_EQ(RunHloscope({"compare", file, file, "--format=gif"}).exit_status, 2);
}

TEST_F(SharingCommandTest, RunsAreTimelinesAndFlameGraphs) {
  const std::string file = Write("m.hlo", kSharedModule), path = absl::StrCat(Write("x", ""), ".html");
  ASSERT_EQ(RunHloscope({"run", file, "--fill=ones", absl::StrCat("--trace=", path)}).exit_status, 0);
  const std::string page = Read(path);
  EXPECT_THAT(page, HasSubstr("data-lanes=\"device 0\""));
  EXPECT_THAT(page, HasSubstr("negate"));
  EXPECT_THAT(page, HasSubstr("Made by <code>hloscope run "));
  const std::string picture = absl::StrCat(path, ".png");
  const Outcome drawn = RunHloscope({"run", file, "--fill=ones", absl::StrCat("--trace=", picture)});
  if (drawn.exit_status == 0) {
    EXPECT_TRUE(absl::StartsWith(Read(picture), "\x89PNG"));
  } else {
    EXPECT_THAT(drawn.errors, HasSubstr("`rsvg-convert` was not found. Install librsvg2-bin"));
  }
}

TEST_F(SharingCommandTest, TheDebuggerPrintsValuesAsMarkdown) {
  const std::string file = Write("m.hlo", kSharedModule);
  const std::string script = Write("script", "next 2\nmarkdown y\nmarkdown\nmarkdown nothing\n");
  const Outcome outcome = RunHloscope({"debug", file, "--fill=ones", "--batch", "-x", script});
  EXPECT_THAT(outcome.output, HasSubstr("`y`, `f32[3]`\n\n```text\n{2, 2, 2}\n```\n"));
  EXPECT_EQ(outcome.exit_status, 1);  // the last command
}

}  // namespace
}  // namespace hloscope::cli
