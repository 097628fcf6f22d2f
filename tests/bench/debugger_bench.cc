// SPDX-License-Identifier: Apache-2.0
// What debugging costs: a run that can be taken back beside one that cannot, going back, following a NaN.
#include <algorithm>
#include <ctime>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/document/document.h"
#include "evaluator/debugger/provenance.h"
#include "evaluator/debugger/timeline.h"
#include "evaluator/engine/elided_constants.h"
#include "evaluator/tensor/fill.h"
#include "tests/bench/bench.h"
#include "tests/support/shared_files.h"

namespace hloscope::bench {
namespace {

constexpr char kResNet[] = "xla-benchmarks/resnet50_keras_jax_f32.hlo";
constexpr char kTraining[] = "model-dumps/resnet50.training.jit_train_step.hlo";

// A loop of matrix products: kernels of about a millisecond beside scalars.
constexpr char kLoop[] = R"(HloModule loop
cond { p = (s32[], f32[192,192]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(400)
  ROOT r = pred[] compare(i, n), direction=LT }
body { p = (s32[], f32[192,192]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[192,192] get-tuple-element(p), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  y = f32[192,192] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  z = f32[192,192] tanh(y)
  ROOT t = (s32[], f32[192,192]) tuple(j, z) }
ENTRY e { zero = s32[] constant(0)
  x = f32[192,192] parameter(0)
  init = (s32[], f32[192,192]) tuple(zero, x)
  ROOT w = (s32[], f32[192,192]) while(init), condition=cond, body=body }
)";

std::shared_ptr<const Module> ModuleOf(const std::string& text) {
  const auto document = Document::Parse(SourceText::FromString("module", text));
  const absl::StatusOr<evaluator::FilledModule> filled =
      evaluator::FillElidedConstants(document->shared_module(), evaluator::FillKind::kRandom, 0);
  return filled.ok() ? filled->module : nullptr;
}

void GiveArguments(const Module& module, evaluator::DeviceRun& run) {
  const std::vector<InstructionId>& parameters = module.computation(module.entry()).parameters;
  for (size_t k = 0; k < parameters.size(); ++k) {
    const int64_t number = static_cast<int64_t>(k);
    run.device(0)
        .SetArgument(number,
                     *evaluator::FillValue(module.shape(parameters[k]), evaluator::FillKind::kRandom, 0, number))
        .IgnoreError();
  }
}

// Processor time of all threads: a machine that is busy otherwise does not count.
double ProcessorSecondsOf(const std::function<void()>& body) {
  const auto seconds = [] {
    timespec time = {};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  };
  const double begin = seconds();
  body();
  return seconds() - begin;
}

// The fastest of several runs of each kind, taken in turn, so that both see the same machine.
void CompareRuns(Report& report, const std::string& name, const std::shared_ptr<const Module>& module, int rounds) {
  absl::StatusOr<std::unique_ptr<evaluator::DeviceRun>> plain =
      evaluator::DeviceRun::Create(module, {}, evaluator::SessionOptions());
  absl::StatusOr<std::unique_ptr<evaluator::Timeline>> timeline =
      evaluator::Timeline::Create(module, {}, evaluator::SessionOptions());
  if (!plain.ok() || !timeline.ok()) return report.Note(name + " cannot be run");
  (*plain)->device(0).set_keep_values(false);
  GiveArguments(*module, **plain);
  GiveArguments(*module, (*timeline)->run());
  double plain_seconds = 1e9, timeline_seconds = 1e9;
  for (int i = 0; i < rounds; ++i) {
    (*plain)->Restart();
    plain_seconds = std::min(plain_seconds, ProcessorSecondsOf([&] { (*plain)->Run(); }));
    timeline_seconds = std::min(timeline_seconds, ProcessorSecondsOf([&] {
                                  (*timeline)->Restart();
                                  (*timeline)->RunAll();
                                }));
  }
  report.Info(name + ": run, processor time", plain_seconds * 1e3, "ms");
  report.Figure(name + ": debugged run / run", timeline_seconds / plain_seconds, "x", 1.05, false);
}

void GoBack(Report& report, const std::shared_ptr<const Module>& module) {
  absl::StatusOr<std::unique_ptr<evaluator::Timeline>> timeline =
      evaluator::Timeline::Create(module, {}, evaluator::SessionOptions());
  if (!timeline.ok()) return;
  GiveArguments(*module, (*timeline)->run());
  (*timeline)->Start();
  if ((*timeline)->RunAll() != evaluator::StopReason::kFinished) return report.Note("ResNet-50 did not finish");
  std::mt19937 random(3);
  std::vector<int64_t> positions;
  for (int i = 0; i < 40; ++i) positions.push_back(static_cast<int64_t>(random()) % (*timeline)->position());
  // Later positions first: going back forgets what came after.
  std::sort(positions.rbegin(), positions.rend());
  double most = 0;
  for (int64_t position : positions) {
    most = std::max(most, SecondsOf([&] { (*timeline)->GoTo(position).IgnoreError(); }));
  }
  report.Figure("ResNet-50: back to the worst of 40 places", most * 1e3, "ms", 300, false);
}

// With hardly any memory for the past: each way back in some places of a run, and the step back that comes next.
void GoBackWithLittleHistory(Report& report, const std::string& name, const std::shared_ptr<const Module>& module) {
  evaluator::TimelineOptions options;
  options.history_bytes = int64_t{100} << 20;
  absl::StatusOr<std::unique_ptr<evaluator::Timeline>> timeline =
      evaluator::Timeline::Create(module, {}, evaluator::SessionOptions(), options);
  if (!timeline.ok()) return;
  GiveArguments(*module, (*timeline)->run());
  (*timeline)->Start();
  const double run = ProcessorSecondsOf([&] { (*timeline)->RunAll(); });
  const int64_t end = (*timeline)->position();
  double most = 0, most_next = 0;
  for (const double share : {0.95, 0.6, 0.35}) {
    const int64_t position = static_cast<int64_t>(static_cast<double>(end) * share);
    most = std::max(most, ProcessorSecondsOf([&] { (*timeline)->GoTo(position).IgnoreError(); }));
    most_next = std::max(most_next, ProcessorSecondsOf([&] { (*timeline)->StepBack(0, false).IgnoreError(); }));
  }
  report.Figure(name + ", 100 MB of history: worst way back / run", most / run, "x", 2, false);
  report.Figure(name + ", 100 MB of history: worst next step back", most_next * 1e3, "ms", 300, false);
}

void FollowNan(Report& report) {
  constexpr int kLength = 30000;
  std::string text = "ENTRY e { p = f32[64] parameter(0)\n  x0 = f32[64] log(p)\n";
  for (int i = 1; i < kLength; ++i) absl::StrAppend(&text, "  x", i, " = f32[64] negate(x", i - 1, ")\n");
  absl::StrAppend(&text, "  ROOT r = f32[64] copy(x", kLength - 1, ") }");
  const std::shared_ptr<const Module> module = ModuleOf(text);
  absl::StatusOr<std::unique_ptr<evaluator::Timeline>> timeline = absl::UnknownError("not made yet");
  std::vector<double> runs;  // each on a timeline of its own: the first run is the one that plans
  for (int k = 0; k < 5; ++k) {
    timeline = evaluator::Timeline::Create(module, {}, evaluator::SessionOptions());
    if (!timeline.ok()) return;
    GiveArguments(*module, (*timeline)->run());
    (*timeline)->Start();
    runs.push_back(SecondsOf([&] { (*timeline)->RunAll(); }));
  }
  const double run = Median(runs);
  evaluator::Provenance provenance(**timeline);
  const InstructionId root = module->computation(module->entry()).root;
  size_t hops = 0;
  const double origin = SecondsOf([&] {
    const absl::StatusOr<evaluator::Element> first = provenance.FirstNonFinite({0, 0}, root);
    if (!first.ok()) return;
    const absl::StatusOr<evaluator::OriginReport> found = provenance.OriginOf({{0, 0}, root, *first});
    if (found.ok()) hops = found->hops.size();
  });
  report.Info("30 000 instructions: evaluation", run * 1e3, "ms");
  report.Figure(absl::StrCat("30 000 instructions: origin over ", hops, " hops"), origin, "s", 1, false);
}

}  // namespace

void BenchDebugger(Report& report) {
  report.Section("debugger: minima of several runs side by side");
  CompareRuns(report, "loop of products", ModuleOf(kLoop), 7);
  FollowNan(report);
  const std::string path = CorpusFile(kResNet);
  if (path.empty()) return report.Note("the corpus is not beside this checkout: no ResNet-50");
  const std::shared_ptr<const Module> resnet = ModuleOf(ReadFileOrDie(path));
  if (resnet == nullptr) return report.Note("ResNet-50 cannot be read");
  CompareRuns(report, "ResNet-50", resnet, 5);
  GoBack(report, resnet);
  const std::string training = CorpusFile(kTraining);
  if (training.empty()) return report.Note("the corpus has no training of ResNet-50");
  if (const std::shared_ptr<const Module> module = ModuleOf(ReadFileOrDie(training)); module != nullptr) {
    GoBackWithLittleHistory(report, "ResNet-50 training", module);
  }
}

}  // namespace hloscope::bench
