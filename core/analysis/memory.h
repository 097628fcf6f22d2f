// SPDX-License-Identifier: Apache-2.0
// Which arrays are alive when, and how much memory a straightforward execution needs
// (docs/ops/control.md 7.7).
#ifndef HLOSCOPE_CORE_ANALYSIS_MEMORY_H_
#define HLOSCOPE_CORE_ANALYSIS_MEMORY_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "core/analysis/buffers.h"
#include "core/analysis/call_graph.h"
#include "core/analysis/schedule.h"
#include "core/analysis/users.h"
#include "core/ir/module.h"

namespace hloscope {

// How one computation runs.
struct ComputationMemory {
  ScheduleKind kind = ScheduleKind::kText;
  std::vector<InstructionId> schedule;
  // Bytes that must be there at once while each step of the schedule runs: what is alive before it, and its result or,
  // if it calls computations, what they need. Of the entry computation's parameters all bytes count, always; those of
  // other computations belong to the caller and count nothing.
  std::vector<int64_t> live_bytes;
  int64_t peak_bytes = 0;
  size_t peak_step = 0;  // first step with that many
};

// Liveness of the whole module. A scheduled module runs as it says; otherwise each computation runs in the best of the
// orders of schedule.h. A value lives from its definition to its last use in its computation, the root's to the end;
// operands of a start live until its done. Loops are taken to run at least twice: old and new state exist together at
// the end of the body.
class MemoryAnalysis {
 public:
  // O(n log n) in instructions, operands and leaves. The arguments must outlive the object. With `order` every
  // computation runs in that order, whatever the module says.
  MemoryAnalysis(const Module& module, const UserIndex& users, const CallGraph& calls, const BufferTable& buffers,
                 std::optional<ScheduleKind> order = std::nullopt);

  // Of computations that run as one kernel or element by element (fusions, reducers, comparators) only `schedule` is
  // set, in text order.
  const ComputationMemory& Of(ComputationId id) const { return computations_[id.index()]; }
  // Of the entry computation; 0 without one.
  int64_t peak_bytes() const;
  // Where the peak is: an instruction of the entry computation, then, while that calls computations which need the
  // memory, the instruction there.
  std::vector<InstructionId> PeakPath() const;
  // What is alive at a step: the largest first.
  std::vector<BufferTable::BufferId> LiveAt(ComputationId computation, size_t step) const;

  struct Lifetime {
    BufferTable::BufferId buffer;
    uint32_t begin, end;  // steps of the computation's schedule, both included
  };
  // Of all buffers that count in the computation, by begin.
  std::vector<Lifetime> LifetimesOf(ComputationId computation) const {
    return Lifetimes(computation, computations_[computation.index()].schedule);
  }

 private:
  // What called computations need while an instruction runs, and which of them needs most.
  int64_t CalleeBytes(InstructionId id, ComputationId* which) const;
  std::vector<Lifetime> Lifetimes(ComputationId computation, absl::Span<const InstructionId> schedule) const;
  void Measure(ComputationId computation, ComputationMemory* memory) const;

  const Module& module_;
  const UserIndex& users_;
  const BufferTable& buffers_;
  std::vector<ComputationMemory> computations_;
  mutable std::vector<uint32_t> step_;        // scratch, by instruction
  mutable std::vector<uint32_t> buffer_end_;  // scratch, by buffer
};

// True for the attributes whose computations run as frames of their own; other called computations are applied element
// by element or are one kernel.
bool RunsAsFrame(Opcode caller);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_ANALYSIS_MEMORY_H_
