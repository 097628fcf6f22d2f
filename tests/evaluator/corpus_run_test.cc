// SPDX-License-Identifier: Apache-2.0
// Real modules evaluate from end to end with made-up inputs; together they use the operations listed below.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "core/document/document.h"
#include "evaluator/engine/elided_constants.h"
#include "evaluator/engine/session.h"
#include "evaluator/tensor/fill.h"
#include "tests/support/shared_files.h"

namespace hloscope::evaluator {
namespace {

constexpr const char* kFiles[] = {
    "model-dumps/imagenette.inference.1gpu.jit_predict_step.hlo",  // convolution, reduce-window
    "xla-benchmarks/argsort_axis_1024x512_bf16.hlo",               // sort, gather
    "xla-benchmarks/bench_mass_matrix_35.hlo",
    "xla-benchmarks/bench_scan_N2000_M3.hlo",  // while
    "xla-benchmarks/depthwise_conv_3x3_1x256x56x56_bf16.hlo",
    "xla-benchmarks/diffrax.b380012920.hlo",  // conditional, while; elided constants
    "xla-benchmarks/gpu_hlo.hlo",
    "xla-benchmarks/jax.issue.33666.linx.frag_0428.module_0009.hlo",
    "xla-benchmarks/layer_norm_1x4096x768_bf16.hlo",  // reduce
    "xla-benchmarks/mha_block_1x12x128x64_bf16.hlo",  // dot
    "xla-benchmarks/sum_axis_1x4096x1024_bf16.hlo",
    "xla-benchmarks/topk_logits_k10_1x50000_bf16.hlo",
    "xla-benchmarks/xnn.parallel_dots.optimized.hlo",  // call
};

class CorpusRun : public testing::TestWithParam<const char*> {};

TEST_P(CorpusRun, FinishesWithRandomInputs) {
  SKIP_WITHOUT_SHARED_FILES();
  const auto document = Document::Open(CorpusFile(GetParam()));
  ASSERT_TRUE(document.ok()) << document.status();
  ASSERT_FALSE((*document)->has_errors());
  const auto filled = FillElidedConstants((*document)->shared_module(), FillKind::kRandom, 0);
  ASSERT_TRUE(filled.ok()) << filled.status();
  const Module& module = *filled->module;
  SessionOptions options;
  options.time_limit_seconds = 120;
  auto session = Session::Create(filled->module, options);
  ASSERT_TRUE(session.ok()) << session.status();
  (*session)->set_keep_values(false);
  const auto& parameters = module.computation(module.entry()).parameters;
  for (size_t k = 0; k < parameters.size(); ++k) {
    auto value = FillValue(module.shape(parameters[k]), FillKind::kRandom, 0, static_cast<int64_t>(k));
    ASSERT_TRUE(value.ok()) << value.status();
    ASSERT_TRUE((*session)->SetArgument(static_cast<int64_t>(k), *std::move(value)).ok());
  }
  EXPECT_EQ((*session)->Run(), StopReason::kFinished) << (*session)->status();
}

INSTANTIATE_TEST_SUITE_P(Files, CorpusRun, testing::ValuesIn(kFiles), [](const auto& info) {
  std::string name = info.param;
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
});

TEST(CorpusRunCoverage, TheFilesUseTheMainOperations) {
  SKIP_WITHOUT_SHARED_FILES();
  std::set<Opcode> used;
  for (const char* file : kFiles) {
    const auto document = Document::Open(CorpusFile(file));
    ASSERT_TRUE(document.ok());
    for (const Instruction& instruction : (*document)->module().instructions()) used.insert(instruction.opcode);
  }
  for (Opcode opcode : {Opcode::kDot, Opcode::kReduce, Opcode::kWhile, Opcode::kConditional, Opcode::kCall,
                        Opcode::kGather, Opcode::kConvolution}) {
    EXPECT_TRUE(used.count(opcode)) << OpcodeName(opcode);
  }
}

}  // namespace
}  // namespace hloscope::evaluator
