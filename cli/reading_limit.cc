// SPDX-License-Identifier: Apache-2.0
#include "cli/reading_limit.h"

#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "cli/command.h"
#include "core/diagnostics/render.h"
#include "core/source/output_file.h"

namespace hloscope::cli {
namespace {

// What a signal handler writes. A longer path is cut off.
char message[4096];
size_t message_size = 0;

void EndReading(int) {
  (void)!write(STDERR_FILENO, message, message_size);
  OutputFile::RemoveUnfinished();
  _exit(kExitLimit);
}

void SetTimer(double seconds) {
  itimerval timer = {};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec = static_cast<suseconds_t>((seconds - std::floor(seconds)) * 1e6);
  setitimer(ITIMER_REAL, &timer, nullptr);
}

// Of the run alone: other commands have limits of the same name for what they start.
double TimeLimitOf(const Arguments& arguments) {
  constexpr double kLongest = 1e8;  // a timer takes no more, nor does anybody wait
  const absl::Span<const OptionSpec> options = arguments.command().options;
  const bool runs =
      std::any_of(options.begin(), options.end(), [](const OptionSpec& option) { return option.name == "step-limit"; });
  const double seconds = runs ? arguments.NonNegative("time-limit", 0).value_or(0) : 0;
  return seconds < kLongest ? seconds : 0;
}

}  // namespace

ReadingLimit::ReadingLimit(const Arguments& arguments, const std::string& path, double seconds_before)
    : seconds_before_(seconds_before) {
  const double limit = TimeLimitOf(arguments);
  if (limit <= 0) return;
  const std::string text = absl::StrCat("hloscope: ", OneLine(path).substr(0, sizeof(message) / 2),
                                        ": the time limit of ", limit, " seconds is over while the module is read\n");
  message_size = std::min(text.size(), sizeof(message));
  std::memcpy(message, text.data(), message_size);
  is_set_ = true;
  before_ = std::signal(SIGALRM, EndReading);
  SetTimer(std::max(limit - seconds_before, 1e-6));
}

ReadingLimit::~ReadingLimit() {
  if (!is_set_) return;
  SetTimer(0);
  std::signal(SIGALRM, before_);
}

double ReadingLimit::SecondsUsed() const {
  return seconds_before_ + std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

}  // namespace hloscope::cli
