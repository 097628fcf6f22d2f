// SPDX-License-Identifier: Apache-2.0
// `hloscope passes`: what each pass changed, from a folder of dumps.
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/diagnostics_json.h"
#include "cli/diff_report.h"
#include "cli/dump_input.h"
#include "cli/html_file.h"
#include "cli/ignored_differences.h"
#include "cli/input.h"
#include "cli/memory_limit.h"
#include "cli/output.h"
#include "cli/prepared_run.h"
#include "core/analysis/module_diff.h"
#include "insight/diff/diff_page.h"
#include "insight/passes/instruction_trace.h"
#include "insight/passes/passes_page.h"
#include "insight/passes/stage_changes.h"
#include "insight/passes/stage_reader.h"
#include "nlohmann/json.hpp"

namespace hloscope::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr OptionSpec kPassesOptions[] = {
    {"all", OptionKind::kSwitch, "", "show the stages that changed nothing, and every change of two stages"},
    {"search", OptionKind::kValue, "TEXT", "only stages whose pass, pipeline or changed instructions contain this"},
    {"from", OptionKind::kValue, "K", "with --to: the difference of two stages, by number or name"},
    {"to", OptionKind::kValue, "K", "alone: the difference from the stage before"},
    {"ignore", OptionKind::kValue, "WHAT",
     "of that difference: shapes, layouts, backend-config, with commas between them"},
    {"follow", OptionKind::kValue, "INSTRUCTION",
     "where this instruction came from and what it became; --from says in which stage it is looked for"},
    {"json", OptionKind::kSwitch, "", "print JSON"},
    HLOSCOPE_FILE_LIMIT_OPTION,
    HLOSCOPE_HTML_OPTION,
};

// The first few names of a list.
std::string Names(const char* sign, const std::vector<std::string>& names, size_t limit) {
  if (names.empty()) return "";
  std::string text = absl::StrCat("        ", sign, " ");
  for (size_t k = 0; k < names.size() && k < limit; ++k) absl::StrAppend(&text, k > 0 ? ", " : "", OneLine(names[k]));
  if (names.size() > limit) absl::StrAppend(&text, ", and ", names.size() - limit, " more");
  return text + "\n";
}

// "FLOP 1000 -> 900, peak bytes 64 -> 32", as a line; nothing if all figures stayed.
std::string CostChange(const insight::StageChange& change) {
  std::string text;
  const auto append = [&](const char* what, int64_t before, int64_t after) {
    if (before == after) return;
    absl::StrAppend(&text, text.empty() ? "        = " : ", ", what, " ", before, " -> ", after);
    if (before > 0) {
      absl::StrAppend(&text, absl::StrFormat(" (%+.1f %%)",
                                             100.0 * (static_cast<double>(after) / static_cast<double>(before) - 1)));
    }
  };
  append("instructions", static_cast<int64_t>(change.before.instructions), static_cast<int64_t>(change.instructions));
  append("FLOP", change.before.flop, change.flop);
  append("bytes", change.before.bytes, change.bytes);
  append("peak bytes", change.before.peak_bytes, change.peak_bytes);
  return text.empty() ? text : text + "\n";
}

class PassesCommandImplementation {
 public:
  PassesCommandImplementation(const Arguments& arguments, DumpInput input, IgnoredDifferences ignored, bool color)
      : arguments_(arguments),
        input_(std::move(input)),
        ignored_(ignored),
        color_(color),
        read_([this, read = insight::MakeStageReader(false, ExpandedLimit(arguments))](const insight::Stage& stage) {
          absl::StatusOr<std::shared_ptr<const Document>> document = read(stage);
          if (limit_.ok() && ExitStatusOf(document.status()) == kExitLimit) limit_ = document.status();
          return document;
        }) {
    progress_.on_stage = [this](size_t done, size_t all) {
      status_line_.Show(absl::StrCat("stage ", done + 1, " of ", all));
    };
  }

  int Run() {
    if (arguments_.Has("follow")) return Follow();
    if (arguments_.Has("from") || arguments_.Has("to")) return Difference();
    return List();
  }

 private:
  const std::vector<insight::Stage>& stages() const { return input_.stages; }
  std::string Title() const { return absl::StrCat(input_.folder, ", module ", input_.module); }
  bool PrintsReport() const { return arguments_.Value("html") != "-"; }

  bool IsWanted(size_t k, const insight::StageChange& change) const {
    const std::optional<std::string> search = arguments_.Value("search");
    if (!search) return arguments_.Switch("all") || change.changed || k == 0 || !change.problem.empty();
    return insight::Mentions(stages()[k], change, *search);
  }

  int List() {
    absl::StatusOr<std::vector<insight::StageChange>> changes = insight::ChangesOf(stages(), read_, progress_);
    status_line_.Show("");
    if (!changes.ok()) return ReportStatus(changes.status());
    if (!limit_.ok()) return ReportStatus(limit_);
    if (const int status = WritePage(*changes, nullptr); status != kExitGood) return status;
    if (PrintsReport()) {
      WriteOutput(arguments_.Switch("json") ? DumpJson(ListJson(*changes)) : ListText(*changes));
    }
    const auto has_problem = [](const insight::StageChange& change) { return !change.problem.empty(); };
    return std::any_of(changes->begin(), changes->end(), has_problem) ? kExitBadInput : kExitGood;
  }

  int WritePage(const std::vector<insight::StageChange>& changes, const insight::InstructionTrace* trace) {
    if (!arguments_.Has("html")) return kExitGood;
    absl::StatusOr<insight::HtmlReport> page = insight::PassesPage(Title(), stages(), changes, read_, trace, progress_);
    status_line_.Show("");
    return page.ok() ? WriteHtml(arguments_, *std::move(page)) : ReportStatus(page.status());
  }

  std::string ListText(const std::vector<insight::StageChange>& changes) const {
    constexpr size_t kListedNames = 6;
    std::string text =
        absl::StrFormat("%5s  %-34s %12s %7s %8s %9s %14s %14s %14s %10s\n", "stage", "pass", "instructions", "added",
                        "removed", "modified", "FLOP", "bytes", "peak bytes", "seconds");
    size_t hidden = 0;
    for (size_t k = 0; k < changes.size(); ++k) {
      const insight::StageChange& change = changes[k];
      if (!IsWanted(k, change)) {
        ++hidden;
        continue;
      }
      const std::string pass = OneLine(stages()[k].pass);
      if (!change.problem.empty()) {
        absl::StrAppend(&text, absl::StrFormat("%5d  %s: cannot be read: ", stages()[k].order, pass),
                        OneLine(change.problem), "\n");
        continue;
      }
      absl::StrAppend(&text,
                      absl::StrFormat("%5d  %-34s %12d %7d %8d %9d %14d %14d %14d %10s\n", stages()[k].order, pass,
                                      change.instructions, change.added.size(), change.removed.size(),
                                      change.modified.size(), change.flop, change.bytes, change.peak_bytes,
                                      stages()[k].seconds ? absl::StrFormat("%.6f", *stages()[k].seconds) : "-"));
      absl::StrAppend(&text, CostChange(change));
      for (const std::string& other : change.others) absl::StrAppend(&text, "        ~ ", OneLine(other), "\n");
      absl::StrAppend(&text, Names("-", change.removed, kListedNames), Names("+", change.added, kListedNames),
                      Names("~", change.modified, kListedNames));
    }
    if (hidden > 0) {
      absl::StrAppend(&text, hidden, " of ", changes.size(),
                      hidden == 1 ? " stages is not shown" : " stages are not shown");
      if (!arguments_.Has("search")) {
        absl::StrAppend(
            &text, hidden == 1 ? ": it changed nothing (--all shows it)" : ": they changed nothing (--all shows them)");
      }
      text += "\n";
    }
    return text;
  }

  Json ListJson(const std::vector<insight::StageChange>& changes) const {
    Json list = Json::array();
    for (size_t k = 0; k < changes.size(); ++k) {
      const insight::Stage& stage = stages()[k];
      const insight::StageChange& change = changes[k];
      if (arguments_.Has("search") && !IsWanted(k, change)) continue;
      Json one = {{"order", stage.order},
                  {"pass", stage.pass},
                  {"file", stage.file},
                  {"changed", change.changed},
                  {"added", change.added},
                  {"removed", change.removed},
                  {"modified", change.modified},
                  {"flop", change.flop},
                  {"bytes", change.bytes},
                  {"peak_bytes", change.peak_bytes},
                  {"name", stage.name},
                  {"pipeline", stage.pipeline},
                  {"instructions", change.instructions},
                  {"others", change.others},
                  {"before",
                   {{"instructions", change.before.instructions},
                    {"flop", change.before.flop},
                    {"bytes", change.before.bytes},
                    {"peak_bytes", change.before.peak_bytes}}}};
      if (stage.seconds) one["seconds"] = *stage.seconds;
      if (!change.problem.empty()) one["problem"] = change.problem;
      list.push_back(std::move(one));
    }
    return {{"module", input_.module}, {"stages", std::move(list)}};
  }

  int Difference() {
    const std::optional<std::string> wanted_to = arguments_.Value("to"), wanted_from = arguments_.Value("from");
    const std::optional<size_t> to =
        wanted_to ? FindStage(input_, "passes", *wanted_to) : std::optional<size_t>(stages().size() - 1);
    if (!to) return kExitBadInput;
    const std::optional<size_t> from =
        wanted_from ? FindStage(input_, "passes", *wanted_from) : std::optional<size_t>(*to == 0 ? 0 : *to - 1);
    if (!from) return kExitBadInput;
    const absl::StatusOr<std::shared_ptr<const Document>> a = read_(stages()[*from]), b = read_(stages()[*to]);
    if (!a.ok()) return ReportStatus(a.status());
    if (!b.ok()) return ReportStatus(b.status());
    const ModuleDiff diff =
        DiffModules((*a)->module(), (*b)->module(), {ignored_.shapes, ignored_.layouts, ignored_.backend_config});
    if (arguments_.Has("html")) {
      insight::HtmlReport report("Difference of two stages", Title());
      insight::DiffPageOptions options;
      options.left = stages()[*from].name;
      options.right = stages()[*to].name;
      insight::AddDiff((*a)->module(), (*b)->module(), diff, options, &report);
      if (const int status = WriteHtml(arguments_, std::move(report)); status != kExitGood) return status;
    }
    if (PrintsReport()) {
      WriteOutput(arguments_.Switch("json")
                      ? DumpJson(DiffJson((*a)->module(), (*b)->module(), diff))
                      : DiffText((*a)->module(), (*b)->module(), diff, {color_, arguments_.Switch("all")}));
    }
    return diff.IsEmpty() ? kExitGood : kExitBadInput;
  }

  int Follow() {
    std::optional<size_t> from;
    if (const std::optional<std::string> wanted = arguments_.Value("from")) {
      from = FindStage(input_, "passes", *wanted);
      if (!from) return kExitBadInput;
    }
    const std::string given = *arguments_.Value("follow");
    const std::string name(absl::StripPrefix(given, "%"));
    const absl::StatusOr<insight::InstructionTrace> trace =
        insight::FollowInstruction(stages(), read_, name, from, progress_);
    status_line_.Show("");
    if (!limit_.ok()) return ReportStatus(limit_);
    if (!trace.ok()) return ReportStatus(trace.status());
    if (arguments_.Has("html")) {
      const absl::StatusOr<std::vector<insight::StageChange>> changes = insight::ChangesOf(stages(), read_, progress_);
      if (!changes.ok()) return ReportStatus(changes.status());
      if (const int status = WritePage(*changes, &*trace); status != kExitGood) return status;
    }
    if (PrintsReport()) WriteOutput(arguments_.Switch("json") ? DumpJson(TraceJson(*trace)) : TraceText(*trace));
    return kExitGood;
  }

  std::string TraceText(const insight::InstructionTrace& trace) const {
    std::string text;
    if (!trace.source.empty()) absl::StrAppend(&text, "source   ", OneLine(trace.source), "\n");
    if (!trace.op_name.empty()) absl::StrAppend(&text, "op_name  ", OneLine(trace.op_name), "\n");
    absl::StrAppend(&text,
                    absl::StrFormat("sure     %.2f (%s)\n", trace.sureness, insight::SurenessWord(trace.sureness)));
    size_t unchanged = 0;
    for (size_t k = 0; k < trace.steps.size(); ++k) {
      const insight::TraceStep& step = trace.steps[k];
      const bool is_end = k == 0 || k + 1 == trace.steps.size() || k == trace.start;
      if (step.what.empty() && !is_end && !arguments_.Switch("all")) {
        ++unchanged;
        continue;
      }
      if (unchanged > 0) absl::StrAppend(&text, "       ...  ", unchanged, " without change\n");
      unchanged = 0;
      absl::StrAppend(&text,
                      absl::StrFormat("%5d  %s", stages()[step.stage].order, OneLine(stages()[step.stage].pass)));
      if (!step.what.empty()) absl::StrAppend(&text, ": ", OneLine(step.what));
      text += "\n";
      if (step.instruction.empty()) continue;
      absl::StrAppend(&text, "       in ", OneLine(step.computation),
                      step.fusion.empty() ? "" : absl::StrCat(", fusion ", OneLine(step.fusion)), "\n       ",
                      step.text, "\n");
      if (!step.what.empty()) {
        absl::StrAppend(&text,
                        absl::StrFormat("       %s (%.2f): ", insight::SurenessWord(step.sureness), step.sureness),
                        OneLine(step.why), "\n");
      }
    }
    return text;
  }

  Json TraceJson(const insight::InstructionTrace& trace) const {
    Json steps = Json::array();
    for (const insight::TraceStep& step : trace.steps) {
      const insight::Stage& stage = stages()[step.stage];
      Json one = {{"order", stage.order}, {"pass", stage.pass}, {"file", stage.file}, {"what", step.what}};
      if (step.instruction.empty()) {
        one["instruction"] = Json();
      } else {
        one.update({{"computation", step.computation},
                    {"instruction", step.instruction},
                    {"text", step.text},
                    {"sureness", step.sureness},
                    {"why", step.why}});
        if (!step.fusion.empty()) one["fusion"] = step.fusion;
      }
      steps.push_back(std::move(one));
    }
    return {{"instruction", trace.steps[trace.start].instruction},
            {"start", stages()[trace.steps[trace.start].stage].order},
            {"op_name", trace.op_name},
            {"source", trace.source},
            {"sureness", trace.sureness},
            {"steps", std::move(steps)}};
  }

  const Arguments& arguments_;
  const DumpInput input_;
  const IgnoredDifferences ignored_;
  const bool color_;
  absl::Status limit_;  // the first that a stage was beyond
  const insight::StageReader read_;
  StatusLine status_line_;
  insight::StageProgress progress_;
};

int RunPasses(const Arguments& arguments) {
  const absl::StatusOr<bool> color = UseColor(arguments, STDOUT_FILENO);
  if (!color.ok()) return UsageError(arguments.command(), color.status().message());
  const absl::StatusOr<IgnoredDifferences> ignored = ReadIgnoredDifferences(arguments);
  if (!ignored.ok()) return UsageError(arguments.command(), ignored.status().message());
  std::optional<DumpInput> input = ReadDump(arguments, arguments.operands()[0]);
  if (!input) return kExitBadInput;
  return PassesCommandImplementation(arguments, *std::move(input), *ignored, *color).Run();
}

}  // namespace

const Command& PassesCommand() {
  static constexpr Command kCommand = {
      "passes",
      "DIR",
      "what each compiler pass changed, from a folder of dumps",
      "Stages in order, each with the pass that made it, the instructions that it added, removed and modified, and\n"
      "what the module costs after it. Stages where only names, metadata or the order changed are not shown.\n"
      "--follow says for every step how sure it is (0 to 1), and why. With --from or --to the exit status is that of\n"
      "`hloscope diff`.",
      kPassesOptions,
      1,
      1,
      RunPasses};
  return kCommand;
}

}  // namespace hloscope::cli
