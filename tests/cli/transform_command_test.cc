// SPDX-License-Identifier: Apache-2.0
// `hloscope transform`, and what `hloscope cost` says about moving data.
#include <map>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/support/command_line.h"
#include "tests/support/norm_modules.h"

namespace hloscope::cli {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;
using TransformCommandTest = CommandLineTest;

nlohmann::json Parse(const std::string& text) {
  return nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
}

TEST_F(TransformCommandTest, WritesToStandardOutputByItsName) {
  const std::string module = Module("ENTRY e { a = f32[4] parameter(0) ROOT r = f32[4] negate(a) }\n");
  const Outcome outcome = RunHloscope({"transform", module, "--output=/dev/stdout"});
  EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("negate"));
}

TEST_F(TransformCommandTest, PrintsTheRewrittenModule) {
  const std::string path = Module(GroupNormForward());
  const Outcome outcome = RunHloscope({"transform", path});
  EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("reduce(%x, %zero), dimensions={1,2}"));
  // The default is both rewrites, and running them again changes nothing.
  EXPECT_EQ(RunHloscope({"transform", path, "--passes=reshape-reduce,reshape-elementwise"}).output, outcome.output);
  EXPECT_EQ(RunHloscope({"transform", "-"}, outcome.output).output, outcome.output);
  EXPECT_EQ(RunHloscope({"check", "-"}, outcome.output).exit_status, 0);
}

TEST_F(TransformCommandTest, Report) {
  const std::string path = Module(GroupNormForward());
  const Outcome text = RunHloscope({"transform", path, "--report"});
  EXPECT_EQ(text.exit_status, 0) << text.errors;
  EXPECT_THAT(text.output, HasSubstr("target tpu"));
  EXPECT_THAT(text.output, ::testing::ContainsRegex("elements of a reshape, on average +6422528 +2048 +3136"));
  const nlohmann::json json = Parse(RunHloscope({"transform", path, "--report=json"}).output);
  ASSERT_TRUE(json.is_object());
  EXPECT_EQ(json["before"]["total"]["reshaped_elements"], 2 * 6422528);
  EXPECT_EQ(json["after"]["total"]["reshaped_elements"], json["after"]["total"]["reshapes"].get<int>() * 2048);
  EXPECT_LT(json["after"]["total"]["moved_bytes"], json["before"]["total"]["moved_bytes"]);
  EXPECT_EQ(json["applications"].size(), 3u);
  EXPECT_EQ(json["applications"][0]["pass"], "reshape-reduce");
  EXPECT_EQ(json["applications"][0]["instruction"], "sum");
  EXPECT_EQ(json["applications"][0]["exact"], false);
}

TEST_F(TransformCommandTest, TheTableOfTheReadme) {
  const Outcome outcome = RunHloscope(
      {"transform", std::string(HLOSCOPE_SOURCE_DIR) + "/resources/examples/group_norm.hlo", "--report=json"});
  const nlohmann::json json = Parse(outcome.output);
  ASSERT_TRUE(json.is_object()) << outcome.errors;
  const nlohmann::json &before = json["before"]["total"], &after = json["after"]["total"];
  EXPECT_EQ(before["reshaped_elements"], 12845056);
  EXPECT_EQ(after["reshaped_elements"], 8192);
  EXPECT_EQ(before["relayout_bytes"], 256901120);
  EXPECT_EQ(after["relayout_bytes"], 163840);
  EXPECT_EQ(before["reduce_bytes"], 205529096);
  EXPECT_EQ(after["reduce_bytes"], 51470352);
  EXPECT_EQ(before["elementwise_bytes"].get<int64_t>() + before["broadcast_bytes"].get<int64_t>(), 1335963668);
  EXPECT_EQ(after["elementwise_bytes"].get<int64_t>() + after["broadcast_bytes"].get<int64_t>(), 488271892);
  EXPECT_EQ(before["padding_bytes"], 462446592);
  EXPECT_EQ(after["padding_bytes"], 122880);
}

TEST_F(TransformCommandTest, ExplainAndList) {
  const std::string path = Module(GroupNormForward());
  const Outcome explained = RunHloscope({"transform", path, "--explain"});
  EXPECT_THAT(explained.output, HasSubstr("groups of dimensions, source|reshape: 8|8 56|56 56|56 256|8,32"));
  EXPECT_THAT(explained.output, HasSubstr("  - sum = f32[8,32]{1,0} reduce(grouped, zero)"));
  EXPECT_THAT(explained.output, HasSubstr("  + sum.1 = f32[8,256]{1,0} reduce(x, zero)"));
  // One by one, on the module as it is.
  const nlohmann::json list = Parse(RunHloscope({"transform", path, "--list", "--json"}).output);
  ASSERT_TRUE(list.is_object());
  ASSERT_FALSE(list["applications"].empty());
  const Outcome one = RunHloscope({"transform", path, "--instruction=sum"});
  EXPECT_THAT(one.output, AllOf(HasSubstr("reduce(%x, %zero)"), HasSubstr("%square_sum = f32[8,32] reduce(%square")));
}

TEST_F(TransformCommandTest, ExplainsWhyAMatchWasRefused) {
  const std::string path = Module(R"(HloModule m
add { a = f32[] parameter(0)
 b = f32[] parameter(1)
 ROOT s = f32[] add(a, b) }
odd { a = f32[] parameter(0)
 b = f32[] parameter(1)
 c = f32[] subtract(a, b)
 ROOT s = f32[] tanh(c) }
ENTRY e {
  p = f32[64,64] parameter(0)
  z = f32[] constant(0)
  r = f32[4096] reshape(p)
  split = f32[64,8,8] reshape(p)
  whole = f32[] reduce(r, z), dimensions={0}, to_apply=odd
  partly = f32[64,8] reduce(split, z), dimensions={2}, to_apply=add
  k = s32[] constant(0)
  neighbour = f32[4096] dynamic-slice(r, k), dynamic_slice_sizes={4096}
  sum = f32[4096] add(r, neighbour)
  back = f32[64,64] reshape(sum)
  c = f32[100000] constant({...})
  n = f32[100000] negate(c)
  ROOT t = (f32[], f32[64,8], f32[64,64], f32[100000]) tuple(whole, partly, back, n)
}
)");
  const Outcome text =
      RunHloscope({"transform", path, "--explain", "--passes=reshape-reduce,reshape-elementwise,fold-constants"});
  EXPECT_EQ(text.exit_status, 0) << text.errors;
  EXPECT_THAT(text.output, HasSubstr("reshape-reduce not at whole in e: the reducer odd is not one commutative"));
  EXPECT_THAT(text.output, HasSubstr("reshape-reduce not at partly in e: every group of dimensions"));
  EXPECT_THAT(text.output, HasSubstr("reshape-elementwise not at back in e: leaf dynamic-slice neighbour"));
  EXPECT_THAT(text.output, HasSubstr("fold-constants not at n in e: the value of c is not in the text"));
  const nlohmann::json json = Parse(RunHloscope({"transform", path, "--explain", "--json"}).output);
  ASSERT_EQ(json["refusals"].size(), 3u) << json;
  EXPECT_EQ(json["refusals"][0]["instruction"], "whole");
  EXPECT_FALSE(Parse(RunHloscope({"transform", path, "--list", "--json"}).output).contains("refusals"));
}

TEST_F(TransformCommandTest, ExplainsWhatSeemsEqualOrUnusedAndStays) {
  const std::string path = Module(R"(HloModule m
add { a = f32[] parameter(0)
 b = f32[] parameter(1)
 ROOT s = f32[] add(a, b) }
sum { a = f32[] parameter(0)
 b = f32[] parameter(1)
 ROOT s = f32[] add(a, b) }
largest { a = f32[] parameter(0)
 b = f32[] parameter(1)
 ROOT s = f32[] maximum(a, b) }
reporting { x = f32[8] parameter(0)
 t = token[] after-all()
 report = token[] outfeed(x, t)
 ROOT r = f32[8] negate(x) }
ENTRY e {
  p = f32[8] parameter(0)
  spare = f32[8] parameter(1)
  z = f32[] constant(0)
  one = f32[] constant(1)
  left = f32[8] negate(p)
  right = f32[8] negate(p), control-predecessors={left}
  reduced = f32[] reduce(p, z), dimensions={0}, to_apply=add
  again = f32[] reduce(p, z), dimensions={0}, to_apply=sum
  most = f32[] reduce(p, z), dimensions={0}, to_apply=largest
  u = f32[8] rng(z, one), distribution=rng_uniform
  v = f32[8] rng(z, one), distribution=rng_uniform
  kept = f32[8] copy(p)
  kept2 = f32[8] copy(p)
  whole = f32[8] cosine(p), sharding={replicated}
  cut = f32[8] cosine(p), sharding={devices=[2]0,1}
  unused = f32[8] sine(p)
  reported = f32[8] call(p), to_apply=reporting
  before = f32[8] exponential(p)
  ROOT t = (f32[8], f32[8], f32[], f32[], f32[], f32[8], f32[8], f32[8], f32[8], f32[8], /*index=10*/f32[8]) tuple(left, right, reduced, again, most, u, v, kept, kept2, whole, /*index=10*/cut), control-predecessors={before}
}
)");
  const Outcome text = RunHloscope({"transform", path, "--explain", "--passes=cse,dce"});
  EXPECT_EQ(text.exit_status, 0) << text.errors;
  EXPECT_THAT(text.output, HasSubstr("cleaned up: 32 instructions before, 31 after"));
  EXPECT_THAT(text.output, HasSubstr("cse not at right in e: it seems equal to left, but right has control dep"));
  EXPECT_THAT(text.output, HasSubstr("cse not at again in e: it seems equal to reduced, but calls sum and not add"));
  EXPECT_THAT(text.output, HasSubstr("cse not at v in e: it seems equal to u, but each draws random numbers"));
  EXPECT_THAT(text.output, HasSubstr("cse not at kept2 in e: it seems equal to kept, but a copy exists for"));
  EXPECT_THAT(text.output, HasSubstr("cse not at cut in e: it seems equal to whole, but sharding is another"));
  EXPECT_THAT(text.output, HasSubstr("dce not at spare in e: nothing uses it, but a parameter belongs to the"));
  EXPECT_THAT(text.output, HasSubstr("dce not at before in e: nothing uses it, but t has to run after it"));
  EXPECT_THAT(text.output,
              HasSubstr("dce not at reported in e: nothing uses it, but it calls reporting, where report"));
  EXPECT_THAT(text.output, Not(AnyOf(HasSubstr("most"), HasSubstr("at unused"))));
}

TEST_F(TransformCommandTest, ExplainsWhyARuleOfAlgebraLeavesAnInstructionAlone) {
  const std::string path = Module(R"(HloModule m
ENTRY e {
  p = f32[4,8] parameter(0)
  z = f32[] constant(0)
  zeros = f32[4,8] broadcast(z), dimensions={}
  sum = f32[4,8] add(p, zeros)
  narrow = bf16[4,8] convert(sum)
  wide = f32[4,8] convert(narrow)
  once = f32[8,4] transpose(wide), dimensions={1,0}, sharding={devices=[2,1]0,1}
  twice = f32[4,8] transpose(once), dimensions={1,0}
  minus = f32[4,8] negate(p)
  first = f32[4,8] cosine(p)
  plus = f32[4,8] negate(minus), control-predecessors={first}
  same = f32[4,8]{0,1} reshape(p)
  pair = (f32[4,8], f32[4,8]) tuple(p, minus), control-predecessors={first}
  half = f32[4,8] get-tuple-element(pair), index=1
  ROOT t = (f32[4,8], f32[4,8], f32[4,8]{0,1}, f32[4,8]) tuple(twice, plus, same, half)
}
)");
  const Outcome text = RunHloscope({"transform", path, "--explain", "--passes=algebraic"});
  EXPECT_EQ(text.exit_status, 0) << text.errors;
  EXPECT_THAT(text.output, HasSubstr("algebraic not at sum in e: add of 0, but it makes 0 of -0; only -0 is neutral"));
  EXPECT_THAT(text.output,
              HasSubstr("algebraic not at wide in e: convert of a convert, but bf16 does not have every value of f32"));
  EXPECT_THAT(
      text.output,
      HasSubstr("algebraic not at twice in e: transpose of a transpose, but the sharding of once would be lost"));
  EXPECT_THAT(text.output, HasSubstr("algebraic not at plus in e: negate of a negate, but it has control dep"));
  EXPECT_THAT(text.output,
              HasSubstr("algebraic not at same in e: reshape to the same shape, but the shape f32[4,8]{0,1}"));
  EXPECT_THAT(text.output, HasSubstr("algebraic not at half in e: element of a tuple, but pair has control dep"));
}

TEST_F(TransformCommandTest, ExplainsWhyACallOrAFusionStays) {
  const std::string path = Module(R"(HloModule m
f { x = f32[8] parameter(0)
 ROOT r = f32[8] negate(x) }
custom { x = f32[8] parameter(0)
 ROOT r = f32[8] negate(x) }
loop { x = f32[8] parameter(0)
 ROOT r = f32[8] negate(x) }
column { x = f32[4,8] parameter(0)
 ROOT r = f32[4,8]{0,1} copy(x) }
ENTRY e {
  p = f32[8] parameter(0)
  q = f32[4,8] parameter(1)
  a = f32[8] call(p), to_apply=f, frontend_attributes={inlineable="false"}
  b = f32[8] call(p), to_apply=f, sharding={replicated}
  c = f32[8] call(p), to_apply=f, is_composite=true, frontend_attributes={composite.attributes={},composite.name="x.y",composite.version="1"}
  d = f32[8] call(p), to_apply=f, control-predecessors={a}
  g = f32[4,8] call(q), to_apply=column
  h = f32[8] call(p), to_apply=f
  k = f32[8] fusion(p), kind=kCustom, calls=custom
  l = f32[8] fusion(p), kind=kLoop, calls=loop
  ROOT t = (f32[8], f32[8], f32[8], f32[8], f32[4,8], f32[8], f32[8], f32[8]) tuple(a, b, c, d, g, h, k, l)
}
)");
  const Outcome text = RunHloscope({"transform", path, "--explain", "--passes=inline-calls,unfuse"});
  EXPECT_EQ(text.exit_status, 0) << text.errors;
  EXPECT_THAT(text.output, HasSubstr("inline-calls not at a in e: its frontend attribute `inlineable` is false"));
  EXPECT_THAT(text.output, HasSubstr("inline-calls not at b in e: it has a sharding"));
  EXPECT_THAT(text.output, HasSubstr("inline-calls not at c in e: it is a composite"));
  EXPECT_THAT(text.output, HasSubstr("inline-calls not at d in e: it has control dependencies"));
  EXPECT_THAT(text.output, HasSubstr("inline-calls not at g in e: column returns the shape f32[4,8]{0,1}"));
  EXPECT_THAT(text.output, HasSubstr("unfuse not at k in e: the form of a custom fusion matters"));
  EXPECT_THAT(text.output, Not(AnyOf(HasSubstr("not at h"), HasSubstr("not at l"))));
}

TEST_F(TransformCommandTest, ExactOnlyAndTargets) {
  const std::string path = Module(GroupNormForward());
  const Outcome exact = RunHloscope({"transform", path, "--exact-only"});
  EXPECT_EQ(exact.exit_status, 0);
  EXPECT_THAT(exact.output, Not(HasSubstr("dimensions={1,2},")));
  EXPECT_THAT(RunHloscope({"transform", path, "--target=T(8,128)", "--report"}).output, HasSubstr("target T(8,128)"));
  EXPECT_EQ(RunHloscope({"transform", path, "--target=linear"}).exit_status, 0);
}

TEST_F(TransformCommandTest, WritesAFile) {
  const std::string path = Module(GroupNormForward()), out = directory_ + "/rewritten.hlo";
  const Outcome outcome = RunHloscope({"transform", path, "--output", out, "--report"});
  EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("all computations"));
  EXPECT_EQ(RunHloscope({"check", out}).exit_status, 0);
}

TEST_F(TransformCommandTest, FoldsConstants) {
  const std::string path = Module(R"(HloModule m
ENTRY e {
  p = f32[3] parameter(0)
  a = f32[3] constant({1, 2, 3})
  b = f32[3] constant({10, 20, 30})
  c = f32[3] add(a, b)
  d = f32[3] multiply(c, a)
  ROOT r = f32[3] add(d, p)
}
)");
  const Outcome outcome = RunHloscope({"transform", path, "--passes=fold-constants"});
  EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("constant({11, 44, 99})"));
  EXPECT_THAT(outcome.output, Not(HasSubstr("multiply")));
}

TEST_F(TransformCommandTest, Mistakes) {
  const std::string path = Module(GroupNormForward({2, 2, 2, 4, 2}));
  for (const std::vector<std::string>& bad : std::vector<std::vector<std::string>>{
           {"--passes=nothing"}, {"--target=gpu"}, {"--report=xml"}, {"--json"}, {"--fold-limit=x"}, {"--passes="}}) {
    std::vector<std::string> arguments = {"transform", path};
    arguments.insert(arguments.end(), bad.begin(), bad.end());
    const Outcome outcome = RunHloscope(arguments);
    if (bad[0] == "--passes=") {
      EXPECT_EQ(outcome.exit_status, 0);  // no pass: the module is printed as it is
      continue;
    }
    EXPECT_EQ(outcome.exit_status, 2) << bad[0];
    EXPECT_THAT(outcome.errors, HasSubstr("hloscope transform: ")) << bad[0];
  }
  EXPECT_THAT(RunHloscope({"transform", path, "--passes=reshape-redoce"}).errors,
              HasSubstr("did you mean `reshape-reduce`?"));
  EXPECT_EQ(RunHloscope({"transform", Module("HloModule m\nENTRY e { ROOT a = f32[ add(b) }\n")}).exit_status, 1);
  EXPECT_EQ(RunHloscope({"transform", directory_ + "/absent.hlo"}).exit_status, 1);
}

TEST_F(TransformCommandTest, HelpNamesEveryPass) {
  const std::string help = RunHloscope({"help", "transform"}).output;
  for (const char* pass : {"reshape-reduce", "reshape-elementwise", "cse", "dce", "algebraic", "fold-constants",
                           "inline-calls", "unfuse", "strip-metadata", "canonicalize"}) {
    EXPECT_THAT(help, HasSubstr(pass));
  }
}

constexpr char kMovements[] = R"(HloModule m
ENTRY e {
  p = f32[8,256] parameter(0)
  q = f32[256,8] parameter(1)
  free = f32[8,1,256] reshape(p)
  moves = f32[16,128] reshape(p)
  twice = f32[256,8] transpose(p), dimensions={1,0}
  back = f32[8,256] transpose(twice), dimensions={1,0}
  wide = f64[16,128] convert(moves)
  same = f32[256,8] copy(q)
  s = f32[256,8] sine(same)
  z = f32[] constant(0)
  n = f32[8,256] negate(back)
  m = f32[8,258] pad(n, z), padding=0_0x1_1
  ROOT t = (f32[8,1,256], f64[16,128], f32[256,8], f32[8,258]) tuple(free, wide, s, m)
}
)";

TEST_F(TransformCommandTest, CostExplainsEveryMovement) {
  const Outcome outcome = RunHloscope({"cost", "--json", "--target=tpu", Module(kMovements)});
  EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
  const nlohmann::json json = Parse(outcome.output);
  ASSERT_TRUE(json.is_object()) << outcome.output;
  EXPECT_EQ(json["target"], "tpu");
  std::map<std::string, nlohmann::json> of;
  for (const nlohmann::json& row : json["data_movement"]["instructions"]) of[row["name"]] = row;
  EXPECT_EQ(of["free"]["verdict"], "needed");  // one row in tiles of eight
  EXPECT_EQ(of["moves"]["verdict"], "needed");
  EXPECT_EQ(of["moves"]["bytes"], 2 * 8 * 256 * 4);
  EXPECT_EQ(of["moves"]["chain"], nlohmann::json({"wide", "t"}));
  EXPECT_EQ(of["twice"]["verdict"], "avoidable");
  EXPECT_EQ(of["back"]["verdict"], "avoidable");
  EXPECT_EQ(of["same"]["verdict"], "avoidable");
  EXPECT_EQ(of["m"]["verdict"], "needed");
  EXPECT_EQ(json["data_movement"]["by_opcode"]["transpose"]["avoidable"]["count"], 2);
  const nlohmann::json linear = Parse(RunHloscope({"cost", "--json", Module(kMovements)}).output);
  for (const nlohmann::json& row : linear["data_movement"]["instructions"]) {
    if (row["opcode"] == "reshape") {
      EXPECT_EQ(row["verdict"], "free");
    }
  }
  const Outcome text = RunHloscope({"cost", "--target=tpu", Module(kMovements)});
  EXPECT_THAT(text.output, AllOf(HasSubstr("Movement of data on target tpu"), HasSubstr("avoidable"),
                                 HasSubstr("for wide (convert) -> t (tuple)")));
  EXPECT_EQ(RunHloscope({"cost", "--target=gpu", Module(kMovements)}).exit_status, 2);
}

using ReduceTestCaseTest = CommandLineTest;

// The fault is that the module has a cosine.
TEST_F(ReduceTestCaseTest, KeepsTheFaultAndLittleElse) {
  const std::string path = Module(R"(HloModule m
body {
  s = (f32[8], s32[]) parameter(0)
  v = f32[8] get-tuple-element(s), index=0
  i = s32[] get-tuple-element(s), index=1
  w = f32[8] cosine(v), metadata={op_name="here"}
  u = f32[8] exponential(w)
  o = s32[] constant(1)
  j = s32[] add(i, o)
  ROOT t = (f32[8], s32[]) tuple(u, j)
}
cond {
  s = (f32[8], s32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=1
  n = s32[] constant(3)
  ROOT c = pred[] compare(i, n), direction=LT
}
ENTRY e {
  p = f32[8] parameter(0)
  q = f32[8] parameter(1)
  a = f32[8] add(p, q)
  b = f32[8] sine(a)
  z = s32[] constant(0)
  t = (f32[8], s32[]) tuple(b, z)
  l = (f32[8], s32[]) while(t), condition=cond, body=body
  v = f32[8] get-tuple-element(l), index=0
  x = f32[8] tanh(v)
  ROOT r = (f32[8], f32[8]) tuple(x, b)
}
)");
  // From a file and from standard input.
  for (const std::vector<std::string>& program : std::vector<std::vector<std::string>>{
           {"sh", "-c", "! grep -q cosine $0", "{}"}, {"sh", "-c", "! grep -q cosine"}}) {
    std::vector<std::string> arguments = {"reduce-test-case", path, "--"};
    arguments.insert(arguments.end(), program.begin(), program.end());
    const Outcome outcome = RunHloscope(arguments);
    EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
    EXPECT_THAT(outcome.output, AllOf(HasSubstr("cosine"), Not(HasSubstr("tanh")), Not(HasSubstr("sine(%a")),
                                      Not(HasSubstr("exponential")), Not(HasSubstr("metadata"))));
    EXPECT_EQ(RunHloscope({"check", "-"}, outcome.output).exit_status, 0);
  }
}

TEST_F(ReduceTestCaseTest, Mistakes) {
  const std::string path = Module("HloModule m\nENTRY e { ROOT p = f32[4] parameter(0) }\n");
  EXPECT_EQ(RunHloscope({"reduce-test-case", path}).exit_status, 2);
  EXPECT_THAT(RunHloscope({"reduce-test-case", path, "--", "true"}).errors, HasSubstr("which is not the fault"));
  EXPECT_THAT(RunHloscope({"reduce-test-case", path, "--status=3", "--", "false"}).errors, HasSubstr("status 1"));
  EXPECT_THAT(RunHloscope({"reduce-test-case", path, "--", "no-such-program-anywhere"}).errors,
              HasSubstr("there is no program"));
  EXPECT_EQ(RunHloscope({"reduce-test-case", path, "--timeout=x", "--", "false"}).exit_status, 2);
  // Nothing can go.
  const Outcome outcome = RunHloscope({"reduce-test-case", path, "--", "false"});
  EXPECT_EQ(outcome.exit_status, 0);
  EXPECT_THAT(outcome.output, HasSubstr("parameter(0)"));
}

TEST_F(ReduceTestCaseTest, ReducesToANaNAndToADifferenceOfTwoPrograms) {
  const std::string path = Module(R"(HloModule m

ENTRY e {
  p = f32[4] parameter(0)
  one = f32[] constant(1)
  ones = f32[4] broadcast(one), dimensions={}
  s = f32[4] add(p, ones)
  t = f32[4] tanh(s)
  m = f32[4] negate(ones)
  n = f32[4] sqrt(m)
  ROOT r = f32[4] add(n, t)
}
)");
  const Outcome nan = RunHloscope({"reduce-test-case", path, "--nan"});
  EXPECT_EQ(nan.exit_status, 0) << nan.errors;
  EXPECT_THAT(nan.output, HasSubstr("sqrt"));
  EXPECT_THAT(nan.output, Not(HasSubstr("tanh")));
  const Outcome differs =
      RunHloscope({"reduce-test-case", path, "--differs", "--", "cat", "{}", "--", "grep", "-v", "tanh", "{}"});
  EXPECT_EQ(differs.exit_status, 0) << differs.errors;
  EXPECT_THAT(differs.output, HasSubstr("tanh"));
  EXPECT_THAT(differs.output, Not(HasSubstr("sqrt")));
  EXPECT_THAT(RunHloscope({"reduce-test-case", path, "--differs", "--", "cat", "{}", "--", "cat", "{}"}).errors,
              HasSubstr("do not both end with status 0"));
  EXPECT_EQ(RunHloscope({"reduce-test-case", path, "--differs", "--", "cat", "{}"}).exit_status, 2);
  EXPECT_EQ(RunHloscope({"reduce-test-case", path, "--nan", "--", "true"}).exit_status, 2);
  EXPECT_EQ(RunHloscope({"reduce-test-case", path, "--nan", "--status=1"}).exit_status, 2);
}

}  // namespace
}  // namespace hloscope::cli
