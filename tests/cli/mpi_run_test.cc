// SPDX-License-Identifier: Apache-2.0
// hloscope run under mpirun: the results of one process, for any number of them; what happens when they do not fit
// together or one of them ends. Skipped without MPI.
#include <fstream>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/cli/mpi_test.h"
#include "tests/support/collective_module.h"

namespace hloscope {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

class MpiRunTest : public MpiTest {
 protected:
  // One process's files of results, by name, and what it prints.
  std::string Expected(const std::string& module) const {
    const Outcome one = RunHloscope({"run", module, "--fill=random", "--seed=5", "--out", directory_ + "/one"});
    EXPECT_EQ(one.exit_status, 0) << one.errors;
    return RunHloscope({"run", module, "--fill=random", "--seed=5", "--print"}).output;
  }
  void ExpectSameFiles(const std::string& directory) const {
    const std::vector<std::string> names = Files(directory_ + "/one");
    EXPECT_EQ(Files(directory), names);
    for (const std::string& name : names) {
      EXPECT_EQ(Contents(absl::StrCat(directory, "/", name)), Contents(absl::StrCat(directory_, "/one/", name)))
          << name;
    }
  }
};

TEST_F(MpiRunTest, AnyNumberOfProcessesGivesTheResultsOfOne) {
  const std::string module = Module(EveryCollective());
  const std::string printed = Expected(module);
  EXPECT_GT(Files(directory_ + "/one").size(), 150u);
  const auto run = [&](absl::string_view options) {
    return absl::StrCat(" ", Program(), " run ", module, " --fill=random --seed=5 --threads=1 ", options);
  };
  for (const auto& [ranks, options] : std::vector<std::pair<int, std::string>>{
           {1, ""}, {2, ""}, {3, ""}, {4, "--device-ranks=0,1,2,3,3,2,1,0"}, {8, "--results=per-rank"}}) {
    const std::string out = absl::StrCat(directory_, "/ranks", ranks);
    const Outcome several = RunMpi(absl::StrCat("-n ", ranks, run(absl::StrCat(options, " --out ", out))));
    EXPECT_EQ(several.exit_status, 0) << several.errors;
    EXPECT_EQ(several.output, "");
    ExpectSameFiles(out);
  }
  // More processes than devices in use, and what is printed.
  const Outcome uneven = RunMpi(absl::StrCat("-n 3", run("--devices-per-rank=5,0,3 --print")));
  EXPECT_EQ(uneven.exit_status, 0) << uneven.errors;
  EXPECT_EQ(uneven.output, printed);
}

// Types of several sizes and kinds; tests/evaluator/collective_ranks_test.cc has all, without MPI.
TEST_F(MpiRunTest, EveryGroupingOfTypesOfManySizes) {
  for (const ElementType type : {ElementType::kPred, ElementType::kS4, ElementType::kBF16, ElementType::kC128}) {
    const std::string options = absl::StrCat("run ", Module(EveryCollectiveOf(type)), " --fill=random --print");
    const Outcome one = RunHloscope(absl::StrSplit(options, ' '));
    EXPECT_EQ(one.exit_status, 0) << one.errors;
    const Outcome eight = RunMpi(absl::StrCat("-n 8 ", Program(), " ", options, " --threads=1"));
    EXPECT_EQ(eight.output, one.output) << eight.errors;
  }
}

// Whole arrays are cut by the sharding of the parameter, with one process as with several.
TEST_F(MpiRunTest, WholeArraysAreCut) {
  const std::string whole = Module("HloModule w\nENTRY e { ROOT i = f32[6,8] iota(), iota_dimension=1 }\n");
  EXPECT_EQ(RunHloscope({"run", whole, "--out", directory_ + "/whole"}).exit_status, 0);
  const std::string module = Module(
      "HloModule part, num_partitions=4\nadd { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) "
      "}\n"
      "ENTRY e { x = f32[3,4] parameter(0), sharding={devices=[2,2]0,2,1,3}\n"
      "ROOT r = f32[3,4] all-reduce(x), channel_id=1, use_global_device_ids=true, replica_groups={{0,1},{2,3}}, "
      "to_apply=add }\n");
  const std::string argument = absl::StrCat("--arg=0=", directory_, "/whole/result0.npy");
  const Outcome one = RunHloscope({"run", module, argument, "--print"});
  EXPECT_EQ(one.exit_status, 0) << one.errors;
  EXPECT_THAT(one.output, HasSubstr("result0.r0.p0 = f32[3,4] { { 0, 2, 4, 6 }"));
  EXPECT_THAT(one.output, HasSubstr("result0.r0.p2 = f32[3,4] { { 8, 10, 12, 14 }"));
  const Outcome three = RunMpi(absl::StrCat("-n 3 ", Program(), " run ", module, " ", argument, " --print"));
  EXPECT_EQ(three.exit_status, 0) << three.errors;
  EXPECT_EQ(three.output, one.output);
}

// Five rows on three devices: two, two and one, and a row of zeros behind it.
TEST_F(MpiRunTest, WholeArraysAreCutIntoTilesWithPadding) {
  const std::string whole = Module("HloModule w\nENTRY e { ROOT i = f32[5,2] iota(), iota_dimension=0 }\n");
  EXPECT_EQ(RunHloscope({"run", whole, "--out", directory_ + "/whole"}).exit_status, 0);
  const std::string argument = absl::StrCat("--arg=0=", directory_, "/whole/result0.npy");
  const std::string text =
      "HloModule p, num_partitions=3\nENTRY e { x = f32[2,2] parameter(0), "
      "sharding={devices=[3,1]<=[3]}\nROOT r = f32[2,2] copy(x) }\n";
  const std::string module = Module(text);
  const Outcome one = RunHloscope({"run", module, argument, "--partitions=3", "--print"});
  EXPECT_EQ(one.exit_status, 0) << one.errors;
  EXPECT_THAT(one.output, HasSubstr("result0.r0.p1 = f32[2,2] { { 2, 2 }, { 3, 3 } }"));
  EXPECT_THAT(one.output, HasSubstr("result0.r0.p2 = f32[2,2] { { 4, 4 }, { 0, 0 } }"));
  const Outcome two =
      RunMpi(absl::StrCat("-n 2 ", Program(), " run ", module, " ", argument, " --partitions=3 --print"));
  EXPECT_EQ(two.output, one.output) << two.errors;
  // Tiles of three rows would hold five rows on two devices.
  const std::string other = Module(absl::StrReplaceAll(text, {{"f32[2,2]", "f32[3,2]"}}));
  const Outcome wrong = RunHloscope({"run", other, argument, "--partitions=3", "--print"});
  EXPECT_EQ(wrong.exit_status, 1);
  EXPECT_THAT(wrong.errors, HasSubstr("f32[3,2]"));
}

TEST_F(MpiRunTest, ADeadlockIsReportedAsInOneProcess) {
  const std::string module = Module(kParting);
  const Outcome one = RunHloscope({"run", module, "--fill=ones"});
  EXPECT_THAT(one.errors, HasSubstr("deadlock: no device can make progress"));
  const Outcome two = RunMpi(absl::StrCat("-n 2 ", Program(), " run ", module, " --fill=ones"));
  EXPECT_EQ(two.exit_status, 1);
  // After the warnings of the module itself comes the same report; mpirun adds its own words.
  const std::string report = one.errors.substr(one.errors.find("hloscope: deadlock"));
  EXPECT_THAT(report, HasSubstr("hint: mismatched collectives: device 0 waits at talk::y, device 1 at other::z"));
  EXPECT_THAT(two.errors, HasSubstr(report));
}

TEST_F(MpiRunTest, ProcessesThatDoNotFitTogether) {
  const std::string module = Module(kSum);
  const std::string other = directory_ + "/other.hlo";
  std::ofstream(other) << std::string(kSum) << "// changed\n";
  const Outcome versions = RunMpi(absl::StrCat("-n 1 ", Program(), " run ", module, " --fill=ones : -n 1 ", Program(),
                                               " run ", other, " --fill=ones"));
  EXPECT_EQ(versions.exit_status, 1);
  EXPECT_THAT(versions.errors, HasSubstr("rank 1 has another module than rank 0"));
  const Outcome seeds = RunMpi(absl::StrCat("-n 1 ", Program(), " run ", module, " --fill=ones : -n 1 ", Program(),
                                            " run ", module, " --fill=zeros"));
  EXPECT_THAT(seeds.errors, HasSubstr("rank 1 has another --fill than rank 0: zeros and not ones"));
  const Outcome counts = RunMpi(absl::StrCat("-n 2 ", Program(), " run ", module, " --fill=ones --devices-per-rank=3"));
  EXPECT_EQ(counts.exit_status, 2);
  EXPECT_THAT(counts.errors, HasSubstr("the ranks are given for 6 devices, but the run has 4"));
}

TEST_F(MpiRunTest, AProcessThatFailsEndsAll) {
  const std::string module = Module(kSum);
  // The file that one of them is to read is not there.
  const Outcome missing = RunMpi(absl::StrCat("-n 1 ", Program(), " run ", module, " --fill=ones : -n 1 ", Program(),
                                              " run ", directory_, "/nothing.hlo --fill=ones"));
  EXPECT_EQ(missing.exit_status, 1);
  EXPECT_THAT(missing.errors, HasSubstr("rank 1: "));
  EXPECT_THAT(missing.errors, HasSubstr("nothing.hlo"));
  const Outcome limit = RunMpi(absl::StrCat("-n 1 ", Program(), " run ", module, " --fill=ones : -n 1 ", Program(),
                                            " run ", module, " --fill=ones --memory-limit=100K"));
  EXPECT_EQ(limit.exit_status, 3);
  EXPECT_THAT(limit.errors, HasSubstr("rank 1: "));
  EXPECT_THAT(limit.errors, HasSubstr("memory limit"));
}

TEST_F(MpiRunTest, AProcessThatIsKilledEndsAll) {
  const std::string module = Module(kSum);
  const Outcome killed =
      RunMpi(absl::StrCat("-n 1 ", Program(), " run ", module, " --fill=ones : -n 1 sh -c 'kill -9 $$'"));
  EXPECT_NE(killed.exit_status, 0);
  // mpirun's own words; it does not name one that is gone before the others know of it.
  EXPECT_THAT(killed.errors, AnyOf(HasSubstr("rank 1"), HasSubstr("the job has been aborted")));
}

TEST_F(MpiRunTest, LimitsAndOptionsOfOneProcess) {
  const std::string module = Module(kSum);
  const Outcome steps = RunMpi(absl::StrCat("-n 2 ", Program(), " run ", module, " --fill=ones --stats --json"));
  EXPECT_EQ(steps.exit_status, 0) << steps.errors;
  EXPECT_THAT(steps.output, HasSubstr("\"all-reduce\""));
  EXPECT_THAT(steps.output, HasSubstr("\"runs\": 4"));  // of all devices
  const Outcome misuse = RunMpi(absl::StrCat("-n 2 ", Program(), " run ", module, " --fill=ones --results=per-rank"));
  EXPECT_EQ(misuse.exit_status, 2);
  EXPECT_THAT(misuse.errors, HasSubstr("--results=per-rank needs --out DIR"));
}

}  // namespace
}  // namespace hloscope
