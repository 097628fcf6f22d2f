// SPDX-License-Identifier: Apache-2.0
// Text to verified module: throughput per stage, memory, and how both grow with the text.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "core/document/document.h"
#include "tests/bench/bench.h"
#include "tests/support/generated_module.h"
#include "tests/support/shared_files.h"

namespace hloscope::bench {
namespace {

constexpr int kRuns = 7;
constexpr int kRunsOfCommand = 15, kRunsOfHuge = 5;
// Files that the promised throughput is about.
constexpr uintmax_t kLargeDump = 1000000;
constexpr double kThroughputBudget = 150;
constexpr double kNewProcessBudget = 150;  // with 3 ms in which the process starts and ends
constexpr double kGrowthBudget = 1.5;      // memory that was never touched costs more the more there is of it
constexpr double kMemoryBudget = 10;       // peak of a check, in sizes of the text

std::shared_ptr<const Document> FastestParse(const std::shared_ptr<const SourceText>& source) {
  std::shared_ptr<const Document> fastest;
  for (int i = 0; i < kRuns; ++i) {
    auto document = Document::Parse(source);
    if (fastest == nullptr || document->times().total < fastest->times().total) fastest = std::move(document);
  }
  return fastest;
}

double BytesPerInstruction(const Document& document) {
  const size_t bytes =
      document.module().MemoryUsage() + document.syntax().MemoryUsage() + document.tokens().MemoryUsage();
  return static_cast<double>(bytes) / static_cast<double>(std::max<size_t>(document.module().instruction_count(), 1));
}

double MedianOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Seconds to parse; the median of several runs.
double MedianParse(const std::shared_ptr<const SourceText>& source, int runs) {
  std::vector<double> seconds;
  for (int i = 0; i < runs; ++i) seconds.push_back(SecondsOf([&] { Document::Parse(source); }));
  return MedianOf(std::move(seconds));
}

// To be called while this process holds little memory: the child starts as its copy.
CommandCost CostOfCheck(const std::string& file) {
  return CostOfCommand(std::string(HLOSCOPE_BINARY_DIR) + "/bin/hloscope", {"check", file});
}

// Bytes a second of a process that checks the file and nothing else, and finds all its memory untouched.
double ThroughputOfNewProcess(const std::string& file) {
  std::vector<double> seconds(kRunsOfCommand);
  for (double& run : seconds) run = CostOfCheck(file).seconds;
  return static_cast<double>(std::filesystem::file_size(file)) / MedianOf(std::move(seconds));
}

void BenchFile(Report& report, const std::string& file) {
  const auto source = SourceText::FromFile(file);
  if (!source.ok()) return;
  const auto document = FastestParse(*source);
  const double mb = (*source)->size() / 1e6;
  const StageTimes& times = document->times();
  const std::string name = std::filesystem::path(file).filename().string().substr(0, 46);
  report.Note(absl::StrFormat("%-46s %7.3f %8.0f %8.0f %8.0f %8.0f %8.0f %8.0f", name, mb, mb / times.lex,
                              mb / times.syntax, mb / times.semantics, mb / times.verify, mb / times.total,
                              BytesPerInstruction(*document)));
}

// A generated module of about this size, written to a file and checked by processes of their own: each finds its memory
// untouched, so a small text has no advantage. Nanoseconds per byte.
double BenchScale(Report& report, size_t megabytes) {
  const auto path = std::filesystem::temp_directory_path() / "hloscope_scale.hlo";
  {
    std::ofstream file(path, std::ios::binary);
    file << GenerateModule(megabytes * 1000000);
  }
  const double bytes = static_cast<double>(std::filesystem::file_size(path));
  std::vector<double> seconds;
  double peak = 0;
  for (int i = 0; i < (megabytes > 100 ? kRunsOfHuge : kRunsOfCommand); ++i) {
    const CommandCost cost = CostOfCheck(path.string());
    seconds.push_back(cost.processor_seconds);
    peak = std::max(peak, cost.peak_bytes);
  }
  std::filesystem::remove(path);
  const double median = MedianOf(std::move(seconds));
  report.Note(
      absl::StrFormat("a generated module of %d MB: %.0f MB/s for a new process", megabytes, bytes / 1e6 / median));
  report.Figure(absl::StrFormat("peak memory of `hloscope check` of %d MB, in sizes of the text", megabytes),
                peak / bytes, "x", kMemoryBudget, false);
  return median / bytes * 1e9;
}

double ParseSeconds(const std::string& text) { return MedianParse(SourceText::FromString("generated", text), kRuns); }

}  // namespace

std::vector<std::string> ParsingRows() { return CorpusFiles(); }

void BenchParsing(Report& report, const std::string& only) {
  report.Section(
      "check: parse + infer + verify, MB/s of the fastest of 7 runs (of large texts the first two while the third "
      "runs)");
  auto files = CorpusFiles();
  std::erase_if(files, [&](const std::string& file) { return file.find(only) == std::string::npos; });
  if (files.empty()) {
    report.Note("skipped: the shared corpus is not beside this checkout");
    return;
  }
  std::string largest;
  for (const std::string& file : files) {
    const bool is_larger = largest.empty() || std::filesystem::file_size(file) > std::filesystem::file_size(largest);
    if (is_larger) largest = file;
  }
  const double peak = CostOfCheck(largest).peak_bytes;
  std::vector<double> of_new_processes;  // by file
  for (const std::string& file : files) {
    const bool is_large = std::filesystem::file_size(file) >= kLargeDump;
    of_new_processes.push_back(is_large ? ThroughputOfNewProcess(file) : 0);
  }

  report.Note(absl::StrFormat("%-46s %7s %8s %8s %8s %8s %8s %8s", "file", "MB", "lexing", "syntax", "module", "verify",
                              "all", "B/instr"));
  for (const std::string& file : files) BenchFile(report, file);

  report.Section("large dumps, medians of 7");
  for (const std::string& file : files) {
    const uintmax_t bytes = std::filesystem::file_size(file);
    const auto source = SourceText::FromFile(file);
    if (bytes < kLargeDump || !source.ok()) continue;
    report.Figure(std::filesystem::path(file).filename().string(),
                  static_cast<double>(bytes) / 1e6 / MedianParse(*source, kRuns), "MB/s", kThroughputBudget, true);
  }
  report.Section("large dumps in new processes, medians of 15");
  for (size_t k = 0; k < files.size(); ++k) {
    if (of_new_processes[k] == 0) continue;
    report.Figure(std::filesystem::path(files[k]).filename().string(), of_new_processes[k] / 1e6, "MB/s",
                  kNewProcessBudget, true);
  }
  report.Figure("peak memory of checking the largest, in sizes of the text",
                peak / static_cast<double>(std::filesystem::file_size(largest)), "x", kMemoryBudget, false);
}

// HLOSCOPE_SCALE_MB=1000 adds a module of that size.
void BenchScaling(Report& report) {
  report.Section("growth with the text, processor time");
  const double small = BenchScale(report, 4);
  const auto grows = [&](size_t megabytes) {
    report.Figure(absl::StrFormat("time per byte of %d MB against 4 MB", megabytes),
                  BenchScale(report, megabytes) / small, "x", kGrowthBudget, false);
  };
  grows(32);
  int more = 0;
  const char* const wanted = std::getenv("HLOSCOPE_SCALE_MB");
  if (wanted != nullptr && absl::SimpleAtoi(wanted, &more) && more > 0) grows(static_cast<size_t>(more));
  const double lines = ParseSeconds(GenerateLongInstructions(8000000, LineBreaks::kPerElement));
  const double one_line = ParseSeconds(GenerateLongInstructions(8000000, LineBreaks::kPerInstruction));
  report.Figure("lines of 77 000 characters against short ones, time", one_line / lines, "x", 1.1, false);
}

}  // namespace hloscope::bench
