// SPDX-License-Identifier: Apache-2.0
#include "insight/memory/timeline.h"

#include <algorithm>
#include <utility>

namespace hloscope::insight {
namespace {

class TimelineBuilder {
 public:
  TimelineBuilder(const Module& module, const BufferTable& buffers, const MemoryAnalysis& memory, size_t max_size)
      : module_(module), buffers_(buffers), memory_(memory), max_size_(max_size) {}

  Timeline Build(const CallGraph& calls) {
    size_.assign(module_.computations().size(), 0);
    for (ComputationId id : calls.callees_first()) size_[id.index()] = SizeOf(id);
    if (module_.entry().has_value()) Add(module_.entry(), 0);
    return std::move(timeline_);
  }

 private:
  // Steps and ranges of a computation and of all it calls, up to one more than fits.
  size_t SizeOf(ComputationId computation) const {
    size_t size = 0;
    for (InstructionId id : memory_.Of(computation).schedule) {
      size += 1 + buffers_.DefinedBy(id).second;
      ForEachFrame(id, [&](ComputationId callee) { size += size_[callee.index()]; });
      if (size > max_size_) return max_size_ + 1;
    }
    return size;
  }

  template <typename Visit>
  void ForEachFrame(InstructionId id, Visit visit) const {
    if (!RunsAsFrame(module_.opcode(id))) return;
    module_.ForEachCalledComputation(id, [&](AttributeKind, ComputationId callee) {
      if (callee.has_value()) visit(callee);
    });
  }

  void Add(ComputationId computation, uint32_t depth) {
    const std::vector<InstructionId>& schedule = memory_.Of(computation).schedule;
    std::vector<uint32_t> first(schedule.size()), own(schedule.size());
    for (size_t t = 0; t < schedule.size(); ++t) {
      first[t] = static_cast<uint32_t>(timeline_.steps.size());
      ForEachFrame(schedule[t], [&](ComputationId callee) { AddCallee(schedule[t], callee, depth + 1); });
      own[t] = static_cast<uint32_t>(timeline_.steps.size());
      timeline_.steps.push_back({schedule[t], depth});
    }
    for (const MemoryAnalysis::Lifetime& lifetime : memory_.LifetimesOf(computation)) {
      const bool is_loop = module_.opcode(schedule[lifetime.begin]) == Opcode::kWhile;
      timeline_.ranges.push_back({lifetime.buffer, computation, is_loop ? first[lifetime.begin] : own[lifetime.begin],
                                  own[lifetime.end], depth});
    }
  }

  void AddCallee(InstructionId caller, ComputationId callee, uint32_t depth) {
    const size_t size = timeline_.steps.size() + timeline_.ranges.size();
    if (depth < kMaxDepth && size + size_[callee.index()] <= max_size_) return Add(callee, depth);
    timeline_.complete = false;
    const uint32_t at = static_cast<uint32_t>(timeline_.steps.size());
    timeline_.steps.push_back({caller, depth});
    timeline_.ranges.push_back({LiveRange::kNoBuffer, callee, at, at, depth});
  }

  static constexpr uint32_t kMaxDepth = 256;  // of calls: each is a call in here, too

  const Module& module_;
  const BufferTable& buffers_;
  const MemoryAnalysis& memory_;
  const size_t max_size_;
  std::vector<size_t> size_;  // by computation
  Timeline timeline_;
};

}  // namespace

Timeline TimelineOf(const Module& module, const CallGraph& calls, const BufferTable& buffers,
                    const MemoryAnalysis& memory, size_t max_size) {
  return TimelineBuilder(module, buffers, memory, max_size).Build(calls);
}

}  // namespace hloscope::insight
