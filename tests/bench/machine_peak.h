// SPDX-License-Identifier: Apache-2.0
// What this machine can do at the moment: the two bounds of array programs.
#ifndef HLOSCOPE_TESTS_BENCH_MACHINE_PEAK_H_
#define HLOSCOPE_TESTS_BENCH_MACHINE_PEAK_H_

#include <string>

#include "core/ir/module.h"

namespace hloscope::bench {

struct MachinePeak {
  double flops = 0;  // f32 operations a second, fused ones as two
  double bytes = 0;  // read and written a second, of arrays that no cache holds
};

// The best of some attempts, on `threads` threads by the clock of the rows.
MachinePeak MeasurePeak(int threads);

// What a module cannot do without: the operations of its products and convolutions (others take fewer than they are
// written with, or are bound by memory); its arguments read and its results written, once each.
struct LeastWork {
  double flops = 0, bytes = 0;
};
LeastWork LeastWorkOf(const Module& module);

// The bound that is met first and which share of it `seconds` reach: "62 % of FLOP/s" or "80 % of memory".
std::string BoundText(const MachinePeak& peak, const LeastWork& work, double seconds);

}  // namespace hloscope::bench

#endif  // HLOSCOPE_TESTS_BENCH_MACHINE_PEAK_H_
