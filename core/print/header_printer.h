// The `HloModule` line and the stack-frame tables (spec/hlo-text.md 7.2).
#ifndef HLOSCOPE_CORE_PRINT_HEADER_PRINTER_H_
#define HLOSCOPE_CORE_PRINT_HEADER_PRINTER_H_

#include <string>

#include "core/ir/module.h"

namespace hloscope {

// Everything before the first computation, blank line included.
void AppendHeader(const Module& module, bool with_stack_frames, std::string* out);

// The layouts of the entry computation's parameters and result: from the header, else from the computation (2.5).
EntryComputationLayout EntryLayoutOf(const Module& module);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_PRINT_HEADER_PRINTER_H_
