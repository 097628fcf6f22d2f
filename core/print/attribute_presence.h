// SPDX-License-Identifier: Apache-2.0
// Which attributes print (AttributePrints of attribute_printer.h), in which order, and the defaults that decide it.
#ifndef HLOSCOPE_CORE_PRINT_ATTRIBUTE_PRESENCE_H_
#define HLOSCOPE_CORE_PRINT_ATTRIBUTE_PRESENCE_H_

#include <cstdint>

#include "absl/types/span.h"
#include "core/ir/opcode.h"

namespace hloscope {

// What an absent attribute means.
int64_t DefaultInt(AttributeKind kind);
bool DefaultBool(AttributeKind kind, Opcode opcode);

// True if the attribute prints whether or not the text gave it.
bool AlwaysPrints(Opcode opcode, AttributeKind kind);
// Attributes that print after those of InfoOf(opcode).attributes, in order (docs/text-format.md 7.4).
absl::Span<const AttributeKind> TrailingAttributes();

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_PRINT_ATTRIBUTE_PRESENCE_H_
