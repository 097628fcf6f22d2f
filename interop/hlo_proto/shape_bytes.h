// SPDX-License-Identifier: Apache-2.0
// Shapes from the bytes of their messages.
#ifndef HLOSCOPE_INTEROP_HLO_PROTO_SHAPE_BYTES_H_
#define HLOSCOPE_INTEROP_HLO_PROTO_SHAPE_BYTES_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/ir/shape.h"

namespace hloscope::interop {

// ShapeFromProto of a serialized ShapeProto, several times as fast for static arrays with plain layouts, and tuples of
// them: large modules have thousands of different ones. Errors: those of ShapeFromProto; DataLoss for damaged bytes.
absl::StatusOr<Shape> ShapeFromBytes(absl::string_view bytes);

}  // namespace hloscope::interop

#endif  // HLOSCOPE_INTEROP_HLO_PROTO_SHAPE_BYTES_H_
