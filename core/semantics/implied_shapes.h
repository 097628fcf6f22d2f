// SPDX-License-Identifier: Apache-2.0
// Shapes of instructions that the text leaves out, or gives although they follow from the operands.
#ifndef HLOSCOPE_CORE_SEMANTICS_IMPLIED_SHAPES_H_
#define HLOSCOPE_CORE_SEMANTICS_IMPLIED_SHAPES_H_

#include "core/diagnostics/diagnostic.h"
#include "core/ir/module.h"
#include "core/ops/rule_context.h"

namespace hloscope {

// Gives the instruction, whose text has no shape, the one that its rule infers; reports what the rule finds.
void InferOmittedShape(Module& module, InstructionId id, const VerifyOptions& options, const AnchorResolver& resolver,
                       DiagnosticSink& sink);

// Replaces the declared shape where the operands imply it (docs/text-format.md 6.4). A written shape that is replaced
// by another one deserves a word: what reads the text further on sees the other one.
void RecomputeShape(Module& module, InstructionId id, const AnchorResolver& resolver, DiagnosticSink& sink);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SEMANTICS_IMPLIED_SHAPES_H_
