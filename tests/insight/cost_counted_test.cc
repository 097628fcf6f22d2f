// The cost model beside what the evaluator really does, counted: multiplications of products and convolutions of the
// corpus.
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "core/analysis/cost.h"
#include "core/analysis/extract.h"
#include "core/document/document.h"
#include "evaluator/engine/session.h"
#include "evaluator/tensor/fill.h"
#include "evaluator/tensor/summary.h"
#include "gtest/gtest.h"
#include "tests/support/shared_files.h"

namespace hloscope::insight {
namespace {

// A module with every parameter full of ones, run to its end.
std::unique_ptr<evaluator::Session> RunOnes(const std::shared_ptr<const Module>& module) {
  evaluator::SessionOptions options;
  options.time_limit_seconds = 60;
  auto session = evaluator::Session::Create(module, options);
  if (!session.ok()) return nullptr;
  (*session)->set_keep_values(false);
  const auto& parameters = module->computation(module->entry()).parameters;
  for (size_t k = 0; k < parameters.size(); ++k) {
    auto value =
        evaluator::FillValue(module->shape(parameters[k]), evaluator::FillKind::kOnes, 0, static_cast<int64_t>(k));
    if (!value.ok() || !(*session)->SetArgument(static_cast<int64_t>(k), *std::move(value)).ok()) return nullptr;
  }
  return (*session)->Run() == evaluator::StopReason::kFinished ? *std::move(session) : nullptr;
}

// Of ones, each element of a product is the number of its multiplications.
TEST(CostCountedTest, ProductsAndConvolutionsOfTheCorpus) {
  SKIP_WITHOUT_SHARED_FILES();
  constexpr int64_t kMostFlops = 2'000'000;
  absl::flat_hash_set<std::string> seen;
  int products = 0, convolutions = 0;
  for (const std::string& file : CorpusFiles()) {
    const auto source = SourceText::FromFile(file);
    // The largest texts repeat the shapes of others.
    if (!source.ok() || (*source)->text().size() > 160'000) continue;
    const auto document = Document::Parse(*source);
    if (document->has_errors()) continue;
    const Module& module = document->module();
    const CallGraph calls(module);
    const CostAnalysis cost(module, calls);
    for (size_t i = 0; i < module.instruction_count(); ++i) {
      const InstructionId id(i);
      const OpFamily family = InfoOf(module.opcode(id)).family;
      if (family != OpFamily::kDot && family != OpFamily::kConvolution) continue;
      if (cost.Of(id).flops > kMostFlops || !module.shape(id).IsArray()) continue;
      // Every count up to 2^24 is exact in f32.
      const std::string text =
          absl::StrReplaceAll(ExtractModule(module, document->users(), id), {{"bf16[", "f32["}, {"f16[", "f32["}});
      if (!seen.insert(text.substr(text.find("ROOT"), text.find("metadata="))).second) continue;
      DocumentOptions options;
      options.verify.allow_mixed_precision = true;
      // Constants come along, and are no ones.
      if (text.find(" constant(") != std::string::npos) continue;
      const auto alone = Document::Parse(SourceText::FromString("alone", text), options);
      if (alone->has_errors()) continue;
      const auto session = RunOnes(alone->shared_module());
      if (session == nullptr || !session->result().IsTensor()) continue;
      const evaluator::TensorSummary summary = evaluator::Summarize(session->result().tensor().WithRunTimeSizes());
      const double counted = summary.mean * static_cast<double>(summary.count);
      EXPECT_NEAR(static_cast<double>(cost.Of(id).flops), 2 * counted, 1e-6 * counted) << file << "\n" << text;
      ++(family == OpFamily::kDot ? products : convolutions);
    }
  }
  printf("%d products, %d convolutions\n", products, convolutions);
  EXPECT_GT(products, 5);
  EXPECT_GT(products + convolutions, 8);
}

}  // namespace
}  // namespace hloscope::insight
