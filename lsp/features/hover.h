// SPDX-License-Identifier: Apache-2.0
// textDocument/hover.
#ifndef HLOSCOPE_LSP_FEATURES_HOVER_H_
#define HLOSCOPE_LSP_FEATURES_HOVER_H_

#include <optional>
#include <string>

#include "lsp/features/document_view.h"

namespace hloscope::lsp {

// What is under the cursor, as Markdown:
//   an instruction's name or a use of it  its text in short, shape, size, operands, users, origin in the program
//   a shape                               size and layout
//   an opcode                             its page from `resource_directory`, or what the opcode table says
//   an attribute                          meaning, kind of value, accepted words, default
//   a literal                             statistics, and which element it is
//   a computation's name or a use of it   signature, callers
//   the module's name, HloModule          totals
//   header, tables, signatures, keywords  what they mean; for a stack frame the calls that lead to it
// `resource_directory`: FindResourceDirectory(); may be empty. nullopt if there is nothing to say.
std::optional<protocol::Hover> ComputeHover(const DocumentView& view, protocol::Position position,
                                            const std::string& resource_directory);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_FEATURES_HOVER_H_
