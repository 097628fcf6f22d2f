// SPDX-License-Identifier: Apache-2.0
#include "interop/records/records.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "core/ir/checked_math.h"
#include "interop/files/file_kind.h"
#include "interop/files/parse_message.h"
#include "interop/proto/autotuning.pb.h"

namespace hloscope::interop {
namespace {

AssignedAllocation ReadAllocation(const proto::BufferAllocationProto& from) {
  AssignedAllocation allocation;
  allocation.index = from.index();
  allocation.size = from.size();
  allocation.color = from.color();
  if (from.is_entry_computation_parameter()) allocation.parameter_number = from.parameter_number();
  allocation.parameter_shape_index.assign(from.parameter_shape_index().begin(), from.parameter_shape_index().end());
  allocation.is_thread_local = from.is_thread_local();
  allocation.is_constant = from.is_constant();
  allocation.is_tuple = from.is_tuple();
  allocation.maybe_live_out = from.maybe_live_out();
  allocation.is_aliased_with_output = from.is_parameter_aliased_with_output();
  return allocation;
}

HeapTraceEvent ReadEvent(const proto::HeapSimulatorTrace::Event& from) {
  HeapTraceEvent event;
  if (from.kind() == proto::HeapSimulatorTrace::Event::FREE) event.kind = HeapTraceEvent::Kind::kFree;
  if (from.kind() == proto::HeapSimulatorTrace::Event::SHARE_WITH) event.kind = HeapTraceEvent::Kind::kShare;
  event.value = from.buffer_id();
  event.share_with = from.share_with_canonical_id();
  return event;
}

std::string ChoiceOf(const proto::AutotuneResult& result) {
  switch (result.key_case()) {
    case proto::AutotuneResult::kConv:
      return absl::StrCat("convolution algorithm ", result.conv().algorithm());
    case proto::AutotuneResult::kGemm:
      return absl::StrCat("gemm algorithm ", result.gemm().algorithm());
    case proto::AutotuneResult::kCudaConvPlan:
      return absl::StrCat("plan ", result.cuda_conv_plan().exec_plan_id());
    case proto::AutotuneResult::kAlgorithm:
      return absl::StrCat("algorithm ", result.algorithm().algo_id());
    case proto::AutotuneResult::kTriton: {
      const auto& triton = result.triton();
      return absl::StrCat("triton ", triton.block_m(), "x", triton.block_n(), "x", triton.block_k(), " stages ",
                          triton.num_stages(), " warps ", triton.num_warps());
    }
    case proto::AutotuneResult::kCustomKernelFusion:
      return absl::StrCat("kernel ", result.custom_kernel_fusion().kernel_index());
    case proto::AutotuneResult::kOther:
      return result.other().name();
    default:
      return "";
  }
}

}  // namespace

BufferAssignment ReadBufferAssignment(const proto::BufferAssignmentProto& from,
                                      const absl::flat_hash_map<int64_t, std::string>* names) {
  BufferAssignment assignment;
  absl::flat_hash_map<int64_t, const proto::LogicalBufferProto*> values;
  for (const proto::LogicalBufferProto& value : from.logical_buffers()) values[value.id()] = &value;
  absl::flat_hash_map<int64_t, int64_t> allocation_of;
  for (const proto::BufferAllocationProto& entry : from.buffer_allocations()) {
    AssignedAllocation allocation = ReadAllocation(entry);
    const int64_t position = static_cast<int64_t>(assignment.allocations.size());
    const auto find = [&](auto... what) {
      assignment.contradictions.push_back(absl::StrCat("allocation ", position, ": ", what...));
    };
    if (allocation.index != position) find("its index is ", allocation.index);
    if (allocation.size < 0) find("its size is ", allocation.size);
    if (!allocation.is_thread_local) {
      assignment.total_bytes = SaturatingSum(assignment.total_bytes, std::max<int64_t>(allocation.size, 0));
    }
    for (const auto& assigned : entry.assigned()) {
      AssignedValue value;
      value.id = assigned.logical_buffer_id();
      value.offset = assigned.offset();
      value.size = assigned.size();
      if (value.offset < 0 || value.size < 0 || value.offset > std::max<int64_t>(allocation.size, 0) - value.size) {
        find("value ", value.id, " lies outside of it");
      }
      const auto [it, inserted] = allocation_of.try_emplace(value.id, position);
      if (!inserted) find("value ", value.id, " lies in allocation ", it->second, " too");
      if (const auto known = values.find(value.id); known != values.end()) {
        const proto::LogicalBufferProto::Location& location = known->second->defined_at();
        value.color = known->second->color();
        value.instruction_id = location.instruction_id();
        value.instruction_name = location.instruction_name();
        if (names != nullptr) {
          const auto name = names->find(value.instruction_id);
          if (name != names->end()) value.instruction_name = name->second;
        }
        value.shape_index.assign(location.shape_index().begin(), location.shape_index().end());
      } else {
        find("value ", value.id, " is not described");
      }
      allocation.values.push_back(std::move(value));
    }
    assignment.allocations.push_back(std::move(allocation));
  }
  for (const proto::HeapSimulatorTrace& trace : from.heap_simulator_traces()) {
    HeapTrace& read = assignment.traces.emplace_back();
    read.allocation = trace.buffer_allocation_index();
    read.events.reserve(static_cast<size_t>(trace.events_size()));
    for (const auto& event : trace.events()) read.events.push_back(ReadEvent(event));
  }
  return assignment;
}

absl::StatusOr<std::vector<MemorySpaceReport>> ReadMemoryReport(absl::string_view bytes) {
  proto::MemoryUsageReportProto message;
  std::vector<std::string> notes;
  const absl::Status status = ParseMessage(bytes, LooksLikeText(bytes), &message, &notes);
  if (!status.ok()) return status;
  std::vector<MemorySpaceReport> reports;
  for (const auto& space : message.memory_space_allocation_entries()) {
    MemorySpaceReport& report = reports.emplace_back();
    report.color = space.memory_space_color();
    report.total_bytes = space.total_bytes();
    for (const auto& row : space.allocation_entries()) {
      report.rows.push_back(
          {row.index(), row.size(), row.cumulative_size(), row.cumulative_percentage(), row.hlo_text()});
    }
  }
  return reports;
}

absl::StatusOr<AutotuneRecords> ReadAutotuneResults(absl::string_view bytes) {
  proto::AutotuneResults message;
  std::vector<std::string> notes;
  const absl::Status status = ParseMessage(bytes, LooksLikeText(bytes), &message, &notes);
  if (!status.ok()) return status;
  AutotuneRecords records;
  records.version = message.version();
  for (const auto& entry : message.results()) {
    const proto::AutotuneResult& result = entry.result();
    records.records.push_back({entry.device(), entry.hlo(), ChoiceOf(result), result.scratch_bytes(),
                               static_cast<double>(result.run_time().seconds()) + 1e-9 * result.run_time().nanos()});
  }
  return records;
}

}  // namespace hloscope::interop
