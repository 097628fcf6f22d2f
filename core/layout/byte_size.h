// SPDX-License-Identifier: Apache-2.0
// How many bytes shapes take in memory under their layouts (docs/ops/tensor.md 12.5).
//
// Shape::ByteSize() is something else: what a Literal or a Tensor of this program needs, whatever the layout says.
#ifndef HLOSCOPE_CORE_LAYOUT_BYTE_SIZE_H_
#define HLOSCOPE_CORE_LAYOUT_BYTE_SIZE_H_

#include <cstdint>

#include "core/ir/shape.h"

namespace hloscope {

// Bits of one element in the array's buffer: E(n) of the layout, else the element type in whole bytes (8 for pred and
// every type below a byte). 0 for tuples, tokens and opaques.
int64_t ElementBits(const Shape& shape);

// Bytes of the elements alone, without any padding: ceil(elements * bits / 8); dynamic dimensions count at their bound.
// Tuples: the sum of their leaves; tokens: 0; opaques: 8 (docs/ops/control.md 7.7); unbounded arrays: 0. Saturates.
int64_t DataBytes(const Shape& shape);

// Bytes of the buffers: as DataBytes with the padding of tiles and tails and the prefix for dynamic sizes. An array
// whose layout cannot be used (CheckLayout) or whose padded size does not fit 64 bits counts with its data alone.
int64_t PhysicalBytes(const Shape& shape);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_LAYOUT_BYTE_SIZE_H_
