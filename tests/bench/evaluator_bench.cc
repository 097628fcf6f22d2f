// The evaluator beside PyTorch and NumPy: the same work, measured in turns in one run, on two threads.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "core/document/document.h"
#include "evaluator/engine/dense_result.h"
#include "evaluator/engine/session.h"
#include "evaluator/tensor/fill.h"
#include "tests/bench/bench.h"
#include "tests/bench/evaluator_rows.h"
#include "tests/bench/peers.h"
#include "tests/support/shared_files.h"

namespace hloscope::bench {
namespace {

int ThreadCount() {
  const char* text = std::getenv("HLOSCOPE_BENCH_THREADS");
  return text != nullptr ? std::max(1, std::atoi(text)) : 2;
}

Value RandomIndices(const Shape& shape, int64_t bound) {
  Tensor indices = *Tensor::Allocate(shape.element_type(), shape.dimensions());
  std::mt19937 random(1);
  for (int64_t i = 0; i < indices.element_count(); ++i)
    indices.mutable_data_as<int32_t>()[i] = static_cast<int32_t>(random() % static_cast<uint64_t>(bound));
  return indices;
}

// A session that is ready to run again and again; null, with a note, if the row cannot be measured.
std::unique_ptr<Session> SessionOf(Report& report, const EvaluatorRow& row, int threads) {
  std::shared_ptr<const SourceText> source;
  if (row.text.empty()) {
    const std::string path = CorpusFile(row.corpus_file);
    if (path.empty()) {
      report.Note(absl::StrCat(row.name, ": skipped, the shared corpus is not beside this checkout"));
      return nullptr;
    }
    const auto file = SourceText::FromFile(path);
    if (!file.ok()) return nullptr;
    source = *file;
  } else {
    source = SourceText::FromString("row", row.text);
  }
  const auto document = Document::Parse(source);
  SessionOptions options;
  options.threads = threads;
  absl::StatusOr<std::unique_ptr<Session>> session = Session::Create(document->shared_module(), options);
  if (!session.ok()) {
    report.Note(absl::StrCat(row.name, ": ", session.status().message()));
    return nullptr;
  }
  (*session)->set_keep_values(false);
  const Module& module = (*session)->module();
  const auto& parameters = module.computation(module.entry()).parameters;
  for (size_t k = 0; k < parameters.size(); ++k) {
    const Shape& shape = module.shape(parameters[k]);
    const bool is_index = row.index_bound > 0 && shape.element_type() == ElementType::kS32;
    absl::StatusOr<Value> value = is_index ? RandomIndices(shape, row.index_bound)
                                           : FillValue(shape, FillKind::kRandom, 1, static_cast<int64_t>(k));
    if (!value.ok() || !(*session)->SetArgument(static_cast<int64_t>(k), *std::move(value)).ok()) return nullptr;
  }
  return *std::move(session);
}

// Seconds of one run with its results in memory of their own; negative, with a note, if it fails.
double RunOnce(Report& report, const EvaluatorRow& row, Session& session, int threads) {
  session.Restart();
  double seconds = -1;
  const double elapsed = SecondsOf([&] {
    if (session.Run() != StopReason::kFinished) return;
    absl::StatusOr<std::vector<Tensor>> dense = DenseResult(session.result(), threads);
    if (dense.ok()) seconds = 0;
  });
  if (seconds < 0) report.Note(absl::StrCat(row.name, ": ", session.status().message()));
  return seconds < 0 ? seconds : elapsed;
}

double Median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}
double Least(const std::vector<double>& values) { return *std::min_element(values.begin(), values.end()); }

std::string Milliseconds(const std::vector<double>& seconds) {
  return seconds.empty() ? "-" : absl::StrFormat("%.2f", Median(seconds) * 1e3);
}

// Their time / ours; of the medians and of the best runs, which say more on a machine that does other work too.
std::string Ratio(const std::vector<double>& theirs, const std::vector<double>& ours) {
  if (theirs.empty()) return "-";
  return absl::StrFormat("%.2f (%.2f)", Median(theirs) / Median(ours), Least(theirs) / Least(ours));
}

}  // namespace

void BenchEvaluator(Report& report, const std::string& only) {
  const int threads = ThreadCount();
  Peers peers;
  report.Section(absl::StrCat("evaluator on ", threads,
                              " threads beside its peers: milliseconds, medians; their time / ours (best of each)"));
  if (peers.names().empty()) report.Note("no peers: python3 with PyTorch is not installed (package python3-torch)");
  std::printf("  %-46s %10s %10s %10s  %-14s %s\n", "", "ours", "torch", "numpy", "/ torch", "/ numpy");
  double log_sum = 0, least_log_sum = 0, worst = 1e9;
  int rows = 0;
  std::map<std::string, double> best;  // of ours, by row
  for (const EvaluatorRow& row : EvaluatorRows()) {
    if (!only.empty() && row.peer_row != only) continue;
    const std::unique_ptr<Session> session = SessionOf(report, row, threads);
    if (session == nullptr || RunOnce(report, row, *session, threads) < 0) continue;
    const std::vector<std::string> present = peers.Prepare(row.peer_row);
    std::vector<double> ours;
    std::map<std::string, std::vector<double>> theirs;
    for (int round = 0; round < row.rounds; ++round) {
      ours.push_back(RunOnce(report, row, *session, threads));
      for (const std::string& peer : present) theirs[peer].push_back(peers.Run(peer));
    }
    peers.Drop();
    best[row.peer_row] = Least(ours);
    const std::vector<double>&torch = theirs["torch"], &numpy = theirs["numpy"];
    std::printf("  %-46s %10s %10s %10s  %-14s %s\n", row.name.c_str(), Milliseconds(ours).c_str(),
                Milliseconds(torch).c_str(), Milliseconds(numpy).c_str(), Ratio(torch, ours).c_str(),
                Ratio(numpy, ours).c_str());
    std::fflush(stdout);
    if (torch.empty()) continue;
    const double ratio = Median(torch) / Median(ours);
    log_sum += std::log(ratio);
    least_log_sum += std::log(Least(torch) / Least(ours));
    worst = std::min(worst, ratio);
    ++rows;
  }
  if (best.contains("chain") && best.contains("single")) {
    report.Figure("ten elementwise instructions / one (best runs)", best["chain"] / best["single"], "", 3, false);
  }
  if (rows == 0) return;
  report.Figure("geometric mean of torch / ours", std::exp(log_sum / rows), "", 1.0, true);
  report.Figure("worst row of torch / ours", worst, "", 0.6, true);
  report.Info("geometric mean of the best runs", std::exp(least_log_sum / rows), "");
}

}  // namespace hloscope::bench
