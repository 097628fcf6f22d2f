// SPDX-License-Identifier: Apache-2.0
// Going back in a run of each module of the corpus that fits into memory: how long it takes, and what is kept for it.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
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
constexpr int64_t kMostArguments = int64_t{4} << 30;  // bytes: filling more takes longer than all else
constexpr double kRunSeconds = 60;                    // the limit of a run
constexpr int kLeastRuns = 2, kMostRuns = 8;
constexpr double kMostSeconds = 5;  // of further runs

// Seconds that a run took, plain and under a timeline: the shortest but for the first one, which meets new memory.
struct RunCost {
  double plain = 0, debugged = 0;
};

// A run with random arguments at its end; null, with a note, for one that needs more memory or time.
std::unique_ptr<Timeline> FinishedRun(Report& report, const std::string& name,
                                      const std::shared_ptr<const Module>& module, RunCost* cost) {
  evaluator::SessionOptions options;
  options.threads = ThreadCount();
  options.time_limit_seconds = kRunSeconds;
  const std::vector<InstructionId>& parameters = module->computation(module->entry()).parameters;
  const int64_t bytes = absl::c_accumulate(parameters, int64_t{0}, [&](int64_t sum, InstructionId parameter) {
    return sum + module->shape(parameter).ByteSize();
  });
  absl::StatusOr<std::unique_ptr<Timeline>> timeline = Timeline::Create(module, {}, options);
  absl::Status status = timeline.status();
  if (bytes > kMostArguments)
    status = absl::ResourceExhaustedError(absl::StrFormat("%.0f GB of arguments", bytes / 1e9));
  for (size_t k = 0; k < parameters.size() && status.ok(); ++k) {
    const int64_t number = static_cast<int64_t>(k);
    absl::StatusOr<evaluator::Value> value =
        evaluator::FillValue(module->shape(parameters[k]), evaluator::FillKind::kRandom, 0, number);
    status = value.status();
    for (int64_t f = 0; f < (*timeline)->device_count() && status.ok(); ++f) {
      status = (*timeline)->run().device(f).SetArgument(number, *value);
    }
  }
  bool finished = status.ok();
  const auto measure = [&](double* least, const auto& run_once) {
    *least = 0;
    const double start = ClockSeconds();
    for (int run = 0; run < kMostRuns && finished && (run < kLeastRuns || ClockSeconds() - start < kMostSeconds);
         ++run) {
      const double begin = ClockSeconds();
      finished = run_once();
      const double seconds = ClockSeconds() - begin;
      *least = run < 2 ? seconds : std::min(*least, seconds);
    }
  };
  measure(&cost->plain, [&] {
    (*timeline)->run().Restart();
    const StopReason reason = (*timeline)->run().Run();
    status = (*timeline)->run().status();
    return reason == StopReason::kFinished;
  });
  measure(&cost->debugged, [&] {
    const bool started = (*timeline)->Restart() != StopReason::kFailed;
    const bool ended = started && (*timeline)->RunAll() == StopReason::kFinished;
    status = (*timeline)->status();
    return ended;
  });
  if (finished) return *std::move(timeline);
  report.Note(absl::StrCat(name, ": ", std::string(status.message()).substr(0, 120)));
  return nullptr;
}

// Seconds from the end to random places, the longest last. Errors: those of going back.
absl::StatusOr<std::vector<double>> WaysBack(Timeline& timeline) {
  std::mt19937_64 random(5);
  const int64_t end = timeline.position();
  std::vector<double> seconds;
  for (int i = 0; i < kPlaces; ++i) {
    const int64_t place = static_cast<int64_t>(random() % static_cast<uint64_t>(end));
    const double begin = ClockSeconds();
    if (absl::Status status = timeline.GoTo(place); !status.ok()) return status;
    seconds.push_back(ClockSeconds() - begin);
    if (timeline.RunAll() != StopReason::kFinished) return timeline.status();
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds;
}

}  // namespace

std::vector<std::string> HistoryRows() { return CorpusFiles(); }

void BenchHistory(Report& report, const std::string& only) {
  report.Section(absl::StrCat("the way back from the end of a run to ", kPlaces, " random places: milliseconds"));
  std::printf("  %-46s %9s %9s %9s %8s %8s %8s %8s\n", "", "run", "debugged", "steps", "median", "99th", "longest",
              "MB kept");
  double worst = 0, most_kept = 0;
  int rows = 0;
  for (const std::string& file : CorpusFiles()) {
    if (file.find(only) == std::string::npos) continue;
    const std::string name = std::filesystem::path(file).stem().string().substr(0, 46);
    const auto document = Document::Open(file);
    if (!document.ok() || (*document)->error_count() > 0) continue;
    const absl::StatusOr<evaluator::FilledModule> filled =
        evaluator::FillElidedConstants((*document)->shared_module(), evaluator::FillKind::kRandom, 0);
    if (!filled.ok()) continue;
    RunCost cost;
    const std::unique_ptr<Timeline> timeline = FinishedRun(report, name, filled->module, &cost);
    if (timeline == nullptr || timeline->position() == 0) continue;
    const int64_t steps = timeline->position();
    const absl::StatusOr<std::vector<double>> back = WaysBack(*timeline);
    if (!back.ok()) {
      report.Note(absl::StrCat(name, ": ", back.status().message()));
      continue;
    }
    const double percentile = (*back)[back->size() - 1 - back->size() / 100];
    const double kept = static_cast<double>(timeline->history_bytes()) / 1e6;
    std::printf("  %-46s %9.1f %9.1f %9lld %8.2f %8.2f %8.2f %8.0f\n", name.c_str(), cost.plain * 1e3,
                cost.debugged * 1e3, static_cast<long long>(steps), Median(*back) * 1e3, percentile * 1e3,
                back->back() * 1e3, kept);
    std::fflush(stdout);
    worst = std::max(worst, percentile);
    most_kept = std::max(most_kept, kept);
    ++rows;
  }
  if (rows == 0) return report.Note("no module was measured");
  report.Figure("the slowest at the 99th percentile", worst * 1e3, "ms", 100, false);
  report.Info("most that was kept for going back", most_kept, "MB");
}

}  // namespace hloscope::bench
