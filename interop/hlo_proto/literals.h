// SPDX-License-Identifier: Apache-2.0
// Literals between protos and modules.
#ifndef HLOSCOPE_INTEROP_HLO_PROTO_LITERALS_H_
#define HLOSCOPE_INTEROP_HLO_PROTO_LITERALS_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/ir/literal.h"
#include "interop/proto/xla_data.pb.h"

namespace hloscope::interop {

// The value; elements come in the order of the layout that the literal's own shape has. One with elements but without
// data is elided. Errors (InvalidArgument): a count other than that of the elements, data in the field of another
// type, a missing shape.
absl::StatusOr<Literal> LiteralFromProto(const proto::LiteralProto& from);

// The same of a serialized LiteralProto; the numbers of an array are not copied into a message if they come in one
// piece. Also DataLoss for damaged bytes.
absl::StatusOr<Literal> LiteralFromMessage(absl::string_view bytes);

// Elements of an array of `shape` in the order of its layout, StorageBytes(type) each, as a literal stores them; bits
// beyond the type's are ignored. Error (InvalidArgument): another number of bytes.
absl::StatusOr<Literal> LiteralFromBytes(const Shape& shape, absl::Span<const uint8_t> bytes);

// Errors (ResourceExhausted): more bytes than a message can hold.
absl::Status LiteralToProto(const Literal& from, proto::LiteralProto* to);

}  // namespace hloscope::interop

#endif  // HLOSCOPE_INTEROP_HLO_PROTO_LITERALS_H_
