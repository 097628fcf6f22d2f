// SPDX-License-Identifier: Apache-2.0
// The evaluator beside PyTorch, NumPy and oneDNN: the same work, measured in turns in one run, on two threads.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "evaluator/engine/session.h"
#include "tests/bench/bench.h"
#include "tests/bench/bench_clock.h"
#include "tests/bench/evaluator_rows.h"
#include "tests/bench/evaluator_runs.h"
#include "tests/bench/machine_peak.h"
#include "tests/bench/peers.h"

namespace hloscope::bench {

namespace {

void Append(const std::vector<double>& more, std::vector<double>& all) {
  all.insert(all.end(), more.begin(), more.end());
}

}  // namespace

std::vector<std::string> EvaluatorRowNames() {
  std::vector<std::string> names;
  for (const EvaluatorRow& row : EvaluatorRows()) names.push_back(row.peer_row);
  return names;
}

namespace {

// Figures over all rows of the bench.
struct Totals {
  double log_sum = 0, least_log_sum = 0, worst = 1e9;
  int rows = 0;

  void Add(const std::vector<double>& theirs, const std::vector<double>& ours) {
    if (theirs.empty()) return;
    const double ratio = Median(theirs) / Median(ours);
    log_sum += std::log(ratio);
    least_log_sum += std::log(Least(theirs) / Least(ours));
    worst = std::min(worst, ratio);
    ++rows;
  }
};

// `mean` and `worst` are the budgets.
void ReportTotals(Report& report, const std::string& peer, const Totals& totals, double mean, double worst) {
  if (totals.rows == 0) return;
  report.Figure(absl::StrCat("geometric mean of ", peer, " / ours"), std::exp(totals.log_sum / totals.rows), "", mean,
                true);
  report.Figure(absl::StrCat("worst row of ", peer, " / ours"), totals.worst, "", worst, true);
  report.Info(absl::StrCat("geometric mean of the best runs of ", peer, " / ours"),
              std::exp(totals.least_log_sum / totals.rows), "");
}

// What a row took by peer, ours in `ours`. `turns`: how many were made.
Peers::Times MeasureInTurns(Report& report, const EvaluatorRow& row, evaluator::Session& session, Peers& peers,
                            const std::vector<std::string>& present, std::vector<double>& ours, int& turns) {
  const int threads = ThreadCount();
  const int count = RunsOfTurn(RunOnce(report, row, session, threads));
  Peers::Times theirs;
  const auto start = std::chrono::steady_clock::now();
  for (turns = 0; turns < row.rounds;) {
    Append(RunTurn(report, row, session, threads, count), ours);
    for (const std::string& peer : present) Append(peers.Run(peer, count, 3 * RowSeconds()), theirs[peer]);
    ++turns;
    if (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > RowSeconds()) break;
  }
  ours = Made(ours);
  return theirs;
}

void NoteMissing(Report& report, const Peers& peers) {
  if (!peers.Has("torch")) report.Note("no PyTorch, no NumPy: python3 with PyTorch is not installed (python3-torch)");
  if (!peers.Has("onednn")) report.Note("no oneDNN: it was not there when the benchmarks were built (libdnnl-dev)");
}

}  // namespace

void BenchEvaluator(Report& report, const std::string& only) {
  const int threads = ThreadCount();
  Peers peers;
  report.Section(absl::StrCat("evaluator on ", threads, " threads beside its peers: milliseconds",
                              CountsProcessorTime() ? " of the processor" : "",
                              ", medians; their time / ours (best of each)"));
  NoteMissing(report, peers);
  const MachinePeak peak = MeasurePeak(threads);
  ReportPeak(report, peak);
  std::printf("  %-46s %9s %9s %9s %9s %9s  %-14s %-14s %-14s %s\n", "", "ours", "torch", "kept", "numpy", "oneDNN",
              "/ torch", "/ numpy", "/ oneDNN", "bound");
  Totals torch_totals, numpy_totals, onednn_totals;
  std::map<std::string, double> medians, best;  // of ours, by row
  for (const EvaluatorRow& row : EvaluatorRows()) {
    if (!only.empty() && row.peer_row != only) continue;
    const std::shared_ptr<const Document> document = DocumentOf(report, row);
    if (document == nullptr) continue;
    const std::unique_ptr<evaluator::Session> session = SessionOf(report, row, document->shared_module(), threads);
    if (session == nullptr || RunOnce(report, row, *session, threads) < 0) continue;  // the first one meets new memory
    const std::vector<std::string> present = peers.Prepare(row.peer_row, 3 * RowSeconds());
    std::vector<double> ours;
    int turns = 0;
    Peers::Times theirs = MeasureInTurns(report, row, *session, peers, present, ours, turns);
    peers.Drop();
    if (ours.empty()) continue;
    medians[row.peer_row] = Median(ours);
    best[row.peer_row] = Least(ours);
    const std::vector<double> torch = BestOfTorch(theirs);
    const std::vector<double>&numpy = theirs["numpy"], &onednn = theirs["onednn"];
    std::printf("  %-46s %9s %9s %9s %9s %9s  %-14s %-14s %-14s %s %s\n", row.name.c_str(), Milliseconds(ours).c_str(),
                Milliseconds(theirs["torch"]).c_str(), Milliseconds(theirs["torch_kept"]).c_str(),
                Milliseconds(numpy).c_str(), Milliseconds(onednn).c_str(), Ratio(torch, ours).c_str(),
                Ratio(numpy, ours).c_str(), Ratio(onednn, ours).c_str(),
                BoundText(peak, LeastWorkOf(document->module()), Median(ours)).c_str(),
                TurnsText(turns, row.rounds).c_str());
    std::fflush(stdout);
    const bool had_torch = std::find(present.begin(), present.end(), "torch") != present.end();
    if (had_torch && torch.empty()) report.Note("  without PyTorch: it took too long");
    torch_totals.Add(torch, ours);
    numpy_totals.Add(numpy, ours);
    onednn_totals.Add(onednn, ours);
  }
  if (medians.contains("chain") && medians.contains("single")) {
    report.Figure("ten elementwise instructions / one", medians["chain"] / medians["single"], "", 3, false);
    report.Info("the same of the best runs", best["chain"] / best["single"], "");
  }
  if (!only.empty()) return;  // the budgets are those of the whole table
  ReportTotals(report, "torch", torch_totals, 1.6, 0.8);
  ReportTotals(report, "NumPy", numpy_totals, 2.0, 0.6);
  ReportTotals(report, "oneDNN", onednn_totals, 1.1, 0.6);
}

}  // namespace hloscope::bench
