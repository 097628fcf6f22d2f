// SPDX-License-Identifier: Apache-2.0
// Shardings, meshes and replica groups between protos and modules.
#ifndef HLOSCOPE_INTEROP_HLO_PROTO_SHARDINGS_H_
#define HLOSCOPE_INTEROP_HLO_PROTO_SHARDINGS_H_

#include "absl/status/statusor.h"
#include "core/ir/module.h"
#include "interop/proto/hlo.pb.h"

namespace hloscope::interop {

// Normalised as the reader of texts does it. Errors (InvalidArgument): devices that do not fit the tiles, two forms at
// once, axes that the mesh does not have.
absl::StatusOr<Sharding> ShardingFromProto(const proto::OpSharding& from, const proto::HloModuleProto& owner,
                                           Module& module);
void ShardingToProto(const Module& module, const Sharding& from, proto::OpSharding* to);

// None where the instruction has no groups in any of its forms.
absl::StatusOr<std::optional<ReplicaGroups>> ReplicaGroupsFromProto(const proto::HloInstructionProto& from);
void ReplicaGroupsToProto(const ReplicaGroups& from, proto::HloInstructionProto* to);

}  // namespace hloscope::interop

#endif  // HLOSCOPE_INTEROP_HLO_PROTO_SHARDINGS_H_
