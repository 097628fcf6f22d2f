// SPDX-License-Identifier: Apache-2.0
#include "cli/dump_input.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "cli/command.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/prepared_run.h"
#include "interop/dump/dump_folder.h"

namespace hloscope::cli {
namespace {

constexpr size_t kNamedModules = 20;

std::string ListOf(const interop::DumpFolder& folder) {
  std::string list;
  size_t named = 0;
  for (size_t i = 0; i < folder.modules.size() && named < kNamedModules; ++i) {
    if (folder.modules[i].stages.empty()) continue;
    absl::StrAppend(&list, named++ > 0 ? ", " : "", i + 1, " ", OneLine(folder.modules[i].name), " (",
                    folder.modules[i].stages.size(), ")");
  }
  return list;
}

}  // namespace

std::optional<DumpInput> ReadDump(const Arguments& arguments, const std::string& folder) {
  const auto fail = [&](absl::string_view message) {
    WriteError(absl::StrCat("hloscope: ", OneLine(folder), ": ", message, "\n"));
    return std::nullopt;
  };
  const absl::StatusOr<interop::DumpFolder> listed = interop::ListDumpFolder(folder);
  if (!listed.ok()) {
    ReportStatus(listed.status());
    return std::nullopt;
  }
  const std::optional<std::string> wanted = arguments.Value("module");
  size_t number = 0;
  const bool is_number = wanted && absl::SimpleAtoi(*wanted, &number);
  std::vector<const interop::DumpModule*> chosen;
  size_t most = 0;
  for (size_t i = 0; i < listed->modules.size(); ++i) {
    const interop::DumpModule& module = listed->modules[i];
    if (module.stages.empty()) continue;
    if (wanted && !(is_number ? number == i + 1 : module.name == *wanted)) continue;
    most = std::max(most, module.stages.size());
    chosen.push_back(&module);
  }
  if (most > 1) std::erase_if(chosen, [](const interop::DumpModule* module) { return module->stages.size() == 1; });
  if (chosen.empty()) {
    const std::string list = ListOf(*listed);
    if (list.empty()) return fail("no file here has a name that --xla_dump_to gives a module");
    return fail(absl::StrCat("no module '", OneLine(wanted.value_or("")), "'; there is ", list));
  }
  if (chosen.size() > 1) {
    return fail(absl::StrCat("choose one of ", chosen.size(),
                             " modules with --module=NAME|NUMBER: number, name, stages: ", ListOf(*listed)));
  }
  DumpInput input;
  input.folder = folder;
  input.module = chosen[0]->name;
  input.id = chosen[0]->id;
  std::vector<std::string> notes;
  input.stages = insight::StagesOf(folder, *listed, *chosen[0], &notes, ExpandedLimit(arguments));
  for (const std::string& note : notes) WriteError(absl::StrCat("hloscope: warning: ", OneLine(note), "\n"));
  if (input.stages.empty()) return fail("no stage of the module is a text or a proto");
  return input;
}

std::optional<size_t> FindStage(const DumpInput& input, absl::string_view command, const std::string& name) {
  int64_t order = 0;
  const bool is_number = absl::SimpleAtoi(name, &order);
  for (size_t k = 0; k < input.stages.size(); ++k) {
    if (is_number ? input.stages[k].order == order : input.stages[k].name == name) return k;
  }
  WriteError(absl::StrCat("hloscope ", command, ": no stage '", OneLine(name), "': there are ", input.stages.size(),
                          ", from ", input.stages.front().order, " to ", input.stages.back().order, "\n"));
  return std::nullopt;
}

StatusLine::StatusLine() : is_shown_(IsTerminal(STDERR_FILENO)) {}
StatusLine::~StatusLine() { Show(""); }
void StatusLine::Show(absl::string_view text) {
  if (!is_shown_) return;
  WriteError(absl::StrCat("\r\x1b[K", OneLine(text).substr(0, static_cast<size_t>(TerminalWidth(STDERR_FILENO) - 1))));
}

}  // namespace hloscope::cli
