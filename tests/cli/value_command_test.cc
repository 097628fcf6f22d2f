// SPDX-License-Identifier: Apache-2.0
// `hloscope value`.
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "evaluator/tensor/npy.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/command_line.h"

namespace hloscope::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr char kValueModule[] =
    "HloModule m\n\n"
    "body {\n  s = (s32[], f32[2]) parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n"
    "  v = f32[2] get-tuple-element(s), index=1\n  one = s32[] constant(1)\n  next = s32[] add(i, one)\n"
    "  doubled = f32[2] add(v, v)\n  ROOT t = (s32[], f32[2]) tuple(next, doubled)\n}\n\n"
    "cond {\n  s = (s32[], f32[2]) parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n"
    "  three = s32[] constant(3)\n  ROOT less = pred[] compare(i, three), direction=LT\n}\n\n"
    "ENTRY e {\n  x = f32[2,3] parameter(0)\n  zero = s32[] constant(0)\n  c = f32[2] constant({1, -2})\n"
    "  start = (s32[], f32[2]) tuple(zero, c)\n"
    "  loop = (s32[], f32[2]) while(start), condition=cond, body=body\n"
    "  r = f32[2,3] sqrt(x)\n  unused = f32[2,3] negate(x)\n  ROOT y = f32[2,3] add(r, r)\n}\n";

class ValueCommandTest : public CommandLineTest {
 protected:
  std::string Module(absl::string_view text = kValueModule) const {
    const std::string path = absl::StrCat(directory_, "/m.hlo");
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  // Without its scripts.
  std::string Read(const std::string& path) const {
    std::ifstream file(path, std::ios::binary);
    const std::string page{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const size_t begin = page.find("<main>"), end = page.find("</main>");
    return begin == std::string::npos ? page : page.substr(begin, end - begin);
  }
  std::string OutputOf(std::vector<std::string> words) const {
    words.insert(words.begin(), "value");
    const Outcome outcome = RunHloscope(words);
    EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
    return outcome.output;
  }
  // With one blank for several.
  std::string TextOf(std::vector<std::string> words) const {
    std::string text = OutputOf(std::move(words));
    absl::RemoveExtraAsciiWhitespace(&text);
    return text;
  }
};

TEST_F(ValueCommandTest, ComputesResultsInstructionsAndExpressions) {
  const std::string file = Module();
  EXPECT_THAT(TextOf({file, "--fill=ones"}), AllOf(StartsWith("y = f32[2,3]"), HasSubstr("2 2 2")));
  EXPECT_THAT(OutputOf({file, "r", "--fill=iota"}), AllOf(StartsWith("r = f32[2,3]"), HasSubstr("1.41421")));
  EXPECT_THAT(OutputOf({file, "r[1,:]", "--fill=ones"}), StartsWith("r[1,:] = f32[3]"));
  EXPECT_THAT(TextOf({file, "r - y", "--fill=ones"}), HasSubstr("-1 -1 -1"));
  // A parameter, a constant, what nothing uses, and what is in a loop: of its first iteration.
  EXPECT_THAT(TextOf({file, "x", "--fill=ones"}), HasSubstr("1 1 1"));
  EXPECT_THAT(TextOf({file, "c", "--fill=ones"}), HasSubstr("1 -2"));
  EXPECT_THAT(TextOf({file, "unused", "--fill=ones"}), HasSubstr("-1 -1 -1"));
  EXPECT_THAT(TextOf({file, "body::doubled", "--fill=ones"}), HasSubstr("2 -4"));
  EXPECT_THAT(TextOf({file, "loop{1}", "--fill=ones"}), AllOf(StartsWith("loop{1} = f32[2]"), HasSubstr("8 -16")));
}

// What lies after the value is not executed.
TEST_F(ValueCommandTest, EndsAtTheValue) {
  const std::string file = Module(
      "HloModule m\nENTRY e {\n  x = f32[] parameter(0)\n  y = f32[] add(x, x)\n"
      "  ROOT z = f32[] custom-call(y), custom_call_target=\"nobody_knows\"\n}\n");
  EXPECT_EQ(OutputOf({file, "y", "--fill=ones"}), "y = f32[] 2\n");
  EXPECT_EQ(RunHloscope({"value", file, "z", "--fill=ones"}).exit_status, 1);
}

TEST_F(ValueCommandTest, AValueThatDevicesMakeTogether) {
  const std::string file = Module(
      "HloModule m, replica_count=2\nadd {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n"
      "  ROOT s = f32[] add(a, b)\n}\nENTRY e {\n  x = f32[2] parameter(0)\n"
      "  sum = f32[2] all-reduce(x), replica_groups={{0,1}}, to_apply=add\n  ROOT n = f32[2] negate(sum)\n}\n");
  EXPECT_THAT(TextOf({file, "sum", "--fill=ones"}), HasSubstr("2 2"));
}

TEST_F(ValueCommandTest, DrawsHeatMaps) {
  const std::string file = Module();
  const std::string svg = OutputOf({file, "r", "--fill=ones", "--svg"});
  EXPECT_THAT(svg, AllOf(StartsWith("<svg xmlns="), HasSubstr(">r f32[2,3]</text>"), HasSubstr("min 1 max 1 mean 1")));
  EXPECT_EQ(OutputOf({file, "r", "--fill=ones", "--format=svg"}), svg);
  // Leaves of a tuple one below the other; elements that are no numbers in red.
  EXPECT_THAT(OutputOf({file, "loop", "--fill=ones", "--svg"}),
              AllOf(HasSubstr(">loop{0} s32[]</text>"), HasSubstr(">loop{1} f32[2]</text>")));
  EXPECT_THAT(OutputOf({file, "r", "--fill=0=uniform:-2:-1", "--svg"}), HasSubstr("#c80000"));
  // Many planes: the first ones, and how many are left.
  const std::string planes = Module("HloModule m\nENTRY e {\n  ROOT i = f32[2,5,100,70] iota(), iota_dimension=3\n}\n");
  const std::string drawn = OutputOf({planes, "--svg"});
  EXPECT_THAT(drawn, AllOf(HasSubstr(">[1,0,:,:]</text>"), HasSubstr("and 4 more planes"), HasSubstr(">99</text>")));
  EXPECT_LT(drawn.size(), 4u << 20);
}

TEST_F(ValueCommandTest, PrintsMarkdownWithItsCommand) {
  const std::string file = Module();
  EXPECT_EQ(OutputOf({file, "c", "--fill=ones", "--format=markdown"}),
            absl::StrCat("`c`, `f32[2]`\n\n```text\n{1, -2}\n```\n\n    hloscope value --fill=ones --format=markdown ",
                         file, " c\n"));
}

TEST_F(ValueCommandTest, WritesPagesThatHoldTheElements) {
  const std::string file = Module(), page = absl::StrCat(directory_, "/value.html");
  EXPECT_EQ(OutputOf({file, "c", "--fill=ones", absl::StrCat("--html=", page)}), "");
  // 1 and -2 as floats.
  EXPECT_THAT(Read(page), AllOf(HasSubstr("data-type=f4 data-parts=1 data-digits=9 data-sizes=\"2\" data-steps=\"1\""),
                                HasSubstr("data-elements=\"AACAPwAAAMA=\""), HasSubstr("Made by ")));
  OutputOf({file, "body::doubled", "--fill=ones", absl::StrCat("--html=", page)});
  EXPECT_THAT(Read(page), HasSubstr("e::loop[body 0]/body::doubled"));
  // Every second row and column, and so on, of one that is too large.
  const std::string large = Module("HloModule m\nENTRY e {\n  ROOT i = s8[3000,1000,2] iota(), iota_dimension=1\n}\n");
  OutputOf({large, absl::StrCat("--html=", page)});
  EXPECT_THAT(Read(page), AllOf(HasSubstr("data-sizes=\"375,500,2\" data-steps=\"8,2,1\""),
                                HasSubstr("The page holds 375000 of 6000000 elements")));
  EXPECT_LT(Read(page).size(), 4u << 20);
  // Element types as the numbers that a browser has.
  for (const auto& [type, name] : std::vector<std::pair<std::string, std::string>>{{"bf16", "f4"},
                                                                                   {"f64", "f8"},
                                                                                   {"u4", "u4"},
                                                                                   {"s64", "i8"},
                                                                                   {"u64", "u8"},
                                                                                   {"c128", "f8"},
                                                                                   {"f8e4m3fn", "f4"}}) {
    const std::string one = Module(absl::StrCat("HloModule m\nENTRY e {\n  ROOT p = ", type, "[2] parameter(0)\n}\n"));
    OutputOf({one, "--fill=ones", absl::StrCat("--html=", page)});
    EXPECT_THAT(Read(page), HasSubstr(absl::StrCat("data-type=", name, " data-parts=", type == "c128" ? 2 : 1)));
  }
  OutputOf({Module("HloModule m\nENTRY e {\n  ROOT p = f32[0,3] parameter(0)\n}\n"), "--fill=ones",
            absl::StrCat("--html=", page)});
  EXPECT_THAT(Read(page), AllOf(HasSubstr("No elements."), Not(HasSubstr("class=tv "))));
}

TEST_F(ValueCommandTest, OfVeryManyArraysTheFirstOnesAreDrawn) {
  std::string types = "f32[2]", operands = "p";
  for (int i = 1; i < 2000; ++i) {
    types += ", f32[2]";
    operands += ", p";
  }
  const std::string file = Module(absl::StrCat("HloModule m\nENTRY e {\n  p = f32[2] parameter(0)\n  ROOT r = (", types,
                                               ") tuple(", operands, ")\n}\n"));
  const std::string page = absl::StrCat(directory_, "/value.html");
  OutputOf({file, "--fill=ones", absl::StrCat("--html=", page)});
  EXPECT_THAT(Read(page), AllOf(HasSubstr("r{255} f32[2]"), Not(HasSubstr("r{256}")),
                                HasSubstr("There are more arrays: the page shows the first 256.")));
  EXPECT_THAT(OutputOf({file, "--fill=ones", "--svg"}),
              AllOf(HasSubstr(">r{255} f32[2]</text>"), Not(HasSubstr("r{256}")), HasSubstr("and more arrays")));
}

TEST_F(ValueCommandTest, ShowsFilesOfNumPy) {
  const float elements[] = {1, 2, 3, 4};
  const std::string path = absl::StrCat(directory_, "/a.npy");
  const auto tensor = evaluator::Tensor::FromValues<float>(ElementType::kF32, {2, 2}, absl::MakeConstSpan(elements));
  ASSERT_TRUE(tensor.ok());
  ASSERT_TRUE(evaluator::WriteNpy(path, *tensor).ok());
  EXPECT_THAT(TextOf({path}), AllOf(StartsWith(absl::StrCat(path, " = f32[2,2]")), HasSubstr("3 4")));
  EXPECT_THAT(OutputOf({path, "--svg"}), HasSubstr("min 1 max 4 mean 2.5"));
  EXPECT_EQ(RunHloscope({"value", path, "x"}).exit_status, 2);
  EXPECT_EQ(RunHloscope({"value", absl::StrCat(directory_, "/missing.npy")}).exit_status, 1);
}

TEST_F(ValueCommandTest, SaysWhatIsWrong) {
  const std::string file = Module();
  const auto errors_of = [&](const std::string& expression) {
    const Outcome outcome = RunHloscope({"value", file, expression, "--fill=ones"});
    EXPECT_EQ(outcome.exit_status, 1) << expression;
    EXPECT_EQ(outcome.output, "");
    return outcome.errors;
  };
  EXPECT_THAT(errors_of("ry"), HasSubstr("ry"));
  EXPECT_THAT(errors_of("r["), HasSubstr("r["));
  EXPECT_THAT(errors_of("1 + 2"), HasSubstr("`1 + 2` names no instruction"));
  EXPECT_THAT(errors_of("r[7,0]"), HasSubstr("`r[7,0]` never has a value"));
  EXPECT_THAT(RunHloscope({"value", file}).errors, HasSubstr("parameter"));
  EXPECT_EQ(RunHloscope({"value", file, "--format=gif"}).exit_status, 2);
  EXPECT_EQ(RunHloscope({"value", file, "y", "--fill=ones", "--memory-limit=8"}).exit_status, 3);
}

}  // namespace
}  // namespace hloscope::cli
