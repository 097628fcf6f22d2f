// SPDX-License-Identifier: Apache-2.0
// Checks by name (docs/ops/control.md 6.2).
#include "core/ops/verify_switches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/support/module_diagnostics.h"

namespace hloscope {
namespace {

TEST(VerifySwitches, NamesAreUniqueAndDefaultsAreThoseOfTheOptions) {
  const VerifyOptions options;
  std::set<std::string> names;
  for (const VerifySwitch& s : VerifySwitches()) {
    EXPECT_TRUE(names.insert(std::string(s.name)).second) << s.name;
    EXPECT_EQ(options.*s.member, s.default_value) << s.name;
    EXPECT_FALSE(s.help.empty()) << s.name;
  }
}

TEST(VerifySwitches, AListSwitchesOnAndOff) {
  VerifyOptions options;
  ASSERT_TRUE(ApplyVerifySwitches("deadlocks,no-replica-groups,renamed", &options).ok());
  EXPECT_TRUE(options.check_deadlocks);
  EXPECT_TRUE(options.check_renamed);
  EXPECT_FALSE(options.check_replica_groups);
  ASSERT_TRUE(ApplyVerifySwitches("no-deadlocks", &options).ok());
  EXPECT_FALSE(options.check_deadlocks);
}

TEST(VerifySwitches, UnknownNamesAreErrorsThatListTheKnownOnes) {
  VerifyOptions options;
  for (const char* list : {"", "deadlock", "deadlocks,", "no-", "deadlocks, renamed"}) {
    const absl::Status status = ApplyVerifySwitches(list, &options);
    ASSERT_FALSE(status.ok()) << list;
    EXPECT_THAT(std::string(status.message()), testing::HasSubstr("deadlocks, collectives, call-threads")) << list;
  }
}

// Long chains of transfers in flight, and computations that many call, must not take more than linear time.
TEST(TransferOrder, ManyTransfersAndCalls) {
  std::string text = "HloModule m, is_scheduled=true\nf { t = token[] parameter(0) ROOT r = token[] after-all(t) }\n";
  text += "ENTRY e {\n  t0 = token[] after-all()\n";
  for (int i = 0; i < 2000; ++i) {
    const std::string n = std::to_string(i);
    text += "  r" + n + "x = (f32[], u32[], token[]) recv(t0), channel_id=1, ";
    text += "frontend_attributes={_xla_send_recv_source_target_pairs=\"{{" + std::to_string(2 * i) + "," +
            std::to_string(2 * i + 1) + "}}\"}\n";
    text += "  d" + n + "x = (f32[], token[]) recv-done(r" + n + "x), channel_id=1\n";
    text += "  c" + n + "x = token[] call(t0), to_apply=f\n";
  }
  text += "  ROOT z = f32[] constant(0)\n}\n";
  VerifyOptions options;
  options.check_deadlocks = true;
  EXPECT_THAT(DiagnosticsOf(text, options, Severity::kError), testing::StartsWith("unmatched-transfer at r0x"));
}

}  // namespace
}  // namespace hloscope
