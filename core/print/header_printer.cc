// SPDX-License-Identifier: Apache-2.0
#include "core/print/header_printer.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/ir/default_layout.h"
#include "core/print/attribute_printer.h"
#include "core/print/number_printer.h"
#include "core/print/printer.h"
#include "core/print/shape_printer.h"
#include "core/print/string_printer.h"

namespace hloscope {
namespace {

void AppendAliases(std::vector<AliasEntry> aliases, std::string* out) {
  if (aliases.empty()) return;
  std::stable_sort(aliases.begin(), aliases.end(),
                   [](const AliasEntry& a, const AliasEntry& b) { return a.output_index < b.output_index; });
  out->append(", input_output_alias={ ");
  for (size_t i = 0; i < aliases.size(); ++i) {
    if (i > 0) out->append(", ");
    AppendShapeIndex(aliases[i].output_index, out);
    out->append(": (");
    AppendInteger(aliases[i].operand, out);
    out->append(", ");
    AppendShapeIndex(aliases[i].operand_index, out);
    out->append(aliases[i].must_alias ? ", must-alias)" : ", may-alias)");
  }
  out->append(" }");
}

void AppendDonors(std::vector<DonorEntry> donors, std::string* out) {
  if (donors.empty()) return;
  std::sort(donors.begin(), donors.end(), [](const DonorEntry& a, const DonorEntry& b) {
    return std::tie(a.parameter, a.index) < std::tie(b.parameter, b.index);
  });
  out->append(", buffer_donor={ ");
  for (size_t i = 0; i < donors.size(); ++i) {
    out->append(i > 0 ? ", (" : "(");
    AppendInteger(donors[i].parameter, out);
    out->append(", ");
    AppendShapeIndex(donors[i].index, out);
    out->push_back(')');
  }
  out->append(" }");
}

void AppendEntryLayout(const Module& module, const PrintOptions& options, std::string* out) {
  const EntryComputationLayout layout = EntryLayoutOf(module);
  out->append(", entry_computation_layout={(");
  for (size_t i = 0; i < layout.parameters.size(); ++i) {
    if (i > 0) out->append(", ");
    if (i > 0 && i % 5 == 0 && options.shape_index_comments) absl::StrAppend(out, "/*index=", i, "*/");
    out->append(ShapeText(layout.parameters[i], options));
  }
  out->append(")->").append(ShapeText(layout.result, options)).push_back('}');
}

void AppendPropagation(absl::string_view name, const std::vector<bool>& flags, std::string* out) {
  if (flags.size() == 1 && !flags[0]) return;
  absl::StrAppend(out, ", ", name, "={");
  for (size_t i = 0; i < flags.size(); ++i) {
    if (i > 0) out->push_back(',');
    out->append(flags[i] ? "true" : "false");
  }
  out->push_back('}');
}

// A module inside a string: its lines are indented by four blanks, quotes and backslashes escaped.
void AppendEmbedded(absl::string_view text, std::string* out) {
  bool line_begins = true;
  for (char c : text) {
    if (line_begins && c != '\n') out->append("    ");
    line_begins = c == '\n';
    if (c == '"' || c == '\\') out->push_back('\\');
    out->push_back(c);
  }
}

void AppendRecoveryTable(const std::vector<OriginRecoveryEntry>& table, std::string* out) {
  if (table.empty()) return;
  out->append(", origin_recovery_table={\n");
  for (const OriginRecoveryEntry& entry : table) {
    out->append("  ");
    AppendOriginArray(entry.from, out);
    out->append(" : ");
    AppendOriginArray(entry.to, out);
    if (entry.module != nullptr) {
      out->append(",\n  \"\n");
      AppendEmbedded(PrintModule(*entry.module, PrintOptions::Long()), out);
      out->append("\n  \"");
    }
    out->push_back('\n');
  }
  out->append("}\n");
}

void AppendDebugAttribute(const DebugAttribute& attribute, std::string* out) {
  std::vector<std::string> fields;
  if (attribute.log_mode != DebugLogMode::kNone) {
    fields.emplace_back(attribute.log_mode == DebugLogMode::kDefault ? "log_mode=default" : "log_mode=fusion_debugger");
  }
  if (attribute.callback_id != 0) fields.push_back(absl::StrCat("callback_id=", attribute.callback_id));
  if (attribute.partitioned) fields.emplace_back("partitioned=true");
  if (attribute.op_id != 0) fields.push_back(absl::StrCat("op_id=", attribute.op_id));
  // Empty braces cannot be read.
  if (fields.empty()) fields.emplace_back("callback_id=0");
  absl::StrAppend(out, "{", absl::StrJoin(fields, ","), "}");
}

void AppendDebugAttributes(const ModuleHeader& header, std::string* out) {
  if (header.debug_attributes.empty()) return;
  out->append(",\ndebug_attributes={\n");
  for (size_t i = 0; i < header.debug_attributes.size(); ++i) {
    const auto& [array, attributes] = header.debug_attributes[i];
    out->append(i > 0 ? ",\n  " : "  ");
    AppendOriginArray(array, out);
    out->append(":(");
    for (size_t k = 0; k < attributes.size(); ++k) {
      if (k > 0) out->append(", ");
      AppendDebugAttribute(attributes[k], out);
    }
    out->push_back(')');
  }
  out->append("\n}");
}

// But for the name, which a reader makes of that of the entry.
bool SaysNothing(const ModuleHeader& header) {
  const auto is_not_set = [](const std::vector<bool>& flags) {
    return flags.empty() || (flags.size() == 1 && !flags[0]);
  };
  return !header.is_scheduled && !header.alias_passthrough_params && header.input_output_alias.empty() &&
         header.buffer_donor.empty() && !header.entry_computation_layout &&
         is_not_set(header.allow_spmd_sharding_propagation_to_parameters) &&
         is_not_set(header.allow_spmd_sharding_propagation_to_output) && header.replica_count == 1 &&
         header.num_partitions == 1 && header.frontend_attributes.empty() && header.origin_recovery_table.empty() &&
         header.debug_attributes.empty() && header.stack_frames.empty();
}

}  // namespace

void AppendStackFrames(const StackFrameTables& tables, std::string* out) {
  out->append("FileNames\n");
  for (size_t i = 0; i < tables.file_names.size(); ++i) {
    absl::StrAppend(out, i + 1, " ");
    AppendQuoted(tables.file_names[i], out);
    out->push_back('\n');
  }
  out->append("\nFunctionNames\n");
  for (size_t i = 0; i < tables.function_names.size(); ++i) {
    absl::StrAppend(out, i + 1, " ");
    AppendQuoted(tables.function_names[i], out);
    out->push_back('\n');
  }
  out->append("\nFileLocations\n");
  for (size_t i = 0; i < tables.locations.size(); ++i) {
    const StackFrameTables::Location& l = tables.locations[i];
    absl::StrAppend(out, i + 1, " {file_name_id=", l.file_name_id, " function_name_id=", l.function_name_id,
                    " line=", l.line, " end_line=");
    absl::StrAppend(out, l.end_line, " column=", l.column, " end_column=", l.end_column, "}\n");
  }
  out->append("\nStackFrames\n");
  for (size_t i = 0; i < tables.frames.size(); ++i) {
    const StackFrameTables::Frame& frame = tables.frames[i];
    absl::StrAppend(out, i + 1, " {file_location_id=", frame.file_location_id,
                    " parent_frame_id=", frame.parent_frame_id, "}\n");
  }
  out->append("\n\n");
}

EntryComputationLayout EntryLayoutOf(const Module& module) {
  EntryComputationLayout layout;
  if (module.header().entry_computation_layout) {
    layout = *module.header().entry_computation_layout;
  } else if (module.entry().has_value()) {
    const Computation& entry = module.computation(module.entry());
    for (InstructionId parameter : entry.parameters) {
      layout.parameters.push_back(parameter.has_value() ? module.shape(parameter) : Shape());
    }
    if (entry.root.has_value()) layout.result = module.shape(entry.root);
  }
  for (Shape& shape : layout.parameters) shape = WithDefaultLayouts(shape);
  layout.result = WithDefaultLayouts(layout.result);
  return layout;
}

size_t AppendHeader(const Module& module, const PrintOptions& options, std::string* out) {
  const ModuleHeader& header = module.header();
  if (!options.header && SaysNothing(header)) return out->size();
  // A module needs a name to be read again; only one that was not made from text can lack it.
  out->append("HloModule ");
  if (options.ids) out->append(header.name.empty() ? "module" : header.name);
  if (header.is_scheduled) out->append(", is_scheduled=true");
  AppendAliases(header.input_output_alias, out);
  AppendDonors(header.buffer_donor, out);
  if (header.alias_passthrough_params) out->append(", alias_passthrough_params=true");
  if (!options.keep_written_defaults || header.entry_computation_layout || !header.written) {
    AppendEntryLayout(module, options, out);
  }
  AppendPropagation("allow_spmd_sharding_propagation_to_parameters",
                    header.allow_spmd_sharding_propagation_to_parameters, out);
  AppendPropagation("allow_spmd_sharding_propagation_to_output", header.allow_spmd_sharding_propagation_to_output, out);
  if (header.replica_count != 1) absl::StrAppend(out, ", replica_count=", header.replica_count);
  if (header.num_partitions != 1) absl::StrAppend(out, ", num_partitions=", header.num_partitions);
  if (!header.frontend_attributes.empty()) {
    out->append(", frontend_attributes=");
    AppendFrontendAttributes(header.frontend_attributes, out);
  }
  AppendRecoveryTable(header.origin_recovery_table, out);
  AppendDebugAttributes(header, out);
  const size_t line_end = out->find_last_not_of('\n') + 1;
  out->append("\n\n");
  if (options.metadata && !header.stack_frames.empty()) AppendStackFrames(header.stack_frames, out);
  return line_end;
}

}  // namespace hloscope
