// SPDX-License-Identifier: Apache-2.0
#include "core/print/sharding_printer.h"

#include <algorithm>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "core/ir/sharding_reduction.h"
#include "core/print/number_printer.h"
#include "core/print/string_printer.h"

namespace hloscope {
namespace {

// `[4,2]<=[2,4]T(1,0)`, or `[2,4]T(1,0)` without the leading dimensions.
void AppendIota(const IotaTile& iota, bool with_dimensions, std::string* out) {
  if (with_dimensions) {
    out->push_back('[');
    AppendIntegers(iota.dims, ",", out);
    out->append("]<=");
  }
  out->push_back('[');
  AppendIntegers(iota.reshape_dims, ",", out);
  out->push_back(']');
  if (iota.reshape_dims.size() > 1) {
    out->append("T(");
    AppendIntegers(iota.transpose, ",", out);
    out->push_back(')');
  }
}

// Axis names print in single quotes and unescaped, as in the reference; only what could not be read again is escaped.
void AppendAxisName(const std::string& name, std::string* out) {
  out->push_back('\'');
  for (char c : name) {
    if (c == '\'' || c == '\\') out->push_back('\\');
    out->push_back(c);
  }
  out->push_back('\'');
}

void AppendAxis(const MeshAxisRef& axis, std::string* out) {
  AppendAxisName(axis.name, out);
  if (!axis.sub_axis) return;
  out->append(":(");
  AppendInteger(axis.sub_axis->first, out);
  out->push_back(')');
  AppendInteger(axis.sub_axis->second, out);
}

void AppendAxes(const std::vector<MeshAxisRef>& axes, absl::string_view separator, std::string* out) {
  out->push_back('{');
  for (size_t i = 0; i < axes.size(); ++i) {
    if (i > 0) out->append(separator.data(), separator.size());
    AppendAxis(axes[i], out);
  }
  out->push_back('}');
}

void AppendMesh(const Mesh& mesh, std::string* out) {
  if (mesh.maximal_device) {
    out->append("maximal_mesh[device_id=");
    AppendInteger(*mesh.maximal_device, out);
    out->push_back(']');
    return;
  }
  out->append("mesh[");
  for (size_t i = 0; i < mesh.axes.size(); ++i) {
    if (i > 0) out->push_back(',');
    AppendAxisName(mesh.axes[i].first, out);
    out->push_back('=');
    AppendInteger(mesh.axes[i].second, out);
  }
  out->push_back(']');
  if (!mesh.iota && mesh.device_ids.empty()) return;
  out->append(", device_ids=(");
  if (mesh.iota) {
    AppendIota(*mesh.iota, false, out);
  } else {
    AppendIntegers(mesh.device_ids, ",", out);
  }
  out->push_back(')');
}

// `{fields}` or `{{fields}, {fields}}`.
void AppendMetadataEntries(const std::vector<std::string>& entries, bool always_list, std::string* out) {
  const bool list = always_list || entries.size() != 1;
  if (list) out->push_back('{');
  for (size_t i = 0; i < entries.size(); ++i) {
    out->append(i > 0 ? ", {" : "{").append(entries[i]).push_back('}');
  }
  if (list) out->push_back('}');
}

std::vector<std::string> MetadataEntries(const Module& module, const Sharding& sharding) {
  std::vector<std::string> entries;
  for (MetadataId metadata : sharding.metadata) {
    AppendMetadataFields(module, module.metadata(metadata), &entries.emplace_back());
  }
  return entries;
}

absl::string_view SubgroupName(Sharding::Subgroup subgroup) {
  switch (subgroup) {
    case Sharding::Subgroup::kMaximal:
      return "maximal";
    case Sharding::Subgroup::kReplicated:
      return "replicated";
    case Sharding::Subgroup::kManual:
      return "manual";
    case Sharding::Subgroup::kUnreduced:
      return "unreduced";
  }
  return "replicated";
}

void AppendDeviceSharding(const Module& module, const Sharding& sharding, bool with_metadata, bool as_written,
                          std::string* out) {
  switch (sharding.kind) {
    case Sharding::Kind::kReplicated:
      out->append("replicated");
      break;
    case Sharding::Kind::kMaximal:
      out->append("maximal device=");
      AppendInteger(sharding.device, out);
      break;
    case Sharding::Kind::kManual:
      out->append("manual");
      break;
    case Sharding::Kind::kUnknown:
      out->append("unknown");
      break;
    case Sharding::Kind::kUnreduced:
      out->append("unreduced");
      break;
    case Sharding::Kind::kTiled:
    case Sharding::Kind::kNamed:
    case Sharding::Kind::kTuple:
      out->append("devices=");
      if (sharding.iota) {
        AppendIota(*sharding.iota, true, out);
      } else {
        out->push_back('[');
        AppendIntegers(sharding.tile_dimensions, ",", out);
        out->push_back(']');
        AppendIntegers(sharding.devices, ",", out);
      }
      break;
  }
  if (sharding.last_tile_dim_replicate) out->append(" last_tile_dim_replicate");
  if (!sharding.last_tile_dims.empty()) {
    out->append(" last_tile_dims={");
    for (size_t i = 0; i < sharding.last_tile_dims.size(); ++i) {
      if (i > 0) out->append(", ");
      const absl::string_view name = SubgroupName(sharding.last_tile_dims[i]);
      out->append(name.data(), name.size());
    }
    out->push_back('}');
  }
  if (sharding.shard_as) {
    out->append(" shard_as ");
    AppendInteger(*sharding.shard_as, out);
  }
  if (sharding.shard_like) {
    out->append(" shard_like ");
    AppendInteger(*sharding.shard_like, out);
  }
  if (!with_metadata) return;
  std::vector<std::string> entries = MetadataEntries(module, sharding);
  if (sharding.kind == Sharding::Kind::kUnreduced && !(as_written && sharding.reduction.empty())) {
    const absl::string_view reduction = sharding.reduction.empty() ? "sum" : absl::string_view(sharding.reduction);
    entries.push_back(
        absl::StrCat("op_type=\"", kReductionOpType, "\" op_name=\"", absl::AsciiStrToUpper(reduction), "\""));
  }
  if (entries.empty()) return;
  out->append(" metadata=");
  AppendMetadataEntries(entries, /*always_list=*/false, out);
}

void AppendNamedSharding(const Module& module, const Sharding& sharding, bool with_metadata, bool as_written,
                         std::string* out) {
  // The reference drops the mesh of these. With metadata, or a reduction other than the default, it could not read the
  // result (7.11): then the mesh stays.
  const bool plain = !as_written && !(with_metadata && !sharding.metadata.empty());
  if (plain && sharding.named_form == Sharding::NamedForm::kReplicated) {
    out->append("replicated");
    return;
  }
  if (plain && sharding.named_form == Sharding::NamedForm::kUnreduced && sharding.unreduced_axes.empty() &&
      (sharding.reduction.empty() || sharding.reduction == "sum")) {
    out->append("unreduced");
    return;
  }
  AppendMesh(sharding.mesh, out);
  // `sum` is the default and never printed.
  const absl::string_view reduction = sharding.reduction == "sum" ? "" : absl::string_view(sharding.reduction);
  switch (sharding.named_form) {
    case Sharding::NamedForm::kMaximalMesh:
      break;
    case Sharding::NamedForm::kReplicated:
      out->append(", replicated");
      break;
    case Sharding::NamedForm::kManual:
      out->append(", manual");
      break;
    case Sharding::NamedForm::kUnreduced:
      out->append(", unreduced");
      if (!reduction.empty()) out->append("=").append(reduction.data(), reduction.size());
      if (!sharding.unreduced_axes.empty()) AppendAxes(sharding.unreduced_axes, ", ", out);
      break;
    case Sharding::NamedForm::kDimensions:
      out->append(", [");
      for (size_t i = 0; i < sharding.dimension_axes.size(); ++i) {
        const Sharding::DimensionAxes& dimension = sharding.dimension_axes[i];
        out->append(i > 0 ? ", {" : "{");
        for (size_t k = 0; k < dimension.axes.size(); ++k) {
          if (k > 0) out->append(", ");
          AppendAxis(dimension.axes[k], out);
        }
        if (dimension.open) out->append(dimension.axes.empty() ? "?" : ", ?");
        out->push_back('}');
      }
      out->push_back(']');
      break;
  }
  if (!sharding.replicated_axes.empty()) {
    out->append(", replicated=");
    AppendAxes(sharding.replicated_axes, ", ", out);
  }
  if (sharding.named_form != Sharding::NamedForm::kUnreduced && !sharding.unreduced_axes.empty()) {
    out->append(", unreduced=").append(reduction.data(), reduction.size());
    AppendAxes(sharding.unreduced_axes, ", ", out);
  }
  if (!sharding.manual_axes.empty()) {
    out->append(", manual=");
    AppendAxes(sharding.manual_axes, ", ", out);
  }
  if (with_metadata && !sharding.metadata.empty()) {
    out->append(", metadata=");
    AppendMetadataEntries(MetadataEntries(module, sharding), /*always_list=*/true, out);
  }
}

}  // namespace

void AppendSharding(const Module& module, const Sharding& sharding, bool with_metadata, std::string* out,
                    bool as_written) {
  out->push_back('{');
  if (sharding.kind == Sharding::Kind::kTuple) {
    for (size_t i = 0; i < sharding.leaves.size(); ++i) {
      if (i > 0) out->append(", ");
      if (i > 0 && i % 5 == 0) {
        out->append("/*index=");
        AppendInteger(static_cast<int64_t>(i), out);
        out->append("*/");
      }
      AppendSharding(module, sharding.leaves[i], with_metadata, out, as_written);
    }
  } else if (sharding.kind == Sharding::Kind::kNamed) {
    AppendNamedSharding(module, sharding, with_metadata, as_written, out);
  } else {
    AppendDeviceSharding(module, sharding, with_metadata, as_written, out);
  }
  out->push_back('}');
}

void AppendReplicaGroups(const ReplicaGroups& groups, std::string* out) {
  switch (groups.form) {
    case ReplicaGroups::Form::kExplicit:
      out->push_back('{');
      for (size_t i = 0; i < groups.groups.size(); ++i) {
        out->append(i > 0 ? ",{" : "{");
        AppendIntegers(groups.groups[i], ",", out);
        out->push_back('}');
      }
      out->push_back('}');
      return;
    case ReplicaGroups::Form::kIota:
      AppendIota(groups.iota, true, out);
      return;
    case ReplicaGroups::Form::kMesh:
      AppendMesh(groups.mesh, out);
      out->push_back(' ');
      AppendAxes(groups.axes, ",", out);
      return;
  }
}

bool IsPrintable(const Metadata& metadata) {
  return metadata.op_type.has_value() || metadata.op_name.has_value() || metadata.source_file.has_value() ||
         metadata.scheduling_name.has_value() || metadata.stack_frame_id != 0 || metadata.metadata_payload.has_value();
}

void AppendMetadataFields(const Module& module, const Metadata& metadata, std::string* out) {
  const size_t start = out->size();
  const auto name = [&](absl::string_view field) {
    if (out->size() > start) out->push_back(' ');
    out->append(field.data(), field.size());
    out->push_back('=');
  };
  const auto text = [&](absl::string_view field, StringId id, bool escape_all = true) {
    const absl::string_view value = module.string(id);
    if (value.empty()) return;
    name(field);
    escape_all ? AppendQuoted(value, out) : AppendQuotedName(value, out);
  };
  const auto number = [&](absl::string_view field, int32_t value) {
    if (value == 0) return;
    name(field);
    AppendInteger(value, out);
  };
  text("op_type", metadata.op_type);
  text("op_name", metadata.op_name);
  text("source_file", metadata.source_file);
  number("source_line", metadata.source_line);
  number("source_end_line", metadata.source_end_line);
  number("source_column", metadata.source_column);
  number("source_end_column", metadata.source_end_column);
  if (!metadata.profile_type.empty()) {
    name("profile_type");
    out->push_back('{');
    AppendIntegers(metadata.profile_type, ",", out);
    out->push_back('}');
  }
  text("deduplicated_name", metadata.deduplicated_name);
  text("scheduling_name", metadata.scheduling_name, false);
  number("stack_frame_id", metadata.stack_frame_id);
  text("metadata_payload", metadata.metadata_payload);
}

}  // namespace hloscope
