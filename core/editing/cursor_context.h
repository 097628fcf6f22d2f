// SPDX-License-Identifier: Apache-2.0
// What the grammar expects at a position of a text that is being typed: completion and signature help ask this.
//
// It is found in the tokens around the position, not in the syntax tree, since what is half typed has no place there.
#ifndef HLOSCOPE_CORE_EDITING_CURSOR_CONTEXT_H_
#define HLOSCOPE_CORE_EDITING_CURSOR_CONTEXT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/document/document.h"

namespace hloscope {

struct CursorContext {
  enum class Place : uint8_t {
    kNone,              // inside a comment, a string, a number, a shape's sizes: nothing to offer
    kTopLevel,          // where a computation begins
    kHeaderAttribute,   // a name after a comma of the HloModule line
    kHeaderValue,       // of `header_attribute`, nothing of which is written
    kThreadAttribute,   // after a comma after a computation
    kInstructionStart,  // where an instruction begins
    kShapeOrOpcode,     // after `name =`
    kOpcode,            // after the result shape
    kElementType,       // inside a tuple shape, or where a signature has a shape
    kLayout,            // in the braces of a layout
    kOperand,           // operand number `operand`
    kAttributeName,     // after a comma after the operands
    kAttributeValue,    // of `attribute`
  };
  Place place = Place::kNone;
  // The word under the cursor, which a choice replaces: empty, at the cursor, if none has been begun. Without the `%`
  // of a name and without the `=` of an attribute.
  SourceRange word;
  absl::string_view prefix;           // the part of the word before the cursor
  bool percent = false;               // a `%` is before the word
  bool attribute_has_equals = false;  // the word is followed by `=` already

  ComputationId computation;       // whose body the cursor is in; none outside
  uint32_t instruction_begin = 0;  // where the text of the instruction begins; what is defined before can be used
  absl::string_view name;          // of the instruction
  SourceRange shape;               // its written result shape; empty if there is none
  Opcode opcode = Opcode::kInvalid;
  std::string unknown_opcode;  // a word in the place of an opcode
  SourceRange arguments;       // after `(` up to the cursor or `)`; empty if there are none yet

  size_t operand = 0;                                // kOperand
  std::vector<absl::string_view> operand_names;      // of the operands that are written, "" where one is missing
  std::vector<AttributeKind> attributes;             // written already, without the one at the cursor
  AttributeKind attribute{};                         // kAttributeValue
  bool in_braces = false;                            // kAttributeValue: inside the value's `{`
  bool empty_value = false;                          // kAttributeValue: nothing of the value is written
  std::vector<absl::string_view> header_attributes;  // written already
  absl::string_view header_attribute;                // kHeaderValue
};

// O(tokens of the instruction + computations).
CursorContext CursorContextAt(const Document& document, uint32_t offset);

// The innermost computation whose body holds the offset, also where its text is broken; none outside.
ComputationId ComputationWithBodyAt(const Document& document, uint32_t offset);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_EDITING_CURSOR_CONTEXT_H_
