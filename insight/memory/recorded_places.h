// SPDX-License-Identifier: Apache-2.0
// Where the compiler put each array of a module, from its buffer assignment.
#ifndef HLOSCOPE_INSIGHT_MEMORY_RECORDED_PLACES_H_
#define HLOSCOPE_INSIGHT_MEMORY_RECORDED_PLACES_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "core/analysis/buffers.h"
#include "core/ir/module.h"
#include "insight/memory/leaves.h"
#include "interop/records/records.h"

namespace hloscope::insight {

struct MemoryAllocation;

// `taken` is the size with the gap after it that the alignment of its allocation makes.
struct RecordedPlace {
  int64_t allocation = 0, offset = 0, size = 0, taken = 0, color = 0;
};

// For one thread at a time.
class RecordedPlaces {
 public:
  RecordedPlaces(const Module& module, const BufferTable& buffers, const LeafTable& leaves,
                 const interop::BufferAssignment& assignment);

  // The place of an array that `definer` makes. What calls a computation has the place of what that returns, a loop
  // that of its start, if the assignment has none under its own name. Null: none at all.
  const RecordedPlace* Find(InstructionId definer, uint32_t leaf) const { return Find(definer, leaf, 0); }

  // Of tables of pointers among the temporaries.
  const std::vector<RecordedPlace>& pointer_tables() const { return pointer_tables_; }
  // A few names of the assignment that the module lacks.
  const std::vector<std::string>& unknown_names() const { return unknown_names_; }

 private:
  const RecordedPlace* Find(InstructionId definer, uint32_t leaf, int depth) const;
  // In what the definer calls.
  const RecordedPlace* Follow(InstructionId definer, uint32_t leaf, int depth) const;
  const RecordedPlace* FindInRoot(ComputationId callee, uint32_t leaf, int depth) const;

  const Module& module_;
  const BufferTable& buffers_;
  const LeafTable& leaves_;
  absl::flat_hash_map<std::pair<InstructionId, uint32_t>, RecordedPlace> places_;
  mutable absl::flat_hash_map<std::pair<InstructionId, uint32_t>, const RecordedPlace*> followed_;
  std::vector<RecordedPlace> pointer_tables_;
  std::vector<std::string> unknown_names_;
};

MemoryAllocation AllocationOf(const interop::AssignedAllocation& from);

// The most memory at once by the traces in an assignment: its heap as the compiler simulated it.
struct HeapPeak {
  int64_t bytes = -1;               // over all traces; -1: there is no trace
  std::vector<std::string> values;  // alive at the peaks
  std::vector<std::string> problems;
};
HeapPeak HeapPeakOf(const interop::BufferAssignment& assignment);

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_MEMORY_RECORDED_PLACES_H_
