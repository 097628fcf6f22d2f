// SPDX-License-Identifier: Apache-2.0
// Modules, computations and instructions as HLO text (docs/text-format.md 7).
#ifndef HLOSCOPE_CORE_PRINT_PRINTER_H_
#define HLOSCOPE_CORE_PRINT_PRINTER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/ir/module.h"
#include "core/print/literal_printer.h"
#include "core/print/print_options.h"

namespace hloscope {

// The whole module. Names are made unique in the module (section 3), computations and instructions are in the order
// of 7.2 and 7.3.
//
// Where the reference prints what it cannot read (7.11) this prints something equivalent that can be read: tuple
// constants are elided element by element, attributes that an asynchronous start shares with what it wraps print once,
// named shardings keep their mesh, `scan` and `reduce-scatter` name an inline body `to_apply`.
std::string PrintModule(const Module& module, const PrintOptions& options);

// A printed module and where its parts are.
struct PrintedModule {
  struct Part {
    enum class Kind : uint8_t {
      kHeader,            // the `HloModule` line
      kComputationOpen,   // from ENTRY or the name to the opening brace
      kInstruction,       // from ROOT or the name
      kComputationClose,  // from the closing brace
    };
    Kind kind = Kind::kHeader;
    ComputationId computation;
    InstructionId instruction;
    uint32_t begin = 0, end = 0;  // byte offsets in the text
  };
  std::string text;
  // In text order. Bodies written in place belong to the instruction in whose attribute they are.
  std::vector<Part> parts;
  // Where metadata names a row of the table of stack frames, in text order: the digits.
  struct StackFrameNumber {
    uint32_t begin = 0, end = 0;
    int32_t number = 0;
  };
  std::vector<StackFrameNumber> stack_frame_numbers;
};
PrintedModule PrintModuleWithPositions(const Module& module, const PrintOptions& options);

// One instruction on its own, without ROOT and with the names of the module as they are. With canonical names: without
// name and operand names, `f32[4]{0} add(f32[4]{0}, f32[4]{0})`.
std::string PrintInstruction(const Module& module, InstructionId id, const PrintOptions& options = {});

// The value of one attribute as it is written after `name=`; computations and instructions by name. Empty if the
// instruction does not carry the attribute.
std::string PrintAttributeValue(const Module& module, InstructionId id, AttributeKind attribute,
                                const PrintOptions& options = {});

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_PRINT_PRINTER_H_
