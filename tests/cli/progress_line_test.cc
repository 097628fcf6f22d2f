// SPDX-License-Identifier: Apache-2.0
// The line on a terminal that tells how far a run has come.
#include "cli/progress_line.h"

#include "gtest/gtest.h"

namespace hloscope::cli {
namespace {

TEST(ProgressTextTest, TellsWhatIsLeftOnceEnoughIsDone) {
  EXPECT_EQ(ProgressText(12345, 0, 0, 2.4), "12,345 instructions, 2 s");
  EXPECT_EQ(ProgressText(7, 1'000'000, 1'000'000'000, 2), "7 instructions, 0 % of 1 GFLOP");
  EXPECT_EQ(ProgressText(1'000'000, 250'000'000, 1'000'000'000, 5),
            "1,000,000 instructions, 25 % of 1 GFLOP, about 15 s left");
  EXPECT_EQ(ProgressText(2, 1, 2, 7200), "2 instructions, 50 % of 2 FLOP, about 2.0 h left");
}

TEST(ProgressTextTest, LoopsOfUnknownLengthPromiseNothing) {
  EXPECT_EQ(ProgressText(10, 3'000'000'000'000, 1000, 100), "10 instructions, 3 TFLOP, 2 min");
}

}  // namespace
}  // namespace hloscope::cli
