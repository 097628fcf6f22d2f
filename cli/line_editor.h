// SPDX-License-Identifier: Apache-2.0
// Reading lines from somebody at a terminal, with editing, history and completion.
#ifndef HLOSCOPE_CLI_LINE_EDITOR_H_
#define HLOSCOPE_CLI_LINE_EDITOR_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace hloscope::cli {

// One at a time.
class LineEditor {
 public:
  // Gets the line up to the end of the word to be completed, and returns the words that fit there.
  using Completer = std::function<std::vector<std::string>(absl::string_view line)>;

  // Keeps the lines of earlier sessions in `history_path`; empty: nowhere.
  LineEditor(std::string history_path, Completer completer);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  // Nothing at the end of the input.
  std::optional<std::string> Read(const std::string& prompt);

 private:
  const std::string history_path_;
};

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_LINE_EDITOR_H_
