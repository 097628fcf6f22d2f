// SPDX-License-Identifier: Apache-2.0
#include "interop/files/assignment_ids.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "interop/hlo_proto/ids.h"

namespace hloscope::interop {
namespace {

// Calls visit(location) for each place in the module that the assignment mentions.
template <typename Assignment, typename Visit>
void ForEachLocation(Assignment& assignment, Visit visit) {
  if constexpr (std::is_const_v<Assignment>) {
    for (const auto& value : assignment.logical_buffers()) visit(value.defined_at());
    for (const auto& alias : assignment.buffer_aliases()) visit(alias.location());
  } else {
    for (auto& value : *assignment.mutable_logical_buffers()) {
      if (value.has_defined_at()) visit(*value.mutable_defined_at());
    }
    for (auto& alias : *assignment.mutable_buffer_aliases()) {
      if (alias.has_location()) visit(*alias.mutable_location());
    }
  }
}

}  // namespace

// They are whole ids; some composed, where those of the module are plain.
absl::flat_hash_map<int64_t, std::string> InstructionNames(const proto::BufferAssignmentProto& assignment,
                                                           const ReadModule& read) {
  absl::flat_hash_map<int64_t, std::string> names;
  ForEachLocation(assignment, [&](const auto& location) { names.try_emplace(location.instruction_id()); });
  absl::flat_hash_map<int64_t, InstructionId> by_parts;
  for (size_t i = 0; i < read.instruction_ids.size(); ++i) {
    const InstructionId instruction(i);
    const int64_t id = read.instruction_ids[i];
    const auto whole = names.find(id);
    if (whole != names.end() && whole->second.empty()) {
      whole->second = std::string(read.module.InstructionName(instruction));
    }
    const ComputationId computation = read.module.instruction(instruction).computation;
    const uint64_t high = static_cast<uint64_t>(read.computation_ids[computation.index()]) << 32;
    by_parts.try_emplace(static_cast<int64_t>(high | LocalId(id)), instruction);
  }
  for (auto& [id, name] : names) {
    const auto found = by_parts.find(id);
    if (name.empty() && found != by_parts.end()) name = std::string(read.module.InstructionName(found->second));
  }
  return names;
}

absl::Status PutAssignment(const proto::BufferAssignmentProto& assignment,
                           const absl::flat_hash_map<int64_t, std::string>& names, proto::HloProto* to) {
  absl::flat_hash_map<absl::string_view, int64_t> ids;
  for (const proto::HloComputationProto& computation : to->hlo_module().computations()) {
    for (const proto::HloInstructionProto& instruction : computation.instructions()) {
      ids.emplace(instruction.name(), instruction.id());
    }
  }
  proto::BufferAssignmentProto* const put = to->mutable_buffer_assignment();
  *put = assignment;
  put->DiscardUnknownFields();  // whoever writes unknown fields adds these
  absl::Status status;
  ForEachLocation(*put, [&](proto::LogicalBufferProto::Location& location) {
    const auto name = names.find(location.instruction_id());
    const auto id = name == names.end() ? ids.end() : ids.find(name->second);
    if (id != ids.end()) {
      location.set_instruction_id(id->second);
    } else if (status.ok()) {
      status = absl::FailedPreconditionError(
          absl::StrCat("it mentions an instruction of id ", location.instruction_id(), ", which the module lacks"));
    }
  });
  if (!status.ok()) to->clear_buffer_assignment();
  return status;
}

}  // namespace hloscope::interop
