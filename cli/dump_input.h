// SPDX-License-Identifier: Apache-2.0
// Folders of dumps on the command line.
#ifndef HLOSCOPE_CLI_DUMP_INPUT_H_
#define HLOSCOPE_CLI_DUMP_INPUT_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "cli/arguments.h"
#include "insight/passes/stages.h"

namespace hloscope::cli {

struct DumpInput {
  std::string folder, module;  // path; name of the module
  int64_t id = -1;
  std::vector<insight::Stage> stages;  // not empty
};

// The stages of the folder's module, or of the one that --module names, by its number in the list of `hloscope open` or
// by its name. A module of one stage does not count if there is one with more. Nothing after a message on standard
// error.
std::optional<DumpInput> ReadDump(const Arguments& arguments, const std::string& folder);

// The stage that a user names: by its order or by its name. Nothing after a message.
std::optional<size_t> FindStage(const DumpInput& input, absl::string_view command, const std::string& name);

// While one of these lives and standard error is a terminal, a line there says what is done.
class StatusLine {
 public:
  StatusLine();
  ~StatusLine();
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;
  void Show(absl::string_view text);

 private:
  const bool is_shown_;
};

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_DUMP_INPUT_H_
