// SPDX-License-Identifier: Apache-2.0
// The structured values that attributes of instructions and modules carry (docs/text-format.md 6.7, 6.10-6.15, 2.4).
#ifndef HLOSCOPE_CORE_IR_ATTRIBUTE_VALUES_H_
#define HLOSCOPE_CORE_IR_ATTRIBUTE_VALUES_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/ir/ids.h"
#include "numerics/windows/window_dimension.h"

namespace hloscope {

using numerics::WindowDimension;

struct Window {
  std::vector<WindowDimension> dimensions;
  friend bool operator==(const Window&, const Window&) = default;
};

// dim_labels of a convolution: position of each role in the operand shapes.
struct ConvolutionDimensionNumbers {
  int64_t input_batch = 0, input_feature = 0;
  std::vector<int64_t> input_spatial;
  int64_t kernel_input_feature = 0, kernel_output_feature = 0;
  std::vector<int64_t> kernel_spatial;
  int64_t output_batch = 0, output_feature = 0;
  std::vector<int64_t> output_spatial;
  std::array<std::string, 3> labels;  // as written: lhs, rhs, out (they may hold `?`)
  friend bool operator==(const ConvolutionDimensionNumbers&, const ConvolutionDimensionNumbers&) = default;
};

struct PaddingDimension {
  int64_t low = 0, high = 0, interior = 0;
  friend bool operator==(const PaddingDimension&, const PaddingDimension&) = default;
};
using PaddingConfig = std::vector<PaddingDimension>;

struct SliceRange {
  int64_t start = 0, limit = 0, stride = 1;
  friend bool operator==(const SliceRange&, const SliceRange&) = default;
};

using ShapeIndex = std::vector<int64_t>;

// One entry of output_to_operand_aliasing or input_output_alias.
struct AliasEntry {
  ShapeIndex output_index;
  int64_t operand = 0;  // operand or parameter number
  ShapeIndex operand_index;
  bool must_alias = false;  // module level only
  friend bool operator==(const AliasEntry&, const AliasEntry&) = default;
};
struct DonorEntry {
  int64_t parameter = 0;
  ShapeIndex index;
  friend bool operator==(const DonorEntry&, const DonorEntry&) = default;
};

// [dims]<=[reshape_dims]T(transpose): 0,1,2,... reshaped, transposed, reshaped to dims (docs/text-format.md 6.11).
struct IotaTile {
  std::vector<int64_t> dims;
  std::vector<int64_t> reshape_dims;
  std::vector<int64_t> transpose;  // empty if reshape_dims has one entry
  std::vector<int64_t> Devices() const;
  friend bool operator==(const IotaTile&, const IotaTile&) = default;
};

struct MeshAxisRef {
  std::string name;                                     // as written
  int64_t axis = 0;                                     // index into Mesh::axes
  std::optional<std::pair<int64_t, int64_t>> sub_axis;  // pre-size, size
  friend bool operator==(const MeshAxisRef&, const MeshAxisRef&) = default;
};
struct Mesh {
  std::vector<std::pair<std::string, int64_t>> axes;
  std::vector<int64_t> device_ids;        // empty: row-major order
  std::optional<IotaTile> iota;           // device_ids written as iota
  std::optional<int64_t> maximal_device;  // maximal_mesh[device_id=N]
  friend bool operator==(const Mesh&, const Mesh&) = default;
};

struct ReplicaGroups {
  enum class Form : uint8_t { kExplicit, kIota, kMesh };
  Form form = Form::kExplicit;
  std::vector<std::vector<int64_t>> groups;  // kExplicit; empty: one group of all
  IotaTile iota;                             // kIota: dims = {groups, devices per group}
  Mesh mesh;                                 // kMesh
  std::vector<MeshAxisRef> axes;             // kMesh
  // The groups in any form, as device lists.
  std::vector<std::vector<int64_t>> Expand() const;
  friend bool operator==(const ReplicaGroups&, const ReplicaGroups&) = default;
};

// docs/text-format.md 6.12.
struct Sharding {
  enum class Kind : uint8_t { kReplicated, kMaximal, kManual, kUnknown, kUnreduced, kTiled, kNamed, kTuple };
  enum class Subgroup : uint8_t { kMaximal, kReplicated, kManual, kUnreduced };
  enum class NamedForm : uint8_t { kDimensions, kReplicated, kManual, kUnreduced, kMaximalMesh };
  struct DimensionAxes {
    std::vector<MeshAxisRef> axes;
    bool open = false;
    friend bool operator==(const DimensionAxes&, const DimensionAxes&) = default;
  };

  Kind kind = Kind::kReplicated;
  int64_t device = 0;                    // kMaximal
  std::vector<int64_t> tile_dimensions;  // kTiled
  std::vector<int64_t> devices;          // kTiled, explicit list (row-major)
  std::optional<IotaTile> iota;          // kTiled, iota form
  bool last_tile_dim_replicate = false;
  std::vector<Subgroup> last_tile_dims;
  std::optional<int64_t> shard_as, shard_like;

  NamedForm named_form = NamedForm::kDimensions;  // kNamed
  Mesh mesh;
  std::vector<DimensionAxes> dimension_axes;
  std::vector<MeshAxisRef> replicated_axes, manual_axes, unreduced_axes;
  std::string reduction;  // "", "sum", "max", "min"

  std::vector<MetadataId> metadata;
  bool metadata_is_list = false;
  std::vector<Sharding> leaves;  // kTuple, depth-first

  // Device of each tile, row-major (kTiled).
  std::vector<int64_t> TileDevices() const;
  friend bool operator==(const Sharding&, const Sharding&) = default;
};

// docs/text-format.md 6.13; empty and zero fields are absent.
struct Metadata {
  StringId op_type, op_name, source_file, deduplicated_name, scheduling_name, metadata_payload;
  int32_t source_line = 0, source_end_line = 0, source_column = 0, source_end_column = 0;
  int32_t stack_frame_id = 0;
  std::vector<int64_t> profile_type;
  friend bool operator==(const Metadata&, const Metadata&) = default;
};

struct OriginArray {
  std::string instruction;  // empty: no information
  ShapeIndex index;
  friend bool operator==(const OriginArray&, const OriginArray&) = default;
};
// origin={...}: a tree mirroring the shape (docs/text-format.md 6.14), flattened in depth-first order.
struct Origin {
  struct Node {
    bool is_tuple = false;
    uint32_t child_count = 0;  // of a tuple
    OriginArray array;         // of a leaf
    friend bool operator==(const Node&, const Node&) = default;
  };
  bool synthetic_call = false;
  std::vector<Node> nodes;  // preorder
  friend bool operator==(const Origin&, const Origin&) = default;
};

struct Statistics {
  int64_t visualizing_index = 0;
  std::vector<std::pair<std::string, double>> values;
  friend bool operator==(const Statistics&, const Statistics&) = default;
};

// A string or a raw brace block (docs/text-format.md 1.9). Value: decoded string, or the block with its braces.
struct RawValue {
  std::string text;
  friend bool operator==(const RawValue&, const RawValue&) = default;
};
// Sorted by key.
using FrontendAttributes = std::vector<std::pair<std::string, RawValue>>;

struct SparsitySide {
  int64_t nonzeros = 0, block = 0, dimension = 0, stride = 0, idx = 0;
  friend bool operator==(const SparsitySide&, const SparsitySide&) = default;
};
struct SparsityConfig {
  std::optional<SparsitySide> lhs, rhs;
  friend bool operator==(const SparsityConfig&, const SparsityConfig&) = default;
};

// Which operands hold the scales, and the zero points, of another operand's blocks.
struct BlockScalingSide {
  int64_t scale_idx = 0;
  std::optional<int64_t> zero_idx;
  std::vector<int64_t> strides, steps;
  friend bool operator==(const BlockScalingSide&, const BlockScalingSide&) = default;
};
struct BlockScalingConfig {
  std::optional<BlockScalingSide> lhs, rhs;
  friend bool operator==(const BlockScalingConfig&, const BlockScalingConfig&) = default;
};

struct ResultAccuracy {
  bool is_tolerance = false;
  bool highest = false;  // mode
  double atol = 0, rtol = 0;
  int64_t ulps = 0;
  friend bool operator==(const ResultAccuracy&, const ResultAccuracy&) = default;
};

struct DomainValue {
  std::string kind;
  Sharding entry, exit;
  friend bool operator==(const DomainValue&, const DomainValue&) = default;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_IR_ATTRIBUTE_VALUES_H_
