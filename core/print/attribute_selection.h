// SPDX-License-Identifier: Apache-2.0
// Which attributes of an instruction print, and in which order (docs/text-format.md 7.4, 7.5).
#ifndef HLOSCOPE_CORE_PRINT_ATTRIBUTE_SELECTION_H_
#define HLOSCOPE_CORE_PRINT_ATTRIBUTE_SELECTION_H_

#include "absl/container/inlined_vector.h"
#include "core/ir/module.h"
#include "core/print/print_options.h"

namespace hloscope {

struct SelectedAttribute {
  InstructionId owner;  // the instruction, or what it wraps
  AttributeKind kind;
};
using SelectedAttributes = absl::InlinedVector<SelectedAttribute, 12>;

// Whether an attribute that the opcode accepts prints with the options.
bool IsSelected(const Module& module, const PrintOptions& options, InstructionId id, AttributeKind kind);

// The attributes that print, in their order: that of the reference, or that of the text where it is to stay as it is
// (keep_written_defaults). `wrapped`: what a link of an asynchronous chain that prints with sugar stands for; else
// none.
SelectedAttributes SelectAttributes(const Module& module, const PrintOptions& options, InstructionId id,
                                    InstructionId wrapped);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_PRINT_ATTRIBUTE_SELECTION_H_
