// SPDX-License-Identifier: Apache-2.0
#include "interop/hlo_proto/module_writer.h"

#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/ir/checked_math.h"
#include "core/ir/default_layout.h"
#include "core/print/print_order.h"
#include "core/print/unique_names.h"
#include "interop/hlo_proto/attributes.h"
#include "interop/hlo_proto/header.h"
#include "interop/hlo_proto/literals.h"
#include "interop/hlo_proto/shapes.h"

namespace hloscope::interop {
namespace {

class ModuleWriter {
 public:
  ModuleWriter(const Module& module, proto::HloModuleProto* to)
      : module_(module), to_(*to), names_(module), order_(module, PrintOrder::kText) {}

  absl::Status Write() {
    if (const absl::Status status = CheckConstants(); !status.ok()) return status;
    if (const absl::Status status = WriteHeader(module_, &to_); !status.ok()) return status;
    Number();
    for (size_t i = 0; i < computations_.size(); ++i) {
      if (const absl::Status status = WriteComputation(computations_[i], orders_[i]); !status.ok()) return status;
    }
    if (module_.entry().has_value()) {
      to_.set_entry_computation_id(computation_ids_[module_.entry().index()]);
      to_.set_entry_computation_name(std::string(names_.Of(module_.entry())));
    }
    if (module_.header().is_scheduled) WriteSchedule();
    return absl::OkStatus();
  }

 private:
  // A text says in a word what takes gigabytes in a message: before any of them is made.
  absl::Status CheckConstants() const {
    constexpr int64_t kMostBytes = std::numeric_limits<int32_t>::max();
    int64_t bytes = 0;
    for (size_t i = 0; i < module_.instruction_count(); ++i) {
      const InstructionId id(i);
      if (module_.instruction(id).literal.has_value() && !module_.literal(id).IsElided()) {
        bytes = SaturatingSum(bytes, module_.shape(id).ByteSize());
      }
    }
    if (bytes <= kMostBytes) return absl::OkStatus();
    return absl::ResourceExhaustedError(
        absl::StrCat("the constants take ", bytes, " bytes, and a message holds at most 2 GiB"));
  }

  void Number() {
    computations_ = ComputationPrintOrder(module_, PrintOrder::kText);
    computation_ids_.assign(module_.computations().size(), 0);
    instruction_ids_.assign(module_.instruction_count(), 0);
    is_fused_.assign(module_.computations().size(), false);
    for (size_t i = 0; i < computations_.size(); ++i) {
      const int64_t id = static_cast<int64_t>(i);
      computation_ids_[computations_[i].index()] = id;
      orders_.push_back(order_.Of(computations_[i]));
      int64_t number = 0;
      for (InstructionId instruction : orders_.back()) instruction_ids_[instruction.index()] = (id << 32) | number++;
    }
    for (size_t i = 0; i < module_.instruction_count(); ++i) {
      const InstructionId id(i);
      if (module_.opcode(id) != Opcode::kFusion) continue;
      const ComputationId callee = module_.ComputationAttribute(id, AttributeKind::kCalls);
      if (callee.has_value()) is_fused_[callee.index()] = true;
    }
  }

  absl::Status WriteComputation(ComputationId id, const std::vector<InstructionId>& instructions) {
    const Computation& from = module_.computation(id);
    proto::HloComputationProto* to = to_.add_computations();
    to->set_name(std::string(names_.Of(id)));
    to->set_id(computation_ids_[id.index()]);
    if (!from.root.has_value()) {
      return absl::InvalidArgumentError(absl::StrCat("computation `", to->name(), "` has no root"));
    }
    to->set_root_id(instruction_ids_[from.root.index()]);
    to->set_is_fusion_computation(is_fused_[id.index()]);
    if (from.execution_thread != "main") to->set_execution_thread(from.execution_thread);
    proto::ProgramShapeProto* shape = to->mutable_program_shape();
    for (InstructionId parameter : from.parameters) {
      if (!parameter.has_value()) {
        return absl::InvalidArgumentError(absl::StrCat("computation `", to->name(), "` lacks a parameter"));
      }
      ShapeToProto(WithDefaultLayouts(module_.shape(parameter)), shape->add_parameters());
      shape->add_parameter_names(std::string(names_.Of(parameter)));
    }
    ShapeToProto(WithDefaultLayouts(module_.shape(from.root)), shape->mutable_result());
    for (InstructionId instruction : instructions) {
      if (const absl::Status s = WriteInstruction(instruction, to->add_instructions()); !s.ok()) return s;
    }
    return absl::OkStatus();
  }

  absl::Status WriteInstruction(InstructionId id, proto::HloInstructionProto* to) {
    const Instruction& from = module_.instruction(id);
    to->set_name(std::string(names_.Of(id)));
    if (from.opcode == Opcode::kInvalid || from.has_reading_errors) {
      return absl::InvalidArgumentError(absl::StrCat("`", to->name(), "` could not be read"));
    }
    to->set_opcode(std::string(OpcodeName(from.opcode)));
    to->set_id(instruction_ids_[id.index()]);
    ShapeToProto(WithDefaultLayouts(module_.shape(id)), to->mutable_shape());
    for (InstructionId operand : module_.operands(id)) {
      if (!operand.has_value()) {
        return absl::InvalidArgumentError(absl::StrCat("an operand of `", to->name(), "` could not be read"));
      }
      to->add_operand_ids(instruction_ids_[operand.index()]);
    }
    if (from.opcode == Opcode::kParameter) to->set_parameter_number(from.parameter_number);
    if (from.opcode == Opcode::kConstant && from.literal.has_value() && !IsElidedArray(id)) {
      if (const absl::Status s = LiteralToProto(module_.literal(id), to->mutable_literal()); !s.ok()) return s;
    }
    // The reference writes these even if there is nothing in them.
    to->mutable_metadata();
    to->mutable_frontend_attributes();
    to->mutable_statistics_viz();
    const auto computation = [&](ComputationId callee) { return computation_ids_[callee.index()]; };
    const auto instruction = [&](InstructionId other) { return instruction_ids_[other.index()]; };
    return WriteAttributes(module_, id, {computation, instruction}, to);
  }

  bool IsElidedArray(InstructionId id) const { return module_.shape(id).IsArray() && module_.literal(id).IsElided(); }

  void WriteSchedule() {
    auto& sequences = *to_.mutable_schedule()->mutable_sequences();
    for (size_t i = 0; i < computations_.size(); ++i) {
      if (is_fused_[computations_[i].index()]) continue;
      auto& sequence = sequences[computation_ids_[computations_[i].index()]];
      for (InstructionId id : orders_[i]) sequence.add_instruction_ids(instruction_ids_[id.index()]);
    }
  }

  const Module& module_;
  proto::HloModuleProto& to_;
  const UniqueNames names_;
  const InstructionOrder order_;
  std::vector<ComputationId> computations_;         // callees first
  std::vector<std::vector<InstructionId>> orders_;  // by position in computations_
  std::vector<int64_t> computation_ids_, instruction_ids_;
  std::vector<bool> is_fused_;  // by computation
};

}  // namespace

absl::Status WriteHloModule(const Module& module, proto::HloModuleProto* to) {
  return ModuleWriter(module, to).Write();
}

}  // namespace hloscope::interop
