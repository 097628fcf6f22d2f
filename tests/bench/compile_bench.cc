// Compiled programs beside the evaluator and PyTorch: the same work, measured in turns in one run.
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "evaluator/tensor/npy.h"
#include "tests/bench/bench.h"
#include "tests/bench/evaluator_rows.h"
#include "tests/bench/evaluator_runs.h"
#include "tests/bench/peers.h"
#include "tests/codegen/compiled_program.h"

namespace hloscope::bench {
namespace {

// Runs of a program at a time, of which the shortest counts: its first one meets fresh memory.
constexpr int kRepeat = 3;

struct CompiledRow {
  EvaluatorRow row;
  std::shared_ptr<const Document> document;
};

// The rows of `evaluator`, and modules of the corpus that consist of many small instructions.
std::vector<CompiledRow> Rows(Report& report, const std::string& only) {
  std::vector<EvaluatorRow> rows = EvaluatorRows();
  for (const char* file : {"xla-benchmarks/bench_scan_N2000_M3.hlo", "xla-benchmarks/bench_mass_matrix_35.hlo",
                           "xla-benchmarks/jax.issue.33666.linx.frag_0428.module_0009.hlo"}) {
    rows.push_back({std::filesystem::path(file).stem().string(), absl::StrCat(file, " (corpus)"), "", file});
  }
  std::vector<CompiledRow> compiled;
  for (EvaluatorRow& row : rows) {
    if (!only.empty() && row.peer_row != only) continue;
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
  const std::vector<Value> arguments = ArgumentsOf(row.row, row.document->module());
  for (size_t k = 0; k < arguments.size(); ++k) {
    if (!arguments[k].IsTensor()) return false;
    if (!WriteNpy(absl::StrCat(folder, "/arg", k, ".npy"), arguments[k].tensor()).ok()) return false;
  }
  return true;
}

}  // namespace

void BenchCompiled(Report& report, const std::string& only) {
  const int threads = ThreadCount();
  report.Section(
      absl::StrCat("compiled programs on ", threads,
                   " threads beside the evaluator and PyTorch: milliseconds, medians; their time / ours (best)"));
  if (!CompiledProgram::IsPossible()) {
    report.Note("there is no compiler or no make");
    return;
  }
  const std::vector<CompiledRow> rows = Rows(report, only);
  CompiledProgram program;
  std::vector<ProgramModule> modules;
  for (const CompiledRow& row : rows) modules.push_back({&row.document->module(), row.row.peer_row});
  absl::Status built;
  const double seconds = SecondsOf([&] { built = program.Build(modules); });
  if (!built.ok()) {
    report.Note(std::string(built.message()));
    return;
  }
  report.Info(absl::StrCat("building one program of ", rows.size(), " modules"), seconds, "s");
  Peers peers;
  std::printf("  %-46s %10s %10s %10s  %-14s %s\n", "", "program", "evaluator", "torch", "/ evaluator", "/ torch");
  double log_sum = 0, torch_log_sum = 0;
  int measured = 0, torch_measured = 0;
  for (const CompiledRow& row : rows) {
    const std::string folder = absl::StrCat(program.folder(), "/arguments");
    const std::unique_ptr<Session> session = SessionOf(report, row.row, row.document->shared_module(), threads);
    if (session == nullptr || !WriteArguments(row, folder) || RunOnce(report, row.row, *session, threads) < 0) continue;
    const std::vector<std::string> present = peers.Prepare(row.row.peer_row);
    const bool has_torch = std::find(present.begin(), present.end(), "torch") != present.end();
    std::vector<double> ours, evaluator, torch;
    std::string failure;
    for (int round = 0; round < std::max(row.row.rounds / 2, 3) && failure.empty(); ++round) {
      const absl::StatusOr<double> time = program.Time(row.row.peer_row, folder, threads, kRepeat);
      if (!time.ok()) failure = std::string(time.status().message());
      ours.push_back(time.value_or(0));
      // As often as the program, of which the shortest counts too.
      double least = 1e9, least_torch = 1e9;
      for (int k = 0; k < kRepeat; ++k) {
        least = std::min(least, RunOnce(report, row.row, *session, threads));
        if (has_torch) least_torch = std::min(least_torch, peers.Run("torch"));
      }
      evaluator.push_back(least);
      if (has_torch) torch.push_back(least_torch);
    }
    peers.Drop();
    if (!failure.empty()) {
      report.Note(absl::StrCat(row.row.name, ": ", failure));
      continue;
    }
    std::printf("  %-46s %10s %10s %10s  %-14s %s\n", row.row.name.c_str(), Milliseconds(ours).c_str(),
                Milliseconds(evaluator).c_str(), Milliseconds(torch).c_str(), Ratio(evaluator, ours).c_str(),
                Ratio(torch, ours).c_str());
    std::fflush(stdout);
    log_sum += std::log(Least(evaluator) / Least(ours));
    ++measured;
    if (torch.empty()) continue;
    torch_log_sum += std::log(Least(torch) / Least(ours));
    ++torch_measured;
  }
  if (measured > 0) {
    report.Info("geometric mean of evaluator / program (best runs)", std::exp(log_sum / measured), "");
  }
  if (torch_measured > 0) {
    report.Info("geometric mean of torch / program (best runs)", std::exp(torch_log_sum / torch_measured), "");
  }
}

}  // namespace hloscope::bench
