// SPDX-License-Identifier: Apache-2.0
// Starts and dones, chains, transfers, collectives of a module, and buffers (docs/ops/control.md 6.8-6.11).
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "tests/support/module_diagnostics.h"

namespace hloscope {
namespace {

constexpr absl::string_view kWrapped = "w { a = s32[] parameter(0) ROOT n = s32[] negate(a) }\n";

std::string Diagnostics(absl::string_view instructions, absl::string_view computations = kWrapped) {
  return DiagnosticsOf(absl::StrCat(computations, "ENTRY e { p = s32[] parameter(0) ", instructions, "}"));
}

TEST(VerifyPairs, StartHasOneDone) {
  EXPECT_EQ(Diagnostics("s = (s32[], s32[], u32[]) copy-start(p) ROOT d = s32[] copy-done(s)"), "ok");
  EXPECT_EQ(Diagnostics(R"(s = (s32[], s32[], u32[]) copy-start(p)
  a = s32[] copy-done(s) b = s32[] copy-done(s) ROOT t = (s32[], s32[]) tuple(a, b))"),
            "several-dones at s");
  EXPECT_EQ(Diagnostics("s = (s32[], s32[], u32[]) copy-start(p) ROOT r = s32[] negate(p)"), "start-without-done at s");
  EXPECT_EQ(Diagnostics("s = s32[] all-reduce-start(p), to_apply=sum ROOT n = s32[] negate(s)",
                        "sum { a = s32[] parameter(0) b = s32[] parameter(1) ROOT c = s32[] add(a, b) }\n"),
            "async-use at s");
  // Control dependencies do not count, and tuples may carry the value on.
  EXPECT_EQ(Diagnostics(R"(s = (s32[], s32[], u32[]) copy-start(p) n = s32[] negate(p)
  c = () custom-call(s, n), custom_call_target="control_dep", custom_call_has_side_effect=true
  ROOT d = s32[] copy-done(s))"),
            "ok");
}

TEST(VerifyPairs, DoneFollowsItsStart) {
  EXPECT_EQ(Diagnostics("u = u32[] constant(0) t = (s32[], s32[], u32[]) tuple(p, p, u) ROOT d = s32[] copy-done(t)"),
            "async-producer at t");
  EXPECT_EQ(Diagnostics("ROOT d = s32[] all-reduce-done(p)"), "async-producer at p");
}

TEST(VerifyPairs, NothingIsReadBeforeTheDone) {
  EXPECT_EQ(Diagnostics(R"(s = ((s32[]), s32[], u32[]) async-start(p), calls=w
  g = u32[] get-tuple-element(s), index=2
  d = s32[] async-done(s)
  ROOT t = (u32[], s32[]) tuple(g, d))"),
            "async-read at s");
}

TEST(VerifyChains, EveryStartIsFinishedOnce) {
  EXPECT_EQ(Diagnostics(R"(s = ((s32[]), s32[]) async-start(p), calls=w
  a = s32[] async-done(s) b = s32[] async-done(s) ROOT t = (s32[], s32[]) tuple(a, b))"),
            "several-dones at s");
  EXPECT_EQ(Diagnostics("s = ((s32[]), s32[]) async-start(p), calls=w ROOT r = s32[] negate(p)"),
            "start-without-done at s");
  EXPECT_EQ(Diagnostics(R"(s = ((s32[]), s32[]) async-start(p), calls=w
  u = ((s32[]), s32[]) async-update(s) ROOT r = s32[] negate(p))"),
            "start-without-done at u");
  EXPECT_EQ(Diagnostics(R"(s = ((s32[]), s32[]) async-start(p), calls=w
  n = s32[] custom-call(s), custom_call_target="T" ROOT d = s32[] async-done(s))"),
            "async-use at s");
}

TEST(VerifyChains, MayBeCarriedAcrossALoop) {
  EXPECT_EQ(DiagnosticsOf(R"(
w { a = s32[] parameter(0) ROOT n = s32[] negate(a) }
w2 { a = s32[] parameter(0) ROOT n = s32[] negate(a) }
body {
  s = (s32[], ((s32[]), s32[])) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  l = ((s32[]), s32[]) get-tuple-element(s), index=1
  d = s32[] async-done(l)
  n = ((s32[]), s32[]) async-start(d), calls=w
  ROOT t = (s32[], ((s32[]), s32[])) tuple(i, n)
}
cond { s = (s32[], ((s32[]), s32[])) parameter(0) i = s32[] get-tuple-element(s), index=0 ROOT c = pred[] compare(i, i), direction=LT }
ENTRY e {
  p = s32[] parameter(0)
  s = ((s32[]), s32[]) async-start(p), calls=w2
  t = (s32[], ((s32[]), s32[])) tuple(p, s)
  l = (s32[], ((s32[]), s32[])) while(t), condition=cond, body=body
  g = ((s32[]), s32[]) get-tuple-element(l), index=1
  ROOT d = s32[] async-done(g)
})"),
            "ok");
}

TEST(VerifyChains, WrappedComputations) {
  EXPECT_EQ(Diagnostics("s = ((s32[]), s32[]) async-start(p), calls=w ROOT d = s32[] async-done(s)",
                        "w { a = s32[] parameter(0) b = s32[] abs(a) ROOT n = s32[] negate(b) }\n"),
            "async-body at calls=w");
  EXPECT_EQ(
      Diagnostics(
          "s = ((s32[]), s32[]) async-start(p), calls=w, async_execution_thread=\"side\" ROOT d = s32[] async-done(s)",
          "w { a = s32[] parameter(0) b = s32[] abs(a) ROOT n = s32[] negate(b) }, execution_thread=\"side\"\n"),
      "ok");
  EXPECT_EQ(Diagnostics(R"(s = ((s32[]), s32[]) async-start(p), calls=w d = s32[] async-done(s)
  ROOT c = s32[] call(d), to_apply=w)"),
            "shared-async-computation at calls=w");
  EXPECT_EQ(Diagnostics(R"(s = ((s32[]), s32[]) async-start(p), calls=w
  ROOT d = s32[] async-done(s), calls=v)",
                        absl::StrCat(kWrapped, "v { a = s32[] parameter(0) ROOT n = s32[] abs(a) }\n")),
            "async-computations at calls=v");
}

// Diagnostics about instructions that may use x: u32[2] and the token t.
std::string Transfers(absl::string_view instructions) {
  VerifyOptions options;
  options.check_collectives = false;  // most have one side only
  return DiagnosticsOf(absl::StrCat("ENTRY e { x = u32[2] parameter(0) t = token[] after-all() ", instructions, "}"),
                       options);
}
constexpr absl::string_view kVerifyPairsPairs = R"(frontend_attributes={_xla_send_recv_source_target_pairs="{{0,1}}"})";

TEST(VerifyTransfers, OneConsumer) {
  EXPECT_EQ(Transfers(absl::StrCat("s = (u32[2], u32[], token[]) send(x, t), ", kVerifyPairsPairs,
                                   " ROOT d = token[] send-done(s)")),
            "ok");
  EXPECT_EQ(Transfers(absl::StrCat("s = (u32[2], u32[], token[]) send(x, t), ", kVerifyPairsPairs,
                                   " ROOT n = u32[2] add(x, x)")),
            "transfer-consumer at s");
  EXPECT_EQ(Transfers(absl::StrCat("r = (u32[2], u32[], token[]) recv(t), ", kVerifyPairsPairs,
                                   " d = (u32[2], token[]) recv-done(r) e = (u32[2], token[]) recv-done(r)",
                                   " ROOT z = ((u32[2], token[]), (u32[2], token[])) tuple(d, e)")),
            "transfer-consumer at r");
  EXPECT_EQ(
      Transfers(
          "c = (u32[2], token[]) custom-call(x), custom_call_target=\"T\" ROOT d = (u32[2], token[]) recv-done(c)"),
      "async-producer at c");
}

TEST(VerifyTransfers, DoneRepeatsTheChannel) {
  const auto done = [](absl::string_view send, absl::string_view done) {
    return Transfers(absl::StrCat("s = (u32[2], u32[], token[]) send(x, t), ", kVerifyPairsPairs, send,
                                  " ROOT d = token[] send-done(s)", done));
  };
  EXPECT_EQ(done(", channel_id=3", ", channel_id=3"), "ok");
  EXPECT_EQ(done(", channel_id=3", ", channel_id=4"), "transfer-channel at channel_id=4");
  EXPECT_EQ(done(", channel_id=3", ""), "transfer-channel at send-done");
  EXPECT_EQ(done("", ", is_host_transfer=true"), "transfer-channel at is_host_transfer=true");
}

TEST(VerifyTransfers, PairsOfDeviceTransfers) {
  const auto send = [](absl::string_view attributes) {
    const std::string found = Transfers(
        absl::StrCat("s = (u32[2], u32[], token[]) send(x, t)", attributes, " ROOT d = token[] send-done(s)"));
    return found.substr(0, found.find(" at "));
  };
  const auto pairs = [&](absl::string_view text) {
    return send(absl::StrCat(", frontend_attributes={_xla_send_recv_source_target_pairs=\"", text, "\"}"));
  };
  EXPECT_EQ(pairs("{{0,1},{1,0}}"), "ok");
  EXPECT_EQ(send(""), "transfer-pairs");
  EXPECT_EQ(pairs("0->1"), "transfer-pairs");
  EXPECT_EQ(pairs("{{0,1},{0,2}}"), "transfer-pairs");
  EXPECT_EQ(pairs("{{0,1},{2,1}}"), "transfer-pairs");
}

TEST(VerifyTransfers, HostTransfersOnAChannelAreAlike) {
  constexpr absl::string_view kFirst = R"(s = (u32[2], u32[], token[]) send(x, t), channel_id=1, is_host_transfer=true
  d = token[] send-done(s), channel_id=1, is_host_transfer=true )";
  EXPECT_EQ(
      Transfers(absl::StrCat(kFirst, R"(s_2 = (u32[2], u32[], token[]) send(x, d), channel_id=1, is_host_transfer=true
  ROOT d2 = token[] send-done(s_2), channel_id=1, is_host_transfer=true)")),
      "ok");
  EXPECT_EQ(Transfers(absl::StrCat(kFirst, R"(y = u32[4] concatenate(x, x), dimensions={0}
  s_2 = (u32[4], u32[], token[]) send(y, d), channel_id=1, is_host_transfer=true
  ROOT d2 = token[] send-done(s_2), channel_id=1, is_host_transfer=true)")),
            "host-channel at channel_id=1");
}

TEST(VerifyTransfers, FeedsAreOrdered) {
  EXPECT_EQ(Transfers(R"(o = token[] outfeed(x, t) n = token[] outfeed(x, o) ROOT a = token[] after-all(n))"), "ok");
  EXPECT_EQ(Transfers(R"(o = token[] outfeed(x, t) n = token[] outfeed(x, t), control-predecessors={o}
  ROOT a = token[] after-all(o, n))"),
            "ok");
  EXPECT_EQ(Transfers(R"(o = token[] outfeed(x, t) n = token[] outfeed(x, t) ROOT a = token[] after-all(o, n))"),
            "unordered-transfers at n");
  EXPECT_EQ(Transfers(R"(i = (u32[2], token[]) infeed(t) j = (u32[2], token[]) infeed(t)
  ROOT z = ((u32[2], token[]), (u32[2], token[])) tuple(i, j))"),
            "unordered-transfers at j");
}

TEST(VerifyCollectives, AgreeInConstrainLayout) {
  const auto reduces = [](absl::string_view first, absl::string_view second) {
    return DiagnosticsOf(absl::StrCat(R"(
sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
ENTRY e { x = f32[4] parameter(0) a = f32[4] all-reduce(x), to_apply=sum, constrain_layout=)",
                                      first, " ROOT b = f32[4] all-reduce(a), to_apply=sum, constrain_layout=", second,
                                      "}"));
  };
  EXPECT_EQ(reduces("true", "true"), "ok");
  EXPECT_EQ(reduces("false", "true"), "constrain-layout-mix at constrain_layout=true");
}

TEST(VerifyBuffers, OnlyFewOperationsTakeThem) {
  constexpr absl::string_view kCreate = R"(b = b(f32[4]) custom-call(), custom_call_target="CreateBuffer" )";
  constexpr absl::string_view kAlias = ", output_to_operand_aliasing={{}: (0, {})}";
  const auto entry = [&](absl::string_view rest) {
    return DiagnosticsOf(absl::StrCat("ENTRY e { ", kCreate, rest, "}"));
  };
  EXPECT_EQ(entry(absl::StrCat(R"(c = b(f32[4]) custom-call(b), custom_call_target="T")", kAlias,
                               R"( ROOT r = f32[4] custom-call(c), custom_call_target="Unpin")", kAlias)),
            "ok");
  EXPECT_EQ(entry("ROOT r = b(f32[4]) opt-barrier(b)"), "buffer-use at opt-barrier");
  EXPECT_EQ(entry(absl::StrCat(R"(c = b(f32[4]) custom-call(b), custom_call_target="T")", kAlias,
                               R"( t = (b(f32[4])) tuple(b) g = b(f32[4]) get-tuple-element(t), index=0
  d = b(f32[4]) custom-call(g), custom_call_target="T")",
                               kAlias, " ROOT r = (b(f32[4]), b(f32[4])) tuple(c, d)")),
            "buffer-writers at b");
}

}  // namespace
}  // namespace hloscope
