// SPDX-License-Identifier: Apache-2.0
// What a text may leave out because reading adds it, as the text does (PrintOptions::keep_written_omissions,
// _signatures).
#ifndef HLOSCOPE_CORE_PRINT_OMISSIONS_H_
#define HLOSCOPE_CORE_PRINT_OMISSIONS_H_

#include <cstddef>
#include <string>

#include "core/ir/module.h"
#include "core/print/print_options.h"

namespace hloscope {

// False for what was not read from a text: it is written in full.
bool LeavesOutRoot(const Computation& computation, const PrintOptions& options);
bool LeavesOutSignature(const Computation& computation, const PrintOptions& options);
// The thread that is written behind a computation, in quotes; empty if none is.
std::string WrittenThread(const Computation& computation, const PrintOptions& options);
bool LeavesOutShape(const Instruction& instruction, const PrintOptions& options);

// How operand `k` of the instruction is written.
OperandForms::Form FormOfOperand(const Instruction& user, size_t k, const PrintOptions& options);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_PRINT_OMISSIONS_H_
