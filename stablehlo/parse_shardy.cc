// SPDX-License-Identifier: Apache-2.0
// Custom forms of the operations of Shardy.
#include "stablehlo/parser.h"

namespace hloscope::stablehlo {

// sdy.sharding_constraint %x <@mesh, [{"x"}]> : T
bool Parser::ParseShardingForm(Operation& op) {
  if (!ParseOperand(op)) return false;
  const SourceRange range = token_.range();
  if (!AddAttribute(op, "sharding", range, ParseAttribute())) return false;
  if (At(TokenKind::kLeftBrace) && !ParseAttributesInto(op, TokenKind::kRightBrace)) return false;
  return ParseTypesOfList(op);
}

// sdy.all_gather [{"x"}, {}] %x out_sharding=<@mesh, [{}, {}]> : T
bool Parser::ParseReshardingForm(Operation& op) {
  if (At(TokenKind::kLeftBracket) || At(TokenKind::kLeftBrace)) MoveTo(lexer_.EndOfBracket(token_.begin));
  if (!ParseOperand(op)) return false;
  while (At(TokenKind::kWord) && !AtWord("loc")) {
    const absl::string_view keyword = text();
    const SourceRange range = token_.range();
    Advance();
    if (!Expect(TokenKind::kEquals, "`=`") || !AddAttribute(op, keyword, range, ParseAttribute())) return false;
  }
  if (At(TokenKind::kLeftBrace) && !ParseAttributesInto(op, TokenKind::kRightBrace)) return false;
  return ParseTypesOfList(op);
}

// (%whole, ...) in_shardings=[...] out_shardings=[...] manual_axes={...} (%part: type, ...) {...} {attributes} : type
bool Parser::ParseManualForm(Operation& op) {
  if (!ParseOperandList(op)) return false;
  for (const absl::string_view keyword : {"in_shardings", "out_shardings", "manual_axes"}) {
    const SourceRange range = token_.range();
    if (!ExpectWord(keyword) || !Expect(TokenKind::kEquals, "`=`")) return false;
    if (!AddAttribute(op, keyword, range, ParseAttribute())) return false;
  }
  return ParseRegionOfParts(op);
}

// <"name">(%value, ...) in_shardings=[...] out_shardings=[...] (%argument: type, ...) {...} {attributes} : type
bool Parser::ParseNamedForm(Operation& op) {
  if (Eat(TokenKind::kLess)) {
    const SourceRange range = token_.range();
    if (!AddAttribute(op, "name", range, ParseAttribute()) || !Expect(TokenKind::kGreater, "`>`")) return false;
  }
  if (!ParseOperandList(op)) return false;
  while (At(TokenKind::kWord)) {
    const absl::string_view keyword = text();
    const SourceRange range = token_.range();
    Advance();
    if (!Expect(TokenKind::kEquals, "`=`") || !AddAttribute(op, keyword, range, ParseAttribute())) return false;
  }
  return ParseRegionOfParts(op);
}

// (%argument: type, ...) {...} {attributes} : type
bool Parser::ParseRegionOfParts(Operation& op) {
  if (!Expect(TokenKind::kLeftParen, "`(` and the arguments of the region")) return false;
  std::vector<Value*> arguments;
  while (!At(TokenKind::kRightParen)) {
    if (!arguments.empty() && !Expect(TokenKind::kComma, "`,` or `)`")) return false;
    arguments.push_back(ParseRegionArgument(nullptr, arguments.size()));
    if (arguments.back() == nullptr) return false;
  }
  Advance();
  if (!ParseRegion(op, arguments)) return false;
  if (At(TokenKind::kLeftBrace) && !ParseAttributesInto(op, TokenKind::kRightBrace)) return false;
  return ParseTypesOfList(op);
}

}  // namespace hloscope::stablehlo
