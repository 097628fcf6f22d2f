// SPDX-License-Identifier: Apache-2.0
// `hloscope bug-report`: what those who look into a fault need to know, and nothing that was not asked for.
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/help.h"
#include "cli/input.h"
#include "cli/last_file.h"
#include "cli/output.h"
#include "cli/prepared_run.h"
#include "core/document/document.h"
#include "core/print/printer.h"
#include "numerics/parallel/cpu_level.h"
#include "reports/markdown.h"

extern char** environ;

namespace hloscope::cli {
namespace {

constexpr OptionSpec kBugReportOptions[] = {
    {"with-module", OptionKind::kSwitch, "",
     "add the text of FILE, without metadata, configurations, large constants and the names of instructions"},
    {"o", OptionKind::kValue, "FILE", "write to FILE, not to standard output"},
};

// A bar or a line end would be another cell or row.
std::string Row(absl::string_view name, absl::string_view value) {
  return absl::StrCat("| ", name, " | ", absl::StrReplaceAll(value, {{"|", "\\|"}, {"\n", " "}, {"\r", " "}}), " |\n");
}

// Paths below the home directory without the name of its owner.
std::string WithoutHome(absl::string_view value) {
  const char* const home = getenv("HOME");
  constexpr size_t kShortest = 2;  // `/` is in every path
  if (home == nullptr || absl::string_view(home).size() < kShortest) return std::string(value);
  return absl::StrReplaceAll(value, {{absl::StripSuffix(home, "/"), "~"}});
}

absl::string_view CpuLevelName() {
  switch (numerics::BestCpuLevel()) {
    case numerics::CpuLevel::kBaseline:
      return "baseline";
    case numerics::CpuLevel::kAvx2:
      return "avx2";
    case numerics::CpuLevel::kAvx512:
      return "avx512";
  }
  return "";
}

std::string Limit(int resource) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return "none";
  return absl::StrCat(limit.rlim_cur);
}

std::string SystemPart() {
  struct utsname system = {};
  uname(&system);
  std::string version = VersionText();
  version.pop_back();
  std::string text = absl::StrCat("## System\n\n| | |\n|---|---|\n", Row("version", version));
#ifdef __VERSION__
  absl::StrAppend(&text, Row("compiler", __VERSION__));
#endif
  char library[128] = "";
  confstr(_CS_GNU_LIBC_VERSION, library, sizeof(library));
  absl::StrAppend(&text, Row("kernel", absl::StrCat(system.sysname, " ", system.release, " ", system.machine)),
                  Row("C library", library), Row("instructions", CpuLevelName()),
                  Row("processors", absl::StrCat(sysconf(_SC_NPROCESSORS_ONLN))),
                  Row("memory (MB)", absl::StrCat(sysconf(_SC_PHYS_PAGES) / 1024 * sysconf(_SC_PAGESIZE) / 1024)),
                  Row("address space limit", Limit(RLIMIT_AS)), Row("stack limit", Limit(RLIMIT_STACK)));
  // Ours alone: others may hold secrets.
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const absl::string_view variable(*entry);
    if (absl::StartsWith(variable, "HLOSCOPE_")) {
      const size_t equals = variable.find('=');
      absl::StrAppend(&text, Row(variable.substr(0, equals), WithoutHome(variable.substr(equals + 1))));
    }
  }
  return text;
}

// "12 x add, 3 x dot": the most frequent first.
std::string Counts(const std::map<std::string, int64_t>& counts) {
  std::vector<std::pair<int64_t, std::string>> rows;
  for (const auto& [name, count] : counts) rows.emplace_back(-count, name);
  std::sort(rows.begin(), rows.end());
  return absl::StrJoin(rows, ", ",
                       [](std::string* out, const auto& row) { absl::StrAppend(out, -row.first, " x ", row.second); });
}

// Numbers, opcodes and types: nothing that a name could tell.
std::string ModulePart(const Document& document) {
  const Module& module = document.module();
  std::map<std::string, int64_t> opcodes, types, diagnostics;
  for (size_t i = 0; i < module.instruction_count(); ++i) {
    const InstructionId id(static_cast<uint32_t>(i));
    ++opcodes[module.opcode(id) == Opcode::kInvalid ? "unreadable" : std::string(OpcodeName(module.opcode(id)))];
    if (module.shape(id).IsArray()) ++types[std::string(ElementTypeName(module.shape(id).element_type()))];
  }
  for (const Diagnostic& diagnostic : document.diagnostics()) ++diagnostics[std::string(diagnostic.code())];
  return absl::StrCat("\n## Module\n\n| | |\n|---|---|\n", Row("bytes", absl::StrCat(document.source().text().size())),
                      Row("computations", absl::StrCat(module.computations().size())),
                      Row("instructions", absl::StrCat(module.instruction_count())), Row("opcodes", Counts(opcodes)),
                      Row("element types", Counts(types)),
                      Row("diagnostics", diagnostics.empty() ? "none" : Counts(diagnostics)));
}

// Each computation once: in place of their calls, those of deep calls would be there very often.
std::string ModuleText(const Document& document) {
  PrintOptions style = PrintOptions::Canonical();
  style.inline_computations = false;
  return absl::StrCat(
      "\n<details><summary>Text. Names of the module and of computations, custom call targets and frontend attributes\n"
      "are in it: read it before you send it.</summary>\n\n",
      reports::FencedBlock(PrintModule(document.module(), style), ""), "\n</details>\n");
}

int RunBugReport(const Arguments& arguments) {
  if (arguments.Switch("with-module") && arguments.operands().empty()) {
    return UsageError(arguments.command(), "--with-module needs a FILE");
  }
  const absl::StatusOr<RenderOptions> render = ErrorRenderOptions(arguments);
  if (!render.ok()) return UsageError(arguments.command(), render.status().message());
  std::string report = absl::StrCat(
      "# Report about a fault in HLOscope\n\nWhat I did, what I expected, what happened:\n\n\n", SystemPart());
  const std::optional<std::string> path = arguments.Value("o");
  if (!path) {
    // There even if reading the module is what fails.
    WriteOutput(std::exchange(report, ""));
    FlushOutput();
  }
  int status = kExitGood;
  for (const std::string& operand : arguments.operands()) {
    std::optional<interop::OpenedModules> opened = ReadInput(arguments, operand);
    if (!opened) {
      status = std::max(status, StatusOfReading());
      continue;
    }
    for (const interop::HloSource& source : opened->modules) {
      DocumentOptions options;
      options.verify.allow_mixed_precision = true;
      const std::shared_ptr<const Document> document = Document::Parse(source.text, options);
      absl::StrAppend(&report, ModulePart(*document));
      if (arguments.Switch("with-module")) absl::StrAppend(&report, ModuleText(*document));
    }
  }
  absl::StrAppend(
      &report,
      "\nThe smallest module for which a program still fails: `hloscope reduce-test-case FILE -- PROGRAM {}`.\n");
  if (!path) {
    WriteOutput(report);
    return status;
  }
  if (const absl::Status check = CheckIsNotRead(arguments, *path); !check.ok()) return ReportStatus(check);
  const absl::Status written = WriteLastFile(*path, report);
  if (!written.ok()) {
    return ReportStatus(written);
  }
  return status;
}

}  // namespace

const Command& BugReportCommand() {
  static constexpr Command kCommand = {
      "bug-report",
      "[FILE]",
      "what a report about a fault needs: versions, system, the kind of module",
      "Markdown to fill in and send. Of FILE it says sizes, opcodes, element types and codes of diagnostics, no names "
      "and\n"
      "no values; --with-module adds its text. Of the environment it says the variables HLOSCOPE_*, with ~ for the "
      "home\n"
      "directory. Nothing is sent.",
      kBugReportOptions,
      0,
      1,
      RunBugReport};
  return kCommand;
}

}  // namespace hloscope::cli
