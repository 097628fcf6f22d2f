// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "evaluator/engine/run_trace.h"
#include "insight/html/html_report.h"
#include "insight/trace/trace_files.h"

namespace hloscope::insight {
namespace {

using evaluator::RunTrace;

constexpr size_t kTraceRows = 1000;
// Of a page; more of them take browsers long.
constexpr size_t kTraceEvents = 500'000;

uint32_t PartOf(int64_t part, int64_t whole) {
  return static_cast<uint32_t>(
      std::min(4294967295.0, static_cast<double>(part) / static_cast<double>(whole) * 4294967295.0));
}

void AddSteps(const Module& module, const RunTrace& trace, HtmlReport* page) {
  int64_t end = 0;
  uint32_t devices = 0;
  for (const RunTrace::Step& step : trace.steps()) {
    end = std::max(end, step.begin_ns + step.duration_ns);
    devices = std::max(devices, step.device + 1);
  }
  if (end == 0) {
    page->AddParagraph("Nothing was executed.");
    return;
  }
  // Of more steps than a page holds, the longest.
  int64_t shortest = 0;
  if (trace.steps().size() > kTraceEvents) {
    std::vector<int64_t> durations;
    for (const RunTrace::Step& step : trace.steps()) durations.push_back(step.duration_ns);
    std::nth_element(durations.begin(), durations.begin() + kTraceEvents, durations.end(), std::greater<>());
    shortest = durations[kTraceEvents] + 1;
  }
  std::vector<std::string> lanes, names;
  for (uint32_t device = 0; device < devices; ++device) lanes.push_back(absl::StrCat("device ", device));
  std::vector<uint32_t> name_of(module.instruction_count(), UINT32_MAX);
  std::vector<HtmlEvent> events;
  for (const RunTrace::Step& step : trace.steps()) {
    if (step.duration_ns < shortest) continue;
    const InstructionId id = trace.nodes()[step.node].instruction;
    uint32_t& name = name_of[id.index()];
    if (name == UINT32_MAX) {
      name = static_cast<uint32_t>(names.size());
      names.push_back(absl::StrCat(module.InstructionName(id), " (", OpcodeName(module.opcode(id)), ")"));
    }
    events.push_back({step.device, name, PartOf(step.begin_ns, end), PartOf(step.duration_ns, end)});
  }
  std::stable_sort(events.begin(), events.end(),
                   [](const HtmlEvent& a, const HtmlEvent& b) { return a.lane < b.lane; });
  std::string text = "Steps by device: turn the wheel to zoom, drag to move, click twice to see all.";
  const size_t hidden = trace.steps().size() - events.size();
  if (hidden > 0) absl::StrAppend(&text, " ", hidden, " short ones are not drawn.");
  if (trace.left_out() > 0) absl::StrAppend(&text, " ", trace.left_out(), " steps at the end were not recorded.");
  page->AddTimeline(lanes, names, events, static_cast<double>(end) * 1e-9, text);
}

void AddTimes(const Module& module, const RunTrace& trace, HtmlReport* page) {
  struct Time {
    InstructionId id;
    int64_t steps = 0, nanoseconds = 0;
  };
  std::vector<Time> times(module.instruction_count());
  for (const RunTrace::Node& node : trace.nodes()) {
    if (node.steps == 0) continue;
    Time& time = times[node.instruction.index()];
    time.id = node.instruction;
    time.steps += node.steps;
    time.nanoseconds += node.nanoseconds;
  }
  std::erase_if(times, [](const Time& time) { return time.steps == 0; });
  std::stable_sort(times.begin(), times.end(),
                   [](const Time& a, const Time& b) { return a.nanoseconds > b.nanoseconds; });
  page->BeginPart("Instructions, most time first");
  page->BeginTable({{{"instruction"}, {"opcode"}, {"shape"}, {"runs", true}, {"microseconds", true}}});
  for (size_t i = 0; i < std::min(kTraceRows, times.size()); ++i) {
    const InstructionId id = times[i].id;
    page->AddRow(
        {{HtmlText().Code(module.InstructionName(id)), OpcodeName(module.opcode(id)), module.shape(id).ToString(false),
          absl::StrCat(times[i].steps), absl::StrFormat("%.3f", static_cast<double>(times[i].nanoseconds) * 1e-3)}});
  }
  page->EndTable();
  if (times.size() > kTraceRows) page->AddParagraph(absl::StrCat(times.size() - kTraceRows, " more are left out."));
  page->EndPart();
}

}  // namespace

HtmlReport TracePage(const Module& module, const RunTrace& trace) {
  HtmlReport page("Run", absl::StrCat("module ", module.name()));
  AddSteps(module, trace, &page);
  AddTimes(module, trace, &page);
  return page;
}

}  // namespace hloscope::insight
