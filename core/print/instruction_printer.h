// SPDX-License-Identifier: Apache-2.0
// Many instructions of a module, each on its own.
#ifndef HLOSCOPE_CORE_PRINT_INSTRUCTION_PRINTER_H_
#define HLOSCOPE_CORE_PRINT_INSTRUCTION_PRINTER_H_

#include <functional>
#include <string>

#include "core/ir/module.h"
#include "core/print/print_options.h"

namespace hloscope {

// What PrintInstruction returns. What follows from the module (which computations print in place) is found once, and
// not for each instruction. The module must outlive the object and stay as it is.
class InstructionPrinter {
 public:
  InstructionPrinter(const Module& module, PrintOptions options);
  std::string Print(InstructionId id) { return print_(id); }

 private:
  std::function<std::string(InstructionId)> print_;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_PRINT_INSTRUCTION_PRINTER_H_
