// SPDX-License-Identifier: Apache-2.0
#include "cli/help.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cli/arguments.h"

namespace hloscope::cli {
namespace {

std::string OptionHelp(absl::Span<const OptionSpec> options) {
  std::string text;
  for (const OptionSpec& option : options) {
    const bool is_letter = option.name.size() == 1;
    std::string left = absl::StrCat(is_letter ? "  -" : "  --", option.name);
    if (option.kind == OptionKind::kValue) absl::StrAppend(&left, is_letter ? " " : "=", option.placeholder);
    if (option.kind == OptionKind::kChoice) absl::StrAppend(&left, "[=", option.placeholder, "]");
    constexpr size_t kHelpColumn = 34;
    if (left.size() + 2 > kHelpColumn) {
      absl::StrAppend(&text, left, "\n", std::string(kHelpColumn, ' '), option.help, "\n");
    } else {
      absl::StrAppend(&text, left, std::string(kHelpColumn - left.size(), ' '), option.help, "\n");
    }
  }
  return text;
}

}  // namespace

std::string GeneralHelp() {
  std::string text =
      "hloscope: checks, prints, evaluates and draws XLA HLO modules\n\n"
      "usage: hloscope COMMAND [options] [operands]\n\ncommands:\n";
  size_t width = 0;
  for (const Command* command : AllCommands()) width = std::max(width, command->name.size());
  for (const Command* command : AllCommands()) {
    absl::StrAppend(&text, "  ", command->name, std::string(width + 2 - command->name.size(), ' '), command->summary,
                    "\n");
  }
  absl::StrAppend(
      &text,
      "\n`hloscope help COMMAND` explains a command. `-` as a file name is standard input. Results go to "
      "standard output,\ndiagnostics to standard error. Exit status: 0 good; 1 the input is bad or a comparison "
      "differs; 2 wrong usage;\n3 a limit was hit or the run was cancelled.\n\noptions:\n"
      "  --version                       the version\n"
      "  --help                          this text\n");
  return text;
}

std::string CommandHelp(const Command& command) {
  // A command may have an option of its own in place of one that every command takes.
  std::vector<OptionSpec> common;
  for (const OptionSpec& option : CommonOptions()) {
    const auto same = [&](const OptionSpec& own) { return own.name == option.name; };
    if (std::none_of(command.options.begin(), command.options.end(), same)) common.push_back(option);
  }
  std::string text =
      absl::StrCat("hloscope ", command.name, ": ", command.summary, "\n\nusage: hloscope ", command.name,
                   " [options] ", command.operands, "\n\noptions:\n", OptionHelp(command.options), OptionHelp(common));
  if (!command.description.empty()) absl::StrAppend(&text, "\n", command.description, "\n");
  return text;
}

std::string VersionText() { return absl::StrCat("hloscope ", HLOSCOPE_VERSION, "\n"); }

}  // namespace hloscope::cli
