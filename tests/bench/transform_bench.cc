// SPDX-License-Identifier: Apache-2.0
// The reshape rewrites on a module of 30 000 instructions, group normalisations one after the other; and what they
// save on tiled memory.
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "core/document/document.h"
#include "core/transform/data_movement.h"
#include "core/transform/transform.h"
#include "tests/bench/bench.h"
#include "tests/bench/evaluator_runs.h"
#include "tests/bench/tiled_memory.h"

namespace hloscope::bench {
namespace {

constexpr absl::string_view kLayer = R"(
  grouped.N = f32[8,56,56,8,32] reshape(image.N)
  sum.N = f32[8,32] reduce(grouped.N, zero), dimensions={1,2,3}, to_apply=add
  mean.N = f32[8,32] divide(sum.N, counts)
  mean_b.N = f32[8,56,56,8,32] broadcast(mean.N), dimensions={0,4}
  centered.N = f32[8,56,56,8,32] subtract(grouped.N, mean_b.N)
  square.N = f32[8,56,56,8,32] multiply(centered.N, centered.N)
  square_sum.N = f32[8,32] reduce(square.N, zero), dimensions={1,2,3}, to_apply=add
  inverse.N = f32[8,32] rsqrt(square_sum.N)
  inverse_b.N = f32[8,56,56,8,32] broadcast(inverse.N), dimensions={0,4}
  normalised.N = f32[8,56,56,8,32] multiply(centered.N, inverse_b.N)
  flat.N = f32[8,56,56,256] reshape(normalised.N)
  image.M = f32[8,56,56,256] add(flat.N, image.N)
)";

std::string Chain(int layers) {
  std::string text = R"(HloModule chain
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
ENTRY e {
  image.0 = f32[8,56,56,256] parameter(0)
  zero = f32[] constant(0)
  count = f32[] constant(25088)
  counts = f32[8,32] broadcast(count), dimensions={}
)";
  for (int i = 0; i < layers; ++i) {
    absl::StrAppend(&text,
                    absl::StrReplaceAll(kLayer, {{".N", absl::StrCat(".", i)}, {".M", absl::StrCat(".", i + 1)}}));
  }
  return absl::StrCat(text, "  ROOT r = f32[8,56,56,256] negate(image.", layers, ")\n}\n");
}

// Seconds of one run on tiled memory; negative, with a note, if the module is not simulated.
double TiledSeconds(Report& report, const Module& module, std::vector<float>* result) {
  absl::StatusOr<std::unique_ptr<TiledMachine>> machine = TiledMachine::Create(module);
  if (!machine.ok()) {
    report.Note(std::string(machine.status().message()));
    return -1;
  }
  const double seconds = MedianSeconds(5, [&] { (*machine)->Run(); });
  *result = (*machine)->Result();
  return seconds;
}

double LinearSeconds(Report& report, std::shared_ptr<const Module> module) {
  EvaluatorRow row;
  row.name = "group norm";
  const std::unique_ptr<evaluator::Session> session = SessionOf(report, row, std::move(module), ThreadCount());
  if (session == nullptr) return -1;
  return MedianSeconds(9, [&] { (void)RunOnce(report, row, *session, ThreadCount()); });
}

// The group normalisation of the README, before and after the rewrites.
void BenchGroupNorm(Report& report) {
  report.Section("group normalisation 8 x 56 x 56 x 256, 32 groups, before and after the rewrites, medians");
  const auto document = Document::Open(absl::StrCat(HLOSCOPE_SOURCE_DIR, "/resources/examples/group_norm.hlo"));
  if (!document.ok()) return;
  const std::shared_ptr<const Module> before = (*document)->shared_module();
  const auto after = std::make_shared<const Module>(TransformModule(*before, DefaultPasses(), {})->module);
  std::vector<float> result_before, result_after;
  const double tiled_before = TiledSeconds(report, *before, &result_before);
  const double tiled_after = TiledSeconds(report, *after, &result_after);
  double difference = result_before.size() == result_after.size() ? 0 : 1e9;
  for (size_t i = 0; i < std::min(result_before.size(), result_after.size()); ++i) {
    difference = std::max(difference, std::fabs(static_cast<double>(result_before[i]) - result_after[i]));
  }
  report.Figure("largest difference of the results", difference, "", 1e-4, false);
  report.Info("tiles of 8 x 128 in memory, one thread: before", tiled_before * 1e3, "ms");
  report.Info("tiles of 8 x 128 in memory, one thread: after", tiled_after * 1e3, "ms");
  report.Figure("tiles: before / after", tiled_before / tiled_after, "", 2, true);
  const double linear_before = LinearSeconds(report, before), linear_after = LinearSeconds(report, after);
  report.Info("linear memory (the evaluator): before", linear_before * 1e3, "ms");
  report.Info("linear memory (the evaluator): after", linear_after * 1e3, "ms");
  report.Info("linear memory: before / after", linear_before / linear_after, "");
}

}  // namespace

void BenchTransforms(Report& report) {
  BenchGroupNorm(report);
  const auto document = Document::Parse(SourceText::FromString("chain", Chain(2500)));
  const Module& module = document->module();
  report.Section(absl::StrCat("rewrites of a module of ", module.instruction_count(), " instructions, medians of 5"));
  size_t applications = 0;
  const double rewrite =
      MedianSeconds(5, [&] { applications = TransformModule(module, DefaultPasses(), {})->applications.size(); });
  report.Figure(absl::StrCat("reshape-reduce,reshape-elementwise (", applications, " rewrites)"), rewrite, "s", 1,
                false);
  report.Info("every pass",
              MedianSeconds(5,
                            [&] {
                              std::vector<std::string> names;
                              for (const PassInfo& pass : AllPasses()) names.emplace_back(pass.name);
                              (void)TransformModule(module, names, {});
                            }),
              "s");
  report.Info("why each movement of data happens",
              MedianSeconds(5, [&] { (void)ExplainDataMovement(module, CostTarget::Tpu()); }), "s");
}

}  // namespace hloscope::bench
