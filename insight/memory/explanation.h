// SPDX-License-Identifier: Apache-2.0
// Why a module needs the memory that it needs: what is alive when, where it lies, and how that compares with what the
// compiler recorded.
#ifndef HLOSCOPE_INSIGHT_MEMORY_EXPLANATION_H_
#define HLOSCOPE_INSIGHT_MEMORY_EXPLANATION_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "core/analysis/buffers.h"
#include "core/analysis/call_graph.h"
#include "core/analysis/memory.h"
#include "core/document/document.h"
#include "insight/memory/leaves.h"
#include "insight/memory/recorded_places.h"
#include "insight/memory/timeline.h"
#include "interop/records/records.h"

namespace hloscope::insight {

enum class ValueKind : uint8_t { kParameter, kConstant, kResult, kTemporary, kComputation };
absl::string_view ValueKindName(ValueKind kind);  // "parameter", "constant", "result", "temporary", "computation"

// An array of the run, with its life and its place.
struct MemoryValue {
  LiveRange live;
  InstructionId definer;  // none of kComputation
  uint32_t leaf = 0;
  ValueKind kind = ValueKind::kTemporary;
  int64_t bytes = 0;         // of its elements
  int64_t padded_bytes = 0;  // in memory
  int64_t taken_bytes = 0;   // what counts: with the gap that alignment leaves in a recorded place
  int64_t memory_space = 0;
  int64_t allocation = -1;  // -1: none
  int64_t offset = 0;
};

struct MemoryAllocation {
  int64_t size = 0;
  int64_t memory_space = 0;
  std::string kind;        // "parameter 3", "result", "constant", "temporary", "thread-local", ...
  bool is_held = false;    // all of it, from the start to the end of the run
  bool is_counted = true;  // false: memory of a thread
  int64_t peak_bytes = 0;  // of live values inside it
  int64_t parameter = -1;
  bool is_aliased = false;  // of a parameter: the result takes it over
};

struct MemorySpace {
  int64_t number = 0;
  int64_t peak_bytes = 0;
  uint32_t peak_step = 0;
  int64_t assigned_bytes = 0;
};

// What the compiler's own record says, for comparison.
struct RecordedMemory {
  int64_t total_bytes = 0;       // of all allocations but those of threads
  int64_t temporary_bytes = 0;   // of those that are neither given, returned nor constant
  int64_t heap_peak_bytes = -1;  // most bytes at once by its own trace of temporaries; -1: there is none
  std::vector<std::string> heap_peak_values;
  double difference = 0;                // of our peak from total_bytes, as a share of it
  std::vector<std::string> deviations;  // why they differ, for people
};

struct MemoryOptions {
  std::optional<ScheduleKind> schedule;  // else the module's, or the best of our own
  // The compiler's record; null: none. `names` are the instructions of its ids.
  const interop::BufferAssignment* assignment = nullptr;
};

class MemoryExplanation {
 public:
  // The document must be free of errors and outlive the object.
  MemoryExplanation(const Document& document, const MemoryOptions& options);

  const Document& document() const { return document_; }
  const Module& module() const { return document_.module(); }
  const CallGraph& calls() const { return calls_; }
  const BufferTable& buffers() const { return buffers_; }
  const MemoryAnalysis& memory() const { return memory_; }
  const LeafTable& leaves() const { return leaves_; }
  const Timeline& timeline() const { return timeline_; }
  // Steps that are executions of an instruction, in order.
  absl::Span<const uint32_t> StepsOf(InstructionId id) const {
    return absl::MakeConstSpan(steps_).subspan(first_step_[id.index()],
                                               first_step_[id.index() + 1] - first_step_[id.index()]);
  }
  const std::vector<MemoryValue>& values() const { return values_; }

  // By step of the timeline. With a recorded assignment: what is held for the whole run, and the temporaries alive in
  // their places, arrays in one place once. Else the arrays that are alive.
  const std::vector<int64_t>& live_bytes() const { return live_bytes_; }
  int64_t peak_bytes() const { return peak_bytes_; }
  uint32_t peak_step() const { return peak_step_; }
  // Instructions from the entry computation down to the one at the peak.
  std::vector<InstructionId> PeakPath() const;
  // Whether the assignment of the compiler keeps its place for the whole run.
  bool IsHeld(const MemoryValue& value) const;
  // Values alive at a step, or held, the largest first.
  std::vector<uint32_t> LiveAt(uint32_t step) const;

  bool is_recorded() const { return recorded_.has_value(); }
  const std::optional<RecordedMemory>& recorded() const { return recorded_; }
  const std::vector<MemoryAllocation>& allocations() const { return allocations_; }
  int64_t assigned_bytes() const { return assigned_bytes_; }
  const std::vector<MemorySpace>& spaces() const { return spaces_; }

  ScheduleKind schedule_kind() const;
  bool is_module_schedule() const { return schedule_kind() == ScheduleKind::kGiven; }
  std::string ValueName(const MemoryValue& value) const;

 private:
  void IndexSteps();
  void MakeValues();
  // Returns the tables of pointers among the temporaries, which are no arrays of the module.
  std::vector<RecordedPlace> PlaceAsRecorded(const interop::BufferAssignment& assignment);
  void PlaceOurselves();
  void MeasureLive();
  void MeasureRecorded(const std::vector<RecordedPlace>& pointer_tables);
  void MeasureSpaces();
  void CompareWithTraces(const interop::BufferAssignment& assignment);
  // The temporaries of a memory space, by number.
  void PackTemporaries(int64_t space, const std::vector<size_t>& values);

  const Document& document_;
  const CallGraph calls_;
  const BufferTable buffers_;
  const MemoryAnalysis memory_;
  const LeafTable leaves_;
  const Timeline timeline_;
  std::vector<uint32_t> steps_, first_step_;  // by instruction: of StepsOf, and where its own begin
  std::vector<MemoryValue> values_;
  std::vector<MemoryAllocation> allocations_;
  std::vector<int64_t> live_bytes_;
  std::vector<MemorySpace> spaces_;
  std::optional<RecordedMemory> recorded_;
  int64_t peak_bytes_ = 0, assigned_bytes_ = 0, pointer_bytes_ = 0, unplaced_bytes_ = 0;
  size_t unplaced_ = 0;
  uint32_t peak_step_ = 0;
};

// Bytes alive at each of `steps` steps, for ranges with sizes; sizes that could overflow together are cut.
std::vector<int64_t> SumOverSteps(size_t steps, absl::Span<const MemoryValue> values);

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_MEMORY_EXPLANATION_H_
