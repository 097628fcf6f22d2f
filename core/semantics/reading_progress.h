// SPDX-License-Identifier: Apache-2.0
// How far the reading of a module has got. Internal to core/semantics.
#ifndef HLOSCOPE_CORE_SEMANTICS_READING_PROGRESS_H_
#define HLOSCOPE_CORE_SEMANTICS_READING_PROGRESS_H_

#include <vector>

#include "core/ir/module.h"
#include "core/syntax/syntax_tree.h"

namespace hloscope {

struct ReadingProgress {
  // What the nodes that were read have become.
  std::vector<InstructionId> instruction_of_syntax;
  std::vector<ComputationId> computation_of_syntax;
  ComputationId computation;  // the one that is being read
  // While a module is updated: the instruction that is read again, and its node in the tree of the whole text.
  InstructionId updated;
  SyntaxId updated_syntax;
  // While a module is read in parts of its text: the numbers of the part's first nodes in the tree of the whole text.
  uint32_t first_instruction_node = 0, first_computation_node = 0;
  // What was read makes or needs more than the updated instruction.
  bool is_irregular = false;

  bool is_update() const { return updated.has_value(); }
  // What a node of the tree that is read is in the tree of the whole text.
  SyntaxId NodeOfText(SyntaxId node) const {
    return is_update() ? updated_syntax : SyntaxId(first_instruction_node + node.value);
  }
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SEMANTICS_READING_PROGRESS_H_
