// SPDX-License-Identifier: Apache-2.0
#include "core/syntax/statement_parser.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "core/ir/opcode.h"
#include "core/lex/lexer.h"
#include "core/syntax/syntax_parser.h"

namespace hloscope {

bool StatementParser::SkipGroupUnreported() {
  tree_.looked_far = true;
  if (group_unclosed_) return false;  // looking for the end of every group again would take quadratic time
  int64_t depth = 0;
  const TokenIndex start = pos_;
  for (; !At(Kind::kEndOfFile) && !At(Kind::kEntry); ++pos_) {
    if (IsOpeningBracket(tokens_.kind(pos_))) ++depth;
    if (IsClosingBracket(tokens_.kind(pos_)) && --depth == 0) {
      ++pos_;
      return true;
    }
  }
  pos_ = start;
  group_unclosed_ = true;
  return false;
}

void StatementParser::Drain() {
  completed_top_level_ = false;
  while (!stack_.empty()) Step();
}

void StatementParser::Step() {
  switch (stack_.back().phase) {
    case Open::Phase::kBody:
      return StepBody();
    case Open::Phase::kOperands:
      return StepOperands();
    case Open::Phase::kAttributes:
      return StepAttributes();
    case Open::Phase::kComputationList:
      return StepComputationList();
  }
}

bool StatementParser::AtUnclosedBodyEnd() {
  return At(Kind::kEndOfFile) || At(Kind::kEntry) || At(Kind::kHloModule) ||
         (IsComputationStart(pos_) && !IsBraceInWord(pos_ + 1) && IsTopLevelComputation(pos_));
}

void StatementParser::StepBody() {
  Open& body = stack_.back();
  if (At(Kind::kRightBrace)) {
    if (IsSurplusBrace()) return SkipSurplusBrace();
    body.computation.close_brace = pos_++;
    return FinishBody();
  }
  if (AtUnclosedBodyEnd()) {
    if (!TakeBraceFromLastValue(body.computation)) ReportUnclosedComputation(body.computation);
    return FinishBody();
  }
  StartInstruction(/*has_name=*/true);
}

void StatementParser::ReportUnclosedComputation(const ComputationSyntax& computation) {
  const uint32_t end = tokens_.end(pos_ - 1);
  Diagnostic& d = sink_.Report(DiagnosticKind::kUnclosedComputation, RangeAt(pos_), Found(pos_))
                      .Fix("insert `}`", SourceRange{end, end}, "\n}");
  if (computation.open_brace != kNoToken) d.Related(RangeAt(computation.open_brace), "the brace opened here");
}

bool StatementParser::IsSurplusBrace() {
  // Inline bodies are in instructions that go on after them.
  const size_t outermost = stack_.back().phase == Open::Phase::kBody ? 1 : 2;
  if (stack_.size() > outermost || tree_.kind == SyntaxTree::TextKind::kSingleInstruction) return false;
  if (IsStatementStart(pos_ + 1)) return true;
  const Kind next = Peek(1);
  if (next == Kind::kEndOfFile || next == Kind::kRightBrace || next == Kind::kError) return false;
  if (next == Kind::kComma) return IsTailOfInstruction(pos_ + 1);
  // Whatever else starts a line is not part of this body.
  const SourceRange between = {tokens_.end(pos_), tokens_.begin(pos_ + 1)};
  if (source_.Slice(between).find_first_of("\r\n") != absl::string_view::npos) return false;
  return !IsComputationStart(pos_ + 1) || (Peek(2) == Kind::kLeftParen && !IsTopLevelComputation(pos_ + 1));
}

void StatementParser::SkipSurplusBrace() {
  Fail(DiagnosticKind::kExpectedToken, "an instruction", Found(pos_));
  // The attributes after the brace are those of the instruction before it, which now lacks them.
  if (IsTailOfInstruction(pos_ + 1) && lists_.size() > stack_.back().list_base) {
    tree_.instructions[lists_.back().index()].broken = true;
  }
  ++pos_;
  SkipStatement();
}

bool StatementParser::IsTailOfInstruction(TokenIndex i) const {
  return IsAttributeTail(i) && IsAttributeName(TokenName(Kind::kAttributeName, Text(i + 1)));
}

bool StatementParser::TakeBraceFromLastValue(ComputationSyntax& computation) {
  const TokenIndex brace = pos_ - 1;
  if (!At(Kind::kEndOfFile) && !At(Kind::kEntry) && !IsComputationStart(pos_)) return false;
  if (lists_.size() <= stack_.back().list_base) return false;
  InstructionSyntax& last = tree_.instructions[lists_.back().index()];
  if (last.broken || last.tokens.end != pos_ || last.attribute_count == 0) return false;
  if (tokens_.kind(brace) == Kind::kRawBlock) return TakeBraceFromRawBlock(computation, last);
  if (tokens_.kind(brace) != Kind::kRightBrace) return false;
  if (tree_.attributes[last.first_attribute + last.attribute_count - 1].inline_computation_count > 0) return false;
  int64_t depth = 0;
  TokenIndex open = pos_;
  do {
    --open;
    if (IsClosingBracket(tokens_.kind(open))) ++depth;
    if (IsOpeningBracket(tokens_.kind(open))) --depth;
  } while (depth > 0 && open > last.tokens.begin);
  const auto line = [&](uint32_t offset) { return source_.LineColumnAt(offset).line; };
  if (line(tokens_.begin(brace)) == line(tokens_.end(brace - 1) - 1) ||
      line(tokens_.begin(brace)) == line(tokens_.begin(open))) {
    return false;
  }
  const uint32_t at = tokens_.end(brace - 1);
  const absl::string_view close = BracketText(ClosingBracketOf(tokens_.kind(open)));
  sink_.Report(DiagnosticKind::kUnclosedBracket, RangeAt(open), Text(open))
      .Fix(absl::StrCat("insert `", close, "`"), SourceRange{at, at}, std::string(close));
  last.broken = true;
  computation.close_brace = brace;
  return true;
}

// A line of HLO; those of JSON begin with quotes and brackets.
static bool LooksLikeStatement(absl::string_view line) {
  line = absl::StripLeadingAsciiWhitespace(line);
  if (line.empty() || line.find('=') == absl::string_view::npos) return false;
  const unsigned char first = static_cast<unsigned char>(line[0]);
  return absl::ascii_isalpha(first) || first == '%' || first == '_';
}

bool StatementParser::TakeBraceFromRawBlock(ComputationSyntax& computation, InstructionSyntax& last) {
  const uint32_t begin = tokens_.begin(pos_ - 1);
  const absl::string_view block = Text(pos_ - 1);
  const size_t last_line = block.find_last_of('\n');
  if (last_line == absl::string_view::npos || absl::StripAsciiWhitespace(block.substr(last_line)) != "}") return false;
  // It should have ended with the line before the first instruction or the brace.
  size_t end = last_line;
  for (size_t at = block.find('\n'); at < last_line; at = block.find('\n', at + 1)) {
    if (!LooksLikeStatement(block.substr(at + 1, block.find('\n', at + 1) - at - 1))) continue;
    end = at;
    break;
  }
  end = absl::StripTrailingAsciiWhitespace(block.substr(0, end)).size();
  const int64_t missing = OpenBraces(block.substr(0, end));
  if (missing <= 0) return false;
  const uint32_t at = begin + static_cast<uint32_t>(end);
  const std::string braces(static_cast<size_t>(missing), '}');
  sink_.Report(DiagnosticKind::kUnclosedRawBlock, SourceRange{begin, begin + 1})
      .Fix(absl::StrCat("insert `", braces, "`"), SourceRange{at, at}, braces);
  last.broken = true;
  computation.close_brace = pos_ - 1;
  return true;
}

bool StatementParser::IsTopLevelComputation(TokenIndex i) {
  TokenIndex j = i + 1;
  if (tokens_.kind(j) == Kind::kLeftParen) {
    int64_t depth = 0;
    for (; j + 1 < tokens_.size(); ++j) {
      if (IsOpeningBracket(tokens_.kind(j))) ++depth;
      if (IsClosingBracket(tokens_.kind(j)) && --depth == 0) break;
      if (tokens_.kind(j) == Kind::kEquals) return false;
    }
    tree_.looked_far = tree_.looked_far || j > i + 64 || j + kLookahead >= tokens_.size();
    return j + 1 < tokens_.size() && tokens_.kind(j + 1) == Kind::kArrow;
  }
  return j + 1 < tokens_.size() && IsStatementStart(j + 1);
}

void StatementParser::StartInlineBody() {
  if (stack_.size() > static_cast<size_t>(kMaxNesting)) {
    Fail(DiagnosticKind::kNestingTooDeep, kMaxNesting);
    return Break();
  }
  Open open;
  open.phase = Open::Phase::kBody;
  open.computation.tokens.begin = pos_;
  open.computation.open_brace = pos_++;
  open.list_base = lists_.size();
  stack_.push_back(open);
}

void StatementParser::FinishInstruction() {
  Open& open = stack_.back();
  InstructionSyntax& node = open.instruction;
  node.tokens.end = pos_;
  node.first_operand = static_cast<uint32_t>(tree_.operands.size());
  node.operand_count = static_cast<uint32_t>(operands_.size() - open.operand_base);
  tree_.operands.insert(tree_.operands.end(), operands_.begin() + static_cast<std::ptrdiff_t>(open.operand_base),
                        operands_.end());
  operands_.resize(open.operand_base);
  const uint32_t inline_first = static_cast<uint32_t>(tree_.inline_computations.size());
  node.first_attribute = static_cast<uint32_t>(tree_.attributes.size());
  node.attribute_count = static_cast<uint32_t>(attributes_.size() - open.attribute_base);
  for (size_t i = open.attribute_base; i < attributes_.size(); ++i) {
    attributes_[i].first_inline_computation += inline_first;
    tree_.attributes.push_back(attributes_[i]);
  }
  attributes_.resize(open.attribute_base);
  tree_.inline_computations.insert(tree_.inline_computations.end(),
                                   inlines_.begin() + static_cast<std::ptrdiff_t>(open.inline_base), inlines_.end());
  inlines_.resize(open.inline_base);
  tree_.instructions.push_back(node);
  const SyntaxId id(tree_.instructions.size() - 1);
  lists_.push_back(id);
  const bool nested = open.is_nested_operand;
  stack_.pop_back();
  if (!nested) {
    sink_.SetSource(CheckStage::kSyntax);
    return;
  }
  // Hand the nested instruction to the operand list that waits for it.
  tree_.has_nested_operands = true;
  Open& outer = stack_.back();
  outer.operand.nested = id;
  outer.operand.tokens.end = pos_;
  outer.operand.path_begin = pos_;
  operands_.push_back(outer.operand);
  if (!NextOperand() && !CloseOperands()) Break();
}

void StatementParser::FinishBody() {
  Open& open = stack_.back();
  ComputationSyntax& computation = open.computation;
  computation.tokens.end = pos_;
  computation.first_instruction = static_cast<uint32_t>(tree_.instruction_lists.size());
  computation.instruction_count = static_cast<uint32_t>(lists_.size() - open.list_base);
  const uint32_t index = static_cast<uint32_t>(tree_.computations.size());
  for (size_t i = open.list_base; i < lists_.size(); ++i) {
    tree_.instruction_lists.push_back(lists_[i]);
    tree_.instructions[lists_[i].index()].computation = index;
  }
  lists_.resize(open.list_base);
  tree_.computations.push_back(computation);
  stack_.pop_back();
  if (stack_.empty()) {
    completed_top_level_ = true;
    return;
  }
  // An inline computation: hand it to the attribute that waits for it.
  Open& outer = stack_.back();
  inlines_.push_back(index);
  ++outer.attribute.inline_computation_count;
  if (outer.phase == Open::Phase::kAttributes) {
    outer.attribute.value.end = pos_;
    attributes_.push_back(outer.attribute);
  }
}

void StatementParser::Break() {
  while (stack_.back().phase == Open::Phase::kBody || stack_.back().is_nested_operand) {
    // Nothing of a half-read nested operand is kept.
    if (stack_.back().phase == Open::Phase::kBody) break;
    operands_.resize(stack_.back().operand_base);
    stack_.pop_back();
  }
  if (stack_.back().phase == Open::Phase::kBody) {
    SkipStatement();
    return;
  }
  stack_.back().instruction.broken = true;
  SkipStatement();
  stack_.back().is_nested_operand = false;
  FinishInstruction();
}

void StatementParser::SkipStatement() {
  int64_t depth = 0;
  bool moved = false;
  while (!At(Kind::kEndOfFile) && !At(Kind::kEntry)) {
    const Kind kind = tokens_.kind(pos_);
    if (moved || pos_ != stack_.back().instruction.tokens.begin) {
      if (IsStatementStart(pos_)) return;
    }
    if (kind == Kind::kLeftBrace) {
      const bool is_body = pos_ > 0 && tokens_.kind(pos_ - 1) == Kind::kAttributeName &&
                           IsComputationAttributeName(TokenName(Kind::kAttributeName, Text(pos_ - 1)));
      if (is_body && SkipGroupUnreported()) {
        moved = true;
        continue;
      }
      ++depth;
    } else if (kind == Kind::kRightBrace) {
      if (depth == 0 && !IsAttributeTail(pos_ + 1) && !IsSurplusBrace()) return;
      if (depth > 0) --depth;
    }
    ++pos_;
    moved = true;
  }
}

bool StatementParser::IsAttributeTail(TokenIndex i) const {
  return i + 1 < tokens_.size() && tokens_.kind(i) == Kind::kComma && tokens_.kind(i + 1) == Kind::kAttributeName &&
         Text(i + 1) != "execution_thread=";
}

}  // namespace hloscope
