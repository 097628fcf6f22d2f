// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include "core/ir/opcode.h"
#include "core/lex/lexer.h"
#include "core/syntax/statement_parser.h"

namespace hloscope {

void StatementParser::StepAttributes() {
  if (stack_.back().is_nested_operand) return FinishInstruction();
  while (true) {
    if (pos_ == stack_.back().late_paren) ++pos_;
    if (!Eat(Kind::kComma)) {
      if (!IsAttributeWithoutComma()) break;
      ReportMissingComma();
    }
    if (At(Kind::kComma) || At(Kind::kRightBrace) || At(Kind::kEndOfFile) || IsNextStatement()) {
      ReportSurplusComma(pos_ - 1);
      continue;
    }
    AttributeSyntax attribute;
    attribute.name = pos_;
    if (IsAttributeApart()) {
      // Without a value, that is what is reported.
      if (!IsStatementStart(pos_ + 2)) ReportAttributeApart();
      ++pos_;
    } else if (IsAttributeWithColon()) {
      const SourceRange colon = {tokens_.end(pos_) - 1, tokens_.end(pos_)};
      sink_.Report(DiagnosticKind::kExpectedToken, colon, "`=` after the name of an attribute", "`:`")
          .Fix("change to `=`", colon, "=");
    } else if (!At(Kind::kAttributeName)) {
      Fail(DiagnosticKind::kExpectedAttribute, FoundAttribute());
      return Break();
    }
    attribute.value.begin = ++pos_;
    attribute.first_inline_computation = static_cast<uint32_t>(inlines_.size() - stack_.back().inline_base);
    if (At(Kind::kLeftBrace)) {
      const absl::string_view name = TokenName(Kind::kAttributeName, Text(attribute.name));
      if (name == "branch_computations" || name == "called_computations") {
        ++pos_;
        stack_.back().attribute = attribute;
        stack_.back().phase = Open::Phase::kComputationList;
        return;
      }
      if (IsComputationAttributeName(name) && (Peek(1) == Kind::kName || Peek(1) == Kind::kIdentifier) &&
          Peek(2) == Kind::kRightBrace) {
        const SourceRange list = {tokens_.begin(pos_), tokens_.end(pos_ + 2)};
        sink_.Report(DiagnosticKind::kSurplusBraces, list, name)
            .Fix("remove the braces", list, std::string(Text(pos_ + 1)));
        attribute.value = {pos_ + 1, pos_ + 2};
        attributes_.push_back(attribute);
        pos_ += 3;
        continue;
      }
      if (IsComputationAttributeName(name) && IsInlineBody()) {
        stack_.back().attribute = attribute;
        return StartInlineBody();
      }
    }
    if (!SkipValue(attribute.name)) return Break();
    attribute.value.end = pos_;
    attributes_.push_back(attribute);
  }
  if (AtStray()) {
    Fail(DiagnosticKind::kExpectedToken, "`,` and an attribute, or the next instruction", Found(pos_));
    return Break();
  }
  FinishInstruction();
}

bool StatementParser::AtStray() const {
  if (tree_.kind == SyntaxTree::TextKind::kSingleInstruction && stack_.size() == 2) return false;
  const Kind kind = tokens_.kind(pos_);
  if (Peek(1) == Kind::kEquals) return false;  // the wrong name of another one
  return kind != Kind::kEndOfFile && kind != Kind::kRightBrace && kind != Kind::kAttributeName && !IsNameLike(kind);
}

bool StatementParser::IsAttributeApart() const {
  return At(Kind::kIdentifier) && Peek(1) == Kind::kEquals && IsAttributeName(Text(pos_)) &&
         Peek(2) != Kind::kPrimitiveType && Peek(2) != Kind::kLeftParen &&
         (Peek(2) != Kind::kIdentifier || IsStatementStart(pos_ + 2));
}

bool StatementParser::IsAttributeWithColon() const {
  return At(Kind::kName) && Text(pos_).back() == ':' && IsAttributeName(TokenName(Kind::kName, Text(pos_)));
}

bool StatementParser::IsAttributeWithoutComma() const {
  return At(Kind::kAttributeName) && Peek(1) != Kind::kPrimitiveType && Peek(1) != Kind::kLeftParen &&
         IsAttributeName(TokenName(Kind::kAttributeName, Text(pos_)));
}

bool StatementParser::IsInlineBody() const {
  return IsStatementStart(pos_ + 1) || Peek(1) == Kind::kName || Peek(1) == Kind::kIdentifier;
}

bool StatementParser::HasNoFields(absl::string_view attribute) {
  static constexpr absl::string_view kWithFields[] = {"sharding",        "metadata",        "frontend_attributes",
                                                      "window",          "statistics",      "domain",
                                                      "result_accuracy", "sparsity_config", "block_scaling_config"};
  return IsAttributeName(attribute) &&
         std::find(std::begin(kWithFields), std::end(kWithFields), attribute) == std::end(kWithFields);
}

bool StatementParser::SkipValue(TokenIndex name) {
  const GroupOf group =
      HasNoFields(TokenName(Kind::kAttributeName, Text(name))) ? GroupOf::kPlainValue : GroupOf::kAnything;
  const bool is_mesh = At(Kind::kIdentifier) && Text(pos_) == "mesh";
  while (true) {
    const Kind kind = tokens_.kind(pos_);
    if (IsOpeningBracket(kind)) {
      if (!SkipGroup(group)) return false;
      continue;
    }
    if (kind == Kind::kComma) {
      // `mesh[...], device_ids=(...) {axes}` is one value.
      if (is_mesh && Peek(1) == Kind::kAttributeName && Text(pos_ + 1) == "device_ids=") {
        pos_ += 2;
        continue;
      }
      return true;
    }
    if (kind == Kind::kError) return false;
    if (kind == Kind::kEndOfFile || kind == Kind::kEntry || kind == Kind::kAttributeName || IsClosingBracket(kind) ||
        IsStatementStart(pos_) || IsWordBeforeStatement(pos_)) {
      return true;
    }
    ++pos_;
  }
}

void StatementParser::StepComputationList() {
  const TokenIndex first = stack_.back().attribute.value.begin + 1;
  while (true) {
    if (At(Kind::kRightBrace)) {
      ++pos_;
      Open& open = stack_.back();
      open.attribute.value.end = pos_;
      attributes_.push_back(open.attribute);
      open.phase = Open::Phase::kAttributes;
      return StepAttributes();
    }
    if (IsStatementStart(pos_)) {
      sink_.Report(DiagnosticKind::kUnclosedBracket, RangeAt(first - 1), Text(first - 1));
      return Break();
    }
    if (pos_ != first && !Eat(Kind::kComma)) {
      Fail(DiagnosticKind::kExpectedToken, "`,` or `}` in a list of computations", Found(pos_));
      return BreakList();
    }
    if (At(Kind::kLeftBrace)) return StartInlineBody();
    if (!At(Kind::kName) && !At(Kind::kIdentifier)) {
      Fail(DiagnosticKind::kExpectedName, "the name of a computation or `{`", Found(pos_));
      return BreakList();
    }
    ++pos_;
  }
}

void StatementParser::BreakList() {
  while (!At(Kind::kEndOfFile) && !At(Kind::kEntry) && !IsStatementStart(pos_) && !Eat(Kind::kRightBrace)) ++pos_;
  Break();
}

}  // namespace hloscope
