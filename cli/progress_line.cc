// SPDX-License-Identifier: Apache-2.0
#include "cli/progress_line.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "cli/output.h"

namespace hloscope::cli {
namespace {

constexpr std::chrono::milliseconds kFirst{1000}, kEvery{250};

std::string Grouped(int64_t number) {
  std::string digits = absl::StrCat(number);
  for (int64_t at = static_cast<int64_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<size_t>(at), 1, ',');
  return digits;
}

std::string FlopText(int64_t flops) {
  static constexpr const char* kPrefixes[] = {"", "k", "M", "G", "T", "P", "E"};
  double value = static_cast<double>(flops);
  size_t k = 0;
  for (; value >= 1000 && k + 1 < std::size(kPrefixes); ++k) value /= 1000;
  return absl::StrFormat("%.3g %sFLOP", value, kPrefixes[k]);
}

std::string Duration(double seconds) {
  if (seconds < 90) return absl::StrFormat("%.0f s", std::max(1.0, seconds));
  if (seconds < 90 * 60) return absl::StrFormat("%.0f min", seconds / 60);
  return absl::StrFormat("%.1f h", seconds / 3600);
}

}  // namespace

std::string ProgressText(int64_t steps, int64_t flops, int64_t total_flops, double seconds) {
  std::string text = absl::StrCat(Grouped(steps), " instructions");
  if (total_flops <= 0 || flops <= 0) return absl::StrCat(text, ", ", Duration(seconds));
  const double done = static_cast<double>(flops) / static_cast<double>(total_flops);
  // Loops of unknown length make more operations than were counted on.
  if (done > 1) return absl::StrCat(text, ", ", FlopText(flops), ", ", Duration(seconds));
  absl::StrAppendFormat(&text, ", %.0f %% of %s", 100 * done, FlopText(total_flops));
  if (done >= 0.01) absl::StrAppend(&text, ", about ", Duration(seconds * (1 - done) / done), " left");
  return text;
}

ProgressLine::ProgressLine(const evaluator::RunProgress& progress, int64_t total_flops)
    : progress_(progress), total_flops_(total_flops) {
  if (IsTerminal(STDERR_FILENO)) thread_ = std::thread([this] { Show(); });
}

ProgressLine::~ProgressLine() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    end_ = true;
  }
  ended_.notify_one();
  thread_.join();
}

void ProgressLine::Show() {
  const auto start = std::chrono::steady_clock::now();
  std::unique_lock<std::mutex> lock(mutex_);
  bool shown = false;
  while (!ended_.wait_for(lock, shown ? kEvery : kFirst, [this] { return end_; })) {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::string text = ProgressText(progress_.steps.load(std::memory_order_relaxed),
                                    progress_.flops.load(std::memory_order_relaxed), total_flops_, seconds);
    if (const int64_t making = progress_.making.load(std::memory_order_relaxed); making >= 0) {
      text = absl::StrCat("making the value of parameter ", making, "; ", text);
    }
    text.resize(std::min(text.size(), static_cast<size_t>(std::max(20, TerminalWidth(STDERR_FILENO) - 1))));
    WriteError(absl::StrCat("\r\x1b[K", text));
    shown = true;
  }
  if (shown) WriteError("\r\x1b[K");
}

}  // namespace hloscope::cli
