// SPDX-License-Identifier: Apache-2.0
// Shapes and layouts between protos and modules.
#ifndef HLOSCOPE_INTEROP_HLO_PROTO_SHAPES_H_
#define HLOSCOPE_INTEROP_HLO_PROTO_SHAPES_H_

#include "absl/status/statusor.h"
#include "core/ir/shape.h"
#include "interop/proto/xla_data.pb.h"

namespace hloscope::interop {

// kInvalid for a number that names no type.
ElementType ElementTypeFromNumber(int number);
int NumberOfElementType(ElementType type);

// Errors (InvalidArgument): a type that is not known, a negative size, flags or a layout that do not fit the
// dimensions, a layout on what is no array. A shape without layout message has no layout.
absl::StatusOr<Shape> ShapeFromProto(const proto::ShapeProto& from);
// Arrays without layout get none.
void ShapeToProto(const Shape& from, proto::ShapeProto* to);

}  // namespace hloscope::interop

#endif  // HLOSCOPE_INTEROP_HLO_PROTO_SHAPES_H_
