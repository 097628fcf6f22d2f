// SPDX-License-Identifier: Apache-2.0
// A module to HloModuleProto.
#ifndef HLOSCOPE_INTEROP_HLO_PROTO_MODULE_WRITER_H_
#define HLOSCOPE_INTEROP_HLO_PROTO_MODULE_WRITER_H_

#include "absl/status/status.h"
#include "core/ir/module.h"
#include "interop/proto/hlo.pb.h"

namespace hloscope::interop {

// Writes what the reference writes: ids of the new form (computation << 32 | number in the computation), computations
// and instructions in the order in which they print, names unique in the module, and explicitly what a text leaves out.
// Reading it gives the same text, but for replica_count, num_partitions, alias_passthrough_params and
// allow_spmd_sharding_propagation_to_*, which a module proto does not hold. Errors: an instruction that could not be
// read (InvalidArgument), a literal that no message can hold (ResourceExhausted).
absl::Status WriteHloModule(const Module& module, proto::HloModuleProto* to);

}  // namespace hloscope::interop

#endif  // HLOSCOPE_INTEROP_HLO_PROTO_MODULE_WRITER_H_
