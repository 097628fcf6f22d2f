// SPDX-License-Identifier: Apache-2.0
// Times the stages of reading a text.
#ifndef HLOSCOPE_CORE_DOCUMENT_STAGE_CLOCK_H_
#define HLOSCOPE_CORE_DOCUMENT_STAGE_CLOCK_H_

#include <chrono>

namespace hloscope {

class StageClock {
 public:
  // Seconds since the last call.
  double Lap() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_DOCUMENT_STAGE_CLOCK_H_
