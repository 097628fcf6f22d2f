// SPDX-License-Identifier: Apache-2.0
// Meshes of devices: sdy.mesh, and groups of devices along axes of one (docs/stablehlo.md 6).
#ifndef HLOSCOPE_STABLEHLO_MESHES_H_
#define HLOSCOPE_STABLEHLO_MESHES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stablehlo/program.h"

namespace hloscope::stablehlo {

// Reads the meshes of the program, once for all uses.
void ReadMeshes(Program& program);
// The mesh @name of the program; null if there is none. Requires ReadMeshes.
const MeshAxes* FindMesh(const Program& program, absl::string_view name);

// False for a mesh that nobody has: it is refused before its axes are looked for in one another, or its sizes
// multiplied.
bool IsPossible(const MeshAxes& mesh);

// `replica_group_mesh_axes` as replica groups of HLO: mesh['x'=4,'y'=2] {'x'}. Nothing if it is another attribute or
// the mesh is unknown; then `why` says why.
std::optional<std::string> GroupsOfMesh(const Program& program, const AttributeValue& groups, std::string& why);

// All meshes as the attribute of a module that Shardy reads: {mesh = #sdy.mesh<["x"=4, "y"=2]>}; empty if there are
// none.
std::string MeshesText(const Program& program);

}  // namespace hloscope::stablehlo

#endif  // HLOSCOPE_STABLEHLO_MESHES_H_
