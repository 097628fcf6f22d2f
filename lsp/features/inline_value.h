// SPDX-License-Identifier: Apache-2.0
// textDocument/inlineValue: which values an editor shows beside the text while a debugger has stopped.
#ifndef HLOSCOPE_LSP_FEATURES_INLINE_VALUE_H_
#define HLOSCOPE_LSP_FEATURES_INLINE_VALUE_H_

#include <vector>

#include "lsp/features/document_view.h"

namespace hloscope::lsp {

// The names that are defined in `visible`, up to the place where the program has stopped, in the computation it has
// stopped in; `text` is the name that the debugger knows the value by.
std::vector<protocol::InlineValue> FindInlineValues(const DocumentView& view, protocol::Range visible,
                                                    protocol::Position stopped);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_FEATURES_INLINE_VALUE_H_
