// SPDX-License-Identifier: Apache-2.0
// Compiled programs beside the evaluator and PyTorch: the same work, measured in turns in one run.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "evaluator/tensor/npy.h"
#include "tests/bench/bench.h"
#include "tests/bench/evaluator_rows.h"
#include "tests/bench/evaluator_runs.h"
#include "tests/bench/machine_peak.h"
#include "tests/bench/peers.h"
#include "tests/codegen/compiled_program.h"

namespace hloscope::bench {
namespace {

// Rounds, of which the median counts, and the fewest runs in each of them, of which the shortest does: a program's
// first ones meet fresh memory, new threads and a processor at rest.
constexpr int kRounds = 5, kLeastRuns = 3;
// Minutes of building and running; measured if it is named.
constexpr const char* kLargeRow = "mobilenet_v2";

struct CompiledRow {
  EvaluatorRow row;
  std::shared_ptr<const Document> document;
};

// The rows of `evaluator`, and other small modules of the corpus.
std::vector<EvaluatorRow> AllRows() {
  std::vector<EvaluatorRow> rows = EvaluatorRows();
  for (const char* name : {"bench_scan_N2000_M3", "bench_mass_matrix_35", "jax.issue.33666.linx.frag_0428.module_0009",
                           "argsort_axis_1024x512_bf16", "sort_full_1024x4096_bf16", "sum_axis_1x4096x1024_bf16",
                           "topk_logits_k10_1x50000_bf16", "xnn.parallel_dots.optimized"}) {
    rows.push_back({name, absl::StrCat(name, " (corpus)"), "", absl::StrCat("xla-benchmarks/", name, ".hlo")});
  }
  return rows;
}

std::vector<CompiledRow> Rows(Report& report, const std::string& only) {
  std::vector<CompiledRow> compiled;
  for (EvaluatorRow& row : AllRows()) {
    if (only.empty() ? row.peer_row == kLargeRow : row.peer_row != only) continue;
    if (std::shared_ptr<const Document> document = DocumentOf(report, row)) {
      compiled.push_back({std::move(row), std::move(document)});
    }
  }
  return compiled;
}

// Writes the arguments of a row where the program finds them.
bool WriteArguments(const CompiledRow& row, const std::string& folder) {
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  const std::vector<evaluator::Value> arguments = ArgumentsOf(row.row, row.document->module());
  for (size_t k = 0; k < arguments.size(); ++k) {
    if (!arguments[k].IsTensor()) return false;
    if (!evaluator::WriteNpy(absl::StrCat(folder, "/arg", k, ".npy"), arguments[k].tensor()).ok()) return false;
  }
  return true;
}

}  // namespace

std::vector<std::string> CompiledRowNames() {
  std::vector<std::string> names;
  for (const EvaluatorRow& row : AllRows()) names.push_back(row.peer_row);
  return names;
}

void BenchCompiled(Report& report, const std::string& only) {
  const int threads = ThreadCount();
  report.Section(
      absl::StrCat("compiled programs on ", threads,
                   " threads beside the evaluator and PyTorch: milliseconds, medians; their time / ours (best)"));
  if (!codegen::CompiledProgram::IsPossible()) {
    report.Note("there is no compiler or no make");
    return;
  }
  const std::vector<CompiledRow> rows = Rows(report, only);
  codegen::CompiledProgram program;
  std::vector<codegen::ProgramModule> modules;
  modules.reserve(rows.size());
  for (const CompiledRow& row : rows) modules.push_back({&row.document->module(), row.row.peer_row});
  absl::Status built;
  const double seconds = SecondsOf([&] { built = program.Build(modules); });
  if (!built.ok()) {
    report.Note(std::string(built.message()));
    return;
  }
  report.Info(absl::StrCat("building one program of ", rows.size(), " modules"), seconds, "s");
  if (only.empty()) report.Note(absl::StrCat("without ", kLargeRow, ", which takes minutes: name it to measure it"));
  const double row_seconds = RowSeconds() / 3, longest = 3 * RowSeconds();
  std::optional<Peers> peers(std::in_place);
  const MachinePeak peak = MeasurePeak(threads);
  ReportPeak(report, peak);
  std::printf("  %-46s %10s %10s %10s  %-14s %-14s %s\n", "", "program", "evaluator", "torch", "/ evaluator", "/ torch",
              "bound");
  double log_sum = 0, torch_log_sum = 0, worst = 1e9;
  int measured = 0, torch_measured = 0;
  for (const CompiledRow& row : rows) {
    const std::string folder = absl::StrCat(program.folder(), "/arguments");
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
    const std::unique_ptr<evaluator::Session> session =
        SessionOf(report, row.row, row.document->shared_module(), threads);
    if (session == nullptr || !WriteArguments(row, folder) || RunOnce(report, row.row, *session, threads) < 0) continue;
    const int runs = std::max(kLeastRuns, RunsOfTurn(RunOnce(report, row.row, *session, threads)));
    // Gigabytes each: peers are there for their turn alone.
    const bool is_large = row.row.peer_row == kLargeRow;
    std::vector<std::string> present;
    if (!is_large) present = peers->Prepare(row.row.peer_row, longest);
    std::vector<double> ours, evaluator;
    Peers::Times theirs;
    std::string failure;
    const auto start = std::chrono::steady_clock::now();
    for (int round = 0; round < kRounds && failure.empty(); ++round) {
      if (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > row_seconds) break;
      if (is_large) peers.reset();
      const absl::StatusOr<double> time = program.Time(row.row.peer_row, folder, threads, runs);
      if (!time.ok()) failure = std::string(time.status().message());
      ours.push_back(time.value_or(0));
      // As often as the program, of which the shortest counts too.
      evaluator.push_back(Least(RunTurn(report, row.row, *session, threads, runs)));
      if (is_large) present = peers.emplace().Prepare(row.row.peer_row, longest);
      for (const std::string& peer : present) {
        if (!peer.starts_with("torch")) continue;
        const std::vector<double> times = peers->Run(peer, runs, longest);
        if (!times.empty()) theirs[peer].push_back(Least(times));
      }
    }
    peers->Drop();
    const std::vector<double> torch = BestOfTorch(theirs);
    if (!failure.empty()) {
      report.Note(absl::StrCat(row.row.name, ": ", failure));
      continue;
    }
    evaluator = Made(evaluator);
    if (evaluator.empty()) continue;
    std::printf("  %-46s %10s %10s %10s  %-14s %-14s %-18s %s\n", row.row.name.c_str(), Milliseconds(ours).c_str(),
                Milliseconds(evaluator).c_str(), Milliseconds(torch).c_str(), Ratio(evaluator, ours).c_str(),
                Ratio(torch, ours).c_str(), BoundText(peak, LeastWorkOf(row.document->module()), Median(ours)).c_str(),
                TurnsText(static_cast<int>(ours.size()), kRounds).c_str());
    std::fflush(stdout);
    log_sum += std::log(Least(evaluator) / Least(ours));
    worst = std::min(worst, Least(evaluator) / Least(ours));
    ++measured;
    if (torch.empty()) continue;
    torch_log_sum += std::log(Least(torch) / Least(ours));
    ++torch_measured;
  }
  if (measured == 0 || !only.empty()) return;
  report.Figure("geometric mean of evaluator / program (best runs)", std::exp(log_sum / measured), "", 1.3, true);
  report.Figure("worst row of evaluator / program (best runs)", worst, "", 0.8, true);
  if (torch_measured == 0) return;
  report.Figure("geometric mean of torch / program (best runs)", std::exp(torch_log_sum / torch_measured), "", 1.3,
                true);
}

}  // namespace hloscope::bench
