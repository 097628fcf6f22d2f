// SPDX-License-Identifier: Apache-2.0
// The page of `hloscope memory --html`.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "core/print/quantity.h"
#include "insight/html/html_report.h"
#include "insight/memory/value_facts.h"
#include "reports/memory_drawing.h"
#include "reports/memory_report.h"

namespace hloscope::reports {
namespace {

constexpr size_t kPageRows = 2000, kPageSteps = 100'000;

void AddValues(const MemoryReport& report, const std::vector<uint32_t>& values, insight::HtmlReport* page) {
  const insight::MemoryExplanation& memory = report.memory;
  page->BeginTable({{{"array"},
                     {"in memory"},
                     {"bytes", true},
                     {"padding", true},
                     {"kind"},
                     {"shape"},
                     {"steps", true},
                     {"place"},
                     {"from"},
                     {"kept for"}}});
  for (size_t i = 0; i < std::min(kPageRows, values.size()); ++i) {
    const insight::MemoryValue& value = memory.values()[values[i]];
    std::vector<std::string> keepers;
    for (InstructionId id : insight::KeepersOf(memory, report.readers, value, memory.peak_step(), 4)) {
      keepers.emplace_back(memory.module().InstructionName(id));
    }
    const std::string held = insight::HeldAs(memory, value);
    const std::string way = insight::WayText(
        memory.module(), insight::PassedOnBy(memory, report.readers, report.users, value, memory.peak_step()));
    const std::string place =
        value.allocation >= 0 ? absl::StrCat("allocation ", value.allocation, " + ", value.offset) : "";
    page->AddRow({{insight::HtmlText().Code(memory.ValueName(value)), BytesText(value.padded_bytes),
                   absl::StrCat(value.padded_bytes), absl::StrCat(value.padded_bytes - value.bytes),
                   ValueKindName(value.kind), insight::HtmlText().Code(insight::ShapeTextOf(memory, value)),
                   absl::StrCat(value.live.begin, " to ", value.live.end), place,
                   value.definer.has_value() ? insight::SourceOf(memory.module(), value.definer) : "",
                   absl::StrJoin({keepers.empty() ? held : absl::StrJoin(keepers, ", "), way}, " ")}});
  }
  page->EndTable();
  if (values.size() > kPageRows) page->AddParagraph(absl::StrCat("and ", values.size() - kPageRows, " more"));
}

// What is alive at any step, for a browser to choose from.
void AddSteps(const MemoryReport& report, const std::vector<uint32_t>& order, insight::HtmlReport* page) {
  const insight::MemoryExplanation& memory = report.memory;
  const auto& timeline = memory.timeline().steps;
  if (timeline.empty()) return;
  page->BeginPart("Alive at any step");
  if (timeline.size() > kPageSteps || order.size() > kPageSteps) {
    page->AddParagraph(absl::StrCat("There are ", timeline.size(), " steps and ", order.size(),
                                    " arrays, too many for a page: `hloscope memory --json` lists all of them."));
  } else {
    std::vector<std::string> arrays, steps;
    std::vector<insight::HtmlLife> lives;
    for (uint32_t v : order) {
      const insight::MemoryValue& value = memory.values()[v];
      const bool is_held = memory.IsHeld(value);
      arrays.push_back(memory.ValueName(value));
      lives.push_back({is_held ? 0 : value.live.begin,
                       is_held ? static_cast<uint32_t>(timeline.size() - 1) : value.live.end, value.padded_bytes});
    }
    for (const insight::TimelineStep& step : timeline) {
      steps.emplace_back(step.instruction.has_value() ? memory.module().InstructionName(step.instruction) : "");
    }
    page->AddLives(arrays, lives, steps, memory.live_bytes(), memory.peak_step(),
                   "Steps are numbered from 0 in the order of the schedule; the first one shown is the peak.");
  }
  page->EndPart();
}

void AddRecorded(const MemoryReport& report, insight::HtmlReport* page) {
  if (!report.memory.is_recorded()) return;
  const insight::RecordedMemory& recorded = *report.memory.recorded();
  page->BeginPart("Beside the compiler's own figures");
  page->AddFacts(
      {{{"file", report.source},
        {"its allocations", absl::StrCat(recorded.total_bytes, " bytes")},
        {"temporaries in them", absl::StrCat(recorded.temporary_bytes, " bytes")},
        {"its heap at most",
         recorded.heap_peak_bytes < 0 ? "no trace" : absl::StrCat(recorded.heap_peak_bytes, " bytes")},
        {"our peak", absl::StrFormat("%d bytes, %+.3f %%", report.memory.peak_bytes(), 100 * recorded.difference)}}});
  for (const std::string& deviation : recorded.deviations) page->AddParagraph(deviation);
  page->EndPart();
}

void AddAllocations(const MemoryReport& report, insight::HtmlReport* page) {
  page->BeginPart(report.memory.is_recorded() ? "Allocations of the compiler" : "Allocations by our own packing",
                  false);
  page->BeginTable({{{"number", true}, {"size"}, {"bytes", true}, {"kind"}, {"memory space", true}}});
  const auto& allocations = report.memory.allocations();
  for (size_t a = 0; a < std::min(kPageRows, allocations.size()); ++a) {
    page->AddRow({{absl::StrCat(a), BytesText(allocations[a].size), absl::StrCat(allocations[a].size),
                   allocations[a].kind, absl::StrCat(allocations[a].memory_space)}});
  }
  page->EndTable();
  page->EndPart();
}

void AddDonations(const MemoryReport& report, insight::HtmlReport* page) {
  if (report.donations.empty()) return;
  page->BeginPart("Donated arguments");
  page->BeginTable({{{"argument"}, {"size"}, {"bytes", true}, {"state"}, {"reason"}, {"detail"}}});
  for (size_t i = 0; i < std::min(kPageRows, report.donations.size()); ++i) {
    const insight::Donation& donation = report.donations[i];
    page->AddRow({{insight::HtmlText().Code(report.memory.leaves().Name(donation.parameter, donation.leaf)),
                   BytesText(donation.bytes), absl::StrCat(donation.bytes), DonationStateName(donation.state),
                   DonationLossName(donation.loss), donation.detail}});
  }
  page->EndTable();
  page->EndPart();
}

void AddCopies(const MemoryReport& report, insight::HtmlReport* page) {
  if (report.copies.empty()) return;
  page->BeginPart("Copies", false);
  page->BeginTable({{{"copy"}, {"size"}, {"bytes", true}, {"runs", true}, {"reason"}}});
  for (size_t i = 0; i < std::min(kPageRows, report.copies.size()); ++i) {
    const insight::CopyReason& copy = report.copies[i];
    page->AddRow({{insight::HtmlText().Code(report.memory.module().InstructionName(copy.id)), BytesText(copy.bytes),
                   absl::StrCat(copy.bytes), absl::StrCat(copy.runs), copy.reason}});
  }
  page->EndTable();
  page->EndPart();
}

void AddAnswers(absl::string_view title, const std::vector<insight::WhatIf>& answers, insight::HtmlReport* page) {
  if (answers.empty()) return;
  page->BeginPart(title);
  page->BeginTable({{{"question"}, {"peak"}, {"saved bytes", true}, {"computed again"}, {"note"}}});
  for (const insight::WhatIf& answer : answers) {
    page->AddRow(
        {{insight::HtmlText().Code(answer.what), BytesText(answer.peak_bytes), absl::StrCat(answer.saved_bytes),
          answer.extra_flops > 0 ? FlopText(answer.extra_flops) : "", answer.note}});
  }
  page->EndTable();
  page->EndPart();
}

}  // namespace

insight::HtmlReport MemoryReportHtml(const MemoryReport& report, absl::string_view file) {
  const insight::MemoryExplanation& memory = report.memory;
  insight::HtmlReport page(absl::StrCat("Memory of ", memory.module().name()), file);
  std::vector<std::string> path;
  for (InstructionId id : memory.PeakPath()) path.emplace_back(memory.module().InstructionName(id));
  page.AddFacts(
      {{{"peak", absl::StrCat(BytesText(memory.peak_bytes()), " (", memory.peak_bytes(), " bytes)")},
        {"reached at", insight::HtmlText().Code(absl::StrJoin(path, " > "))},
        {"schedule", memory.is_module_schedule() ? std::string("given by the module")
                                                 : absl::StrCat("our own: ", ScheduleKindName(memory.schedule_kind()))},
        {"assigned", absl::StrCat(BytesText(memory.assigned_bytes()),
                                  memory.is_recorded() ? ", by the compiler" : ", by our own packing")}}});
  std::vector<uint32_t> order;
  for (uint32_t v = 0; v < memory.values().size(); ++v) order.push_back(v);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return memory.values()[a].padded_bytes > memory.values()[b].padded_bytes;
  });
  page.AddPicture(MemorySvg(memory), "bytes alive over the steps of the run, and the lives of the largest arrays");
  page.BeginPart("Alive at the peak");
  AddValues(report, memory.LiveAt(memory.peak_step()), &page);
  page.EndPart();
  AddSteps(report, order, &page);
  AddRecorded(report, &page);
  AddAnswers("What if", report.answers, &page);
  AddAnswers("What would help", report.suggestions, &page);
  AddDonations(report, &page);
  AddCopies(report, &page);
  AddAllocations(report, &page);
  page.BeginPart("All arrays, the largest first", false);
  AddValues(report, order, &page);
  page.EndPart();
  return page;
}

}  // namespace hloscope::reports
