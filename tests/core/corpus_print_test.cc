// SPDX-License-Identifier: Apache-2.0
// Texts that the reference printed print back byte for byte in the style they were printed in (docs/text-format.md 7).
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
#include "core/editing/comments.h"
#include "core/editing/format_text.h"
#include "core/editing/text_style.h"
#include "core/print/printer.h"
#include "tests/support/shared_files.h"

namespace hloscope {
namespace {

// The files of the corpus that do not print back in their own style, and why.
struct DifferentFile {
  absl::string_view name;
  absl::string_view reason;
};
constexpr char kByHand[] = "written by hand";
constexpr DifferentFile kDifferentFiles[] = {
    {"xla-benchmarks/gpu_hlo.hlo", kByHand},
    {"xla-benchmarks/xnn.parallel_dots.optimized.hlo", kByHand},
};

std::string Printed(const std::string& file, const PrintOptions& options) {
  const auto document = Document::Open(file, {{}, /*parse_only=*/true});
  return document.ok() ? PrintModule((*document)->module(), options) : "";
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
  std::map<std::string, absl::string_view> different;
  for (const DifferentFile& file : kDifferentFiles) different[CorpusFile(std::string(file.name))] = file.reason;
  for (const std::string& path : CorpusFiles()) {
    const std::string text = ReadFileOrDie(path);
    const auto document = Document::Open(path, {{}, /*parse_only=*/true});
    ASSERT_TRUE(document.ok()) << path;
    const std::string printed = PrintWithComments(**document, StyleOf(**document));
    const std::string formatted = FormatText(**document);
    if (different.contains(path)) {
      EXPECT_FALSE(text == printed) << path << " prints back: take it from the list";
    } else {
      EXPECT_TRUE(text == printed) << path << ":\n" << FirstDifferentLine(text, printed);
      EXPECT_TRUE(text == formatted) << path << ":\n" << FirstDifferentLine(text, formatted);
    }
  }
}

// What the reference prints after it has read a dump has the same parts; the order of computations follows an order of
// instructions that reading loses (7.11).
TEST(CorpusPrint, TheOrderOfTheReferenceOnlyMovesComputations) {
  SKIP_WITHOUT_SHARED_FILES();
  const auto sorted_parts = [](const std::string& text) {
    std::vector<std::string> parts = absl::StrSplit(text, "\n\n");
    std::sort(parts.begin(), parts.end());
    return parts;
  };
  for (const char* name :
       {"model-dumps/alphafold3.inference.1gpu.module.hlo", "xla-benchmarks/dlrm_keras_jax_f32_train_step.hlo",
        "xla-benchmarks/nv_maxtext_1n1g_jit_train_step_before_optimization.hlo"}) {
    const auto document = Document::Open(CorpusFile(name), {{}, /*parse_only=*/true});
    ASSERT_TRUE(document.ok()) << name;
    PrintOptions options = StyleOf(**document);
    options.order = PrintOrder::kXla;
    const std::string text((*document)->source().text()), printed = PrintModule((*document)->module(), options);
    EXPECT_TRUE(text != printed && sorted_parts(text) == sorted_parts(printed)) << name;
  }
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
