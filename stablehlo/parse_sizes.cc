// SPDX-License-Identifier: Apache-2.0
// Operations of the dialects arith, tensor and shape that programs compute sizes with.
#include "absl/strings/str_cat.h"
#include "stablehlo/parser.h"

namespace hloscope::stablehlo {

const Type* Parser::ScalarType(ElementType element, SourceRange range) {
  Type* const type = NewType(TypeKind::kScalar, range);
  type->shape = Shape::Scalar(element);
  type->text = element == ElementType::kPred ? "i1" : "index";
  return type;
}

// Operands, a word before them or indices after them, and types whose meaning depends on the operation.
bool Parser::ParseSizeForm(Operation& op) {
  const absl::string_view name = op.short_name;
  const SourceRange range = token_.range();
  is_untyped_ = true;
  bool read = true;
  if (name == "cmpi") {
    read = AddAttribute(op, "predicate", range, ParseAttribute()) && Expect(TokenKind::kComma, "`,`");
  } else if (name == "const_shape") {
    read = AddAttribute(op, "shape", range, ParseAttribute());
  } else if (name == "const_witness") {
    read = AddAttribute(op, "passing", range, ParseAttribute());
  }
  is_untyped_ = false;
  if (!read) return false;
  while (At(TokenKind::kValue)) {
    if (!ParseOperand(op)) return false;
    if (Eat(TokenKind::kLeftBracket)) {  // tensor.extract %sizes[%i]
      while (At(TokenKind::kValue)) {
        if (!ParseOperand(op)) return false;
        if (!Eat(TokenKind::kComma)) break;
      }
      if (!Expect(TokenKind::kRightBracket, "`]`")) return false;
    }
    if (!Eat(TokenKind::kComma)) break;
  }
  if (EatWord("overflow") && At(TokenKind::kLess)) MoveTo(lexer_.EndOfBracket(token_.begin));
  if (At(TokenKind::kLeftBrace) && !ParseAttributesInto(op, TokenKind::kRightBrace)) return false;
  TypeList types;
  bool is_function = false;
  if (name != "const_witness" && (!Expect(TokenKind::kColon, "`:` and the type of the operation") ||
                                  !ParseSignature(types, result_types_, is_function))) {
    return false;
  }
  if (is_function) {
    operand_types_ = std::move(types);
  } else {
    AssignSizeTypes(op, types);
  }
  return true;
}

void Parser::AssignSizeTypes(Operation& op, const TypeList& types) {
  const absl::string_view name = op.short_name;
  const Type* const first = types.empty() ? ErrorType() : types[0];
  const auto own_type = [&](size_t k) {
    const Value* const value = k < op.operands.size() ? op.operands[k].value : nullptr;
    return value == nullptr ? ErrorType() : value->type;
  };
  for (size_t k = 0; k < op.operands.size(); ++k) operand_types_.push_back(own_type(k));
  if (name == "dim") {
    if (!operand_types_.empty()) operand_types_[0] = first;
    result_types_ = {ScalarType(ElementType::kS64, op.name_range)};
  } else if (name == "extract") {
    if (!operand_types_.empty()) operand_types_[0] = first;
    const bool is_tensor = first->HasShape() && first->shape.IsArray();
    result_types_ = {is_tensor ? ScalarType(first->shape.element_type(), op.name_range) : ErrorType()};
  } else if (name == "cmpi") {
    result_types_ = {first->HasShape() && first->shape.rank() == 0 ? ScalarType(ElementType::kPred, op.name_range)
                                                                   : ErrorType()};
  } else if (name == "cstr_broadcastable" || name == "cstr_eq" || name == "const_witness") {
    result_types_ = {ErrorType()};  // a witness is nobody's operand but an assumption's
  } else {
    result_types_ = {types.empty() ? ErrorType() : types.back()};
  }
}

// %witness -> (types) { ... shape.assuming_yield %x : T }
bool Parser::ParseAssumingForm(Operation& op) {
  if (!ParseOperand(op)) return false;
  operand_types_.push_back(ErrorType());
  if (Eat(TokenKind::kArrow)) {
    if (At(TokenKind::kLeftParen)) {
      if (!ParseTypeList(result_types_)) return false;
    } else {
      const Type* const type = ParseType();
      if (type == nullptr) return false;
      result_types_.push_back(type);
    }
  }
  if (!ParseRegion(op)) return false;
  return !At(TokenKind::kLeftBrace) || ParseAttributesInto(op, TokenKind::kRightBrace);
}

}  // namespace hloscope::stablehlo
