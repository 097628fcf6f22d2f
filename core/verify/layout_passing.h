// Which operations keep the layout of their operands: the "layout predicate" of spec/ops-c 6.14.
#ifndef HLOSCOPE_CORE_VERIFY_LAYOUT_PASSING_H_
#define HLOSCOPE_CORE_VERIFY_LAYOUT_PASSING_H_

#include "core/ir/opcode.h"

namespace hloscope {

// True for the operations whose result has the layout of the operands once layouts are assigned (spec/ops-a 2.5,
// spec/ops-b 12.1, LAY-7). Those that choose a layout of their own, or hand data on (see declared_shape.cc), are not
// among them.
bool PassesLayoutOn(Opcode opcode);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_VERIFY_LAYOUT_PASSING_H_
