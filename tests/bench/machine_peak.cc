// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/machine_peak.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/analysis/call_graph.h"
#include "core/analysis/cost.h"
#include "numerics/parallel/vector_loops.h"
#include "tests/bench/bench_clock.h"

namespace hloscope::bench {
namespace {

constexpr int kAttempts = 5;
constexpr int64_t kChainSteps = 1 << 20;
constexpr int64_t kCopied = int64_t{1} << 25;  // elements of each array of the copy: 128 MiB

// As many sums side by side as hide the latency of two units. The widest vectors; narrower processors take several.
HLOSCOPE_VECTOR_CLONES float MultiplyAndAdd(int64_t steps) {
  typedef float Vector __attribute__((vector_size(64)));
  constexpr int kChains = 10;
  Vector sums[kChains];
  for (int c = 0; c < kChains; ++c) sums[c] = static_cast<float>(c) - Vector{};
  const Vector factor = 0.999f - Vector{}, term = 0.001f - Vector{};
  for (int64_t i = 0; i < steps; ++i) {
#pragma GCC unroll 10
    for (int c = 0; c < kChains; ++c) sums[c] = sums[c] * factor + term;
  }
  Vector sum = {};
  for (const Vector& s : sums) sum += s;
  return sum[0];
}
constexpr double kChainFlops = 10.0 * 16 * 2 * kChainSteps;

HLOSCOPE_VECTOR_CLONES void ScaleInto(const float* from, int64_t count, float* to) {
  HLOSCOPE_INDEPENDENT_LANES
  for (int64_t i = 0; i < count; ++i) to[i] = from[i] * 0.5f;
}

// `units` that `body` does in each of several threads, a second; the best attempt. Processor time is that of all
// threads together.
double Rate(int threads, double units, const std::function<void(int thread)>& body) {
  double least = 1e30;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const double start = ClockSeconds();
    std::vector<std::thread> others;
    for (int t = 1; t < threads; ++t) others.emplace_back(body, t);
    body(0);
    for (std::thread& other : others) other.join();
    least = std::min(least, ClockSeconds() - start);
  }
  return units * threads / least;
}

double Bytes(const Shape& shape) {
  double bytes = 0;
  if (shape.IsArray()) bytes += static_cast<double>(shape.ByteSize());
  if (shape.IsTuple()) {
    for (const Shape& part : shape.elements()) bytes += Bytes(part);
  }
  return bytes;
}

}  // namespace

MachinePeak MeasurePeak(int threads) {
  MachinePeak peak;
  volatile float sink = 0;
  peak.flops = Rate(threads, kChainFlops, [&](int) { sink = sink + MultiplyAndAdd(kChainSteps); });
  const auto from = std::make_unique<float[]>(kCopied), to = std::make_unique<float[]>(kCopied);
  const int64_t part = kCopied / threads;
  peak.bytes = Rate(threads, 2.0 * sizeof(float) * static_cast<double>(part),
                    [&](int thread) { ScaleInto(from.get() + thread * part, part, to.get() + thread * part); });
  return peak;
}

LeastWork LeastWorkOf(const Module& module) {
  const CallGraph calls(module);
  const Computation& entry = module.computation(module.entry());
  LeastWork work;
  const CostAnalysis cost(module, calls);
  for (size_t c = 0; c < module.computations().size(); ++c) {
    const ComputationId id(static_cast<uint32_t>(c));
    for (InstructionId instruction : module.computation(id).instructions) {
      const Opcode opcode = module.opcode(instruction);
      if (opcode != Opcode::kDot && opcode != Opcode::kConvolution) continue;
      work.flops += static_cast<double>(cost.Runs(id)) * static_cast<double>(cost.Of(instruction).flops);
    }
  }
  for (InstructionId parameter : entry.parameters) work.bytes += Bytes(module.shape(parameter));
  work.bytes += Bytes(module.shape(entry.root));
  return work;
}

std::string BoundText(const MachinePeak& peak, const LeastWork& work, double seconds) {
  const double computing = work.flops / peak.flops, moving = work.bytes / peak.bytes;
  return absl::StrFormat("%.0f %% of %s", 100 * std::max(computing, moving) / seconds,
                         computing > moving ? "FLOP/s" : "memory");
}

}  // namespace hloscope::bench
