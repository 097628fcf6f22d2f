// SPDX-License-Identifier: Apache-2.0
// A changed module as the fewest changes of the text.
#ifndef HLOSCOPE_CORE_EDITING_MODULE_EDITS_H_
#define HLOSCOPE_CORE_EDITING_MODULE_EDITS_H_

#include <vector>

#include "core/document/document.h"

namespace hloscope {

// The edits after which the text of `document` is `wanted`, a module made of the document's by a rewrite. Statements
// that the rewrite leaves alone stay as they are, with comments, order and style; of others the words that differ
// change. New statements are written in the style of the text, before what uses them first. Where that is not possible
// (the order of what stays differs) the whole text is printed again. Sorted.
std::vector<TextEdit> EditsToModule(const Document& document, const Module& wanted);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_EDITING_MODULE_EDITS_H_
