// SPDX-License-Identifier: Apache-2.0
// --time-limit for what comes before a run: reading its module.
#ifndef HLOSCOPE_CLI_READING_LIMIT_H_
#define HLOSCOPE_CLI_READING_LIMIT_H_

#include <chrono>
#include <string>

#include "cli/arguments.h"

namespace hloscope::cli {

// While one of these lives in a command that runs modules, the end of its time limit ends the process with kExitLimit
// and a message: nothing that reads has to ask, however large a line, a proto or an archive is. One at a time.
class ReadingLimit {
 public:
  // `path`: what is read, for the message. `seconds_before`: of the limit, what is used up.
  ReadingLimit(const Arguments& arguments, const std::string& path, double seconds_before);
  ~ReadingLimit();
  ReadingLimit(const ReadingLimit&) = delete;
  ReadingLimit& operator=(const ReadingLimit&) = delete;

  // With those before.
  double SecondsUsed() const;

 private:
  const double seconds_before_;
  bool is_set_ = false;
  void (*before_)(int) = nullptr;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_READING_LIMIT_H_
