// SPDX-License-Identifier: Apache-2.0
// What a HloModuleProto says about the module as a whole.
#ifndef HLOSCOPE_INTEROP_HLO_PROTO_HEADER_H_
#define HLOSCOPE_INTEROP_HLO_PROTO_HEADER_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "core/ir/module.h"
#include "interop/proto/hlo.pb.h"

namespace hloscope::interop {

// Everything but the schedule. Errors (InvalidArgument): shapes of the entry's interface that are none, a recovery
// module that cannot be read.
absl::Status ReadHeader(const proto::HloModuleProto& from, Module* module, std::vector<std::string>* notes);

absl::Status WriteHeader(const Module& module, proto::HloModuleProto* to);

}  // namespace hloscope::interop

#endif  // HLOSCOPE_INTEROP_HLO_PROTO_HEADER_H_
