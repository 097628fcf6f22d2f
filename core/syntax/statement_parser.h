// SPDX-License-Identifier: Apache-2.0
// Reads the bodies of computations, statement by statement: with a stack instead of recursion, and going on after what
// cannot be read. Internal to core/syntax.
//
//   statement_parser.cc      bodies; how statements end; recovery
//   statement_operands.cc    up to the closing parenthesis of the operands
//   statement_attributes.cc  what follows it
#ifndef HLOSCOPE_CORE_SYNTAX_STATEMENT_PARSER_H_
#define HLOSCOPE_CORE_SYNTAX_STATEMENT_PARSER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/syntax/token_walker.h"

namespace hloscope {

class StatementParser : protected TokenWalker {
 protected:
  using TokenWalker::TokenWalker;

  // Tokens after a statement that decide that it ends there.
  static constexpr TokenIndex kLookahead = 4;

  // What is being read, outermost first: a computation body, or an instruction in a body or in an operand list.
  struct Open {
    enum class Phase : uint8_t { kBody, kOperands, kAttributes, kComputationList };
    Phase phase;
    ComputationSyntax computation;  // kBody
    InstructionSyntax instruction;  // otherwise
    AttributeSyntax attribute;      // the computation-valued attribute being read
    OperandSyntax operand;          // the nested operand being read
    size_t list_base = 0;           // into the scratch vectors: where this node's children start
    size_t operand_base = 0, attribute_base = 0, inline_base = 0;
    TokenIndex late_paren = kNoToken;  // the operands' closing parenthesis if attributes come before it
    bool is_nested_operand = false;
  };

  // --- Bodies ---
  bool SkipGroupUnreported();
  void Drain();
  void Step();
  // Where a body ends although its closing brace is missing.
  bool AtUnclosedBodyEnd();
  void StepBody();
  void ReportUnclosedComputation(const ComputationSyntax& computation);
  // If a value that was not closed took the brace of its computation: a brace that is the first on its line and closes
  // one from a line before. The value is reported, and its instruction is lost instead of the computation's end.
  bool TakeBraceFromLastValue(ComputationSyntax& computation);
  // The same for a block of raw text, which may have taken instructions, too.
  bool TakeBraceFromRawBlock(ComputationSyntax& computation, InstructionSyntax& last);
  // Inside a body, `name (` or `name {` may be an instruction that lacks its `=`. A computation has a signature with an
  // arrow, or its brace is followed by a statement.
  bool IsTopLevelComputation(TokenIndex i);
  void StartInlineBody();
  void FinishInstruction();
  void FinishBody();
  // A diagnostic was reported: gives up the innermost instruction that is in a body and goes on after it.
  void Break();
  // To the next `name =`, ROOT, or the brace that closes the body. Bodies inside the statement are skipped whole.
  void SkipStatement();
  // Whether the closing brace at the current token cannot be that of the body: an instruction follows it, or the rest
  // of one on the same line.
  bool IsSurplusBrace();
  void SkipSurplusBrace();
  // `, name=` of an attribute that instructions have.
  bool IsTailOfInstruction(TokenIndex i) const;
  // The brace touches what is before and after it, as one typed into a name does.
  bool IsBraceInWord(TokenIndex i) const {
    return tokens_.kind(i) == Kind::kLeftBrace && i + 1 < tokens_.size() && tokens_.end(i - 1) == tokens_.begin(i) &&
           tokens_.end(i) == tokens_.begin(i + 1);
  }
  // `, name=` after a stray closing brace: it belonged to a lost attribute value, not to the body. (A body's brace may
  // be followed by `, execution_thread=` only.)
  bool IsAttributeTail(TokenIndex i) const;

  // --- Up to the operands ---
  // Reads up to the opening parenthesis of the operands and opens the instruction.
  void StartInstruction(bool has_name);
  // `name =`, and what people write instead of it.
  bool InstructionName(InstructionSyntax& node);
  // Is after the opcode: `(`, and for parameter and constant the whole argument.
  bool OpenArguments(Open& open);
  bool IsMeantForValue(absl::string_view opcode) const;
  // `root x = ...`, `let x = ...`: a word that begins a line and does not belong before the start of a statement.
  bool IsWordBeforeStatement(TokenIndex i) const;
  // Reports it; true if ROOT is meant.
  bool WordBeforeStatement();
  // What is where an opcode must be, and after an opcode that has no operands, with what is meant by it.
  std::string FoundOpcode() const;
  std::string FoundStatement() const;
  std::string HintAtExpression(TokenIndex first) const;
  std::string HintAtMissingList(const InstructionSyntax& node) const;
  // The same where an attribute must be.
  std::string FoundAttribute() const;
  void StepOperands();
  // Where an operand must be: the list ends here, with or without its parenthesis.
  bool EndsOperands() const;
  bool IsKnownAttribute(TokenIndex i) const;
  // Not at an operand.
  void FailOperand();
  // After an operand: whether another one follows. A comma that is missing is reported and taken as written.
  bool NextOperand();
  // At the parenthesis after the operands. One that is missing or of another kind is reported and taken as written.
  bool CloseOperands();
  // From the comma after the operands on: the parenthesis that attributes come before by mistake, or kNoToken.
  TokenIndex ParenBehindAttributes() const;
  void StartNestedOperand(const OperandSyntax& operand);

  // --- Attributes ---
  void StepAttributes();
  // After an instruction of a body, at a token with which nothing can go on: it belongs to this instruction.
  bool AtStray() const;
  // `name =` where an attribute is meant, not the next instruction: a known attribute, not followed by a right-hand
  // side.
  bool IsAttributeApart() const;
  bool IsNextStatement() const { return IsStatementStart(pos_) && !IsAttributeApart(); }
  // `name=` of an attribute without a comma before it, and not an instruction's name that touches its `=`.
  bool IsAttributeWithoutComma() const;
  // `name:` where `name=` is meant.
  bool IsAttributeWithColon() const;
  // The brace at the current token opens a body (and is not, say, the empty braces of a slice attribute).
  bool IsInlineBody() const;
  // Attributes whose value certainly holds no fields `name=value`; a misspelt name may stand for any attribute.
  static bool HasNoFields(absl::string_view attribute);
  // Is after the `name=` at `name`.
  bool SkipValue(TokenIndex name);
  // Inside `{f, %g, {body}}`.
  void StepComputationList();
  // Gives up an instruction inside its list of computations, whose brace does not close the body.
  void BreakList();

  SyntaxTree tree_;
  bool completed_top_level_ = false;
  bool group_unclosed_ = false;  // SkipGroupUnreported met a group without end
  std::vector<Open> stack_;
  // Children of the open nodes; moved to the tree when a node is complete, so that they are contiguous there.
  std::vector<OperandSyntax> operands_;
  std::vector<AttributeSyntax> attributes_;
  std::vector<uint32_t> inlines_;
  std::vector<SyntaxId> lists_;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SYNTAX_STATEMENT_PARSER_H_
