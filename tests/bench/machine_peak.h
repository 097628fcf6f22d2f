// SPDX-License-Identifier: Apache-2.0
// What this machine can do at the moment: the two bounds of array programs.
#ifndef HLOSCOPE_TESTS_BENCH_MACHINE_PEAK_H_
#define HLOSCOPE_TESTS_BENCH_MACHINE_PEAK_H_

#include <string>

#include "core/ir/module.h"
#include "tests/bench/bench.h"

namespace hloscope::bench {

struct MachinePeak {
  double flops = 0;        // f32 operations a second, fused ones as two
  double bf16_flops = 0;   // operations on bf16 with sums of f32; those of f32 where pairs take longer
  double bytes = 0;        // read a second, or read and written, of arrays that no cache holds
  double cache_bytes = 0;  // read a second from the last level of the cache
  double cache_size = 0;   // of that level, in bytes; 0: not known
};

// The best of some attempts, on `threads` threads by the clock of the rows.
MachinePeak MeasurePeak(int threads);

// What a module cannot do without: the operations of its products and convolutions (others take fewer than they are
// written with, or are bound by memory); its arguments read and its results written, once each.
struct LeastWork {
  double flops = 0;  // of f32; one of f64 counts as two
  double bf16_flops = 0, bytes = 0;
};
LeastWork LeastWorkOf(const Module& module);

// The bound that is met first and which share of it `seconds` reach: "62 % of FLOP/s", "80 % of memory" or, where all
// bytes fit into the last level of the cache, "50 % of cache".
std::string BoundText(const MachinePeak& peak, const LeastWork& work, double seconds);

void ReportPeak(Report& report, const MachinePeak& peak);

}  // namespace hloscope::bench

#endif  // HLOSCOPE_TESTS_BENCH_MACHINE_PEAK_H_
