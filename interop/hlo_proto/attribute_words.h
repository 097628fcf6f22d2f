// SPDX-License-Identifier: Apache-2.0
// Words of enumerated attributes and the numbers or names that protos have for them.
#ifndef HLOSCOPE_INTEROP_HLO_PROTO_ATTRIBUTE_WORDS_H_
#define HLOSCOPE_INTEROP_HLO_PROTO_ATTRIBUTE_WORDS_H_

#include "absl/status/statusor.h"
#include "core/ir/opcode.h"
#include "interop/proto/hlo.pb.h"

namespace hloscope::interop {

// The value of the word that an instruction has for the attribute; -1 if it has none, or one that a text leaves out.
// Errors (InvalidArgument): a number or a name that is not known, a word that is missing.
absl::StatusOr<int> WordFromProto(AttributeKind kind, const proto::HloInstructionProto& from);

// Sets the field of the attribute. `kMode` has none.
void WordToProto(AttributeKind kind, int word, proto::HloInstructionProto* to);

}  // namespace hloscope::interop

#endif  // HLOSCOPE_INTEROP_HLO_PROTO_ATTRIBUTE_WORDS_H_
