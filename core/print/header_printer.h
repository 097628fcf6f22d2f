// SPDX-License-Identifier: Apache-2.0
// The `HloModule` line and the stack-frame tables (docs/text-format.md 7.2).
#ifndef HLOSCOPE_CORE_PRINT_HEADER_PRINTER_H_
#define HLOSCOPE_CORE_PRINT_HEADER_PRINTER_H_

#include <string>

#include "core/ir/module.h"
#include "core/print/print_options.h"

namespace hloscope {

// Everything before the first computation, blank line included. Returns the size of `out` at the end of the `HloModule`
// line (and what belongs to it: tables of origins and debugging).
size_t AppendHeader(const Module& module, const PrintOptions& options, std::string* out);

// The layouts of the entry computation's parameters and result: from the header, else from the computation (2.5).
EntryComputationLayout EntryLayoutOf(const Module& module);

// The four tables of stack frames, a blank line after them.
void AppendStackFrames(const StackFrameTables& tables, std::string* out);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_PRINT_HEADER_PRINTER_H_
