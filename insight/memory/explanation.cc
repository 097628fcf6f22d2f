// SPDX-License-Identifier: Apache-2.0
#include "insight/memory/explanation.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/ir/checked_math.h"
#include "insight/memory/covered_bytes.h"
#include "insight/memory/packing.h"

namespace hloscope::insight {
namespace {

ValueKind KindOf(const Module& module, InstructionId definer, bool is_result) {
  if (module.opcode(definer) == Opcode::kParameter) return ValueKind::kParameter;
  if (module.opcode(definer) == Opcode::kConstant) return ValueKind::kConstant;
  return is_result ? ValueKind::kResult : ValueKind::kTemporary;
}

// The largest size that any number of `count` sizes may have without their sum overflowing.
int64_t LargestOf(size_t count) { return std::numeric_limits<int64_t>::max() / (static_cast<int64_t>(count) + 1); }

}  // namespace

absl::string_view ValueKindName(ValueKind kind) {
  switch (kind) {
    case ValueKind::kParameter:
      return "parameter";
    case ValueKind::kConstant:
      return "constant";
    case ValueKind::kResult:
      return "result";
    case ValueKind::kTemporary:
      return "temporary";
    case ValueKind::kComputation:
      return "computation";
  }
  return "";
}

std::vector<int64_t> SumOverSteps(size_t steps, absl::Span<const MemoryValue> values) {
  std::vector<int64_t> live(steps + 1, 0);
  const int64_t largest = LargestOf(values.size());
  for (const MemoryValue& value : values) {
    const int64_t bytes = std::min(value.taken_bytes, largest);
    live[value.live.begin] += bytes;
    live[value.live.end + 1] -= bytes;
  }
  for (size_t t = 1; t <= steps; ++t) live[t] += live[t - 1];
  live.resize(steps);
  return live;
}

MemoryExplanation::MemoryExplanation(const Document& document, const MemoryOptions& options)
    : document_(document),
      calls_(document.module()),
      buffers_(document.module(), calls_),
      memory_(document.module(), document.users(), calls_, buffers_, options.schedule),
      leaves_(document.module()),
      timeline_(TimelineOf(document.module(), calls_, buffers_, memory_)) {
  IndexSteps();
  MakeValues();
  if (options.assignment != nullptr) {
    MeasureRecorded(PlaceAsRecorded(*options.assignment));
    CompareWithTraces(*options.assignment);
  } else {
    PlaceOurselves();
    MeasureLive();
  }
  MeasureSpaces();
}

ScheduleKind MemoryExplanation::schedule_kind() const {
  return module().entry().has_value() ? memory_.Of(module().entry()).kind : ScheduleKind::kText;
}

std::string MemoryExplanation::ValueName(const MemoryValue& value) const {
  if (value.kind == ValueKind::kComputation) {
    return absl::StrCat("all of ", module().ComputationName(value.live.computation));
  }
  return leaves_.Name(value.definer, value.leaf);
}

void MemoryExplanation::IndexSteps() {
  first_step_.assign(module().instruction_count() + 2, 0);
  for (const TimelineStep& step : timeline_.steps) ++first_step_[step.instruction.index() + 2];
  for (size_t i = 2; i < first_step_.size(); ++i) first_step_[i] += first_step_[i - 1];
  steps_.resize(timeline_.steps.size());
  for (uint32_t t = 0; t < steps_.size(); ++t) steps_[first_step_[timeline_.steps[t].instruction.index() + 1]++] = t;
}

void MemoryExplanation::MakeValues() {
  std::vector<bool> is_result(buffers_.buffers().size(), false);
  if (module().entry().has_value()) {
    for (BufferTable::BufferId id : buffers_.Of(module().computation(module().entry()).root)) is_result[id] = true;
  }
  values_.reserve(timeline_.ranges.size());
  for (const LiveRange& range : timeline_.ranges) {
    MemoryValue value;
    value.live = range;
    if (range.buffer == LiveRange::kNoBuffer) {
      value.kind = ValueKind::kComputation;
      value.bytes = value.padded_bytes = value.taken_bytes = memory_.Of(range.computation).peak_bytes;
      values_.push_back(value);
      continue;
    }
    const LogicalBuffer& buffer = buffers_.buffer(range.buffer);
    value.definer = buffer.definer;
    value.leaf = buffer.leaf;
    value.kind = KindOf(module(), buffer.definer, is_result[range.buffer]);
    value.bytes = value.padded_bytes = buffer.bytes;
    if (const Leaf* leaf = leaves_.At(buffer.definer, buffer.leaf)) {
      value.padded_bytes = std::max(leaf->padded_bytes, buffer.bytes);
      if (leaf->shape.IsArray() && leaf->shape.has_layout()) value.memory_space = leaf->shape.layout().memory_space;
    }
    value.taken_bytes = value.padded_bytes;
    values_.push_back(value);
  }
}

// --- Our own places ---

namespace {

// What shares memory with others over time: arrays, and all that a called computation needs.
bool IsTemporary(const MemoryValue& value) {
  return value.kind == ValueKind::kTemporary || value.kind == ValueKind::kComputation;
}

}  // namespace

// The temporaries of a memory space share a block; others have one each.
void MemoryExplanation::PackTemporaries(int64_t space, const std::vector<size_t>& of_item) {
  std::vector<PackedItem> items;
  for (size_t v : of_item) items.push_back({values_[v].padded_bytes, values_[v].live.begin, values_[v].live.end, 0});
  const int64_t size = PackItems(absl::MakeSpan(items));
  for (size_t i = 0; i < items.size(); ++i) {
    values_[of_item[i]].allocation = static_cast<int64_t>(allocations_.size());
    values_[of_item[i]].offset = items[i].offset;
  }
  MemoryAllocation allocation;
  allocation.size = size;
  allocation.memory_space = space;
  allocation.kind = "temporary";
  allocations_.push_back(allocation);
}

void MemoryExplanation::PlaceOurselves() {
  std::map<int64_t, std::vector<size_t>> temporaries;  // by memory space
  for (size_t v = 0; v < values_.size(); ++v) {
    MemoryValue& value = values_[v];
    if (IsTemporary(value)) {
      temporaries[value.memory_space].push_back(v);
      continue;
    }
    value.allocation = static_cast<int64_t>(allocations_.size());
    MemoryAllocation allocation;
    allocation.size = value.padded_bytes;
    allocation.memory_space = value.memory_space;
    allocation.is_held = true;
    allocation.kind = std::string(ValueKindName(value.kind));
    if (value.kind == ValueKind::kParameter) {
      allocation.parameter = static_cast<int64_t>(module().instruction(value.definer).parameter_number);
      absl::StrAppend(&allocation.kind, " ", allocation.parameter);
    }
    allocations_.push_back(std::move(allocation));
  }
  for (const auto& [space, of_space] : temporaries) PackTemporaries(space, of_space);
  for (const MemoryAllocation& allocation : allocations_) {
    assigned_bytes_ = SaturatingSum(assigned_bytes_, allocation.size);
  }
}

void MemoryExplanation::MeasureLive() {
  live_bytes_ = SumOverSteps(timeline_.steps.size(), values_);
  for (uint32_t t = 0; t < live_bytes_.size(); ++t) {
    if (live_bytes_[t] <= peak_bytes_) continue;
    peak_bytes_ = live_bytes_[t];
    peak_step_ = t;
  }
}

// --- The compiler's places ---

std::vector<RecordedPlace> MemoryExplanation::PlaceAsRecorded(const interop::BufferAssignment& assignment) {
  recorded_.emplace();
  recorded_->total_bytes = assigned_bytes_ = assignment.total_bytes;
  for (const interop::AssignedAllocation& from : assignment.allocations) {
    MemoryAllocation allocation = AllocationOf(from);
    if (allocation.is_counted && !allocation.is_held) {
      recorded_->temporary_bytes = SaturatingSum(recorded_->temporary_bytes, from.size);
    }
    allocations_.push_back(std::move(allocation));
  }
  const RecordedPlaces places(module(), buffers_, leaves_, assignment);
  for (MemoryValue& value : values_) {
    if (value.kind == ValueKind::kComputation) continue;
    const RecordedPlace* place = places.Find(value.definer, value.leaf);
    if (place == nullptr) {
      ++unplaced_;
      unplaced_bytes_ = SaturatingSum(unplaced_bytes_, value.padded_bytes);
      continue;
    }
    value.allocation = place->allocation;
    value.offset = place->offset;
    value.padded_bytes = place->size;
    value.taken_bytes = place->taken;
    value.memory_space = place->color;
  }
  for (const std::string& text : assignment.contradictions) recorded_->deviations.push_back(text);
  for (const std::string& name : places.unknown_names()) {
    recorded_->deviations.push_back(absl::StrCat("the assignment names an instruction that the module lacks: ", name));
  }
  return places.pointer_tables();
}

namespace {

// A range of an allocation, while some step needs it.
struct TakenRange {
  ByteRange bytes;
  uint32_t begin = 0, end = 0;
};

// By how much the taken bytes of an allocation grow, at the steps where they do, in order.
std::vector<std::pair<uint32_t, int64_t>> GrowthOf(const std::vector<TakenRange>& ranges) {
  std::vector<ByteRange> bytes;
  std::vector<std::pair<uint32_t, size_t>> events;  // step, number of the range; twice for each
  for (size_t i = 0; i < ranges.size(); ++i) {
    bytes.push_back(ranges[i].bytes);
    events.emplace_back(ranges[i].begin, i);
    events.emplace_back(ranges[i].end + 1, i);
  }
  std::sort(events.begin(), events.end());
  CoveredBytes covered(bytes);
  std::vector<std::pair<uint32_t, int64_t>> growth;
  for (const auto& [step, i] : events) {
    const int64_t before = covered.covered();
    if (step == ranges[i].begin) {
      covered.Add(ranges[i].bytes);
    } else {
      covered.Remove(ranges[i].bytes);
    }
    if (covered.covered() != before) growth.emplace_back(step, covered.covered() - before);
  }
  return growth;
}

}  // namespace

// Temporaries by place: a byte that several arrays share counts once.
void MemoryExplanation::MeasureRecorded(const std::vector<RecordedPlace>& pointer_tables) {
  const size_t steps = timeline_.steps.size();
  const int64_t largest = LargestOf(allocations_.size() + 1);
  std::vector<std::vector<TakenRange>> taken(allocations_.size());
  const auto take = [&](int64_t a, int64_t offset, int64_t size, uint32_t begin, uint32_t end) {
    const MemoryAllocation& allocation = allocations_[static_cast<size_t>(a)];
    if (allocation.is_held || !allocation.is_counted) return;
    const int64_t room = std::min(allocation.size, largest);
    const ByteRange bytes = {std::clamp<int64_t>(offset, 0, room),
                             std::clamp<int64_t>(SaturatingSum(offset, size), 0, room)};
    taken[static_cast<size_t>(a)].push_back({bytes, begin, end});
  };
  for (const RecordedPlace& table : pointer_tables) {
    take(table.allocation, table.offset, table.taken, 0, static_cast<uint32_t>(steps));
  }
  for (const std::vector<TakenRange>& tables : taken) {
    std::vector<ByteRange> bytes;
    for (const TakenRange& table : tables) bytes.push_back(table.bytes);
    CoveredBytes covered(bytes);
    for (const ByteRange& range : bytes) covered.Add(range);
    pointer_bytes_ = SaturatingSum(pointer_bytes_, covered.covered());
  }
  for (const MemoryValue& value : values_) {
    if (value.allocation < 0) continue;
    take(value.allocation, value.offset, value.taken_bytes, value.live.begin, value.live.end);
  }
  int64_t always = 0;
  live_bytes_.assign(steps + 1, 0);
  std::vector<std::vector<std::pair<uint32_t, int64_t>>> growth;
  for (size_t a = 0; a < allocations_.size(); ++a) {
    if (allocations_[a].is_held && allocations_[a].is_counted) always = SaturatingSum(always, allocations_[a].size);
    growth.push_back(GrowthOf(taken[a]));
    for (const auto& [step, bytes] : growth.back()) {
      if (step <= steps) live_bytes_[step] += bytes;
    }
  }
  always = std::min(always, largest);
  for (size_t t = 1; t <= steps; ++t) live_bytes_[t] += live_bytes_[t - 1];
  for (int64_t& bytes : live_bytes_) bytes += always;
  peak_bytes_ = steps == 0 ? live_bytes_[0] : 0;
  live_bytes_.resize(steps);
  // Where little but what is held counts, many steps are equal: the one with most alive is the peak.
  const std::vector<int64_t> alive = SumOverSteps(steps, values_);
  for (uint32_t t = 0; t < steps; ++t) {
    if (live_bytes_[t] < peak_bytes_ || (live_bytes_[t] == peak_bytes_ && alive[t] <= alive[peak_step_])) continue;
    peak_bytes_ = live_bytes_[t];
    peak_step_ = t;
  }
  for (size_t a = 0; a < allocations_.size(); ++a) {
    for (const auto& [step, bytes] : growth[a]) {
      if (step <= peak_step_) allocations_[a].peak_bytes += bytes;
    }
  }
}

void MemoryExplanation::CompareWithTraces(const interop::BufferAssignment& assignment) {
  RecordedMemory& recorded = *recorded_;
  const double total = static_cast<double>(recorded.total_bytes);
  recorded.difference = total == 0 ? 0 : (static_cast<double>(peak_bytes_) - total) / total;
  const HeapPeak heap = HeapPeakOf(assignment);
  recorded.heap_peak_bytes = heap.bytes;
  recorded.heap_peak_values = heap.values;
  for (const std::string& problem : heap.problems) recorded.deviations.push_back(problem);
  for (size_t a = 0; a < allocations_.size(); ++a) {
    const MemoryAllocation& allocation = allocations_[a];
    if (allocation.is_held || !allocation.is_counted || allocation.size == allocation.peak_bytes) continue;
    recorded.deviations.push_back(absl::StrCat(
        "allocation ", a, " (", allocation.kind, "): ", allocation.size, " bytes, of which ", allocation.peak_bytes,
        " are taken at our peak; the rest is pointers, gaps between arrays, and what is needed at another moment"));
  }
  if (pointer_bytes_ > 0) {
    recorded.deviations.push_back(absl::StrCat("tables of pointers among the temporaries take ", pointer_bytes_,
                                               " bytes with their alignment, counted always"));
  }
  if (unplaced_ > 0) {
    recorded.deviations.push_back(absl::StrCat(unplaced_, " arrays (", unplaced_bytes_,
                                               " bytes) have no place of their own in the assignment: they are parts "
                                               "of others there, or pass through without memory"));
  }
  if (heap.bytes >= 0 && heap.bytes > recorded.temporary_bytes) {
    recorded.deviations.push_back("the trace of temporaries needs more than their allocations hold");
  }
}

// --- Of both ---

namespace {

// The most bytes of values alive at once, and the first step with so many. Takes no longer than there are values.
std::pair<int64_t, uint32_t> PeakOf(const std::vector<const MemoryValue*>& values) {
  const int64_t largest = LargestOf(values.size());
  std::vector<std::pair<uint32_t, int64_t>> changes;
  for (const MemoryValue* value : values) {
    const int64_t bytes = std::min(value->taken_bytes, largest);
    changes.emplace_back(value->live.begin, bytes);
    changes.emplace_back(value->live.end + 1, -bytes);
  }
  std::sort(changes.begin(), changes.end());
  std::pair<int64_t, uint32_t> peak = {0, 0};
  int64_t live = 0;
  for (size_t c = 0; c < changes.size(); ++c) {
    live += changes[c].second;
    const bool is_last_of_step = c + 1 == changes.size() || changes[c + 1].first != changes[c].first;
    if (is_last_of_step && live > peak.first) peak = {live, changes[c].first};
  }
  return peak;
}

}  // namespace

void MemoryExplanation::MeasureSpaces() {
  std::map<int64_t, std::vector<const MemoryValue*>> by_space;
  for (const MemoryValue& value : values_) {
    if (!is_recorded()) by_space[value.memory_space].push_back(&value);
  }
  std::map<int64_t, MemorySpace> spaces;
  for (const MemoryAllocation& allocation : allocations_) {
    if (!allocation.is_counted) continue;
    MemorySpace& space = spaces[allocation.memory_space];
    space.assigned_bytes = SaturatingSum(space.assigned_bytes, allocation.size);
    if (is_recorded()) {
      space.peak_bytes = SaturatingSum(space.peak_bytes, allocation.is_held ? allocation.size : allocation.peak_bytes);
      space.peak_step = peak_step_;
    }
  }
  for (const auto& [number, values] : by_space) {
    std::tie(spaces[number].peak_bytes, spaces[number].peak_step) = PeakOf(values);
  }
  for (auto& [number, space] : spaces) {
    space.number = number;
    spaces_.push_back(space);
  }
}

std::vector<InstructionId> MemoryExplanation::PeakPath() const {
  std::vector<InstructionId> path;
  if (timeline_.steps.empty()) return path;
  uint32_t depth = timeline_.steps[peak_step_].depth + 1;
  // The callers come after what they call: the next step of each smaller depth.
  for (uint32_t t = peak_step_; t < timeline_.steps.size() && depth > 0; ++t) {
    if (timeline_.steps[t].depth >= depth) continue;
    depth = timeline_.steps[t].depth;
    path.push_back(timeline_.steps[t].instruction);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

bool MemoryExplanation::IsHeld(const MemoryValue& value) const {
  return is_recorded() && value.allocation >= 0 && allocations_[static_cast<size_t>(value.allocation)].is_held &&
         (value.kind == ValueKind::kResult || value.kind == ValueKind::kConstant);
}

std::vector<uint32_t> MemoryExplanation::LiveAt(uint32_t step) const {
  std::vector<uint32_t> live;
  for (uint32_t v = 0; v < values_.size(); ++v) {
    const MemoryValue& value = values_[v];
    if ((value.live.begin <= step && step <= value.live.end) || IsHeld(value)) live.push_back(v);
  }
  std::stable_sort(live.begin(), live.end(),
                   [&](uint32_t a, uint32_t b) { return values_[a].padded_bytes > values_[b].padded_bytes; });
  return live;
}

}  // namespace hloscope::insight
