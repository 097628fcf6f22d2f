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
#include "reports/memory_report.h"

namespace hloscope::reports {
namespace {

constexpr size_t kPageRows = 2000, kPageBars = 300, kPageSteps = 100'000;
constexpr int kPictureWidth = 1100, kCurveHeight = 220, kBarHeight = 9;

std::string PictureNumber(double value) { return absl::StrFormat("%.1f", value); }

// The curve of live bytes, at most two points a pixel so that no peak is lost, and below it the lives of the largest
// arrays as bars.
class MemoryPicture {
 public:
  MemoryPicture(const insight::MemoryExplanation& memory, std::vector<uint32_t> bars)
      : memory_(memory), bars_(std::move(bars)), steps_(std::max<size_t>(memory.timeline().steps.size(), 1)) {}

  std::string Draw() {
    const size_t height = kCurveHeight + 30 + bars_.size() * kBarHeight;
    std::string svg = absl::StrCat("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"", kPictureWidth, "\" height=\"",
                                   height, "\" font-family=\"sans-serif\" font-size=\"11\">");
    Curve(&svg);
    const double peak_x = X(memory_.peak_step());
    absl::StrAppend(&svg, "<line x1=\"", PictureNumber(peak_x), "\" y1=\"0\" x2=\"", PictureNumber(peak_x), "\" y2=\"",
                    height, "\" stroke=\"#d1242f\" stroke-dasharray=\"3 3\"/><text x=\"4\" y=\"12\">",
                    BytesText(memory_.peak_bytes()), "</text><text x=\"4\" y=\"", kCurveHeight + 16,
                    "\">lives of the largest arrays, from the largest down</text>");
    for (size_t i = 0; i < bars_.size(); ++i) {
      const insight::MemoryValue& value = memory_.values()[bars_[i]];
      const double begin = X(value.live.begin), end = std::max(begin + 1, X(value.live.end + 1));
      absl::StrAppend(&svg, "<rect x=\"", PictureNumber(begin), "\" y=\"", kCurveHeight + 24 + i * kBarHeight,
                      "\" width=\"", PictureNumber(end - begin), "\" height=\"", kBarHeight - 2, "\" fill=\"",
                      ColorOf(value.kind), "\"/>");
    }
    return absl::StrCat(svg, "</svg>");
  }

 private:
  double X(uint32_t step) const { return static_cast<double>(step) * kPictureWidth / static_cast<double>(steps_); }
  double Y(int64_t bytes) const {
    const double peak = std::max<double>(1, static_cast<double>(memory_.peak_bytes()));
    return 16 + (kCurveHeight - 16) * (1 - static_cast<double>(bytes) / peak);
  }
  static const char* ColorOf(insight::ValueKind kind) {
    switch (kind) {
      case insight::ValueKind::kParameter:
        return "#0969da";
      case insight::ValueKind::kResult:
        return "#1a7f37";
      case insight::ValueKind::kConstant:
        return "#8250df";
      case insight::ValueKind::kTemporary:
      case insight::ValueKind::kComputation:
        break;
    }
    return "#bf8700";
  }
  void Curve(std::string* svg) const {
    const std::vector<int64_t>& live = memory_.live_bytes();
    absl::StrAppend(svg, "<polyline fill=\"none\" stroke=\"#0550ae\" points=\"");
    const size_t stretch = std::max<size_t>(1, live.size() / kPictureWidth);
    for (size_t t = 0; t < live.size(); t += stretch) {
      const auto end = live.begin() + static_cast<ptrdiff_t>(std::min(live.size(), t + stretch));
      const auto [low, high] = std::minmax_element(live.begin() + static_cast<ptrdiff_t>(t), end);
      const std::string x = PictureNumber(X(static_cast<uint32_t>(t)));
      absl::StrAppend(svg, x, ",", PictureNumber(Y(*high)), " ");
      if (low != high) absl::StrAppend(svg, x, ",", PictureNumber(Y(*low)), " ");
    }
    absl::StrAppend(svg, "\"/>");
  }

  const insight::MemoryExplanation& memory_;
  const std::vector<uint32_t> bars_;
  const size_t steps_;
};

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
  std::vector<uint32_t> bars(order.begin(), order.begin() + static_cast<ptrdiff_t>(std::min(kPageBars, order.size())));
  page.AddPicture(MemoryPicture(memory, std::move(bars)).Draw(),
                  "bytes alive over the steps of the run, and the lives of the largest arrays");
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
