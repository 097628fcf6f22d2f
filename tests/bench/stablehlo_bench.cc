// SPDX-License-Identifier: Apache-2.0
// StableHLO programs: how fast they are read and translated, and how both grow with the text.
#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "stablehlo/import.h"
#include "stablehlo/parser.h"
#include "tests/bench/bench.h"
#include "tests/support/processor_time.h"

namespace hloscope::bench {
namespace {

constexpr int kStablehloRuns = 5;
constexpr size_t kHugeMegabytes = 200;
constexpr double kReadingBudget = 60;
constexpr double kReadingGrowthBudget = 1.5;
// What is made of 4 MB stays in memory that the program has; of more, pages are fetched and cleared each time.
constexpr double kFreshMemoryBudget = 2;

// A program as JAX prints it, of about this size: an operation a line, each with a location.
std::shared_ptr<const SourceText> StablehloText(size_t megabytes) {
  std::string text =
      "module @jit_f {\n  func.func public @main(%arg0: tensor<128x256xf32>) -> tensor<128x256xf32> {\n"
      "    %0 = stablehlo.abs %arg0 : tensor<128x256xf32>\n";
  size_t k = 1;
  for (; text.size() < megabytes * 1000000; ++k) {
    const std::string location = absl::StrCat(" loc(#loc", k % 1000, ")\n");
    if (k % 3 == 0) {
      absl::StrAppend(&text, "    %", k, " = stablehlo.transpose %", k - 1,
                      ", dims = [0, 1] : (tensor<128x256xf32>) -> tensor<128x256xf32>", location);
    } else {
      absl::StrAppend(&text, "    %", k, " = stablehlo.add %", k - 1, ", %arg0 : tensor<128x256xf32>", location);
    }
  }
  absl::StrAppend(&text, "    return %", k - 1, " : tensor<128x256xf32>\n  }\n}\n");
  for (int i = 0; i < 1000; ++i) absl::StrAppend(&text, "#loc", i, " = loc(\"jit(f)/op\"(\"f.py\":", i + 1, ":2))\n");
  return SourceText::FromString("program.mlir", std::move(text));
}

// Processor seconds; the median of several runs.
template <typename F>
double MedianOfWork(F work) {
  std::vector<double> seconds;
  for (int i = 0; i < kStablehloRuns; ++i) {
    const double begin = ProcessorSeconds();
    work();
    seconds.push_back(ProcessorSeconds() - begin);
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

}  // namespace

void BenchStablehlo(Report& report) {
  report.Section("StableHLO programs, medians of 5, processor time");
  const auto small = StablehloText(4), large = StablehloText(32);
  const auto read = [](const std::shared_ptr<const SourceText>& text) {
    return MedianOfWork([&] { stablehlo::ParseProgram(text); });
  };
  const double large_seconds = read(large);
  report.Figure("reading", large->size() / 1e6 / large_seconds, "MB/s", kReadingBudget, true);
  report.Figure("time per byte of reading 32 MB against 4 MB",
                large_seconds / large->size() / (read(small) / small->size()), "x", kFreshMemoryBudget, false);
  const auto huge = StablehloText(kHugeMegabytes);
  report.Figure(absl::StrCat("time per byte of reading ", kHugeMegabytes, " MB against 32 MB"),
                read(huge) / huge->size() / (large_seconds / large->size()), "x", kReadingGrowthBudget, false);
  const double both = MedianOfWork([&] { stablehlo::ImportProgram(large); });
  report.Note(absl::StrCat("reading and translating: ", static_cast<int>(large->size() / 1e6 / both), " MB/s"));
}

}  // namespace hloscope::bench
