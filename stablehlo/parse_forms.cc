// SPDX-License-Identifier: Apache-2.0
// The custom forms of operations (docs/stablehlo.md 1).
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "stablehlo/operation_table.h"
#include "stablehlo/parser.h"

namespace hloscope::stablehlo {
namespace {

// The attribute that a keyword of a custom form means.
struct Keyword {
  absl::string_view operation, keyword, attribute;
};
constexpr Keyword kKeywords[] = {
    {"broadcast_in_dim", "dims", "broadcast_dimensions"},
    {"dynamic_broadcast_in_dim", "dims", "broadcast_dimensions"},
    {"transpose", "dims", "permutation"},
    {"reverse", "dims", "dimensions"},
    {"reduce", "dimensions", "dimensions"},
    {"iota", "dim", "iota_dimension"},
    {"dynamic_iota", "dim", "iota_dimension"},
    {"", "dim", "dimension"},
    {"dynamic_slice", "sizes", "slice_sizes"},
    {"broadcast", "sizes", "broadcast_sizes"},
    {"", "low", "edge_padding_low"},
    {"", "high", "edge_padding_high"},
    {"", "interior", "interior_padding"},
    {"fft", "type", "fft_type"},
    {"", "length", "fft_length"},
    {"", "distribution", "rng_distribution"},
    {"rng_bit_generator", "algorithm", "rng_algorithm"},
    {"", "config", "einsum_config"},
    {"", "precision", "precision_config"},
    {"convolution", "stride", "window_strides"},
    {"convolution", "pad", "padding"},
    {"convolution", "lhs_dilate", "lhs_dilation"},
    {"convolution", "rhs_dilate", "rhs_dilation"},
    {"convolution", "reverse", "window_reversal"},
    {"convolution", "dim_numbers", "dimension_numbers"},
};

absl::string_view AttributeOfKeyword(absl::string_view operation, absl::string_view keyword) {
  for (const Keyword& row : kKeywords) {
    if (row.keyword == keyword && (row.operation.empty() || row.operation == operation)) return row.attribute;
  }
  return keyword;
}

bool IsComparisonDirection(absl::string_view word) {
  return word == "EQ" || word == "NE" || word == "GE" || word == "GT" || word == "LE" || word == "LT";
}

bool IsComparisonType(absl::string_view word) {
  return word == "FLOAT" || word == "TOTALORDER" || word == "SIGNED" || word == "UNSIGNED" || word == "NOTYPE";
}

bool CanBeApplied(absl::string_view name) {
  for (const absl::string_view allowed : {"add", "maximum", "minimum", "multiply", "and", "or", "xor"}) {
    if (name == allowed) return true;
  }
  return false;
}

}  // namespace

absl::string_view CustomFormKeyword(absl::string_view operation, absl::string_view attribute) {
  for (const Keyword& row : kKeywords) {
    if (row.attribute == attribute && (row.operation.empty() || row.operation == operation)) return row.keyword;
  }
  return attribute;
}

bool Parser::ParseOperandList(Operation& op) {
  if (!Expect(TokenKind::kLeftParen, "`(` and the operands")) return false;
  while (!At(TokenKind::kRightParen)) {
    if (!op.operands.empty() && !Expect(TokenKind::kComma, "`,` or `)`")) return false;
    if (!ParseOperand(op)) return false;
  }
  Advance();
  return true;
}

// `lhs_... = [..] x [..]`, the first list of which is here.
bool Parser::ParsePair(Operation& op, absl::string_view left, absl::string_view right, SourceRange range) {
  const AttributeValue* const lhs = ParseAttribute();
  if (!AddAttribute(op, left, range, lhs)) return false;
  if (!AtWord("x")) return Fail("`x` and the dimensions of the right operand");
  Advance();
  return AddAttribute(op, right, range, ParseAttribute());
}

bool Parser::ParseKeyword(Operation& op, absl::string_view key, SourceRange range) {
  if (key == "batching_dims") return ParsePair(op, "lhs_batching_dimensions", "rhs_batching_dimensions", range);
  if (key == "contracting_dims")
    return ParsePair(op, "lhs_contracting_dimensions", "rhs_contracting_dimensions", range);
  if (key == "window") return ParseWindow(op);
  if (key == "dim_numbers") {
    const AttributeValue* const labels = ParseConvolutionLabels(token_.begin);
    return AddAttribute(op, "dimension_numbers", range, labels);
  }
  if (key == "algorithm" && At(TokenKind::kLess)) {
    const uint32_t begin = token_.begin;
    Advance();
    return AddAttribute(op, "algorithm", range, ParseStructure("dot_algorithm", begin));
  }
  if (key == "format") {  // e8m7
    const absl::string_view word = text();
    const std::pair<absl::string_view, absl::string_view> bits = absl::StrSplit(word, absl::MaxSplits('m', 1));
    int64_t exponent, mantissa;
    if (!At(TokenKind::kWord) || !absl::StartsWith(word, "e") || !absl::SimpleAtoi(bits.first.substr(1), &exponent) ||
        !absl::SimpleAtoi(bits.second, &mantissa)) {
      return Fail("a format such as `e8m7`: exponent and mantissa bits");
    }
    for (const auto& [name, value] : {std::pair("exponent_bits", exponent), std::pair("mantissa_bits", mantissa)}) {
      AttributeValue* const bits_value = NewAttribute(AttributeForm::kInteger, token_.begin);
      bits_value->range = token_.range();
      bits_value->integer = value;
      if (!AddAttribute(op, name, range, bits_value)) return false;
    }
    Advance();
    return true;
  }
  return AddAttribute(op, AttributeOfKeyword(op.short_name, key), range, ParseAttribute());
}

// [0:4, 1:8:2] of a slice, or [1] of a get_tuple_element.
bool Parser::ParseSliceRanges(Operation& op) {
  const SourceRange open = token_.range();
  Advance();
  if (op.short_name == "get_tuple_element") {
    return AddAttribute(op, "index", open, ParseNumber()) && Expect(TokenKind::kRightBracket, "`]`");
  }
  std::vector<int64_t> parts[3];
  while (!At(TokenKind::kRightBracket)) {
    if (!parts[0].empty() && !Expect(TokenKind::kComma, "`,` or `]`")) return false;
    for (size_t k = 0; k < 3; ++k) {
      int64_t number = 1;
      if (k == 2 && !At(TokenKind::kColon)) {
        parts[k].push_back(1);
        break;
      }
      if (k > 0 && !Expect(TokenKind::kColon, "`:` in `start:limit:stride`")) return false;
      const bool negative = Eat(TokenKind::kMinus);
      if (!At(TokenKind::kInteger) || !absl::SimpleAtoi(text(), &number)) return Fail("an integer");
      parts[k].push_back(negative ? -number : number);
      Advance();
    }
  }
  const SourceRange range = {open.begin, token_.end};
  Advance();
  return AddAttribute(op, "start_indices", range, IntegerList(std::move(parts[0]), range)) &&
         AddAttribute(op, "limit_indices", range, IntegerList(std::move(parts[1]), range)) &&
         AddAttribute(op, "strides", range, IntegerList(std::move(parts[2]), range));
}

// A word without `=`: the direction or type of a comparison.
bool Parser::ParseBareWord(Operation& op, absl::string_view word, SourceRange range) {
  const bool is_direction = IsComparisonDirection(word);
  if (op.short_name == "compare" && !is_direction && !IsComparisonType(word)) {
    const std::string upper = absl::AsciiStrToUpper(word);
    const bool is_close = IsComparisonDirection(upper) || IsComparisonType(upper);
    sink_.Report(DiagnosticKind::kShloSyntax, range,
                 op.Find("comparison_direction") == nullptr ? "EQ, NE, GE, GT, LE or LT"
                                                            : "FLOAT, TOTALORDER, SIGNED or UNSIGNED",
                 absl::StrCat("`", word, "`", is_close ? absl::StrCat("; did you mean `", upper, "`?") : ""));
    return false;
  }
  if (op.short_name != "compare") {
    std::string found = absl::StrCat("`", word, "`");
    if (scope_.Find(word) != nullptr) absl::StrAppend(&found, "; did you mean `%", word, "`?");
    // After the operands come the types.
    const bool is_type = word == "tensor" || word == "tuple" || lexer_.text().substr(range.end, 1) == "<";
    const bool is_next_line =
        word == "return" || FindOperation(word.substr(0, word.find('.')), word.substr(word.find('.') + 1)) != nullptr;
    const absl::string_view expected =
        is_type || is_next_line ? "`:` and the type of the operation" : "an operand or `name = value`";
    sink_.Report(DiagnosticKind::kShloSyntax, range, expected, found);
    return false;
  }
  AttributeValue* const value = NewAttribute(AttributeForm::kWord, range.begin);
  value->range = range;
  value->text = word;
  return AddAttribute(op, is_direction ? "comparison_direction" : "compare_type", range, value);
}

bool Parser::ParseListItem(Operation& op) {
  switch (token_.kind) {
    case TokenKind::kValue:
      if (!ParseOperand(op)) return false;
      return !At(TokenKind::kLeftBracket) || ParseSliceRanges(op);
    case TokenKind::kLeftParen: {
      Advance();
      while (!At(TokenKind::kRightParen)) {
        if (!ParseListItem(op)) return false;
        if (!Eat(TokenKind::kComma) && !At(TokenKind::kRightParen)) return Fail("`,` or `)`");
      }
      Advance();
      return true;
    }
    case TokenKind::kWord: {
      const absl::string_view word = text();
      const SourceRange range = token_.range();
      Advance();
      if (!Eat(TokenKind::kEquals)) return ParseBareWord(op, word, range);
      is_untyped_ = true;
      const bool read = ParseKeyword(op, word, range);
      is_untyped_ = false;
      return read;
    }
    default:
      return Fail("an operand");
  }
}

// Operands, `name = value` and words, with commas between them; a dictionary; types.
bool Parser::ParseListForm(Operation& op) {
  const auto at_item = [&] {
    return At(TokenKind::kValue) || At(TokenKind::kLeftParen) ||
           (At(TokenKind::kWord) && text() != "attributes" && text() != "loc");
  };
  if (At(TokenKind::kLeftBrace) && !ParseAttributesInto(op, TokenKind::kRightBrace)) return false;
  const bool returns = op.short_name == "return";
  while (at_item() && !(returns && !At(TokenKind::kValue))) {
    if (!ParseListItem(op)) return false;
    if (!Eat(TokenKind::kComma)) {
      // `batching_dims = [0] x [0] contracting_dims = ...` has no comma in old texts; two operands need one.
      if (At(TokenKind::kValue)) return Fail("`,` before the next operand");
    }
  }
  if (AtWord("attributes")) Advance();
  if (At(TokenKind::kLeftBrace) && !ParseAttributesInto(op, TokenKind::kRightBrace)) return false;
  return ParseTypesOfList(op);
}

bool Parser::ParseTypesOfList(Operation& op) {
  const bool needs_no_types =
      op.operands.empty() &&
      (op.short_name == "return" || op.short_name == "optimization_barrier" || op.short_name == "while");
  if (!At(TokenKind::kColon)) return needs_no_types || Fail("`:` and the type of the operation");
  Advance();
  TypeList types;
  bool is_function = false;
  if (!ParseSignature(types, result_types_, is_function)) return false;
  if (is_function) {
    operand_types_ = std::move(types);
  } else {
    AssignTypes(op, types);
  }
  return true;
}

// The types of operands and results where the text has only types, no `->`.
void Parser::AssignTypes(Operation& op, const TypeList& types) {
  const size_t operands = op.operands.size();
  const absl::string_view name = op.short_name;
  const auto own_types = [&] {
    for (const OperandUse& use : op.operands)
      operand_types_.push_back(use.value != nullptr ? use.value->type : ErrorType());
  };
  if (name == "return" || name == "optimization_barrier" || name == "while") {
    operand_types_ = types;
    if (name != "return") result_types_ = types;
    return;
  }
  if ((name == "select" || name == "broadcast_select") && types.size() == 2 && operands == 3) {
    operand_types_ = {types[0], types[1], types[1]};
    result_types_ = {types[1]};
    return;
  }
  if (operands == 0 || name == "complex" || name == "tuple") {
    own_types();
    result_types_ = types;
    return;
  }
  if (types.size() == 1) {
    operand_types_.assign(operands, types[0]);
    result_types_ = {types[0]};
    return;
  }
  operand_types_ = types;
  if (names_ != nullptr && !names_->empty()) result_types_ = {types.empty() ? ErrorType() : types.back()};
}

bool Parser::ParseConstantForm(Operation& op) {
  if (At(TokenKind::kLeftParen)) {  // constant() <{value = ...}> : () -> T
    Advance();
    if (!Expect(TokenKind::kRightParen, "`)`")) return false;
    if (Eat(TokenKind::kLess) &&
        (!ParseAttributesInto(op, TokenKind::kRightBrace) || !Expect(TokenKind::kGreater, "`>`"))) {
      return false;
    }
    if (At(TokenKind::kLeftBrace) && !ParseAttributesInto(op, TokenKind::kRightBrace)) return false;
    return ParseTypesOfList(op);
  }
  if (At(TokenKind::kLeftBrace) && !ParseAttributesInto(op, TokenKind::kRightBrace)) return false;
  const SourceRange range = token_.range();
  const AttributeValue* const value = ParseAttribute();
  if (!AddAttribute(op, "value", range, value)) return false;
  if (value->type == nullptr) return Fail("`:` and the type of the value");
  result_types_ = {value->type};
  return true;
}

bool Parser::ParseWindow(Operation& op) {
  if (!Expect(TokenKind::kLeftBrace, "`{`")) return false;
  bool first = true;
  while (!At(TokenKind::kRightBrace)) {
    if (!first && !Expect(TokenKind::kComma, "`,` or `}`")) return false;
    first = false;
    const absl::string_view key = text();
    const SourceRange range = token_.range();
    if (!At(TokenKind::kWord)) return Fail("`stride`, `pad`, `lhs_dilate`, `rhs_dilate` or `reverse`");
    const absl::string_view attribute = AttributeOfKeyword("convolution", key);
    if (attribute == key) return Fail("`stride`, `pad`, `lhs_dilate`, `rhs_dilate` or `reverse`");
    Advance();
    if (!Expect(TokenKind::kEquals, "`=`") || !AddAttribute(op, attribute, range, ParseAttribute())) return false;
  }
  Advance();
  return true;
}

// @target(%a, %b) {attributes} : type
bool Parser::ParseCustomCallForm(Operation& op) {
  if (!At(TokenKind::kSymbol)) return Fail("the target, such as `@name`");
  const SourceRange range = token_.range();
  if (!AddAttribute(op, op.short_name == "call" ? "callee" : "call_target_name", range, ParseAttribute())) return false;
  if (!ParseOperandList(op)) return false;
  if (At(TokenKind::kLeftBrace) && !ParseAttributesInto(op, TokenKind::kRightBrace)) return false;
  return ParseTypesOfList(op);
}

// "namespace.name" %a, %b ({regions})? {attributes} : type
bool Parser::ParseCompositeForm(Operation& op) {
  if (!At(TokenKind::kString)) return Fail("the name of the composite in quotes");
  const SourceRange range = token_.range();
  if (!AddAttribute(op, "name", range, ParseAttribute())) return false;
  while (At(TokenKind::kValue)) {
    if (!ParseOperand(op)) return false;
    if (!Eat(TokenKind::kComma)) break;
  }
  if (Eat(TokenKind::kLeftParen)) {
    do {
      if (!ParseRegion(op)) return false;
    } while (Eat(TokenKind::kComma));
    if (!Expect(TokenKind::kRightParen, "`)`")) return false;
  }
  if (At(TokenKind::kLeftBrace) && !ParseAttributesInto(op, TokenKind::kRightBrace)) return false;
  return ParseTypesOfList(op);
}

// The region of `applies stablehlo.add`: two scalars of the first input's element type, the operation, a return.
bool Parser::MakeAppliedRegion(Operation& op, absl::string_view applied, SourceRange range) {
  const Type* const first = operand_types_.empty() ? nullptr : operand_types_[0];
  if (first == nullptr || !first->HasShape() || !first->shape.IsArray()) return true;
  Type* const scalar = NewType(TypeKind::kTensor, range);
  scalar->shape = Shape::Scalar(first->shape.element_type());
  scalar->text = absl::StrCat("tensor<", scalar->shape.ToString(false), ">");
  Region& region = program_.regions.emplace_back();
  region.parent = op.parent;
  region.range = range;
  op.regions.push_back(&region);
  Operation& inner = program_.operations.emplace_back();
  SetName(inner, applied);
  Operation& last = program_.operations.emplace_back();
  SetName(last, "stablehlo.return");
  inner.parent = last.parent = &region;
  inner.range = inner.name_range = last.range = last.name_range = range;
  for (uint32_t k = 0; k < 2; ++k) {
    Value* const argument = NewValue(k == 0 ? "lhs" : "rhs", scalar, range, &region, k);
    region.arguments.push_back(argument);
    inner.operands.push_back({argument, range});
  }
  Value* const result = NewValue(inner.short_name, scalar, range, &region, 0);
  result->operation = &inner;
  inner.results.push_back(result);
  last.operands.push_back({result, range});
  region.operations = {&inner, &last};
  return true;
}

// reducer(%a: E, %b: E) (%c: E2, %d: E2) {...}: arguments are all first ones, then all second ones.
bool Parser::ParseReducer(Operation& op, size_t inputs) {
  Advance();
  std::vector<Value*> elements, accumulators;
  while (At(TokenKind::kLeftParen)) {
    Advance();
    for (std::vector<Value*>* list : {&elements, &accumulators}) {
      if (list == &accumulators && !Expect(TokenKind::kComma, "`,`")) return false;
      list->push_back(ParseRegionArgument(nullptr, 0));
      if (list->back() == nullptr) return false;
    }
    if (!Expect(TokenKind::kRightParen, "`)`")) return false;
  }
  if (elements.size() != inputs) {
    return Fail(absl::StrCat(inputs, " pairs of arguments of the reducer, one for each input (there are ",
                             elements.size(), ")"));
  }
  absl::c_copy(accumulators, std::back_inserter(elements));
  for (size_t k = 0; k < elements.size(); ++k) elements[k]->number = static_cast<uint32_t>(k);
  return ParseRegion(op, elements);
}

// (%x init: %i), (%y init: %j) applies stablehlo.add across dimensions = [1] : type reducer(...)...
bool Parser::ParseReduceForm(Operation& op) {
  absl::InlinedVector<OperandUse, 3> inits;
  do {
    if (!Expect(TokenKind::kLeftParen, "`(%input init: %value)`")) return false;
    if (!ParseOperand(op) || !ExpectWord("init") || !Expect(TokenKind::kColon, "`:`") || !ParseOperand(op))
      return false;
    inits.push_back(op.operands.back());
    op.operands.pop_back();
    if (!Expect(TokenKind::kRightParen, "`)`")) return false;
  } while (Eat(TokenKind::kComma));
  const size_t inputs = op.operands.size();
  op.operands.insert(op.operands.end(), inits.begin(), inits.end());
  absl::string_view applied;
  SourceRange applied_range;
  if (EatWord("applies")) {
    applied = text();
    applied_range = token_.range();
    const size_t dot = applied.find('.');
    if (!At(TokenKind::kWord) || dot == absl::string_view::npos || !CanBeApplied(applied.substr(dot + 1))) {
      return Fail("add, maximum, minimum, multiply, and, or, xor");
    }
    Advance();
  }
  if (!ExpectWord("across")) return false;
  const SourceRange range = token_.range();
  if (!ExpectWord("dimensions") || !Expect(TokenKind::kEquals, "`=`")) return false;
  if (!AddAttribute(op, "dimensions", range, ParseAttribute())) return false;
  if (AtWord("attributes")) Advance();
  if (At(TokenKind::kLeftBrace) && !ParseAttributesInto(op, TokenKind::kRightBrace)) return false;
  if (!ParseTypesOfList(op)) return false;
  if (!applied.empty()) return MakeAppliedRegion(op, applied, applied_range);
  return AtWord("reducer") ? ParseReducer(op, inputs) : Fail("`reducer(...)` and its region");
}

// (%iterArg = %init, ...) : types attributes {...} cond {...} do {...}
bool Parser::ParseWhileForm(Operation& op) {
  if (!Expect(TokenKind::kLeftParen, "`(`")) return false;
  ResultNames arguments;
  while (!At(TokenKind::kRightParen)) {
    if (!arguments.empty() && !Expect(TokenKind::kComma, "`,` or `)`")) return false;
    if (!At(TokenKind::kValue)) return Fail("`%argument = %initial`");
    arguments.push_back({text().substr(1), token_.range(), 1});
    Advance();
    if (!Expect(TokenKind::kEquals, "`=`") || !ParseOperand(op)) return false;
  }
  Advance();
  TypeList types;
  bool is_function = false;
  if (Eat(TokenKind::kColon) && !ParseSignature(types, result_types_, is_function)) return false;
  AssignTypes(op, types);
  if (types.size() != arguments.size()) return Fail(absl::StrCat(arguments.size(), " types, one for each operand"));
  if (EatWord("attributes") && !ParseAttributesInto(op, TokenKind::kRightBrace)) return false;
  for (const absl::string_view keyword : {"cond", "do"}) {
    if (!ExpectWord(keyword)) return false;
    std::vector<Value*> values;
    for (size_t k = 0; k < arguments.size(); ++k) {
      values.push_back(NewValue(arguments[k].name, types[k], arguments[k].range, nullptr, static_cast<uint32_t>(k)));
    }
    if (!ParseRegion(op, values)) return false;
  }
  return true;
}

// (%in...) inits (%init...) dimension=0 attributes {...} { ^bb0(...): ... } : type
bool Parser::ParseScanForm(Operation& op) {
  if (!ParseOperandList(op) || !ExpectWord("inits")) return false;
  if (!Expect(TokenKind::kLeftParen, "`(`")) return false;
  for (bool first = true; !At(TokenKind::kRightParen); first = false) {
    if (!first && !Expect(TokenKind::kComma, "`,` or `)`")) return false;
    if (!ParseOperand(op)) return false;
  }
  Advance();
  const SourceRange range = token_.range();
  if (!ExpectWord("dimension") || !Expect(TokenKind::kEquals, "`=`")) return false;
  if (!AddAttribute(op, "dimension", range, ParseAttribute())) return false;
  if (EatWord("attributes") && !ParseAttributesInto(op, TokenKind::kRightBrace)) return false;
  return ParseRegion(op) && ParseTypesOfList(op);
}

// tensor.cast %x : A to B
bool Parser::ParseCastForm(Operation& op) {
  if (!ParseOperand(op) || !Expect(TokenKind::kColon, "`:`")) return false;
  const Type* const from = ParseType();
  if (from == nullptr || !ExpectWord("to")) return false;
  const Type* const to = ParseType();
  if (to == nullptr) return false;
  operand_types_ = {from};
  result_types_ = {to};
  return true;
}

bool Parser::ParseCustomForm(Operation& op, OperationForm form) {
  // mhlo printed some operations in this form: mhlo.op(%a, %b) ... which the list form reads too.
  switch (form) {
    case OperationForm::kConstant:
      return ParseConstantForm(op);
    case OperationForm::kCustomCall:
    case OperationForm::kCall:
      return ParseCustomCallForm(op);
    case OperationForm::kComposite:
      return ParseCompositeForm(op);
    case OperationForm::kReduce:
      return ParseReduceForm(op);
    case OperationForm::kWhile:
      return ParseWhileForm(op);
    case OperationForm::kScan:
      return ParseScanForm(op);
    case OperationForm::kCast:
      return ParseCastForm(op);
    case OperationForm::kSharding:
      return ParseShardingForm(op);
    case OperationForm::kResharding:
      return ParseReshardingForm(op);
    case OperationForm::kManual:
      return ParseManualForm(op);
    case OperationForm::kNamed:
      return ParseNamedForm(op);
    case OperationForm::kSize:
      return ParseSizeForm(op);
    case OperationForm::kAssuming:
      return ParseAssumingForm(op);
    case OperationForm::kGeneric:
    case OperationForm::kList:
    case OperationForm::kConvolution:
      return ParseListForm(op);
  }
  return false;
}

}  // namespace hloscope::stablehlo
