// SPDX-License-Identifier: Apache-2.0
#include "reports/memory_report.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "core/diagnostics/render.h"
#include "core/print/quantity.h"
#include "insight/memory/value_facts.h"

namespace hloscope::reports {
namespace {

constexpr size_t kBarWidth = 40;
constexpr size_t kSuggestions = 5;

std::string InstructionText(const Module& module, InstructionId id) { return OneLine(module.InstructionName(id)); }

class MemoryText {
 public:
  MemoryText(const MemoryReport& report, size_t rows, bool color)
      : report_(report), memory_(report.memory), module_(memory_.module()), rows_(rows), color_(color) {}

  std::string Write() {
    Summary();
    AtPeak();
    Lifetimes();
    Recorded();
    Allocations();
    Spaces();
    Donations();
    Copies();
    WhatIfs();
    return std::move(out_);
  }

 private:
  void Heading(absl::string_view text) {
    absl::StrAppend(&out_, color_ ? "\n\x1b[1m" : "\n", text, color_ ? "\x1b[0m\n" : "\n");
  }
  template <typename... Parts>
  void Line(const Parts&... parts) {
    absl::StrAppend(&out_, parts..., "\n");
  }
  void More(size_t count, absl::string_view indent = "") {
    if (count > rows_) Line(indent, "... and ", count - rows_, " more (all with --json)");
  }
  static std::string Both(int64_t bytes) { return absl::StrCat(bytes, " bytes (", BytesText(bytes), ")"); }

  void Summary() {
    Line(OneLine(module_.name()), ": peak ", Both(memory_.peak_bytes()));
    std::vector<std::string> path;
    for (InstructionId id : memory_.PeakPath()) path.push_back(InstructionText(module_, id));
    if (!path.empty()) {
      Line("  reached at   ", absl::StrJoin(path, " > "), ", step ", memory_.peak_step(), " of ",
           memory_.timeline().steps.size());
    }
    Line("  schedule     ", memory_.is_module_schedule()
                                ? "given by the module"
                                : absl::StrCat("our own: ", ScheduleKindName(memory_.schedule_kind())));
    Line("  assigned     ", Both(memory_.assigned_bytes()), memory_.is_recorded() ? ", by the compiler: " : "",
         memory_.is_recorded() ? OneLine(report_.source) : ", by our own packing of these lifetimes");
    if (memory_.is_recorded()) {
      Line(
          "  counted      memory of arguments, results and constants always; temporaries while they live, arrays in "
          "one "
          "place once");
    }
    if (!memory_.timeline().complete)
      Line("  some called computations are too large to be taken apart: each counts as one");
    if (!memory_.buffers().complete()) Line("  tuples of very many arrays are left out");
  }

  void AtPeak() {
    const std::vector<uint32_t> live = memory_.LiveAt(memory_.peak_step());
    Heading(absl::StrCat("Alive at the peak: ", live.size(), live.size() == 1 ? " array" : " arrays"));
    absl::StrAppendFormat(&out_, "%12s %12s %12s  %s\n", "in memory", "padding", "kind", "array");
    for (size_t i = 0; i < std::min(rows_, live.size()); ++i) {
      const insight::MemoryValue& value = memory_.values()[live[i]];
      const int64_t padding = value.padded_bytes - value.bytes;
      absl::StrAppendFormat(&out_, "%12s %12s %12s  %s  %s\n", BytesText(value.padded_bytes),
                            padding == 0 ? "" : BytesText(padding), ValueKindName(value.kind),
                            OneLine(memory_.ValueName(value)), insight::ShapeTextOf(memory_, value));
      Why(value);
    }
    More(live.size(), "            ");
  }

  void Why(const insight::MemoryValue& value) {
    const std::string indent(40, ' ');
    const std::string source = value.definer.has_value() ? insight::SourceOf(module_, value.definer) : "";
    if (!source.empty()) Line(indent, "from ", source);
    const std::vector<InstructionId> keepers =
        insight::KeepersOf(memory_, report_.readers, value, memory_.peak_step(), 4);
    std::vector<std::string> names;
    for (size_t k = 0; k < std::min<size_t>(keepers.size(), 3); ++k) {
      names.push_back(
          absl::StrCat(InstructionText(module_, keepers[k]), " (", OpcodeName(module_.opcode(keepers[k])), ")"));
    }
    const std::string held = insight::HeldAs(memory_, value);
    const std::string way = value.kind == insight::ValueKind::kParameter
                                ? ""
                                : insight::WayText(module_, insight::PassedOnBy(memory_, report_.readers, report_.users,
                                                                                value, memory_.peak_step()));
    const absl::string_view gap = way.empty() ? "" : " ";
    if (!names.empty())
      Line(indent, "kept for ", absl::StrJoin(names, ", "), keepers.size() > 3 ? ", ..." : "", gap, way);
    else if (!held.empty())
      Line(indent, "kept as ", held, gap, way);
    else if (!way.empty())
      Line(indent, "kept ", way);
  }

  void Lifetimes() {
    std::vector<uint32_t> order;
    for (uint32_t v = 0; v < memory_.values().size(); ++v) order.push_back(v);
    const size_t count = std::min(rows_, order.size());
    std::partial_sort(order.begin(), order.begin() + static_cast<ptrdiff_t>(count), order.end(),
                      [&](uint32_t a, uint32_t b) {
                        const int64_t x = memory_.values()[a].padded_bytes, y = memory_.values()[b].padded_bytes;
                        return x != y ? x > y : a < b;
                      });
    if (order.empty()) return;
    Heading(absl::StrCat("Lifetimes of the largest arrays, over ", memory_.timeline().steps.size(), " steps"));
    for (size_t i = 0; i < count; ++i) {
      const insight::MemoryValue& value = memory_.values()[order[i]];
      absl::StrAppendFormat(&out_, "%12s |%s| %d-%d  %s\n", BytesText(value.padded_bytes),
                            insight::LifeBar(memory_, value, kBarWidth), value.live.begin, value.live.end,
                            OneLine(memory_.ValueName(value)));
    }
    std::string marker(kBarWidth, ' ');
    const size_t steps = std::max<size_t>(memory_.timeline().steps.size(), 1);
    marker[std::min(kBarWidth - 1, memory_.peak_step() * kBarWidth / steps)] = '^';
    Line("             ", " ", marker, "  peak");
  }

  void Recorded() {
    if (!memory_.is_recorded()) return;
    const insight::RecordedMemory& recorded = *memory_.recorded();
    Heading("Beside the compiler's own figures");
    Line("  its allocations   ", Both(recorded.total_bytes), ", of which temporaries ", Both(recorded.temporary_bytes));
    if (recorded.heap_peak_bytes >= 0) Line("  its heap at most  ", Both(recorded.heap_peak_bytes), ", by its trace");
    absl::StrAppendFormat(&out_, "  our peak          %s, %+.3f %%\n", Both(memory_.peak_bytes()),
                          100 * recorded.difference);
    for (size_t i = 0; i < std::min(rows_, recorded.deviations.size()); ++i) {
      Line("  - ", OneLine(recorded.deviations[i]));
    }
    More(recorded.deviations.size(), "  ");
  }

  void Allocations() {
    std::vector<const insight::MemoryAllocation*> allocations;
    for (const insight::MemoryAllocation& allocation : memory_.allocations()) allocations.push_back(&allocation);
    std::stable_sort(allocations.begin(), allocations.end(),
                     [](const auto* a, const auto* b) { return a->size > b->size; });
    Heading(absl::StrCat("Allocations: ", allocations.size(), memory_.is_recorded() ? "" : " (our own packing)"));
    for (size_t i = 0; i < std::min(rows_, allocations.size()); ++i) {
      const insight::MemoryAllocation& allocation = *allocations[i];
      std::string notes;
      if (allocation.memory_space != 0) absl::StrAppend(&notes, ", memory space ", allocation.memory_space);
      if (allocation.is_aliased) absl::StrAppend(&notes, ", taken over by the result");
      if (!allocation.is_counted) absl::StrAppend(&notes, ", not counted");
      absl::StrAppendFormat(&out_, "%12s  %s%s\n", BytesText(allocation.size), allocation.kind, notes);
    }
    More(allocations.size(), "              ");
  }

  void Spaces() {
    if (memory_.spaces().size() < 2) return;
    Heading("Memory spaces");
    for (const insight::MemorySpace& space : memory_.spaces()) {
      Line("  S(", space.number, ")  peak ", Both(space.peak_bytes), ", assigned ", Both(space.assigned_bytes));
    }
  }

  void Donations() {
    if (report_.donations.empty()) return;
    Heading("Donated arguments");
    size_t shown = 0;
    for (const insight::Donation& donation : report_.donations) {
      if (shown++ == rows_) break;
      const std::string result =
          donation.result ? absl::StrCat(" to the result", insight::IndexText(ResultIndex(*donation.result))) : "";
      const std::string loss(DonationLossName(donation.loss));
      absl::StrAppendFormat(&out_, "%12s  %s  %s%s%s: %s\n", BytesText(donation.bytes),
                            DonationStateName(donation.state),
                            OneLine(memory_.leaves().Name(donation.parameter, donation.leaf)), result,
                            loss.empty() ? "" : absl::StrCat(" (", loss, ")"), donation.detail);
    }
    More(report_.donations.size(), "              ");
  }

  ShapeIndex ResultIndex(uint32_t leaf) const {
    const insight::Leaf* found = memory_.leaves().At(module_.computation(module_.entry()).root, leaf);
    return found != nullptr ? found->index : ShapeIndex();
  }

  void Copies() {
    if (report_.copies.empty()) return;
    int64_t added = 0;
    for (const insight::CopyReason& copy : report_.copies) added += copy.is_added;
    Heading(absl::StrCat("Copies: ", report_.copies.size(), ", of which ", added, " without a line of the program"));
    for (size_t i = 0; i < std::min(rows_, report_.copies.size()); ++i) {
      const insight::CopyReason& copy = report_.copies[i];
      const std::string source = insight::SourceOf(module_, copy.id);
      absl::StrAppendFormat(&out_, "%12s  %s%s: %s%s\n", BytesText(copy.bytes), InstructionText(module_, copy.id),
                            copy.runs > 1 ? absl::StrCat(", ", copy.runs, " times") : "", copy.reason,
                            source.empty() ? "" : absl::StrCat(", from ", source));
    }
    More(report_.copies.size(), "              ");
  }

  void WhatIfs() {
    if (!report_.answers.empty()) {
      Heading("What if");
      for (const insight::WhatIf& answer : report_.answers) Answer(answer);
    }
    if (report_.suggestions.empty()) return;
    Heading("What would help (--what-if)");
    for (const insight::WhatIf& answer : report_.suggestions) Answer(answer);
  }

  void Answer(const insight::WhatIf& answer) {
    absl::StrAppendFormat(&out_, "  %s: peak %s, %s %s%s; %s\n", OneLine(answer.what), BytesText(answer.peak_bytes),
                          BytesText(std::abs(answer.saved_bytes)), answer.saved_bytes < 0 ? "more" : "less",
                          answer.extra_flops > 0 ? absl::StrCat(" for ", FlopText(answer.extra_flops)) : "",
                          answer.note);
  }

  const MemoryReport& report_;
  const insight::MemoryExplanation& memory_;
  const Module& module_;
  const size_t rows_;
  const bool color_;
  std::string out_;
};

}  // namespace

MemoryReport::MemoryReport(const Document& document, const insight::MemoryOptions& options, std::string from)
    : memory(document, options),
      readers(document.module(), memory.buffers()),
      users(document.module()),
      cost(document.module(), memory.calls()),
      donations(insight::FindDonations(memory, readers)),
      copies(insight::ExplainCopies(memory, cost)),
      suggestions(insight::SuggestRecomputation(memory, readers, kSuggestions)),
      source(std::move(from)) {}

std::string MemoryReportText(const MemoryReport& report, size_t rows, bool color) {
  return MemoryText(report, rows, color).Write();
}

}  // namespace hloscope::reports
