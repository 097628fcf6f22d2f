// Texts that the reference printed print back byte for byte in the style they were printed in (spec/hlo-text.md 7).
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "core/document/document.h"
#include "core/print/printer.h"
#include "tests/support/shared_files.h"

namespace hloscope {
namespace {

enum class PrintOutcome {
  kSame,              // byte for byte
  kComputationsMove,  // the same header and computations. The dump was not made from text: the order of its
                      // computations follows an order of instructions that reading loses (7.11)
  kDiffers,           // for the reason given
};

struct PrintedFile {
  absl::string_view name;
  absl::string_view style;  // of PrintOptions, then switches
  PrintOutcome outcome = PrintOutcome::kSame;
  absl::string_view reason;
};

constexpr char kOlderTopk[] = "printed before topk had is_stable, which is always printed now (section 9)";
constexpr char kByHand[] = "written by hand";

// Every file of the corpus.
constexpr PrintedFile kFiles[] = {
    {"model-dumps/alphafold3.inference.1gpu.module.hlo", "short -large_constants", PrintOutcome::kComputationsMove},
    {"model-dumps/cappa.inference.1gpu.jit_predict_step.hlo", "dump"},
    {"model-dumps/efficientnet.inference.1gpu.jit_predict_step.hlo", "dump"},
    {"model-dumps/efficientnet.training.jit_train_step.hlo", "dump -compact"},
    {"model-dumps/flan_t5_large.inference.1gpu.jit_predict_step.hlo", "dump"},
    {"model-dumps/gpt_j_6b.training.jit_train_step.hlo", "dump -compact"},
    {"model-dumps/imagenette.inference.1gpu.jit_predict_step.hlo", "dump"},
    {"model-dumps/imagenette.training.jit_train_step.hlo", "dump -compact"},
    {"model-dumps/mixtral_8x7b.inference.2gpu.jit__generate_jit.hlo", "dump -compact", PrintOutcome::kDiffers,
     kOlderTopk},
    {"model-dumps/mixtral_8x7b.inference.2gpu.jit__prefill_jit.hlo", "dump -compact", PrintOutcome::kDiffers,
     kOlderTopk},
    {"model-dumps/mlp_mixer.inference.1gpu.jit_predict_step.hlo", "dump"},
    {"model-dumps/qwen3_14b.inference.1gpu.jit__generate_jit.hlo", "dump -compact"},
    {"model-dumps/qwen3_14b.inference.1gpu.jit__prefill_jit.hlo", "dump -compact"},
    {"model-dumps/qwen3_14b.training.jit_train_step.hlo", "dump -compact"},
    {"model-dumps/resnet50.inference.1gpu.jit_predict_step.hlo", "dump"},
    {"model-dumps/resnet50.training.jit_train_step.hlo", "dump -compact"},
    {"model-dumps/stable_diffusion_1_5.inference.2gpu.jit_predict_step.hlo", "dump"},
    {"xla-benchmarks/argsort_axis_1024x512_bf16.hlo", "short"},
    {"xla-benchmarks/bench_mass_matrix_35.hlo", "dump"},
    {"xla-benchmarks/bench_scan_N2000_M3.hlo", "dump -compact"},
    {"xla-benchmarks/depthwise_conv_3x3_1x256x56x56_bf16.hlo", "short"},
    {"xla-benchmarks/diffrax.b380012920.hlo", "short +metadata +closing_names +index_comments", PrintOutcome::kDiffers,
     "printed by a version that wrote large whole floats as integers; and somebody added comments"},
    {"xla-benchmarks/dlrm_keras_jax_f32_train_step.hlo", "dump -compact", PrintOutcome::kComputationsMove},
    {"xla-benchmarks/dynamic_slice_loop_1x2048x768_bf16.hlo", "short"},
    {"xla-benchmarks/gemma4_2b_bf16.hlo", "dump -compact", PrintOutcome::kComputationsMove},
    {"xla-benchmarks/gpu_hlo.hlo", "short", PrintOutcome::kDiffers, kByHand},
    {"xla-benchmarks/hlo_llama31_405b_fp8_64x8.hlo", "dump -compact +large_constants"},
    {"xla-benchmarks/hlo_llama3_8b_cp_bf16_1x4.hlo", "dump -compact"},
    {"xla-benchmarks/hlo_mixtral_8x7b_bf16_2x8.hlo", "dump -compact +large_constants"},
    {"xla-benchmarks/hlo_torax_iterhybrid_predictor_corrector_f64.hlo", "dump -compact", PrintOutcome::kDiffers,
     "a dump that was edited by hand: custom calls replaced by stubs, computations moved"},
    {"xla-benchmarks/in_place_dynamic_update_slice_fusion.hlo", "dump -compact", PrintOutcome::kDiffers,
     "a dump that was edited by hand: a computation moved"},
    {"xla-benchmarks/jax.issue.33666.linx.frag_0428.module_0009.hlo", "short +metadata +closing_names +index_comments"},
    {"xla-benchmarks/jax.issue.33666.linx.slow_0428.module_0003.hlo", "short +metadata +closing_names +index_comments"},
    {"xla-benchmarks/layer_norm_1x4096x768_bf16.hlo", "short"},
    {"xla-benchmarks/mha_block_1x12x128x64_bf16.hlo", "short"},
    {"xla-benchmarks/mobilenet_v2.hlo", "dump -compact +operand_shapes", PrintOutcome::kDiffers,
     "printed by a version of years ago: no blanks and no index comments in the header's layout"},
    {"xla-benchmarks/nv_maxtext_1n1g_jit_train_step_before_optimization.hlo", "dump -compact +operand_shapes",
     PrintOutcome::kComputationsMove},
    {"xla-benchmarks/resnet50_keras_jax_f32.hlo", "dump"},
    {"xla-benchmarks/sort_full_1024x4096_bf16.hlo", "short"},
    {"xla-benchmarks/sum_axis_1x4096x1024_bf16.hlo", "short"},
    {"xla-benchmarks/topk_logits_k10_1x50000_bf16.hlo", "short"},
    {"xla-benchmarks/u4_all_gather_1x8.hlo", "short", PrintOutcome::kDiffers, kByHand},
    {"xla-benchmarks/xnn.parallel_dots.optimized.hlo", "short", PrintOutcome::kDiffers, kByHand},
};

PrintOptions OptionsOf(absl::string_view style) {
  const std::vector<std::string> words = absl::StrSplit(style, ' ');
  PrintOptions options = *PrintOptions::FromStyleName(words[0]);
  const std::map<std::string, bool*> switches = {{"compact", &options.compact_tuple_access},
                                                 {"large_constants", &options.large_constants},
                                                 {"metadata", &options.metadata},
                                                 {"operand_shapes", &options.operand_shapes},
                                                 {"index_comments", &options.operand_index_comments},
                                                 {"closing_names", &options.closing_names}};
  for (size_t i = 1; i < words.size(); ++i) *switches.at(words[i].substr(1)) = words[i][0] == '+';
  return options;
}

std::string Printed(const std::string& file, const PrintOptions& options) {
  const auto document = Document::Open(file, {{}, /*parse_only=*/true});
  return document.ok() ? PrintModule((*document)->module(), options) : "";
}

// Header and computations in bytewise order.
std::vector<std::string> SortedParts(const std::string& text) {
  std::vector<std::string> parts = absl::StrSplit(text, "\n\n");
  std::sort(parts.begin(), parts.end());
  return parts;
}

std::string FirstDifferentLine(const std::string& a, const std::string& b) {
  const std::vector<absl::string_view> x = absl::StrSplit(a, '\n'), y = absl::StrSplit(b, '\n');
  for (size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    if (x[i] != y[i]) {
      return std::string(x[i].substr(0, 300)).append("\nbut printed:\n").append(std::string(y[i].substr(0, 300)));
    }
  }
  return "one text is longer";
}

TEST(CorpusPrint, EveryFileInItsOwnStyle) {
  SKIP_WITHOUT_SHARED_FILES();
  std::map<std::string, const PrintedFile*> listed;
  for (const PrintedFile& file : kFiles) listed[CorpusFile(std::string(file.name))] = &file;
  std::map<PrintOutcome, int> count;
  for (const std::string& path : CorpusFiles()) {
    ASSERT_TRUE(listed.contains(path)) << path << " is not listed";
    const PrintedFile& file = *listed[path];
    const std::string text = ReadFileOrDie(path);
    const std::string printed = Printed(path, OptionsOf(file.style));
    ++count[file.outcome];
    switch (file.outcome) {
      case PrintOutcome::kSame:
        EXPECT_TRUE(text == printed) << path << ":\n" << FirstDifferentLine(text, printed);
        break;
      case PrintOutcome::kComputationsMove:
        EXPECT_TRUE(text != printed && SortedParts(text) == SortedParts(printed)) << path;
        break;
      case PrintOutcome::kDiffers:
        EXPECT_FALSE(file.reason.empty());
        EXPECT_FALSE(text == printed) << path << " prints back: list it so";
        break;
    }
  }
  EXPECT_GE(count[PrintOutcome::kSame], 30);
}

// The texts of the vectors come from another writer: in order of creation, floats as short as possible, and without
// attributes that the reference always prints. Where these do not show, they print back too.
TEST(CorpusPrint, VectorsPrintBackUpToTheOrderOfInstructions) {
  SKIP_WITHOUT_SHARED_FILES();
  PrintOptions options = PrintOptions::Dump();
  options.compact_tuple_access = false;
  options.large_constants = true;
  const auto kept_lines = [](const std::string& text) {
    std::vector<std::string> lines;
    for (absl::string_view line : absl::StrSplit(text, '\n')) {
      if (!absl::StrContains(line, " constant(") && !absl::StrContains(line, " collective-broadcast(") &&
          !absl::StrContains(line, " scan(") && !line.empty()) {
        lines.emplace_back(line);
      }
    }
    std::sort(lines.begin(), lines.end());
    return lines;
  };
  int same = 0;
  for (const std::string& folder : VectorCases()) {
    const std::string path = folder + "/module.hlo";
    const std::string text = ReadFileOrDie(path);
    const std::string printed = Printed(path, options);
    if (absl::StripTrailingAsciiWhitespace(text) == absl::StripTrailingAsciiWhitespace(printed)) {
      ++same;
    } else {
      EXPECT_EQ(kept_lines(text), kept_lines(printed)) << path;
    }
  }
  EXPECT_GE(same, 470);
}

}  // namespace
}  // namespace hloscope
