// SPDX-License-Identifier: Apache-2.0
#include "core/semantics/read_text.h"

namespace hloscope {

void ReadText::SetWhole(const TokenBuffer& tokens, const SyntaxTree& tree) {
  syntax_names_.emplace(source_, tokens, tree, module_);
  SetSyntax(tokens, tree);
  ids_ = &*nodes_;
  names_.emplace(source_, tokens, tree, module_, *syntax_names_, *ids_, sink_);
}

void ReadText::SetSurroundings(const AnchorResolver& ids) {
  ids_ = &ids;
  module_names_.emplace(module_, ids);
}

void ReadText::SetStatement(const TokenBuffer& tokens, const SyntaxTree& tree, InstructionId instruction) {
  module_names_->Start(instruction);
  SetSyntax(tokens, tree);
  names_.emplace(source_, tokens, tree, module_, *module_names_, *ids_, sink_);
}

void ReadText::SetSyntax(const TokenBuffer& tokens, const SyntaxTree& tree) {
  tokens_ = &tokens;
  tree_ = &tree;
  nodes_.emplace(source_, tokens, tree, module_);
}

}  // namespace hloscope
