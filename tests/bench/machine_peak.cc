// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/machine_peak.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/analysis/call_graph.h"
#include "core/analysis/cost.h"
#include "numerics/data_movement/past_cache.h"
#include "numerics/data_movement/run_ahead.h"
#include "numerics/parallel/cpu_level.h"
#include "numerics/parallel/vector_loops.h"
#include "tests/bench/bench_clock.h"

#ifdef HLOSCOPE_AVX512_FUNCTION
#include <immintrin.h>
#endif

namespace hloscope::bench {
namespace {

constexpr int kAttempts = 10;
constexpr int64_t kChainSteps = 1 << 23;
constexpr int64_t kMiB = int64_t{1} << 20;
constexpr int64_t kMemoryBytes = 256 * kMiB;  // of an array that no cache holds
constexpr int64_t kCacheBytes = 8 * kMiB;     // of one that the last level holds and the second one does not
constexpr int64_t kMemoryRounds = 4, kCacheRounds = 32;
constexpr int64_t kLine = 64;

// As many sums side by side as hide the latency of two units.
constexpr int kChains = 10, kWideChains = 16;  // 16 and 32 registers

struct Units {
  double flops_of_step;
  float (*run)(int64_t steps);
};

HLOSCOPE_VECTOR_CLONES float AddProducts(int64_t steps) {
  typedef float Vector __attribute__((vector_size(32)));
  Vector sums[kChains];
  for (int c = 0; c < kChains; ++c) sums[c] = static_cast<float>(c) - Vector{};
  const Vector factor = 0.999f - Vector{}, term = 0.001f - Vector{};
  for (int64_t i = 0; i < steps; ++i) {
#pragma GCC unroll 16
    for (int c = 0; c < kChains; ++c) sums[c] = sums[c] * factor + term;
  }
  Vector sum = {};
  for (const Vector& s : sums) sum += s;
  return sum[0];
}

#ifdef HLOSCOPE_AVX512_FUNCTION
HLOSCOPE_AVX512_FUNCTION float AddProductsWide(int64_t steps) {
  __m512 sums[kWideChains];
  for (int c = 0; c < kWideChains; ++c) sums[c] = _mm512_set1_ps(static_cast<float>(c));
  const __m512 factor = _mm512_set1_ps(0.999f), term = _mm512_set1_ps(0.001f);
  for (int64_t i = 0; i < steps; ++i) {
#pragma GCC unroll 16
    for (int c = 0; c < kWideChains; ++c) sums[c] = _mm512_fmadd_ps(sums[c], factor, term);
  }
  for (int c = 1; c < kWideChains; ++c) sums[0] = _mm512_add_ps(sums[0], sums[c]);
  return _mm512_cvtss_f32(sums[0]);
}

__attribute__((target("arch=x86-64-v4,avx512bf16"))) float AddPairsOfProducts(int64_t steps) {
  __m512 sums[kWideChains];
  for (int c = 0; c < kWideChains; ++c) sums[c] = _mm512_set1_ps(static_cast<float>(c));
  const __m512bh pairs = reinterpret_cast<__m512bh>(_mm512_set1_epi16(0x3c00));
  for (int64_t i = 0; i < steps; ++i) {
#pragma GCC unroll 16
    for (int c = 0; c < kWideChains; ++c) sums[c] = _mm512_dpbf16_ps(sums[c], pairs, pairs);
  }
  for (int c = 1; c < kWideChains; ++c) sums[0] = _mm512_add_ps(sums[0], sums[c]);
  return _mm512_cvtss_f32(sums[0]);
}
#endif

Units FloatUnits() {
#ifdef HLOSCOPE_AVX512_FUNCTION
  if (numerics::BestCpuLevel() == numerics::CpuLevel::kAvx512) return {kWideChains * 16 * 2, &AddProductsWide};
#endif
  return {kChains * 8 * 2, &AddProducts};
}

Units Bf16Units() {
#ifdef HLOSCOPE_AVX512_FUNCTION
  if (numerics::BestCpuLevel() == numerics::CpuLevel::kAvx512 && __builtin_cpu_supports("avx512bf16") != 0) {
    return {kWideChains * 32 * 2, &AddPairsOfProducts};
  }
#endif
  return FloatUnits();
}

HLOSCOPE_VECTOR_CLONES uint64_t Read(const uint64_t* from, int64_t count) {
  constexpr int64_t kPiece = 512;
  uint64_t bits = 0;
  for (int64_t first = 0; first < count; first += kPiece) {
    const int64_t end = std::min(first + kPiece, count);
    numerics::FetchAhead(from + first, end - first);  // as the loops that are measured do
    HLOSCOPE_INDEPENDENT_LANES
    for (int64_t i = first; i < end; ++i) bits |= from[i];
  }
  return bits;
}

// An array in huge pages, written to.
class Array {
 public:
  explicit Array(int64_t bytes) : data_(static_cast<uint64_t*>(std::aligned_alloc(2 * kMiB, bytes))) {
    madvise(data_, bytes, MADV_HUGEPAGE);
    std::memset(data_, 1, bytes);
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() { std::free(data_); }
  uint64_t* data() { return data_; }

 private:
  uint64_t* data_;
};

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

// The C library reports that of all processors of a machine, not of those that share it.
double LastLevelBytes() {
  std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index3/size");
  double size = 0;
  char unit = 0;
  if (!(file >> size >> unit)) return 0;
  return size * static_cast<double>(unit == 'M' ? kMiB : int64_t{1} << 10);
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
  const auto flops = [&](const Units& units) {
    return Rate(threads, units.flops_of_step * kChainSteps, [&](int) { sink = sink + units.run(kChainSteps); });
  };
  peak.flops = flops(FloatUnits());
  peak.bf16_flops = std::max(peak.flops, flops(Bf16Units()));
  Array from(kMemoryBytes), to(kMemoryBytes);
  volatile uint64_t bits = 0;
  const auto share_of = [&](int64_t bytes) { return bytes / threads / kLine * kLine; };
  const auto read = [&](int64_t bytes, int64_t rounds) {
    const int64_t share = share_of(bytes), words = share / static_cast<int64_t>(sizeof(uint64_t));
    return Rate(threads, static_cast<double>(share * rounds), [&, words, rounds](int thread) {
      for (int64_t r = 0; r < rounds; ++r) bits = bits | Read(from.data() + thread * words, words);
    });
  };
  const int64_t share = share_of(kMemoryBytes), words = share / static_cast<int64_t>(sizeof(uint64_t));
  const double copied = Rate(threads, 2.0 * static_cast<double>(share), [&](int thread) {
    numerics::CopyPastCache(reinterpret_cast<const uint8_t*>(from.data() + thread * words),
                            reinterpret_cast<uint8_t*>(to.data() + thread * words), share);
    numerics::FinishPastCache();
  });
  peak.bytes = std::max(read(kMemoryBytes, kMemoryRounds), copied);
  peak.cache_bytes = read(kCacheBytes, kCacheRounds);
  peak.cache_size = LastLevelBytes();
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
      const double flops = static_cast<double>(cost.Runs(id)) * static_cast<double>(cost.Of(instruction).flops);
      const ElementType type = module.shape(instruction).element_type();
      if (type == ElementType::kBF16) {
        work.bf16_flops += flops;
      } else {
        work.flops += type == ElementType::kF64 ? 2 * flops : flops;
      }
    }
  }
  for (InstructionId parameter : entry.parameters) work.bytes += Bytes(module.shape(parameter));
  work.bytes += Bytes(module.shape(entry.root));
  return work;
}

std::string BoundText(const MachinePeak& peak, const LeastWork& work, double seconds) {
  const double computing = work.flops / peak.flops + work.bf16_flops / peak.bf16_flops;
  const bool is_cached = work.bytes < peak.cache_size;
  const double moving = work.bytes / (is_cached ? peak.cache_bytes : peak.bytes);
  return absl::StrFormat("%.0f %% of %s", 100 * std::max(computing, moving) / seconds,
                         computing > moving ? "FLOP/s"
                         : is_cached        ? "cache"
                                            : "memory");
}

void ReportPeak(Report& report, const MachinePeak& peak) {
  report.Info("most that was measured, f32 operations", peak.flops * 1e-9, "GFLOP/s");
  report.Info("most that was measured, bf16 operations", peak.bf16_flops * 1e-9, "GFLOP/s");
  report.Info("most that was measured, memory", peak.bytes * 1e-9, "GB/s");
  report.Info("most that was measured, last level of the cache", peak.cache_bytes * 1e-9, "GB/s");
}

}  // namespace hloscope::bench
