// SPDX-License-Identifier: Apache-2.0
// Attributes of one instruction given to another one, of the same module or of another.
#ifndef HLOSCOPE_CORE_TRANSFORM_COPY_ATTRIBUTES_H_
#define HLOSCOPE_CORE_TRANSFORM_COPY_ATTRIBUTES_H_

#include "absl/functional/function_ref.h"
#include "core/ir/module.h"

namespace hloscope {

// What attributes refer to, in the terms of the target. Instructions and computations that map to none are left out of
// lists of instructions and kept as none in attributes that name computations.
struct AttributeReferences {
  absl::FunctionRef<InstructionId(InstructionId)> instruction;
  absl::FunctionRef<ComputationId(ComputationId)> computation;
};

// Appends the attributes of `source` for which `keep` is true to `target`, which must be the instruction that
// attributes were last added to or have none (Module). `from` and `to` may be the same module.
void CopyAttributes(const Module& from, InstructionId source, Module& to, InstructionId target,
                    const AttributeReferences& references, absl::FunctionRef<bool(AttributeKind)> keep);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_TRANSFORM_COPY_ATTRIBUTES_H_
