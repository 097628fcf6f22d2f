// SPDX-License-Identifier: Apache-2.0
// The `hloscope` command: picks the subcommand and guarantees an exit status, whatever the input.
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <new>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cli/arguments.h"
#include "cli/cancel_on_signal.h"
#include "cli/command.h"
#include "cli/help.h"
#include "cli/input.h"
#include "cli/man_page.h"
#include "cli/output.h"
#include "core/diagnostics/suggestions.h"
#include "memory_policy/memory_policy.h"

namespace hloscope::cli {
namespace {

// Without exceptions, a failed allocation would end in abort(). It is a limit like any other, also if several threads
// meet it: the first ends them all.
void ReportOutOfMemory() {
  static std::atomic_flag is_reported;
  while (is_reported.test_and_set()) pause();
  static constexpr char kMessage[] = "hloscope: out of memory\n";
  (void)!write(STDERR_FILENO, kMessage, sizeof(kMessage) - 1);
  _exit(kExitLimit);
}

int UnknownCommand(absl::string_view name) {
  std::vector<absl::string_view> names = {"help"};
  for (const Command* command : AllCommands()) names.push_back(command->name);
  const absl::string_view nearest = NearestName(name, names);
  WriteError(absl::StrCat("hloscope: unknown command `", name, "`",
                          nearest.empty() ? "" : absl::StrCat("; did you mean `", nearest, "`?"),
                          "\nTry `hloscope --help`.\n"));
  return kExitUsage;
}

// help [--man] [COMMAND]
int Help(const std::vector<std::string>& words) {
  const bool is_man_page = words.size() > 1 && words[1] == "--man";
  const size_t name = is_man_page ? 2 : 1;
  if (words.size() <= name) {
    WriteOutput(is_man_page ? GeneralManPage() : GeneralHelp());
    return kExitGood;
  }
  const Command* command = FindCommand(words[name]);
  if (command == nullptr) return UnknownCommand(words[name]);
  WriteOutput(is_man_page ? CommandManPage(*command) : CommandHelp(*command));
  return kExitGood;
}

int Run(const std::vector<std::string>& words) {
  if (words.empty()) {
    WriteError(GeneralHelp());
    return kExitUsage;
  }
  const std::string& first = words[0];
  if (first == "--version") {
    WriteOutput(VersionText());
    return kExitGood;
  }
  if (first == "help" || first == "--help" || first == "-h") return Help(words);
  const Command* command = FindCommand(first);
  if (command == nullptr) return UnknownCommand(first);
  const absl::StatusOr<Arguments> arguments = Arguments::Parse(*command, absl::MakeConstSpan(words).subspan(1));
  if (!arguments.ok()) return UsageError(*command, arguments.status().message());
  const absl::StatusOr<stablehlo::ImportOptions> program = ProgramOptions(*arguments);
  if (!program.ok()) return UsageError(*command, program.status().message());
  const absl::StatusOr<int64_t> memory = arguments->Bytes("memory-limit", 0);
  if (!memory.ok()) return UsageError(*command, memory.status().message());
  if (arguments->Switch("help")) {
    WriteOutput(CommandHelp(*command));
    return kExitGood;
  }
  return command->run(*arguments);
}

}  // namespace
}  // namespace hloscope::cli

int main(int argc, char** argv) {
  hloscope::memory_policy::SetUpMemory(hloscope::memory_policy::TextThreads::kMain);
  std::signal(SIGPIPE, SIG_IGN);  // a reader that went away shows as a failed write
  std::signal(SIGXFSZ, SIG_IGN);  // and so does a file that may not grow
  hloscope::cli::EndOnSignal();
  std::set_new_handler(hloscope::cli::ReportOutOfMemory);
  return hloscope::cli::FinishOutput(
      hloscope::cli::Run(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc)));
}
