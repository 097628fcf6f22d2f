// SPDX-License-Identifier: Apache-2.0
// The cost model beside what the evaluator really does, counted: multiplications of products and convolutions of the
// corpus; and of whole runs, how often each instruction is executed, on how many elements, and how many bytes come and
// go.
#include <algorithm>
#include <cmath>
#include <filesystem>
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
#include "insight/runs/module_run.h"
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

// Executions of every instruction that a kernel computes, and what these had in their hands.
class Counter final : public evaluator::ExecutionObserver {
 public:
  Counter(const Module& module, const CostAnalysis& cost) : module_(module), cost_(cost) {
    executions.resize(module.instruction_count());
  }

  void OnOpen(absl::Span<const evaluator::Frame>, absl::Span<const evaluator::Value>) override {}
  bool OnComplete(absl::Span<const evaluator::Frame>, InstructionId, const evaluator::Value&) override { return false; }
  bool WantsOperands() const override { return true; }
  bool OnKernel(absl::Span<const evaluator::Frame>, InstructionId id, absl::Span<const evaluator::Value> operands,
                const evaluator::Value& result) override {
    if (++executions[id.index()] == 1) Check(id, operands, result);
    return false;
  }

  std::vector<int64_t> executions;  // by instruction
  int checked_operations = 0, checked_bytes = 0;

 private:
  static int64_t Elements(const evaluator::Value& value) {
    int64_t count = 0;
    value.ForEachTensor([&](const evaluator::Tensor& tensor) { count += tensor.element_count(); });
    return count;
  }
  static int64_t Bytes(const evaluator::Value& value) {
    int64_t count = 0;
    value.ForEachTensor([&](const evaluator::Tensor& tensor) { count += tensor.byte_size(); });
    return count;
  }

  void Check(InstructionId id, absl::Span<const evaluator::Value> operands, const evaluator::Value& result) {
    const Cost& cost = cost_.Of(id);
    const std::string text(module_.InstructionName(id));
    switch (InfoOf(module_.opcode(id)).family) {
      case OpFamily::kElementwise:
        if (cost.flops == 0) return;
        EXPECT_EQ(cost.flops, Elements(result)) << text;
        break;
      case OpFamily::kDot: {
        if (module_.opcode(id) != Opcode::kDot) return;
        int64_t batch = 1;
        for (int64_t d : module_.IntsAttribute(id, AttributeKind::kLhsBatchDims)) {
          batch *= operands[0].tensor().dimension(d);
        }
        // (b m k) (b k n) (b m n) = b (b m k n)^2
        const double product = static_cast<double>(Elements(operands[0])) * static_cast<double>(Elements(operands[1])) *
                               static_cast<double>(Elements(result)) / static_cast<double>(batch);
        EXPECT_NEAR(static_cast<double>(cost.flops), 2 * std::sqrt(product), 1e-9 * std::sqrt(product)) << text;
        break;
      }
      case OpFamily::kReduction:
        if (module_.opcode(id) != Opcode::kReduce || operands.size() != 2 || !IsOneOperation(id)) return;
        EXPECT_EQ(cost.flops, Elements(operands[0]) - Elements(result)) << text;
        break;
      default:
        return;
    }
    ++checked_operations;
    CheckBytes(id, operands, result, cost);
  }

  bool IsOneOperation(InstructionId id) const {
    const ComputationId callee = module_.ComputationAttribute(id, AttributeKind::kToApply);
    return callee.has_value() && module_.computation(callee).instructions.size() == 3;
  }

  void CheckBytes(InstructionId id, absl::Span<const evaluator::Value> operands, const evaluator::Value& result,
                  const Cost& cost) {
    int64_t read = 0;
    for (size_t k = 0; k < operands.size(); ++k) {
      const auto& all = module_.operands(id);
      // What stands twice among the operands is read once.
      if (std::find(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(k), all[k]) !=
          all.begin() + static_cast<std::ptrdiff_t>(k)) {
        continue;
      }
      read += Bytes(operands[k]);
    }
    EXPECT_EQ(cost.bytes_read, read) << module_.InstructionName(id);
    EXPECT_EQ(cost.bytes_written, Bytes(result)) << module_.InstructionName(id);
    ++checked_bytes;
  }

  const Module& module_;
  const CostAnalysis& cost_;
};

// Modules of the resources and the corpus that run in a moment.
TEST(CostCountedTest, WholeRunsTakeWhatIsCounted) {
  std::vector<std::string> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(absl::StrCat(HLOSCOPE_SOURCE_DIR, "/resources/examples"))) {
    if (entry.path().extension() == ".hlo") files.push_back(entry.path().string());
  }
  for (const std::string& file : CorpusFiles()) {
    if (std::filesystem::file_size(file) < 40'000) files.push_back(file);
  }
  int runs = 0, operations = 0, bytes = 0;
  for (const std::string& file : files) {
    DocumentOptions document_options;
    document_options.verify.allow_mixed_precision = true;
    const auto document = Document::Open(file, document_options);
    if (!document.ok() || (*document)->has_errors()) continue;
    const Module& module = (*document)->module();
    const CallGraph calls(module);
    const CostAnalysis cost(module, calls);
    const auto is_conditional = [&](Opcode opcode) { return opcode == Opcode::kConditional; };
    bool is_fixed = cost.unknown_trip_counts() == 0 && cost.Of(module.entry()).flops < 50'000'000;
    for (uint32_t i = 0; i < module.instruction_count(); ++i) {
      is_fixed = is_fixed && !is_conditional(module.opcode(InstructionId(i)));
    }
    if (!is_fixed) continue;
    evaluator::RunOptions options;
    options.fill = evaluator::FillRule{};
    options.fill->kind = evaluator::FillKind::kRandom;
    options.session.time_limit_seconds = 60;
    ModuleRun run(*document, options, nullptr);
    if (!run.Prepare().ok() || run.run().device_count() != 1) continue;
    Counter counter(module, cost);
    run.run().device(0).intervention().set_observer(&counter);
    const bool has_finished = run.Run().ok();
    run.run().device(0).intervention().set_observer(nullptr);
    if (!has_finished) continue;
    int64_t flops = 0;
    for (uint32_t i = 0; i < module.instruction_count(); ++i) {
      flops += counter.executions[i] * cost.Of(InstructionId(i)).flops;
    }
    EXPECT_EQ(flops, cost.Of(module.entry()).flops) << file;
    ++runs;
    operations += counter.checked_operations;
    bytes += counter.checked_bytes;
  }
  printf("%d runs, %d instructions\n", runs, operations);
  EXPECT_GT(runs, 8);
  EXPECT_GT(operations, 100);
  EXPECT_EQ(bytes, operations);
}

}  // namespace
}  // namespace hloscope::insight
