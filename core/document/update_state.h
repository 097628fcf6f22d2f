// SPDX-License-Identifier: Apache-2.0
// What a document knows that only updating it needs.
#ifndef HLOSCOPE_CORE_DOCUMENT_UPDATE_STATE_H_
#define HLOSCOPE_CORE_DOCUMENT_UPDATE_STATE_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "core/ir/module.h"
#include "core/lex/token_buffer.h"
#include "core/syntax/syntax_tree.h"

namespace hloscope {

// The computations that the instruction calls, each after the attribute that names it.
std::vector<std::pair<AttributeKind, ComputationId>> CallsOf(const Module& module, InstructionId id);

struct UpdateState {
  bool possible = false;   // nothing in the text makes tokens or statements depend on what is far away
  uint8_t traits = 0;      // of all instructions there are or were since the last whole parse
  uint32_t anonymous = 0;  // instructions without a name
  uint32_t reread = 0;     // instructions read again since the last whole parse: what the module's tables hold in vain
};

// Of a document that was read whole. `is_regular`: nothing in the text makes tokens or statements depend on what is far
// away, and diagnostics are local (DiagnosticsAreLocal).
UpdateState InitialUpdateState(const Module& module, bool is_regular);
// Whether the tree, or that of a part of a text, is so.
bool IsRegular(const TokenBuffer& tokens, const SyntaxTree& tree);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_DOCUMENT_UPDATE_STATE_H_
