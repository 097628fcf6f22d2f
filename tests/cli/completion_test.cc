// SPDX-License-Identifier: Apache-2.0
// Completion scripts, in the shells themselves where they are installed, and manual pages.
#include "cli/completion.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "cli/man_page.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/command_line.h"

namespace hloscope::cli {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;

bool IsInstalled(const std::string& program) {
  return std::system(absl::StrCat("command -v ", program, " >/dev/null 2>&1").c_str()) == 0;
}

// Words of what a command prints.
std::set<std::string> WordsOf(const std::string& command) {
  std::string text;
  FILE* const pipe = popen(command.c_str(), "r");
  char buffer[4096];
  for (size_t n; (n = fread(buffer, 1, sizeof(buffer), pipe)) > 0;) text.append(buffer, n);
  EXPECT_EQ(pclose(pipe), 0) << command;
  std::set<std::string> words;
  for (absl::string_view line : absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    words.insert(std::string(line.substr(0, line.find('\t'))));
  }
  return words;
}

class CompletionTest : public CommandLineTest {
 protected:
  std::string Script(const std::string& shell) {
    const Outcome outcome = RunHloscope({"completion", shell});
    EXPECT_EQ(outcome.exit_status, 0);
    const std::string path = absl::StrCat(directory_, "/script.", shell);
    std::ofstream(path) << outcome.output;
    return path;
  }

  // What bash offers for the last word. Bash itself takes an equals sign for a word.
  std::set<std::string> InBash(const std::string& script, const std::vector<std::string>& words) {
    return WordsOf(absl::StrCat(
        "cd ", directory_, " && bash -c 'source ", script, "; COMP_WORDS=(",
        absl::StrJoin(words, " ",
                      [](std::string* out, const std::string& word) { absl::StrAppend(out, "\"", word, "\""); }),
        "); COMP_CWORD=", words.size() - 1, "; _hloscope; printf \"%s\\n\" \"${COMPREPLY[@]}\"' 2>/dev/null"));
  }

  std::set<std::string> InFish(const std::string& script, const std::string& line) {
    return WordsOf(absl::StrCat("cd ", directory_, " && HOME=", directory_, " fish --no-config -c 'source ", script,
                                "; complete -C \"", line, "\"' 2>/dev/null"));
  }
};

TEST(CompletionOfTest, PlaceholdersSayWhatFits) {
  EXPECT_THAT(CompletionOf("auto|always|never").words, ::testing::ElementsAre("auto", "always", "never"));
  EXPECT_FALSE(CompletionOf("auto|always|never").files);
  EXPECT_TRUE(CompletionOf("DIR").files);
  EXPECT_TRUE(CompletionOf("N=PATH.npy").files);
  EXPECT_TRUE(CompletionOf("FILE [-- PROGRAM [ARGUMENT...]]").files);
  EXPECT_THAT(CompletionOf("tpu|linear|TILES").words, ::testing::ElementsAre("tpu", "linear"));
  for (const char* none : {"N", "BYTES", "NAME", "", "N,N,..."}) {
    EXPECT_FALSE(CompletionOf(none).files) << none;
    EXPECT_THAT(CompletionOf(none).words, IsEmpty()) << none;
  }
}

TEST_F(CompletionTest, BashOffersCommandsOptionsValuesAndFiles) {
  const std::string script = Script("bash");
  Module("HloModule m\n");
  EXPECT_THAT(InBash(script, {"hloscope", "comp"}), IsSupersetOf({"compare", "compile", "completion"}));
  EXPECT_THAT(InBash(script, {"hloscope", "comp"}), Not(Contains("check")));
  EXPECT_THAT(InBash(script, {"hloscope", "check", "--st"}), ::testing::ElementsAre("--stats", "--strict"));
  EXPECT_THAT(InBash(script, {"hloscope", "check", "--color", "=", "a"}), ::testing::ElementsAre("always", "auto"));
  EXPECT_THAT(InBash(script, {"hloscope", "check", "--color", "="}), Contains("never"));
  EXPECT_THAT(InBash(script, {"hloscope", "check", "--color", "n"}), ::testing::ElementsAre("never"));
  EXPECT_THAT(InBash(script, {"hloscope", "check", "mod"}), ::testing::ElementsAre("module.hlo"));
  EXPECT_THAT(InBash(script, {"hloscope", "run", "--args-dir", "=", "mod"}), ::testing::ElementsAre("module.hlo"));
  EXPECT_THAT(InBash(script, {"hloscope", "run", "--seed", "=", "m"}), IsEmpty());
  EXPECT_THAT(InBash(script, {"hloscope", "explain", "dynamic-up"}), ::testing::ElementsAre("dynamic-update-slice"));
  EXPECT_THAT(InBash(script, {"hloscope", "help", "chec"}), ::testing::ElementsAre("check"));
  EXPECT_THAT(InBash(script, {"hloscope", "completion", "f"}), ::testing::ElementsAre("fish"));
}

TEST_F(CompletionTest, FishOffersCommandsOptionsValuesAndFiles) {
  if (!IsInstalled("fish")) GTEST_SKIP() << "fish is not installed";
  const std::string script = Script("fish");
  Module("HloModule m\n");
  EXPECT_THAT(InFish(script, "hloscope co"), IsSupersetOf({"compare", "compile", "convert", "cost"}));
  EXPECT_THAT(InFish(script, "hloscope check --st"), IsSupersetOf({"--stats", "--strict"}));
  EXPECT_THAT(InFish(script, "hloscope check --color="), Contains(HasSubstr("never")));
  EXPECT_THAT(InFish(script, "hloscope check mod"), Contains("module.hlo"));
  EXPECT_THAT(InFish(script, "hloscope run --strict"), Not(Contains("--strict")));
}

TEST_F(CompletionTest, ZshReadsItsScript) {
  if (!IsInstalled("zsh")) GTEST_SKIP() << "zsh is not installed";
  // Reading it as a function body finds quotes that do not match; running it needs the line editor.
  EXPECT_EQ(std::system(absl::StrCat("zsh -f -n ", Script("zsh")).c_str()), 0);
}

TEST_F(CompletionTest, NamesEveryOptionOfEveryCommand) {
  for (const std::string& text : {BashCompletion(), ZshCompletion(), FishCompletion()}) {
    for (const Command* command : AllCommands()) {
      EXPECT_THAT(text, HasSubstr(std::string(command->name)));
      for (const OptionSpec& option : command->options) {
        EXPECT_TRUE(absl::StrContains(text, absl::StrCat("-", option.name)) ||
                    absl::StrContains(text, absl::StrCat(" ", option.name, " ")))
            << command->name << " " << option.name;
      }
    }
  }
  EXPECT_EQ(RunHloscope({"completion", "csh"}).exit_status, 2);
}

TEST_F(CompletionTest, ManPagesNameEverythingAndFormat) {
  std::vector<std::string> pages = {GeneralManPage()};
  for (const Command* command : AllCommands()) {
    EXPECT_THAT(pages[0], HasSubstr(absl::StrCat("hloscope ", absl::StrReplaceAll(command->name, {{"-", "\\-"}}))));
    pages.push_back(CommandManPage(*command));
    for (const OptionSpec& option : command->options) {
      EXPECT_THAT(pages.back(), HasSubstr(absl::StrReplaceAll(option.name, {{"-", "\\-"}}))) << command->name;
    }
  }
  EXPECT_EQ(RunHloscope({"help", "--man"}).output, pages[0]);
  EXPECT_EQ(RunHloscope({"help", "--man", "check"}).output, pages[1]);
  if (!IsInstalled("groff")) GTEST_SKIP() << "groff is not installed";
  for (size_t i = 0; i < pages.size(); ++i) {
    const std::string path = absl::StrCat(directory_, "/page.1");
    std::ofstream(path) << pages[i];
    EXPECT_THAT(WordsOf(absl::StrCat("groff -man -ww -z ", path, " 2>&1")), IsEmpty()) << i;
  }
}

class BugReportTest : public CommandLineTest {};

TEST_F(BugReportTest, SaysWhatItIsAboutAndKeepsNamesForItself) {
  const std::string path = Module(
      "HloModule geheim\n\nENTRY private_entry {\n  secret = f32[2] parameter(0)\n"
      "  ROOT hidden = f32[2] negate(secret), metadata={op_name=\"jit(confidential)\"}\n}\n");
  const Outcome plain = RunHloscope({"bug-report", path});
  EXPECT_EQ(plain.exit_status, 0);
  for (const char* part : {"| version | hloscope ", "| kernel | ", "| instructions | 2 |", "1 x negate", "2 x f32"}) {
    EXPECT_THAT(plain.output, HasSubstr(part));
  }
  for (const char* name : {"geheim", "private_entry", "secret", "hidden", "confidential"}) {
    EXPECT_THAT(plain.output, Not(HasSubstr(name)));
  }
  const Outcome with_module = RunHloscope({"bug-report", "--with-module", path});
  EXPECT_THAT(with_module.output, HasSubstr("negate("));
  for (const char* name : {"secret", "hidden", "confidential"}) EXPECT_THAT(with_module.output, Not(HasSubstr(name)));
}

TEST_F(BugReportTest, VariablesStayInTheirCellsAndKeepTheHomeDirectoryForThemselves) {
  const char* const home = getenv("HOME");
  const std::string before = home == nullptr ? "" : home;
  setenv("HOME", "/home/confidential/", 1);
  setenv("HLOSCOPE_OF_THIS_TEST", "/home/confidential/a|b", 1);
  const Outcome outcome = RunHloscope({"bug-report"});
  unsetenv("HLOSCOPE_OF_THIS_TEST");
  setenv("HOME", before.c_str(), 1);
  EXPECT_THAT(outcome.output, HasSubstr("| HLOSCOPE_OF_THIS_TEST | ~/a\\|b |\n"));
  EXPECT_THAT(outcome.output, Not(HasSubstr("confidential")));
}

TEST_F(BugReportTest, WorksWithoutAModuleAndWithABadOne) {
  EXPECT_EQ(RunHloscope({"bug-report"}).exit_status, 0);
  EXPECT_EQ(RunHloscope({"bug-report", "--with-module"}).exit_status, 2);
  const Outcome missing = RunHloscope({"bug-report", directory_ + "/none.hlo"});
  EXPECT_EQ(missing.exit_status, 1);
  EXPECT_THAT(missing.output, HasSubstr("| version |"));
  const Outcome wrong = RunHloscope({"bug-report", Module("ENTRY e { ROOT p = f32[2] nosuch(q) }")});
  EXPECT_EQ(wrong.exit_status, 0);
  EXPECT_THAT(wrong.output, HasSubstr("unknown-opcode"));
  EXPECT_THAT(wrong.output, Not(HasSubstr("nosuch")));
  const Outcome file = RunHloscope({"bug-report", "-o", Out()});
  EXPECT_EQ(file.exit_status, 0) << file.errors;
  EXPECT_EQ(file.output, "");
}

}  // namespace
}  // namespace hloscope::cli
