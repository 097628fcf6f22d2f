// SPDX-License-Identifier: Apache-2.0
// The reshape rewrites on the modules of docs/rewrites.md 8 and on real ones: results stay, costs fall.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/substitute.h"
#include "core/document/document.h"
#include "core/print/printer.h"
#include "evaluator/engine/constant_folding.h"
#include "evaluator/engine/elided_constants.h"
#include "tests/support/equal_in_pieces.h"
#include "tests/support/norm_modules.h"
#include "tests/support/session_test_support.h"
#include "tests/support/shared_files.h"
#include "tests/support/transformed_module.h"

namespace hloscope::evaluator {
namespace {

std::vector<CostTarget> Targets() { return {CostTarget::Tpu(), CostTarget::Linear(), *CostTarget::Parse("T(2,4)")}; }

TransformOptions On(const CostTarget& target) {
  TransformOptions options;
  options.target = target;
  return options;
}

constexpr NormSizes kSmall = {2, 5, 3, 24, 6};

TEST(NormModules, GroupNormForwardReshapesFewerElementsByHeightTimesWidth) {
  const auto module = ModuleFromText(GroupNormForward());
  ASSERT_NE(module, nullptr);
  const TransformedModule result = TransformAndCheck(module, DefaultPasses(), On(CostTarget::Tpu()));
  const TransformCost &before = result.cost_before.total, &after = result.cost_after.total;
  EXPECT_EQ(before.reshaped_elements / before.reshapes, 6422528);
  EXPECT_EQ(after.reshaped_elements / after.reshapes, 2048);
  EXPECT_EQ((before.reshaped_elements / before.reshapes) / (after.reshaped_elements / after.reshapes), 56 * 56);
  EXPECT_GT(before.relayout_bytes / after.relayout_bytes, 1000);
  EXPECT_GT(before.moved_bytes(), 3 * after.moved_bytes());
}

TEST(NormModules, GroupNormBackward) {
  const auto module = ModuleFromText(GroupNormBackward());
  ASSERT_NE(module, nullptr);
  const TransformedModule result = TransformAndCheck(module, DefaultPasses(), On(CostTarget::Tpu()));
  const TransformCost &before = result.cost_before.total, &after = result.cost_after.total;
  EXPECT_EQ(before.reshaped_elements / before.reshapes, 6422528);
  EXPECT_EQ(after.reshaped_elements / after.reshapes, 2048);
}

TEST(NormModules, GhostBatchNorm) {
  const auto module = ModuleFromText(GhostBatchNorm());
  ASSERT_NE(module, nullptr);
  // Splitting the batch moves nothing in tiles of the two minor-most dimensions: there are no bytes to save. The same
  // with the image in front, where it does.
  const TransformedModule result = TransformAndCheck(module, DefaultPasses(), On(CostTarget::Tpu()));
  EXPECT_EQ(result.cost_before.total.relayout_bytes, 0);
  EXPECT_LE(result.cost_after.total.moved_bytes(), result.cost_before.total.moved_bytes());
  EXPECT_LE(result.cost_after.total.reshaped_elements, result.cost_before.total.reshaped_elements);
}

TEST(NormModules, LayerNormHasNothingToGain) {
  const auto module = ModuleFromText(LayerNorm());
  ASSERT_NE(module, nullptr);
  EXPECT_FALSE(TransformAndCheck(module, DefaultPasses(), On(CostTarget::Tpu())).changed);
}

TEST(NormModules, ResultsAgree) {
  for (const std::string& text :
       {GroupNormForward(kSmall), GroupNormBackward(kSmall), GhostBatchNorm({8, 5, 3, 6, 0}, 4), LayerNorm(7, 24)}) {
    const auto module = ModuleFromText(text);
    ASSERT_NE(module, nullptr) << text;
    for (const CostTarget& target : Targets()) {
      SCOPED_TRACE(target.name());
      const TransformedModule result = TransformAndCheck(module, DefaultPasses(), On(target));
      EXPECT_TRUE(ResultsAgree(result, 1e-4)) << result.text;
    }
  }
}

// Real modules that take under a second to evaluate; all that can be evaluated with HLOSCOPE_LONG_TESTS.
constexpr const char* kFast[] = {
    "xla-benchmarks/bench_mass_matrix_35.hlo", "xla-benchmarks/diffrax.b380012920.hlo", "xla-benchmarks/gpu_hlo.hlo",
    "xla-benchmarks/jax.issue.33666.linx.frag_0428.module_0009.hlo", "xla-benchmarks/mha_block_1x12x128x64_bf16.hlo"};

bool IsLongRun() { return std::getenv("HLOSCOPE_LONG_TESTS") != nullptr; }

TEST(CorpusTransform, EveryModuleStaysGoodAndGetsNoWorse) {
  SKIP_WITHOUT_SHARED_FILES();
  int rewritten = 0;
  for (const std::string& file : CorpusFiles()) {
    // The largest take most of the time, which is for the long run.
    if (!IsLongRun() && std::filesystem::file_size(file) > (1 << 20)) continue;
    SCOPED_TRACE(file);
    const auto document = Document::Open(file);
    ASSERT_TRUE(document.ok() && !(*document)->has_errors());
    for (const CostTarget& target : {CostTarget::Tpu(), CostTarget::Linear()}) {
      const TransformedModule result = TransformAndCheck((*document)->shared_module(), DefaultPasses(), On(target));
      if (!result.applications.empty()) ++rewritten;
    }
  }
  EXPECT_GE(rewritten, 5);
}

TEST(CorpusTransform, ResultsAgree) {
  SKIP_WITHOUT_SHARED_FILES();
  std::vector<std::string> files;
  for (const char* file : kFast) files.push_back(CorpusFile(file));
  if (IsLongRun()) {
    files = CorpusFiles();
    Buffer::SetLimit(int64_t{12} << 30);  // what does not fit is said so, like what takes too long
  }
  int compared = 0, unchanged = 0;
  for (const std::string& file : files) {
    SCOPED_TRACE(file);
    const auto document = Document::Open(file);
    ASSERT_TRUE(document.ok() && !(*document)->has_errors());
    const auto filled = FillElidedConstants((*document)->shared_module(), FillKind::kRandom, 0);
    ASSERT_TRUE(filled.ok());
    TransformOptions options = On(CostTarget::Tpu());
    options.fold = FoldInstruction;
    // All that changes what is computed how; the long run looks at the reshapes alone.
    std::vector<std::string> passes = DefaultPasses();
    // Loops that were one call or one fusion take longer as single instructions.
    const bool has_loops = std::any_of(filled->module->instructions().begin(), filled->module->instructions().end(),
                                       [](const Instruction& i) { return i.opcode == Opcode::kWhile; });
    if (!IsLongRun() && !has_loops) {
      for (const char* pass : {"inline-calls", "unfuse", "algebraic", "fold-constants", "cse", "dce"}) {
        passes.emplace_back(pass);
      }
    }
    const TransformedModule result = TransformAndCheck(filled->module, passes, options);
    if (!result.changed) {
      ++unchanged;
      continue;
    }
    const testing::AssertionResult agree = ResultsAgree(result, 2e-2, 1, IsLongRun() ? 400 : 300);
    // What takes too long, too much memory or other devices cannot be compared.
    const bool has_no_result = absl::c_any_of(
        std::vector<absl::string_view>{"RESOURCE_EXHAUSTED", "CANCELLED", "UNIMPLEMENTED", "UNAVAILABLE"},
        [&](absl::string_view code) { return absl::StartsWith(agree.message(), code); });
    const bool needs_devices = absl::StrContains(agree.message(), "but the run has 1 replica and 1 partition");
    if (!agree && IsLongRun() && (has_no_result || needs_devices)) {
      std::cerr << file << ": " << agree.message() << "\n";
      continue;
    }
    EXPECT_TRUE(agree);
    ++compared;
  }
  if (IsLongRun()) {
    Buffer::SetLimit(0);
    std::cerr << files.size() << " modules: " << unchanged << " are not rewritten, " << compared
              << " rewritten ones give the same results\n";
  }
}

// Each rewritten place by itself, for modules of any size. The long run says what it found for each module.
TEST(CorpusTransform, RewrittenPlacesAgree) {
  SKIP_WITHOUT_SHARED_FILES();
  const char* const only = std::getenv("HLOSCOPE_LONG_TESTS_FILE");  // a part of the name
  int compared = 0;
  for (const std::string& file : CorpusFiles()) {
    if (!IsLongRun() && std::filesystem::file_size(file) > (100 << 10)) continue;
    if (only != nullptr && !absl::StrContains(file, only)) continue;
    SCOPED_TRACE(file);
    const auto document = Document::Open(file);
    ASSERT_TRUE(document.ok() && !(*document)->has_errors());
    const auto filled = FillElidedConstants((*document)->shared_module(), FillKind::kRandom, 0);
    ASSERT_TRUE(filled.ok());
    // Printed and read again, so that names are unique and rewriting keeps them.
    PrintOptions print = PrintOptions::Long();
    print.large_constants = true;
    const auto named = Document::Parse(SourceText::FromString("named", PrintModule(*filled->module, print)));
    ASSERT_FALSE(named->has_errors());
    const TransformedModule result = TransformAndCheck(named->shared_module(), DefaultPasses(), On(CostTarget::Tpu()));
    ASSERT_NE(result.after, nullptr);
    if (!result.changed) {
      if (IsLongRun()) std::cerr << file << ": not rewritten\n";
      continue;
    }
    PieceLimits limits;
    if (IsLongRun()) limits.progress = [](const std::string& text) { std::cerr << text << std::endl; };
    const PieceReport report = CompareInPieces(result.before, result.after, limits);
    compared += report.compared;
    EXPECT_THAT(report.different, ::testing::IsEmpty());
    if (!IsLongRun()) {
      EXPECT_THAT(report.not_compared, ::testing::IsEmpty());
      continue;
    }
    std::cerr << file << ": " << result.applications.size() << " rewrites, " << report.changed
              << " instructions changed, " << report.compared << " distinct pieces agree, " << report.different.size()
              << " differ, " << report.not_compared.size() << " cannot be evaluated\n";
    for (const std::string& text : report.not_compared) std::cerr << "  " << text.substr(0, 300) << "\n";
  }
  if (only == nullptr) {
    EXPECT_GE(compared, 3);
  }
}

// A module that computes something else is found out.
TEST(EqualInPieces, FindsWhatDiffers) {
  const char* const text = R"(HloModule m
ENTRY e {
  p = f32[8,4] parameter(0)
  a = f32[8,4] $0(p, p)
  b = f32[32] reshape(a)
  c = f32[32] negate(b)
  ROOT t = (f32[32], f32[32]) tuple(c, b)
})";
  const auto before = ModuleFromText(absl::Substitute(text, "add")),
             after = ModuleFromText(absl::Substitute(text, "multiply"));
  const PieceReport same = CompareInPieces(before, before, PieceLimits());
  EXPECT_EQ(same.changed, 0);
  const PieceReport report = CompareInPieces(before, after, PieceLimits());
  EXPECT_EQ(report.changed, 1);
  EXPECT_THAT(report.different, ::testing::ElementsAre(::testing::StartsWith("a: ")));
}

}  // namespace
}  // namespace hloscope::evaluator
