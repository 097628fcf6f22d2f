// SPDX-License-Identifier: Apache-2.0
// What front ends compute about a module once it is read: users, buffers, liveness, costs, scopes, dead code.
#include <filesystem>

#include "core/analysis/buffers.h"
#include "core/analysis/cost.h"
#include "core/analysis/dead_code.h"
#include "core/analysis/dominators.h"
#include "core/analysis/memory.h"
#include "core/analysis/scopes.h"
#include "core/analysis/value_flow.h"
#include "core/analysis/value_match.h"
#include "core/document/document.h"
#include "tests/bench/bench.h"
#include "tests/support/shared_files.h"

namespace hloscope::bench {

void BenchAnalyses(Report& report) {
  report.Section("analyses of the largest module of the corpus, medians of 7");
  std::string largest;
  uintmax_t largest_bytes = 0;
  for (const std::string& file : CorpusFiles()) {
    const auto bytes = std::filesystem::file_size(file);
    if (bytes <= largest_bytes) continue;
    largest = file;
    largest_bytes = bytes;
  }
  if (largest.empty()) {
    report.Note("skipped: the shared corpus is not beside this checkout");
    return;
  }
  const auto source = SourceText::FromFile(largest);
  if (!source.ok()) return;
  const auto document = Document::Parse(*source);
  const Module& module = document->module();
  double total = 0;
  const auto measure = [&](const char* name, const std::function<void()>& body) {
    const double seconds = MedianSeconds(7, body);
    total += seconds;
    report.Info(name, seconds * 1e3, "ms");
  };
  const double matching = MedianSeconds(5, [&] {
    const ValueFlow flow(module);
    MatchValues(flow, flow);
  });
  report.Figure("  matching two versions of it by value", matching * 1e3, "ms", 2000, /*at_least=*/false);
  measure("  users", [&] { UserIndex users(module); });
  measure("  calls", [&] { CallGraph calls(module); });
  const UserIndex users(module);
  const CallGraph calls(module);
  const BufferTable buffers(module, calls);
  measure("  buffers", [&] { BufferTable table(module, calls); });
  measure("  schedules, liveness, peak memory", [&] { MemoryAnalysis memory(module, users, calls, buffers); });
  measure("  cost", [&] { CostAnalysis cost(module, calls); });
  measure("  scopes", [&] { ScopeTree scopes(module); });
  measure("  dead code", [&] { FindDeadCode(module, users, SideEffects(module, calls)); });
  measure("  dominators", [&] {
    for (uint32_t c = 0; c < module.computations().size(); ++c) FlowDominators(module, users, ComputationId(c));
  });
  report.Figure(std::filesystem::path(largest).filename().string(), total * 1e3, "ms", 150, false);
}

}  // namespace hloscope::bench
