// SPDX-License-Identifier: Apache-2.0
#include "interop/hlo_proto/header.h"

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/ir/default_layout.h"
#include "core/print/header_printer.h"
#include "interop/hlo_proto/attribute_structures.h"
#include "interop/hlo_proto/int_list.h"
#include "interop/hlo_proto/module_reader.h"
#include "interop/hlo_proto/module_writer.h"
#include "interop/hlo_proto/shape_bytes.h"
#include "interop/hlo_proto/shapes.h"
#include "interop/wire/wire.h"

namespace hloscope::interop {
namespace {

absl::Status EntryShapeError(const absl::Status& status, absl::string_view field) {
  if (absl::IsDataLoss(status)) return status;
  return absl::InvalidArgumentError(absl::StrCat("host_program_shape.", field, ": ", status.message()));
}

absl::Status ReadEntryLayout(absl::string_view bytes, ModuleHeader* header) {
  using Proto = proto::ProgramShapeProto;
  EntryComputationLayout layout;
  std::string result;  // a message that comes in parts is that of all their bytes
  WireReader reader(bytes);
  WireField field;
  while (reader.Next(&field)) {
    if (field.type != WireType::kBytes) continue;
    if (field.number == Proto::kResultFieldNumber) result.append(field.bytes.data(), field.bytes.size());
    if (field.number != Proto::kParametersFieldNumber) continue;
    const absl::StatusOr<Shape> shape = ShapeFromBytes(field.bytes);
    if (!shape.ok()) {
      return EntryShapeError(shape.status(), absl::StrCat("parameters[", layout.parameters.size(), "]"));
    }
    layout.parameters.push_back(WithDefaultLayouts(*shape));
  }
  if (reader.has_fault()) return absl::DataLossError("the message is damaged");
  const absl::StatusOr<Shape> shape = ShapeFromBytes(result);
  if (!shape.ok()) return EntryShapeError(shape.status(), "result");
  layout.result = WithDefaultLayouts(*shape);
  header->entry_computation_layout = std::move(layout);
  return absl::OkStatus();
}

// Frames refer to locations and to earlier frames; ids are numbered from 1.
bool FramesAreGood(const StackFrameTables& tables) {
  const auto is_in = [](int64_t id, size_t count) { return id >= 0 && id <= static_cast<int64_t>(count); };
  for (const StackFrameTables::Location& location : tables.locations) {
    if (!is_in(location.file_name_id, tables.file_names.size()) ||
        !is_in(location.function_name_id, tables.function_names.size())) {
      return false;
    }
  }
  for (const StackFrameTables::Frame& frame : tables.frames) {
    if (!is_in(frame.file_location_id, tables.locations.size()) ||
        !is_in(int64_t{frame.parent_frame_id} - 1, tables.frames.size())) {
      return false;
    }
  }
  // By frame: the walk that came by, from 1.
  std::vector<size_t> walk_of(tables.frames.size(), 0);
  for (size_t i = 0; i < tables.frames.size(); ++i) {
    for (size_t at = i + 1; at != 0; at = static_cast<size_t>(tables.frames[at - 1].parent_frame_id - 1)) {
      if (walk_of[at - 1] == i + 1) return false;
      if (walk_of[at - 1] != 0) break;
      walk_of[at - 1] = i + 1;
    }
  }
  return true;
}

void ReadFrames(const proto::StackFrameIndexProto& from, ModuleHeader* header, std::vector<std::string>* notes) {
  StackFrameTables& tables = header->stack_frames;
  tables.file_names.assign(from.file_names().begin(), from.file_names().end());
  tables.function_names.assign(from.function_names().begin(), from.function_names().end());
  for (const auto& l : from.file_locations()) {
    tables.locations.push_back({.file_name_id = l.file_name_id(),
                                .function_name_id = l.function_name_id(),
                                .line = l.line(),
                                .end_line = l.end_line(),
                                .column = l.column(),
                                .end_column = l.end_column()});
  }
  for (const auto& frame : from.stack_frames()) {
    // The text counts parents from 1 for none.
    const int64_t parent = int64_t{frame.parent_frame_id()} + 1;
    tables.frames.push_back(
        {frame.file_location_id(), parent > 0 && parent <= INT32_MAX ? static_cast<int32_t>(parent) : -1});
  }
  if (FramesAreGood(tables)) return;
  tables = StackFrameTables();
  notes->emplace_back("stack_frame_index: ids name what is not there, or frames are their own callers; it is left out");
}

void ReadAliases(const proto::HloModuleProto& from, ModuleHeader* header) {
  for (const auto& entry : from.input_output_alias().entries()) {
    header->input_output_alias.push_back({Ints(entry.output_shape_index()), entry.parameter_number(),
                                          Ints(entry.parameter_shape_index()), entry.kind() != proto::MAY_ALIAS});
  }
  for (const auto& entry : from.buffer_donor().entries()) {
    header->buffer_donor.push_back({entry.parameter_number(), Ints(entry.parameter_shape_index())});
  }
}

absl::Status ReadRecoveryTable(const proto::OriginalValueRecoveryTableProto& from, ModuleHeader* header) {
  for (const auto& entry : from.entries()) {
    OriginRecoveryEntry row;
    row.from = OriginArrayFromProto(entry.old_original_array());
    row.to = OriginArrayFromProto(entry.new_original_array());
    if (entry.has_recovery_module()) {
      ProtoPlace place;
      absl::StatusOr<ReadModule> read = ReadHloModule(entry.recovery_module(), &place);
      if (!read.ok()) {
        return absl::InvalidArgumentError(absl::StrCat("original_value_recovery_table.entries[",
                                                       header->origin_recovery_table.size(),
                                                       "].recovery_module: ", read.status().message()));
      }
      row.module = std::make_shared<const Module>(std::move(read->module));
    }
    header->origin_recovery_table.push_back(std::move(row));
  }
  return absl::OkStatus();
}

void ReadDebugAttributes(const proto::HloModuleProto& from, ModuleHeader* header) {
  for (const proto::DebugAttributeTableEntryProto& entry : from.debug_attributes()) {
    std::vector<DebugAttribute> list;
    for (const proto::DebugAttributesProto& attribute : entry.debug_attributes()) {
      const DebugLogMode mode = attribute.log_mode() == proto::DebugAttributesProto::DEFAULT ? DebugLogMode::kDefault
                                : attribute.log_mode() == proto::DebugAttributesProto::FUSION_DEBUGGER
                                    ? DebugLogMode::kFusionDebugger
                                    : DebugLogMode::kNone;
      list.push_back({mode, attribute.callback_id(), attribute.partitioned(), attribute.op_id()});
    }
    header->debug_attributes.emplace_back(OriginArrayFromProto(entry.original_array()), std::move(list));
  }
}

void WriteFrames(const StackFrameTables& from, proto::StackFrameIndexProto* to) {
  for (const std::string& name : from.file_names) to->add_file_names(name);
  for (const std::string& name : from.function_names) to->add_function_names(name);
  for (const StackFrameTables::Location& l : from.locations) {
    proto::StackFrameIndexProto::FileLocation* location = to->add_file_locations();
    location->set_file_name_id(l.file_name_id);
    location->set_function_name_id(l.function_name_id);
    location->set_line(l.line);
    location->set_column(l.column);
    location->set_end_line(l.end_line);
    location->set_end_column(l.end_column);
  }
  for (const StackFrameTables::Frame& f : from.frames) {
    proto::StackFrameIndexProto::StackFrame* frame = to->add_stack_frames();
    frame->set_file_location_id(f.file_location_id);
    frame->set_parent_frame_id(f.parent_frame_id - 1);
  }
}

void WriteProgramShape(const Module& module, proto::HloModuleProto* to) {
  const EntryComputationLayout layout = EntryLayoutOf(module);
  proto::ProgramShapeProto* shape = to->mutable_host_program_shape();
  for (size_t k = 0; k < layout.parameters.size(); ++k) {
    ShapeToProto(layout.parameters[k], shape->add_parameters());
    // The reference names them by number here, whatever the entry computation calls them.
    shape->add_parameter_names(absl::StrCat("p", k));
  }
  ShapeToProto(layout.result, shape->mutable_result());
}

}  // namespace

absl::Status ReadHeader(const proto::HloModuleProto& from, const std::optional<std::string>& program_shape,
                        Module* module, std::vector<std::string>* notes) {
  ModuleHeader& header = module->mutable_header();
  header.written = true;
  header.name = from.name();
  header.is_scheduled = from.has_schedule();
  ReadAliases(from, &header);
  if (program_shape) {
    if (absl::Status status = ReadEntryLayout(*program_shape, &header); !status.ok()) return status;
  } else {
    notes->emplace_back("host_program_shape is missing: the entry computation says it");
  }
  header.frontend_attributes = FrontendAttributesFromProto(from.frontend_attributes());
  ReadFrames(from.stack_frame_index(), &header, notes);
  ReadDebugAttributes(from, &header);
  return ReadRecoveryTable(from.original_value_recovery_table(), &header);
}

absl::Status WriteHeader(const Module& module, proto::HloModuleProto* to) {
  const ModuleHeader& header = module.header();
  to->set_name(header.name);
  WriteProgramShape(module, to);
  to->mutable_input_output_alias();
  for (const AliasEntry& alias : header.input_output_alias) {
    auto* entry = to->mutable_input_output_alias()->add_entries();
    entry->mutable_output_shape_index()->Add(alias.output_index.begin(), alias.output_index.end());
    entry->set_parameter_number(alias.operand);
    entry->mutable_parameter_shape_index()->Add(alias.operand_index.begin(), alias.operand_index.end());
    entry->set_kind(alias.must_alias ? proto::MUST_ALIAS : proto::MAY_ALIAS);
  }
  to->mutable_buffer_donor();
  for (const DonorEntry& donor : header.buffer_donor) {
    auto* entry = to->mutable_buffer_donor()->add_entries();
    entry->set_parameter_number(donor.parameter);
    entry->mutable_parameter_shape_index()->Add(donor.index.begin(), donor.index.end());
  }
  FrontendAttributesToProto(header.frontend_attributes, to->mutable_frontend_attributes());
  if (!header.stack_frames.empty()) WriteFrames(header.stack_frames, to->mutable_stack_frame_index());
  for (const OriginRecoveryEntry& row : header.origin_recovery_table) {
    auto* entry = to->mutable_original_value_recovery_table()->add_entries();
    OriginArrayToProto(row.from, entry->mutable_old_original_array());
    OriginArrayToProto(row.to, entry->mutable_new_original_array());
    if (row.module == nullptr) continue;
    if (absl::Status s = WriteHloModule(*row.module, entry->mutable_recovery_module()); !s.ok()) return s;
  }
  for (const auto& [array, attributes] : header.debug_attributes) {
    proto::DebugAttributeTableEntryProto* entry = to->add_debug_attributes();
    OriginArrayToProto(array, entry->mutable_original_array());
    for (const DebugAttribute& attribute : attributes) {
      proto::DebugAttributesProto* debug = entry->add_debug_attributes();
      debug->set_log_mode(attribute.log_mode == DebugLogMode::kDefault ? proto::DebugAttributesProto::DEFAULT
                          : attribute.log_mode == DebugLogMode::kFusionDebugger
                              ? proto::DebugAttributesProto::FUSION_DEBUGGER
                              : proto::DebugAttributesProto::NONE);
      debug->set_callback_id(attribute.callback_id);
      debug->set_op_id(attribute.op_id);
      debug->set_partitioned(attribute.partitioned);
    }
  }
  return absl::OkStatus();
}

}  // namespace hloscope::interop
