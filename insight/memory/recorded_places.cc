// SPDX-License-Identifier: Apache-2.0
#include "insight/memory/recorded_places.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/ir/checked_math.h"
#include "insight/memory/explanation.h"

namespace hloscope::insight {
namespace {

constexpr size_t kMaxUnknownNames = 5;
constexpr int kMaxDepth = 64;

// What all offsets of an allocation are multiples of; 1 if there is only the offset 0.
int64_t AlignmentOf(const interop::AssignedAllocation& allocation) {
  int64_t alignment = 0;
  for (const interop::AssignedValue& value : allocation.values) {
    if (value.offset > 0) alignment = std::gcd(alignment, value.offset);
  }
  return alignment == 0 ? 1 : std::min<int64_t>(alignment & -alignment, 4096);
}

int64_t Taken(const interop::AssignedAllocation& allocation, const interop::AssignedValue& value, int64_t alignment) {
  const int64_t size = std::max<int64_t>(value.size, 0);
  if (value.offset < 0 || allocation.size < value.offset) return size;
  const int64_t room = allocation.size - value.offset;
  if (room <= size) return size;
  return std::min(room, SaturatingProduct(CeilDiv(size, alignment), alignment));
}

}  // namespace

MemoryAllocation AllocationOf(const interop::AssignedAllocation& from) {
  MemoryAllocation allocation;
  allocation.size = std::max<int64_t>(from.size, 0);
  allocation.memory_space = from.color;
  allocation.is_aliased = from.is_aliased_with_output;
  allocation.parameter = from.parameter_number;
  allocation.is_held = true;
  if (from.is_thread_local) {
    allocation.kind = "thread-local";
    allocation.is_counted = false;
  } else if (from.parameter_number >= 0) {
    allocation.kind = absl::StrCat("parameter ", from.parameter_number, IndexText(from.parameter_shape_index));
  } else if (from.is_constant) {
    allocation.kind = "constant";
  } else if (from.maybe_live_out) {
    allocation.kind = "result";
  } else {
    allocation.kind = "temporary";
    allocation.is_held = false;
  }
  return allocation;
}

RecordedPlaces::RecordedPlaces(const Module& module, const BufferTable& buffers, const LeafTable& leaves,
                               const interop::BufferAssignment& assignment)
    : module_(module), buffers_(buffers), leaves_(leaves) {
  absl::flat_hash_map<absl::string_view, InstructionId> by_name;
  for (size_t i = 0; i < module.instruction_count(); ++i) {
    by_name.try_emplace(module.InstructionName(InstructionId(i)), InstructionId(i));
  }
  for (size_t a = 0; a < assignment.allocations.size(); ++a) {
    const interop::AssignedAllocation& allocation = assignment.allocations[a];
    const int64_t alignment = AlignmentOf(allocation);
    for (const interop::AssignedValue& value : allocation.values) {
      const auto found = by_name.find(value.instruction_name);
      if (found == by_name.end()) {
        if (unknown_names_.size() < kMaxUnknownNames) {
          unknown_names_.push_back(value.instruction_name.empty() ? absl::StrCat("value ", value.id)
                                                                  : value.instruction_name);
        }
        continue;
      }
      const int64_t leaf = leaves.Find(found->second, value.shape_index);
      if (leaf < 0) {
        const MemoryAllocation kind = AllocationOf(allocation);
        if (!kind.is_held && kind.is_counted) {
          pointer_tables_.push_back({static_cast<int64_t>(a), value.offset, std::max<int64_t>(value.size, 0),
                                     Taken(allocation, value, alignment), value.color});
        }
        continue;
      }
      places_.try_emplace({found->second, static_cast<uint32_t>(leaf)},
                          RecordedPlace{static_cast<int64_t>(a), value.offset, std::max<int64_t>(value.size, 0),
                                        Taken(allocation, value, alignment), value.color});
    }
  }
}

const RecordedPlace* RecordedPlaces::FindInRoot(ComputationId callee, uint32_t leaf, int depth) const {
  if (!callee.has_value() || !module_.computation(callee).root.has_value()) return nullptr;
  const absl::Span<const BufferTable::BufferId> root = buffers_.Of(module_.computation(callee).root);
  if (leaf >= root.size()) return nullptr;
  const LogicalBuffer& buffer = buffers_.buffer(root[leaf]);
  return Find(buffer.definer, buffer.leaf, depth + 1);
}

const RecordedPlace* RecordedPlaces::Find(InstructionId definer, uint32_t leaf, int depth) const {
  const auto it = places_.find({definer, leaf});
  if (it != places_.end()) return &it->second;
  if (depth >= kMaxDepth) return nullptr;
  // Each once: branches that call the same computations would be followed without end.
  const auto [known, inserted] = followed_.try_emplace({definer, leaf}, nullptr);
  if (!inserted) return known->second;
  const RecordedPlace* const place = Follow(definer, leaf, depth);
  followed_[{definer, leaf}] = place;
  return place;
}

const RecordedPlace* RecordedPlaces::Follow(InstructionId definer, uint32_t leaf, int depth) const {
  const Opcode opcode = module_.opcode(definer);
  switch (opcode) {
    case Opcode::kCall:
      return FindInRoot(module_.ComputationAttribute(definer, AttributeKind::kToApply), leaf, depth);
    case Opcode::kAsyncStart: {
      const Shape& shape = module_.shape(definer);
      if (!shape.IsTuple() || shape.tuple_size() < 2) return nullptr;
      const int64_t first = shape.element(0).LeafCount();
      if (leaf < first) return nullptr;
      return FindInRoot(module_.ComputationAttribute(definer, AttributeKind::kCalls),
                        leaf - static_cast<uint32_t>(first), depth);
    }
    case Opcode::kWhile: {
      const absl::Span<const BufferTable::BufferId> start = buffers_.Of(module_.operand(definer, 0));
      if (leaf >= start.size()) return nullptr;
      return Find(buffers_.buffer(start[leaf]).definer, buffers_.buffer(start[leaf]).leaf, depth + 1);
    }
    case Opcode::kConditional: {
      const RecordedPlace* place = nullptr;
      module_.ForEachCalledComputation(definer, [&](AttributeKind, ComputationId callee) {
        if (place == nullptr) place = FindInRoot(callee, leaf, depth);
      });
      return place;
    }
    default:
      return nullptr;
  }
}

namespace {

using ValuesById = absl::flat_hash_map<int64_t, const interop::AssignedValue*>;

ValuesById ValuesOf(const interop::AssignedAllocation& allocation) {
  ValuesById values;
  for (const interop::AssignedValue& value : allocation.values) values.try_emplace(value.id, &value);
  return values;
}

// Replays a trace up to `stop` events; what the allocation, which has these values, does not hold is skipped.
class HeapReplay {
 public:
  HeapReplay(const ValuesById& values, const interop::HeapTrace& trace) : values_(values), trace_(trace) {}

  void Run(size_t stop) {
    held_.clear();
    holders_.clear();
    live_ = peak_ = 0;
    for (size_t e = 0; e < stop; ++e) {
      Take(trace_.events[e]);
      if (live_ <= peak_) continue;
      peak_ = live_;
      peak_event_ = e;
    }
  }

  int64_t peak() const { return peak_; }
  size_t peak_event() const { return peak_event_; }
  int64_t live() const { return live_; }
  int64_t unheld_frees() const { return unheld_frees_; }
  std::vector<std::string> Held() const {
    std::vector<std::string> names;
    for (const auto& [id, holding] : held_) {
      const interop::AssignedValue& value = *values_.at(id);
      names.push_back(absl::StrCat(value.instruction_name, IndexText(value.shape_index)));
    }
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  struct Holding {
    int64_t bytes = 0, canonical = 0;
  };

  void Take(const interop::HeapTraceEvent& event) {
    const auto value = values_.find(event.value);
    if (value == values_.end()) return;
    if (event.kind == interop::HeapTraceEvent::Kind::kFree) {
      const auto it = held_.find(event.value);
      if (it == held_.end()) {
        ++unheld_frees_;
        return;
      }
      live_ -= it->second.bytes;
      --holders_[it->second.canonical];
      held_.erase(it);
      return;
    }
    const bool shares = event.kind == interop::HeapTraceEvent::Kind::kShare;
    const int64_t canonical = shares ? event.share_with : event.value;
    const bool is_free = shares && holders_[canonical] > 0;
    const int64_t bytes = is_free ? 0 : std::max<int64_t>(value->second->size, 0);
    if (bytes > std::numeric_limits<int64_t>::max() - live_) return;
    if (!held_.try_emplace(event.value, Holding{bytes, canonical}).second) return;
    ++holders_[canonical];
    live_ += bytes;
  }

  const ValuesById& values_;
  const interop::HeapTrace& trace_;
  absl::flat_hash_map<int64_t, Holding> held_;
  absl::flat_hash_map<int64_t, int> holders_;  // of a value that others share with
  int64_t live_ = 0, peak_ = 0, unheld_frees_ = 0;
  size_t peak_event_ = 0;
};

}  // namespace

HeapPeak HeapPeakOf(const interop::BufferAssignment& assignment) {
  HeapPeak result;
  absl::flat_hash_map<int64_t, ValuesById> values;  // by allocation, as often as it has traces
  for (const interop::HeapTrace& trace : assignment.traces) {
    const auto report = [&](auto... what) {
      result.problems.push_back(absl::StrCat("the heap trace of allocation ", trace.allocation, " ", what...));
    };
    if (trace.allocation < 0 || trace.allocation >= static_cast<int64_t>(assignment.allocations.size())) {
      report("is of one that is not there");
      continue;
    }
    const auto [found, inserted] = values.try_emplace(trace.allocation);
    if (inserted) found->second = ValuesOf(assignment.allocations[static_cast<size_t>(trace.allocation)]);
    HeapReplay replay(found->second, trace);
    replay.Run(trace.events.size());
    if (replay.unheld_frees() > 0) report("frees ", replay.unheld_frees(), " values that it does not hold");
    if (replay.live() != 0) report("ends with ", replay.live(), " bytes");
    result.bytes = SaturatingSum(std::max<int64_t>(result.bytes, 0), replay.peak());
    if (replay.peak() == 0) continue;
    replay.Run(replay.peak_event() + 1);
    for (std::string& name : replay.Held()) result.values.push_back(std::move(name));
  }
  return result;
}

}  // namespace hloscope::insight
