// SPDX-License-Identifier: Apache-2.0
// Every row of `evaluator` under a debugger that stops in cold places only, beside a plain run of it.
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "evaluator/debugger/debugger.h"
#include "tests/bench/bench.h"
#include "tests/bench/bench_clock.h"
#include "tests/bench/evaluator_rows.h"
#include "tests/bench/evaluator_runs.h"

namespace hloscope::bench {
namespace {

using evaluator::Debugger;
using evaluator::StopReason;

constexpr int kMostRounds = 15, kLeastRounds = 5;
constexpr double kMostSeconds = 3;  // of a row, after the least rounds

// A breakpoint on the first parameter of the entry computation, which stops before its first step.
std::unique_ptr<Debugger> DebuggerOf(Report& report, const EvaluatorRow& row,
                                     const std::shared_ptr<const Module>& module, int threads) {
  evaluator::SessionOptions options;
  options.threads = threads;
  absl::StatusOr<std::unique_ptr<evaluator::Timeline>> timeline = evaluator::Timeline::Create(module, {}, options);
  if (!timeline.ok()) {
    report.Note(absl::StrCat(row.name, ": ", timeline.status().message()));
    return nullptr;
  }
  std::vector<evaluator::Value> arguments = ArgumentsOf(row, *module);
  for (size_t k = 0; k < arguments.size(); ++k) {
    evaluator::Session& device = (*timeline)->run().device(0);
    if (!device.SetArgument(static_cast<int64_t>(k), std::move(arguments[k])).ok()) return nullptr;
  }
  auto debugger = std::make_unique<Debugger>(*std::move(timeline));
  evaluator::Breakpoint breakpoint;
  breakpoint.place = "the first parameter";
  breakpoint.locations = {module->computation(module->entry()).parameters.front()};
  debugger->Add(std::move(breakpoint));
  return debugger;
}

// Seconds of a run from its beginning to its end through all stops; -1 if it failed.
double DebuggedRun(Debugger& debugger, bool is_first, int threads) {
  const double begin = ClockSeconds();
  is_first ? debugger.Start() : debugger.Restart();
  for (int stops = 0; stops < 4; ++stops) {
    const StopReason reason = debugger.Continue().reason;
    if (reason == StopReason::kBreakpoint) continue;
    const evaluator::Value& result = debugger.timeline().run().device(0).result();
    const bool done = reason == StopReason::kFinished && DenseResultsOf(threads).LeavesOf(result).ok();
    return done ? ClockSeconds() - begin : -1;
  }
  return -1;
}

}  // namespace

void BenchDebugged(Report& report, const std::string& only) {
  const int threads = ThreadCount();
  report.Section(
      "rows of `evaluator` under a debugger with breakpoints in cold places: milliseconds, best of some runs in turns");
  std::printf("  %-46s %9s %9s\n", "", "plain", "debugged");
  double worst = 0, log_sum = 0;
  int rows = 0, failed = 0;
  for (const EvaluatorRow& row : EvaluatorRows()) {
    if (!only.empty() && row.peer_row != only) continue;
    const std::shared_ptr<const Document> document = DocumentOf(report, row);
    if (document == nullptr) continue;
    const std::unique_ptr<evaluator::Session> plain = SessionOf(report, row, document->shared_module(), threads);
    const std::unique_ptr<Debugger> debugger = DebuggerOf(report, row, document->shared_module(), threads);
    if (plain == nullptr || debugger == nullptr) continue;
    if (RunOnce(report, row, *plain, threads) < 0 || DebuggedRun(*debugger, true, threads) < 0) continue;
    debugger->Restart();
    const int count = RunsOfTurn(RunOnce(report, row, *plain, threads));
    double least_plain = 1e9, least_debugged = 1e9;
    const double begin = ClockSeconds();
    for (int round = 0; round < kMostRounds; ++round) {
      for (int i = 0; i < count; ++i) least_plain = std::min(least_plain, RunOnce(report, row, *plain, threads));
      for (int i = 0; i < count; ++i) least_debugged = std::min(least_debugged, DebuggedRun(*debugger, false, threads));
      debugger->Restart();  // the other run may need the memory of its history
      if (round + 1 >= kLeastRounds && ClockSeconds() - begin > kMostSeconds) break;
    }
    if (least_plain < 0 || least_debugged < 0) {
      ++failed;
      report.Note(absl::StrCat(row.name, ": a run failed"));
      continue;
    }
    const double ratio = least_debugged / least_plain;
    std::printf("  %-46s %9.3f %9.3f  %.3f\n", row.name.c_str(), least_plain * 1e3, least_debugged * 1e3, ratio);
    std::fflush(stdout);
    worst = std::max(worst, ratio);
    log_sum += std::log(ratio);
    ++rows;
  }
  if (failed > 0) report.Figure("rows that failed", failed, "", 0, false);
  if (rows == 0) return;
  report.Figure("worst row of debugged / plain", worst, "x", 1.05, false);
  report.Info("geometric mean of debugged / plain", std::exp(log_sum / rows), "x");
}

}  // namespace hloscope::bench
