// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/builder/builder_calls.h"
#include "core/diagnostics/familiar_names.h"
#include "core/ir/opcode.h"
#include "core/lex/lexer.h"
#include "core/syntax/statement_parser.h"
#include "core/syntax/syntax_parser.h"

namespace hloscope {

void StatementParser::StartInstruction(bool has_name) {
  if (stack_.size() > static_cast<size_t>(kMaxNesting)) {
    Fail(DiagnosticKind::kNestingTooDeep, kMaxNesting);
    ++pos_;
    return Break();
  }
  sink_.SetSource(CheckStage::kSyntax, static_cast<uint32_t>(tree_.instructions.size()));
  Open& open = stack_.emplace_back();
  open.phase = Open::Phase::kOperands;
  open.operand_base = operands_.size();
  open.attribute_base = attributes_.size();
  open.inline_base = inlines_.size();
  InstructionSyntax& node = open.instruction;
  node.tokens.begin = pos_;
  const int errors = sink_.error_count();
  bool good = true;
  if (has_name) {
    if (At(Kind::kRoot) && Peek(1) != Kind::kEquals) {
      node.is_root = true;
      ++pos_;
    } else if (IsWordBeforeStatement(pos_)) {
      node.is_root = WordBeforeStatement();
    }
    good = InstructionName(node);
  }
  good = good && Shape(node.shape);
  if (good && !node.shape.empty() && At(Kind::kLeftBrace) && Peek(1) == Kind::kRightBrace) {
    const SourceRange braces = {tokens_.begin(pos_), tokens_.end(pos_ + 1)};
    sink_.Report(DiagnosticKind::kEmptyLayout, braces).Fix("remove the braces", braces, "");
    pos_ += 2;
  }
  if (good) {
    if (pos_ > node.tokens.begin && IsStatementStart(pos_)) {
      sink_.Report(DiagnosticKind::kExpectedOpcode, RangeAt(pos_ - 1), FoundStatement());
      good = false;
    } else if (At(Kind::kIdentifier)) {
      node.opcode = pos_++;
    } else {
      // After an `=` that is missing in front of the shape one may be here.
      good = sink_.error_count() == errors && Fail(DiagnosticKind::kExpectedOpcode, FoundOpcode());
    }
  }
  good = good && OpenArguments(open);
  if (!good) Break();
}

bool StatementParser::InstructionName(InstructionSyntax& node) {
  // Before a right-hand side.
  if (At(Kind::kAttributeName) && (Peek(1) == Kind::kPrimitiveType || Peek(1) == Kind::kLeftParen ||
                                   (Peek(1) == Kind::kIdentifier && Peek(2) == Kind::kLeftParen))) {
    const uint32_t at = tokens_.end(pos_) - 1;
    sink_.Report(DiagnosticKind::kNameTouchesEquals, RangeAt(pos_), Text(pos_))
        .Fix("insert a blank", SourceRange{at, at}, " ");
    node.name = pos_++;
    return true;
  }
  if (At(Kind::kName) || At(Kind::kIdentifier)) {
    node.name = pos_++;
  } else if (At(Kind::kPrimitiveType) && Peek(1) == Kind::kEquals) {
    node.name = pos_++;  // an illegal name, reported with the other rules for names
  } else if (tokens_.kind(pos_) >= Kind::kTrue && Peek(1) == Kind::kEquals && !At(Kind::kNegativeInf)) {
    const uint32_t at = tokens_.begin(pos_);
    sink_.Report(DiagnosticKind::kKeywordAsName, RangeAt(pos_), Text(pos_))
        .Fix(absl::StrCat("write `%", Text(pos_), "`"), SourceRange{at, at}, "%");
    node.name = pos_++;
  } else {
    return Fail(DiagnosticKind::kExpectedName, "the name of an instruction", Found(pos_));
  }
  if (Eat(Kind::kEquals)) return true;
  if (At(Kind::kError)) return false;
  if (Text(node.name) == "return") {
    return Fail(DiagnosticKind::kExpectedToken, "`ROOT name = ...`", absl::StrCat("`return` and ", Found(pos_)));
  }
  const uint32_t at = tokens_.end(pos_ - 1);
  Diagnostic& d = sink_.Report(DiagnosticKind::kMissingEquals, RangeBehind(pos_ - 1),
                               TokenName(tokens_.kind(node.name), Text(node.name)), Found(pos_));
  // What follows reads as the right-hand side.
  if (!At(Kind::kPrimitiveType) && !(At(Kind::kIdentifier) && Peek(1) == Kind::kLeftParen)) return false;
  d.Fix("insert `=`", SourceRange{at, at}, " =");
  return true;
}

// `parametr(0)`: what is in the parentheses is no operand, and the opcode is the mistake.
bool StatementParser::IsMeantForValue(absl::string_view opcode) const {
  const Kind first = Peek(1);
  if (first != Kind::kInteger && first != Kind::kDecimal && first != Kind::kLeftBrace && first != Kind::kTrue &&
      first != Kind::kFalse) {
    return false;
  }
  if (OpcodeFromName(opcode)) return false;
  const absl::string_view meant = NearestOpcode(opcode);
  return meant == "constant" || meant == "parameter";
}

bool StatementParser::OpenArguments(Open& open) {
  InstructionSyntax& node = open.instruction;
  const absl::string_view opcode = Text(node.opcode);
  if (!At(Kind::kLeftParen)) {
    if (!At(Kind::kError)) {
      sink_.Report(DiagnosticKind::kMissingOperandList, RangeBehind(pos_ - 1), opcode,
                   absl::StrCat(Found(pos_), HintAtMissingList(node)));
    }
    return false;
  }
  // Their arguments are values; those of the builder interface have names of their own.
  if (opcode == "constant" || opcode == "parameter" || WrittenBuilderCall(opcode) != nullptr ||
      IsMeantForValue(opcode)) {
    const TokenIndex begin = pos_ + 1;
    if (!SkipGroup()) return false;
    node.arguments = {begin, pos_ - 1};
    open.phase = Open::Phase::kAttributes;
    return true;
  }
  ++pos_;
  node.arguments = {pos_, pos_};  // if they break off, none of them counts
  return true;
}

void StatementParser::StepOperands() {
  // Reads operands until the list ends or one is a nested instruction.
  while (true) {
    // Commas that nothing precedes: the reference skips them.
    const TokenIndex first = pos_;
    for (; At(Kind::kComma); ++pos_) ReportSkippedComma(pos_);
    const bool skipped = pos_ > first;
    if (At(Kind::kRightParen) && (skipped || pos_ == stack_.back().instruction.arguments.begin)) break;
    if (IsStatementStart(pos_)) break;
    OperandSyntax operand;
    operand.tokens.begin = pos_;
    if (At(Kind::kLeftParen) && Peek(1) == Kind::kInteger) {  // a tuple of Python; shapes begin otherwise
      FailOperand();
      return Break();
    }
    if (!Shape(operand.shape)) return Break();
    if (At(Kind::kIdentifier) && Peek(1) == Kind::kLeftParen) {
      return StartNestedOperand(operand);
    }
    if (At(Kind::kName) || At(Kind::kIdentifier)) {
      operand.name = pos_++;
      operand.path_begin = pos_;
      while (At(Kind::kHash)) {
        ++pos_;
        if (!Expect(Kind::kInteger)) return Break();
      }
    } else if (operand.shape.empty()) {
      if (tokens_.kind(pos_ - 1) == Kind::kComma && EndsOperands()) {
        if (At(Kind::kAttributeName)) --pos_;  // the comma belongs to the attribute after the missing parenthesis
        if (At(Kind::kRightParen)) ReportSkippedComma(pos_ - 1);
        break;
      }
      FailOperand();
      return Break();
    } else {
      operand.path_begin = pos_;
      if (tree_.kind != SyntaxTree::TextKind::kSingleInstruction || stack_.size() != 2) {
        Fail(DiagnosticKind::kExpectedName, "the name of an operand after its shape", Found(pos_));
        return Break();
      }
    }
    operand.tokens.end = pos_;
    operands_.push_back(operand);
    if (!NextOperand()) break;
  }
  if (!CloseOperands()) return Break();
  StepAttributes();
}

bool StatementParser::EndsOperands() const {
  return At(Kind::kRightParen) || At(Kind::kRightBrace) || At(Kind::kEndOfFile) || IsKnownAttribute(pos_) ||
         IsStatementStart(pos_);
}

bool StatementParser::IsKnownAttribute(TokenIndex i) const {
  return tokens_.kind(i) == Kind::kAttributeName && IsAttributeName(TokenName(Kind::kAttributeName, Text(i)));
}

void StatementParser::FailOperand() {
  const Kind kind = tokens_.kind(pos_);
  // Of what nobody knows what it takes the name is the mistake.
  const TokenIndex opcode = stack_.back().instruction.opcode;
  if (kind != Kind::kError && kind != Kind::kEndOfFile && !OpcodeFromName(Text(opcode))) {
    ReportUnknownOpcode(sink_, RangeAt(opcode), Text(opcode));
    return;
  }
  const bool is_number = kind == Kind::kInteger || kind == Kind::kDecimal || kind == Kind::kTrue ||
                         kind == Kind::kFalse || kind == Kind::kInf || kind == Kind::kNegativeInf;
  const InstructionSyntax& node = stack_.back().instruction;
  const bool is_index = kind == Kind::kInteger && Text(node.opcode) == "get-tuple-element";
  Fail(DiagnosticKind::kExpectedName,
       is_index    ? absl::StrCat("an operand (the element is an attribute, `index=", Text(pos_), "`)")
       : is_number ? "an operand (a number is an instruction, `f32[] constant(1)`)"
                   : "an operand",
       Found(pos_));
}

bool StatementParser::NextOperand() {
  if (Eat(Kind::kComma)) return true;
  const bool at_operand = At(Kind::kName) || At(Kind::kIdentifier) || At(Kind::kPrimitiveType) || At(Kind::kLeftParen);
  if (!at_operand || IsStatementStart(pos_)) return false;
  ReportMissingComma();
  return true;
}

bool StatementParser::CloseOperands() {
  Open& open = stack_.back();
  open.instruction.arguments.end = pos_;
  open.phase = Open::Phase::kAttributes;
  if (Eat(Kind::kRightParen)) return true;
  const TokenIndex paren = open.instruction.arguments.begin - 1;
  if (At(Kind::kRightBracket) || (At(Kind::kRightBrace) && Peek(1) == Kind::kComma)) {
    ReportMismatch(pos_++, paren);
    return true;
  }
  const bool before_attribute = At(Kind::kComma) && IsKnownAttribute(pos_ + 1);
  if (before_attribute && !open.is_nested_operand) {
    open.late_paren = ParenBehindAttributes();
    if (open.late_paren != kNoToken) {
      const uint32_t at = tokens_.begin(pos_);
      Diagnostic& d =
          sink_.Report(DiagnosticKind::kExpectedToken, RangeAt(pos_), "`)` before the attributes", Found(pos_))
              .Fix("put the `)` before them", SourceRange{at, at}, ")");
      d.fixes.back().edits.push_back({RangeAt(open.late_paren), ""});
      return true;
    }
  }
  if (before_attribute || (EndsOperands() && !open.is_nested_operand)) {
    // A comma that nothing follows makes place for the parenthesis.
    const SourceRange last = RangeAt(pos_ - 1);
    const bool replaces_comma = tokens_.kind(pos_ - 1) == Kind::kComma;
    sink_.Report(DiagnosticKind::kUnclosedBracket, RangeAt(paren), Text(paren))
        .Fix("insert `)`", replaces_comma ? last : SourceRange{last.end, last.end}, ")");
    // After a comma or the opening parenthesis operands are missing, too.
    return !replaces_comma && pos_ != open.instruction.arguments.begin;
  }
  return Fail(DiagnosticKind::kExpectedToken, "`,` or `)` after an operand", Found(pos_));
}

TokenIndex StatementParser::ParenBehindAttributes() const {
  int64_t depth = 0;
  for (TokenIndex i = pos_; i < tokens_.size(); ++i) {
    const Kind kind = tokens_.kind(i);
    if (kind == Kind::kEndOfFile || kind == Kind::kEntry || kind == Kind::kError || IsStatementStart(i)) break;
    if (IsOpeningBracket(kind)) ++depth;
    if (!IsClosingBracket(kind)) continue;
    if (depth == 0) return kind == Kind::kRightParen ? i : kNoToken;
    --depth;
  }
  return kNoToken;
}

void StatementParser::StartNestedOperand(const OperandSyntax& operand) {
  if (stack_.size() > static_cast<size_t>(kMaxNesting) / 2) {
    Fail(DiagnosticKind::kNestingTooDeep, kMaxNesting);
    return Break();
  }
  stack_.back().operand = operand;
  Open& open = stack_.emplace_back();
  open.phase = Open::Phase::kOperands;
  open.is_nested_operand = true;
  open.operand_base = operands_.size();
  open.attribute_base = attributes_.size();
  open.inline_base = inlines_.size();
  open.instruction.tokens.begin = operand.tokens.begin;
  open.instruction.shape = operand.shape;
  open.instruction.opcode = pos_++;
  const bool good = OpenArguments(open);
  if (!good) Break();
}

}  // namespace hloscope
