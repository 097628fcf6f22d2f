// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/memory.h"

#include <algorithm>
#include <utility>

#include "core/ir/checked_math.h"

namespace hloscope {
namespace {

constexpr uint32_t kNever = 0xFFFFFFFFu;

// Instructions that go on in the background: what they read stays until their done.
bool IsStart(Opcode opcode) {
  switch (opcode) {
    case Opcode::kAllGatherStart:
    case Opcode::kAllReduceStart:
    case Opcode::kAsyncStart:
    case Opcode::kAsyncUpdate:
    case Opcode::kCollectivePermuteStart:
    case Opcode::kCopyStart:
    case Opcode::kSend:
    case Opcode::kRecv:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool RunsAsFrame(Opcode caller) {
  return caller == Opcode::kCall || caller == Opcode::kWhile || caller == Opcode::kConditional ||
         caller == Opcode::kAsyncStart;
}

MemoryAnalysis::MemoryAnalysis(const Module& module, const UserIndex& users, const CallGraph& calls,
                               const BufferTable& buffers, std::optional<ScheduleKind> order)
    : module_(module), users_(users), buffers_(buffers) {
  computations_.resize(module.computations().size());
  step_.assign(module.instruction_count(), 0);
  buffer_end_.assign(buffers.buffers().size(), kNever);
  const bool is_scheduled = module.header().is_scheduled;
  for (ComputationId id : calls.callees_first()) {
    bool runs = id == module.entry() || users.callers(id).empty();
    for (InstructionId caller : users.callers(id)) runs = runs || RunsAsFrame(module.opcode(caller));
    ComputationMemory& best = computations_[id.index()];
    best.kind = is_scheduled ? ScheduleKind::kGiven : ScheduleKind::kText;
    if (order && runs) best.kind = *order;
    best.schedule = ScheduleOf(module, buffers, id, best.kind);
    if (!runs) continue;
    Measure(id, &best);
    if (is_scheduled || order) continue;
    for (ScheduleKind kind : {ScheduleKind::kPostOrder, ScheduleKind::kLargest, ScheduleKind::kList}) {
      ComputationMemory other;
      other.kind = kind;
      other.schedule = ScheduleOf(module, buffers, id, kind);
      // Only modules with errors have cycles, which no order resolves.
      if (other.schedule.size() != best.schedule.size()) continue;
      Measure(id, &other);
      if (other.peak_bytes < best.peak_bytes) best = std::move(other);
    }
  }
}

int64_t MemoryAnalysis::CalleeBytes(InstructionId id, ComputationId* which) const {
  const Opcode opcode = module_.opcode(id);
  if (!RunsAsFrame(opcode)) return 0;
  int64_t bytes = -1;
  module_.ForEachCalledComputation(id, [&](AttributeKind, ComputationId callee) {
    if (!callee.has_value() || computations_[callee.index()].peak_bytes <= bytes) return;
    bytes = computations_[callee.index()].peak_bytes;
    *which = callee;
  });
  if (bytes < 0) return 0;
  if (opcode != Opcode::kWhile) return bytes;
  // From the second iteration on, the state that changes is neither the operand nor the body's own.
  const auto [first, count] = buffers_.DefinedBy(id);
  for (uint32_t i = 0; i < count; ++i) bytes = SaturatingSum(bytes, buffers_.buffer(first + i).bytes);
  return bytes;
}

std::vector<MemoryAnalysis::Lifetime> MemoryAnalysis::Lifetimes(ComputationId computation,
                                                                absl::Span<const InstructionId> schedule) const {
  const uint32_t last_step = schedule.empty() ? 0 : static_cast<uint32_t>(schedule.size() - 1);
  for (uint32_t t = 0; t < schedule.size(); ++t) step_[schedule[t].index()] = t;
  const InstructionId root = module_.computation(computation).root;
  std::vector<Lifetime> lifetimes;
  // From the last step backwards a start's own end is known when its operands look for it.
  std::vector<uint32_t> end(schedule.size());
  for (uint32_t t = static_cast<uint32_t>(schedule.size()); t-- > 0;) {
    const InstructionId id = schedule[t];
    end[t] = id == root ? last_step : t;
    for (InstructionId user : users_.users(id)) {
      const uint32_t at = step_[user.index()];
      end[t] = std::max(end[t], IsStart(module_.opcode(user)) && at > t ? end[at] : at);
    }
    for (BufferTable::BufferId buffer : buffers_.Of(id)) {
      uint32_t& known = buffer_end_[buffer];
      known = known == kNever ? end[t] : std::max(known, end[t]);
    }
  }
  const bool is_entry = computation == module_.entry();
  for (uint32_t t = 0; t < schedule.size(); ++t) {
    const bool is_parameter = module_.opcode(schedule[t]) == Opcode::kParameter;
    const auto [first, count] = buffers_.DefinedBy(schedule[t]);
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t last = buffer_end_[first + i] == kNever ? t : buffer_end_[first + i];
      buffer_end_[first + i] = kNever;
      if (!is_parameter) {
        lifetimes.push_back({first + i, t, std::max(last, t)});
      } else if (is_entry) {
        lifetimes.push_back({first + i, 0, last_step});
      }
    }
  }
  return lifetimes;
}

void MemoryAnalysis::Measure(ComputationId computation, ComputationMemory* memory) const {
  const size_t n = memory->schedule.size();
  std::vector<int64_t> made(n + 1, 0), freed(n + 1, 0), parameters(1, 0);
  for (const Lifetime& lifetime : Lifetimes(computation, memory->schedule)) {
    const LogicalBuffer& buffer = buffers_.buffer(lifetime.buffer);
    const bool is_parameter = module_.opcode(buffer.definer) == Opcode::kParameter;
    int64_t& begin = is_parameter ? parameters[0] : made[lifetime.begin];
    begin = SaturatingSum(begin, buffer.bytes);
    if (!is_parameter) freed[lifetime.end] = SaturatingSum(freed[lifetime.end], buffer.bytes);
  }
  memory->live_bytes.resize(n);
  int64_t live = parameters[0];
  for (size_t t = 0; t < n; ++t) {
    ComputationId ignored;
    const int64_t during = SaturatingSum(live, std::max(made[t], CalleeBytes(memory->schedule[t], &ignored)));
    memory->live_bytes[t] = during;
    if (during > memory->peak_bytes) {
      memory->peak_bytes = during;
      memory->peak_step = t;
    }
    live = SaturatingSum(live, made[t]) - freed[t];
  }
}

int64_t MemoryAnalysis::peak_bytes() const {
  return module_.entry().has_value() ? computations_[module_.entry().index()].peak_bytes : 0;
}

std::vector<InstructionId> MemoryAnalysis::PeakPath() const {
  std::vector<InstructionId> path;
  ComputationId at = module_.entry();
  // A cycle of calls, in a module with errors, would not end.
  while (at.has_value() && path.size() <= computations_.size()) {
    const ComputationMemory& memory = computations_[at.index()];
    if (memory.peak_step >= memory.schedule.size()) break;
    const InstructionId id = memory.schedule[memory.peak_step];
    path.push_back(id);
    ComputationId callee;
    const int64_t needed = CalleeBytes(id, &callee);
    const auto [first, count] = buffers_.DefinedBy(id);
    int64_t result = 0;
    for (uint32_t i = 0; i < count; ++i) result = SaturatingSum(result, buffers_.buffer(first + i).bytes);
    at = needed > result || (needed > 0 && needed == result) ? callee : ComputationId();
  }
  return path;
}

std::vector<BufferTable::BufferId> MemoryAnalysis::LiveAt(ComputationId computation, size_t step) const {
  std::vector<BufferTable::BufferId> live;
  for (const Lifetime& lifetime : Lifetimes(computation, computations_[computation.index()].schedule)) {
    if (lifetime.begin <= step && step <= lifetime.end) live.push_back(lifetime.buffer);
  }
  std::stable_sort(live.begin(), live.end(), [&](BufferTable::BufferId a, BufferTable::BufferId b) {
    return buffers_.buffer(a).bytes > buffers_.buffer(b).bytes;
  });
  return live;
}

}  // namespace hloscope
