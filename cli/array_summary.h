// SPDX-License-Identifier: Apache-2.0
// An array in one line of text, within the time that there is for it.
#ifndef HLOSCOPE_CLI_ARRAY_SUMMARY_H_
#define HLOSCOPE_CLI_ARRAY_SUMMARY_H_

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

#include "evaluator/tensor/summary.h"
#include "evaluator/tensor/tensor.h"

namespace hloscope::cli {

// Becomes true when some seconds are over, unless it is gone by then.
class TimeIsUp {
 public:
  explicit TimeIsUp(double seconds) : over_(seconds <= 0) {
    if (over_) return;
    thread_ = std::thread([this, seconds] {
      std::unique_lock<std::mutex> lock(mutex_);
      if (!changed_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return gone_; })) over_ = true;
    });
  }
  TimeIsUp(const TimeIsUp&) = delete;
  TimeIsUp& operator=(const TimeIsUp&) = delete;
  ~TimeIsUp() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      gone_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
  }
  const std::atomic<bool>& over() const { return over_; }

 private:
  std::atomic<bool> over_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool gone_ = false;
  std::thread thread_;
};

// How much of arrays is looked at when the time for it is over: the first elements, of all arrays together.
struct SummaryBudget {
  const std::atomic<bool>* over = nullptr;  // null: there is time enough
  int64_t elements_left = evaluator::kBriefSummary;
};

// "f32[2,3]  min 0  max 5  mean 2.5", with the numbers of NaNs and infinities. All elements count while there is time,
// and the first ones in any case.
std::string ArrayLine(const evaluator::Tensor& tensor, SummaryBudget* budget);

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_ARRAY_SUMMARY_H_
