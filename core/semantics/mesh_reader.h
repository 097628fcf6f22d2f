// SPDX-License-Identifier: Apache-2.0
// Numbered devices: iotas and meshes, which shardings and replica groups share (docs/text-format.md 6.11, 6.12). Every
// reader starts at the first token of the value, reports at most one diagnostic, and then returns nothing.
#ifndef HLOSCOPE_CORE_SEMANTICS_MESH_READER_H_
#define HLOSCOPE_CORE_SEMANTICS_MESH_READER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "core/ir/attribute_values.h"
#include "core/semantics/token_cursor.h"

namespace hloscope {

// Product of the sizes; -1 if one is not positive or the product is beyond what any machine has (2^26).
int64_t DeviceProduct(const std::vector<int64_t>& sizes);

// `open` INT, ... `close`
std::optional<std::vector<int64_t>> ReadIntsBetween(TokenCursor& cursor, TokenKind open, TokenKind close);

// [r...]T(p...), from the bracket on. A T that names a position twice is tolerated. `dims` is what the numbers are
// reshaped to; empty in a mesh.
std::optional<IotaTile> ReadIota(TokenCursor& cursor, std::vector<int64_t> dims);

// mesh['x'=2,...][, device_ids=(...)] or maximal_mesh[device_id=N], from the word on. More than 2^26 devices are an
// error where each of them has to be listed, as in replica groups, and tolerated in shardings.
enum class MeshUse : uint8_t { kSharding, kReplicaGroups };
std::optional<Mesh> ReadMesh(TokenCursor& cursor, MeshUse use);

// An axis of a value and where it is.
struct PlacedAxis {
  MeshAxisRef axis;
  SourceRange range;
};

// `{` axis, ... `}`; in a dimension the last item may be `?`, which sets `open`. `sorted`: the axes must be in the
// order of the mesh. `used` collects all axes of the value, which must not overlap.
std::optional<std::vector<MeshAxisRef>> ReadAxes(TokenCursor& cursor, const Mesh& mesh, bool sorted,
                                                 std::vector<PlacedAxis>& used, bool* open = nullptr);

// "4 devices"
std::string DeviceCount(int64_t n);
std::string Joined(absl::Span<const int64_t> values);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SEMANTICS_MESH_READER_H_
