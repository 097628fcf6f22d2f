// SPDX-License-Identifier: Apache-2.0
// What compilers record beside a module: buffer assignments, memory reports, autotune results.
#ifndef HLOSCOPE_INTEROP_RECORDS_RECORDS_H_
#define HLOSCOPE_INTEROP_RECORDS_RECORDS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "interop/proto/hlo.pb.h"

namespace hloscope::interop {

// A value in memory: bytes [offset, offset + size) of its allocation.
struct AssignedValue {
  int64_t id = 0, offset = 0, size = 0, color = 0;
  int64_t instruction_id = 0;    // as in HloInstructionProto
  std::string instruction_name;  // as in the module's text; of a proto without `names` only in old files
  std::vector<int64_t> shape_index;
};

struct AssignedAllocation {
  int64_t index = 0, size = 0, color = 0;
  int64_t parameter_number = -1;  // of memory that the caller gives; else -1
  std::vector<int64_t> parameter_shape_index;
  bool is_thread_local = false, is_constant = false, is_tuple = false, maybe_live_out = false;
  bool is_aliased_with_output = false;
  std::vector<AssignedValue> values;
};

// What the compiler's simulation of a heap did, in the order of its schedule.
struct HeapTraceEvent {
  enum class Kind : uint8_t { kAllocate, kFree, kShare };
  Kind kind = Kind::kAllocate;
  int64_t value = 0;
  int64_t share_with = 0;  // of kShare: the value whose memory it is
};
struct HeapTrace {
  int64_t allocation = 0;
  std::vector<HeapTraceEvent> events;
};

struct BufferAssignment {
  std::vector<AssignedAllocation> allocations;
  std::vector<HeapTrace> traces;
  int64_t total_bytes = 0;                  // of all but those that belong to a thread
  std::vector<std::string> contradictions;  // what contradicts itself, for people
};
// With `names` (OpenedFile::instruction_names) the values name their instructions as the module's text does.
BufferAssignment ReadBufferAssignment(const proto::BufferAssignmentProto& from,
                                      const absl::flat_hash_map<int64_t, std::string>* names = nullptr);
// The text `BufferAssignment: ...` of a dump. Lines of other forms are skipped, and listed as contradictions if they
// look like allocations or values. Errors (InvalidArgument): no allocation at all.
absl::StatusOr<BufferAssignment> ReadBufferAssignmentText(absl::string_view text);

struct MemoryReportRow {
  int64_t index = 0, size = 0, cumulative_size = 0;
  double cumulative_percentage = 0;
  std::string hlo_text;
};
struct MemorySpaceReport {
  int32_t color = 0;
  int64_t total_bytes = 0;
  std::vector<MemoryReportRow> rows;
};
// MemoryUsageReportProto, binary or as text. Errors: InvalidArgument with the place.
absl::StatusOr<std::vector<MemorySpaceReport>> ReadMemoryReport(absl::string_view bytes);

struct AutotuneRecord {
  std::string device, hlo;
  std::string choice;  // "gemm algorithm 5", "triton 64x64x32 stages 4 warps 4"
  int64_t scratch_bytes = 0;
  double seconds = 0;
};
struct AutotuneRecords {
  int32_t version = 0;
  std::vector<AutotuneRecord> records;
};
// AutotuneResults, binary or as text. Errors: InvalidArgument with the place.
absl::StatusOr<AutotuneRecords> ReadAutotuneResults(absl::string_view bytes);

}  // namespace hloscope::interop

#endif  // HLOSCOPE_INTEROP_RECORDS_RECORDS_H_
