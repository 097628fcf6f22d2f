// SPDX-License-Identifier: Apache-2.0
// docs/cli.md names every command with its usage and options as `hloscope help COMMAND` prints them, and no others.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/help.h"
#include "gtest/gtest.h"
#include "tests/support/shared_files.h"

namespace hloscope::cli {
namespace {

struct Section {
  std::string name, usage;
  std::set<std::string> options;  // as they are written: "--seed=S"
};

// The sections "## hloscope NAME" of the page: their first indented line, and the first column of their tables.
std::vector<Section> DocumentedCommands() {
  std::vector<Section> sections;
  bool is_command = false;
  const std::string page = ReadFileOrDie(absl::StrCat(HLOSCOPE_SOURCE_DIR, "/docs/cli.md"));
  for (absl::string_view line : absl::StrSplit(page, '\n')) {
    if (absl::StartsWith(line, "## ")) {
      is_command = absl::ConsumePrefix(&line, "## hloscope ");
      if (is_command) sections.push_back({std::string(line), "", {}});
    } else if (is_command && absl::StartsWith(line, "    ") && sections.back().usage.empty()) {
      sections.back().usage = std::string(line.substr(4));
    } else if (is_command && absl::StartsWith(line, "| `-")) {
      const absl::string_view cell = line.substr(3, line.find("` |") - 3);
      sections.back().options.insert(absl::StrReplaceAll(cell, {{"\\|", "|"}}));
    }
  }
  return sections;
}

// The options in the help text of a command, but for those of every command.
std::set<std::string> PrintedOptions(const Command& command) {
  std::set<std::string> common;
  for (const OptionSpec& option : CommonOptions()) common.insert(absl::StrCat("--", option.name));
  for (const OptionSpec& option : command.options) common.erase(absl::StrCat("--", option.name));
  std::set<std::string> options;
  const std::string help = CommandHelp(command);
  const size_t begin = help.find("\noptions:\n");
  const size_t end = help.find("\n\n", begin + 1);
  for (absl::string_view line : absl::StrSplit(absl::string_view(help).substr(begin, end - begin), '\n')) {
    if (!absl::StartsWith(line, "  -")) continue;
    line.remove_prefix(2);
    const std::string option(line.substr(0, line.find("  ")));
    if (!common.contains(option.substr(0, option.find('=')))) options.insert(option);
  }
  return options;
}

TEST(CommandDocument, NamesEveryCommandInOrder) {
  std::vector<std::string> documented, known;
  for (const Section& section : DocumentedCommands()) documented.push_back(section.name);
  for (const Command* command : AllCommands()) known.emplace_back(command->name);
  EXPECT_EQ(documented, known);
}

TEST(CommandDocument, HasTheOptionsThatHelpPrints) {
  for (const Section& section : DocumentedCommands()) {
    const Command* command = FindCommand(section.name);
    if (command == nullptr) continue;  // reported above
    EXPECT_EQ(absl::StrJoin(section.options, "\n"), absl::StrJoin(PrintedOptions(*command), "\n")) << section.name;
    const std::string usage = absl::StrCat("hloscope ", command->name, " [options] ", command->operands);
    EXPECT_EQ(section.usage, absl::StripTrailingAsciiWhitespace(usage));
  }
}

TEST(CommandDocument, SaysWhatEachExitStatusMeans) {
  const std::string page = ReadFileOrDie(absl::StrCat(HLOSCOPE_SOURCE_DIR, "/docs/cli.md"));
  for (ExitStatus status : {kExitGood, kExitBadInput, kExitUsage, kExitLimit}) {
    EXPECT_TRUE(absl::StrContains(page, absl::StrCat("\n| ", static_cast<int>(status), " | "))) << status;
  }
}

// What README.md shows after `build/bin/hloscope`, as words; comments left out.
std::vector<std::vector<std::string>> ReadmeCommandLines() {
  std::vector<std::vector<std::string>> lines;
  const std::string page = ReadFileOrDie(absl::StrCat(HLOSCOPE_SOURCE_DIR, "/README.md"));
  for (absl::string_view line : absl::StrSplit(page, '\n')) {
    constexpr absl::string_view kProgram = "build/bin/hloscope ";
    const size_t at = line.find(kProgram);
    if (!absl::StartsWith(line, "    ") || at == absl::string_view::npos) continue;
    line.remove_prefix(at + kProgram.size());
    line = line.substr(0, line.find(" #"));
    lines.push_back(absl::StrSplit(line.substr(0, line.find(" -- ")), ' ', absl::SkipEmpty()));
  }
  return lines;
}

TEST(CommandDocument, TheReadmeShowsCommandsAndOptionsThatExist) {
  std::set<std::string> shown;
  for (const std::vector<std::string>& words : ReadmeCommandLines()) {
    ASSERT_FALSE(words.empty());
    shown.insert(words[0]);
    if (words[0] == "help") continue;
    const Command* const command = FindCommand(words[0]);
    ASSERT_NE(command, nullptr) << words[0];
    for (const std::string& word : words) {
      absl::string_view option = word;
      if (!absl::ConsumePrefix(&option, "--")) continue;
      option = option.substr(0, option.find('='));
      const bool exists = std::any_of(command->options.begin(), command->options.end(),
                                      [&](const OptionSpec& spec) { return spec.name == option; });
      EXPECT_TRUE(exists) << words[0] << " " << word;
    }
  }
  EXPECT_GE(shown.size(), 15u);
}

}  // namespace
}  // namespace hloscope::cli
