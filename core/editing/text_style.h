// SPDX-License-Identifier: Apache-2.0
// The choices of a printer that a text makes.
#ifndef HLOSCOPE_CORE_EDITING_TEXT_STYLE_H_
#define HLOSCOPE_CORE_EDITING_TEXT_STYLE_H_

#include "core/document/document.h"
#include "core/print/print_options.h"

namespace hloscope {

// `%`, shapes of operands, signatures, comments in lists; layouts, ROOT, ENTRY, shapes that may be left out, the
// header, each asynchronous chain, tuple access and body in place as they are written. Nothing is left out or added: a
// text that a printer made prints back byte for byte.
PrintOptions StyleOf(const Document& document);

// The same for modules that are made of the text: everything that reading adds is written, so that what stays and what
// is new look alike.
PrintOptions StyleOfNewParts(const Document& document);

// Lets a style leave out nothing of a text.
void KeepEverything(PrintOptions* options);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_EDITING_TEXT_STYLE_H_
