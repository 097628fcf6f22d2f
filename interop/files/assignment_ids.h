// SPDX-License-Identifier: Apache-2.0
// Buffer assignments name instructions by their ids in a proto.
#ifndef HLOSCOPE_INTEROP_FILES_ASSIGNMENT_IDS_H_
#define HLOSCOPE_INTEROP_FILES_ASSIGNMENT_IDS_H_

#include <cstdint>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "interop/hlo_proto/module_reader.h"
#include "interop/proto/hlo.pb.h"

namespace hloscope::interop {

// The names of the instructions that the assignment mentions, by their ids; empty where the module has none of the id.
absl::flat_hash_map<int64_t, std::string> InstructionNames(const proto::BufferAssignmentProto& assignment,
                                                           const ReadModule& read);

// Puts a copy of an assignment into `to`, whose module is that of `names` under other ids. Error FailedPrecondition,
// with nothing put in, if it mentions an instruction that `to` does not have.
absl::Status PutAssignment(const proto::BufferAssignmentProto& assignment,
                           const absl::flat_hash_map<int64_t, std::string>& names, proto::HloProto* to);

}  // namespace hloscope::interop

#endif  // HLOSCOPE_INTEROP_FILES_ASSIGNMENT_IDS_H_
