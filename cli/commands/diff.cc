// `hloscope diff`: what changed between two versions of a module.
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/diagnostics_json.h"
#include "cli/input.h"
#include "cli/output.h"
#include "core/analysis/module_diff.h"
#include "core/diagnostics/count_text.h"
#include "core/print/printer.h"
#include "nlohmann/json.hpp"

namespace hloscope::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr OptionSpec kDiffOptions[] = {
    {"json", OptionKind::kSwitch, "", "print JSON"},
};

std::string Line(const Module& module, InstructionId id) {
  PrintOptions options = PrintOptions::Short();
  options.percent = false;
  return OneLine(PrintInstruction(module, id, options));
}

std::string DiffText(const Module& a, const Module& b, const ModuleDiff& diff, bool color) {
  const auto painted = [&](const char* code, absl::string_view text) {
    return color ? absl::StrCat("\x1b[", code, "m", text, "\x1b[0m\n") : absl::StrCat(text, "\n");
  };
  std::string out;
  for (const std::string& line : diff.header) absl::StrAppend(&out, painted("33", absl::StrCat("~ module: ", line)));
  size_t unchanged = 0, renamed = 0, changed = 0, removed = 0, added = 0;
  for (const ComputationDiff& computation : diff.computations) {
    unchanged += computation.unchanged;
    renamed += computation.renamed;
    changed += computation.changed.size();
    removed += computation.removed.size();
    added += computation.added.size();
    if (computation.IsEmpty()) continue;
    const std::string name_a = computation.a.has_value() ? OneLine(a.ComputationName(computation.a)) : "";
    const std::string name_b = computation.b.has_value() ? OneLine(b.ComputationName(computation.b)) : "";
    if (name_a.empty() || name_b.empty()) {
      const bool gone = name_b.empty();
      absl::StrAppend(
          &out,
          painted(gone ? "31" : "32",
                  absl::StrCat(gone ? "- computation " : "+ computation ", name_a, name_b, " (",
                               CountOf(computation.removed.size() + computation.added.size(), "instruction"), ")")));
      continue;
    }
    absl::StrAppend(&out, painted("1", absl::StrCat("computation ", name_a, name_a == name_b ? "" : " -> ",
                                                    name_a == name_b ? "" : name_b)));
    for (const std::string& change : computation.changes) {
      absl::StrAppend(&out, painted("33", absl::StrCat("  ~ ", OneLine(change))));
    }
    for (const ChangedInstruction& one : computation.changed) {
      const std::string from = OneLine(a.InstructionName(one.a)), to = OneLine(b.InstructionName(one.b));
      absl::StrAppend(&out, painted("33", absl::StrCat("  ~ ", from, from == to ? "" : absl::StrCat(" -> ", to))));
      for (const std::string& change : one.changes) absl::StrAppend(&out, "      ", OneLine(change), "\n");
    }
    for (InstructionId id : computation.removed)
      absl::StrAppend(&out, painted("31", absl::StrCat("  - ", Line(a, id))));
    for (InstructionId id : computation.added) absl::StrAppend(&out, painted("32", absl::StrCat("  + ", Line(b, id))));
  }
  return absl::StrCat(out, unchanged, " unchanged (", renamed, " renamed), ", changed, " changed, ", removed,
                      " removed, ", added, " added\n");
}

Json DiffJson(const Module& a, const Module& b, const ModuleDiff& diff) {
  Json computations = Json::array();
  for (const ComputationDiff& computation : diff.computations) {
    Json changed = Json::array(), removed = Json::array(), added = Json::array();
    for (const ChangedInstruction& one : computation.changed) {
      changed.push_back({{"a", std::string(a.InstructionName(one.a))},
                         {"b", std::string(b.InstructionName(one.b))},
                         {"changes", one.changes}});
    }
    for (InstructionId id : computation.removed) removed.push_back(std::string(a.InstructionName(id)));
    for (InstructionId id : computation.added) added.push_back(std::string(b.InstructionName(id)));
    computations.push_back(
        {{"a", computation.a.has_value() ? Json(std::string(a.ComputationName(computation.a))) : Json()},
         {"b", computation.b.has_value() ? Json(std::string(b.ComputationName(computation.b))) : Json()},
         {"changes", computation.changes},
         {"unchanged", computation.unchanged},
         {"renamed", computation.renamed},
         {"changed", std::move(changed)},
         {"removed", std::move(removed)},
         {"added", std::move(added)}});
  }
  return {{"equal", diff.IsEmpty()}, {"header", diff.header}, {"computations", std::move(computations)}};
}

int RunDiff(const Arguments& arguments) {
  const absl::StatusOr<bool> color = UseColor(arguments, STDOUT_FILENO);
  if (!color.ok()) return UsageError(arguments.command(), color.status().message());
  const std::shared_ptr<const Document> a = OpenDocument(arguments, arguments.operands()[0]);
  const std::shared_ptr<const Document> b = OpenDocument(arguments, arguments.operands()[1]);
  if (a == nullptr || b == nullptr) return kExitBadInput;
  const ModuleDiff diff = DiffModules(a->module(), b->module());
  WriteOutput(arguments.Switch("json") ? DumpJson(DiffJson(a->module(), b->module(), diff))
                                       : DiffText(a->module(), b->module(), diff, *color));
  return diff.IsEmpty() ? kExitGood : kExitBadInput;
}

}  // namespace

const Command& DiffCommand() {
  static constexpr Command kCommand = {"diff",
                                       "A B",
                                       "what changed between two versions of a module",
                                       "Matches instructions by what they compute and where they are, so that new "
                                       "names alone are no difference; neither\n"
                                       "are metadata and the order of independent instructions. Exit status 0 if the "
                                       "modules are equal, 1 if they differ.",
                                       kDiffOptions,
                                       2,
                                       2,
                                       RunDiff};
  return kCommand;
}

}  // namespace hloscope::cli
