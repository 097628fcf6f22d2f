// SPDX-License-Identifier: Apache-2.0
// Printing a module with the comments of the text it was read from.
#ifndef HLOSCOPE_CORE_EDITING_COMMENTS_H_
#define HLOSCOPE_CORE_EDITING_COMMENTS_H_

#include <string>

#include "core/document/document.h"
#include "core/print/print_options.h"

namespace hloscope {

// PrintModule, with every comment of the text at the statement it belongs to: on lines of their own above a statement,
// or at its end. Comments inside a statement move above it; comments of a statement that the style does not print move
// to the next one that prints. The comments that printers generate (`/*index=5*/`, `/*i0=3*/`) are not kept. Printing
// the result again changes nothing. Requires a document without errors.
std::string PrintWithComments(const Document& document, const PrintOptions& options);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_EDITING_COMMENTS_H_
