// SPDX-License-Identifier: Apache-2.0
// How a process waits for messages of others.
#ifndef HLOSCOPE_EVALUATOR_DEVICES_GROWING_PAUSE_H_
#define HLOSCOPE_EVALUATOR_DEVICES_GROWING_PAUSE_H_

#include <time.h>

#include <algorithm>

namespace hloscope::evaluator {

// A pause that grows: processes may share a processor with those that they wait for.
class GrowingPause {
 public:
  void Sleep() {
    const struct timespec time = {0, microseconds_ * 1000};
    nanosleep(&time, nullptr);
    microseconds_ = std::min(2 * microseconds_, kMost);
  }
  void Reset() { microseconds_ = 1; }

 private:
  static constexpr long kMost = 500;
  long microseconds_ = 1;
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_DEVICES_GROWING_PAUSE_H_
