// SPDX-License-Identifier: Apache-2.0
// The passes of core/transform besides the reshape rewrites.
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "core/document/document.h"
#include "core/print/printer.h"
#include "core/transform/data_movement.h"
#include "core/transform/transform.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace hloscope {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

PrintOptions Style() {
  PrintOptions print = PrintOptions::Short();
  print.metadata = true;
  print.control_predecessors = true;
  return print;
}

// The module after the passes, which must be good and stay as it is when they run again.
std::string After(absl::string_view text, const std::vector<std::string>& passes, TransformOptions options = {}) {
  DocumentOptions mixed;
  mixed.verify.allow_mixed_precision = true;
  const auto document = Document::Parse(SourceText::FromString("test", std::string(text)), mixed);
  EXPECT_FALSE(document->has_errors()) << "the test's own module is bad:\n" << text;
  const auto result = TransformModule(document->module(), passes, options);
  EXPECT_TRUE(result.ok()) << result.status();
  const std::string out = PrintModule(result->module, Style());
  const auto again = Document::Parse(SourceText::FromString("rewritten", out), mixed);
  EXPECT_FALSE(again->has_errors()) << out;
  EXPECT_FALSE(TransformModule(again->module(), passes, options)->changed) << out;
  return out;
}

// The text of the entry computation around a value of `p` (f32[4,6]) and `q` (s32[4,6]).
std::string Entry(absl::string_view instructions) {
  return absl::StrCat("HloModule m\nENTRY e {\n  p = f32[4,6] parameter(0)\n  q = s32[4,6] parameter(1)\n",
                      instructions, "}\n");
}

TEST(Algebraic, WhatChangesNothingGoes) {
  // What is left is one negate of the parameter.
  for (absl::string_view chain :
       {"a = f32[4,6] transpose(p), dimensions={0,1}\n",
        "a = f32[4,6] broadcast(p), dimensions={0,1}\n",
        "a = f32[4,6] convert(p)\n",
        "a = f32[4,6] slice(p), slice={[0:4],[0:6]}\n",
        "z = f32[] constant(0)\n  a = f32[4,6] pad(p, z), padding=0_0x0_0\n",
        "a = f32[4,6] concatenate(p), dimensions={0}\n",
        "a = f32[4,6] reshape(p)\n",
        "t = f32[6,4] transpose(p), dimensions={1,0}\n  a = f32[4,6] transpose(t), dimensions={1,0}\n",
        "r = f32[24] reshape(p)\n  a = f32[4,6] reshape(r)\n",
        "w = f64[4,6] convert(p)\n  a = f32[4,6] convert(w)\n",
        "n = f32[4,6] negate(p)\n  a = f32[4,6] negate(n)\n",
        "r = f32[4,6] reverse(p), dimensions={1}\n  a = f32[4,6] reverse(r), dimensions={1}\n",
        "o = f32[] constant(1)\n  b = f32[4,6] broadcast(o), dimensions={}\n  a = f32[4,6] multiply(b, p)\n",
        "o = f32[] constant(1)\n  b = f32[4,6] broadcast(o), dimensions={}\n  a = f32[4,6] divide(p, b)\n",
        "o = f32[] constant(-0)\n  b = f32[4,6] broadcast(o), dimensions={}\n  a = f32[4,6] add(p, b)\n",
        "o = f32[] constant(0)\n  b = f32[4,6] broadcast(o), dimensions={}\n  a = f32[4,6] subtract(p, b)\n",
        "t = (f32[4,6], s32[4,6]) tuple(p, q)\n  a = f32[4,6] get-tuple-element(t), index=0\n",
        "c = c64[4,6] complex(p, p)\n  a = f32[4,6] real(c)\n",
        "g = pred[4,6] compare(q, q), direction=EQ\n  a = f32[4,6] select(g, p, p)\n",
        "o = s32[] constant(0)\n  a = f32[4,6] dynamic-slice(p, o, o), dynamic_slice_sizes={4,6}\n"}) {
    const std::string text = After(Entry(absl::StrCat("  ", chain, "  ROOT r_ = f32[4,6] negate(a)\n")), {"algebraic"});
    EXPECT_THAT(text, HasSubstr("ROOT r_ = f32[4,6]{1,0} negate(p)")) << chain;
  }
}

TEST(Algebraic, WhatChangesSomethingStays) {
  for (absl::string_view chain :
       {"a = f32[6,4] transpose(p), dimensions={1,0}\n  ROOT r = f32[6,4] negate(a)\n",
        // 0 + -0 is 0, not -0.
        "o = f32[] constant(0)\n  b = f32[4,6] broadcast(o), dimensions={}\n  a = f32[4,6] add(p, b)\n  ROOT r = "
        "f32[4,6] negate(a)\n",
        "o = f32[] constant(1)\n  b = f32[4,6] broadcast(o), dimensions={}\n  a = f32[4,6] subtract(b, p)\n  ROOT r = "
        "f32[4,6] negate(a)\n",
        "o = f32[] constant(1)\n  b = f32[4,6] broadcast(o), dimensions={}\n  a = f32[4,6] divide(b, p)\n  ROOT r = "
        "f32[4,6] negate(a)\n",
        // Rounds on the way, or wraps around.
        "w = bf16[4,6] convert(p)\n  a = f32[4,6] convert(w)\n  ROOT r = f32[4,6] negate(a)\n",
        "w = f32[4,6] convert(q)\n  a = s32[4,6] convert(w)\n  ROOT r = s32[4,6] negate(a)\n",
        "w = s8[4,6] convert(q)\n  a = s32[4,6] convert(w)\n  ROOT r = s32[4,6] negate(a)\n",
        "w = u32[4,6] convert(q)\n  a = s64[4,6] convert(w)\n  ROOT r = s64[4,6] negate(a)\n",
        // The negative of what has no sign is a NaN.
        "e = f8e8m0fnu[4,6] convert(p)\n  n = f8e8m0fnu[4,6] negate(e)\n  ROOT r = f8e8m0fnu[4,6] negate(n)\n",
        // A copy exists for its buffer, a layout for its order.
        "a = f32[4,6] copy(p)\n  ROOT r = f32[4,6] negate(a)\n",
        "a = f32[4,6]{0,1} reshape(p)\n  ROOT r = f32[4,6]{0,1} negate(a)\n",
        // Something hangs on it.
        "a = f32[4,6] reshape(p), control-predecessors={q}\n  ROOT r = f32[4,6] negate(a)\n",
        "a = f32[4,6] reshape(p), sharding={devices=[2,1]<=[2]}\n  ROOT r = f32[4,6] negate(a)\n",
        "n = f32[4,6] negate(p)\n  ROOT r = f32[4,6] reshape(p), control-predecessors={n}\n"}) {
    const auto document = Document::Parse(SourceText::FromString("test", Entry(absl::StrCat("  ", chain))));
    ASSERT_FALSE(document->has_errors()) << chain;
    EXPECT_FALSE(TransformModule(document->module(), {"algebraic"}, {})->changed) << chain;
  }
}

TEST(Algebraic, Chains) {
  EXPECT_THAT(
      After(Entry("  a = f32[6,4] transpose(p), dimensions={1,0}\n  b = f32[6,4,2] broadcast(a), dimensions={0,1}\n"
                  "  ROOT c = f32[2,6,4] transpose(b), dimensions={2,0,1}\n"),
            {"algebraic"}),
      HasSubstr("transpose(b)"));
  EXPECT_THAT(After(Entry("  a = f32[4,6,2] broadcast(p), dimensions={0,1}\n"
                          "  ROOT c = f32[3,4,6,2] broadcast(a), dimensions={1,2,3}\n"),
                    {"algebraic"}),
              HasSubstr("ROOT c = f32[3,4,6,2]{3,2,1,0} broadcast(p), dimensions={1,2}"));
  EXPECT_THAT(After(Entry("  w = s64[4,6] convert(q)\n  ROOT c = f32[4,6] convert(w)\n"), {"algebraic"}),
              HasSubstr("ROOT c = f32[4,6]{1,0} convert(q)"));
  EXPECT_THAT(After(Entry("  k = f32[] constant(2)\n  b = f32[4,6] broadcast(k), dimensions={}\n"
                          "  ROOT c = f32[24] reshape(b)\n"),
                    {"algebraic"}),
              HasSubstr("f32[24]{0} broadcast(k), dimensions={}"));
}

TEST(Inlining, CallsAndFusions) {
  const std::string module = R"(HloModule m
inner {
  x = f32[4] parameter(0)
  ROOT n = f32[4] negate(x)
}
outer {
  a = f32[4] parameter(0)
  b = f32[4] parameter(1)
  c = f32[4] CALL_INNER
  ROOT s = f32[4] add(c, b)
}
ENTRY e {
  p = f32[4] parameter(0)
  c1 = f32[4] call(p, p), to_apply=outer
  ROOT c2 = f32[4] call(c1, p), to_apply=outer
}
)";
  const auto with = [&](const std::string& call) {
    std::string text = module;
    text.replace(text.find("CALL_INNER"), 10, call);
    return text;
  };
  const std::string calls = After(with("call(a), to_apply=inner"), {"inline-calls"});
  EXPECT_THAT(calls, AllOf(Not(HasSubstr("call")), Not(HasSubstr("outer")), HasSubstr("negate(p)")));
  EXPECT_THAT(After(with("fusion(a), kind=kLoop, calls=inner"), {"unfuse"}),
              AllOf(Not(HasSubstr("fusion(")), HasSubstr("call(")));
  EXPECT_THAT(After(with("fusion(a), kind=kLoop, calls=inner"), {"unfuse", "inline-calls"}),
              AllOf(Not(HasSubstr("fusion(")), Not(HasSubstr("call("))));
  EXPECT_THAT(After(with("fusion(a), kind=kCustom, calls=inner"), {"unfuse"}), HasSubstr("fusion("));
  // What stands for one operation stays one.
  EXPECT_THAT(After(with("call(a), to_apply=inner, is_composite=true, "
                         "frontend_attributes={composite.name=\"a.b\",composite.version=\"1\"}"),
                    {"inline-calls"}),
              HasSubstr("call("));
  EXPECT_THAT(After(with("call(a), to_apply=inner, frontend_attributes={inlineable=\"false\"}"), {"inline-calls"}),
              HasSubstr("call("));
}

TEST(Inlining, EffectsAndOrderComeAlong) {
  const std::string text = After(R"(HloModule m, is_scheduled=true
f {
  x = f32[4] parameter(0)
  t = token[] after-all()
  n = f32[4] negate(x)
  o = token[] outfeed(n, t), outfeed_shape=f32[4]{0}
  ROOT s = f32[4] sine(x), control-predecessors={n}
}
ENTRY e {
  p = f32[4] parameter(0)
  a = f32[4] cosine(p)
  c = f32[4] call(a), to_apply=f
  ROOT r = f32[4] tanh(c)
}
)",
                                 {"inline-calls"});
  EXPECT_THAT(text, AllOf(HasSubstr("outfeed(n.1, t.1)"), HasSubstr("sine(a), control-predecessors={n.1}"),
                          Not(HasSubstr("call("))));
  EXPECT_LT(text.find("cosine"), text.find("outfeed"));
  EXPECT_LT(text.find("outfeed"), text.find("tanh"));
}

TEST(Inlining, CallsOfCallsThatDoubleEndSomewhere) {
  std::string text = "HloModule m\ng_0 {\n  x = f32[] parameter(0)\n  ROOT n = f32[] negate(x)\n}\n";
  for (int i = 1; i < 40; ++i) {
    absl::StrAppend(&text, "g_", i, " {\n  x = f32[] parameter(0)\n  a = f32[] call(x), to_apply=g_", i - 1,
                    "\n  ROOT b = f32[] call(a), to_apply=g_", i - 1, "\n}\n");
  }
  absl::StrAppend(&text, "ENTRY e {\n  p = f32[] parameter(0)\n  ROOT c = f32[] call(p), to_apply=g_39\n}\n");
  const auto document = Document::Parse(SourceText::FromString("test", text));
  ASSERT_FALSE(document->has_errors());
  const auto result = TransformModule(document->module(), {"inline-calls"}, {});
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(result->gave_up);
  EXPECT_LT(result->module.instruction_count(), 400000u);
}

TEST(StripMetadata, OnlyWhatSaysWhereThingsComeFrom) {
  const std::string text = After(R"(HloModule m

FileNames
1 "a.py"

FunctionNames
1 "f"

FileLocations
1 {file_name_id=1 function_name_id=1 line=1 end_line=1 column=1 end_column=1}

StackFrames
1 {file_location_id=1 parent_frame_id=1}

ENTRY e {
  p = f32[4] parameter(0)
  ROOT n = f32[4] negate(p), sharding={replicated}, frontend_attributes={a="b"}, metadata={op_name="x" stack_frame_id=1}
}
)",
                                 {"strip-metadata"});
  EXPECT_THAT(text, AllOf(Not(HasSubstr("metadata")), Not(HasSubstr("FileNames")), HasSubstr("sharding={replicated}"),
                          HasSubstr("frontend_attributes={a=\"b\"}")));
}

// An instruction that declares another type than its operands have also rounds: what goes past it would not.
TEST(Algebraic, WhatRoundsStays) {
  for (absl::string_view chain :
       {"r = bf16[24] reshape(p)\n  a = f32[4,6] reshape(r)\n",
        "r = bf16[6,4] transpose(p), dimensions={1,0}\n  a = f32[4,6] transpose(r), dimensions={1,0}\n",
        "r = bf16[4,6] negate(p)\n  a = f32[4,6] negate(r)\n",
        "r = bf16[4,6] reverse(p), dimensions={1}\n  a = f32[4,6] reverse(r), dimensions={1}\n",
        "z = f32[] constant(1.001)\n  r = bf16[24] broadcast(z), dimensions={}\n  a = f32[4,6] reshape(r)\n",
        "z = f32[6] constant({1.001, 2, 3, 4, 5, 6})\n  r = bf16[6,5] broadcast(z), dimensions={0}\n"
        "  a = f32[4,6,5] broadcast(r), dimensions={1,2}\n"}) {
    const std::string text = absl::StrCat("HloModule m\nENTRY e {\n  p = f32[4,6] parameter(0)\n  ", chain,
                                          "  ROOT t = (f32[4,6]) tuple(a)\n}\n");
    const bool is_wide = absl::StrContains(chain, "f32[4,6,5]");
    EXPECT_THAT(
        After(is_wide ? absl::StrReplaceAll(text, {{"(f32[4,6]) tuple", "(f32[4,6,5]) tuple"}}) : text, {"algebraic"}),
        HasSubstr(" r = bf16["))
        << chain;
  }
}

TEST(ReshapeElementwise, TreesDoNotReachPastWhatRounds) {
  for (absl::string_view tree : {// The leaf rounds.
                                 "  r = bf16[24] reshape(p)\n  n = bf16[24] negate(r)\n  a = bf16[4,6] reshape(n)\n",
                                 // So does the reshape of the tree.
                                 "  r = f32[24] reshape(p)\n  n = f32[24] add(r, r)\n  a = bf16[4,6] reshape(n)\n"}) {
    EXPECT_THAT(After(absl::StrCat("HloModule m\nENTRY e {\n  p = f32[4,6] parameter(0)\n", tree,
                                   "  ROOT t = (bf16[4,6]) tuple(a)\n}\n"),
                      DefaultPasses()),
                AllOf(HasSubstr("[24]{0} reshape(p)"), HasSubstr("reshape(n)")))
        << tree;
  }
}

TEST(Canonicalize, AsyncOperationsWithAndWithoutSugarAreEqual) {
  constexpr absl::string_view kHeader = "HloModule m, replica_count=2\n";
  constexpr absl::string_view kAdd = "add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] add(a, b) }\n";
  const auto canonical = [&](absl::string_view text) {
    return After(absl::StrCat(kHeader, kAdd, text), {"canonicalize"});
  };
  // Two threads, in another order and with other names.
  EXPECT_EQ(canonical(R"(ENTRY e {
  p = f32[4] parameter(0)
  s = ((f32[4]), f32[4], s32[]) custom-call-start(p), custom_call_target="foo"
  t = ((f32[4]), f32[4], s32[]) custom-call-start(p), custom_call_target="bar", async_execution_thread="x"
  d = f32[4] custom-call-done(s), metadata={op_name="n"}
  c = f32[4] custom-call-done(t)
  ROOT r = f32[4] add(c, d) })"),
            canonical(R"(second { q = f32[4] parameter(0) ROOT k = f32[4] custom-call(q), custom_call_target="bar" }
first { q = f32[4] parameter(0) ROOT k = f32[4] custom-call(q), custom_call_target="foo" }
ENTRY e {
  p = f32[4] parameter(0)
  t = ((f32[4]), f32[4], s32[]) async-start(p), calls=second, async_execution_thread="x"
  s = ((f32[4]), f32[4], s32[]) async-start(p), calls=first
  d = f32[4] async-done(s)
  c = f32[4] async-done(t)
  ROOT r = f32[4] add(c, d) })"));
  // A reducer inside, and an update that binds late.
  EXPECT_EQ(canonical(R"(f { a = f32[2] parameter(0) b = f32[2] parameter(1) ROOT d = f32[2] subtract(a, b) }
ENTRY e {
  p = f32[4] parameter(0)
  s = ((f32[4]), f32[2]) reduce-scatter-start(p), dimensions={0}, replica_groups={{0,1}}, to_apply=add
  d = f32[2] reduce-scatter-done(s)
  t = ((f32[2]), (), u32[]) call-start(d), to_apply=f
  u = ((f32[2], f32[2]), f32[2], u32[]) call-update(t, d)
  ROOT r = f32[2] call-done(u) })"),
            canonical(R"(f { a = f32[2] parameter(0) b = f32[2] parameter(1) ROOT d = f32[2] subtract(a, b) }
w1 { p = f32[4] parameter(0) ROOT r = f32[2] reduce-scatter(p), dimensions={0}, replica_groups={{0,1}}, to_apply=add }
w2 { a = f32[2] parameter(0) b = f32[2] parameter(1) ROOT c = f32[2] call(a, b), to_apply=f }
ENTRY e {
  p = f32[4] parameter(0)
  s = ((f32[4]), f32[2]) async-start(p), calls=w1
  d = f32[2] async-done(s)
  t = ((f32[2]), (), u32[]) async-start(d), calls=w2
  u = ((f32[2], f32[2]), f32[2], u32[]) async-update(t, d)
  ROOT r = f32[2] async-done(u) })"));
}

TEST(Canonicalize, NamesOrderAndMetadataDoNotMatter) {
  const std::string a = After(R"(HloModule first
helper { x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT s = f32[] add(x, y) }
ENTRY start {
  p = f32[4] parameter(0)
  unused = f32[4] parameter(1)
  z = f32[] constant(0)
  n = f32[4] negate(p), metadata={op_name="n"}
  m = f32[4] sine(p)
  dead = f32[4] cosine(p)
  t = f32[4] add(n, m)
  ROOT r = f32[] reduce(t, z), dimensions={0}, to_apply=helper
}
)",
                              {"canonicalize"});
  const std::string b = After(R"(HloModule second
sum.3 { q = f32[] parameter(1)
  w = f32[] parameter(0)
  ROOT add = f32[] add(w, q) }
other { ROOT k = f32[] parameter(0) }
ENTRY main.9 {
  sine.2 = f32[4]{0} parameter(1)
  x.1 = f32[4]{0} parameter(0)
  b = f32[4]{0} sine(x.1)
  a = f32[4]{0} negate(x.1)
  c = f32[4]{0} add(a, b), metadata={op_name="c"}
  zero = f32[] constant(0)
  ROOT out = f32[] reduce(c, zero), dimensions={0}, to_apply=sum.3
}
)",
                              {"canonicalize"});
  EXPECT_EQ(a, b);
  EXPECT_THAT(a, HasSubstr("ENTRY main"));
}

TEST(FoldConstants, NeedsSomebodyWhoEvaluates) {
  const std::string text = Entry("  a = f32[2] constant({1, 2})\n  ROOT b = f32[2] negate(a)\n");
  EXPECT_THAT(After(text, {"fold-constants"}), HasSubstr("negate(a)"));
  TransformOptions options;
  options.fold = [](const Module& module, InstructionId id, absl::Span<const Literal* const> operands) {
    EXPECT_EQ(module.opcode(id), Opcode::kNegate);
    return absl::StatusOr<Literal>(*operands[0]);
  };
  EXPECT_THAT(After(text, {"fold-constants"}, options), HasSubstr("ROOT constant = f32[2]{0} constant({1, 2})"));
  // Beyond the limit only what gets smaller.
  options.fold_limit_bytes = 4;
  EXPECT_THAT(After(text, {"fold-constants"}, options), HasSubstr("constant({1, 2})"));
  const std::string grows =
      Entry("  a = f32[2] constant({1, 2})\n  z = f32[] constant(0)\n  ROOT b = f32[200] pad(a, z), padding=0_198\n");
  EXPECT_THAT(After(grows, {"fold-constants"}, options), HasSubstr("pad(a, z)"));
  // A value that nobody knows cannot be folded.
  EXPECT_THAT(After(Entry("  a = f32[2] constant({...})\n  ROOT b = f32[2] negate(a)\n"), {"fold-constants"}, options),
              HasSubstr("negate(a)"));
  options.fold = [](const Module&, InstructionId, absl::Span<const Literal* const>) {
    return absl::StatusOr<Literal>(absl::UnimplementedError("no"));
  };
  options.fold_limit_bytes = 1000;
  EXPECT_THAT(After(text, {"fold-constants"}, options), HasSubstr("negate(a)"));
}

TEST(DataMovement, VerdictsAndChains) {
  const auto document = Document::Parse(SourceText::FromString("test", Entry(R"(  r = f32[24] reshape(p)
  b = f32[24,8] broadcast(r), dimensions={0}
  c = f32[4,6]{0,1} copy(p)
  d = f32[4,6] copy(p)
  w = (f32[4,6]) tuple(d)
  ROOT t = (f32[24,8], f32[4,6]{0,1}, (f32[4,6])) tuple(b, c, w)
)")));
  ASSERT_FALSE(document->has_errors());
  const Module& module = document->module();
  std::vector<std::string> rows;
  for (const DataMovement& m : ExplainDataMovement(module, CostTarget::Linear())) {
    std::string row = absl::StrCat(module.InstructionName(m.id), " ", MovementVerdictName(m.verdict), " ", m.bytes);
    for (InstructionId id : m.chain) absl::StrAppend(&row, " ", module.InstructionName(id));
    rows.push_back(row);
  }
  EXPECT_THAT(rows, ::testing::ElementsAre("r free 0 b t", "b needed 864 t", "c needed 192 t", "d needed 192 w"));
}

}  // namespace
}  // namespace hloscope
