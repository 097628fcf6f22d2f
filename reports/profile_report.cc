// SPDX-License-Identifier: Apache-2.0
#include "reports/profile_report.h"

#include <algorithm>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/types/span.h"
#include "core/diagnostics/render.h"
#include "core/print/quantity.h"

namespace hloscope::reports {
namespace {

std::string PicosecondsText(int64_t ps) { return SecondsText(static_cast<double>(ps) * 1e-12); }

double PerSecond(double amount, int64_t ps) { return ps > 0 ? amount / (static_cast<double>(ps) * 1e-12) : 0; }

double Percent(int64_t part, int64_t whole) {
  return whole > 0 ? 100 * static_cast<double>(part) / static_cast<double>(whole) : 0;
}

class ProfileText {
 public:
  ProfileText(const insight::ProfileAnalysis& profile, const insight::ProfileAnalysis* before, size_t rows, bool color)
      : profile_(profile), before_(before), rows_(rows), color_(color) {}

  std::string Write() {
    Summary();
    Programs();
    Instructions();
    MostToGain();
    Groups("By opcode", profile_.ByOpcode());
    Groups("By source line", profile_.BySourceLine());
    Groups("By scope", profile_.ByScope());
    Unattributed();
    Comparison();
    Lanes();
    Problems();
    return std::move(out_);
  }

 private:
  template <typename... Parts>
  void Line(const Parts&... parts) {
    absl::StrAppend(&out_, parts..., "\n");
  }
  void Heading(absl::string_view text) {
    absl::StrAppend(&out_, color_ ? "\n\x1b[1m" : "\n", text, color_ ? "\x1b[0m\n" : "\n");
  }
  void More(size_t count) {
    if (count > rows_) Line("... and ", count - rows_, " more (all with --json)");
  }

  void Summary() {
    absl::StrAppendFormat(&out_, "%d events on devices, %s; %d (%.1f %% of the time) belong to instructions\n",
                          profile_.events(), PicosecondsText(profile_.total_ps()), profile_.attributed(),
                          Percent(profile_.attributed_ps(), profile_.total_ps()));
    if (profile_.guessed() > 0) Line(profile_.guessed(), " of them by a guess from names or launches");
    const insight::DeviceLimits& device = profile_.device();
    if (device.bytes_per_second <= 0 && device.flops.empty()) {
      Line("device: its limits are not known (--device=NAME chooses a row of the table)");
      return;
    }
    std::string limits = ByteRateText(device.bytes_per_second);
    for (const auto& [type, flops] : device.flops) absl::StrAppend(&limits, ", ", type, " ", FlopRateText(flops));
    Line("device: ", device.name.empty() ? "not in the table" : OneLine(device.name), ": ", limits, ", by ",
         device.source);
  }

  void Programs() {
    const bool are_several = profile_.programs().size() > 1;
    Heading(absl::StrCat("Programs: ", profile_.programs().size(), are_several ? ", most time first" : ""));
    std::vector<int64_t> time(profile_.programs().size());
    for (const insight::InstructionTime& row : profile_.instructions()) time[row.program] += row.self_ps;
    std::vector<size_t> order(time.size());
    absl::c_iota(order, size_t{0});
    absl::c_stable_sort(order, [&](size_t a, size_t b) { return time[a] > time[b]; });
    for (const size_t i : absl::MakeSpan(order).first(std::min(rows_, order.size()))) {
      const insight::ProgramModule& program = *profile_.programs()[i];
      absl::StrAppendFormat(&out_, "%12s  %s (id %d)%s\n", time[i] > 0 ? PicosecondsText(time[i]) : "",
                            OneLine(program.name()), program.id(),
                            program.problem().empty() ? "" : absl::StrCat(": ", OneLine(program.problem())));
    }
    More(profile_.programs().size());
  }

  void Instructions() {
    if (profile_.instructions().empty()) return;
    Heading("Instructions, most time first");
    absl::StrAppendFormat(&out_, "%12s %6s %7s %7s %12s %14s %12s  %s\n", "time", "", "events", "runs", "one run",
                          "FLOP/s", "B/s", "instruction");
    for (size_t i = 0; i < std::min(rows_, profile_.instructions().size()); ++i) {
      const insight::InstructionTime& row = profile_.instructions()[i];
      const double runs = static_cast<double>(row.executions);
      absl::StrAppendFormat(&out_, "%12s %5.1f%% %7d %7d %12s %14s %12s  %s  %s  %s\n", PicosecondsText(row.self_ps),
                            Percent(row.self_ps, profile_.total_ps()), row.occurrences, row.executions,
                            row.executions > 0 ? PicosecondsText(row.self_ps / row.executions) : "",
                            FlopRateText(PerSecond(static_cast<double>(row.flops) * runs, row.self_ps)),
                            ByteRateText(PerSecond(static_cast<double>(row.bytes) * runs, row.self_ps)),
                            OneLine(profile_.NameOf(row)), OpcodeName(profile_.OpcodeOf(row)),
                            OneLine(profile_.programs()[row.program]->name()));
    }
    More(profile_.instructions().size());
  }

  void MostToGain() {
    const std::vector<const insight::InstructionTime*> rows = profile_.MostToGain(10);
    if (rows.empty()) return;
    Heading("Most to gain: time beyond the limit of the device");
    absl::StrAppendFormat(&out_, "%12s %12s %12s  %-13s  %s\n", "to gain", "one run", "its limit", "bound by",
                          "instruction");
    for (const insight::InstructionTime* row : rows) {
      absl::StrAppendFormat(&out_, "%12s %12s %12s  %-13s  %s\n", SecondsText(row->gain_ps * 1e-12),
                            row->executions > 0 ? PicosecondsText(row->self_ps / row->executions) : "",
                            row->limit_ps > 0 ? SecondsText(row->limit_ps * 1e-12) : "", TimeLimitName(row->limit),
                            OneLine(profile_.NameOf(*row)));
    }
  }

  void Groups(absl::string_view title, const std::vector<insight::GroupTime>& groups) {
    if (groups.empty()) return;
    Heading(title);
    for (size_t i = 0; i < std::min(rows_, groups.size()); ++i) {
      const insight::GroupTime& group = groups[i];
      absl::StrAppendFormat(&out_, "%12s %5.1f%% %7d %14s %12s  %s\n", PicosecondsText(group.self_ps),
                            Percent(group.self_ps, profile_.total_ps()), group.occurrences,
                            FlopRateText(PerSecond(group.flops, group.self_ps)),
                            ByteRateText(PerSecond(group.bytes, group.self_ps)), OneLine(group.name));
    }
    More(groups.size());
  }

  void Unattributed() {
    const int64_t left = profile_.events() - profile_.attributed();
    if (left == 0) return;
    Heading("Outside of all modules");
    absl::StrAppendFormat(&out_, "%d events, %.1f %% of the time\n", left,
                          Percent(profile_.total_ps() - profile_.attributed_ps(), profile_.total_ps()));
    for (size_t i = 0; i < std::min(rows_, profile_.unattributed().size()); ++i) {
      const insight::UnattributedTime& row = profile_.unattributed()[i];
      absl::StrAppendFormat(&out_, "%12s %7d  %s: %s\n", PicosecondsText(row.total_ps), row.occurrences,
                            OneLine(row.name), row.reason);
    }
    More(profile_.unattributed().size());
  }

  void Comparison() {
    if (before_ == nullptr) return;
    const std::vector<insight::ComparedTime> rows = CompareProfiles(*before_, profile_);
    Heading("Compared with the other profile: time of one run, largest changes first");
    absl::StrAppendFormat(&out_, "%12s %12s %8s  %s\n", "other", "this", "", "instruction");
    for (size_t i = 0; i < std::min(rows_, rows.size()); ++i) {
      const insight::ComparedTime& row = rows[i];
      const std::string factor =
          row.before_ps > 0 && row.after_ps > 0
              ? absl::StrFormat("x%.2f", static_cast<double>(row.after_ps) / static_cast<double>(row.before_ps))
          : row.before_ps > 0 ? "gone"
                              : "new";
      absl::StrAppendFormat(&out_, "%12s %12s %8s  %s  %s\n", row.before_ps > 0 ? PicosecondsText(row.before_ps) : "",
                            row.after_ps > 0 ? PicosecondsText(row.after_ps) : "", factor, OneLine(row.name),
                            OneLine(row.module));
    }
    More(rows.size());
    Line("all events: ", PicosecondsText(before_->total_ps()), " in the other, ", PicosecondsText(profile_.total_ps()),
         " in this one");
  }

  void Lanes() {
    if (profile_.lanes().empty()) return;
    Heading("Lanes");
    const int64_t span = profile_.end_ps() - profile_.begin_ps();
    for (size_t i = 0; i < std::min(rows_, profile_.lanes().size()); ++i) {
      const insight::TimelineLane& lane = profile_.lanes()[i];
      absl::StrAppendFormat(&out_, "%12s busy, %5.1f %% of %s, %d events  %s\n", PicosecondsText(lane.busy_ps),
                            Percent(lane.busy_ps, span), PicosecondsText(span), lane.events.size(), OneLine(lane.name));
    }
    More(profile_.lanes().size());
  }

  void Problems() {
    const interop::Profile& file = profile_.profile();
    if (file.problems.empty() && file.errors.empty() && file.warnings.empty()) return;
    Heading("What could not be used");
    for (const auto& [problem, count] : file.problems)
      Line("  ", OneLine(problem), ": ", count, count == 1 ? " time" : " times");
    for (const std::string& text : file.errors) Line("  error of the profiler: ", OneLine(text));
    for (const std::string& text : file.warnings) Line("  warning of the profiler: ", OneLine(text));
  }

  const insight::ProfileAnalysis& profile_;
  const insight::ProfileAnalysis* before_;
  const size_t rows_;
  const bool color_;
  std::string out_;
};

}  // namespace

std::string ProfileReportText(const insight::ProfileAnalysis& profile, const insight::ProfileAnalysis* before,
                              size_t rows, bool color) {
  return ProfileText(profile, before, rows, color).Write();
}

}  // namespace hloscope::reports
