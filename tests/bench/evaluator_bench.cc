// The evaluator beside PyTorch and NumPy: the same work, measured in turns in one run, on two threads.
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
#include "tests/bench/evaluator_rows.h"
#include "tests/bench/evaluator_runs.h"
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

void BenchEvaluator(Report& report, const std::string& only) {
  const int threads = ThreadCount();
  const double longest = 3 * RowSeconds();  // one run of a peer
  Peers peers;
  report.Section(absl::StrCat("evaluator on ", threads,
                              " threads beside its peers: milliseconds, medians; their time / ours (best of each)"));
  if (peers.names().empty()) report.Note("no peers: python3 with PyTorch is not installed (package python3-torch)");
  std::printf("  %-46s %10s %10s %10s  %-14s %s\n", "", "ours", "torch", "numpy", "/ torch", "/ numpy");
  double log_sum = 0, least_log_sum = 0, worst = 1e9;
  int rows = 0;
  std::map<std::string, double> medians, best;  // of ours, by row
  for (const EvaluatorRow& row : EvaluatorRows()) {
    if (!only.empty() && row.peer_row != only) continue;
    const std::shared_ptr<const Document> document = DocumentOf(report, row);
    if (document == nullptr) continue;
    const std::unique_ptr<evaluator::Session> session = SessionOf(report, row, document->shared_module(), threads);
    if (session == nullptr || RunOnce(report, row, *session, threads) < 0) continue;  // the first one meets new memory
    const int count = RunsOfTurn(RunOnce(report, row, *session, threads));
    const std::vector<std::string> present = peers.Prepare(row.peer_row, longest);
    std::vector<double> ours;
    std::map<std::string, std::vector<double>> theirs;
    const auto start = std::chrono::steady_clock::now();
    int turns = 0;
    while (turns < row.rounds) {
      Append(RunTurn(report, row, *session, threads, count), ours);
      for (const std::string& peer : present) Append(peers.Run(peer, count, longest), theirs[peer]);
      ++turns;
      if (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > RowSeconds()) break;
    }
    peers.Drop();
    ours = Made(ours);
    if (ours.empty()) continue;
    medians[row.peer_row] = Median(ours);
    best[row.peer_row] = Least(ours);
    const std::vector<double>&torch = theirs["torch"], &numpy = theirs["numpy"];
    std::printf("  %-46s %10s %10s %10s  %-14s %-14s %s\n", row.name.c_str(), Milliseconds(ours).c_str(),
                Milliseconds(torch).c_str(), Milliseconds(numpy).c_str(), Ratio(torch, ours).c_str(),
                Ratio(numpy, ours).c_str(), TurnsText(turns, row.rounds).c_str());
    std::fflush(stdout);
    if (torch.empty()) {
      const bool had_torch = std::find(present.begin(), present.end(), "torch") != present.end();
      if (had_torch) report.Note("  without PyTorch: it took too long");
      continue;
    }
    const double ratio = Median(torch) / Median(ours);
    log_sum += std::log(ratio);
    least_log_sum += std::log(Least(torch) / Least(ours));
    worst = std::min(worst, ratio);
    ++rows;
  }
  if (medians.contains("chain") && medians.contains("single")) {
    report.Figure("ten elementwise instructions / one", medians["chain"] / medians["single"], "", 3, false);
    report.Info("the same of the best runs", best["chain"] / best["single"], "");
  }
  if (rows == 0) return;
  report.Figure("geometric mean of torch / ours", std::exp(log_sum / rows), "", 1.0, true);
  report.Figure("worst row of torch / ours", worst, "", 0.6, true);
  report.Info("geometric mean of the best runs", std::exp(least_log_sum / rows), "");
}

}  // namespace hloscope::bench
