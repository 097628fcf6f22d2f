// SPDX-License-Identifier: Apache-2.0
#include "core/editing/instruction_text.h"

#include "core/semantics/anchor_resolver.h"

namespace hloscope {

InstructionText::InstructionText(const Document& document, InstructionId id) : source_(&document.source()) {
  const size_t node = document.module().instruction(id).syntax.index();
  if (document.has_whole_syntax()) {
    tokens_ = &document.tokens();
    tree_ = &document.syntax();
    node_ = &tree_->instructions[node];
    return;
  }
  own_ = ReadStatement(document.source(), document.text_map(), document.text_map().StatementOf(node));
  tokens_ = &own_->tokens;
  tree_ = &own_->tree;
  node_ = &tree_->instructions[node - own_->first_node];
}

SourceRange InstructionText::RangeOf(TokenRange range) const { return RangeOfTokens(*tokens_, range); }

}  // namespace hloscope
