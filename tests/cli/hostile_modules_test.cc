// SPDX-License-Identifier: Apache-2.0
// Modules that ask for more than there is: every run ends soon after its time limit and near its memory limit, whatever
// the sizes in the text say.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/command_line.h"
#include "tests/support/hostile_runs.h"
#include "tests/support/measured_command.h"

namespace hloscope::cli {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kMegabyte = 1 << 20;
constexpr int64_t kMemoryLimit = 200 * kMegabyte, kMemoryOverrun = 64 * kMegabyte, kProcess = 40 * kMegabyte;
// Seconds; of the processor where they are measured, since other processes of the machine must not matter.
constexpr double kTimeLimit = 0.5, kTimeOverrun = 0.2, kStart = 0.3;

Usage Measure(const std::string& module) {
  return MeasureCommand({"run", module, "--fill=random", "--threads=1", absl::StrCat("--memory-limit=", kMemoryLimit),
                         absl::StrCat("--time-limit=", kTimeLimit)});
}

class HostileModulesTest : public CommandLineTest {};

TEST_F(HostileModulesTest, LimitsAreKept) {
  for (const HostileRun& hostile : HostileRuns()) {
    SCOPED_TRACE(hostile.name);
    const Usage usage = Measure(Module(hostile.text));
    EXPECT_TRUE(usage.exit_status == 3 || usage.exit_status == 0) << usage.exit_status;
    EXPECT_LE(usage.processor_seconds, kTimeLimit + kTimeOverrun + kStart);
    EXPECT_LE(usage.peak_bytes, kMemoryLimit + kMemoryOverrun + kProcess);
  }
}

// What is printed and written of results takes time and memory too.
TEST_F(HostileModulesTest, ResultsArePutOutWithinTheLimits) {
  // Every device has the same megabytes.
  const std::string devices = Module(R"(HloModule m, replica_count=1000
ENTRY e {
  p = f32[1000000] parameter(0)
  ROOT r = f32[1000000] collective-permute(p), source_target_pairs={{0,1},{1,0}}
})");
  const std::string large = directory_ + "/large.hlo", archive = directory_ + "/r.npz";
  std::ofstream(large) << R"(HloModule m
ENTRY e {
  p = f32[] parameter(0)
  b = f32[20000000] broadcast(p), dimensions={}
  ROOT r = f32[20000000] sine(b)
})";
  const std::vector<std::vector<std::string>> commands = {{devices, "--print"},
                                                          {devices, "--print", "--stats", "--json"},
                                                          {devices, "--out=" + Out()},
                                                          {large, "--print"},
                                                          {large, "--print", "--stats", "--json"}};
  for (std::vector<std::string> command : commands) {
    SCOPED_TRACE(absl::StrJoin(command, " "));
    command.insert(command.begin(), "run");
    for (const char* option : {"--fill=random", "--threads=1", "--memory-limit=200M", "--time-limit=0.5"}) {
      command.emplace_back(option);
    }
    const Usage usage = MeasureCommand(command);
    EXPECT_EQ(usage.exit_status, 3);
    EXPECT_LE(usage.processor_seconds, kTimeLimit + kTimeOverrun + kStart);
    EXPECT_LE(usage.peak_bytes, kMemoryLimit + kMemoryOverrun + kProcess);
    EXPECT_TRUE(!std::filesystem::exists(Out()) || std::filesystem::is_empty(Out()));
  }
  // An archive takes no memory beside the results.
  const Usage usage = MeasureCommand({"run", large, "--fill=random", "--memory-limit=100M", "--out=" + archive});
  EXPECT_EQ(usage.exit_status, 0);
  EXPECT_LE(usage.peak_bytes, 100 * kMegabyte + kMemoryOverrun + kProcess);
  EXPECT_GT(std::filesystem::file_size(archive), 80'000'000u);
}

// What a window costs does not depend on how far it reaches into the padding.
TEST_F(HostileModulesTest, WindowsOfPaddingAreWalkedInNoTime) {
  const std::string text = absl::StrCat("HloModule m\n", HostileComputations(), R"(
ENTRY e {
  p = f32[10] iota(), iota_dimension=0
  s = f32[1] constant({5})
  z = f32[] constant(0)
  sum = f32[1] reduce-window(p, z), window={size=1000000000 pad=499999995_499999995}, to_apply=add
  last = f32[10] select-and-scatter(p, s, z), window={size=1000000000 pad=499999995_499999995}, select=ge, scatter=add
  ROOT t = (f32[1], f32[10]) tuple(sum, last)
})");
  const std::string module = Module(text);
  const Usage usage = Measure(module);
  EXPECT_EQ(usage.exit_status, 0);
  EXPECT_LE(usage.processor_seconds, kStart);
  const Outcome printed = RunHloscope({"run", module, "--print"});
  EXPECT_THAT(printed.output, HasSubstr("result0 = f32[1] {45}"));
  EXPECT_THAT(printed.output, HasSubstr("result1 = f32[10] {0, 0, 0, 0, 0, 0, 0, 0, 0, 5}"));
}

// A literal takes more than the few bytes of a small array, and each of nested ones has its whole shape.
TEST_F(HostileModulesTest, SnapshotsOfManyArraysObeyTheMemoryLimit) {
  std::string wide = "HloModule m\nENTRY e {\np = f32[4] parameter(0)\nROOT r = (f32[4]";
  for (int i = 1; i < 200000; ++i) wide += ", f32[4]";
  wide += ") tuple(p";
  for (int i = 1; i < 200000; ++i) wide += ", p";
  std::string nested = "HloModule m\nENTRY e {\nx0 = f32[4] parameter(0)\n";
  for (int i = 0; i < 1500; ++i) absl::StrAppend(&nested, "x", i + 1, " = tuple(x", i, ")\n");
  nested += "ROOT r = tuple(x1500)\n}\n";
  for (const std::string& text : {wide + ")\n}\n", nested}) {
    const std::string module = Module(text);
    const Usage run = MeasureCommand({"run", module, "--fill=zeros", absl::StrCat("--memory-limit=", kMemoryLimit)});
    EXPECT_EQ(run.exit_status, 0);
    const std::string path = directory_ + "/many.hlo_snapshot.pb";
    const Usage usage =
        MeasureCommand({"convert", module, "-o", path, "--fill=zeros", absl::StrCat("--memory-limit=", kMemoryLimit)});
    EXPECT_EQ(usage.exit_status, 3);
    EXPECT_LE(usage.peak_bytes, std::max(run.peak_bytes, kMemoryLimit) + kMemoryOverrun);
    EXPECT_FALSE(std::filesystem::exists(path));
    EXPECT_EQ(RunHloscope({"convert", module, "-o", path, "--fill=zeros", "--memory-limit=2G"}).exit_status, 0);
    std::filesystem::remove(path);
  }
}

// Each value exists twice at most: as it was computed and as a literal, as a literal and in the message, in the message
// and as bytes.
TEST_F(HostileModulesTest, ASnapshotTakesTwiceTheMemoryOfItsValues) {
  const std::string module =
      Module("HloModule m\nENTRY e {\np = f32[50000000] parameter(0)\nROOT s = f32[1] slice(p), slice={[5:6]}\n}\n");
  const std::string path = directory_ + "/one.hlo_snapshot.pb";
  const Usage usage = MeasureCommand({"convert", module, "-o", path, "--fill=random", "--memory-limit=450M"});
  EXPECT_EQ(usage.exit_status, 0);
  EXPECT_LE(usage.peak_bytes, 2 * 200 * kMegabyte + kMemoryOverrun + kProcess);
  EXPECT_GE(std::filesystem::file_size(path), 200000000u);
}

// Sixty bytes declare a constant of 2 GB, which a text leaves as it is and other forms write out.
TEST_F(HostileModulesTest, FilesWithLargeConstantsObeyTheMemoryLimit) {
  const std::string module = Module("HloModule m\nENTRY e { ROOT c = f32[500000000] constant(0) }\n");
  for (const char* name : {"c.pb", "c.pbtxt", "c.hlo_snapshot.pb", "c.pb.gz"}) {
    SCOPED_TRACE(name);
    const std::string path = absl::StrCat(directory_, "/", name);
    const Usage usage = MeasureCommand({"convert", module, "-o", path, absl::StrCat("--memory-limit=", kMemoryLimit)});
    EXPECT_EQ(usage.exit_status, 3);
    EXPECT_LE(usage.peak_bytes, kMemoryLimit + kMemoryOverrun);
    EXPECT_FALSE(std::filesystem::exists(path));
  }
  const Outcome refused = RunHloscope({"convert", module, "--to=proto", "--memory-limit=1G"});
  EXPECT_THAT(refused.errors, HasSubstr("which is more than the memory limit of "));
  EXPECT_THAT(refused.errors, HasSubstr("--memory-limit=BYTES raises the limit"));
  const Outcome text = RunHloscope({"convert", module, "--memory-limit=1M"});
  EXPECT_EQ(text.exit_status, 0) << text.errors;
  EXPECT_THAT(text.output, HasSubstr("constant(0)"));
  const Usage traced = MeasureCommand({"run", module, "--fill=zeros", absl::StrCat("--memory-limit=", kMemoryLimit),
                                       absl::StrCat("--trace=", directory_, "/t.xplane.pb")});
  EXPECT_EQ(traced.exit_status, 3);
  EXPECT_LE(traced.peak_bytes, kMemoryLimit + kMemoryOverrun + kProcess);
}

// What follows from the module is made once, not for each device.
TEST_F(HostileModulesTest, ManyDevicesWithManyInstructions) {
  std::string text =
      absl::StrCat("HloModule m, replica_count=4096\n", HostileComputations(), "ENTRY e { x0 = f32[4] parameter(0)\n");
  constexpr int kCount = 300;
  for (int i = 1; i < kCount; ++i) {
    absl::StrAppend(&text, i == kCount - 1 ? "ROOT " : "", "x", i, " = f32[4] ", i % 100 == 0 ? "all-reduce" : "negate",
                    "(x", i - 1, ")", i % 100 == 0 ? ", to_apply=add" : "", "\n");
  }
  const Usage usage = Measure(Module(absl::StrCat(text, "}\n")));
  EXPECT_EQ(usage.exit_status, 3);  // the time is not enough
  EXPECT_LE(usage.processor_seconds, kTimeLimit + kTimeOverrun + kStart);
  EXPECT_LE(usage.peak_bytes, kMemoryLimit + kMemoryOverrun + kProcess);
}

TEST_F(HostileModulesTest, IsolateKeepsItsTimeLimit) {
  std::string text = "HloModule m\nd0 { p = f32[] parameter(0) ROOT r = f32[] negate(p) }\n";
  constexpr int kDeepest = 20000;
  for (int i = 1; i <= kDeepest; ++i) {
    absl::StrAppend(&text, i == kDeepest ? "ENTRY e" : absl::StrCat("d", i),
                    " { p = f32[] parameter(0) ROOT r = f32[] call(p), to_apply=d", i - 1, " }\n");
  }
  const Usage usage = MeasureCommand({"isolate", "--fill=zeros", "--threads=1", "--time-limit=0.5", Module(text)});
  EXPECT_EQ(usage.exit_status, 3);
  EXPECT_LE(usage.processor_seconds, kTimeLimit + kTimeOverrun + kStart);
}

// Windows wider than the input of a convolution leave partial sums, and complex kernels are copied: both count.
TEST_F(HostileModulesTest, ScratchMemoryOfConvolutionsCounts) {
  constexpr const char* kConvolutions[] = {
      R"(a = c64[1,1024,1] parameter(0)
         k = c64[2,1,8000000] parameter(1)
         ROOT r = c64[1,1023,8000000] convolution(a, k), window={size=2}, dim_labels=b0f_0io->b0f)",
      R"(a = f32[4096,64,512] parameter(0)
         k = f32[64,512,512] parameter(1)
         ROOT r = f32[4096,1,512] convolution(a, k), window={size=64}, dim_labels=b0f_0io->b0f)"};
  for (const char* convolution : kConvolutions) {
    const Usage usage = Measure(Module(absl::StrCat("HloModule m\nENTRY e {\n", convolution, "\n}\n")));
    EXPECT_EQ(usage.exit_status, 3);
    EXPECT_LE(usage.peak_bytes, kMemoryLimit + kMemoryOverrun + kProcess);
  }
}

// A length that is prime has tables several times as large as the values.
TEST_F(HostileModulesTest, TablesOfFourierTransformsCount) {
  const std::string module = Module(R"(HloModule m
ENTRY e {
  p = c64[2097169] parameter(0)
  ROOT f = c64[2097169] fft(p), fft_type=FFT, fft_length={2097169}
})");
  const Usage usage = MeasureCommand({"run", module, "--fill=random", "--threads=1", "--memory-limit=400M"});
  EXPECT_EQ(usage.exit_status, 3);
  EXPECT_LE(usage.peak_bytes, 400 * kMegabyte + kMemoryOverrun + kProcess);
}

TEST_F(HostileModulesTest, EmptyArraysHaveNoStatistics) {
  const Outcome outcome = RunHloscope({"run", Module("ENTRY e { ROOT p = f32[0,3] parameter(0) }"), "--fill=zeros"});
  EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("f32[0,3]  no elements"));
}

TEST_F(HostileModulesTest, DevicesOfTheHeaderAreCapped) {
  const std::string text = absl::StrCat("HloModule m, replica_count=2000000\n", HostileComputations(), R"(
ENTRY e {
  p = f32[4] parameter(0)
  ROOT r = f32[4] all-reduce(p), to_apply=add
})");
  const Outcome outcome = RunHloscope({"run", Module(text), "--fill=ones"});
  EXPECT_EQ(outcome.exit_status, 1);
  EXPECT_THAT(outcome.errors, HasSubstr("more devices than can be simulated: at most 4096; a run can be given fewer"));
}

}  // namespace
}  // namespace hloscope::cli
