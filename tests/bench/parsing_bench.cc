// Text to verified module: throughput per stage and memory.
#include <filesystem>

#include "core/document/document.h"
#include "tests/bench/bench.h"
#include "tests/support/shared_files.h"

namespace hloscope::bench {

void BenchParsing(Report& report) {
  report.Section("check: parse + infer + verify, single-threaded, medians of 7");
  const auto files = CorpusFiles();
  if (files.empty()) {
    report.Note("skipped: the shared corpus is not beside this checkout");
    return;
  }
  std::string largest;
  uintmax_t largest_bytes = 0;
  for (const std::string& file : files) {
    const auto bytes = std::filesystem::file_size(file);
    if (bytes > largest_bytes) {
      largest = file;
      largest_bytes = bytes;
    }
  }
  for (const std::string& file : files) {
    const auto bytes = std::filesystem::file_size(file);
    if (bytes < 300000) continue;
    const auto source = SourceText::FromFile(file);
    if (!source.ok()) continue;
    const double mb = static_cast<double>(bytes) / 1e6;
    const double seconds = MedianSeconds(7, [&] { Document::Parse(*source); });
    const std::string name = std::filesystem::path(file).filename().string();
    if (file == largest) {
      report.Figure(name, mb / seconds, "MB/s", 60, true);
      const auto document = Document::Parse(*source);
      const StageTimes& times = document->times();
      report.Info("  lexing", mb / times.lex, "MB/s");
      report.Info("  syntax", mb / times.syntax, "MB/s");
      report.Info("  module", mb / times.semantics, "MB/s");
      report.Info("  verification", mb / times.verify, "MB/s");
      report.Info("  tables, bytes per instruction",
                  static_cast<double>(document->module().MemoryUsage() + document->syntax().MemoryUsage() +
                                      document->tokens().MemoryUsage()) /
                      static_cast<double>(document->module().instruction_count()),
                  "B");
      const double peak = PeakMemoryOfCommand(std::string(HLOSCOPE_BINARY_DIR) + "/bin/hloscope", {"check", file});
      report.Figure("  peak memory of `hloscope check`", peak / 1e6, "MB", 100, false);
    } else {
      report.Info(name, mb / seconds, "MB/s");
    }
  }
}

}  // namespace hloscope::bench
