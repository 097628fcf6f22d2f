// SPDX-License-Identifier: Apache-2.0
// Names of dumps, and folders of them.
#include "interop/dump/dump_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/support/processor_time.h"
#include "tests/support/test_folder.h"

namespace hloscope::interop {
namespace {

struct Row {
  const char* file;
  int64_t id;
  const char* module;
  const char* stage;
  const char* kind;
};

TEST(DumpNameTest, FollowsTheGrammar) {
  static constexpr Row kRows[] = {
      {"module_0001.jit_f.before_optimizations.txt", 1, "jit_f", "before_optimizations", "hlo"},
      {"module_0012.jit_f.a.b.sm_9.0_gpu_after_optimizations.hlo.pb.gz", 12, "jit_f.a.b",
       "sm_9.0_gpu_after_optimizations", "hlo"},
      {"module_0012.jit_f.cpu_after_optimizations-buffer-assignment.txt", 12, "jit_f", "cpu_after_optimizations",
       "buffer-assignment"},
      {"1700000000000000.module_0003.jit_g.0004.simplification.after_dce.before_fusion.txt", 3, "jit_g",
       "0004.simplification.after_dce.before_fusion", "hlo"},
      {"module_0003.jit_g.cpu_after_optimizations-memory-usage-report.pb", 3, "jit_g", "cpu_after_optimizations",
       "memory-usage-report"},
      {"module_0003.jit_g.debug_options", 3, "jit_g", "", "debug-options"},
      {"module_0003.metadata.textproto", 3, "", "", "pass-metadata"},
      {"module_jit_f.execution_0000.hlo_snapshot.pb", -1, "jit_f", "", "snapshot"},
      {"module_0003.jit_g.ir-no-opt.ll", 3, "jit_g", "", "llvm-ir"},
      {"module_0003.before_optimizations.txt", 3, "", "before_optimizations", "hlo"},
      {"module_0003.jit_g.before_optimizations.txt.gz", 3, "jit_g", "before_optimizations", "hlo"},
      {"module_0003.jit_g.cpu_after_optimizations.hlo.gz", 3, "jit_g", "cpu_after_optimizations", "hlo"},
  };
  for (const Row& row : kRows) {
    const std::optional<DumpName> name = ParseDumpName(row.file);
    ASSERT_TRUE(name) << row.file;
    EXPECT_EQ(name->id, row.id) << row.file;
    EXPECT_EQ(name->module, row.module) << row.file;
    EXPECT_EQ(name->stage, row.stage) << row.file;
    EXPECT_EQ(name->kind, row.kind) << row.file;
  }
  for (const char* other : {"README", "module_", "module_12.x.txt", "my_module_0001.txt", ""}) {
    EXPECT_FALSE(ParseDumpName(other)) << other;
  }
}

class DumpFolderTest : public ::testing::Test {
 protected:
  void Add(const std::string& name) { std::ofstream(folder_ / name) << "x"; }

  const TestFolder folder_;
};

TEST_F(DumpFolderTest, StagesInOrder) {
  for (const char* name :
       {"module_0001.f.cpu_after_optimizations.txt", "module_0001.f.cpu_after_optimizations.hlo.pb",
        "module_0001.f.0010.p.after_a.before_b.txt", "module_0001.f.0009.p.after_z.before_a.txt",
        "module_0001.f.before_optimizations.txt", "module_0002.g.before_optimizations.txt", "a\nname.txt"}) {
    Add(name);
  }
  const absl::StatusOr<DumpFolder> folder = ListDumpFolder(folder_.path());
  ASSERT_TRUE(folder.ok());
  ASSERT_EQ(folder->modules.size(), 2);
  const std::vector<DumpStage>& stages = folder->modules[0].stages;
  ASSERT_EQ(stages.size(), 4);
  EXPECT_EQ(stages[0].name, "before_optimizations");
  EXPECT_EQ(stages[1].name, "0009.p.after_z.before_a");
  EXPECT_EQ(stages[2].name, "0010.p.after_a.before_b");
  EXPECT_EQ(stages[3].name, "cpu_after_optimizations");
  EXPECT_EQ(stages[3].files[0].path, "module_0001.f.cpu_after_optimizations.hlo.pb");
  EXPECT_EQ(folder->modules[0].bytes, 5);
  EXPECT_EQ(folder->ignored.size(), 1);
}

TEST_F(DumpFolderTest, TenThousandFilesInASecond) {
  for (int i = 0; i < 10000; ++i) Add(absl::StrCat("module_", 1000 + i / 100, ".f.", 1000 + i % 100, ".p.after_a.txt"));
  const double start = ProcessorSeconds();
  const absl::StatusOr<DumpFolder> folder = ListDumpFolder(folder_.path());
  const double seconds = ProcessorSeconds() - start;
  ASSERT_TRUE(folder.ok());
  EXPECT_EQ(folder->modules.size(), 100);
  EXPECT_EQ(folder->modules[99].stages.size(), 100);
  EXPECT_LT(seconds, 1);
}

// Reading one would wait for somebody who writes, or never end.
TEST_F(DumpFolderTest, PipesAndDevicesAreNoStages) {
  Add("module_0001.m.before_optimizations.txt");
  ASSERT_EQ(mkfifo((folder_ / "module_0001.m.after_optimizations.txt").c_str(), 0600), 0);
  std::filesystem::create_symlink("/dev/zero", folder_ / "module_0002.z.before_optimizations.txt");
  const absl::StatusOr<DumpFolder> folder = ListDumpFolder(folder_.path());
  ASSERT_TRUE(folder.ok());
  ASSERT_EQ(folder->modules.size(), 1U);
  EXPECT_EQ(folder->modules[0].stages.size(), 1U);
  EXPECT_EQ(folder->ignored.size(), 2U);
}

TEST_F(DumpFolderTest, WhatIsNoFolder) {
  EXPECT_TRUE(absl::IsNotFound(ListDumpFolder(folder_ / "none").status()));
  Add("file");
  EXPECT_TRUE(absl::IsInvalidArgument(ListDumpFolder(folder_ / "file").status()));
}

}  // namespace
}  // namespace hloscope::interop
