// SPDX-License-Identifier: Apache-2.0
// Shardings against the shapes and the number of devices (docs/ops/control.md 5.7, 6.12).
#include <algorithm>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "core/diagnostics/count_text.h"
#include "core/ir/checked_math.h"
#include "core/ops/control_flow.h"
#include "core/ops/element_type_rules.h"
#include "core/ops/replica_groups.h"
#include "core/ops/shape_matching.h"
#include "core/print/printer.h"
#include "core/verify/instruction_traits.h"
#include "core/verify/verification.h"

namespace hloscope {
namespace {

int64_t TileCount(const Sharding& sharding) {
  int64_t count = 1;
  for (int64_t size : sharding.tile_dimensions) count = SaturatingProduct(count, std::max<int64_t>(size, 0));
  return count;
}

int64_t SubgroupDimensions(const Sharding& sharding) {
  return sharding.last_tile_dim_replicate ? 1 : static_cast<int64_t>(sharding.last_tile_dims.size());
}

int64_t AxisSize(const Mesh& mesh, const MeshAxisRef& ref) {
  if (ref.sub_axis) return ref.sub_axis->second;
  const bool known = ref.axis >= 0 && static_cast<size_t>(ref.axis) < mesh.axes.size();
  return known ? mesh.axes[static_cast<size_t>(ref.axis)].second : 1;
}

// Into how many parts a dimension of a named sharding is split.
int64_t PartCount(const Sharding& sharding, const Sharding::DimensionAxes& dimension) {
  int64_t count = 1;
  for (const MeshAxisRef& ref : dimension.axes) count = SaturatingProduct(count, AxisSize(sharding.mesh, ref));
  return count;
}

// All axes of the mesh, whole and in its order.
bool CoversMesh(const std::vector<MeshAxisRef>& axes, const Mesh& mesh) {
  if (axes.size() != mesh.axes.size()) return false;
  for (size_t i = 0; i < axes.size(); ++i) {
    if (axes[i].axis != static_cast<int64_t>(i) || AxisSize(mesh, axes[i]) != mesh.axes[i].second) return false;
  }
  return true;
}

// A named sharding that splits nothing, or is wholly manual or unreduced, says nothing about the rank.
bool IsValidForEveryShape(const Sharding& sharding) {
  if (sharding.named_form == Sharding::NamedForm::kUnreduced) {
    return sharding.unreduced_axes.empty() || CoversMesh(sharding.unreduced_axes, sharding.mesh);
  }
  if (sharding.named_form != Sharding::NamedForm::kDimensions) {
    return sharding.named_form != Sharding::NamedForm::kMaximalMesh;
  }
  if (!sharding.manual_axes.empty() && CoversMesh(sharding.manual_axes, sharding.mesh)) return true;
  if (!sharding.unreduced_axes.empty() && CoversMesh(sharding.unreduced_axes, sharding.mesh)) return true;
  return sharding.manual_axes.empty() && sharding.unreduced_axes.empty() &&
         std::all_of(sharding.dimension_axes.begin(), sharding.dimension_axes.end(),
                     [&](const Sharding::DimensionAxes& d) { return PartCount(sharding, d) == 1; });
}

// What shardings are judged by.
struct Surroundings {
  int64_t device_count = 1;  // of a replica; 1: unknown
  // False for a partitioned module: its shapes are those of one device, while the shardings that are left describe the
  // whole arrays (5.1).
  bool global_shapes = true;
};

Surroundings SurroundingsOf(const Verification& v) {
  Surroundings result;
  if (v.options.check_sharding_devices) result.device_count = DeviceCountsOf(v.module, v.options).partitions;
  for (const Instruction& instruction : v.module.instructions()) {
    if (!DividesWork(instruction.opcode)) continue;
    result.global_shapes = false;
    break;
  }
  return result;
}

// Checks one sharding against one leaf of a shape.
class LeafCheck {
 public:
  LeafCheck(Verification& v, InstructionId id, Anchor anchor, const Surroundings& around)
      : v_(v), id_(id), anchor_(anchor), device_count_(around.device_count), global_shapes_(around.global_shapes) {}

  void Check(const Sharding& sharding, const Shape& leaf) {
    if (leaf.IsToken()) return;
    switch (sharding.kind) {
      case Sharding::Kind::kMaximal:
        CheckDevice(sharding.device);
        break;
      case Sharding::Kind::kTiled:
        CheckTiled(sharding, leaf);
        break;
      case Sharding::Kind::kNamed:
        CheckNamed(sharding, leaf);
        break;
      case Sharding::Kind::kReplicated:
      case Sharding::Kind::kManual:
      case Sharding::Kind::kUnknown:
      case Sharding::Kind::kUnreduced:
      case Sharding::Kind::kTuple:
        break;
    }
  }

 private:
  bool CheckDevice(int64_t device) {  // V183, V184
    if (device < 0) {
      v_.Report(DiagnosticKind::kShardingDevice, id_, anchor_, absl::StrCat("device ", device, " is negative"));
    } else if (device_count_ > 1 && device >= device_count_) {
      v_.Report(DiagnosticKind::kShardingDevice, id_, anchor_,
                absl::StrCat("device ", device, " does not exist: the module has ", device_count_, " partitions, 0 to ",
                             device_count_ - 1));
    } else {
      return true;
    }
    return false;
  }

  void CheckTiled(const Sharding& sharding, const Shape& leaf) {
    const int64_t data_dimensions =
        static_cast<int64_t>(sharding.tile_dimensions.size()) - SubgroupDimensions(sharding);
    if (data_dimensions != leaf.rank()) {  // V182
      v_.Report(
          DiagnosticKind::kShardingRank, id_, anchor_,
          CountOf(static_cast<size_t>(std::max<int64_t>(data_dimensions, 0)), "tile dimension", "tile dimensions"),
          ShapeText(leaf), leaf.rank());
      return;
    }
    const int64_t tiles = TileCount(sharding);
    if (tiles <= 1) {
      v_.Report(DiagnosticKind::kShardingDevice, id_, anchor_,
                "a tiled sharding needs more than one device; write {replicated}");
      return;
    }
    // An iota names every device once by construction.
    if (!sharding.iota && !CheckDistinct(sharding.devices)) return;
    if (device_count_ > 1 && tiles != device_count_) {  // V185
      if (sharding.iota && tiles > device_count_ && !CheckDevice(tiles - 1)) return;
      v_.Report(DiagnosticKind::kShardingDevice, id_, anchor_,
                absl::StrCat("the sharding uses ", CountOf(tiles, "device"), ", but the module has ", device_count_,
                             " partitions"));
      return;
    }
    for (int64_t d = 0; d < leaf.rank(); ++d) {
      CheckTiles(leaf, d, sharding.tile_dimensions[static_cast<size_t>(d)]);
    }
  }

  bool CheckDistinct(const std::vector<int64_t>& devices) {
    absl::flat_hash_set<int64_t> seen;
    seen.reserve(devices.size());
    for (int64_t device : devices) {
      if (!CheckDevice(device)) return false;
      if (seen.insert(device).second) continue;
      v_.Report(DiagnosticKind::kShardingDevice, id_, anchor_,
                absl::StrCat("the sharding lists device ", device, " twice"));
      return false;
    }
    return true;
  }

  void CheckNamed(const Sharding& sharding, const Shape& leaf) {
    if (sharding.named_form == Sharding::NamedForm::kMaximalMesh) {
      if (sharding.mesh.maximal_device) CheckDevice(*sharding.mesh.maximal_device);
      return;
    }
    if (IsValidForEveryShape(sharding)) return;
    // A partly unreduced sharding that lists no dimensions is one of rank 0.
    if (static_cast<int64_t>(sharding.dimension_axes.size()) != leaf.rank()) {
      v_.Report(DiagnosticKind::kShardingRank, id_, anchor_,
                CountOf(sharding.dimension_axes.size(), "dimension", "dimensions"), ShapeText(leaf), leaf.rank());
      return;
    }
    for (int64_t d = 0; d < leaf.rank(); ++d) {
      CheckTiles(leaf, d, PartCount(sharding, sharding.dimension_axes[static_cast<size_t>(d)]));
    }
    int64_t devices = 1;
    for (const auto& [name, size] : sharding.mesh.axes) devices = SaturatingProduct(devices, size);
    if (device_count_ > 1 && devices != device_count_) {
      v_.Report(DiagnosticKind::kShardingDevice, id_, anchor_,
                absl::StrCat("the mesh has ", CountOf(devices, "device"), ", but the module has ", device_count_,
                             " partitions"));
    }
  }

  void CheckTiles(const Shape& leaf, int64_t d, int64_t tiles) {  // V188
    if (!global_shapes_ || leaf.IsUnboundedDimension(d) || leaf.dimension(d) >= tiles || leaf.dimension(d) == 0) return;
    v_.Report(DiagnosticKind::kShardingEmptyTiles, id_, anchor_, d, leaf.dimension(d), tiles);
  }

  Verification& v_;
  InstructionId id_;
  Anchor anchor_;
  int64_t device_count_;
  bool global_shapes_;
};

// V180, V181. A single sharding on a tuple stands for every leaf.
void CheckSharding(Verification& v, InstructionId id, Anchor anchor, const Sharding& sharding, const Shape& shape,
                   const Surroundings& around) {
  if (shape.IsToken()) return;  // it may carry the sharding of the data that it orders
  LeafCheck check(v, id, anchor, around);
  std::vector<const Shape*> leaves;
  std::vector<const Shape*> stack = {&shape};
  while (!stack.empty()) {
    const Shape* part = stack.back();
    stack.pop_back();
    if (!part->IsTuple()) {
      leaves.push_back(part);
      continue;
    }
    for (int64_t i = part->tuple_size(); i-- > 0;) stack.push_back(&part->element(i));
  }
  if (sharding.kind != Sharding::Kind::kTuple) {
    if (!shape.IsTuple()) {
      check.Check(sharding, shape);
      return;
    }
    // Of the leaves, the first that it does not fit is enough.
    const int errors = v.sink().error_count();
    for (const Shape* leaf : leaves) {
      if (v.sink().error_count() == errors) check.Check(sharding, *leaf);
    }
    return;
  }
  if (!shape.IsTuple()) {
    v.Report(DiagnosticKind::kShardingLeaves, id, anchor,
             absl::StrCat("a tuple sharding cannot apply to ", ShapeText(shape)));
    return;
  }
  const bool both_empty = leaves.empty() && sharding.leaves.size() <= 1;
  if (leaves.size() != sharding.leaves.size() && !both_empty) {
    v.Report(DiagnosticKind::kShardingLeaves, id, anchor,
             absl::StrCat("the sharding has ", CountOf(sharding.leaves.size(), "entry", "entries"),
                          ", but the shape has ", CountOf(leaves.size(), "leaf", "leaves")));
    return;
  }
  for (size_t i = 0; i < leaves.size(); ++i) check.Check(sharding.leaves[i], *leaves[i]);
}

// The same distribution of one array, whatever metadata and spelling.
bool SameLeafSharding(const Sharding& a, const Sharding& b) {
  if (a.kind != b.kind || a.shard_as != b.shard_as || a.shard_like != b.shard_like) return false;
  if (a.kind == Sharding::Kind::kTiled) {
    if (a.tile_dimensions != b.tile_dimensions || a.last_tile_dim_replicate != b.last_tile_dim_replicate ||
        a.last_tile_dims != b.last_tile_dims) {
      return false;
    }
    if (a.iota && b.iota && *a.iota == *b.iota) return true;
    return a.TileDevices() == b.TileDevices();
  }
  Sharding x = a, y = b;
  x.metadata.clear();
  y.metadata.clear();
  x.metadata_is_list = y.metadata_is_list = false;
  return x == y;
}

bool SameSharding(const Sharding& a, const Sharding& b) {
  const bool a_tuple = a.kind == Sharding::Kind::kTuple, b_tuple = b.kind == Sharding::Kind::kTuple;
  if (!a_tuple && !b_tuple) return SameLeafSharding(a, b);
  const size_t count = a_tuple ? a.leaves.size() : b.leaves.size();
  if (a_tuple && b_tuple && a.leaves.size() != b.leaves.size()) return false;
  for (size_t i = 0; i < count; ++i) {
    if (!SameLeafSharding(a_tuple ? a.leaves[i] : a, b_tuple ? b.leaves[i] : b)) return false;
  }
  return true;
}

// V186: those of the instructions that have a sharding must have the same.
void CheckAgreement(Verification& v, InstructionId caller, const std::vector<InstructionId>& others) {
  const auto text = [&](InstructionId id) {
    return PrintAttributeValue(v.module, id, AttributeKind::kSharding, PrintOptions::Short());
  };
  InstructionId first = v.module.ShardingAttribute(caller) != nullptr ? caller : InstructionId::None();
  for (InstructionId other : others) {
    if (!other.has_value() || v.module.ShardingAttribute(other) == nullptr) continue;
    if (!first.has_value()) {
      first = other;
      continue;
    }
    if (SameSharding(*v.module.ShardingAttribute(first), *v.module.ShardingAttribute(other))) continue;
    v.Report(DiagnosticKind::kShardingDisagreement, caller, Anchor::Attribute(AttributeKind::kSharding),
             OpcodeName(v.module.opcode(caller)), v.QualifiedName(first), text(first), v.QualifiedName(other),
             text(other))
        .Related(v.RangeOf(first, Anchor::Attribute(AttributeKind::kSharding)), "one sharding")
        .Related(v.RangeOf(other, Anchor::Attribute(AttributeKind::kSharding)), "the other sharding");
    return;
  }
}

InstructionId FirstParameter(const Module& module, ComputationId computation) {
  const auto& parameters = module.computation(computation).parameters;
  return parameters.empty() ? InstructionId::None() : parameters[0];
}

}  // namespace

void VerifyShardings(Verification& v) {
  const Module& module = v.module;
  if (!module.MayHave(AttributeKind::kSharding)) return;
  std::optional<Surroundings> around;  // known once it is needed
  v.ForEachInstruction([&](InstructionId id) {
    if (module.instruction(id).attribute_count == 0 || !v.IsReadable(id) || !module.shape(id).IsValid()) return;
    if (const Sharding* sharding = module.ShardingAttribute(id)) {
      if (!around) around = SurroundingsOf(v);
      CheckSharding(v, id, Anchor::Attribute(AttributeKind::kSharding), *sharding, module.shape(id), *around);
    }
  });
}

void VerifyShardingAgreement(Verification& v) {
  const Module& module = v.module;
  if (!module.MayHave(AttributeKind::kSharding)) return;
  if (!module.MayHave(Opcode::kWhile) && !module.MayHave(Opcode::kConditional)) return;
  for (uint32_t i = 0; i < module.instruction_count(); ++i) {
    const InstructionId id(i);
    if (module.opcode(id) == Opcode::kWhile && v.IsReadable(id)) {
      const ComputationId body = module.ComputationAttribute(id, AttributeKind::kBody);
      const ComputationId condition = module.ComputationAttribute(id, AttributeKind::kCondition);
      if (!body.has_value() || !condition.has_value()) continue;
      CheckAgreement(v, id,
                     {module.computation(body).root, FirstParameter(module, body), FirstParameter(module, condition)});
    } else if (module.opcode(id) == Opcode::kConditional && v.IsReadable(id)) {
      std::vector<InstructionId> roots;
      for (ComputationId branch : BranchesOf(module, id)) {
        if (branch.has_value()) roots.push_back(module.computation(branch).root);
      }
      CheckAgreement(v, id, roots);
    }
  }
}

}  // namespace hloscope
