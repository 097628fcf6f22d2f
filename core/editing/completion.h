// SPDX-License-Identifier: Apache-2.0
// What can be written at a position, best first, as text or as a snippet with holes to fill.
#ifndef HLOSCOPE_CORE_EDITING_COMPLETION_H_
#define HLOSCOPE_CORE_EDITING_COMPLETION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/document/document.h"
#include "core/editing/cursor_context.h"
#include "core/editing/fitting.h"

namespace hloscope {

struct CompletionChoice {
  enum class Kind : uint8_t {
    kOpcode,
    kBuilderCall,  // of the builder interface, which a fix makes HLO
    kValue,        // an instruction that can be an operand
    kAttribute,
    kWord,  // of an enumeration, or a bool
    kComputation,
    kElementType,
    kShape,
    kLayout,
    kKeyword,
  };
  Kind kind = Kind::kKeyword;
  std::string label;
  std::string insert;  // what takes the place of the word; a snippet in the language of LSP if `is_snippet`
  bool is_snippet = false;
  std::string detail;  // a few words: a shape, a signature
  uint32_t index = 0;  // of the opcode, instruction, attribute kind or computation that `kind` speaks of
};

struct CompletionOptions {
  size_t max_choices = 200;
  bool snippets = true;
};

struct CompletionChoices {
  SourceRange replaced;                   // of the text: the word under the cursor
  std::vector<CompletionChoice> choices;  // the best first
  bool complete = true;                   // false: there are more, which a longer word brings up
};

// Everything that begins as the word before the cursor, or has its letters in this order.
CompletionChoices Complete(const Document& document, uint32_t offset, const CompletionOptions& options = {});

// What the text says of the instruction at a cursor: shapes of the operands that are written.
PartialInstruction PartialInstructionAt(const Document& document, const CursorContext& context);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_EDITING_COMPLETION_H_
