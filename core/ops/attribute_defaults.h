// SPDX-License-Identifier: Apache-2.0
// What it means that an attribute is not written (docs/text-format.md 6.8 and 6.9).
#ifndef HLOSCOPE_CORE_OPS_ATTRIBUTE_DEFAULTS_H_
#define HLOSCOPE_CORE_OPS_ATTRIBUTE_DEFAULTS_H_

#include <optional>

#include "absl/strings/string_view.h"
#include "core/ir/opcode.h"

namespace hloscope {

struct AttributeDefault {
  absl::string_view text;  // "false", "none: ..."
  bool is_value = false;   // the text could be written; else it is words
};

// Nothing if the opcode requires the attribute or does not accept it.
std::optional<AttributeDefault> DefaultOf(Opcode opcode, AttributeKind kind);

// What holds for all opcodes that accept the attribute; nothing if all require it, or if they differ.
std::optional<AttributeDefault> DefaultOf(AttributeKind kind);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_OPS_ATTRIBUTE_DEFAULTS_H_
