// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "stablehlo/name_set.h"
#include "stablehlo/parser.h"

namespace hloscope::stablehlo {
namespace {

struct StructureInfo {
  absl::string_view name;
  absl::string_view keys;  // between blanks; empty: any
};
constexpr StructureInfo kStructureInfos[] = {
    {"gather",
     " offset_dims collapsed_slice_dims operand_batching_dims start_indices_batching_dims start_index_map "
     "index_vector_dim "},
    {"scatter",
     " update_window_dims inserted_window_dims input_batching_dims scatter_indices_batching_dims "
     "scatter_dims_to_operand_dims index_vector_dim "},
    {"dot", " lhs_batching_dimensions rhs_batching_dimensions lhs_contracting_dimensions rhs_contracting_dimensions "},
    {"ragged_dot",
     " lhs_batching_dimensions rhs_batching_dimensions lhs_contracting_dimensions rhs_contracting_dimensions "
     "lhs_ragged_dimensions rhs_group_dimensions "},
    {"channel_handle", " handle type "},
    {"dot_algorithm",
     " lhs_precision_type rhs_precision_type accumulation_type lhs_component_count rhs_component_count "
     "num_primitive_operations allow_imprecise_accumulation "},
    {"output_operand_alias", " output_tuple_indices operand_index operand_tuple_indices "},
    {"result_accuracy", " atol rtol ulps mode "},
    {"replica_group_mesh_axes", " mesh axes "},
    {"axis_ref", " name sub_axis_info "},
    {"mesh", " axes device_ids "},
    {"mesh_axis", " name size "},
};

const StructureInfo* FindStructure(absl::string_view name) {
  for (const StructureInfo& info : kStructureInfos) {
    if (info.name == name) return &info;
  }
  return nullptr;
}

constexpr absl::string_view kWords[] = {
    "comparison_direction", "comparison_type",      "precision",  "fft_type", "transpose", "rng_distribution",
    "rng_algorithm",        "result_accuracy_mode", "api_version"};

}  // namespace

AttributeValue* Parser::NewAttribute(AttributeForm form, uint32_t begin) {
  AttributeValue& value = program_.attribute_values.emplace_back();
  value.form = form;
  value.range = {begin, begin};
  return &value;
}

// Its range ends after the last byte that is not blank before the current token.
AttributeValue* Parser::Finish(AttributeValue* value) {
  uint32_t end = token_.begin;
  const absl::string_view all = lexer_.text();
  while (end > value->range.begin + 1 && absl::ascii_isspace(all[end - 1])) --end;
  value->range.end = end;
  return value;
}

const AttributeValue* Parser::IntegerList(std::vector<int64_t> integers, SourceRange range) {
  AttributeValue* const value = NewAttribute(AttributeForm::kIntegers, range.begin);
  value->range = range;
  value->integers = std::move(integers);
  return value;
}

bool Parser::ParseTrailingType(AttributeValue& value) {
  if (is_untyped_ && value.form != AttributeForm::kDense && value.form != AttributeForm::kDenseResource) return true;
  if (!Eat(TokenKind::kColon)) return true;
  value.type = ParseType();
  return value.type != nullptr;
}

const AttributeValue* Parser::ParseNumber() {
  AttributeValue* const value = NewAttribute(AttributeForm::kInteger, token_.begin);
  const bool negative = Eat(TokenKind::kMinus);
  if (!At(TokenKind::kInteger) && !At(TokenKind::kFloat)) {
    Fail("a number");
    return nullptr;
  }
  const absl::string_view word = text();
  value->payload = {value->range.begin, token_.end};
  if (At(TokenKind::kFloat)) {
    value->form = AttributeForm::kFloat;
    if (!absl::SimpleAtod(word, &value->number)) value->number = 0;
    if (negative) value->number = -value->number;
  } else {
    uint64_t bits = 0;
    const bool fits = absl::StartsWith(word, "0x") ? absl::SimpleHexAtoi(word, &bits) : absl::SimpleAtoi(word, &bits);
    if (!fits) {
      sink_.Report(DiagnosticKind::kShloAttribute, token_.range(),
                   absl::StrCat("integer ", word, " does not fit 64 bits"));
      return nullptr;
    }
    value->integer = static_cast<int64_t>(negative ? 0 - bits : bits);
    value->number = static_cast<double>(value->integer);
  }
  Advance();
  if (!ParseTrailingType(*value)) return nullptr;
  // A bit pattern: 0x7F800000 : f32.
  if (value->form == AttributeForm::kInteger && value->type != nullptr && value->type->HasShape() &&
      value->type->shape.IsScalar() && IsFloat(value->type->shape.element_type())) {
    value->form = AttributeForm::kFloat;
    if (absl::StartsWith(word, "0x")) {
      const uint64_t bits = static_cast<uint64_t>(value->integer);
      float single;
      std::memcpy(&single, &bits, sizeof(single));
      std::memcpy(&value->number, &bits, sizeof(bits));
      if (value->type->shape.element_type() == ElementType::kF32) value->number = single;
    }
  }
  return Finish(value);
}

const AttributeValue* Parser::ParseArray() {
  AttributeValue* const value = NewAttribute(AttributeForm::kArray, token_.begin);
  Advance();
  while (!At(TokenKind::kRightBracket)) {
    if (!value->items.empty() && !Expect(TokenKind::kComma, "`,` or `]`")) return nullptr;
    const AttributeValue* const item = ParseAttribute();
    if (item == nullptr) return nullptr;
    value->items.push_back(item);
  }
  Advance();
  return Finish(value);
}

// From its opening bracket on.
const AttributeValue* Parser::ParseDictionary(TokenKind close) {
  AttributeValue* const value = NewAttribute(AttributeForm::kDictionary, token_.begin);
  NameSet names;
  Advance();
  while (!At(close)) {
    if (!value->keys.empty() &&
        !Expect(TokenKind::kComma, close == TokenKind::kGreater ? "`,` or `>`" : "`,` or `}`")) {
      return nullptr;
    }
    absl::string_view key = text();
    if (At(TokenKind::kString)) {
      key = key.substr(1, key.size() - 2);
    } else if (!At(TokenKind::kWord)) {
      Fail("the name of an attribute");
      return nullptr;
    }
    if (!names.Insert(key)) {
      sink_.Report(DiagnosticKind::kShloAttribute, token_.range(),
                   absl::StrCat("attribute `", key, "` is given twice"));
      return nullptr;
    }
    const uint32_t begin = token_.begin;
    Advance();
    const AttributeValue* item;
    if (Eat(TokenKind::kEquals)) {
      item = ParseAttribute();
      if (item == nullptr) return nullptr;
    } else {
      item = Finish(NewAttribute(AttributeForm::kUnit, begin));
    }
    value->keys.push_back(key);
    value->items.push_back(item);
  }
  Advance();
  return Finish(value);
}

// array<i64: 1, 2>.
const AttributeValue* Parser::ParseDenseIntegers() {
  AttributeValue* const value = NewAttribute(AttributeForm::kIntegers, token_.begin);
  Advance();
  if (!Expect(TokenKind::kLess, "`<`")) return nullptr;
  value->type = ParseType();
  if (value->type == nullptr) return nullptr;
  if (Eat(TokenKind::kColon)) {
    while (!At(TokenKind::kGreater)) {
      if (!value->integers.empty() && !Expect(TokenKind::kComma, "`,` or `>`")) return nullptr;
      const AttributeValue* const item = ParseAttribute();
      if (item == nullptr) return nullptr;
      value->integers.push_back(item->integer);
      value->items.push_back(item);
    }
  }
  if (!Expect(TokenKind::kGreater, "`>`")) return nullptr;
  return Finish(value);
}

// dense<PAYLOAD> : type. The payload is skipped, not read.
const AttributeValue* Parser::ParseDense() {
  AttributeValue* const value = NewAttribute(AttributeForm::kDense, token_.begin);
  const uint32_t open = lexer_.SkipBlanks(token_.end);
  const absl::string_view all = lexer_.text();
  if (open >= all.size() || all[open] != '<') {
    Advance();
    Fail("`<`");
    return nullptr;
  }
  uint32_t end = lexer_.SkipBlanks(open + 1);
  if (end < all.size() && all[end] == '"') end = lexer_.EndOfString(end);
  const void* const close = std::memchr(all.data() + end, '>', all.size() - end);
  if (close == nullptr) {
    sink_.Report(DiagnosticKind::kShloConstant, {open, open + 1}, "this value is never closed; expected `>`");
    MoveTo(static_cast<uint32_t>(all.size()));
    return nullptr;
  }
  end = static_cast<uint32_t>(static_cast<const char*>(close) - all.data());
  value->payload = {open + 1, end};
  MoveTo(end + 1);
  if (!At(TokenKind::kColon)) {
    Fail("`:` and the type of the value");
    return nullptr;
  }
  if (!ParseTrailingType(*value)) return nullptr;
  return Finish(value);
}

const AttributeValue* Parser::ParseDenseResource() {
  AttributeValue* const value = NewAttribute(AttributeForm::kDenseResource, token_.begin);
  Advance();
  if (!Expect(TokenKind::kLess, "`<`")) return nullptr;
  value->text = text();
  if (At(TokenKind::kString)) value->text = value->text.substr(1, value->text.size() - 2);
  Advance();
  if (!Expect(TokenKind::kGreater, "`>`") || !ParseTrailingType(*value)) return nullptr;
  return Finish(value);
}

bool Parser::ParseLabelList(std::vector<std::string>& labels) {
  if (!Expect(TokenKind::kLeftBracket, "`[`")) return false;
  while (!At(TokenKind::kRightBracket)) {
    if (!labels.empty() && !Expect(TokenKind::kComma, "`,` or `]`")) return false;
    if (!At(TokenKind::kWord) && !At(TokenKind::kInteger) && !At(TokenKind::kQuestion)) {
      return Fail("`b`, `f`, `i`, `o` or the number of a spatial dimension");
    }
    labels.emplace_back(text());
    Advance();
  }
  Advance();
  return true;
}

// [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], as the structure of dimension numbers.
const AttributeValue* Parser::ParseConvolutionLabels(uint32_t begin) {
  AttributeValue* const value = NewAttribute(AttributeForm::kStructure, begin);
  value->text = "conv";
  std::vector<std::string> labels[3];
  if (!ParseLabelList(labels[0])) return nullptr;
  if (!AtWord("x")) {
    Fail("`x` and the dimensions of the kernel");
    return nullptr;
  }
  Advance();
  if (!ParseLabelList(labels[1]) || !Expect(TokenKind::kArrow, "`->`") || !ParseLabelList(labels[2])) return nullptr;
  Finish(value);
  struct Role {
    int list;
    absl::string_view label, key, spatial_key;
  };
  static constexpr Role kRoles[] = {
      {0, "b", "input_batch_dimension", "input_spatial_dimensions"},
      {0, "f", "input_feature_dimension", ""},
      {1, "i", "kernel_input_feature_dimension", "kernel_spatial_dimensions"},
      {1, "o", "kernel_output_feature_dimension", ""},
      {2, "b", "output_batch_dimension", "output_spatial_dimensions"},
      {2, "f", "output_feature_dimension", ""},
  };
  for (const Role& role : kRoles) {
    const std::vector<std::string>& list = labels[role.list];
    const auto found = absl::c_find(list, role.label);
    if (found == list.end()) {
      sink_.Report(DiagnosticKind::kShloAttribute, value->range,
                   absl::StrCat("the dimensions lack `", role.label, "`, the ", role.key));
      return nullptr;
    }
    AttributeValue* const item = NewAttribute(AttributeForm::kInteger, begin);
    item->range = value->range;
    item->integer = found - list.begin();
    value->keys.push_back(role.key);
    value->items.push_back(item);
    if (role.spatial_key.empty()) continue;
    std::vector<int64_t> spatial(list.size() >= 2 ? list.size() - 2 : 0, -1);
    for (size_t d = 0; d < list.size(); ++d) {
      size_t number;
      if (absl::SimpleAtoi(list[d], &number) && number < spatial.size()) spatial[number] = static_cast<int64_t>(d);
    }
    if (absl::c_linear_search(spatial, -1)) {
      sink_.Report(DiagnosticKind::kShloAttribute, value->range,
                   absl::StrCat("the ", role.spatial_key, " must be numbered 0 to ", spatial.size(), " each once"));
      return nullptr;
    }
    value->keys.push_back(role.spatial_key);
    value->items.push_back(IntegerList(std::move(spatial), value->range));
  }
  return value;
}

// After `#stablehlo.NAME<` or `#stablehlo<NAME <`; reads up to the closing `>`.
const AttributeValue* Parser::ParseStructure(absl::string_view name, uint32_t begin) {
  const bool is_raw = name == "conv" && AtWord("raw");
  if (is_raw) Advance();
  if (name == "conv" && !is_raw) {
    const AttributeValue* const value = ParseConvolutionLabels(begin);
    if (value == nullptr || !Expect(TokenKind::kGreater, "`>`")) return nullptr;
    return value;
  }
  const StructureInfo* const info = FindStructure(name);
  AttributeValue* const value = NewAttribute(AttributeForm::kStructure, begin);
  value->text = name;
  NameSet names;
  while (!At(TokenKind::kGreater)) {
    if (!value->keys.empty() && !Expect(TokenKind::kComma, "`,` or `>`")) return nullptr;
    const absl::string_view key = text();
    if (!At(TokenKind::kWord)) {
      Fail("the name of a field");
      return nullptr;
    }
    if (info != nullptr && !absl::StrContains(info->keys, absl::StrCat(" ", key, " "))) {
      Fail(absl::StrCat("one of", info->keys.substr(0, info->keys.size() - 1), " in `", name, "`"));
      return nullptr;
    }
    if (!names.Insert(key)) {
      sink_.Report(DiagnosticKind::kShloAttribute, token_.range(), absl::StrCat("`", key, "` is given twice"));
      return nullptr;
    }
    Advance();
    if (!Expect(TokenKind::kEquals, "`=`")) return nullptr;
    const AttributeValue* const item = key == "sub_axis_info" ? ParseSubAxis() : ParseAttribute();
    if (item == nullptr) return nullptr;
    value->keys.push_back(key);
    value->items.push_back(item);
  }
  Advance();
  return Finish(value);
}

// (before)size, the part of an axis.
const AttributeValue* Parser::ParseSubAxis() {
  AttributeValue* const value = NewAttribute(AttributeForm::kStructure, token_.begin);
  value->text = "sub_axis_info";
  if (!Expect(TokenKind::kLeftParen, "`(`")) return nullptr;
  for (const absl::string_view key : {"pre_size", "size"}) {
    if (!At(TokenKind::kInteger)) {
      Fail("an integer");
      return nullptr;
    }
    value->keys.push_back(key);
    value->items.push_back(ParseAttribute());
    if (value->items.back() == nullptr) return nullptr;
    if (key == "pre_size" && !Expect(TokenKind::kRightParen, "`)`")) return nullptr;
  }
  return Finish(value);
}

const AttributeValue* Parser::ResolveAlias(absl::string_view name) {
  const auto found = program_.alias_of_name.find(name);
  if (found == program_.alias_of_name.end()) return nullptr;
  if (!open_aliases_.insert(name).second) {
    sink_.Report(DiagnosticKind::kShloAttribute, found->second, absl::StrCat("`", name, "` refers to itself"));
    return nullptr;
  }
  const Token after = token_;
  MoveTo(found->second.begin);
  const AttributeValue* const value = ParseAttribute();
  token_ = after;
  open_aliases_.erase(name);
  alias_value_.emplace(name, value);  // null: it was reported
  return value;
}

// What nobody needs to understand: its brackets are skipped.
const AttributeValue* Parser::SkipOther(uint32_t begin) {
  AttributeValue* const value = NewAttribute(AttributeForm::kOther, begin);
  if (At(TokenKind::kLess)) MoveTo(lexer_.EndOfBracket(token_.begin));
  value->text = absl::StripTrailingAsciiWhitespace(lexer_.Slice({begin, token_.begin}));
  if (!ParseTrailingType(*value)) return nullptr;
  return Finish(value);
}

const AttributeValue* Parser::ParseHashAttribute() {
  const uint32_t begin = token_.begin;
  const absl::string_view name = text();
  if (const auto known = alias_value_.find(name); known != alias_value_.end()) {
    Advance();
    return known->second;
  }
  if (program_.alias_of_name.contains(name)) {
    const AttributeValue* const value = ResolveAlias(name);
    Advance();
    return value;
  }
  Advance();
  const std::pair<absl::string_view, absl::string_view> parts = absl::StrSplit(name.substr(1), absl::MaxSplits('.', 1));
  const bool is_known = parts.first == "stablehlo" || parts.first == "mhlo" || parts.first == "chlo";
  if (!At(TokenKind::kLess)) {
    if (parts.second.empty() && !is_known) {
      sink_.Report(DiagnosticKind::kShloUndefined, {begin, begin + static_cast<uint32_t>(name.size())},
                   absl::StrCat("`", name, "`"), "");
      return nullptr;
    }
    return SkipOther(begin);
  }
  if (!is_known) return SkipOther(begin);
  const uint32_t open = token_.begin;
  absl::string_view kind = parts.second;
  Advance();
  bool has_inner = false;
  if (kind.empty()) {  // #stablehlo<kind ...>
    kind = text();
    Advance();
    has_inner = At(TokenKind::kLess);
    if (has_inner) Advance();
  }
  if (absl::c_linear_search(kWords, kind)) {
    AttributeValue* const value = NewAttribute(AttributeForm::kWord, begin);
    if (!At(TokenKind::kWord)) {
      Fail(absl::StrCat("a value of ", kind));
      return nullptr;
    }
    value->text = text();
    Advance();
    if (!Expect(TokenKind::kGreater, "`>`")) return nullptr;
    return Finish(value);
  }
  if (kind != "conv" && FindStructure(kind) == nullptr) {
    MoveTo(open);
    return SkipOther(begin);
  }
  const AttributeValue* const value = ParseStructure(kind, begin);
  if (value != nullptr && has_inner && !Expect(TokenKind::kGreater, "`>`")) return nullptr;
  return value;
}

const AttributeValue* Parser::ParseAttribute() {
  const Nesting nesting(*this);
  if (nesting.TooDeep()) return nullptr;
  const uint32_t begin = token_.begin;
  switch (token_.kind) {
    case TokenKind::kLeftBracket:
      return ParseArray();
    case TokenKind::kLeftBrace:
      return ParseDictionary();
    case TokenKind::kInteger:
    case TokenKind::kFloat:
    case TokenKind::kMinus:
      return ParseNumber();
    case TokenKind::kHash:
      return ParseHashAttribute();
    case TokenKind::kString: {
      AttributeValue* const value = NewAttribute(AttributeForm::kString, begin);
      value->text = text().size() >= 2 ? text().substr(1, text().size() - 2) : absl::string_view();
      Advance();
      return ParseTrailingType(*value) ? Finish(value) : nullptr;
    }
    case TokenKind::kSymbol: {
      AttributeValue* const value = NewAttribute(AttributeForm::kSymbol, begin);
      value->text = text().substr(1);
      if (absl::StartsWith(value->text, "\"")) value->text = value->text.substr(1, value->text.size() - 2);
      Advance();
      return Finish(value);
    }
    case TokenKind::kLess: {  // a structure or sharding whose name is clear from its place
      AttributeValue* const value = NewAttribute(AttributeForm::kOther, begin);
      MoveTo(lexer_.EndOfBracket(begin));
      Finish(value);
      value->text = lexer_.Slice(value->range);
      return value;
    }
    case TokenKind::kWord:
      return ParseWordAttribute();
    default: {
      const Type* const type = At(TokenKind::kBang) || At(TokenKind::kLeftParen) ? ParseType() : nullptr;
      if (type == nullptr) {
        if (!At(TokenKind::kBang) && !At(TokenKind::kLeftParen)) Fail("the value of an attribute");
        return nullptr;
      }
      AttributeValue* const value = NewAttribute(AttributeForm::kType, begin);
      value->type = type;
      return Finish(value);
    }
  }
}

const AttributeValue* Parser::ParseWordAttribute() {
  const uint32_t begin = token_.begin;
  const absl::string_view word = text();
  if (word == "dense") return ParseDense();
  if (word == "dense_resource") return ParseDenseResource();
  if (word == "array") return ParseDenseIntegers();
  if (word == "true" || word == "false") {
    AttributeValue* const value = NewAttribute(AttributeForm::kBool, begin);
    value->integer = word == "true";
    value->payload = token_.range();
    Advance();
    return ParseTrailingType(*value) ? Finish(value) : nullptr;
  }
  if (word == "unit") {
    Advance();
    return Finish(NewAttribute(AttributeForm::kUnit, begin));
  }
  if (word == "loc") {
    AttributeValue* const value = NewAttribute(AttributeForm::kLocation, begin);
    Advance();
    if (!At(TokenKind::kLeftParen)) {
      Fail("`(`");
      return nullptr;
    }
    const uint32_t end = lexer_.EndOfBracket(token_.begin);
    if (lexer_.text()[end - 1] != ')') {
      sink_.Report(DiagnosticKind::kShloLexical, token_.range(),
                   "this location is never closed; expected `)`, and `\"` at the end of each string");
      return nullptr;
    }
    value->payload = {token_.end, end - 1};
    MoveTo(end);
    return Finish(value);
  }
  if (word == "sparse" || word == "affine_map" || word == "affine_set" || word == "opaque" || word == "strided") {
    Advance();
    return SkipOther(begin);
  }
  // A type, or else a bare word of an enumeration.
  const bool is_precision = word == "tf32";  // in dot algorithms only
  const bool is_type =
      !is_precision && (word == "tensor" || word == "tuple" || word == "memref" || word == "complex" ||
                        word == "vector" || word == "none" || word == "index" ||
                        (word.size() <= 14 && absl::ascii_isdigit(word.back()) && absl::ascii_islower(word.front())) ||
                        (word.size() > 2 && absl::StartsWith(word, "f") && absl::ascii_isdigit(word[1])));
  if (is_type) {
    const Type* const type = ParseType();
    if (type == nullptr) return nullptr;
    AttributeValue* const value = NewAttribute(AttributeForm::kType, begin);
    value->type = type;
    value->text = word;
    return Finish(value);
  }
  AttributeValue* const value = NewAttribute(AttributeForm::kWord, begin);
  value->text = word;
  Advance();
  return Finish(value);
}

}  // namespace hloscope::stablehlo
