// SPDX-License-Identifier: Apache-2.0
// Asynchronous sugar, `all-reduce-start` and the like: the computations that it stands for (docs/text-format.md 6.9,
// 6.16). Internal to core/semantics.
#ifndef HLOSCOPE_CORE_SEMANTICS_ASYNC_SUGAR_BUILDER_H_
#define HLOSCOPE_CORE_SEMANTICS_ASYNC_SUGAR_BUILDER_H_

#include "absl/container/flat_hash_map.h"
#include "core/ir/module.h"
#include "core/ops/sugared_opcodes.h"
#include "core/semantics/attribute_builder.h"
#include "core/semantics/read_text.h"
#include "core/semantics/reading_progress.h"

namespace hloscope {

class AsyncSugarBuilder {
 public:
  AsyncSugarBuilder(ReadText& text, const ReadingProgress& progress, Module& module, AttributeBuilder& attributes)
      : text_(text), progress_(progress), module_(module), attributes_(attributes) {}

  // Makes the computation that `X-start` of this shape wraps: parameters from the first element of the shape, X as
  // root.
  ComputationId Wrap(SyntaxId syntax_id, Opcode opcode, const Shape& shape);
  // X of a sugared update or done must be the X of its start, if the start can be found; it may bind more operands, or
  // the result.
  void CheckLink(InstructionId id, Opcode wrapped);

 private:
  // Gives the computation the parameters and the result that are known by now.
  void SetSignature(ComputationId wrapped);

  ReadText& text_;
  const ReadingProgress& progress_;
  Module& module_;
  AttributeBuilder& attributes_;
  absl::flat_hash_map<ComputationId, WrappedSignature> signatures_;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SEMANTICS_ASYNC_SUGAR_BUILDER_H_
