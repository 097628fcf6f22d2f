// SPDX-License-Identifier: Apache-2.0
// How long looking at values may take.
#ifndef HLOSCOPE_EVALUATOR_DEBUGGER_QUESTION_LIMIT_H_
#define HLOSCOPE_EVALUATOR_DEBUGGER_QUESTION_LIMIT_H_

#include <atomic>
#include <chrono>
#include <cstdint>

#include "absl/status/status.h"

namespace hloscope::evaluator {

// Of one question, from its construction on.
class QuestionLimit {
 public:
  QuestionLimit() = default;  // none
  // `seconds`: 0 for no limit. `interrupted`: ends the question once it is true; may be null, must outlive it.
  QuestionLimit(double seconds, const std::atomic<bool>* interrupted) : seconds_(seconds), interrupted_(interrupted) {}

  // To be asked at each element of a loop: looks at the clock only now and then. Stays true.
  bool IsOver() {
    if (is_over_ || ++asked_ % kBetweenLooks != 0) return is_over_;
    return Look();
  }
  // Looks at once.
  bool Look();
  // Errors: Cancelled after an interruption, ResourceExhausted after the time, both once IsOver() is true.
  absl::Status status() const;

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr uint32_t kBetweenLooks = 1024;

  double seconds_ = 0;
  const std::atomic<bool>* interrupted_ = nullptr;
  Clock::time_point start_ = Clock::now();
  uint32_t asked_ = 0;
  bool is_over_ = false, was_interrupted_ = false;
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_DEBUGGER_QUESTION_LIMIT_H_
