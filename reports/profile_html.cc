// SPDX-License-Identifier: Apache-2.0
// The page of `hloscope profile --html`.
#include <algorithm>
#include <limits>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "core/print/quantity.h"
#include "insight/html/html_report.h"
#include "reports/profile_report.h"

namespace hloscope::reports {
namespace {

constexpr size_t kPageTableRows = 2000, kPageLanes = 200, kPageEvents = 2'000'000;

std::string PageTime(double ps) { return SecondsText(ps * 1e-12); }

// The lanes of all devices. Of more events than a page can hold, the longest.
class ProfileLanes {
 public:
  explicit ProfileLanes(const insight::ProfileAnalysis& profile) : profile_(profile) {}

  void AddTo(insight::HtmlReport* page) {
    const double span = static_cast<double>(profile_.end_ps()) - static_cast<double>(profile_.begin_ps());
    if (span <= 0 || profile_.lanes().empty()) return;
    const int64_t shortest = ShortestShown();
    std::vector<std::string> lanes;
    std::vector<insight::HtmlEvent> events;
    size_t hidden = 0;
    for (size_t l = 0; l < std::min(kPageLanes, profile_.lanes().size()); ++l) {
      const insight::TimelineLane& lane = profile_.lanes()[l];
      lanes.push_back(lane.name);
      for (size_t i = 0; i < lane.events.size(); ++i) {
        const interop::ProfileEvent& event = *lane.events[i];
        if (event.duration_ps < shortest || event.occurrences > 1) {
          ++hidden;
          continue;
        }
        const double begin = static_cast<double>(event.begin_ps) - static_cast<double>(profile_.begin_ps());
        events.push_back({static_cast<uint32_t>(l), NameOf(lane, i), Unit(begin / span),
                          Unit(static_cast<double>(event.duration_ps) / span)});
      }
    }
    std::string text = "Events by device and line: turn the wheel to zoom, drag to move, click twice to see all.";
    if (hidden > 0) absl::StrAppend(&text, " ", hidden, " events are too short, or too many, to be drawn.");
    page->AddTimeline(lanes, names_, events, span * 1e-12, text);
  }

 private:
  static uint32_t Unit(double part) {
    return static_cast<uint32_t>(std::clamp(part * 4294967295.0, 0.0, 4294967295.0));
  }

  // Nothing is left out unless there are too many.
  int64_t ShortestShown() const {
    std::vector<int64_t> durations;
    for (const insight::TimelineLane& lane : profile_.lanes()) {
      for (const interop::ProfileEvent* event : lane.events) durations.push_back(event->duration_ps);
    }
    if (durations.size() <= kPageEvents) return 0;
    const auto nth = durations.begin() + static_cast<ptrdiff_t>(durations.size() - kPageEvents);
    std::nth_element(durations.begin(), nth, durations.end());
    return *nth + 1;
  }

  uint32_t NameOf(const insight::TimelineLane& lane, size_t i) {
    const int32_t row = lane.rows[i];
    const uint64_t key = row >= 0 ? static_cast<uint64_t>(row)
                                  : uint64_t{1} << 63 | uint64_t{lane.plane} << 32 | lane.events[i]->metadata;
    const auto [it, inserted] = known_.try_emplace(key, static_cast<uint32_t>(names_.size()));
    if (inserted) {
      names_.push_back(row >= 0 ? profile_.NameOf(profile_.instructions()[static_cast<size_t>(row)])
                                : profile_.profile().planes[lane.plane].metadata[lane.events[i]->metadata].name);
    }
    return it->second;
  }

  const insight::ProfileAnalysis& profile_;
  std::vector<std::string> names_;
  absl::flat_hash_map<uint64_t, uint32_t> known_;
};

void AddInstructionTable(const insight::ProfileAnalysis& profile, absl::string_view title,
                         const std::vector<const insight::InstructionTime*>& rows, insight::HtmlReport* page) {
  if (rows.empty()) return;
  page->BeginPart(title);
  page->BeginTable({{{"instruction"},
                     {"opcode"},
                     {"time"},
                     {"ps", true},
                     {"events", true},
                     {"runs", true},
                     {"FLOP/s"},
                     {"B/s"},
                     {"limit of one run"},
                     {"to gain, ps", true},
                     {"bound by"},
                     {"module"}}});
  for (size_t i = 0; i < std::min(kPageTableRows, rows.size()); ++i) {
    const insight::InstructionTime& row = *rows[i];
    const double seconds = static_cast<double>(row.self_ps) * 1e-12, runs = static_cast<double>(row.executions);
    page->AddRow({{insight::HtmlText().Code(profile.NameOf(row)), OpcodeName(profile.OpcodeOf(row)),
                   insight::HtmlText(PageTime(static_cast<double>(row.self_ps)))
                       .Add(" ")
                       .Bar(static_cast<double>(row.self_ps), static_cast<double>(profile.total_ps())),
                   absl::StrCat(row.self_ps), absl::StrCat(row.occurrences), absl::StrCat(row.executions),
                   seconds > 0 ? FlopRateText(static_cast<double>(row.flops) * runs / seconds) : "",
                   seconds > 0 ? ByteRateText(static_cast<double>(row.bytes) * runs / seconds) : "",
                   row.limit_ps > 0 ? PageTime(row.limit_ps) : "", absl::StrFormat("%.0f", row.gain_ps),
                   TimeLimitName(row.limit), profile.programs()[row.program]->name()}});
  }
  page->EndTable();
  page->EndPart();
}

void AddGroupTable(const insight::ProfileAnalysis& profile, absl::string_view title,
                   const std::vector<insight::GroupTime>& groups, insight::HtmlReport* page) {
  if (groups.empty()) return;
  page->BeginPart(title, false);
  page->BeginTable({{{"name"}, {"time"}, {"ps", true}, {"events", true}}});
  for (size_t i = 0; i < std::min(kPageTableRows, groups.size()); ++i) {
    page->AddRow({{groups[i].name,
                   insight::HtmlText(PageTime(static_cast<double>(groups[i].self_ps)))
                       .Add(" ")
                       .Bar(static_cast<double>(groups[i].self_ps), static_cast<double>(profile.total_ps())),
                   absl::StrCat(groups[i].self_ps), absl::StrCat(groups[i].occurrences)}});
  }
  page->EndTable();
  page->EndPart();
}

void AddUnattributed(const insight::ProfileAnalysis& profile, insight::HtmlReport* page) {
  if (profile.unattributed().empty()) return;
  page->BeginPart("Outside of all modules");
  page->BeginTable({{{"event"}, {"reason"}, {"time"}, {"ps", true}, {"events", true}}});
  for (size_t i = 0; i < std::min(kPageTableRows, profile.unattributed().size()); ++i) {
    const insight::UnattributedTime& row = profile.unattributed()[i];
    page->AddRow({{row.name, row.reason, PageTime(static_cast<double>(row.total_ps)), absl::StrCat(row.total_ps),
                   absl::StrCat(row.occurrences)}});
  }
  page->EndTable();
  page->EndPart();
}

void AddComparison(const insight::ProfileAnalysis& before, const insight::ProfileAnalysis& after,
                   insight::HtmlReport* page) {
  const std::vector<insight::ComparedTime> rows = CompareProfiles(before, after);
  page->BeginPart("Compared with the other profile");
  page->BeginTable({{{"instruction"}, {"module"}, {"one run before"}, {"one run now"}, {"change of all, ps", true}}});
  for (size_t i = 0; i < std::min(kPageTableRows, rows.size()); ++i) {
    page->AddRow({{insight::HtmlText().Code(rows[i].name), rows[i].module,
                   PageTime(static_cast<double>(rows[i].before_ps)), PageTime(static_cast<double>(rows[i].after_ps)),
                   absl::StrFormat("%.0f", static_cast<double>(rows[i].after_total_ps) -
                                               static_cast<double>(rows[i].before_total_ps))}});
  }
  page->EndTable();
  page->EndPart();
}

}  // namespace

insight::HtmlReport ProfileReportHtml(const insight::ProfileAnalysis& profile, const insight::ProfileAnalysis* before,
                                      absl::string_view file) {
  insight::HtmlReport page("Profile", file);
  const double share = profile.total_ps() > 0 ? 100 * static_cast<double>(profile.attributed_ps()) /
                                                    static_cast<double>(profile.total_ps())
                                              : 0;
  page.AddFacts({{{"events on devices", absl::StrCat(profile.events())},
                  {"time", PageTime(static_cast<double>(profile.total_ps()))},
                  {"of instructions", absl::StrFormat("%d events, %.1f %% of the time", profile.attributed(), share)},
                  {"device", profile.device().name.empty() ? "not in the table" : profile.device().name},
                  {"memory at most", ByteRateText(profile.device().bytes_per_second)}}});
  ProfileLanes(profile).AddTo(&page);
  std::vector<const insight::InstructionTime*> all;
  for (const insight::InstructionTime& row : profile.instructions()) all.push_back(&row);
  AddInstructionTable(profile, "Instructions, most time first", all, &page);
  AddInstructionTable(profile, "Most to gain: time beyond the limit of the device", profile.MostToGain(10), &page);
  if (before != nullptr) AddComparison(*before, profile, &page);
  AddUnattributed(profile, &page);
  AddGroupTable(profile, "By opcode", profile.ByOpcode(), &page);
  AddGroupTable(profile, "By source line", profile.BySourceLine(), &page);
  AddGroupTable(profile, "By scope", profile.ByScope(), &page);
  if (!profile.profile().problems.empty()) {
    page.BeginPart("What could not be used");
    for (const auto& [problem, count] : profile.profile().problems)
      page.AddParagraph(absl::StrCat(problem, ": ", count));
    page.EndPart();
  }
  return page;
}

}  // namespace hloscope::reports
