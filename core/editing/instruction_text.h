// SPDX-License-Identifier: Apache-2.0
// The tokens and the syntax of one instruction of a text.
#ifndef HLOSCOPE_CORE_EDITING_INSTRUCTION_TEXT_H_
#define HLOSCOPE_CORE_EDITING_INSTRUCTION_TEXT_H_

#include <memory>

#include "core/document/document.h"
#include "core/document/statement_syntax.h"

namespace hloscope {

// A part of the document's syntax if that is there, else read for the occasion, which takes the time of its statement.
// The document must outlive the object.
class InstructionText {
 public:
  // Requires an instruction that is in the text (module.instruction(id).syntax).
  InstructionText(const Document& document, InstructionId id);

  const TokenBuffer& tokens() const { return *tokens_; }
  const SyntaxTree& tree() const { return *tree_; }
  const InstructionSyntax& node() const { return *node_; }
  const OperandSyntax& operand(size_t k) const { return tree_->operands[node_->first_operand + k]; }
  const AttributeSyntax& attribute(size_t a) const { return tree_->attributes[node_->first_attribute + a]; }
  absl::string_view TextOf(TokenIndex token) const { return source_->Slice(tokens_->range(token)); }
  SourceRange RangeOf(TokenRange range) const;

 private:
  const SourceText* source_;
  std::unique_ptr<StatementSyntax> own_;
  const TokenBuffer* tokens_ = nullptr;
  const SyntaxTree* tree_ = nullptr;
  const InstructionSyntax* node_ = nullptr;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_EDITING_INSTRUCTION_TEXT_H_
