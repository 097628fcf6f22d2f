// SPDX-License-Identifier: Apache-2.0
// Time that a thread spent computing, whatever else the machine does.
#ifndef HLOSCOPE_TESTS_SUPPORT_PROCESSOR_TIME_H_
#define HLOSCOPE_TESTS_SUPPORT_PROCESSOR_TIME_H_

#include <ctime>

namespace hloscope {

// Seconds of the calling thread since its start.
inline double ProcessorSeconds() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_SUPPORT_PROCESSOR_TIME_H_
