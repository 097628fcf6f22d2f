// SPDX-License-Identifier: Apache-2.0
// StableHLO programs: what an editor learns about their text. The document is the HLO that the program becomes, whose
// parts know their operations (core/source/text_origin.h); positions are those of the program.
#ifndef HLOSCOPE_LSP_FEATURES_PROGRAM_H_
#define HLOSCOPE_LSP_FEATURES_PROGRAM_H_

#include <optional>
#include <string>
#include <vector>

#include "lsp/features/document_view.h"

namespace hloscope::lsp {

// An operation: its type, and the HLO that it becomes, with what the page of its opcode says first.
std::optional<protocol::Hover> ComputeProgramHover(const DocumentView& view, protocol::Position position,
                                                   const std::string& resource_directory);

// Places of the name under the cursor: of values (`%0`) in the function around it, of functions, meshes and aliases
// (`@f`, `#loc1`, `!t`) in the whole program; the definition first.
std::vector<protocol::Location> FindProgramPlaces(const DocumentView& view, protocol::Position position);

// Functions, in text order.
std::vector<protocol::DocumentSymbol> ComputeProgramSymbols(const DocumentView& view);

// "Run" and "Debug" above the function that is executed, and in how many instructions of HLO each results.
std::vector<protocol::CodeLens> ComputeProgramLenses(const DocumentView& view);

// The HLO of the program as JSON: `text`, and `links`, which has [line of `text`, line, character, end line, end
// character of the program] for each instruction that an operation or argument became.
std::string ProgramHloText(const DocumentView& view);

// Operations, and after a comma or brace the attributes of the one on the line that are not written yet.
protocol::CompletionList ComputeProgramCompletion(const DocumentView& view, protocol::Position position);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_FEATURES_PROGRAM_H_
