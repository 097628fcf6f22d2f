// SPDX-License-Identifier: Apache-2.0
// What the printer would respell, kept as the text has it.
#ifndef HLOSCOPE_CORE_EDITING_WRITTEN_FORMS_H_
#define HLOSCOPE_CORE_EDITING_WRITTEN_FORMS_H_

#include "core/document/document.h"
#include "core/print/printer.h"

namespace hloscope {

// Puts forms of the text that `printed` was read from, which other versions of the reference printed, in the place of
// what prints: numbers of literals (`55906239034112`, `1.50`), the header in its order, the entry layout in the header
// if it differs in blanks and comments alone, blanks in the lines between computations if they hold one, and attributes
// that say nothing (written_attributes.h). What a line means stays.
void KeepWrittenForms(const Document& document, const PrintOptions& options, PrintedModule* printed);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_EDITING_WRITTEN_FORMS_H_
