// SPDX-License-Identifier: Apache-2.0
// Going back in a run of each module of the corpus that fits into memory: how long it takes, and what is kept for it.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "core/document/document.h"
#include "evaluator/debugger/timeline.h"
#include "evaluator/engine/elided_constants.h"
#include "evaluator/tensor/fill.h"
#include "tests/bench/bench.h"
#include "tests/bench/bench_clock.h"
#include "tests/bench/evaluator_runs.h"
#include "tests/support/shared_files.h"

namespace hloscope::bench {
namespace {

using evaluator::StopReason;
using evaluator::Timeline;

constexpr int kPlaces = 100;
constexpr int64_t kMemory = int64_t{8} << 30, kHistory = int64_t{2} << 30;
constexpr double kRunSeconds = 60;

// A run with random arguments at its end; null, with a note, for one that needs more memory or time.
std::unique_ptr<Timeline> FinishedRun(Report& report, const std::string& name,
                                      const std::shared_ptr<const Module>& module, double* seconds) {
  evaluator::SessionOptions options;
  options.threads = ThreadCount();
  options.memory_limit_bytes = kMemory;
  options.time_limit_seconds = kRunSeconds;
  evaluator::TimelineOptions history;
  history.history_bytes = kHistory;
  absl::StatusOr<std::unique_ptr<Timeline>> timeline = Timeline::Create(module, {}, options, history);
  absl::Status status = timeline.status();
  const std::vector<InstructionId>& parameters = module->computation(module->entry()).parameters;
  for (size_t k = 0; k < parameters.size() && status.ok(); ++k) {
    const int64_t number = static_cast<int64_t>(k);
    absl::StatusOr<evaluator::Value> value =
        evaluator::FillValue(module->shape(parameters[k]), evaluator::FillKind::kRandom, 0, number);
    status = value.status();
    for (int64_t f = 0; f < (*timeline)->device_count() && status.ok(); ++f) {
      status = (*timeline)->run().device(f).SetArgument(number, *value);
    }
  }
  if (status.ok()) {
    const double begin = ClockSeconds();
    (*timeline)->Start();
    if ((*timeline)->RunAll() == StopReason::kFinished) {
      *seconds = ClockSeconds() - begin;
      return *std::move(timeline);
    }
    status = (*timeline)->status();
  }
  report.Note(absl::StrCat(name, ": ", std::string(status.message()).substr(0, 120)));
  return nullptr;
}

// From the end to random places; the time at the 99th percentile, the longest last. Empty if one could not be reached.
std::vector<double> WaysBack(Timeline& timeline) {
  std::mt19937_64 random(5);
  const int64_t end = timeline.position();
  std::vector<double> seconds;
  for (int i = 0; i < kPlaces; ++i) {
    const int64_t place = static_cast<int64_t>(random() % static_cast<uint64_t>(end));
    const double begin = ClockSeconds();
    if (!timeline.GoTo(place).ok()) return {};
    seconds.push_back(ClockSeconds() - begin);
    if (timeline.RunAll() != StopReason::kFinished) return {};
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds;
}

}  // namespace

std::vector<std::string> HistoryRows() { return CorpusFiles(); }

void BenchHistory(Report& report, const std::string& only) {
  report.Section(absl::StrCat("the way back from the end of a run to ", kPlaces,
                              " random places, 2 GB of history at most: milliseconds"));
  std::printf("  %-46s %9s %9s %8s %8s %8s %8s\n", "", "run", "steps", "median", "99th", "longest", "MB kept");
  double worst = 0, most_kept = 0;
  for (const std::string& file : CorpusFiles()) {
    if (file.find(only) == std::string::npos) continue;
    const std::string name = std::filesystem::path(file).stem().string().substr(0, 46);
    const auto document = Document::Open(file);
    if (!document.ok() || (*document)->error_count() > 0) continue;
    const absl::StatusOr<evaluator::FilledModule> filled =
        evaluator::FillElidedConstants((*document)->shared_module(), evaluator::FillKind::kRandom, 0);
    if (!filled.ok()) continue;
    double run = 0;
    const std::unique_ptr<Timeline> timeline = FinishedRun(report, name, filled->module, &run);
    if (timeline == nullptr || timeline->position() == 0) continue;
    const int64_t steps = timeline->position();
    const std::vector<double> back = WaysBack(*timeline);
    if (back.empty()) {
      report.Note(absl::StrCat(name, ": ", std::string(timeline->status().message())));
      continue;
    }
    const double percentile = back[back.size() - 1 - back.size() / 100];
    const double kept = static_cast<double>(timeline->history_bytes()) / 1e6;
    std::printf("  %-46s %9.1f %9lld %8.2f %8.2f %8.2f %8.0f\n", name.c_str(), run * 1e3, static_cast<long long>(steps),
                Median(back) * 1e3, percentile * 1e3, back.back() * 1e3, kept);
    std::fflush(stdout);
    worst = std::max(worst, percentile);
    most_kept = std::max(most_kept, kept);
  }
  report.Figure("the slowest at the 99th percentile", worst * 1e3, "ms", 100, false);
  report.Figure("most that was kept for going back", most_kept, "MB", static_cast<double>(kHistory) / 1e6, false);
}

}  // namespace hloscope::bench
