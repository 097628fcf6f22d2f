// SPDX-License-Identifier: Apache-2.0
// `hloscope compare`.
#include <fstream>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/support/command_line.h"

namespace hloscope::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr char kCompareCommandLoop[] = R"(HloModule m
body {
  s = (s32[], f32[4]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  v = f32[4] get-tuple-element(s), index=1
  o = s32[] constant(1)
  j = s32[] add(i, o)
  c = f32[4] constant({1, 2, 3, 4})
  w = f32[4] multiply(v, c)
  ROOT r = (s32[], f32[4]) tuple(j, w)
}
cond {
  cs = (s32[], f32[4]) parameter(0)
  ci = s32[] get-tuple-element(cs), index=0
  l = s32[] constant(3)
  ROOT lt = pred[] compare(ci, l), direction=LT
}
ENTRY e {
  p = f32[4] parameter(0)
  z = s32[] constant(0)
  t = (s32[], f32[4]) tuple(z, p)
  k = (s32[], f32[4]) while(t), condition=cond, body=body
  g = f32[4] get-tuple-element(k), index=1
  n = f32[4] negate(g)
  ROOT out = (f32[4], f32[4]) tuple(n, p)
}
)";

class CompareCommandTest : public CommandLineTest {
 protected:
  Outcome Compare(const std::string& a, const std::string& b, std::vector<std::string> options = {"--fill=iota"}) {
    const std::string second = absl::StrCat(directory_, "/second.hlo");
    std::ofstream(second) << b;
    std::vector<std::string> arguments = {"compare", Module(a), second};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return RunHloscope(arguments);
  }
};

TEST_F(CompareCommandTest, TheSameModuleAgrees) {
  const Outcome outcome = Compare(kCompareCommandLoop, kCompareCommandLoop);
  EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
  EXPECT_THAT(outcome.output,
              AllOf(HasSubstr("(100.0 %)"), HasSubstr("no instruction diverges"), HasSubstr("2 of 2 results agree")));
}

TEST_F(CompareCommandTest, NamesFusionsAndCopiesDoNotMatter) {
  const std::string other = absl::StrReplaceAll(
      kCompareCommandLoop,
      {{"body {", "fused { a = f32[4] parameter(0) b = f32[4] parameter(1) ROOT x = f32[4] multiply(a, b) }\nbody {"},
       {"w = f32[4] multiply(v, c)", "v2 = f32[4] copy(v)\n  w = f32[4] fusion(v2, c), kind=kLoop, calls=fused"},
       {"n = ", "renamed = "},
       {"tuple(n, p)", "tuple(renamed, p)"}});
  const Outcome outcome = Compare(kCompareCommandLoop, other);
  EXPECT_EQ(outcome.exit_status, 0) << outcome.errors << outcome.output;
  EXPECT_THAT(outcome.output, AllOf(HasSubstr("(100.0 %)"), HasSubstr("no instruction diverges")));
}

TEST_F(CompareCommandTest, TheFirstDivergenceIsFoundInsideALoop) {
  const std::string other = absl::StrReplaceAll(kCompareCommandLoop, {{"{1, 2, 3, 4}", "{1, 2, 3, 5}"}});
  const Outcome outcome = Compare(kCompareCommandLoop, other);
  EXPECT_EQ(outcome.exit_status, 1);
  EXPECT_THAT(outcome.output, HasSubstr("first divergence: multiply w ("));
  EXPECT_THAT(outcome.output, HasSubstr("at e::k[body 0]/body::w (in 3 executions)\n    1 of 4 elements (25 %) beyond "
                                        "the tolerance, first at [3]: 12 against 15"));
  EXPECT_THAT(outcome.output, HasSubstr("operand v agrees"));
  EXPECT_THAT(outcome.output, HasSubstr("operand c is another constant there: c"));
  EXPECT_THAT(outcome.output, HasSubstr("1 of 2 results agree"));
}

TEST_F(CompareCommandTest, TolerancesDecide) {
  const std::string a = "ENTRY e { p = f32[2] parameter(0) c = f32[2] constant({1, 2}) ROOT r = f32[2] add(p, c) }";
  const std::string b = absl::StrReplaceAll(a, {{"{1, 2}", "{1, 2.001}"}});
  EXPECT_EQ(Compare(a, b, {"--fill=zeros"}).exit_status, 1);
  EXPECT_EQ(Compare(a, b, {"--fill=zeros", "--rtol=0.001"}).exit_status, 0);
  EXPECT_EQ(Compare(a, b, {"--fill=zeros", "--rtol=0.0001"}).exit_status, 1);
  EXPECT_EQ(Compare(a, b, {"--fill=zeros", "--atol=0.01"}).exit_status, 0);
  EXPECT_EQ(Compare(a, b, {"--fill=zeros", "--ulp=10000"}).exit_status, 0);
  EXPECT_EQ(Compare(a, b, {"--fill=zeros", "--ulp=10"}).exit_status, 1);
}

TEST_F(CompareCommandTest, TolerancesOfTypesAndOpcodes) {
  const std::string a = "ENTRY e { p = f32[2] parameter(0) c = f32[2] constant({1, 2}) ROOT r = f32[2] add(p, c) }";
  const std::string b = absl::StrReplaceAll(a, {{"{1, 2}", "{1, 2.001}"}});
  EXPECT_EQ(Compare(a, b, {"--fill=zeros", "--tolerance=f32:add:rtol=0.001"}).exit_status, 0);
  EXPECT_EQ(Compare(a, b, {"--fill=zeros", "--tolerance=add:ulp=10000"}).exit_status, 0);
  EXPECT_EQ(Compare(a, b, {"--fill=zeros", "--tolerance=multiply:rtol=1"}).exit_status, 1);
  EXPECT_EQ(Compare(a, b, {"--fill=zeros", "--rtol=1", "--tolerance=add:rtol=0"}).exit_status, 1);
  const Outcome bad = Compare(a, b, {"--fill=zeros", "--tolerance=f32:rtol=-1"});
  EXPECT_EQ(bad.exit_status, 2);
  EXPECT_THAT(bad.errors, HasSubstr("no number that is not negative"));
}

TEST_F(CompareCommandTest, StatisticsAndWhereAgreementEnds) {
  const std::string other = absl::StrReplaceAll(kCompareCommandLoop, {{"{1, 2, 3, 4}", "{1, 2, 3, 5}"}});
  const Outcome text = Compare(kCompareCommandLoop, other);
  EXPECT_THAT(text.output, HasSubstr("root-mean-square difference"));
  EXPECT_THAT(text.output, HasSubstr("equal         3  ####"));
  EXPECT_THAT(text.output, Not(HasSubstr("every compared value")));
  const Outcome outcome = Compare(kCompareCommandLoop, other, {"--fill=iota", "--json", "--statistics"});
  const nlohmann::json json = nlohmann::json::parse(outcome.output);
  EXPECT_EQ(json["divergences"][0]["frontier"], true) << "its operand differs in later iterations only";
  EXPECT_EQ(json["divergences"][1]["frontier"], false);
  EXPECT_EQ(json["divergences"][0]["by_ulps"][0], 3);
  EXPECT_EQ(json["divergences"][0]["values"]["b"]["max"], 15);
  EXPECT_FLOAT_EQ(json["divergences"][0]["tolerance"]["rtol"].get<float>(), 2e-5F);
  std::set<std::string> compared;
  for (const auto& value : json["values"]) compared.insert(value["a"]);
  EXPECT_THAT(compared, testing::IsSupersetOf({"w", "j", "lt", "n"}));
  const std::string page_file = directory_ + "/page.html";
  Compare(kCompareCommandLoop, other, {"--fill=iota", "--html=" + page_file});
  const std::string page = ReadFileOrDie(page_file);
  EXPECT_THAT(page, AllOf(HasSubstr("Where agreement ends (1)"), HasSubstr("Every compared value (")));
}

TEST_F(CompareCommandTest, Json) {
  const std::string other = absl::StrReplaceAll(kCompareCommandLoop, {{"{1, 2, 3, 4}", "{1, 2, 3, 5}"}});
  const Outcome outcome = Compare(kCompareCommandLoop, other, {"--fill=iota", "--json"});
  const nlohmann::json json = nlohmann::json::parse(outcome.output);
  EXPECT_EQ(json["agree"], false);
  EXPECT_EQ(json["divergences"][0]["a"], "w");
  EXPECT_EQ(json["divergences"][0]["first"]["index"], nlohmann::json::array({3}));
  EXPECT_EQ(json["results"][0]["beyond"], 1);
  EXPECT_EQ(json["results"][1]["agrees"], true);
}

TEST_F(CompareCommandTest, ResultsOnly) {
  const Outcome outcome = Compare(kCompareCommandLoop, kCompareCommandLoop, {"--fill=iota", "--results-only"});
  EXPECT_EQ(outcome.exit_status, 0);
  EXPECT_THAT(outcome.output, Not(HasSubstr("counterpart")));
}

// What is left out of the text has the same value in both modules, also where it has another name and place there.
TEST_F(CompareCommandTest, MadeUpValuesAreThoseOfTheCounterpart) {
  const std::string a = directory_ + "/a.hlo", b = directory_ + "/b.hlo";
  std::ofstream(a) << R"(HloModule m
ENTRY e {
  gone = f32[3000] constant({...})
  weights = f32[3000] constant({...})
  zero = f32[] constant(0)
  one = f32[] constant(1)
  noise = f32[3000] rng(zero, one), distribution=rng_uniform
  n = f32[3000] negate(weights)
  ROOT s = f32[3000] add(n, noise)
})";
  std::ofstream(b) << R"(HloModule m
ENTRY e {
  low = f32[] constant(0)
  high = f32[] constant(1)
  numbers = f32[3000] rng(low, high), distribution=rng_uniform
  w = f32[3000] constant({...})
  minus = f32[3000] negate(w)
  ROOT s = f32[3000] add(minus, numbers)
})";
  const Outcome outcome = RunHloscope({"compare", a, b, "--fill=random"});
  EXPECT_EQ(outcome.exit_status, 0) << outcome.output << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("1 of 1 results agree"));
}

TEST_F(CompareCommandTest, SeveralDevices) {
  const std::string a = R"(HloModule m, replica_count=2
plus { x = f32[] parameter(0) y = f32[] parameter(1) ROOT r = f32[] add(x, y) }
ENTRY e {
  p = f32[2] parameter(0)
  id = u32[] replica-id()
  f = f32[] convert(id)
  b = f32[2] broadcast(f), dimensions={}
  q = f32[2] add(p, b)
  ROOT s = f32[2] all-reduce(q), replica_groups={}, to_apply=plus
})";
  const std::string b = absl::StrReplaceAll(
      a, {{"ROOT s = f32[2] all-reduce(q), replica_groups={}, to_apply=plus",
           "st = f32[2] all-reduce-start(q), replica_groups={}, to_apply=plus\n ROOT s = f32[2] all-reduce-done(st)"}});
  const Outcome same = Compare(a, b);
  EXPECT_EQ(same.exit_status, 0) << same.errors << same.output;
  EXPECT_THAT(same.output, HasSubstr("2 of 2 results agree"));
  const Outcome other = Compare(a, absl::StrReplaceAll(a, {{"add(p, b)", "subtract(p, b)"}}));
  EXPECT_EQ(other.exit_status, 1);
  EXPECT_THAT(other.output, HasSubstr("on device 1 (r1,p0)"));
}

TEST_F(CompareCommandTest, BadInput) {
  const Outcome sizes = Compare("ENTRY e { ROOT p = f32[2] parameter(0) }", "ENTRY e { ROOT p = f32[3] parameter(0) }");
  EXPECT_EQ(sizes.exit_status, 1);
  EXPECT_THAT(sizes.errors, HasSubstr("parameter 0 is f32[2] in the first module and f32[3] in the second"));
  EXPECT_THAT(sizes.output, IsEmpty());
  const Outcome results = Compare("ENTRY e { ROOT p = f32[2] parameter(0) }",
                                  "ENTRY e { p = f32[2] parameter(0) ROOT t = (f32[2], f32[2]) tuple(p, p) }");
  EXPECT_EQ(results.exit_status, 1);
  EXPECT_THAT(results.errors, HasSubstr("the results cannot be compared: one module returns f32[2], the other "
                                        "(f32[2], f32[2])"));
  EXPECT_EQ(Compare(kCompareCommandLoop, kCompareCommandLoop, {"--fill=iota", "--rtol=x"}).exit_status, 2);
  EXPECT_EQ(RunHloscope({"compare", "-", "-"}).exit_status, 2);
  EXPECT_EQ(Compare(kCompareCommandLoop, "ENTRY e {").exit_status, 1);
  const Outcome endless = Compare(
      kCompareCommandLoop,
      absl::StrReplaceAll(kCompareCommandLoop,
                          {{"direction=LT", "direction=GE"}, {"l = s32[] constant(3)", "l = s32[] constant(0)"}}),
      {"--fill=iota", "--step-limit=10000"});
  EXPECT_EQ(endless.exit_status, 3) << endless.errors;
}

}  // namespace
}  // namespace hloscope::cli
