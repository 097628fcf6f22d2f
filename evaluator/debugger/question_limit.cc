// SPDX-License-Identifier: Apache-2.0
#include "evaluator/debugger/question_limit.h"

#include "absl/strings/str_cat.h"

namespace hloscope::evaluator {

bool QuestionLimit::Look() {
  if (is_over_) return true;
  was_interrupted_ = interrupted_ != nullptr && interrupted_->load(std::memory_order_relaxed);
  is_over_ =
      was_interrupted_ || (seconds_ > 0 && std::chrono::duration<double>(Clock::now() - start_).count() > seconds_);
  return is_over_;
}

absl::Status QuestionLimit::status() const {
  if (!is_over_) return absl::OkStatus();
  if (was_interrupted_) return absl::CancelledError("interrupted");
  return absl::ResourceExhaustedError(
      absl::StrCat("looking at the elements took longer than the time limit of ", seconds_, " seconds"));
}

}  // namespace hloscope::evaluator
