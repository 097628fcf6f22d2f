// SPDX-License-Identifier: Apache-2.0
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "core/diagnostics/count_text.h"
#include "core/diagnostics/suggestions.h"
#include "stablehlo/name_set.h"
#include "stablehlo/parser.h"

namespace hloscope::stablehlo {
namespace {

bool SameType(const Type& a, const Type& b) {
  if (&a == &b || a.kind == TypeKind::kError || b.kind == TypeKind::kError) return true;
  if (a.kind != b.kind) return false;
  if (a.HasShape() && b.HasShape()) return a.shape == b.shape;
  return a.text == b.text;
}

bool IsKnownDialect(absl::string_view dialect) { return dialect == "stablehlo" || dialect == "chlo"; }

// What only StableHLO's own tests hold.
bool IsTestOnly(absl::string_view dialect) { return dialect == "check" || dialect == "interpreter"; }

constexpr size_t kMostExplained = 20;

std::string DidYouMeanOperation(absl::string_view name) {
  return absl::StrCat("; did you mean `stablehlo.", name, "`?");
}

// What is wrong with the name of an operation that does not exist.
std::string WhyUnknown(absl::string_view text, const Operation& op) {
  const absl::string_view rest = text.substr(op.name_range.end);
  if (IsKnownDialect(op.dialect)) {
    // HLO has dashes where StableHLO has underscores.
    std::string whole(op.short_name);
    for (size_t k = 0; k < rest.size() && (rest[k] == '-' || absl::ascii_islower(rest[k])) && k < 40; ++k) {
      whole.push_back(rest[k] == '-' ? '_' : rest[k]);
    }
    if (whole != op.short_name && FindOperation(op.dialect, whole) != nullptr) {
      return absl::StrCat("no such operation; did you mean `", op.dialect, ".", whole, "`?");
    }
    return absl::StrCat("no such operation", SuggestOperation(op.dialect, op.short_name));
  }
  absl::string_view plain = op.short_name;
  const bool has_suffix =
      op.dialect == "arith" && (absl::ConsumeSuffix(&plain, "f") || absl::ConsumeSuffix(&plain, "i"));
  const bool exists = FindOperation("stablehlo", has_suffix ? plain : op.short_name) != nullptr;
  const std::string meant = exists ? DidYouMeanOperation(has_suffix ? plain : op.short_name) : "";
  if (op.name.find('.') != absl::string_view::npos) {
    return absl::StrCat("operations of dialect `", op.dialect, "` have no meaning in HLO", meant);
  }
  if (absl::StartsWith(absl::StripLeadingAsciiWhitespace(rest.substr(0, 20)), "=")) {
    return absl::StrCat("no operation; the name of a value begins with %: `%", op.name,
                        " = stablehlo.add %a, %b : ...`");
  }
  return absl::StrCat("no operation: its dialect is missing", meant);
}

}  // namespace

// --- Names ---

Value* Parser::NewValue(absl::string_view name, const Type* type, SourceRange range, const Region* region,
                        uint32_t number) {
  Value& value = program_.values.emplace_back();
  value.name = name;
  value.type = type;
  value.range = range;
  value.region = region;
  value.number = number;
  return &value;
}

void Parser::Define(absl::string_view name, Pack pack) {
  if (scope_.Define(name, pack)) return;
  sink_.Report(DiagnosticKind::kShloRedefinition, pack.range, absl::StrCat("`%", name, "`"))
      .Related(scope_.Find(name)->range, "the first definition is here");
}

std::string Parser::WhereIsIt(absl::string_view name, SourceRange use) {
  if (sink_.diagnostics().size() > kMostExplained) return "";
  if (const std::optional<SourceRange> gone = scope_.WhereItWas(name); gone.has_value()) {
    return absl::StrCat("; the one on line ", LineOf(program_, *gone),
                        " belongs to another region or function and is not visible here");
  }
  const absl::string_view rest = lexer_.text().substr(use.end, 1 << 20);
  for (const absl::string_view after : {" =", ":"}) {
    const size_t found = rest.find(absl::StrCat("%", name, after));
    if (found == absl::string_view::npos) continue;
    const uint32_t place = use.end + static_cast<uint32_t>(found);
    return absl::StrCat("; it is defined on line ", LineOf(program_, {place, place}), ", after this use");
  }
  const absl::string_view nearest = NearestName(name, scope_.names());
  return nearest.empty() ? "" : absl::StrCat("; did you mean `%", nearest, "`?");
}

Value* Parser::Lookup(absl::string_view name, uint32_t number, SourceRange range) {
  const Pack* const found = scope_.Find(name);
  if (found == nullptr) {
    sink_.Report(DiagnosticKind::kShloUnknownValue, range, absl::StrCat("`%", name, "`"), WhereIsIt(name, range));
    return nullptr;
  }
  const Pack& pack = *found;
  if (number >= pack.count) {
    sink_
        .Report(DiagnosticKind::kShloUnknownValue, range, absl::StrCat("`%", name, "#", number, "`"),
                absl::StrCat(": `%", name, "` has ", pack.count, pack.count == 1 ? " result" : " results"))
        .Related(pack.range, "its definition");
    return nullptr;
  }
  return pack.single != nullptr ? pack.single : pack.operation->results[pack.first + number];
}

// --- Parts of operations ---

bool Parser::ParseResultNames(ResultNames& names) {
  while (true) {
    ResultName name{text().substr(1), token_.range(), 1};
    Advance();
    if (At(TokenKind::kColon) && token_.begin == name.range.end) {
      Advance();
      if (!At(TokenKind::kInteger) || !absl::SimpleAtoi(text(), &name.count) || name.count == 0 || name.count > 65536) {
        return Fail("the number of results");
      }
      Advance();
    }
    names.push_back(name);
    if (!Eat(TokenKind::kComma)) break;
    if (!At(TokenKind::kValue)) return Fail("the name of another result");
  }
  return Expect(TokenKind::kEquals, "`=`");
}

bool Parser::ParseOperand(Operation& op) {
  if (!At(TokenKind::kValue)) return Fail("an operand such as `%0`");
  const absl::string_view name = text().substr(1);
  SourceRange range = token_.range();
  uint32_t number = 0;
  Advance();
  if (At(TokenKind::kHash) && token_.begin == range.end) {
    if (!absl::SimpleAtoi(text().substr(1), &number)) return Fail("the number of a result");
    range.end = token_.end;
    Advance();
  }
  Value* const value = Lookup(name, number, range);
  if (value == nullptr) op.is_broken = true;
  op.operands.push_back({value, range});
  return true;
}

bool Parser::ParseLocation(const AttributeValue*& location) {
  if (!AtWord("loc")) return true;
  location = ParseAttribute();
  return location != nullptr;
}

bool Parser::ReportTwice(absl::string_view name, SourceRange range) {
  sink_.Report(DiagnosticKind::kShloAttribute, range, absl::StrCat("attribute `", name, "` is given twice"));
  return false;
}

bool Parser::AddAttribute(Operation& op, absl::string_view name, SourceRange range, const AttributeValue* value) {
  if (value == nullptr) return false;
  if (op.Find(name) != nullptr) return ReportTwice(name, range);
  op.attributes.push_back({name, range, value});
  return true;
}

// A dictionary; what is in it twice was the operation's own attribute before.
bool Parser::ParseAttributesInto(Operation& op, TokenKind close) {
  const AttributeValue* const dictionary = ParseDictionary(close);
  if (dictionary == nullptr) return false;
  NameSet names;
  for (const NamedAttribute& attribute : op.attributes) names.Insert(attribute.name);
  for (size_t k = 0; k < dictionary->keys.size(); ++k) {
    const absl::string_view key = dictionary->keys[k];
    const uint32_t begin = static_cast<uint32_t>(key.data() - lexer_.text().data());
    const SourceRange range = {begin, begin + static_cast<uint32_t>(key.size())};
    if (!names.Insert(key)) return ReportTwice(key, range);
    op.attributes.push_back({key, range, dictionary->items[k]});
  }
  return true;
}

// Types after the colon: `(A, B) -> C`, `A -> B`, or only types.
bool Parser::ParseSignature(TypeList& operands, TypeList& results, bool& is_function) {
  if (At(TokenKind::kLeftParen)) {
    if (!ParseTypeList(operands)) return false;
  } else {
    do {
      const Type* const type = ParseType();
      if (type == nullptr) return false;
      operands.push_back(type);
    } while (Eat(TokenKind::kComma));
  }
  is_function = Eat(TokenKind::kArrow);
  if (!is_function) return true;
  if (At(TokenKind::kLeftParen)) return ParseTypeList(results);
  const Type* const type = ParseType();
  if (type == nullptr) return false;
  results.push_back(type);
  return true;
}

bool Parser::CheckOperandTypes(Operation& op, absl::Span<const Type* const> types) {
  if (types.size() != op.operands.size()) {
    sink_.Report(
        DiagnosticKind::kShloCount, op.name_range,
        absl::StrCat("`", op.name, "` has ", op.operands.size(), op.operands.size() == 1 ? " operand" : " operands",
                     ", but its type lists ", types.size()));
    op.is_broken = true;
    return true;  // the text can be read: its results are known
  }
  for (size_t k = 0; k < types.size(); ++k) {
    const OperandUse& use = op.operands[k];
    if (use.value == nullptr || SameType(*use.value->type, *types[k])) continue;
    sink_
        .Report(DiagnosticKind::kShloType, use.range,
                absl::StrCat("`", lexer_.Slice(use.range), "` is ", use.value->type->text, " (line ",
                             LineOf(program_, use.value->range), "), used here as ", types[k]->text))
        .Related(use.value->range, "its definition");
    op.is_broken = true;
  }
  return true;
}

// Whether a function returns what its signature says.
void Parser::CheckReturn(const Function& function) {
  const Operation* const last = function.body->operations.empty() ? nullptr : function.body->operations.back();
  if (last == nullptr || last->is_broken || last->short_name != "return") return;  // was reported
  if (last->operands.size() != function.results.size()) {
    sink_
        .Report(DiagnosticKind::kShloCount, last->name_range,
                absl::StrCat("@", function.name, " has ", CountOf(function.results.size(), "result"),
                             " by its signature, `return` gives ", last->operands.size()))
        .Related(function.name_range, "the signature is here");
    return;
  }
  for (size_t k = 0; k < last->operands.size(); ++k) {
    const OperandUse& use = last->operands[k];
    if (use.value == nullptr || SameType(*use.value->type, *function.results[k].type)) continue;
    sink_
        .Report(DiagnosticKind::kShloType, use.range,
                absl::StrCat("`", lexer_.Slice(use.range), "` is ", use.value->type->text, " (line ",
                             LineOf(program_, use.value->range), "), result ", k, " of @", function.name, " is ",
                             function.results[k].type->text))
        .Related(function.name_range, "the signature is here");
  }
}

bool Parser::DefineResults(Operation& op, absl::Span<const ResultName> names, absl::Span<const Type* const> types) {
  uint32_t named = 0;
  for (const ResultName& name : names) named += name.count;
  if (!names.empty() && named != types.size()) {
    sink_.Report(DiagnosticKind::kShloCount, {names.front().range.begin, names.back().range.end},
                 absl::StrCat("the text names ", named, named == 1 ? " result" : " results", ", `", op.name, "` has ",
                              types.size()));
    return false;
  }
  size_t name = 0;
  uint32_t first = 0;
  for (uint32_t k = 0; k < types.size(); ++k) {
    if (name < names.size() && k >= first + names[name].count) first += names[name++].count;
    const bool has_name = name < names.size();
    Value* const value = NewValue(has_name ? names[name].name : absl::string_view(), types[k],
                                  has_name ? names[name].range : op.name_range, op.parent, k);
    value->operation = &op;
    op.results.push_back(value);
  }
  first = 0;
  for (const ResultName& result : names) {
    Define(result.name, {nullptr, &op, first, result.count, result.range});
    first += result.count;
  }
  return true;
}

// Results of an operation that could not be read: they agree with every use.
void Parser::DefineBroken(Operation& op, absl::Span<const ResultName> names) {
  op.is_broken = true;
  op.results.clear();
  // One for each name: the text may say any number of results.
  for (const ResultName& name : names) {
    Value* const value = NewValue(name.name, ErrorType(), name.range, op.parent, 0);
    value->operation = &op;
    op.results.push_back(value);
    Define(name.name, {value, nullptr, 0, name.count, name.range});
  }
}

void Parser::SetName(Operation& op, absl::string_view name) {
  op.name = name;
  const size_t dot = name.find('.');
  op.dialect = dot == absl::string_view::npos ? absl::string_view("func") : name.substr(0, dot);
  op.short_name = dot == absl::string_view::npos ? name : name.substr(dot + 1);
  if (name == "shape.assuming_yield") op.short_name = "return";
  if (op.dialect != "mhlo") return;
  // What StableHLO left out of its predecessor is in CHLO, or has no name but the old one.
  op.dialect = "stablehlo";
  if (op.short_name == "topk") op.short_name = "top_k";
  if (FindOperation("stablehlo", op.short_name) == nullptr && FindOperation("chlo", op.short_name) != nullptr) {
    op.dialect = "chlo";
  }
}

void Parser::CheckKnown(const Operation& op, const OperationInfo* info) {
  if (info == nullptr) {
    if (IsTestOnly(op.dialect)) return;
    sink_.Report(DiagnosticKind::kShloUnknownOperation, op.name_range, op.name, WhyUnknown(lexer_.text(), op));
    return;
  }
  const OwnAttributes& own = AttributesOf(*info);
  for (const absl::string_view required : own.required) {
    if (op.Find(required) != nullptr) continue;
    sink_.Report(DiagnosticKind::kShloAttribute, op.name_range,
                 absl::StrCat("`", op.name, "` needs the attribute `", required, "`"));
  }
  for (const NamedAttribute& attribute : op.attributes) {
    if (absl::c_linear_search(own.all, attribute.name) || absl::StrContains(attribute.name, '.') ||
        attribute.name == "xla_shape" || absl::StartsWith(attribute.name, "lhs_") ||
        absl::StartsWith(attribute.name, "rhs_")) {
      continue;
    }
    sink_.Report(DiagnosticKind::kShloIgnored, attribute.name_range,
                 absl::StrCat("`", op.name, "` has no attribute `", attribute.name, "`; it is ignored",
                              DidYouMean(attribute.name, own.all)));
  }
}

// --- Operations ---

// "dialect.op"(operands) <{properties}> ({regions}) {attributes} : type
bool Parser::ParseGenericForm(Operation& op) {
  op.name_range = {token_.begin + 1, token_.end - 1};
  SetName(op, lexer_.Slice(op.name_range));
  Advance();
  if (!ParseOperandList(op)) return false;
  if (At(TokenKind::kLeftBracket)) {
    sink_.Report(DiagnosticKind::kShloRegion, token_.range(),
                 "successor blocks have no HLO: only single blocks are supported");
    return false;
  }
  if (At(TokenKind::kLess)) {
    Advance();
    if (!At(TokenKind::kLeftBrace)) return Fail("`{` and the properties");
    if (!ParseAttributesInto(op, TokenKind::kRightBrace) || !Expect(TokenKind::kGreater, "`>`")) return false;
  }
  if (Eat(TokenKind::kLeftParen)) {
    do {
      if (!ParseRegion(op)) return false;
    } while (Eat(TokenKind::kComma));
    if (!Expect(TokenKind::kRightParen, "`)` after the regions")) return false;
  }
  if (At(TokenKind::kLeftBrace) && !ParseAttributesInto(op, TokenKind::kRightBrace)) return false;
  if (!At(TokenKind::kColon)) return Fail("`:` and the type of the operation");
  Advance();
  if (!At(TokenKind::kLeftParen)) return Fail("`(` and the types of the operands");
  bool is_function = false;
  if (!ParseSignature(operand_types_, result_types_, is_function)) return false;
  return is_function || Fail("`->` and the types of the results");
}

bool Parser::ParseRegion(Operation& op, const std::vector<Value*>& arguments) {
  const Nesting nesting(*this);
  if (nesting.TooDeep()) return false;
  if (!At(TokenKind::kLeftBrace)) return Fail("`{` and a region");
  Region& region = program_.regions.emplace_back();
  region.parent = op.parent;
  region.range.begin = token_.begin;
  op.regions.push_back(&region);
  const size_t scope = scope_.names().size();
  for (Value* argument : arguments) {
    argument->region = &region;
    region.arguments.push_back(argument);
    Define(argument->name, {argument, nullptr, 0, 1, argument->range});
  }
  Advance();
  const bool read = ParseRegionBody(region);
  scope_.Leave(scope);
  return read;
}

Value* Parser::ParseRegionArgument(const Region* region, size_t number) {
  if (!At(TokenKind::kValue)) {
    Fail("the name of an argument");
    return nullptr;
  }
  const absl::string_view name = text().substr(1);
  const SourceRange range = token_.range();
  Advance();
  if (!Expect(TokenKind::kColon, "`:` and the type of the argument")) return nullptr;
  const Type* const type = ParseType();
  if (type == nullptr) return nullptr;
  Value* const value = NewValue(name, type, range, region, static_cast<uint32_t>(number));
  return ParseLocation(value->location) ? value : nullptr;
}

bool Parser::ParseBlockArguments(Region& region) {
  Advance();
  if (At(TokenKind::kLeftParen)) {
    Advance();
    while (!At(TokenKind::kRightParen)) {
      if (!region.arguments.empty() && !Expect(TokenKind::kComma, "`,` or `)`")) return false;
      Value* const value = ParseRegionArgument(&region, region.arguments.size());
      if (value == nullptr) return false;
      region.arguments.push_back(value);
      Define(value->name, {value, nullptr, 0, 1, value->range});
    }
    Advance();
  }
  return Expect(TokenKind::kColon, "`:`");
}

// After its `{`, to its `}`.
bool Parser::ParseRegionBody(Region& region) {
  if (At(TokenKind::kBlock) && !ParseBlockArguments(region)) return false;
  while (!At(TokenKind::kRightBrace)) {
    if (At(TokenKind::kEnd)) {
      sink_.Report(DiagnosticKind::kShloRegion, {region.range.begin, region.range.begin + 1},
                   "this region is never closed; expected `}`");
      return false;
    }
    if (At(TokenKind::kBlock)) {
      sink_.Report(DiagnosticKind::kShloRegion, token_.range(), "only regions of a single block are supported");
      return false;
    }
    ParseOperation(region);
  }
  region.range.end = token_.end;
  Advance();
  const Operation* const last = region.operations.empty() ? nullptr : region.operations.back();
  if (last == nullptr || (last->short_name != "return" && !last->is_broken)) {
    sink_.Report(DiagnosticKind::kShloRegion, {region.range.end - 1, region.range.end},
                 region.parent == nullptr ? "the function has no terminator: it must end in `return`"
                                          : "the region has no terminator: it must end in `stablehlo.return`");
  }
  return true;
}

// Leaves `op.results` empty; types are in operand_types_ and result_types_.
bool Parser::ParseOperationBody(Operation& op, ResultNames& names) {
  if (At(TokenKind::kValue) && !ParseResultNames(names)) return false;
  // The types of an operation around this one are not lost: regions are read before types.
  const OperationInfo* info = nullptr;
  bool read;
  TypeList operand_types, result_types;
  std::swap(operand_types, operand_types_);
  std::swap(result_types, result_types_);
  ResultNames* const outer_names = std::exchange(names_, &names);
  if (At(TokenKind::kString)) {
    read = ParseGenericForm(op);
    info = FindOperation(op.dialect, op.short_name);
  } else if (At(TokenKind::kWord)) {
    op.name_range = token_.range();
    SetName(op, text());
    info = FindOperation(op.dialect, op.short_name);
    if (info == nullptr && !IsTestOnly(op.dialect)) {
      CheckKnown(op, nullptr);
      read = false;
    } else {
      Advance();
      read = ParseCustomForm(op, info == nullptr ? OperationForm::kGeneric : info->form);
    }
  } else {
    read = Fail("an operation");
  }
  names_ = outer_names;
  std::swap(operand_types, operand_types_);
  std::swap(result_types, result_types_);
  if (!read) return false;
  uint32_t end = token_.begin;
  while (end > op.range.begin + 1 && absl::ascii_isspace(lexer_.text()[end - 1])) --end;
  op.range.end = end;
  if (!ParseLocation(op.location)) return false;
  CheckKnown(op, info);
  return CheckOperandTypes(op, operand_types) && DefineResults(op, names, result_types);
}

void Parser::ParseOperation(Region& region) {
  Operation& op = program_.operations.emplace_back();
  op.parent = &region;
  op.range = {token_.begin, token_.end};
  ResultNames names;
  const int errors = sink_.error_count();
  if (!ParseOperationBody(op, names)) {
    if (sink_.error_count() == errors) Fail("an operation");
    if (op.name.empty()) op.name_range = op.range;
    op.range.end = std::max(op.range.end, op.name_range.end);
    DefineBroken(op, names);
    SkipOperation(op);
  }
  region.operations.push_back(&op);
}

// To the next line on which an operation, or the end of a region, may start.
void Parser::SkipOperation(const Operation& op) {
  // Of many regions that are never closed each would look through the whole text.
  if (At(TokenKind::kEnd)) return;
  const absl::string_view all = lexer_.text();
  int64_t depth = 0;
  uint32_t at = op.range.begin;
  const uint32_t failed = std::max(token_.begin, op.range.begin + 1);
  bool line_start = false;
  for (; at < all.size(); ++at) {
    const char c = all[at];
    if (c == '\n') {
      line_start = true;
      continue;
    }
    if (c == ' ' || c == '\t' || c == '\r') continue;
    const absl::string_view rest = all.substr(at, 16);
    if (at >= failed && depth <= 0) {
      if (c == '}') break;
      if (line_start &&
          (c == '%' || c == '"' || absl::StartsWith(rest, "return") || absl::StartsWith(rest, "stablehlo.") ||
           absl::StartsWith(rest, "func.") || absl::StartsWith(rest, "chlo.") || absl::StartsWith(rest, "mhlo.") ||
           absl::StartsWith(rest, "sdy."))) {
        break;
      }
    }
    line_start = false;
    if (c == '"') at = lexer_.EndOfString(at) - 1;
    if (c == '/' && absl::StartsWith(rest, "//")) at = lexer_.SkipBlanks(at) - 1;
    if (c == '{') ++depth;
    if (c == '}') --depth;
  }
  MoveTo(at);
}

}  // namespace hloscope::stablehlo
