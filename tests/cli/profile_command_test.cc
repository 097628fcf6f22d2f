// SPDX-License-Identifier: Apache-2.0
// `hloscope profile`, and `hloscope run --trace`, which writes what it reads.
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/support/command_line.h"
#include "tests/support/shared_files.h"

namespace hloscope::cli {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

class ProfileCommandTest : public CommandLineTest {
 protected:
  Json Run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"profile", "--json"});
    const Outcome outcome = RunHloscope(std::move(arguments));
    EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
    const Json json = Json::parse(outcome.output, nullptr, /*allow_exceptions=*/false);
    EXPECT_TRUE(json.is_object()) << outcome.output;
    return json;
  }
  std::string File(const std::string& name, absl::string_view content) const {
    const std::string path = absl::StrCat(directory_, "/", name);
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }
};

TEST_F(ProfileCommandTest, ARealProfile) {
  SKIP_WITHOUT_SHARED_FILES();
  const std::string path = absl::StrCat(SharedDirectory(), "/interop/legacy.xplane.pb");
  const Json json = Run({path});
  EXPECT_EQ(json["programs"].size(), 8u);
  EXPECT_EQ(json["events"], 78);
  EXPECT_EQ(json["attributed"], 25);
  int64_t occurrences = 0;
  for (const Json& row : json["instructions"]) {
    EXPECT_EQ(row["program"], 15);
    occurrences += row["occurrences"].get<int64_t>();
  }
  EXPECT_EQ(occurrences, 25);
  EXPECT_EQ(json["device"]["name"], "MI300X");
  EXPECT_GE(json["most_to_gain"].size(), 1u);
  EXPECT_EQ(Run({"--module=15", path})["events"], 25);
  EXPECT_EQ(Run({"--module=jit_forward_3d_conv", path})["attributed"], 25);
  EXPECT_EQ(Run({"--module=jit__normal", path})["events"], 0);
  EXPECT_EQ(RunHloscope({"profile", "--module=nothing", path}).exit_status, 1);
  EXPECT_EQ(RunHloscope({"profile", "--device=nothing", path}).exit_status, 1);
  const Outcome text = RunHloscope({"profile", path});
  EXPECT_THAT(text.output, HasSubstr("cudnn-conv.1.0"));
  EXPECT_THAT(text.output, HasSubstr("Programs: 8, most time first\n     3.59 ms  jit_forward_3d_conv (id 15)\n"));
  EXPECT_THAT(text.output, HasSubstr("Outside of all modules"));
  EXPECT_THAT(RunHloscope({"profile", "--text", "--module=15", path}).output,
              AllOf(::testing::StartsWith("HloModule jit_forward_3d_conv"), HasSubstr("cudnn-conv.1.0")));
  EXPECT_THAT(RunHloscope({"profile", "--text", "--module=jit__normal", path}).errors, HasSubstr("several programs"));
  const Json compared = Run({"--compare=" + path, path});
  EXPECT_EQ(compared["comparison"]["before_ps"], compared["comparison"]["after_ps"]);
  const std::string page = directory_ + "/page.html";
  EXPECT_EQ(RunHloscope({"profile", "--html=" + page, path}).exit_status, 0);
  EXPECT_THAT(ReadFileOrDie(page), HasSubstr("class=tl"));
  const std::string svg = RunHloscope({"profile", "--format=svg", path}).output;
  EXPECT_THAT(svg, ::testing::StartsWith("<svg "));
  EXPECT_THAT(svg, HasSubstr(">instructions that take most of "));
  EXPECT_THAT(svg, HasSubstr("<title>cudnn-conv.1.0 "));
  EXPECT_EQ(RunHloscope({"profile", "--format=svg", "--json", path}).exit_status, 2);
}

TEST_F(ProfileCommandTest, BadFiles) {
  EXPECT_EQ(RunHloscope({"profile", File("empty", "")}).exit_status, 1);
  EXPECT_EQ(
      RunHloscope({"profile", File("text", "HloModule m\nENTRY e { ROOT p = f32[] parameter(0) }\n")}).exit_status, 1);
  EXPECT_EQ(RunHloscope({"profile", directory_ + "/missing"}).exit_status, 1);
  // Other messages could be taken for damaged profiles.
  const std::string module = File("m.hlo", "HloModule m\nENTRY e { ROOT p = f32[] parameter(0) }\n");
  for (const char* name : {"m.hlo.pb", "m.pbtxt"}) {
    ASSERT_EQ(RunHloscope({"convert", module, "-o", directory_ + "/" + name}).exit_status, 0);
    const Outcome outcome = RunHloscope({"profile", directory_ + "/" + name});
    EXPECT_EQ(outcome.exit_status, 1);
    EXPECT_THAT(outcome.errors, HasSubstr("this is no profile: ")) << name;
  }
  // Without programs everything is outside of all modules.
  const std::string bare = File("bare.pbtxt", R"(planes {
  name: "/device:GPU:0"
  lines { name: "Stream #1" events { metadata_id: 1 offset_ps: 5 duration_ps: 7 } events { metadata_id: 1 duration_ps: -1 } }
  event_metadata { key: 1 value { id: 1 name: "kernel" } }
}
)");
  const Json json = Run({bare});
  EXPECT_EQ(json["events"], 1);
  EXPECT_EQ(json["attributed"], 0);
  EXPECT_EQ(json["unattributed"][0]["name"], "kernel");
  EXPECT_THAT(json["problems"][0]["problem"].get<std::string>(), HasSubstr("negative duration"));
}

constexpr char kLoop[] = R"(HloModule looped
body {
  s = (s32[], f32[64,64]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[64,64] get-tuple-element(s), index=1
  one = s32[] constant(1)
  next = s32[] add(i, one)
  d = f32[64,64] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}, metadata={op_name="jit(f)/layer/dot"}
  ROOT t = (s32[], f32[64,64]) tuple(next, d)
}
cond {
  s = (s32[], f32[64,64]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(3)
  ROOT lt = pred[] compare(i, n), direction=LT
}
ENTRY e {
  zero = s32[] constant(0)
  p = f32[64,64] parameter(0)
  start = (s32[], f32[64,64]) tuple(zero, p)
  loop = (s32[], f32[64,64]) while(start), condition=cond, body=body
  ROOT r = f32[64,64] get-tuple-element(loop), index=1
}
)";

TEST_F(ProfileCommandTest, WhatIsComputedAtOnceIsInTraces) {
  const std::string module = Module(R"(HloModule fused
inner { x = f32[64] parameter(0)
 y = f32[64] cosine(x)
 ROOT r = f32[64] negate(y) }
ENTRY e { p = f32[64] parameter(0)
 ROOT r = f32[64] call(p), to_apply=inner }
)");
  const std::string path = directory_ + "/t.folded";
  ASSERT_EQ(RunHloscope({"run", "--fill=ones", "--trace=" + path, module}).exit_status, 0);
  EXPECT_THAT(ReadFileOrDie(path), HasSubstr("fused;r"));
}

// A line for each of 3000 calls inside of one another would hold 9 million names.
TEST_F(ProfileCommandTest, TracesOfDeepCallsStayInProportion) {
  std::string text = "HloModule deep\ncallee0 { x = f32[2,2] parameter(0)\n ROOT r = f32[2,2] copy(x) }\n";
  for (int i = 1; i < 3000; ++i) {
    absl::StrAppend(&text, "callee", i, " { x = f32[2,2] parameter(0)\n y = f32[2,2] copy(x)\n",
                    " ROOT r = f32[2,2] call(y), to_apply=callee", i - 1, " }\n");
  }
  absl::StrAppend(&text, "ENTRY e { p = f32[2,2] parameter(0)\n",
                  " ROOT r = f32[2,2] call(p), to_apply=callee2999 }\n");
  const std::string module = Module(text);
  for (const char* name : {"t.folded", "t.pb", "t.json", "t.svg"}) {
    const std::string path = absl::StrCat(directory_, "/", name);
    ASSERT_EQ(RunHloscope({"run", "--fill=ones", "--trace=" + path, module}).exit_status, 0) << name;
    const std::string bytes = ReadFileOrDie(path);
    EXPECT_GT(bytes.size(), 100'000u) << name;
    EXPECT_LT(bytes.size(), 3'000'000u) << name;
  }
  EXPECT_THAT(ReadFileOrDie(directory_ + "/t.folded"), HasSubstr(";(calls left out);"));
}

TEST_F(ProfileCommandTest, TracesOfARun) {
  const std::string module = Module(kLoop);
  for (const char* name : {"t.json", "t.pb", "t.pb.gz", "t.xplane.pb", "t.svg", "t.folded"}) {
    const std::string path = absl::StrCat(directory_, "/", name);
    ASSERT_EQ(RunHloscope({"run", "--fill=ones", "--trace=" + path, module}).exit_status, 0) << name;
    EXPECT_FALSE(ReadFileOrDie(path).empty());
  }
  const Json chrome = Json::parse(ReadFileOrDie(directory_ + "/t.json"), nullptr, false);
  ASSERT_TRUE(chrome["traceEvents"].is_array());
  int dots = 0, loops = 0;
  for (const Json& event : chrome["traceEvents"]) {
    dots += event["name"] == "d";
    loops += event["name"] == "loop";
  }
  EXPECT_EQ(dots, 3);
  EXPECT_EQ(loops, 1);
  EXPECT_THAT(ReadFileOrDie(directory_ + "/t.folded"), HasSubstr("looped;loop;d "));
  EXPECT_THAT(ReadFileOrDie(directory_ + "/t.svg"), HasSubstr("<title>layer:"));
  const Json profile = Run({directory_ + "/t.xplane.pb"});
  EXPECT_EQ(profile["attributed"], profile["events"]);
  for (const Json& row : profile["instructions"]) {
    if (row["name"] != "d") continue;
    EXPECT_EQ(row["executions"], 3);
    EXPECT_EQ(row["flops"], 2 * 64 * 64 * 64);
  }
  EXPECT_EQ(RunHloscope({"run", "--fill=ones", "--trace=t.unknown", module}).exit_status, 2);
}

}  // namespace
}  // namespace hloscope::cli
