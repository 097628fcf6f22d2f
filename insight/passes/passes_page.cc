// SPDX-License-Identifier: Apache-2.0
#include "insight/passes/passes_page.h"

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "core/diagnostics/count_text.h"
#include "insight/diff/diff_page.h"
#include "insight/html/html_report.h"

namespace hloscope::insight {
namespace {

// Lines of code of one stage, and bytes of the whole page after which only tables are added.
constexpr size_t kRowsOfAStage = 1500;
constexpr size_t kLargePage = 60u << 20;

// The first stage, those that changed something, and those that could not be read.
bool IsOfNote(size_t k, const StageChange& change) { return k == 0 || change.changed || !change.problem.empty(); }

// "1000" or, where it changed, "1200 → 1000".
HtmlText Figure(int64_t before, int64_t after) {
  HtmlText text;
  if (before != after) text.Add(absl::StrCat(before, " \u2192 "));
  return text.Add(absl::StrCat(after));
}

// The stages of note, or the others.
void AddTable(const std::vector<Stage>& stages, const std::vector<StageChange>& changes,
              const std::vector<int>& anchors, bool of_note, HtmlReport* report) {
  const HtmlColumn columns[] = {
      {"stage", true},    {"pass"},       {"pipeline"},    {"instructions", true}, {"added", true},   {"removed", true},
      {"modified", true}, {"FLOP", true}, {"bytes", true}, {"peak bytes", true},   {"seconds", true}, {"file"}};
  report->BeginTable(columns);
  for (size_t k = 0; k < stages.size(); ++k) {
    const Stage& stage = stages[k];
    const StageChange& change = changes[k];
    if (IsOfNote(k, change) != of_note) continue;
    HtmlText pass;
    if (anchors[k] > 0) {
      pass.Link(stage.pass, anchors[k]);
    } else {
      pass.Add(stage.pass);
    }
    if (!change.problem.empty()) pass.Add(": ").Removed(change.problem);
    const HtmlText cells[] = {
        absl::StrCat(stage.order),
        pass,
        stage.pipeline,
        Figure(static_cast<int64_t>(change.before.instructions), static_cast<int64_t>(change.instructions)),
        absl::StrCat(change.added.size()),
        absl::StrCat(change.removed.size()),
        absl::StrCat(change.modified.size()),
        Figure(change.before.flop, change.flop),
        Figure(change.before.bytes, change.bytes),
        Figure(change.before.peak_bytes, change.peak_bytes),
        stage.seconds ? absl::StrFormat("%.6f", *stage.seconds) : "",
        stage.file};
    report->AddRow(cells);
  }
  report->EndTable();
}

void AddTrace(const std::vector<Stage>& stages, const InstructionTrace& trace, HtmlReport* report) {
  const std::string name = trace.steps.empty() ? "" : trace.steps[trace.start].instruction;
  report->BeginPart(HtmlText("Instruction ").Code(name));
  std::vector<std::pair<std::string, HtmlText>> facts;
  if (!trace.op_name.empty()) facts.emplace_back("op_name", HtmlText(trace.op_name));
  if (!trace.source.empty()) facts.emplace_back("source", HtmlText(trace.source));
  facts.emplace_back("how sure", absl::StrFormat("%s (%.2f)", SurenessWord(trace.sureness), trace.sureness));
  report->AddFacts(facts);
  const HtmlColumn columns[] = {{"stage", true}, {"pass"}, {"what happened"}, {"instruction"}, {"in"},
                                {"how sure"},    {"why"}};
  report->BeginTable(columns);
  for (const TraceStep& step : trace.steps) {
    if (step.what.empty() && &step != &trace.steps.front() && &step != &trace.steps.back()) continue;
    const HtmlText cells[] = {absl::StrCat(stages[step.stage].order),
                              stages[step.stage].pass,
                              step.what,
                              HtmlText().Code(step.text),
                              step.computation,
                              absl::StrFormat("%.2f", step.sureness),
                              step.why};
    report->AddRow(cells);
  }
  report->EndTable();
  report->EndPart();
}

}  // namespace

absl::StatusOr<HtmlReport> PassesPage(const std::string& title, const std::vector<Stage>& stages,
                                      const std::vector<StageChange>& changes, const StageReader& read,
                                      const InstructionTrace* trace, const StageProgress& progress) {
  HtmlReport report("Passes", title);
  if (trace != nullptr) AddTrace(stages, *trace, &report);
  std::vector<int> anchors(stages.size(), 0);
  for (size_t k = 0; k < stages.size(); ++k) {
    if (changes[k].changed) anchors[k] = report.NewAnchor();
  }
  size_t quiet = 0;
  for (size_t k = 0; k < stages.size(); ++k) quiet += !IsOfNote(k, changes[k]);
  report.BeginPart(absl::StrCat("Stages that changed something (", stages.size() - quiet, " of ", stages.size(), ")"));
  AddTable(stages, changes, anchors, true, &report);
  report.EndPart();
  if (quiet > 0) {
    report.BeginPart(absl::StrCat("Stages that changed nothing (", quiet, ")"), false);
    AddTable(stages, changes, anchors, false, &report);
    report.EndPart();
  }
  size_t before = 0, left_out = 0;
  for (size_t k = 0; k < stages.size(); ++k) {
    if (progress.cancelled != nullptr && *progress.cancelled) return absl::CancelledError("cancelled");
    if (!changes[k].problem.empty()) continue;
    const size_t last = std::exchange(before, k);
    if (!changes[k].changed) continue;
    if (report.size() > kLargePage) {
      ++left_out;
      continue;
    }
    if (progress.on_stage) progress.on_stage(k, stages.size());
    const absl::StatusOr<std::shared_ptr<const Document>> a = read(stages[last]), b = read(stages[k]);
    if (!a.ok() || !b.ok()) continue;
    report.BeginPart(absl::StrCat(stages[k].order, " ", stages[k].pass, ": ", changes[k].added.size(), " added, ",
                                  changes[k].removed.size(), " removed, ", changes[k].modified.size(), " modified"),
                     false, anchors[k]);
    DiffPageOptions options;
    options.left = stages[last].name;
    options.right = stages[k].name;
    options.max_rows = kRowsOfAStage;
    AddDiff((*a)->module(), (*b)->module(), DiffModules((*a)->module(), (*b)->module()), options, &report);
    report.EndPart();
  }
  if (left_out > 0) {
    report.AddParagraph(
        absl::StrCat("The changes of ", CountOf(left_out, "stage"), " are left out: the page is large."));
  }
  return report;
}

}  // namespace hloscope::insight
