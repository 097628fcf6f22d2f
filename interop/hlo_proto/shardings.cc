// SPDX-License-Identifier: Apache-2.0
#include "interop/hlo_proto/shardings.h"

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "core/ir/sharding_reduction.h"
#include "core/semantics/sharding_normalization.h"
#include "interop/hlo_proto/int_list.h"
#include "interop/hlo_proto/metadata.h"

namespace hloscope::interop {
namespace {

using google::protobuf::RepeatedField;
using google::protobuf::RepeatedPtrField;

// More devices than any machine has: guards against huge products.
constexpr int64_t kMaxDevices = int64_t{1} << 26;

// -1 for a size that is not positive, or too many devices.
int64_t DeviceCount(const std::vector<int64_t>& sizes, int64_t most = kMaxDevices) {
  int64_t product = 1;
  for (int64_t size : sizes) {
    if (size <= 0 || __builtin_mul_overflow(product, size, &product) || product > most) return -1;
  }
  return product;
}

template <typename Permutation>
absl::StatusOr<IotaTile> IotaFromProto(std::vector<int64_t> dims, const RepeatedField<int64_t>& reshape_dims,
                                       const RepeatedField<Permutation>& transpose) {
  IotaTile tile;
  tile.dims = std::move(dims);
  tile.reshape_dims = Ints(reshape_dims);
  tile.transpose = Ints(transpose);
  const size_t rank = tile.reshape_dims.size();
  bool good = rank > 0 && tile.transpose.size() == rank && DeviceCount(tile.reshape_dims) > 0 &&
              (tile.dims.empty() || DeviceCount(tile.dims) == DeviceCount(tile.reshape_dims));
  // Compilers accept a position that is named twice, as the reader of texts does.
  for (int64_t d : tile.transpose) good = good && d >= 0 && static_cast<size_t>(d) < rank;
  if (!good) {
    return absl::InvalidArgumentError("sizes, reshape_dims and transpose_perm of the iota do not fit each other");
  }
  SimplifyIota(&tile);
  return tile;
}

template <typename Permutation>
void IotaToProto(const IotaTile& from, RepeatedField<int64_t>* reshape_dims, RepeatedField<Permutation>* transpose) {
  reshape_dims->Add(from.reshape_dims.begin(), from.reshape_dims.end());
  if (from.transpose.empty()) {
    for (size_t i = 0; i < from.reshape_dims.size(); ++i) transpose->Add(static_cast<Permutation>(i));
  }
  for (int64_t d : from.transpose) transpose->Add(static_cast<Permutation>(d));
}

// --- Meshes ---

// `most`: devices that it may have.
absl::StatusOr<Mesh> MeshFromProto(const proto::MeshProto& from, int64_t most) {
  Mesh mesh;
  std::vector<int64_t> sizes;
  for (const proto::MeshProto::MeshAxis& axis : from.axes()) {
    mesh.axes.emplace_back(axis.name(), axis.size());
    sizes.push_back(axis.size());
  }
  const int64_t count = DeviceCount(sizes, most);
  if (count < 0) return absl::InvalidArgumentError("an axis of the mesh has no size, or it has too many devices");
  if (mesh.axes.empty() && from.device_ids_size() == 1) {
    mesh.maximal_device = from.device_ids(0);
    return mesh;
  }
  if (from.has_iota_transform()) {
    if (from.device_ids_size() > 0) return absl::InvalidArgumentError("the mesh has device_ids and iota_transform");
    absl::StatusOr<IotaTile> iota =
        IotaFromProto({}, from.iota_transform().reshape_dims(), from.iota_transform().transpose_perm());
    if (!iota.ok()) return iota.status();
    if (DeviceCount(iota->reshape_dims) != count) {
      return absl::InvalidArgumentError("iota_transform numbers other devices than the mesh has");
    }
    if (!iota->transpose.empty()) mesh.iota = *std::move(iota);
    return mesh;
  }
  mesh.device_ids = Ints(from.device_ids());
  if (!mesh.device_ids.empty() && static_cast<int64_t>(mesh.device_ids.size()) != count) {
    return absl::InvalidArgumentError(
        absl::StrCat("the mesh has ", count, " devices, but ", mesh.device_ids.size(), " device_ids"));
  }
  return mesh;
}

void MeshToProto(const Mesh& from, proto::MeshProto* to) {
  for (const auto& [name, size] : from.axes) {
    proto::MeshProto::MeshAxis* axis = to->add_axes();
    axis->set_name(name);
    axis->set_size(size);
  }
  if (from.maximal_device) to->add_device_ids(*from.maximal_device);
  to->mutable_device_ids()->Add(from.device_ids.begin(), from.device_ids.end());
  if (from.iota) {
    proto::MeshProto::IotaTransform* iota = to->mutable_iota_transform();
    IotaToProto(*from.iota, iota->mutable_reshape_dims(), iota->mutable_transpose_perm());
  }
}

absl::StatusOr<std::vector<MeshAxisRef>> AxesFromProto(const RepeatedPtrField<proto::AxisRefProto>& from,
                                                       const Mesh& mesh) {
  std::vector<MeshAxisRef> axes;
  for (const proto::AxisRefProto& axis : from) {
    const int64_t index = axis.mesh_axis_index();
    if (index < 0 || index >= static_cast<int64_t>(mesh.axes.size())) {
      return absl::InvalidArgumentError(absl::StrCat("axis ", index, " of a mesh with ", mesh.axes.size(), " axes"));
    }
    MeshAxisRef& ref = axes.emplace_back();
    ref.name = mesh.axes[static_cast<size_t>(index)].first;
    ref.axis = index;
    if (axis.has_sub_axis_info()) {
      const int64_t pre = axis.sub_axis_info().pre_size(), size = axis.sub_axis_info().size();
      const int64_t whole = mesh.axes[static_cast<size_t>(index)].second;
      if (pre < 1 || size < 1 || pre > whole || size > whole || whole % (pre * size) != 0) {
        return absl::InvalidArgumentError(absl::StrCat("an axis of size ", whole, " has no part (", pre, ")", size));
      }
      ref.sub_axis = {pre, size};
    }
  }
  return axes;
}

void AxesToProto(const std::vector<MeshAxisRef>& from, RepeatedPtrField<proto::AxisRefProto>* to) {
  for (const MeshAxisRef& axis : from) {
    proto::AxisRefProto* ref = to->Add();
    ref->set_mesh_axis_index(axis.axis);
    if (!axis.sub_axis) continue;
    ref->mutable_sub_axis_info()->set_pre_size(axis.sub_axis->first);
    ref->mutable_sub_axis_info()->set_size(axis.sub_axis->second);
  }
}

// --- Shardings ---

absl::Status MetadataListFromProto(const RepeatedPtrField<proto::OpMetadata>& from, const proto::HloModuleProto& owner,
                                   Module& module, Sharding* to) {
  for (const proto::OpMetadata& entry : from) {
    if (to->kind == Sharding::Kind::kUnreduced && entry.op_type() == kReductionOpType) {
      const std::string name = absl::AsciiStrToLower(entry.op_name());
      if (name == "sum" || name == "max" || name == "min") to->reduction = name;
      continue;
    }
    absl::StatusOr<Metadata> metadata = MetadataFromBytes(entry.SerializeAsString(), owner, module);
    if (!metadata.ok()) return metadata.status();
    to->metadata.push_back(module.InternMetadata(*metadata));
  }
  return absl::OkStatus();
}

std::vector<MeshAxisRef> AllAxes(const Mesh& mesh) {
  std::vector<MeshAxisRef> axes;
  for (size_t i = 0; i < mesh.axes.size(); ++i) axes.push_back({mesh.axes[i].first, static_cast<int64_t>(i), {}});
  return axes;
}

Sharding::NamedForm FormOf(const Sharding& sharding) {
  if (sharding.mesh.maximal_device) return Sharding::NamedForm::kMaximalMesh;
  if (!sharding.dimension_axes.empty() || !sharding.replicated_axes.empty()) return Sharding::NamedForm::kDimensions;
  if (sharding.manual_axes.empty() && sharding.unreduced_axes.empty()) return Sharding::NamedForm::kReplicated;
  if (sharding.unreduced_axes.empty() && sharding.manual_axes == AllAxes(sharding.mesh)) {
    return Sharding::NamedForm::kManual;
  }
  return sharding.manual_axes.empty() ? Sharding::NamedForm::kUnreduced : Sharding::NamedForm::kDimensions;
}

absl::Status NamedFromProto(const proto::NamedShardingProto& from, Sharding* to) {
  to->kind = Sharding::Kind::kNamed;
  absl::StatusOr<Mesh> mesh = MeshFromProto(from.mesh(), std::numeric_limits<int64_t>::max());
  if (!mesh.ok()) return mesh.status();
  to->mesh = *std::move(mesh);
  for (const proto::NamedShardingProto::DimensionSharding& dimension : from.dim_shardings()) {
    absl::StatusOr<std::vector<MeshAxisRef>> axes = AxesFromProto(dimension.axes(), to->mesh);
    if (!axes.ok()) return axes.status();
    to->dimension_axes.push_back({*std::move(axes), !dimension.is_closed()});
  }
  const auto read = [&](const auto& list, std::vector<MeshAxisRef>* target) {
    absl::StatusOr<std::vector<MeshAxisRef>> axes = AxesFromProto(list, to->mesh);
    if (axes.ok()) *target = *std::move(axes);
    return axes.status();
  };
  if (const absl::Status s = read(from.replicated_axes(), &to->replicated_axes); !s.ok()) return s;
  if (const absl::Status s = read(from.unreduced_axes(), &to->unreduced_axes); !s.ok()) return s;
  if (const absl::Status s = read(from.manual_axes(), &to->manual_axes); !s.ok()) return s;
  if (from.reduction_op() == proto::NamedShardingProto::MAX) to->reduction = "max";
  if (from.reduction_op() == proto::NamedShardingProto::MIN) to->reduction = "min";
  to->named_form = FormOf(*to);
  if (to->named_form == Sharding::NamedForm::kManual) to->manual_axes.clear();
  if (to->named_form == Sharding::NamedForm::kUnreduced && to->unreduced_axes == AllAxes(to->mesh)) {
    to->unreduced_axes.clear();
  }
  return absl::OkStatus();
}

void NamedToProto(const Sharding& from, proto::NamedShardingProto* to) {
  MeshToProto(from.mesh, to->mutable_mesh());
  for (const Sharding::DimensionAxes& dimension : from.dimension_axes) {
    proto::NamedShardingProto::DimensionSharding* entry = to->add_dim_shardings();
    AxesToProto(dimension.axes, entry->mutable_axes());
    entry->set_is_closed(!dimension.open);
  }
  const bool all_manual = from.named_form == Sharding::NamedForm::kManual;
  const bool all_unreduced = from.named_form == Sharding::NamedForm::kUnreduced && from.unreduced_axes.empty();
  AxesToProto(from.replicated_axes, to->mutable_replicated_axes());
  AxesToProto(all_unreduced ? AllAxes(from.mesh) : from.unreduced_axes, to->mutable_unreduced_axes());
  AxesToProto(all_manual ? AllAxes(from.mesh) : from.manual_axes, to->mutable_manual_axes());
  if (from.reduction == "max") to->set_reduction_op(proto::NamedShardingProto::MAX);
  if (from.reduction == "min") to->set_reduction_op(proto::NamedShardingProto::MIN);
}

absl::Status TilesFromProto(const proto::OpSharding& from, Sharding* to) {
  to->tile_dimensions = Ints(from.tile_assignment_dimensions());
  const int64_t tiles = to->tile_dimensions.empty() ? -1 : DeviceCount(to->tile_dimensions);
  if (tiles < 0) return absl::InvalidArgumentError("tile_assignment_dimensions are no sizes of tiles");
  if (from.iota_reshape_dims_size() > 0) {
    if (from.tile_assignment_devices_size() > 0) {
      return absl::InvalidArgumentError("the sharding has tile_assignment_devices and iota_reshape_dims");
    }
    absl::StatusOr<IotaTile> iota =
        IotaFromProto(to->tile_dimensions, from.iota_reshape_dims(), from.iota_transpose_perm());
    if (!iota.ok()) return iota.status();
    to->iota = *std::move(iota);
  } else {
    to->devices = Ints(from.tile_assignment_devices());
    if (static_cast<int64_t>(to->devices.size()) != tiles) {
      return absl::InvalidArgumentError(
          absl::StrCat(tiles, " tiles, but ", to->devices.size(), " tile_assignment_devices"));
    }
  }
  to->last_tile_dim_replicate = from.replicate_on_last_tile_dim();
  for (int type : from.last_tile_dims()) {
    switch (type) {
      case proto::OpSharding::REPLICATED:
        to->last_tile_dims.push_back(Sharding::Subgroup::kReplicated);
        break;
      case proto::OpSharding::MANUAL:
        to->last_tile_dims.push_back(Sharding::Subgroup::kManual);
        break;
      case proto::OpSharding::UNREDUCED:
        to->last_tile_dims.push_back(Sharding::Subgroup::kUnreduced);
        break;
      case proto::OpSharding::MAXIMAL:
        to->last_tile_dims.push_back(Sharding::Subgroup::kMaximal);
        break;
      default:
        return absl::InvalidArgumentError(absl::StrCat("last_tile_dims: ", type, " is no type of a subgroup"));
    }
  }
  if (to->last_tile_dims.size() > to->tile_dimensions.size() ||
      (to->last_tile_dim_replicate && !to->last_tile_dims.empty())) {
    return absl::InvalidArgumentError("the subgroups do not fit the tiles");
  }
  if (tiles == 1) {
    *to = Sharding();  // one device holds everything
    return absl::OkStatus();
  }
  NormalizeSharding(to);
  return absl::OkStatus();
}

proto::OpSharding::Type TypeOf(Sharding::Subgroup subgroup) {
  switch (subgroup) {
    case Sharding::Subgroup::kMaximal:
      return proto::OpSharding::MAXIMAL;
    case Sharding::Subgroup::kReplicated:
      return proto::OpSharding::REPLICATED;
    case Sharding::Subgroup::kManual:
      return proto::OpSharding::MANUAL;
    case Sharding::Subgroup::kUnreduced:
      return proto::OpSharding::UNREDUCED;
  }
  return proto::OpSharding::REPLICATED;
}

proto::OpSharding::Type TypeOf(Sharding::Kind kind) {
  switch (kind) {
    case Sharding::Kind::kReplicated:
    case Sharding::Kind::kNamed:
      return proto::OpSharding::REPLICATED;
    case Sharding::Kind::kMaximal:
      return proto::OpSharding::MAXIMAL;
    case Sharding::Kind::kManual:
      return proto::OpSharding::MANUAL;
    case Sharding::Kind::kUnknown:
      return proto::OpSharding::UNKNOWN;
    case Sharding::Kind::kUnreduced:
      return proto::OpSharding::UNREDUCED;
    case Sharding::Kind::kTiled:
      return proto::OpSharding::OTHER;
    case Sharding::Kind::kTuple:
      return proto::OpSharding::TUPLE;
  }
  return proto::OpSharding::REPLICATED;
}

absl::Status KindFromProto(const proto::OpSharding& from, const proto::HloModuleProto& owner, Module& module,
                           Sharding* to) {
  switch (from.type()) {
    case proto::OpSharding::REPLICATED:
      return absl::OkStatus();
    case proto::OpSharding::MANUAL:
      to->kind = Sharding::Kind::kManual;
      return absl::OkStatus();
    case proto::OpSharding::UNKNOWN:
      to->kind = Sharding::Kind::kUnknown;
      return absl::OkStatus();
    case proto::OpSharding::UNREDUCED:
      to->kind = Sharding::Kind::kUnreduced;
      return absl::OkStatus();
    case proto::OpSharding::MAXIMAL:
      if (from.tile_assignment_devices_size() != 1) {
        return absl::InvalidArgumentError(
            absl::StrCat("a MAXIMAL sharding names one device, not ", from.tile_assignment_devices_size()));
      }
      to->kind = Sharding::Kind::kMaximal;
      to->device = from.tile_assignment_devices(0);
      return absl::OkStatus();
    case proto::OpSharding::OTHER:
      to->kind = Sharding::Kind::kTiled;
      return TilesFromProto(from, to);
    case proto::OpSharding::TUPLE:
      to->kind = Sharding::Kind::kTuple;
      for (const proto::OpSharding& leaf : from.tuple_shardings()) {
        absl::StatusOr<Sharding> sharding = ShardingFromProto(leaf, owner, module);
        if (!sharding.ok()) return sharding.status();
        if (sharding->kind == Sharding::Kind::kTuple) return absl::InvalidArgumentError("a TUPLE inside of a TUPLE");
        to->leaves.push_back(*std::move(sharding));
      }
      return absl::OkStatus();
    default:
      return absl::InvalidArgumentError(absl::StrCat("type ", static_cast<int>(from.type()), " is not known"));
  }
}

void KindToProto(const Module& module, const Sharding& from, proto::OpSharding* to) {
  to->set_type(TypeOf(from.kind));
  if (from.kind == Sharding::Kind::kMaximal) {
    to->add_tile_assignment_dimensions(1);
    to->add_tile_assignment_devices(from.device);
  }
  if (from.kind == Sharding::Kind::kTiled) {
    to->mutable_tile_assignment_dimensions()->Add(from.tile_dimensions.begin(), from.tile_dimensions.end());
    to->mutable_tile_assignment_devices()->Add(from.devices.begin(), from.devices.end());
    if (from.iota) IotaToProto(*from.iota, to->mutable_iota_reshape_dims(), to->mutable_iota_transpose_perm());
    to->set_replicate_on_last_tile_dim(from.last_tile_dim_replicate);
    for (Sharding::Subgroup subgroup : from.last_tile_dims) to->add_last_tile_dims(TypeOf(subgroup));
  }
  for (const Sharding& leaf : from.leaves) ShardingToProto(module, leaf, to->add_tuple_shardings());
}

}  // namespace

absl::StatusOr<Sharding> ShardingFromProto(const proto::OpSharding& from, const proto::HloModuleProto& owner,
                                           Module& module) {
  Sharding sharding;
  const absl::Status status = from.has_named_sharding() ? NamedFromProto(from.named_sharding(), &sharding)
                                                        : KindFromProto(from, owner, module, &sharding);
  if (!status.ok()) return status;
  const auto& metadata = from.has_named_sharding() ? from.named_sharding().metadata() : from.metadata();
  if (const absl::Status s = MetadataListFromProto(metadata, owner, module, &sharding); !s.ok()) return s;
  if (from.is_shard_group() && !from.has_named_sharding()) {
    (from.shard_group_type() == proto::OpSharding::AS ? sharding.shard_as : sharding.shard_like) =
        from.shard_group_id();
  }
  return sharding;
}

void ShardingToProto(const Module& module, const Sharding& from, proto::OpSharding* to) {
  RepeatedPtrField<proto::OpMetadata>* metadata = to->mutable_metadata();
  if (from.kind == Sharding::Kind::kNamed) {
    NamedToProto(from, to->mutable_named_sharding());
    metadata = to->mutable_named_sharding()->mutable_metadata();
  } else {
    KindToProto(module, from, to);
    if (!from.reduction.empty()) {
      proto::OpMetadata* reduction = metadata->Add();
      reduction->set_op_type(std::string(kReductionOpType));
      reduction->set_op_name(absl::AsciiStrToUpper(from.reduction));
    }
  }
  for (MetadataId id : from.metadata) MetadataToProto(module, module.metadata(id), metadata->Add());
  if (from.shard_as || from.shard_like) {
    to->set_is_shard_group(true);
    to->set_shard_group_id(from.shard_as ? *from.shard_as : *from.shard_like);
    to->set_shard_group_type(from.shard_as ? proto::OpSharding::AS : proto::OpSharding::LIKE);
  }
}

absl::StatusOr<std::optional<ReplicaGroups>> ReplicaGroupsFromProto(const proto::HloInstructionProto& from) {
  ReplicaGroups groups;
  if (from.has_iota_collective_device_list()) {
    const proto::IotaReplicaGroupListProto& list = from.iota_collective_device_list();
    groups.form = ReplicaGroups::Form::kIota;
    absl::StatusOr<IotaTile> iota = IotaFromProto({list.num_replica_groups(), list.num_devices_per_group()},
                                                  list.iota_reshape_dims(), list.iota_transpose_perm());
    if (!iota.ok()) return iota.status();
    groups.iota = *std::move(iota);
    return groups;
  }
  if (from.has_mesh_axes_replica_group_list()) {
    groups.form = ReplicaGroups::Form::kMesh;
    absl::StatusOr<Mesh> mesh = MeshFromProto(from.mesh_axes_replica_group_list().mesh(), kMaxDevices);
    if (!mesh.ok()) return mesh.status();
    groups.mesh = *std::move(mesh);
    absl::StatusOr<std::vector<MeshAxisRef>> axes =
        AxesFromProto(from.mesh_axes_replica_group_list().axes(), groups.mesh);
    if (!axes.ok()) return axes.status();
    groups.axes = *std::move(axes);
    return groups;
  }
  const auto& list =
      from.has_collective_device_list() ? from.collective_device_list().replica_groups() : from.replica_groups();
  if (list.empty() && !from.has_collective_device_list()) return std::nullopt;
  for (const proto::ReplicaGroup& group : list) groups.groups.push_back(Ints(group.replica_ids()));
  return groups;
}

void ReplicaGroupsToProto(const ReplicaGroups& from, proto::HloInstructionProto* to) {
  switch (from.form) {
    case ReplicaGroups::Form::kIota: {
      proto::IotaReplicaGroupListProto* list = to->mutable_iota_collective_device_list();
      list->set_num_replica_groups(from.iota.dims.size() == 2 ? from.iota.dims[0] : 0);
      list->set_num_devices_per_group(from.iota.dims.size() == 2 ? from.iota.dims[1] : 0);
      IotaToProto(from.iota, list->mutable_iota_reshape_dims(), list->mutable_iota_transpose_perm());
      return;
    }
    case ReplicaGroups::Form::kMesh:
      MeshToProto(from.mesh, to->mutable_mesh_axes_replica_group_list()->mutable_mesh());
      AxesToProto(from.axes, to->mutable_mesh_axes_replica_group_list()->mutable_axes());
      return;
    case ReplicaGroups::Form::kExplicit:
      to->mutable_collective_device_list();
      for (const std::vector<int64_t>& group : from.groups) {
        to->mutable_collective_device_list()->add_replica_groups()->mutable_replica_ids()->Add(group.begin(),
                                                                                               group.end());
      }
  }
}

}  // namespace hloscope::interop
