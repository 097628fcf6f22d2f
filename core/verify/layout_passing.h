// SPDX-License-Identifier: Apache-2.0
// Which operations keep the layout of their operands: the "layout predicate" of docs/ops/control.md 6.14.
#ifndef HLOSCOPE_CORE_VERIFY_LAYOUT_PASSING_H_
#define HLOSCOPE_CORE_VERIFY_LAYOUT_PASSING_H_

#include "core/ir/opcode.h"

namespace hloscope {

// True for the operations whose result has the layout of the operands once layouts are assigned
// (docs/ops/elementwise.md 2.5, docs/ops/tensor.md 12.1, LAY-7). Those that choose a layout of their own, or hand data
// on (see declared_shape.cc), are not among them.
bool PassesLayoutOn(Opcode opcode);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_VERIFY_LAYOUT_PASSING_H_
