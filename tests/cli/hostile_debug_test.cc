// SPDX-License-Identifier: Apache-2.0
// The debugger on modules that ask for more than there is: every command ends soon after the limits, whatever it looks
// for among the elements, and what it says has an end.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "tests/support/command_line.h"
#include "tests/support/hostile_runs.h"
#include "tests/support/measured_command.h"
#include "tests/support/test_folder.h"

namespace hloscope::cli {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kMemoryOfRun = int64_t{200} << 20, kMemoryBeside = int64_t{104} << 20;
// Processor time. Each question about values may take as long as the run: of one sequence three do.
constexpr double kSecondsOfRun = 0.5, kSecondsBeside = 0.2, kSecondsToStart = 0.3, kQuestions = 3;
constexpr uintmax_t kMostOutput = 200'000;

struct Sequence {
  const char* name;
  const char* commands;  // OUT: a folder
  const char* runs;      // of HostileRuns() that it meets in the short test
};

constexpr Sequence kSequences[] = {
    {"walk", "next 3\nstep 10\nback 2\nprint r\ncontinue\nback 3\nprint r\nbstep\nrcontinue\n", "while_arr sort f8"},
    {"element",
     "element 0\nfinish\nelement 99999999999999999999\nelement -1\nuntil r\nelement\nelement 5\nback\nfinish\n"
     "continue\n",
     "rw_dil rw_dil2 rw_big sas_2d scatter scatter_odd map sort_odd"},
    {"numbers", "watch nan\ncontinue\norigin r\norigin p\nrcontinue\nwatch overflow\nwatch bounds\ncontinue\n",
     "bcast_neg constant0 resh gather_b scatter"},
    {"set", "until r\nset p = 1e308\nset p[0] = nan\nset p[0:1000000000] = 3\ncontinue\nstats r\ndiff r r\nstats p\n",
     "bcast_neg f8 s4 resh reverse_n"},
    {"positions",
     "goto 9223372036854775807\ngoto -1\ngoto 3\nback 9223372036854775807\nnext 9223372036854775807\n"
     "back 9223372036854775807\ngoto 1\n",
     "while dot"},
    {"sources",
     "until r\nwhy r[0]\noperands\nhistory r\nhistory p\ncontinue\nwhy r[0]\nwhy r\nmarkdown r\nmarkdown p\n"
     "info history\ninfo devices\n",
     "devices_4k allgather bcast_reduce scatter_windows"},
    {"loops",
     "iteration 1000000000000\niteration -1\nbfinish\nbreak iteration 9223372036854775807\ncontinue\niteration 2\n"
     "iteration 1\n",
     "while while_grow"},
    {"skip", "skip\nskip 1e308\nskip zeros\nskip nan\ncontinue\n", "infeed pad"},
    {"expressions",
     "until r\nprint p*p+p\nprint sum(p)\nprint max(abs(r)) > 1e4\nprint b\nprint i\nprint b == b\ncontinue\n"
     "print r*r\nprint r[99999999999999]\nprint equal(r, r)\nprint allclose(b, b)\n",
     "bcast_print iota_sum select"},
    {"frames",
     "tbreak opcode:while\ncontinue\niteration 5\niteration 1\nframes\nup\nup\ndown\nset p[0] = 3\nset p = 3\n"
     "continue\nstep 1000\nbfinish\n",
     "while_arr f8_wide"},
    {"devices",
     "device 0\ndevice 999999999999\ndevice\ntogether off\nnext\nnext\ntogether on\ncontinue\ndevice 1\nnext\nback\n"
     "print r\ninfo devices\n",
     "devices_4k permuted"},
    {"conditions", "watch p\nwatch r\nwatch max(abs(r)) > 1\nwatch b > 0\ncontinue\ncontinue\nrcontinue\n",
     "bcast_neg cumsum"},
    {"files", "next\nrecord values OUT/values\nrecord commands OUT/commands\ncontinue\nreplay OUT/commands\n",
     "dot_batch"},
};

class HostileDebugTest : public CommandLineTest, public ::testing::WithParamInterface<Sequence> {};

INSTANTIATE_TEST_SUITE_P(Sequences, HostileDebugTest, ::testing::ValuesIn(kSequences),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(HostileDebugTest, EndsSoonAfterItsLimits) {
  const Sequence& sequence = GetParam();
  const bool is_long = std::getenv("HLOSCOPE_LONG_TESTS") != nullptr;
  const std::vector<std::string> wanted = absl::StrSplit(sequence.runs, ' ');
  const TestFolder folder;
  const CommandFiles files{folder / "commands", folder / "output", folder / "errors"};
  std::ofstream(files.input) << absl::StrReplaceAll(sequence.commands, {{"OUT", folder.path()}});
  size_t met = 0;
  for (const HostileRun& run : HostileRuns()) {
    const bool is_wanted = std::find(wanted.begin(), wanted.end(), run.name) != wanted.end();
    met += is_wanted ? 1 : 0;
    if (!is_wanted && !is_long) continue;
    SCOPED_TRACE(run.name);
    const Usage usage =
        MeasureCommand({"debug", Module(run.text), "--fill=random", "--threads=1",
                        absl::StrCat("--memory-limit=", kMemoryOfRun), absl::StrCat("--time-limit=", kSecondsOfRun)},
                       files);
    EXPECT_TRUE(usage.exit_status == 0 || usage.exit_status == 1 || usage.exit_status == 3) << usage.exit_status;
    EXPECT_LE(usage.processor_seconds, kSecondsToStart + kQuestions * (kSecondsOfRun + kSecondsBeside));
    EXPECT_LE(usage.peak_bytes, kMemoryOfRun + kMemoryBeside);
    EXPECT_GT(fs::file_size(files.output), 0u);
    EXPECT_LE(fs::file_size(files.output), kMostOutput);
  }
  EXPECT_EQ(met, wanted.size()) << "a name that HostileRuns() does not have";
}

}  // namespace
}  // namespace hloscope::cli
