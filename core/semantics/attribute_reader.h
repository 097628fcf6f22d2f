// SPDX-License-Identifier: Apache-2.0
// One attribute of an instruction: value tokens to a value in the module.
#ifndef HLOSCOPE_CORE_SEMANTICS_ATTRIBUTE_READER_H_
#define HLOSCOPE_CORE_SEMANTICS_ATTRIBUTE_READER_H_

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "core/ir/module.h"
#include "core/semantics/token_cursor.h"
#include "core/syntax/syntax_tree.h"

namespace hloscope {

// How the reader resolves names; each reports unknown names itself and then returns none.
struct NameResolver {
  absl::FunctionRef<ComputationId(absl::string_view name, SourceRange range)> computation;
  absl::FunctionRef<InstructionId(absl::string_view name, SourceRange range)> instruction;
  // The k-th inline computation of the attribute.
  absl::FunctionRef<ComputationId(uint32_t k)> inline_computation;
};

// Reads the value at the cursor (which spans exactly the value) and adds it to `id`. False after a diagnostic; the
// attribute is then absent.
bool ReadAttribute(TokenCursor& cursor, AttributeKind kind, uint32_t syntax, const NameResolver& resolve,
                   InstructionId id, Module& module);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SEMANTICS_ATTRIBUTE_READER_H_
