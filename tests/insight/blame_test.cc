// The first wrong stage and the instruction that makes it wrong, with faults planted at random places.
#include "insight/blame/blame.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "insight/blame/reproduce.h"
#include "tests/insight/stages_fixture.h"
#include "tests/support/shared_files.h"
#include "tests/support/test_folder.h"

namespace hloscope::insight {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

BlameOptions RandomInputs(uint64_t seed) {
  BlameOptions options;
  options.run.fill = evaluator::FillRule{};
  options.run.fill->kind = evaluator::FillKind::kRandom;
  options.run.session.random_seed = seed;
  options.run.session.threads = 1;
  return options;
}

std::string Example(const std::string& name) {
  return ReadFileOrDie(absl::StrCat(HLOSCOPE_SOURCE_DIR, "/resources/examples/", name));
}

constexpr char kChain[] = R"(HloModule chain

ENTRY e {
  p = f32[8,4] parameter(0)
  q = f32[8,4] parameter(1)
  c = f32[] constant(2)
  b = f32[8,4] broadcast(c), dimensions={}
  m = f32[8,4] multiply(p, b)
  s = f32[8,4] subtract(m, q)
  t = f32[4,8] transpose(s), dimensions={1,0}
  ROOT r = f32[4,8] exponential(t)
}
)";

// A dump of `steps` stages in which stage `at` is wrong, visibly: the results of the first stage and of this one
// differ.
struct Broken {
  std::vector<DumpedStage> stages;
  size_t at = 0;
  PlantedFault fault;
};

bool IsVisible(const DumpedStage& first, const DumpedStage& broken, uint64_t seed) {
  const std::vector<DumpedStage> two = {first, broken};
  BlameOptions options = RandomInputs(seed);
  options.locate = false;
  const auto result = Blame(StagesOfTexts(two), ReaderOfTexts(two), options);
  return result.ok() && !result->agree && !result->reference_not_finite;
}

std::optional<Broken> Plant(const std::string& text, FaultKind kind, uint64_t seed, size_t steps) {
  StageMaker maker(text, seed);
  Broken broken;
  broken.at = 1 + maker.random()() % (steps - 1);
  while (maker.stages().size() <= broken.at) maker.Step();
  for (int attempt = 0; attempt < 8; ++attempt) {
    std::optional<PlantedFault> fault = PlantFault(maker.module(), kind, maker.random());
    if (!fault) return std::nullopt;
    DumpedStage wrong = maker.stages().back();
    wrong.text = fault->text;
    if (!IsVisible(maker.stages()[0], wrong, seed)) continue;
    broken.fault = *std::move(fault);
    maker.Break(broken.fault.text);
    while (maker.stages().size() < steps) maker.Step();
    broken.stages = maker.stages();
    return broken;
  }
  return std::nullopt;
}

struct Score {
  int planted = 0, stage = 0, exact = 0, same_computation = 0;
  std::string misses;
};

void Judge(const Broken& broken, const std::string& what, uint64_t seed, Score* score) {
  ++score->planted;
  const auto result = Blame(StagesOfTexts(broken.stages), ReaderOfTexts(broken.stages), RandomInputs(seed));
  ASSERT_TRUE(result.ok()) << result.status().message();
  const bool right_stage = !result->agree && result->bad == broken.at;
  score->stage += right_stage;
  std::string named = "nothing", where;
  if (result->culprit) {
    const Module& module = result->bad_document->module();
    named = std::string(module.InstructionName(result->culprit->instruction));
    where = std::string(module.ComputationName(module.instruction(result->culprit->instruction).computation));
  }
  const bool exact =
      right_stage && std::count(broken.fault.instructions.begin(), broken.fault.instructions.end(), named);
  score->exact += exact;
  score->same_computation += exact || (right_stage && where == broken.fault.computation);
  if (!exact) {
    absl::StrAppend(&score->misses, what, ": stage ", broken.at, " ", broken.fault.instructions[0], " in ",
                    broken.fault.computation, ", named: stage ", result->bad, " ", named, " in ", where, "\n");
  }
}

TEST(BlameTest, NamesStageAndInstruction) {
  for (const FaultKind kind :
       {FaultKind::kConstant, FaultKind::kSwappedOperands, FaultKind::kPermutation, FaultKind::kPrecision}) {
    const std::optional<Broken> broken = Plant(kChain, kind, 11, 12);
    ASSERT_TRUE(broken) << FaultName(kind);
    Score score;
    Judge(*broken, FaultName(kind), 11, &score);
    EXPECT_EQ(score.exact, 1) << score.misses;
  }
}

TEST(BlameTest, WhatOnlyTheResultShowsIsNamed) {
  std::string wrong = kChain;
  wrong.replace(wrong.find("  ROOT r = f32[4,8] exponential(t)"), std::string::npos,
                "  x = f32[4,8] exponential(t)\n  low = bf16[4,8] convert(x)\n  ROOT r = f32[4,8] convert(low)\n}\n");
  const std::vector<DumpedStage> stages = {{"a", "a", kChain}, {"b", "b", wrong}};
  const auto result = Blame(StagesOfTexts(stages), ReaderOfTexts(stages), RandomInputs(1));
  ASSERT_TRUE(result.ok());
  EXPECT_FALSE(result->agree);
  ASSERT_TRUE(result->culprit);
  EXPECT_EQ(result->bad_document->module().InstructionName(result->culprit->instruction), "low");
}

TEST(BlameTest, RightStagesAgree) {
  StageMaker maker(Example("mlp.hlo"), 5);
  while (maker.stages().size() < 12) maker.Step();
  const auto result = Blame(StagesOfTexts(maker.stages()), ReaderOfTexts(maker.stages()), RandomInputs(5));
  ASSERT_TRUE(result.ok()) << result.status().message();
  EXPECT_TRUE(result->agree);
  // Stages that only have other names are not run again.
  EXPECT_THAT(result->verdicts, Contains(testing::Field(&StageVerdict::by_fingerprint, true)));
}

TEST(BlameTest, ADifferenceThatGoesAwayAgainIsFound) {
  std::vector<DumpedStage> stages(5, {"s", "s", kChain});
  std::string wrong = kChain;
  wrong.replace(wrong.find("constant(2)"), 11, "constant(3)");
  stages[2].text = wrong;
  const auto result = Blame(StagesOfTexts(stages), ReaderOfTexts(stages), RandomInputs(1));
  ASSERT_TRUE(result.ok());
  EXPECT_FALSE(result->agree);
  EXPECT_EQ(result->bad, 2);
  EXPECT_EQ(result->bad_document->module().InstructionName(result->culprit->instruction), "c");
}

TEST(BlameTest, ANanThatAppearsDiffers) {
  std::string wrong = kChain;
  wrong.replace(wrong.find("exponential(t)"), 14, "log(t)        ");
  const std::vector<DumpedStage> stages = {{"a", "a", kChain}, {"b", "b", wrong}};
  const auto result = Blame(StagesOfTexts(stages), ReaderOfTexts(stages), RandomInputs(1));
  ASSERT_TRUE(result.ok());
  EXPECT_FALSE(result->agree);
  ASSERT_FALSE(result->results.empty());
  EXPECT_GT(result->results[0].comparison.difference.not_finite, 0);
  EXPECT_FALSE(result->reference_not_finite);
}

TEST(BlameTest, StagesThatCannotBeRunArePassedOver) {
  std::string wrong = kChain;
  wrong.replace(wrong.find("constant(2)"), 11, "constant(3)");
  std::vector<DumpedStage> stages = {{"a", "a", kChain},      {"b", "b", "HloModule"}, {"c", "c", kChain},
                                     {"d", "d", "HloModule"}, {"e", "e", wrong},       {"f", "f", "HloModule"}};
  const auto result = Blame(StagesOfTexts(stages), ReaderOfTexts(stages), RandomInputs(1));
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->good, 2);
  EXPECT_EQ(result->bad, 4);
  EXPECT_EQ(result->verdicts[3].kind, StageVerdict::Kind::kCannotTell);
  stages = {{"a", "a", "HloModule"}};
  EXPECT_FALSE(Blame(StagesOfTexts(stages), ReaderOfTexts(stages), RandomInputs(1)).ok());
}

TEST(BlameTest, TheReproductionShowsTheDifference) {
  const TestFolder test_folder;
  const std::string folder = test_folder.path();
  std::string wrong = kChain;
  wrong.replace(wrong.find("subtract(m, q)"), 14, "subtract(q, m)");
  const std::vector<DumpedStage> stages = {{"a", "a", kChain}, {"b", "b", wrong}};
  const BlameOptions options = RandomInputs(1);
  const auto result = Blame(StagesOfTexts(stages), ReaderOfTexts(stages), options);
  ASSERT_TRUE(result.ok());
  const auto paths = WriteReproduction(*result, options, folder);
  ASSERT_TRUE(paths.ok()) << paths.status().message();
  // Each alone, with its own inputs.
  std::vector<evaluator::Value> results;
  for (const char* side : {"/good", "/bad"}) {
    const auto document = Document::Open(folder + side + "/module.hlo");
    ASSERT_TRUE(document.ok());
    EXPECT_LE((*document)->module().instruction_count(), 4);
    evaluator::RunOptions run_options;
    run_options.arguments_directory = folder + side;
    ModuleRun run(*document, run_options, nullptr);
    ASSERT_TRUE(run.Prepare().ok());
    ASSERT_TRUE(run.Run().ok());
    results.push_back(run.run().device(0).result());
  }
  const auto leaves = evaluator::CompareValues(results[0], results[1], std::nullopt);
  ASSERT_TRUE(leaves.ok());
  EXPECT_FALSE((*leaves)[0].Agrees());
}

// Real modules that run in a moment.
std::vector<std::pair<std::string, std::string>> RealModules() {
  std::vector<std::pair<std::string, std::string>> modules;
  for (const char* name : {"attention.hlo", "mlp.hlo"}) {
    modules.emplace_back(name, Example(name));
  }
  return modules;
}

// HLOSCOPE_LONG_TESTS: a hundred faults, also in modules of the corpus.
TEST(BlameTest, PlantedFaultsAreNamed) {
  const bool is_long = std::getenv("HLOSCOPE_LONG_TESTS") != nullptr;
  std::vector<std::pair<std::string, std::string>> modules = RealModules();
  if (is_long) {
    for (const char* name : {"convolution.hlo", "while_loop.hlo"}) modules.emplace_back(name, Example(name));
    for (const char* name : {"xla-benchmarks/mha_block_1x12x128x64_bf16.hlo", "xla-benchmarks/bench_mass_matrix_35.hlo",
                             "xla-benchmarks/diffrax.b380012920.hlo", "xla-benchmarks/bench_scan_N2000_M3.hlo",
                             "xla-benchmarks/xnn.parallel_dots.optimized.hlo",
                             "xla-benchmarks/jax.issue.33666.linx.frag_0428.module_0009.hlo"}) {
      if (const std::string path = CorpusFile(name); !path.empty()) modules.emplace_back(name, ReadFileOrDie(path));
    }
  }
  const int wanted = is_long ? 100 : 4;
  Score score;
  for (uint64_t seed = 1; score.planted < wanted && seed < 1000; ++seed) {
    const auto& [name, text] = modules[seed % modules.size()];
    const FaultKind kind = kFaultKinds[(seed / modules.size() + seed) % std::size(kFaultKinds)];
    const std::optional<Broken> broken = Plant(text, kind, seed, is_long ? 40 : 8);
    if (!broken) continue;
    Judge(*broken, absl::StrCat(name, ", ", FaultName(kind), ", seed ", seed), seed, &score);
    if (is_long) {
      printf("%d faults: stage %d, exact %d (%s, %s)\n", score.planted, score.stage, score.exact, name.c_str(),
             FaultName(kind));
      fflush(stdout);
    }
  }
  EXPECT_EQ(score.planted, wanted);
  EXPECT_EQ(score.stage, wanted) << score.misses;
  EXPECT_GE(score.exact * 100, 95 * wanted) << score.misses;
  EXPECT_EQ(score.same_computation, wanted) << score.misses;
  RecordProperty("exact", score.exact);
}

}  // namespace
}  // namespace hloscope::insight
