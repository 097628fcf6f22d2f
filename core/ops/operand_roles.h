// SPDX-License-Identifier: Apache-2.0
// What each operand of an opcode is called: `init`, `indices`, `on_true`. The names are those of the pages in
// resources/ops.
#ifndef HLOSCOPE_CORE_OPS_OPERAND_ROLES_H_
#define HLOSCOPE_CORE_OPS_OPERAND_ROLES_H_

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"
#include "core/ir/opcode.h"

namespace hloscope {

// The operands as a signature writes them: "low, x, high"; "x..., init..." for as many of each; "a, b, ..." for any
// number. Empty if the opcode takes none.
absl::string_view OperandSignature(Opcode opcode);

// What operand `k` of `count` is called: "init" for operand 2 of the four of a reduce. Never empty.
std::string OperandRole(Opcode opcode, size_t k, size_t count);

// How many operands an instruction has at least: one of each repeated kind.
size_t LeastOperandCount(Opcode opcode);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_OPS_OPERAND_ROLES_H_
