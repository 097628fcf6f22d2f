// SPDX-License-Identifier: Apache-2.0
// Infeed, outfeed, send and recv (docs/ops/control.md 2.2-2.4, 6.10).
#include "core/ops/host_transfer.h"

#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "tests/support/module_diagnostics.h"

namespace hloscope {
namespace {

std::string HostTransferDiagnostics(absl::string_view instructions) {
  return DiagnosticsOf(absl::StrCat("ENTRY e { x = f32[2] parameter(0) t = token[] after-all() ", instructions, "}"));
}

TEST(HostTransferRules, FeedsTakeTokens) {
  EXPECT_EQ(HostTransferDiagnostics("ROOT i = (f32[2], token[]) infeed(t)"), "ok");
  EXPECT_EQ(HostTransferDiagnostics("ROOT i = (f32[2], token[]) infeed(x)"), "operand-not-token at x");
  EXPECT_EQ(HostTransferDiagnostics("ROOT o = token[] outfeed(x, t)"), "ok");
  EXPECT_EQ(HostTransferDiagnostics("ROOT o = token[] outfeed(x, t), outfeed_shape=f32[2]{0}"), "ok");
  EXPECT_EQ(HostTransferDiagnostics("ROOT o = token[] outfeed(x, t), outfeed_shape=f32[3]{0}"),
            "outfeed-shape at outfeed_shape=f32[3]{0}");
  EXPECT_EQ(HostTransferDiagnostics("ROOT o = token[] outfeed(x, x)"), "operand-not-token at x");
}

TEST(HostTransferRules, SendAndReceive) {
  EXPECT_EQ(HostTransferDiagnostics(R"(s = (f32[2], u32[], token[]) send(x, t), channel_id=1, is_host_transfer=true
  d = token[] send-done(s), channel_id=1, is_host_transfer=true
  r = (f32[2], u32[], token[]) recv(d), channel_id=2, is_host_transfer=true
  ROOT rd = (f32[2], token[]) recv-done(r), channel_id=2, is_host_transfer=true)"),
            "ok");
  EXPECT_EQ(HostTransferDiagnostics(R"(s = (f32[2], u32[], token[]) send(x, x), is_host_transfer=true
  ROOT d = token[] send-done(s), is_host_transfer=true)"),
            "operand-not-token at x");
  EXPECT_EQ(HostTransferDiagnostics(R"(r = (f32[2], u32[], token[]) recv(x), is_host_transfer=true
  ROOT d = (f32[2], token[]) recv-done(r), is_host_transfer=true)"),
            "operand-not-token at x");
  EXPECT_EQ(HostTransferDiagnostics("ROOT d = (f32[2], token[]) recv-done(x)"), "operand-not-tuple at x");
}

TEST(SourceTargetPairs, Form) {
  const auto pairs = ParseSourceTargetPairs(" {{0,1}, {12, 3}} ");
  ASSERT_TRUE(pairs.has_value());
  EXPECT_EQ(*pairs, (SourceTargetPairs{{0, 1}, {12, 3}}));
  EXPECT_EQ(ParseSourceTargetPairs("{}"), SourceTargetPairs());
  for (absl::string_view bad :
       {"", "{", "{{0,1}", "{{0,1},}", "{{0}}", "{{0,1,2}}", "{{a,1}}", "{{0,1}} x", "{{99999999999999999999,1}}"}) {
    EXPECT_FALSE(ParseSourceTargetPairs(bad).has_value()) << bad;
  }
}

}  // namespace
}  // namespace hloscope
