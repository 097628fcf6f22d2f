// SPDX-License-Identifier: Apache-2.0
// What a HloModuleProto says about the module as a whole.
#ifndef HLOSCOPE_INTEROP_HLO_PROTO_HEADER_H_
#define HLOSCOPE_INTEROP_HLO_PROTO_HEADER_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "core/ir/module.h"
#include "interop/proto/hlo.pb.h"

namespace hloscope::interop {

// Everything but the schedule; `program_shape` is a serialized ProgramShapeProto. Errors: (InvalidArgument) shapes of
// the entry's interface that are none, a recovery module that cannot be read; (DataLoss) damaged bytes.
absl::Status ReadHeader(const proto::HloModuleProto& from, const std::optional<std::string>& program_shape,
                        Module* module, std::vector<std::string>* notes);

absl::Status WriteHeader(const Module& module, proto::HloModuleProto* to);

}  // namespace hloscope::interop

#endif  // HLOSCOPE_INTEROP_HLO_PROTO_HEADER_H_
