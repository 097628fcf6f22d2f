// SPDX-License-Identifier: Apache-2.0
// What a step costs beyond the kernel it runs.
#include <string>

#include "core/document/document.h"
#include "evaluator/engine/session.h"
#include "tests/bench/bench.h"

namespace hloscope::bench {
namespace {

// A loop of `count` iterations over scalars: next to no work in the kernels.
std::string CountingLoop(int count) {
  return R"(HloModule loop
cond { p = (s32[], f32[]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant()" +
         std::to_string(count) + R"()
  ROOT r = pred[] compare(i, n), direction=LT }
body { p = (s32[], f32[]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[] get-tuple-element(p), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  y = f32[] add(x, x)
  ROOT t = (s32[], f32[]) tuple(j, y) }
ENTRY e { zero = s32[] constant(0)
  one = f32[] constant(1)
  init = (s32[], f32[]) tuple(zero, one)
  ROOT w = (s32[], f32[]) while(init), condition=cond, body=body }
)";
}

}  // namespace

void BenchStepping(Report& report) {
  report.Section("stepping: cost of one instruction on scalars, medians of 5");
  const auto document = Document::Parse(SourceText::FromString("loop", CountingLoop(2000)));
  auto session = evaluator::Session::Create(document->shared_module(), evaluator::SessionOptions());
  if (!session.ok()) {
    report.Note(std::string(session.status().message()));
    return;
  }
  int64_t executed = 0;
  const double run = MedianSeconds(5, [&] {
    (*session)->Restart();
    (*session)->Run();
    executed = (*session)->inspection().executed_count();
  });
  const double step = MedianSeconds(5, [&] {
    (*session)->Restart();
    while ((*session)->StepInto() == evaluator::StopReason::kStep) {
    }
  });
  const double count = static_cast<double>(executed);
  report.Figure("run, per instruction", run / count * 1e6, "us", 20, false);
  report.Figure("step into, per instruction", step / count * 1e6, "us", 20, false);
  constexpr int kIterations = 2000000;
  const auto long_loop = Document::Parse(SourceText::FromString("loop", CountingLoop(kIterations)));
  auto quiet = evaluator::Session::Create(long_loop->shared_module(), evaluator::SessionOptions());
  if (!quiet.ok()) return;
  (*quiet)->set_keep_values(false);
  const double seconds = MedianSeconds(5, [&] {
    (*quiet)->Restart();
    (*quiet)->Run();
  });
  report.Figure("while loop over scalars, unwatched", kIterations / seconds / 1e6, "M it/s", 1, true);
}

}  // namespace hloscope::bench
