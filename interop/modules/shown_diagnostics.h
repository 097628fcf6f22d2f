// SPDX-License-Identifier: Apache-2.0
// What is wrong with a module, where people see it.
#ifndef HLOSCOPE_INTEROP_MODULES_SHOWN_DIAGNOSTICS_H_
#define HLOSCOPE_INTEROP_MODULES_SHOWN_DIAGNOSTICS_H_

#include <vector>

#include "core/diagnostics/diagnostic.h"
#include "core/document/document.h"
#include "core/source/source_text.h"

namespace hloscope::interop {

// Diagnostics as people see them: those of the program, if the text was made from one, and those of the text at the
// operations that they are about.
struct ShownDiagnostics {
  const SourceText* source;  // what the ranges are of
  std::vector<Diagnostic> diagnostics;
};
// `of_program` is what HloSource says of the document's text.
ShownDiagnostics DiagnosticsToShow(const Document& document, const std::vector<Diagnostic>& of_program);

}  // namespace hloscope::interop

#endif  // HLOSCOPE_INTEROP_MODULES_SHOWN_DIAGNOSTICS_H_
