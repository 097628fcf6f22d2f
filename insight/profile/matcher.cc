// SPDX-License-Identifier: Apache-2.0
#include "insight/profile/matcher.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "core/ir/checked_math.h"
#include "interop/hlo_proto/module_reader.h"

namespace hloscope::insight {
namespace {

using interop::ProfileEvent;
using interop::ProfileLine;
using interop::ProfilePlane;

constexpr size_t kMaxUnattributedRows = 100000;
// Thousands of events may have one name of a megabyte. Longer ones are no instructions; of those without one the
// beginning is shown.
constexpr size_t kLongestName = size_t{1} << 14, kLongestShownName = 400;

// Time of each event without those inside of it, of a line sorted by begin and, for equal ones, longest first.
std::vector<int64_t> SelfTimes(const std::vector<const ProfileEvent*>& events) {
  std::vector<int64_t> self(events.size());
  std::vector<size_t> open;
  for (size_t i = 0; i < events.size(); ++i) {
    const ProfileEvent& event = *events[i];
    self[i] = event.duration_ps;
    if (event.occurrences > 1) continue;  // an aggregate is nowhere
    const auto end = [&](size_t k) { return events[k]->begin_ps + events[k]->duration_ps; };
    while (!open.empty() && end(open.back()) <= event.begin_ps) open.pop_back();
    if (!open.empty() && event.begin_ps + event.duration_ps <= end(open.back())) {
      self[open.back()] -= event.duration_ps;
    }
    open.push_back(i);
  }
  for (int64_t& ps : self) ps = std::max<int64_t>(ps, 0);
  return self;
}

int64_t BusyTime(const std::vector<const ProfileEvent*>& events) {
  int64_t busy = 0, until = std::numeric_limits<int64_t>::min();
  for (const ProfileEvent* event : events) {
    const int64_t end = event->begin_ps + event->duration_ps;
    if (end <= until) continue;
    busy = SaturatingSum(busy, end - std::max(event->begin_ps, until));
    until = end;
  }
  return busy;
}

// Spans of time that are sorted and do not touch, and how much of an interval they cover.
class Coverage {
 public:
  explicit Coverage(std::vector<std::pair<int64_t, int64_t>> spans) : spans_(std::move(spans)), before_(1, 0) {
    // Sums modulo 2^64: the difference of two is at most the interval's length.
    for (const auto& [begin, end] : spans_) {
      before_.push_back(before_.back() + static_cast<uint64_t>(end) - static_cast<uint64_t>(begin));
    }
  }
  int64_t Within(int64_t begin, int64_t end) const { return static_cast<int64_t>(Before(end) - Before(begin)); }

 private:
  // Of all time before `time`.
  uint64_t Before(int64_t time) const {
    const auto after = std::upper_bound(spans_.begin(), spans_.end(), time,
                                        [](int64_t t, const auto& span) { return t < span.first; });
    const size_t count = static_cast<size_t>(after - spans_.begin());
    if (count == 0 || spans_[count - 1].second <= time) return before_[count];
    return before_[count] - (static_cast<uint64_t>(spans_[count - 1].second) - static_cast<uint64_t>(time));
  }

  std::vector<std::pair<int64_t, int64_t>> spans_;
  std::vector<uint64_t> before_;  // what the first spans cover together
};

bool IsCommunication(Opcode opcode) {
  return InfoOf(opcode).family == OpFamily::kCollective || opcode == Opcode::kSend || opcode == Opcode::kRecv ||
         opcode == Opcode::kSendDone || opcode == Opcode::kRecvDone;
}

}  // namespace

void ProfileMatcher::Match() {
  IndexPrograms();
  IndexLaunches();
  for (uint32_t p = 0; p < profile_.planes.size(); ++p) {
    const ProfilePlane& plane = profile_.planes[p];
    bool has_streams = false;
    for (const ProfileLine& line : plane.lines) has_streams |= !line.is_derived && !line.events.empty();
    for (const ProfileLine& line : plane.lines) {
      if (line.events.empty()) continue;
      if (plane.IsDevice()) {
        // Lines that a tool derived repeat the others; without others they are all there is.
        if (line.is_derived && (has_streams || line.name != "XLA Ops")) continue;
        MatchLine(plane, p, line);
      } else if (!devices_have_ops_ && absl::StartsWith(plane.name, "/host:")) {
        MatchLine(plane, p, line);
      }
    }
  }
  FinishExecutions();
  FindExposed();
}

void ProfileMatcher::IndexPrograms() {
  for (size_t i = 0; i < result_.programs_.size(); ++i) {
    const ProgramModule& program = *result_.programs_[i];
    program_by_id_.try_emplace(program.id(), static_cast<int32_t>(i));
    const auto [it, inserted] = program_by_name_.try_emplace(program.name(), static_cast<int32_t>(i));
    if (!inserted) it->second = -1;
  }
}

void ProfileMatcher::IndexLaunches() {
  for (const ProfilePlane& plane : profile_.planes) {
    for (const ProfileLine& line : plane.lines) {
      for (const ProfileEvent& event : line.events) {
        const bool has_op = event.hlo_op != 0 || plane.metadata[event.metadata].program >= 0;
        if (plane.IsDevice())
          devices_have_ops_ |= has_op;
        else if (event.correlation >= 0 && event.hlo_op != 0)
          launches_.try_emplace(event.correlation, &event);
      }
    }
  }
}

bool ProfileMatcher::IsWanted(int32_t program, const ProfileEvent& event) const {
  if (module_.empty()) return true;
  if (program < 0) return profile_.Text(event.hlo_module) == module_ || absl::StrCat(event.program) == module_;
  const ProgramModule& found = *result_.programs_[static_cast<size_t>(program)];
  return found.name() == module_ || absl::StrCat(found.id()) == module_;
}

int32_t ProfileMatcher::ProgramOf(const ProfileEvent& event) const {
  const auto by_id = program_by_id_.find(event.program);
  if (event.program >= 0 && by_id != program_by_id_.end()) return by_id->second;
  const auto by_name = program_by_name_.find(profile_.Text(event.hlo_module));
  // An id that is not there says that the program is another one, unless one was given by hand.
  if (event.program >= 0 && program_by_id_.size() > 0 && !result_.programs_.empty() &&
      (by_name == program_by_name_.end() || by_name->second < 0 ||
       result_.programs_[static_cast<size_t>(by_name->second)]->id() >= 0)) {
    return -1;
  }
  return by_name == program_by_name_.end() ? -1 : by_name->second;
}

// `hlo_op`; where metadata holds the whole instruction: its name.
absl::string_view ProfileMatcher::OpName(const ProfilePlane& plane, const ProfileEvent& event) const {
  absl::string_view name = profile_.Text(event.hlo_op);
  const interop::ProfileEventKind& kind = plane.metadata[event.metadata];
  if (name.empty() && (event.program >= 0 || event.hlo_module != 0)) {
    name = kind.display_name;
    if (name.empty())
      name = absl::string_view(kind.name).substr(0, absl::string_view(kind.name).substr(0, kLongestName).find(" = "));
  }
  if (name.size() > kLongestName) name = name.substr(0, kLongestName);
  const size_t level = name.rfind("::");
  if (level != absl::string_view::npos) name.remove_prefix(level + 2);
  return absl::StripPrefix(name, "%");
}

ProfileMatcher::Target ProfileMatcher::FindIn(int32_t program, absl::string_view name) const {
  Target target;
  target.program = program;
  const ProgramModule& module = *result_.programs_[static_cast<size_t>(program)];
  if (!module.has_module()) {
    target.reason = "the profile has not its module";
    return target;
  }
  std::optional<ProgramModule::Found> found = module.Find(name);
  if (!found || found->is_guess) {
    if (const auto valid = module.Find(interop::ValidName(name)); valid && !valid->is_guess) found = valid;
  }
  if (!found) {
    target.reason = "its module has no instruction of that name";
    return target;
  }
  target.id = found->id;
  target.is_guess = found->is_guess;
  return target;
}

ProfileMatcher::Target ProfileMatcher::Exactly(const ProfilePlane& plane, const ProfileEvent& event) {
  Target target;
  const absl::string_view name = OpName(plane, event);
  target.program = ProgramOf(event);
  if (name.empty()) {
    target.reason = "no annotation";
    return target;
  }
  if (target.program < 0) {
    target.reason =
        event.program >= 0 ? "the profile has no program of that id" : "the profile has no such module, or several";
    return target;
  }
  target = FindIn(target.program, name);
  const interop::ProfileEventKind& kind = plane.metadata[event.metadata];
  if (!target.id.has_value() && kind.deduplicated != 0) {
    Target representative = FindIn(target.program, profile_.Text(kind.deduplicated));
    representative.is_guess = true;
    if (representative.id.has_value()) return representative;
  }
  if (target.id.has_value() || !result_.programs_[static_cast<size_t>(target.program)]->has_module()) return target;
  // What is launched together, as a CUDA graph is, names all of it: then the kernel has the name of the instruction.
  Target kernel = FindIn(target.program, kind.name);
  kernel.is_guess = true;  // equal fusions may share one
  if (kernel.id.has_value()) return kernel;
  if (absl::StartsWith(name, "command_buffer")) {
    target.reason = "it runs in a command buffer, and no instruction has the name of the kernel";
  }
  return target;
}

ProfileMatcher::Target ProfileMatcher::TargetOf(const ProfilePlane& plane, uint32_t plane_number,
                                                const ProfileEvent& event) {
  const CacheKey key = {plane_number, event.metadata, event.hlo_op, event.hlo_module, event.program};
  const bool is_bare = event.hlo_op == 0 && event.program < 0 && event.hlo_module == 0;
  if (!is_bare) {
    const auto known = cache_.find(key);
    if (known != cache_.end()) return known->second;
    const Target target = Exactly(plane, event);
    if (target.id.has_value() && !target.is_guess) by_kernel_.try_emplace({plane_number, event.metadata}, target);
    cache_.emplace(key, target);
    return target;
  }
  // Without annotation: what launched it, or the same kernel where it has one.
  Target guess;
  guess.reason = absl::StartsWith(plane.metadata[event.metadata].name, "Memcpy") ? "a copy that no program starts"
                                                                                 : "no annotation";
  const auto launch = event.correlation >= 0 ? launches_.find(event.correlation) : launches_.end();
  if (launch != launches_.end() && plane.IsDevice()) {
    guess = Exactly(plane, *launch->second);
  } else if (const auto kernel = by_kernel_.find({plane_number, event.metadata}); kernel != by_kernel_.end()) {
    guess = kernel->second;
  }
  guess.is_guess = true;
  return guess;
}

int32_t ProfileMatcher::RowOf(const Target& target) {
  const auto [it, inserted] = rows_.try_emplace({target.program, static_cast<uint32_t>(target.id.index())},
                                                static_cast<int32_t>(result_.instructions_.size()));
  if (inserted) {
    InstructionTime time;
    time.program = static_cast<uint32_t>(target.program);
    time.id = target.id;
    const ProgramModule& program = *result_.programs_[time.program];
    time.flops = program.cost().Of(target.id).flops;
    time.bytes = program.cost().Of(target.id).bytes();
    result_.instructions_.push_back(time);
  }
  return it->second;
}

void ProfileMatcher::MatchLine(const ProfilePlane& plane, uint32_t plane_number, const ProfileLine& line) {
  TimelineLane lane;
  lane.name = absl::StrCat(plane.name, "  ", line.name);
  lane.plane = plane_number;
  std::vector<const ProfileEvent*> events;
  for (const ProfileEvent& event : line.events) {
    if (event.is_launch || (!plane.IsDevice() && event.hlo_op == 0)) continue;
    events.push_back(&event);
  }
  const auto before = [](const ProfileEvent* a, const ProfileEvent* b) {
    return a->begin_ps != b->begin_ps ? a->begin_ps < b->begin_ps : a->duration_ps > b->duration_ps;
  };
  if (!std::is_sorted(events.begin(), events.end(), before)) std::stable_sort(events.begin(), events.end(), before);
  const std::vector<int64_t> self = SelfTimes(events);
  for (size_t i = 0; i < events.size(); ++i) {
    const Target target = TargetOf(plane, plane_number, *events[i]);
    if (IsWanted(target.program, *events[i])) Count(plane, plane_number, *events[i], target, self[i], &lane);
  }
  if (lane.events.empty()) return;
  lane.busy_ps = BusyTime(lane.events);
  result_.lanes_.push_back(std::move(lane));
}

void ProfileMatcher::Count(const ProfilePlane& plane, uint32_t plane_number, const ProfileEvent& event,
                           const Target& target, int64_t self_ps, TimelineLane* lane) {
  const int64_t end = event.begin_ps + event.duration_ps;
  result_.begin_ps_ = result_.events_ == 0 ? event.begin_ps : std::min(result_.begin_ps_, event.begin_ps);
  result_.end_ps_ = result_.events_ == 0 ? end : std::max(result_.end_ps_, end);
  result_.events_ = SaturatingSum(result_.events_, event.occurrences);
  result_.total_ps_ = SaturatingSum(result_.total_ps_, self_ps);
  lane->events.push_back(&event);
  if (target.id.has_value()) {
    const int32_t row = RowOf(target);
    InstructionTime& time = result_.instructions_[static_cast<size_t>(row)];
    time.occurrences = SaturatingSum(time.occurrences, event.occurrences);
    time.total_ps = SaturatingSum(time.total_ps, event.duration_ps);
    time.self_ps = SaturatingSum(time.self_ps, self_ps);
    const interop::ProfileEventKind& kind = plane.metadata[event.metadata];
    if (kind.flops > 0) time.flops = kind.flops;
    if (kind.bytes > 0) time.bytes = kind.bytes;
    if (target.is_guess) {
      time.guessed = SaturatingSum(time.guessed, event.occurrences);
      result_.guessed_ = SaturatingSum(result_.guessed_, event.occurrences);
    }
    result_.attributed_ = SaturatingSum(result_.attributed_, event.occurrences);
    result_.attributed_ps_ = SaturatingSum(result_.attributed_ps_, self_ps);
    int64_t& count = kernels_[{row, plane_number}][event.metadata];
    count = SaturatingSum(count, event.occurrences);
    lane->rows.push_back(row);
    return;
  }
  lane->rows.push_back(-1);
  const absl::string_view op = OpName(plane, event);
  const absl::string_view whole_name = plane.metadata[event.metadata].name;
  std::string name(whole_name.substr(0, kLongestShownName));
  if (!op.empty() && op != whole_name) absl::StrAppend(&name, " of ", op.substr(0, kLongestShownName));
  if (event.hlo_module != 0) {
    absl::StrAppend(&name, " in ", absl::string_view(profile_.Text(event.hlo_module)).substr(0, kLongestShownName));
  }
  const auto [it, inserted] = unattributed_.try_emplace({std::move(name), target.reason}, result_.unattributed_.size());
  if (inserted) {
    if (result_.unattributed_.size() >= kMaxUnattributedRows) {
      it->second = result_.unattributed_.size() - 1;
    } else {
      result_.unattributed_.push_back({it->first.first, it->first.second, 0, 0});
    }
  }
  UnattributedTime& row = result_.unattributed_[it->second];
  row.occurrences = SaturatingSum(row.occurrences, event.occurrences);
  row.total_ps = SaturatingSum(row.total_ps, self_ps);
}

// Each kernel of an instruction runs once or more an execution: the rarest counts them.
void ProfileMatcher::FinishExecutions() {
  for (const auto& [row, kinds] : kernels_) {
    int64_t least = std::numeric_limits<int64_t>::max();
    for (const auto& [kind, count] : kinds) least = std::min(least, count);
    int64_t& executions = result_.instructions_[static_cast<size_t>(row.first)].executions;
    executions = SaturatingSum(executions, least);
  }
}

// Of communication: what no computation on another line of its device covers.
void ProfileMatcher::FindExposed() {
  std::map<uint32_t, std::vector<std::pair<int64_t, int64_t>>> computing;  // by plane
  const auto communicates = [&](int32_t row) {
    return row >= 0 && IsCommunication(result_.OpcodeOf(result_.instructions_[static_cast<size_t>(row)]));
  };
  bool any = false;
  for (const InstructionTime& time : result_.instructions_) any |= IsCommunication(result_.OpcodeOf(time));
  if (!any) return;
  for (const TimelineLane& lane : result_.lanes_) {
    for (size_t i = 0; i < lane.events.size(); ++i) {
      if (communicates(lane.rows[i])) continue;
      const ProfileEvent& event = *lane.events[i];
      computing[lane.plane].emplace_back(event.begin_ps, event.begin_ps + event.duration_ps);
    }
  }
  for (auto& [plane, spans] : computing) {
    std::sort(spans.begin(), spans.end());
    size_t kept = 0;
    for (const auto& span : spans) {
      if (kept > 0 && span.first <= spans[kept - 1].second) {
        spans[kept - 1].second = std::max(spans[kept - 1].second, span.second);
      } else {
        spans[kept++] = span;
      }
    }
    spans.resize(kept);
  }
  std::map<uint32_t, Coverage> coverage;
  for (auto& [plane, spans] : computing) coverage.try_emplace(plane, std::move(spans));
  for (const TimelineLane& lane : result_.lanes_) {
    const auto covering = coverage.find(lane.plane);
    for (size_t i = 0; i < lane.events.size(); ++i) {
      if (!communicates(lane.rows[i])) continue;
      const ProfileEvent& event = *lane.events[i];
      const int64_t end = event.begin_ps + event.duration_ps;
      const int64_t covered = covering == coverage.end() ? 0 : covering->second.Within(event.begin_ps, end);
      int64_t& exposed = result_.instructions_[static_cast<size_t>(lane.rows[i])].exposed_ps;
      exposed = SaturatingSum(exposed, std::max<int64_t>(0, event.duration_ps - covered));
    }
  }
}

}  // namespace hloscope::insight
