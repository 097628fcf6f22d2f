// SPDX-License-Identifier: Apache-2.0
// `hloscope compile`: what it writes, builds and runs, and what it says when it cannot.
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "numerics/parallel/cpu_level.h"
#include "tests/support/command_line.h"
#include "tests/support/shared_files.h"

namespace hloscope::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kCompileCommandModule[] = R"(HloModule scaled_sums

add { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = f32[] add(a, b) }

ENTRY main {
  x = f32[3,4] parameter(0)
  by = (f32[4], s4[2]) parameter(1)
  scale = f32[4] get-tuple-element(by), index=0
  small = s4[2] get-tuple-element(by), index=1
  scales = f32[3,4] broadcast(scale), dimensions={1}
  scaled = f32[3,4] multiply(x, scales)
  zero = f32[] constant(0)
  sums = f32[3] reduce(scaled, zero), dimensions={1}, to_apply=add
  table = f32[5] constant({1, 2, 3, 4, 5.5})
  ROOT all = (f32[3], f32[5], s4[2]) tuple(sums, table, small)
}
)";

class CompileCommandTest : public CommandLineTest {
 protected:
  void SetUp() override {
    CommandLineTest::SetUp();
    setenv("XDG_CACHE_HOME", (directory_ + "/cache").c_str(), 1);
  }
  void TearDown() override {
    std::error_code ignored;
    unsetenv("XDG_CACHE_HOME");
    if (!directory_.empty()) std::filesystem::remove_all(directory_ + "/cache", ignored);
    if (!directory_.empty()) std::filesystem::remove_all(directory_ + "/second", ignored);
    if (!directory_.empty()) std::filesystem::remove_all(Out(), ignored);
    CommandLineTest::TearDown();
  }
  // Fast to build, where compilers remember what they compiled.
  static std::string Compiler() {
    return access("/usr/lib/ccache/c++", X_OK) == 0 ? "--cxx=/usr/lib/ccache/c++" : "--cxx=c++";
  }
  // Makes `program` the compiler, whose command lines are written down; `before`: lines of the shell.
  void MakeCompiler(const std::string& program, const std::string& before = "") const {
    std::ofstream(compiler()) << "#!/bin/sh\n"
                              << before << "echo \"$@\" >> " << log() << "\nexec " << program << " \"$@\"\n";
    ASSERT_EQ(chmod(compiler().c_str(), 0700), 0);
  }
  // What MakeCompiler's compiler is called with to build a module in a folder.
  std::string CommandsOf(const std::string& module, const std::string& folder, std::vector<std::string> more) const {
    more.insert(more.begin(), {"compile", module, "-o", folder, "--cxx=" + compiler()});
    std::remove(log().c_str());
    const Outcome outcome = RunHloscope(more);
    EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
    return ReadFileOrDie(log());
  }
  std::string log() const { return directory_ + "/log"; }
  std::string compiler() const { return directory_ + "/compiler"; }
};

TEST_F(CompileCommandTest, WritesReadableSources) {
  const Outcome outcome = RunHloscope({"compile", Module(kCompileCommandModule), "-o", Out(), "--build=off"});
  EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
  const std::string computations = ReadFileOrDie(Out() + "/computations_0.cc");
  EXPECT_THAT(computations, HasSubstr("// sums = f32[3]{0} reduce(scaled, zero), dimensions={1}, to_apply=add"));
  EXPECT_THAT(computations, HasSubstr("Array sums = Allocate(12);"));
  // The product is computed inside the sum's loop, and never becomes an array.
  EXPECT_THAT(computations, Not(HasSubstr("Array scaled")));
  EXPECT_THAT(ReadFileOrDie(Out() + "/loops_0.cc"), HasSubstr("(v0 * v1)"));
  EXPECT_THAT(ReadFileOrDie(Out() + "/Makefile"), HasSubstr("program: $(OBJECTS)"));
  EXPECT_EQ(std::filesystem::file_size(Out() + "/constants.bin"), 64u);
  // Nothing in the sources but their own files and the standard library.
  EXPECT_THAT(computations, Not(HasSubstr("absl/")));
}

TEST_F(CompileCommandTest, RunsAndGivesTheResultsOfRun) {
  const std::string path = Module(kCompileCommandModule);
  const Outcome outcome =
      RunHloscope({"compile", path, "-o", Out(), "--library", "--run", "--fill=random", "--seed=3", Compiler()});
  ASSERT_EQ(outcome.exit_status, 0) << outcome.errors;
  EXPECT_EQ(access((Out() + "/libprogram.so").c_str(), R_OK), 0);
  const std::string expected = Out() + "/expected";
  ASSERT_EQ(RunHloscope({"run", path, "--fill=random", "--seed=3", "--out", expected}).exit_status, 0);
  for (const char* name : {"result0.npy", "result1.npy", "result2.npy"}) {
    EXPECT_EQ(ReadFileOrDie(Out() + "/" + name), ReadFileOrDie(expected + "/" + name)) << name;
  }
}

// One instruction for each part of the runtime.
constexpr char kEveryPart[] = R"(HloModule parts

add { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = f32[] add(a, b) }
less { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = pred[] compare(a, b), direction=LT }

ENTRY main {
  x = f32[16,64] parameter(0)
  y = bf16[4,4] parameter(1)
  zero = f32[] constant(0)
  columns = f32[64] reduce(x, zero), dimensions={0}, to_apply=add
  rows = f32[16] reduce(x, zero), dimensions={1}, to_apply=add
  e = f32[16,64] exponential(x)
  b = f32[16,64] broadcast(rows), dimensions={0}
  q = f32[16,64] divide(e, b)
  p = bf16[4,4] dot(y, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  image = f32[1,2,2,32] parameter(2)
  kernel = f32[3,3,32,1] parameter(3)
  turned = f32[64,16] transpose(x), dimensions={1,0}
  sorted = f32[64,16] sort(turned), dimensions={1}, to_apply=less
  c = f32[1,2,2,1] convolution(image, kernel), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f
  ROOT all = (f32[64], f32[16,64], bf16[4,4], f32[64,16], f32[1,2,2,1]) tuple(columns, q, p, sorted, c)
}
)";

TEST_F(CompileCommandTest, ClangBuildsEveryPartOfTheRuntime) {
  if (std::system("clang++ --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "there is no clang++";
  const std::string module = Module(kEveryPart);
  const std::string expected = Out() + "/expected";
  // Sums of these numbers are exact in any order.
  const Outcome compiled = RunHloscope({"compile", module, "-o", Out(), "--cxx=clang++", "--run", "--fill=iota"});
  ASSERT_EQ(compiled.exit_status, 0) << compiled.errors;
  ASSERT_EQ(RunHloscope({"run", module, "--fill=iota", "--out=" + expected}).exit_status, 0);
  for (int k = 0; k < 5; ++k) {
    const std::string name = absl::StrCat("/result", k, ".npy");
    EXPECT_EQ(ReadFileOrDie(Out() + name), ReadFileOrDie(expected + name)) << name;
  }
}

TEST_F(CompileCommandTest, SaysWhatCannotBeCompiledAndWhere) {
  const std::string path = Module(
      "HloModule m\n"
      "ENTRY e {\n"
      "  x = f32[4] parameter(0)\n"
      "  ROOT call = f32[4] custom-call(x), custom_call_target=\"mystery\"\n"
      "}\n");
  const Outcome outcome = RunHloscope({"compile", path, "-o", Out()});
  EXPECT_EQ(outcome.exit_status, 1);
  EXPECT_THAT(outcome.errors, HasSubstr("module.hlo:4:"));
  EXPECT_THAT(outcome.errors, HasSubstr("`call` (custom-call) cannot be compiled: the program has no function"));
  EXPECT_FALSE(std::filesystem::exists(Out()));
}

// Each kind that the help text lists.
TEST_F(CompileCommandTest, WhatIsListedIsRefused) {
  const Outcome help = RunHloscope({"help", "compile"});
  EXPECT_THAT(help.output, AllOf(HasSubstr("several devices"), HasSubstr("talks to a host"), HasSubstr("custom calls"),
                                 HasSubstr("only known at run time")));
  const std::vector<std::pair<std::string, std::string>> modules = {
      {"ROOT r = u32[] partition-id()", "runs on one device"},
      {"t = token[] after-all()\n  ROOT r = (f32[4], token[]) infeed(t)", "runs on one device"},
      {"x = f32[<=4] parameter(0)\n  ROOT r = f32[<=4] negate(x)", "only known at run time"},
      {"l = f32[] constant(0)\n  h = f32[] constant(1)\n  ROOT r = f32[4] rng(l, h), distribution=rng_uniform",
       "state of a run"},
      {"ROOT r = f32[20] constant({...})", "left out of the text"},
  };
  for (const auto& [body, reason] : modules) {
    const Outcome outcome =
        RunHloscope({"compile", Module("HloModule m\nENTRY e {\n  " + body + "\n}\n"), "-o", Out(), "--build=off"});
    EXPECT_EQ(outcome.exit_status, 1) << body;
    EXPECT_THAT(outcome.errors, HasSubstr("cannot be compiled")) << body;
    EXPECT_THAT(outcome.errors, HasSubstr(reason)) << body;
  }
}

TEST_F(CompileCommandTest, WrongUsage) {
  const std::string path = Module(kCompileCommandModule);
  EXPECT_EQ(RunHloscope({"compile", path}).exit_status, 2);
  EXPECT_EQ(RunHloscope({"compile", path, "-o", Out(), "--run", "--build=off"}).exit_status, 2);
  EXPECT_EQ(RunHloscope({"compile", path, "-o", Out(), "--out=x"}).exit_status, 2);
  EXPECT_EQ(RunHloscope({"compile", "nowhere.hlo", "-o", Out()}).exit_status, 1);
}

// The second program is linked with parts of the runtime that were compiled for the first one.
TEST_F(CompileCommandTest, CompiledPartsOfTheRuntimeAreKept) {
  // Of a version for which the product brings no objects.
  MakeCompiler(Compiler().substr(6), "[ \"$1\" = -dumpversion ] && echo 0 && exit\n");
  const std::string module = Module(kCompileCommandModule);
  const auto compile = [&](const std::string& folder, const std::vector<std::string>& more) {
    return CommandsOf(module, folder, more);
  };
  EXPECT_THAT(compile(Out(), {}), AllOf(HasSubstr("runtime/hlo.cc"), HasSubstr("computations_0.cc")));
  EXPECT_THAT(compile(directory_ + "/second", {"--run", "--fill=ones"}),
              AllOf(Not(HasSubstr("runtime/hlo.cc")), HasSubstr("computations_0.cc")));
  std::filesystem::remove_all(directory_ + "/second");
  EXPECT_THAT(compile(directory_ + "/second", {"--cache=off"}), HasSubstr("runtime/hlo.cc"));
}

// Only what differs from module to module is compiled, even for the first program.
TEST_F(CompileCommandTest, TheRuntimeComesCompiled) {
  const std::string shipped = HLOSCOPE_BINARY_DIR "/lib/hloscope/runtime";
  if (!std::filesystem::exists(shipped) || !numerics::HasCpuLevel(numerics::CpuLevel::kAvx2)) {
    GTEST_SKIP() << "this build, or this processor, has no compiled runtime";
  }
  MakeCompiler("c++");
  const std::string module = Module(kEveryPart);
  const auto compile = [&](const std::string& folder, const std::vector<std::string>& more) {
    return CommandsOf(module, folder, more);
  };
  const std::string expected = Out() + "/expected";
  EXPECT_THAT(compile(Out(), {"--run", "--fill=iota"}),
              AllOf(Not(HasSubstr("runtime/")), HasSubstr("computations_0.cc")));
  ASSERT_EQ(RunHloscope({"run", module, "--fill=iota", "--out=" + expected}).exit_status, 0);
  for (int k = 0; k < 5; ++k) {
    const std::string name = absl::StrCat("/result", k, ".npy");
    EXPECT_EQ(ReadFileOrDie(Out() + name), ReadFileOrDie(expected + name)) << name;
  }
  // The sources are there, too, and newer ones are compiled, whatever includes them.
  const auto commands = [&] {
    const std::string all = directory_ + "/commands";
    EXPECT_EQ(std::system(("make -n -C '" + Out() + "' > '" + all + "'").c_str()), 0);
    return ReadFileOrDie(all);
  };
  EXPECT_THAT(commands(), Not(HasSubstr(".cc")));
  std::ofstream(Out() + "/runtime/hlo_sort.cc", std::ios::app) << "\n";
  EXPECT_THAT(commands(), AllOf(HasSubstr("runtime/hlo_sort.cc"), Not(HasSubstr("runtime/hlo.cc"))));
  std::ofstream(Out() + "/runtime/hlo_runtime.h", std::ios::app) << "\n";
  EXPECT_THAT(commands(), AllOf(HasSubstr("runtime/hlo.cc"), HasSubstr(" computations_0.cc")));
  // What the user wishes of the compiler holds for the runtime.
  setenv("OPTIMISE", "-O0", 1);
  EXPECT_THAT(compile(directory_ + "/second", {}), HasSubstr("runtime/hlo_sort.cc"));
  unsetenv("OPTIMISE");
}

TEST_F(CompileCommandTest, AMakefileOfOthersIsLeftAlone) {
  std::filesystem::create_directories(Out());
  std::ofstream(Out() + "/Makefile") << "all:\n";
  const Outcome outcome = RunHloscope({"compile", Module(kCompileCommandModule), "-o", Out(), "--build=off"});
  EXPECT_EQ(outcome.exit_status, 1);
  EXPECT_THAT(outcome.errors, HasSubstr("is not from `hloscope compile`"));
  EXPECT_EQ(ReadFileOrDie(Out() + "/Makefile"), "all:\n");
  EXPECT_THAT(Files(Out()), ::testing::ElementsAre("Makefile"));
}

// An interrupted build ends at once, with what it started.
TEST_F(CompileCommandTest, AnInterruptEndsTheCompilers) {
  const std::string compiler = directory_ + "/compiler", alive = directory_ + "/alive";
  std::ofstream(compiler) << "#!/bin/sh\n[ \"$1\" = --version ] && exit 0\nsleep 4\ntouch " << alive << "\n";
  ASSERT_EQ(chmod(compiler.c_str(), 0700), 0);
  const int status =
      std::system(("timeout --preserve-status -s INT 2 '" HLOSCOPE_BINARY_DIR "/bin/hloscope' compile '" +
                   Module(kCompileCommandModule) + "' -o '" + Out() + "' --cxx='" + compiler + "' >/dev/null 2>&1")
                      .c_str());
  EXPECT_EQ(WEXITSTATUS(status), 3);
  sleep(5);
  EXPECT_NE(access(alive.c_str(), F_OK), 0);
}

TEST_F(CompileCommandTest, WithoutACompiler) {
  const Outcome outcome =
      RunHloscope({"compile", Module(kCompileCommandModule), "-o", Out(), "--cxx=no-such-compiler"});
  EXPECT_EQ(outcome.exit_status, 1);
  EXPECT_THAT(outcome.errors, AllOf(HasSubstr("there is no C++ compiler"), HasSubstr("the sources are in"),
                                    HasSubstr("apt install g++")));
  // One that does not understand the sources.
  const Outcome broken = RunHloscope({"compile", Module(kCompileCommandModule), "-o", Out(), "--cxx=/bin/false"});
  EXPECT_EQ(broken.exit_status, 1);
  EXPECT_THAT(broken.errors, HasSubstr("could not build the program"));
}

}  // namespace
}  // namespace hloscope::cli
