// SPDX-License-Identifier: Apache-2.0
// `hloscope completion`: scripts that complete command lines in a shell.
#include "cli/completion.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/output.h"

namespace hloscope::cli {
namespace {

int RunCompletion(const Arguments& arguments) {
  const std::string& shell = arguments.operands()[0];
  if (shell == "bash") {
    WriteOutput(BashCompletion());
  } else if (shell == "zsh") {
    WriteOutput(ZshCompletion());
  } else if (shell == "fish") {
    WriteOutput(FishCompletion());
  } else {
    return UsageError(CompletionCommand(), absl::StrCat("no script for `", shell, "`; there are bash, zsh and fish"));
  }
  return kExitGood;
}

}  // namespace

const Command& CompletionCommand() {
  static constexpr Command kCommand = {"completion",
                                       "bash|zsh|fish",
                                       "a script that completes command lines in a shell",
                                       "Packages install these scripts. Without a package:\n"
                                       "  bash: source <(hloscope completion bash)\n"
                                       "  zsh:  hloscope completion zsh > ~/.zfunc/_hloscope, for a folder of $fpath\n"
                                       "  fish: hloscope completion fish > ~/.config/fish/completions/hloscope.fish",
                                       {},
                                       1,
                                       1,
                                       RunCompletion};
  return kCommand;
}

}  // namespace hloscope::cli
