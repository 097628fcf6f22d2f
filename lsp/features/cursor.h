// SPDX-License-Identifier: Apache-2.0
// What a request at the cursor is about.
#ifndef HLOSCOPE_LSP_FEATURES_CURSOR_H_
#define HLOSCOPE_LSP_FEATURES_CURSOR_H_

#include <cstdint>

#include "core/document/document.h"

namespace hloscope::lsp {

// The instruction that is named at the offset, else the one whose text is there, else the one that begins on the line,
// with the cursor in the blanks before it; none if there is none of these.
InstructionId InstructionAtCursor(const Document& document, uint32_t offset);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_FEATURES_CURSOR_H_
