// SPDX-License-Identifier: Apache-2.0
// Metadata of instructions between protos and modules.
#ifndef HLOSCOPE_INTEROP_HLO_PROTO_METADATA_H_
#define HLOSCOPE_INTEROP_HLO_PROTO_METADATA_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/ir/module.h"
#include "interop/proto/hlo.pb.h"

namespace hloscope::interop {

// Reads an OpMetadata. Strings and payloads, which `owner` has, are interned in `module`. Errors: a payload that the
// table does not have (InvalidArgument), bytes that are damaged (DataLoss).
absl::StatusOr<Metadata> MetadataFromBytes(absl::string_view from, const proto::HloModuleProto& owner, Module& module);

void MetadataToProto(const Module& module, const Metadata& from, proto::OpMetadata* to);

}  // namespace hloscope::interop

#endif  // HLOSCOPE_INTEROP_HLO_PROTO_METADATA_H_
