// SPDX-License-Identifier: Apache-2.0
#include "cli/man_page.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "cli/completion.h"

namespace hloscope::cli {
namespace {

// Text as roff shows it: no escapes, no requests, dashes that can be copied.
std::string Roff(absl::string_view text) {
  std::string out;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    if (!out.empty()) out += "\n";
    if (absl::StartsWith(line, ".") || absl::StartsWith(line, "'")) out += "\\&";
    out += absl::StrReplaceAll(line, {{"\\", "\\e"}, {"-", "\\-"}});
  }
  return out;
}

std::string Head(absl::string_view name, absl::string_view summary) {
  return absl::StrCat(".TH ", absl::AsciiStrToUpper(Roff(name)), " 1 \"\" \"HLOscope ", HLOSCOPE_VERSION,
                      "\" \"User Commands\"\n.SH NAME\n", Roff(name), " \\- ", Roff(summary), "\n");
}

// Lines as they are.
std::string Lines(absl::string_view text) { return absl::StrCat(".nf\n", Roff(text), "\n.fi\n"); }

constexpr absl::string_view kExitStatus =
    ".SH EXIT STATUS\n"
    ".TP\n0\ngood\n"
    ".TP\n1\nthe input is bad and diagnostics were printed, the run failed, or a comparison differs\n"
    ".TP\n2\nwrong usage\n"
    ".TP\n3\na limit was hit (memory, steps, time) or the run was cancelled\n";

}  // namespace

std::string GeneralManPage() {
  std::string text = Head("hloscope", "check, print, evaluate and draw XLA HLO modules");
  absl::StrAppend(&text,
                  ".SH SYNOPSIS\n.B hloscope\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR] [\\fIOPERANDS\\fR]\n"
                  ".SH DESCRIPTION\nEach command has a page of its own: \\fBhloscope\\-check\\fR(1) and so on. ",
                  Roff("`-` as a file name is standard input. Results go to standard output, diagnostics to standard "
                       "error."),
                  "\n.SH COMMANDS\n");
  for (const Command* command : AllCommands()) {
    absl::StrAppend(&text, ".TP\n\\fBhloscope ", Roff(command->name), "\\fR\n", Roff(command->summary), "\n");
  }
  absl::StrAppend(
      &text, ".SH OPTIONS\n.TP\n\\fB\\-\\-version\\fR\nthe version\n.TP\n\\fB\\-\\-help\\fR\nthe list of commands\n",
      kExitStatus,
      ".SH ENVIRONMENT\n"
      ".TP\nHLOSCOPE_RESOURCES\nfolder with the pages of operations and diagnostics\n"
      ".TP\nHLOSCOPE_CPU\ncompute as a processor with no more than these instructions\n"
      ".TP\nCXX\ncompiler of \\fBhloscope compile\\fR\n"
      ".SH SEE ALSO\n.BR hloscope\\-gui (1),\n.BR hloscope\\-lsp (1),\n.BR hloscope\\-dap (1)");
  for (const Command* command : AllCommands()) {
    absl::StrAppend(&text, ",\n.BR hloscope\\-", Roff(command->name), " (1)");
  }
  return text + "\n";
}

std::string CommandManPage(const Command& command) {
  std::string text = Head(absl::StrCat("hloscope-", command.name), command.summary);
  absl::StrAppend(&text, ".SH SYNOPSIS\n.B hloscope ", Roff(command.name), "\n[\\fIOPTIONS\\fR] ",
                  Roff(command.operands), "\n");
  if (!command.description.empty()) absl::StrAppend(&text, ".SH DESCRIPTION\n", Lines(command.description));
  absl::StrAppend(&text, ".SH OPTIONS\n");
  for (const OptionSpec& option : AllOptionsOf(command)) {
    const bool is_letter = option.name.size() == 1;
    absl::StrAppend(&text, ".TP\n\\fB", is_letter ? "\\-" : "\\-\\-", Roff(option.name), "\\fR");
    if (option.kind == OptionKind::kValue) {
      absl::StrAppend(&text, is_letter ? " " : "=", "\\fI", Roff(option.placeholder), "\\fR");
    }
    if (option.kind == OptionKind::kChoice) absl::StrAppend(&text, "[=\\fI", Roff(option.placeholder), "\\fR]");
    absl::StrAppend(&text, "\n", Roff(option.help), "\n");
  }
  return absl::StrCat(text, kExitStatus, ".SH SEE ALSO\n.BR hloscope (1)\n");
}

}  // namespace hloscope::cli
