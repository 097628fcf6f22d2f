// SPDX-License-Identifier: Apache-2.0
// Which attributes print (AttributePrints of attribute_printer.h), and the defaults that decide it. Internal to
// core/print.
#ifndef HLOSCOPE_CORE_PRINT_ATTRIBUTE_PRESENCE_H_
#define HLOSCOPE_CORE_PRINT_ATTRIBUTE_PRESENCE_H_

#include <cstdint>

#include "core/ir/opcode.h"

namespace hloscope {

// What an absent attribute means.
int64_t DefaultInt(AttributeKind kind);
bool DefaultBool(AttributeKind kind, Opcode opcode);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_PRINT_ATTRIBUTE_PRESENCE_H_
