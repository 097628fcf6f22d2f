// `hloscope open`: what is in a folder that --xla_dump_to filled.
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/diagnostics_json.h"
#include "cli/output.h"
#include "cli/prepared_run.h"
#include "interop/dump/dump_folder.h"
#include "nlohmann/json.hpp"

namespace hloscope::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr OptionSpec kOpenOptions[] = {
    {"json", OptionKind::kSwitch, "", "the list as JSON"},
};

// The file of a stage that a command would read, and what else there is of it.
std::string StageLine(const interop::DumpStage& stage) {
  const interop::DumpFile& first = stage.files.front();
  std::string line =
      absl::StrFormat("  %4d  %s  %d bytes  %s", stage.order, OneLine(stage.name), first.bytes, OneLine(first.path));
  for (size_t i = 1; i < stage.files.size(); ++i) absl::StrAppend(&line, i == 1 ? "  + " : ", ", stage.files[i].kind);
  return absl::StrCat(line, "\n");
}

std::string FolderText(const interop::DumpFolder& folder) {
  std::string text;
  for (size_t i = 0; i < folder.modules.size(); ++i) {
    const interop::DumpModule& module = folder.modules[i];
    absl::StrAppend(&text, i + 1, "  ", OneLine(module.name.empty() ? "(no name)" : module.name));
    if (module.id >= 0) absl::StrAppend(&text, "  id ", module.id);
    if (!module.folder.empty()) absl::StrAppend(&text, "  in ", OneLine(module.folder));
    absl::StrAppend(&text, "  ", module.bytes, " bytes\n");
    for (const interop::DumpStage& stage : module.stages) absl::StrAppend(&text, StageLine(stage));
    for (const interop::DumpFile& file : module.others) {
      absl::StrAppend(&text, "        ", file.kind, "  ", file.bytes, " bytes  ", OneLine(file.path), "\n");
    }
  }
  if (folder.modules.empty()) text += "no module: no file here has a name that --xla_dump_to gives\n";
  for (const std::string& path : folder.unreadable) absl::StrAppend(&text, "cannot be read: ", OneLine(path), "\n");
  if (!folder.ignored.empty()) absl::StrAppend(&text, "other files: ", folder.ignored.size(), "\n");
  return text;
}

Json FileJson(const interop::DumpFile& file) {
  return {{"file", file.path}, {"kind", file.kind}, {"bytes", file.bytes}};
}

Json FolderJson(const interop::DumpFolder& folder) {
  Json modules = Json::array();
  for (size_t i = 0; i < folder.modules.size(); ++i) {
    const interop::DumpModule& module = folder.modules[i];
    Json stages = Json::array();
    for (const interop::DumpStage& stage : module.stages) {
      Json files = Json::array();
      for (const interop::DumpFile& file : stage.files) files.push_back(FileJson(file));
      const interop::DumpFile& first = stage.files.front();
      stages.push_back({{"order", stage.order},
                        {"name", stage.name},
                        {"file", first.path},
                        {"kind", first.kind},
                        {"bytes", first.bytes},
                        {"files", std::move(files)}});
    }
    Json others = Json::array();
    for (const interop::DumpFile& file : module.others) others.push_back(FileJson(file));
    modules.push_back({{"number", i + 1},
                       {"name", module.name},
                       {"id", module.id},
                       {"folder", module.folder},
                       {"timestamp", module.timestamp},
                       {"bytes", module.bytes},
                       {"stages", std::move(stages)},
                       {"others", std::move(others)}});
  }
  return {{"modules", std::move(modules)}, {"unreadable", folder.unreadable}, {"ignored", folder.ignored}};
}

int RunOpen(const Arguments& arguments) {
  const absl::StatusOr<interop::DumpFolder> folder = interop::ListDumpFolder(arguments.operands()[0]);
  if (!folder.ok()) return ReportStatus(folder.status());
  WriteOutput(arguments.Switch("json") ? DumpJson(FolderJson(*folder)) : FolderText(*folder));
  return kExitGood;
}

}  // namespace

const Command& OpenCommand() {
  static constexpr Command kCommand = {
      "open",
      "DIR",
      "list the modules and stages in a folder of dumps",
      "Files of --xla_dump_to are grouped by their names into modules, and into the stages of a module: before\n"
      "optimisation, between passes in order, after optimisation. No file is read. Of several forms of a stage the\n"
      "proto comes first: it leaves out nothing.",
      kOpenOptions,
      1,
      1,
      RunOpen};
  return kCommand;
}

}  // namespace hloscope::cli
