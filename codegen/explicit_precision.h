// SPDX-License-Identifier: Apache-2.0
// Conversions that operations imply, as instructions of their own.
#ifndef HLOSCOPE_CODEGEN_EXPLICIT_PRECISION_H_
#define HLOSCOPE_CODEGEN_EXPLICIT_PRECISION_H_

#include <optional>

#include "core/ir/module.h"

namespace hloscope::codegen {

// Operations that move elements move their bytes. Where an operand is of another floating-point type than the result
// (mixed precision: copy, reshape, pad, concatenate, ...), a `convert` of the operand to the type of the result takes
// its place, which is what the evaluator computes. Nothing if there is no such operand. The instructions of the module
// keep their ids; the new ones come after them, and are at the end of their computations.
std::optional<Module> WithExplicitPrecision(const Module& module);

}  // namespace hloscope::codegen

#endif  // HLOSCOPE_CODEGEN_EXPLICIT_PRECISION_H_
