// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/evaluator_runs.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <random>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "evaluator/tensor/fill.h"
#include "tests/bench/bench_clock.h"
#include "tests/support/shared_files.h"

namespace hloscope::bench {
namespace {

evaluator::Value RandomIndices(const Shape& shape, int64_t bound) {
  evaluator::Tensor indices = *evaluator::Tensor::Allocate(shape.element_type(), shape.dimensions());
  std::mt19937 random(1);
  for (int64_t i = 0; i < indices.element_count(); ++i)
    indices.mutable_data_as<int32_t>()[i] = static_cast<int32_t>(random() % static_cast<uint64_t>(bound));
  return indices;
}

}  // namespace

int ThreadCount() {
  const char* text = std::getenv("HLOSCOPE_BENCH_THREADS");
  return text != nullptr ? std::max(1, std::atoi(text)) : 2;
}

double RowSeconds() {
  const char* text = std::getenv("HLOSCOPE_BENCH_ROW_SECONDS");
  const double seconds = text != nullptr ? std::atof(text) : 0;
  return seconds > 0 ? seconds : 15;
}

std::string TurnsText(int made, int wanted) {
  return made == wanted ? "" : absl::StrCat(made, " of ", wanted, " turns");
}

std::vector<double> Made(const std::vector<double>& seconds) {
  std::vector<double> made;
  std::copy_if(seconds.begin(), seconds.end(), std::back_inserter(made), [](double s) { return s >= 0; });
  return made;
}

std::shared_ptr<const Document> DocumentOf(Report& report, const EvaluatorRow& row) {
  if (!row.text.empty()) return Document::Parse(SourceText::FromString("row", row.text));
  const std::string path = CorpusFile(row.corpus_file);
  if (path.empty()) {
    report.Note(absl::StrCat(row.name, ": skipped, the shared corpus is not beside this checkout"));
    return nullptr;
  }
  const auto document = Document::Open(path);
  return document.ok() ? *document : nullptr;
}

std::vector<evaluator::Value> ArgumentsOf(const EvaluatorRow& row, const Module& module) {
  std::vector<evaluator::Value> arguments;
  const auto& parameters = module.computation(module.entry()).parameters;
  for (size_t k = 0; k < parameters.size(); ++k) {
    const Shape& shape = module.shape(parameters[k]);
    const bool is_index = row.index_bound > 0 && shape.element_type() == ElementType::kS32;
    absl::StatusOr<evaluator::Value> value =
        is_index ? RandomIndices(shape, row.index_bound)
                 : evaluator::FillValue(shape, evaluator::FillKind::kRandom, 1, static_cast<int64_t>(k));
    arguments.push_back(value.ok() ? *std::move(value) : evaluator::Value());
  }
  return arguments;
}

std::unique_ptr<evaluator::Session> SessionOf(Report& report, const EvaluatorRow& row,
                                              std::shared_ptr<const Module> module, int threads) {
  evaluator::SessionOptions options;
  options.threads = threads;
  options.time_limit_seconds = 3 * RowSeconds();
  absl::StatusOr<std::unique_ptr<evaluator::Session>> session = evaluator::Session::Create(std::move(module), options);
  if (!session.ok()) {
    report.Note(absl::StrCat(row.name, ": ", session.status().message()));
    return nullptr;
  }
  (*session)->set_keep_values(false);
  std::vector<evaluator::Value> arguments = ArgumentsOf(row, (*session)->module());
  for (size_t k = 0; k < arguments.size(); ++k) {
    if (!(*session)->SetArgument(static_cast<int64_t>(k), std::move(arguments[k])).ok()) return nullptr;
  }
  return *std::move(session);
}

evaluator::DenseResults& DenseResultsOf(int threads) {
  static std::map<int, evaluator::DenseResults> all;
  return all.try_emplace(threads, threads).first->second;
}

double RunOnce(Report& report, const EvaluatorRow& row, evaluator::Session& session, int threads) {
  session.Restart();
  const double start = ClockSeconds();
  const bool done =
      session.Run() == evaluator::StopReason::kFinished && DenseResultsOf(threads).LeavesOf(session.result()).ok();
  const double seconds = ClockSeconds() - start;
  if (!done) report.Note(absl::StrCat(row.name, ": ", session.status().message()));
  return done ? seconds : -1;
}

int RunsOfTurn(double seconds) {
  constexpr double kTurnSeconds = 0.1;
  constexpr int kMostRuns = 500;
  return std::clamp(static_cast<int>(kTurnSeconds / seconds), 1, kMostRuns);
}

std::vector<double> RunTurn(Report& report, const EvaluatorRow& row, evaluator::Session& session, int threads,
                            int count) {
  if (count > 1) {
    for (int i = 0; i <= count / 4; ++i) RunOnce(report, row, session, threads);
  }
  std::vector<double> seconds;
  for (int i = 0; i < count; ++i) seconds.push_back(RunOnce(report, row, session, threads));
  return seconds;
}

double Median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}
double Least(const std::vector<double>& values) { return *std::min_element(values.begin(), values.end()); }

std::string Milliseconds(const std::vector<double>& seconds) {
  return seconds.empty() ? "-" : absl::StrFormat("%.2f", Median(seconds) * 1e3);
}

std::string Ratio(const std::vector<double>& theirs, const std::vector<double>& ours) {
  if (theirs.empty()) return "-";
  return absl::StrFormat("%.2f (%.2f)", Median(theirs) / Median(ours), Least(theirs) / Least(ours));
}

}  // namespace hloscope::bench
