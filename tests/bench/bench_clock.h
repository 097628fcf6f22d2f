// SPDX-License-Identifier: Apache-2.0
// The clock of rows that are measured beside peers.
#ifndef HLOSCOPE_TESTS_BENCH_BENCH_CLOCK_H_
#define HLOSCOPE_TESTS_BENCH_BENCH_CLOCK_H_

#include <cstdlib>
#include <cstring>
#include <ctime>

namespace hloscope::bench {

// HLOSCOPE_BENCH_CLOCK=processor: the time of the processor, of all threads together, instead of elapsed time. With one
// thread it says on a machine that does other work too what elapsed time says on a quiet one.
inline bool CountsProcessorTime() {
  const char* const clock = std::getenv("HLOSCOPE_BENCH_CLOCK");
  return clock != nullptr && std::strcmp(clock, "processor") == 0;
}

inline double ClockSeconds() {
  static const clockid_t clock = CountsProcessorTime() ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
  timespec now = {};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

}  // namespace hloscope::bench

#endif  // HLOSCOPE_TESTS_BENCH_BENCH_CLOCK_H_
