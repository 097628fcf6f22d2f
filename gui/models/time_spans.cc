// SPDX-License-Identifier: Apache-2.0
#include "gui/models/time_spans.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "gui/models/group_summary.h"
#include "gui/models/level_groups.h"

namespace hloscope::gui {
namespace {

constexpr uint32_t kMostLanes = 12;
constexpr uint32_t kMostScopes = 40;  // inside one another
// Callers that take less of the whole are not looked into.
constexpr double kSmallestShare = 1e-5;
constexpr size_t kMostInstructionsOfAnOpcode = 300;

// By computation: whether it runs as a frame of the entry computation or of one that does.
std::vector<bool> RunsInFrames(const Module& module) {
  std::vector<bool> runs(module.computations().size(), false);
  std::vector<ComputationId> queue = {module.entry()};
  while (!queue.empty()) {
    const ComputationId computation = queue.back();
    queue.pop_back();
    if (!computation.has_value() || runs[computation.index()]) continue;
    runs[computation.index()] = true;
    for (InstructionId id : module.computation(computation).instructions) {
      if (!RunsAsFrame(module.opcode(id))) continue;
      module.ForEachCalledComputation(id, [&](AttributeKind, ComputationId called) { queue.push_back(called); });
    }
  }
  return runs;
}

double Estimate(const Cost& cost) {
  return std::max(static_cast<double>(cost.flops) / kEstimatedFlops,
                  static_cast<double>(cost.bytes()) / kEstimatedBytes);
}

// Puts what `caller` calls below it, each instruction as long as its share of all of them.
void AddCalled(const Module& module, const InstructionTimes& times, InstructionId caller, double begin, double end,
               uint32_t lane, double smallest, TimeSpans* spans) {
  if (lane >= kMostLanes || end - begin < smallest || !RunsAsFrame(module.opcode(caller))) return;
  std::vector<InstructionId> called;
  double all = times.own[caller.index()];
  module.ForEachCalledComputation(caller, [&](AttributeKind, ComputationId computation) {
    if (!computation.has_value()) return;
    for (InstructionId id : module.computation(computation).instructions) {
      if (times.whole[id.index()] <= 0) continue;
      called.push_back(id);
      all += times.whole[id.index()];
    }
  });
  if (all <= 0) return;
  double at = begin;
  for (InstructionId id : called) {
    const double next = at + times.whole[id.index()] / all * (end - begin);
    spans->spans.push_back({at, next, lane, id, CategoryOf(module.opcode(id)), {}});
    AddCalled(module, times, id, at, next, lane + 1, smallest, spans);
    at = next;
  }
}

// What is known about a scope: its instructions by opcode, and sums with those of the scopes in it.
struct ScopeTimes {
  double seconds = 0;
  int64_t instructions = 0;
  InstructionId longest;
  std::vector<ScopeTree::ScopeId> children;                            // the longest first
  std::vector<std::pair<Opcode, std::vector<InstructionId>>> opcodes;  // the longest first
};

double SecondsOf(const InstructionTimes& times, const std::vector<InstructionId>& ids) {
  double seconds = 0;
  for (InstructionId id : ids) seconds += times.own[id.index()];
  return seconds;
}

std::vector<ScopeTimes> TimesOfScopes(DocumentAnalyses& analyses, const InstructionTimes& times) {
  const Module& module = analyses.module();
  const ScopeTree& scopes = analyses.scopes();
  std::vector<ScopeTimes> of(scopes.scopes().size());
  std::vector<std::map<Opcode, std::vector<InstructionId>>> opcodes(of.size());
  for (uint32_t i = 0; i < module.instruction_count(); ++i) {
    const double seconds = times.own[i];
    if (seconds <= 0) continue;
    const InstructionId id(i);
    ScopeTimes& scope = of[scopes.Of(id)];
    opcodes[scopes.Of(id)][module.opcode(id)].push_back(id);
    scope.seconds += seconds;
    ++scope.instructions;
    if (!scope.longest.has_value() || seconds > times.own[scope.longest.index()]) scope.longest = id;
  }
  // Parents come before their children.
  for (size_t s = of.size(); s-- > 1;) {
    ScopeTimes& parent = of[scopes.scope(static_cast<ScopeTree::ScopeId>(s)).parent];
    parent.seconds += of[s].seconds;
    parent.instructions += of[s].instructions;
    const InstructionId longest = of[s].longest;
    if (!longest.has_value()) continue;
    if (!parent.longest.has_value() || times.own[longest.index()] > times.own[parent.longest.index()]) {
      parent.longest = longest;
    }
  }
  for (size_t s = 0; s < of.size(); ++s) {
    for (ScopeTree::ScopeId child : scopes.scope(static_cast<ScopeTree::ScopeId>(s)).children) {
      if (of[child].seconds > 0) of[s].children.push_back(child);
    }
    std::stable_sort(of[s].children.begin(), of[s].children.end(),
                     [&](ScopeTree::ScopeId a, ScopeTree::ScopeId b) { return of[a].seconds > of[b].seconds; });
    for (auto& [opcode, ids] : opcodes[s]) {
      std::stable_sort(ids.begin(), ids.end(),
                       [&](InstructionId a, InstructionId b) { return times.own[a.index()] > times.own[b.index()]; });
      of[s].opcodes.emplace_back(opcode, std::move(ids));
    }
    std::stable_sort(of[s].opcodes.begin(), of[s].opcodes.end(), [&](const auto& a, const auto& b) {
      return SecondsOf(times, a.second) > SecondsOf(times, b.second);
    });
  }
  return of;
}

void AddScope(const ScopeTree& scopes, const std::vector<ScopeTimes>& of, const InstructionTimes& times,
              ScopeTree::ScopeId scope, double begin, uint32_t lane, TimeSpans* spans) {
  const ScopeTimes& here = of[scope];
  if (scope != ScopeTree::kRoot) {
    spans->spans.push_back(
        {begin, begin + here.seconds, lane, here.longest, NodeCategory::kControlFlow, ScopeTitle(scopes, scope), true});
    ++lane;
  }
  if (lane >= kMostScopes) return;
  double at = begin;
  for (ScopeTree::ScopeId child : here.children) {
    AddScope(scopes, of, times, child, at, lane, spans);
    at += of[child].seconds;
  }
  for (const auto& [opcode, ids] : here.opcodes) {
    const double seconds = SecondsOf(times, ids);
    spans->spans.push_back({at, at + seconds, lane, ids.front(), CategoryOf(opcode),
                            ids.size() == 1 ? std::string() : absl::StrCat(OpcodeName(opcode), " x ", ids.size()),
                            false});
    at += seconds;
  }
}

TimeRow RowOfScope(const Module& module, const ScopeTree& scopes, const std::vector<ScopeTimes>& of,
                   const InstructionTimes& times, ScopeTree::ScopeId scope, uint32_t depth) {
  TimeRow row;
  row.name = scope == ScopeTree::kRoot ? "" : ScopeTitle(scopes, scope);
  row.seconds = of[scope].seconds;
  row.instructions = of[scope].instructions;
  if (depth >= kMostScopes) return row;
  for (ScopeTree::ScopeId child : of[scope].children) {
    row.rows.push_back(RowOfScope(module, scopes, of, times, child, depth + 1));
  }
  for (const auto& [opcode, ids] : of[scope].opcodes) {
    TimeRow& kind = row.rows.emplace_back();
    kind.name = std::string(OpcodeName(opcode));
    kind.seconds = kind.own = SecondsOf(times, ids);
    kind.instructions = static_cast<int64_t>(ids.size());
    row.own += kind.seconds;
    for (size_t i = 0; i < ids.size() && i < kMostInstructionsOfAnOpcode; ++i) {
      const double seconds = times.own[ids[i].index()];
      kind.rows.push_back({std::string(module.InstructionName(ids[i])), ids[i], seconds, seconds, 1, {}});
    }
  }
  std::stable_sort(row.rows.begin(), row.rows.end(),
                   [](const TimeRow& a, const TimeRow& b) { return a.seconds > b.seconds; });
  return row;
}

}  // namespace

InstructionTimes TimesOf(DocumentAnalyses& analyses, absl::Span<const evaluator::InstructionStatistics> statistics) {
  const Module& module = analyses.module();
  InstructionTimes times;
  times.own.assign(module.instruction_count(), 0);
  times.measured = statistics.size() >= times.own.size() &&
                   std::any_of(statistics.begin(), statistics.end(), [](const auto& s) { return s.runs > 0; });
  if (times.measured) {
    for (size_t i = 0; i < times.own.size(); ++i) times.own[i] = statistics[i].seconds;
    times.whole = SecondsWithCalled(module, statistics);
    return times;
  }
  times.whole = times.own;
  if (!module.entry().has_value()) return times;
  const CostAnalysis& costs = analyses.costs();
  const std::vector<bool> in_frames = RunsInFrames(module);
  for (uint32_t i = 0; i < times.own.size(); ++i) {
    const InstructionId id(i);
    const ComputationId computation = module.instruction(id).computation;
    if (!in_frames[computation.index()]) continue;
    const double runs = static_cast<double>(std::max<int64_t>(1, costs.Runs(computation)));
    times.whole[i] = Estimate(costs.Of(id)) * runs;
    if (!RunsAsFrame(module.opcode(id))) times.own[i] = times.whole[i];
  }
  return times;
}

void TimeSpans::Arrange() {
  std::stable_sort(spans.begin(), spans.end(),
                   [](const Span& a, const Span& b) { return a.lane != b.lane ? a.lane < b.lane : a.begin < b.begin; });
  lane_begin = {0};
  for (uint32_t i = 0; i < spans.size(); ++i) {
    total = std::max(total, spans[i].end);
    while (lane_begin.size() <= spans[i].lane) lane_begin.push_back(i);
  }
  lane_begin.push_back(static_cast<uint32_t>(spans.size()));
  if (spans.empty()) lane_begin.clear();
}

int64_t TimeSpans::AliveAt(double seconds) const {
  auto after = std::upper_bound(alive.begin(), alive.end(), seconds,
                                [](double at, const Alive& interval) { return at < interval.begin; });
  if (after == alive.begin()) return -1;
  --after;
  return seconds < after->end ? after->bytes : -1;
}

uint32_t TimeSpans::At(double seconds, uint32_t lane) const {
  if (lane >= lanes()) return kNone;
  const auto begin = spans.begin() + lane_begin[lane], end = spans.begin() + lane_begin[lane + 1];
  auto after = std::upper_bound(begin, end, seconds, [](double at, const Span& span) { return at < span.begin; });
  if (after == begin) return kNone;
  --after;
  return seconds < after->end ? static_cast<uint32_t>(after - spans.begin()) : kNone;
}

TimeSpans SpansOfSchedule(DocumentAnalyses& analyses, const InstructionTimes& times) {
  TimeSpans result;
  result.measured = times.measured;
  const Module& module = analyses.module();
  if (!module.entry().has_value()) return result;
  const ComputationMemory& memory = analyses.memory().Of(module.entry());
  double all = 0;
  for (InstructionId id : memory.schedule) all += times.whole[id.index()];
  double at = 0;
  for (size_t step = 0; step < memory.schedule.size(); ++step) {
    const InstructionId id = memory.schedule[step];
    const double seconds = times.whole[id.index()];
    if (seconds <= 0) continue;
    result.spans.push_back({at, at + seconds, 0, id, CategoryOf(module.opcode(id)), {}});
    result.alive.push_back({at, at + seconds, step < memory.live_bytes.size() ? memory.live_bytes[step] : 0});
    AddCalled(module, times, id, at, at + seconds, 1, all * kSmallestShare, &result);
    at += seconds;
  }
  result.Arrange();
  return result;
}

TimeSpans SpansOfScopes(DocumentAnalyses& analyses, const InstructionTimes& times) {
  TimeSpans result;
  result.measured = times.measured;
  AddScope(analyses.scopes(), TimesOfScopes(analyses, times), times, ScopeTree::kRoot, 0, 0, &result);
  result.Arrange();
  return result;
}

std::vector<TimeRow> TopDown(DocumentAnalyses& analyses, const InstructionTimes& times) {
  return RowOfScope(analyses.module(), analyses.scopes(), TimesOfScopes(analyses, times), times, ScopeTree::kRoot, 0)
      .rows;
}

std::vector<TimeRow> BottomUp(DocumentAnalyses& analyses, const InstructionTimes& times) {
  const Module& module = analyses.module();
  std::map<Opcode, std::vector<InstructionId>> by_opcode;
  for (uint32_t i = 0; i < times.own.size(); ++i) {
    if (times.own[i] > 0) by_opcode[module.opcode(InstructionId(i))].push_back(InstructionId(i));
  }
  std::vector<TimeRow> rows;
  for (auto& [opcode, ids] : by_opcode) {
    std::stable_sort(ids.begin(), ids.end(),
                     [&](InstructionId a, InstructionId b) { return times.own[a.index()] > times.own[b.index()]; });
    TimeRow row;
    row.name = std::string(OpcodeName(opcode));
    row.seconds = row.own = SecondsOf(times, ids);
    row.instructions = static_cast<int64_t>(ids.size());
    for (size_t i = 0; i < ids.size() && i < kMostInstructionsOfAnOpcode; ++i) {
      const double seconds = times.own[ids[i].index()];
      TimeRow one{std::string(module.InstructionName(ids[i])), ids[i], seconds, seconds, 1, {}};
      const ScopeTree::ScopeId scope = analyses.scopes().Of(ids[i]);
      if (scope != ScopeTree::kRoot) one.rows.push_back({analyses.scopes().Path(scope), ids[i], seconds, 0, 1, {}});
      row.rows.push_back(std::move(one));
    }
    rows.push_back(std::move(row));
  }
  std::stable_sort(rows.begin(), rows.end(), [](const TimeRow& a, const TimeRow& b) { return a.seconds > b.seconds; });
  return rows;
}

}  // namespace hloscope::gui
