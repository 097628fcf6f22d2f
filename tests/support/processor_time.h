// SPDX-License-Identifier: Apache-2.0
// Time that threads spent computing, whatever else the machine does.
#ifndef HLOSCOPE_TESTS_SUPPORT_PROCESSOR_TIME_H_
#define HLOSCOPE_TESTS_SUPPORT_PROCESSOR_TIME_H_

#include <ctime>

namespace hloscope {

inline double SecondsOfClock(clockid_t clock) {
  timespec time = {};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// Seconds of the calling thread since its start.
inline double ProcessorSeconds() { return SecondsOfClock(CLOCK_THREAD_CPUTIME_ID); }

// Seconds of all threads of the process since its start: what is divided among them counts in full.
inline double ProcessSeconds() { return SecondsOfClock(CLOCK_PROCESS_CPUTIME_ID); }

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_SUPPORT_PROCESSOR_TIME_H_
