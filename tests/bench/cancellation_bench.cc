// SPDX-License-Identifier: Apache-2.0
// How long a run goes on after it was cancelled inside a large kernel.
#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/document/document.h"
#include "evaluator/engine/session.h"
#include "evaluator/tensor/fill.h"
#include "tests/bench/bench.h"

namespace hloscope::bench {
namespace {

constexpr double kBudgetMilliseconds = 100;
constexpr const char* kComputations = R"(HloModule m
sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }
odd { a = f32[] parameter(0) b = f32[] parameter(1) s = f32[] subtract(a, b) ROOT r = f32[] cosine(s) }
larger { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = pred[] compare(a, b), direction=GE }
greater { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = pred[] compare(a, b), direction=GT }
by_sine { a = f32[] parameter(0) b = f32[] parameter(1) s = f32[] sine(a) t = f32[] sine(b)
  ROOT r = pred[] compare(s, t), direction=LT }
)";

struct LargeKernel {
  const char* name;
  const char* entry;
};
constexpr LargeKernel kKernels[] = {
    {"dot f32",
     "a = f32[6000,6000] parameter(0) ROOT r = f32[6000,6000] dot(a, a), lhs_contracting_dims={1}, "
     "rhs_contracting_dims={0}"},
    {"dot bf16",
     "a = bf16[8000,8000] parameter(0) ROOT r = bf16[8000,8000] dot(a, a), lhs_contracting_dims={1}, "
     "rhs_contracting_dims={0}"},
    {"dot s32",
     "a = s32[3000,3000] parameter(0) ROOT r = s32[3000,3000] dot(a, a), lhs_contracting_dims={1}, "
     "rhs_contracting_dims={0}"},
    {"convolution f32",
     "a = f32[1,512,512,32] parameter(0) k = f32[15,15,32,256] parameter(1) ROOT r = f32[1,512,512,256] "
     "convolution(a, k), window={size=15x15 pad=7_7x7_7}, dim_labels=b01f_01io->b01f"},
    {"convolution s32, dilated",
     "a = s32[1,256,256,32] parameter(0) k = s32[15,15,32,64] parameter(1) ROOT r = s32[1,511,511,64] "
     "convolution(a, k), window={size=15x15 pad=7_7x7_7 lhs_dilate=2x2}, dim_labels=b01f_01io->b01f"},
    {"depthwise convolution",
     "a = f32[1,512,512,512] parameter(0) k = f32[15,15,1,512] parameter(1) ROOT r = f32[1,512,512,512] "
     "convolution(a, k), window={size=15x15 pad=7_7x7_7}, dim_labels=bf01_01io->bf01, feature_group_count=512"},
    {"exponential", "a = f32[200000000] parameter(0) ROOT r = f32[200000000] power(a, a)"},
    {"transpose",
     "a = f32[16000,16000] parameter(0) t = f32[16000,16000] transpose(a), dimensions={1,0} "
     "ROOT r = f32[256000000] reshape(t)"},
    {"reduce with an odd computation",
     "a = f32[200000000] parameter(0) z = f32[] constant(0) ROOT r = f32[] reduce(a, z), dimensions={0}, to_apply=odd"},
    {"reduce-window",
     "a = f32[3000,3000] parameter(0) z = f32[] constant(0) ROOT r = f32[2801,2801] reduce-window(a, z), "
     "window={size=200x200}, to_apply=odd"},
    {"select-and-scatter",
     "a = f32[3000,3000] parameter(0) s = f32[2901,2901] parameter(1) z = f32[] constant(0) ROOT r = f32[3000,3000] "
     "select-and-scatter(a, s, z), window={size=100x100}, select=larger, scatter=sum"},
    {"sort", "a = f32[50000000] parameter(0) ROOT r = f32[50000000] sort(a), dimensions={0}, to_apply=larger"},
    {"sort by digits",
     "a = f32[50000000] parameter(0) ROOT r = f32[50000000] sort(a), dimensions={0}, to_apply=greater"},
    {"sort with an odd comparator",
     "a = f32[20000000] parameter(0) ROOT r = f32[20000000] sort(a), dimensions={0}, to_apply=by_sine"},
    {"gather",
     "a = f32[1000,64] parameter(0) i = s32[2000000,1] parameter(1) ROOT r = f32[2000000,64] gather(a, i), "
     "offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,64}"},
    {"scatter",
     "a = f32[1000,64] parameter(0) i = s32[2000000,1] parameter(1) u = f32[2000000,64] parameter(2) "
     "ROOT r = f32[1000,64] scatter(a, i, u), update_window_dims={1}, inserted_window_dims={0}, "
     "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=odd"},
    {"fft", "a = c64[33554432] parameter(0) ROOT r = c64[33554432] fft(a), fft_type=FFT, fft_length={33554432}"},
    {"cholesky",
     "i = s32[6000,6000] iota(), iota_dimension=0 j = s32[6000,6000] iota(), iota_dimension=1 "
     "p = pred[6000,6000] compare(i, j), direction=EQ a = f32[6000,6000] convert(p) "
     "ROOT r = f32[6000,6000] cholesky(a), lower=true"},
    {"triangular-solve",
     "a = f32[5000,5000] parameter(0) b = f32[5000,5000] parameter(1) ROOT r = f32[5000,5000] triangular-solve(a, b), "
     "left_side=true, lower=true, transpose_a=NO_TRANSPOSE"},
    {"rng-bit-generator",
     "a = u64[2] parameter(0) ROOT r = (u64[2], u32[400000000]) rng-bit-generator(a), "
     "algorithm=rng_three_fry"},
};

// Milliseconds from the request, `before` seconds after the start, to the end of the run; negative if the run was over
// before.
double MillisecondsUntilStopped(evaluator::Session& session, double before) {
  std::chrono::steady_clock::time_point asked;
  session.Restart();
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::duration<double>(before));
    asked = std::chrono::steady_clock::now();
    session.Cancel();
  });
  const evaluator::StopReason reason = session.Run();
  const auto stopped = std::chrono::steady_clock::now();
  other.join();
  if (reason != evaluator::StopReason::kFailed && stopped < asked) return -1;
  return std::chrono::duration<double, std::milli>(stopped - asked).count();
}

}  // namespace

std::vector<std::string> CancellationRows() {
  std::vector<std::string> names;
  for (const LargeKernel& kernel : kKernels) names.emplace_back(kernel.name);
  return names;
}

void BenchCancellation(Report& report, const std::string& only) {
  report.Section("cancelling inside a large kernel: longest of 5 until the run has ended");
  for (const LargeKernel& kernel : kKernels) {
    if (!only.empty() && only != kernel.name) continue;
    const auto document = Document::Parse(
        SourceText::FromString("large", absl::StrCat(kComputations, "ENTRY e { ", kernel.entry, " }\n")));
    const Module& module = document->module();
    absl::StatusOr<std::unique_ptr<evaluator::Session>> session =
        evaluator::Session::Create(document->shared_module(), evaluator::SessionOptions());
    if (document->has_errors() || !session.ok()) {
      report.Note(absl::StrCat(kernel.name, ": the module cannot run"));
      continue;
    }
    (*session)->set_keep_values(false);
    const auto& parameters = module.computation(module.entry()).parameters;
    for (size_t k = 0; k < parameters.size(); ++k) {
      const absl::StatusOr<evaluator::Value> value =
          evaluator::FillValue(module.shape(parameters[k]), evaluator::FillKind::kRandom, 0, static_cast<int64_t>(k));
      if (value.ok()) (*session)->SetArgument(static_cast<int64_t>(k), *value).IgnoreError();
    }
    double longest = -1;
    for (const double before : {0.01, 0.03, 0.05, 0.08, 0.12}) {
      longest = std::max(longest, MillisecondsUntilStopped(**session, before));
    }
    if (longest < 0) {
      report.Note(absl::StrCat(kernel.name, ": over before it could be cancelled"));
    } else {
      report.Figure(kernel.name, longest, "ms", kBudgetMilliseconds, false);
    }
  }
}

}  // namespace hloscope::bench
