// SPDX-License-Identifier: Apache-2.0
// `hloscope memory`.
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "interop/files/gzip.h"
#include "nlohmann/json.hpp"
#include "tests/support/command_line.h"
#include "tests/support/shared_files.h"

namespace hloscope::cli {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

class MemoryCommandTest : public CommandLineTest {
 protected:
  Json Run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"memory", "--json"});
    const Outcome outcome = RunHloscope(std::move(arguments));
    EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
    Json json = Json::parse(outcome.output, nullptr, /*allow_exceptions=*/false);
    EXPECT_TRUE(json.is_object()) << outcome.output;
    return json;
  }
  void Write(const std::string& name, absl::string_view text) const {
    std::ofstream(absl::StrCat(directory_, "/", name)) << text;
  }
};

constexpr char kModule[] =
    R"(HloModule m, is_scheduled=true, input_output_alias={ {}: (0, {}, may-alias) }, buffer_donor={ (1, {}) }
ENTRY e {
  p = f32[1000] parameter(0)
  q = f32[7] parameter(1)
  a = f32[1000] negate(p), metadata={op_name="jit(f)/neg" source_file="model.py" source_line=12}
  b = f32[1000] add(a, a)
  d = f32[1000] exponential(b)
  ROOT c = f32[1000] multiply(d, p)
}
)";

TEST_F(MemoryCommandTest, WhatKeepsAnArrayWithTheWayToIt) {
  const auto ways = [](const Json& json) {
    std::string all;
    for (const Json& value : json["live_at_peak"]) {
      absl::StrAppend(&all, value["value"].get<std::string>(), ":");
      for (const Json& name : value["way"]) absl::StrAppend(&all, " ", name.get<std::string>());
      absl::StrAppend(&all, "\n");
    }
    return all;
  };
  const std::string bitcast = Module(R"(HloModule m, is_scheduled=true
ENTRY e {
  p = f32[4] parameter(0)
  a = f32[4] negate(p)
  t = (f32[4], f32[4]) tuple(a, p)
  g = f32[4] get-tuple-element(t), index=0
  b = f32[2,2] bitcast(g)
  n = f32[2,2] exponential(b)
  ROOT r = (f32[2,2], f32[2,2]) tuple(n, n)
}
)");
  EXPECT_THAT(ways(Run({bitcast})), AllOf(HasSubstr("a: t g b\n"), HasSubstr("n:\n")));
  EXPECT_THAT(RunHloscope({"memory", bitcast}).output, HasSubstr("kept for n (exponential) by way of t > g > b\n"));
  EXPECT_THAT(RunHloscope({"memory", bitcast}).output, HasSubstr("kept as a result\n"));
  const std::string call = Module(R"(HloModule m, is_scheduled=true
inner {
  x = f32[4] parameter(0)
  u = f32[4] negate(x)
  v = f32[4] exponential(x)
  ROOT w = (f32[4], f32[4]) tuple(u, v)
}
ENTRY e {
  p = f32[4] parameter(0)
  ROOT c = (f32[4], f32[4]) call(p), to_apply=inner
}
)");
  EXPECT_THAT(ways(Run({call})), HasSubstr(" w c\n"));
}

TEST_F(MemoryCommandTest, PeakAndWhatIsAliveThere) {
  const Json json = Run({Module(kModule)});
  // p 4000 and q 28 always; two of the chain at each step.
  EXPECT_EQ(json["peak_bytes"], 12028);
  EXPECT_EQ(json["schedule"], "module");
  EXPECT_EQ(json["peak_instruction"], "b");
  ASSERT_EQ(json["live_at_peak"].size(), 4u);
  EXPECT_EQ(json["live_at_peak"][0]["padded_bytes"], 4000);
  // p, q and c have memory of their own; a and d can share the place that b leaves.
  EXPECT_EQ(json["assigned_bytes"], 4000 + 28 + 4000 + 8000 + (4032 - 4000));
  EXPECT_EQ(json["steps"][3]["live_bytes"], 12028);
  for (const Json& value : json["live_at_peak"]) {
    if (value["value"] != "a") continue;
    EXPECT_EQ(value["source"], "model.py:12");
    EXPECT_EQ(value["users"], Json({"b"}));
  }
}

TEST_F(MemoryCommandTest, Donations) {
  const Json json = Run({Module(kModule)});
  ASSERT_EQ(json["donations"].size(), 2u);
  EXPECT_EQ(json["donations"][0]["state"], "used");
  ASSERT_EQ(json["lost_donations"].size(), 1u);
  EXPECT_EQ(json["lost_donations"][0]["parameter"], 1);
  EXPECT_EQ(json["lost_donations"][0]["reason"], "no result");
  const Json read = Run(
      {Module(R"(HloModule m, is_scheduled=true, input_output_alias={ {0}: (0, {}, may-alias), {1}: (1, {}, may-alias) }
ENTRY e {
  p = f32[10] parameter(0)
  q = f32[12] parameter(1)
  a = f32[10] negate(p)
  b = f32[10] add(a, p)
  ROOT t = (f32[10], f32[10]) tuple(a, b)
}
)")});
  ASSERT_EQ(read["lost_donations"].size(), 2u);
  EXPECT_EQ(read["lost_donations"][0]["reason"], "still read");
  EXPECT_THAT(read["lost_donations"][0]["detail"], HasSubstr("b reads it at step 3"));
  EXPECT_EQ(read["lost_donations"][1]["reason"], "shape");
}

TEST_F(MemoryCommandTest, WhatIf) {
  const std::string module = Module(R"(HloModule m, is_scheduled=true
ENTRY e {
  p = f32[] parameter(0)
  a = f32[10000] broadcast(p), dimensions={}
  b = f32[10000] negate(a)
  c = f32[20000] concatenate(b, b), dimensions={0}
  d = f32[1] slice(c), slice={[0:1]}
  s = f32[1] slice(a), slice={[0:1]}
  ROOT r = f32[1] add(d, s)
}
)");
  const Json json = Run({"--what-if=recompute:a", "--what-if=type:a=bf16", "--what-if=schedule:list", module});
  EXPECT_EQ(json["peak_bytes"], 4 + 40000 + 40000 + 80000);
  ASSERT_EQ(json["what_if"].size(), 3u);
  EXPECT_EQ(json["what_if"][0]["peak_bytes"], 4 + 40000 + 80000);
  EXPECT_EQ(json["what_if"][0]["saved_bytes"], 40000);
  EXPECT_EQ(json["what_if"][1]["saved_bytes"], 20000);
  EXPECT_EQ(json["suggestions"][0]["what"], "recompute:a");
  EXPECT_EQ(RunHloscope({"memory", "--what-if=recompute:x", module}).exit_status, 2);
  EXPECT_EQ(RunHloscope({"memory", "--what-if=nonsense", module}).exit_status, 2);
  EXPECT_EQ(RunHloscope({"memory", "--what-if=type:a=f31", module}).exit_status, 2);
  EXPECT_EQ(RunHloscope({"memory", "--what-if=donate:99", module}).exit_status, 2);
}

constexpr char kAssignment[] = R"(BufferAssignment:
allocation 0: size 4000, parameter 0, shape |f32[1000]| at ShapeIndex {}, output shape is |f32[1000]|, maybe-live-out:
 value: <3 p @0> (size=4000,offset=0): f32[1000]{0}
 value: <8 c @0> (size=4000,offset=0): f32[1000]{0}
allocation 1: size 28, parameter 1, shape |f32[7]| at ShapeIndex {}:
 value: <4 q @0> (size=28,offset=0): f32[7]{0}
allocation 2: size 4096, preallocated-temp:
 value: <5 a @0> (size=4000,offset=0): f32[1000]{0}
 value: <6 b @0> (size=4000,offset=0): f32[1000]{0}
 value: <7 d @0> (size=4000,offset=0): f32[1000]{0}
)";

constexpr char kEndOfAssignment[] = "\nTotal bytes used: 8124 (7.9KiB)\n\nUsed values:\n";

TEST_F(MemoryCommandTest, TheAssignmentOfTheCompiler) {
  const std::string module = Module(kModule);
  Write("module-buffer-assignment.txt", absl::StrCat(kAssignment, kEndOfAssignment));
  const Json json = Run({module});
  EXPECT_EQ(json["assignment"], "recorded");
  EXPECT_EQ(json["assigned_bytes"], 4000 + 28 + 4096);
  EXPECT_EQ(json["peak_bytes"], 4000 + 28 + 4000);
  EXPECT_EQ(json["donations"][0]["state"], "used");
  EXPECT_EQ(json["compiler"]["temporary_bytes"], 4096);
  EXPECT_EQ(json["compiler"]["deviations"].size(), 1u);
  EXPECT_EQ(Run({"--buffer-assignment=none", module})["assignment"], "own");
  // Bytes that arrays share in part count once: the peak is never above what is assigned.
  std::string shared = kAssignment;
  shared.replace(shared.find("b @0> (size=4000,offset=0)"), 26, "b @0> (size=4000,offset=96)");
  shared.replace(shared.find("d @0> (size=4000,offset=0)"), 26, "d @0> (size=4000,offset=64)");
  Write("shared.txt", shared);
  EXPECT_EQ(Run({absl::StrCat("--buffer-assignment=", directory_, "/shared.txt"), module})["peak_bytes"],
            4000 + 28 + 4096);
  Write("broken.txt", "BufferAssignment:\nallocation 0: size x:\n");
  EXPECT_EQ(
      RunHloscope({"memory", absl::StrCat("--buffer-assignment=", directory_, "/broken.txt"), module}).exit_status, 1);
  Write("odd.txt", absl::StrCat(kAssignment, " value: <9 nobody{0} @0> (size=4000,offset=9999999): f32[1]\n"));
  const Json odd = Run({absl::StrCat("--buffer-assignment=", directory_, "/odd.txt"), module});
  EXPECT_THAT(odd["compiler"]["deviations"].dump(), HasSubstr("lies outside"));
  EXPECT_THAT(odd["compiler"]["deviations"].dump(), HasSubstr("nobody"));
}

TEST_F(MemoryCommandTest, WhatIsCutOffIsSaid) {
  const std::string module = Module(kModule);
  Write("cut.txt", kAssignment);
  const Json cut = Run({absl::StrCat("--buffer-assignment=", directory_, "/cut.txt"), module});
  EXPECT_EQ(cut["assignment"], "recorded");
  EXPECT_THAT(cut["compiler"]["deviations"].dump(), HasSubstr("it may be cut off"));
  // What is beside the module is not asked for by its name.
  Write("module-buffer-assignment.txt", "BufferAssignment:\nallocation 0: size x:\n");
  const Outcome broken = RunHloscope({"memory", module});
  EXPECT_EQ(broken.exit_status, 0);
  EXPECT_THAT(broken.errors, HasSubstr("this is no buffer assignment"));
  EXPECT_THAT(broken.output, HasSubstr("our own packing"));
  SKIP_WITHOUT_SHARED_FILES();
  const std::string whole =
      ReadFileOrDie(absl::StrCat(SharedDirectory(), "/interop/legacy.jit_forward_3d_conv.hlo.pb"));
  Write("cut.hlo.pb", whole.substr(0, whole.size() - 100));
  const Outcome proto = RunHloscope({"memory", "--json", directory_ + "/cut.hlo.pb"});
  EXPECT_EQ(proto.exit_status, 0) << proto.errors;
  EXPECT_THAT(proto.errors, HasSubstr("the file is cut off: buffer_assignment is not complete and is left out"));
  EXPECT_EQ(Json::parse(proto.output)["assignment"], "own");
  Write("cut.hlo.pb", whole.substr(0, 1000));
  const Outcome module_cut = RunHloscope({"memory", directory_ + "/cut.hlo.pb"});
  EXPECT_EQ(module_cut.exit_status, 1);
  EXPECT_THAT(module_cut.errors, HasSubstr("truncated: field"));
}

TEST_F(MemoryCommandTest, RealAssignmentsWithinOnePercent) {
  SKIP_WITHOUT_SHARED_FILES();
  for (const char* name : {"legacy.jit_forward_3d_conv.hlo.pb", "legacy.jit__multi_slice.hlo.pb",
                           "ReduceScatter.v1.pbtxt", "SimpleAdd.v1.pbtxt"}) {
    const Json json = Run({absl::StrCat(SharedDirectory(), "/interop/", name)});
    EXPECT_EQ(json["assignment"], "recorded") << name;
    EXPECT_EQ(json["schedule"], "module") << name;
    const double total = json["compiler"]["total_bytes"], peak = json["peak_bytes"];
    EXPECT_NEAR(peak, total, 0.01 * total) << name;
    EXPECT_LE(peak, total) << name;
  }
  const Json json = Run({absl::StrCat(SharedDirectory(), "/interop/legacy.jit_forward_3d_conv.hlo.pb")});
  EXPECT_EQ(json["compiler"]["heap_peak_bytes"], 579072000);
  EXPECT_EQ(json["assigned_bytes"], 1158144128);
}

TEST_F(MemoryCommandTest, TextAndPage) {
  const std::string module = Module(kModule);
  const Outcome outcome = RunHloscope({"memory", module});
  EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("m: peak 12028 bytes (11.7 KiB)"));
  EXPECT_THAT(outcome.output, HasSubstr("kept for b (add)"));
  EXPECT_THAT(outcome.output, HasSubstr("by our own packing"));
  const std::string page = directory_ + "/page.html";
  EXPECT_EQ(RunHloscope({"memory", "--html=" + page, module}).exit_status, 0);
  const std::string html = ReadFileOrDie(page);
  EXPECT_THAT(html, HasSubstr("Alive at the peak"));
  EXPECT_THAT(html, HasSubstr("model.py:12"));
  EXPECT_THAT(html, HasSubstr("<div class=lv data-first="));
}

TEST_F(MemoryCommandTest, FoldersOfDumps) {
  const Outcome none = RunHloscope({"memory", directory_});
  EXPECT_EQ(none.exit_status, 1);
  EXPECT_THAT(none.errors, ::testing::HasSubstr("no file here has a name that --xla_dump_to gives a module"));
  Write("module_0001.jit_f.before_optimizations.txt", kModule);
  Write("module_0001.jit_f.cpu_after_optimizations.txt", kModule);
  Write("module_0001.jit_f.cpu_after_optimizations-buffer-assignment.txt", kAssignment);
  EXPECT_EQ(Run({directory_})["assignment"], "recorded");
  // So does what somebody compressed later.
  for (const char* file : {"module_0001.jit_f.cpu_after_optimizations.txt",
                           "module_0001.jit_f.cpu_after_optimizations-buffer-assignment.txt"}) {
    Write(absl::StrCat(file, ".gz"), interop::Gzip(ReadFileOrDie(absl::StrCat(directory_, "/", file))).value());
    std::filesystem::remove(absl::StrCat(directory_, "/", file));
  }
  EXPECT_EQ(Run({directory_})["assignment"], "recorded");
  Write("module_0002.jit_g.cpu_after_optimizations.txt", kModule);
  EXPECT_EQ(RunHloscope({"memory", directory_}).exit_status, 1);
  EXPECT_EQ(Run({"--module=jit_g", directory_})["assignment"], "own");
}

TEST_F(MemoryCommandTest, HostileSizes) {
  const Outcome outcome = RunHloscope({"memory", Module(R"(HloModule m
ENTRY e {
  p = f64[1000000000,100000000] parameter(0)
  a = f64[1000000000,100000000] negate(p)
  b = f64[1000000000,100000000] add(a, p)
  ROOT t = (f64[1000000000,100000000], f64[1000000000,100000000]) tuple(a, b)
}
)")});
  EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
}

}  // namespace
}  // namespace hloscope::cli
