// SPDX-License-Identifier: Apache-2.0
// Stages of dumps and what each changed.
#include "insight/passes/stage_changes.h"

#include <atomic>
#include <filesystem>
#include <fstream>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/insight/stages_fixture.h"
#include "tests/support/shared_files.h"
#include "tests/support/test_folder.h"

namespace hloscope::insight {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(PassOfStageTest, NamesOfFiles) {
  const auto check = [](const char* name, const char* pass, const char* pipeline) {
    const StagePass found = PassOfStage(name);
    EXPECT_EQ(found.pass, pass) << name;
    EXPECT_EQ(found.pipeline, pipeline) << name;
  };
  check("0003.fusion.after_dce.before_fusion", "dce", "fusion");
  check("0000.HLO passes.after_pipeline-start.before_x", "pipeline-start", "HLO passes");
  check("0001.a.b.after_c.d.before_pipeline-end", "c.d", "a.b");
  check("0007.copy-insertion.after_adding_copies_to_resolve_interference", "copy-insertion", "copy-insertion");
  check("before_optimizations", "before_optimizations", "");
  check("sm_9.0_gpu_after_optimizations", "sm_9.0_gpu_after_optimizations", "");
  check("", "", "");
}

std::vector<DumpedStage> FourStages() {
  const std::string first =
      "HloModule m\n\nENTRY e {\n  p = f32[4] parameter(0)\n  n = f32[4] negate(p)\n  ROOT r = f32[4] add(p, n)\n}\n";
  const std::string renamed =
      "HloModule m\n\nENTRY e {\n  q = f32[4] parameter(0)\n  n = f32[4] negate(q)\n  ROOT r = f32[4] add(q, n)\n}\n";
  const std::string last = "HloModule m\n\nENTRY e {\n  q = f32[4] parameter(0)\n  ROOT r = f32[4] add(q, q)\n}\n";
  return {{"before_optimizations", "", first},
          {"0000.p.after_renaming.before_x", "", renamed},
          {"0001.p.after_broken.before_x", "", "HloModule"},
          {"0002.p.after_simplify.before_x", "", last}};
}

TEST(StageChangesTest, AddedRemovedModified) {
  const std::vector<DumpedStage> texts = FourStages();
  const auto changes = ChangesOf(StagesOfTexts(texts), ReaderOfTexts(texts));
  ASSERT_TRUE(changes.ok());
  ASSERT_EQ(changes->size(), 4);
  EXPECT_FALSE((*changes)[0].changed);
  EXPECT_EQ((*changes)[0].flop, 8);
  EXPECT_EQ((*changes)[0].instructions, 3);
  EXPECT_FALSE((*changes)[1].changed);  // names alone
  EXPECT_THAT((*changes)[2].problem, HasSubstr("errors"));
  const StageChange& last = (*changes)[3];
  EXPECT_TRUE(last.changed);
  EXPECT_THAT(last.removed, ElementsAre("n"));
  EXPECT_THAT(last.added, IsEmpty());
  EXPECT_THAT(last.modified, ElementsAre("r"));
  EXPECT_EQ(last.flop, 4);
  EXPECT_LT(last.bytes, (*changes)[0].bytes);
  EXPECT_GT(last.peak_bytes, 0);
}

TEST(StageChangesTest, CanBeCancelled) {
  const std::vector<DumpedStage> texts = FourStages();
  const std::atomic<bool> cancelled = true;
  EXPECT_TRUE(absl::IsCancelled(ChangesOf(StagesOfTexts(texts), ReaderOfTexts(texts), {{}, &cancelled}).status()));
}

TEST(StageChangesTest, HundredsOfStages) {
  StageMaker maker(ReadFileOrDie(absl::StrCat(HLOSCOPE_SOURCE_DIR, "/resources/examples/attention.hlo")), 7);
  while (maker.stages().size() < 200) maker.Step();
  const auto changes = ChangesOf(StagesOfTexts(maker.stages()), ReaderOfTexts(maker.stages()));
  ASSERT_TRUE(changes.ok());
  size_t changed = 0;
  for (size_t k = 1; k < changes->size(); ++k) {
    const StageChange& one = (*changes)[k];
    EXPECT_EQ(one.problem, "");
    changed += one.changed;
    const std::string& pass = maker.stages()[k].pass;
    if (pass == "renaming" || pass == "nothing") {
      EXPECT_FALSE(one.changed) << k;
    }
    if (one.changed) {
      EXPECT_GT(one.added.size() + one.removed.size() + one.modified.size() + one.others.size(), 0) << k;
    }
  }
  EXPECT_GT(changed, 2);
}

TEST(StagesOfTest, FoldersAndTimes) {
  const TestFolder test_folder;
  const std::string folder = test_folder.path();
  WriteDump(folder, 3, "jit_f", FourStages());
  std::ofstream(folder + "/module_0003.metadata.textproto")
      << "canonical_module_id: 3\npass_metadata {\n  pass_id: 1\n  pass_name: \"renaming\"\n  pipeline_name: \"p\"\n"
         "  dump_filenames: \"/elsewhere/module_0003.jit_f.0000.p.after_renaming.before_x.txt\"\n"
         "  start_timestamp_usec: 1000\n  end_timestamp_usec: 251000\n}\n"
         "pass_metadata { pass_id: 2 pass_name: \"simplify\" start_timestamp_usec: 251000 end_timestamp_usec: 252000 "
         "}\n";
  const auto listed = interop::ListDumpFolder(folder);
  ASSERT_TRUE(listed.ok());
  ASSERT_FALSE(listed->modules.empty());
  const auto module = std::find_if(listed->modules.begin(), listed->modules.end(),
                                   [](const interop::DumpModule& one) { return !one.stages.empty(); });
  std::vector<std::string> notes;
  const std::vector<Stage> stages = StagesOf(folder, *listed, *module, &notes);
  EXPECT_THAT(notes, IsEmpty());
  ASSERT_EQ(stages.size(), 4);
  EXPECT_EQ(stages[1].pass, "renaming");
  EXPECT_EQ(stages[1].seconds, 0.25);
  EXPECT_EQ(stages[3].seconds, 0.001);
  EXPECT_EQ(stages[0].seconds, std::nullopt);
  std::ofstream(folder + "/module_0003.metadata.textproto") << "pass_metadata {";
  StagesOf(folder, *listed, *module, &notes);
  EXPECT_EQ(notes.size(), 1);
}

}  // namespace
}  // namespace hloscope::insight
