// SPDX-License-Identifier: Apache-2.0
#include "stablehlo/parser.h"

#include <cstring>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "core/source/memory_hooks.h"

namespace hloscope::stablehlo {

bool Parser::Nesting::TooDeep() const {
  if (parser_.depth_ <= kMaxNesting) return false;
  parser_.sink_.Report(DiagnosticKind::kNestingTooDeep, parser_.token_.range(), kMaxNesting);
  return true;
}

bool Parser::Eat(TokenKind kind) {
  if (!At(kind)) return false;
  Advance();
  return true;
}

bool Parser::EatWord(absl::string_view word) {
  if (!AtWord(word)) return false;
  Advance();
  return true;
}

bool Parser::Expect(TokenKind kind, absl::string_view what) {
  if (Eat(kind)) return true;
  return Fail(what);
}

bool Parser::ExpectWord(absl::string_view word) {
  if (EatWord(word)) return true;
  return Fail(absl::StrCat("`", word, "`"));
}

bool Parser::Fail(absl::string_view expected) {
  if (At(TokenKind::kBad)) return false;
  SourceRange range = token_.range();
  range.end = std::min(range.end, range.begin + 200);
  const std::string found =
      At(TokenKind::kEnd) ? "the end of the text"
                          : absl::StrCat("`", lexer_.Slice({range.begin, std::min(range.end, range.begin + 40)}), "`");
  sink_.Report(DiagnosticKind::kShloSyntax, range, expected, found);
  return false;
}

// Finds the lines `#name = ...` and `!name = ...`: aliases may be used before they are defined.
void Parser::IndexAliases() {
  const absl::string_view all = lexer_.text();
  for (size_t at = 0; at < all.size();) {
    const size_t line = at;
    const void* const end = std::memchr(all.data() + at, '\n', all.size() - at);
    at = end == nullptr ? all.size() : static_cast<size_t>(static_cast<const char*>(end) - all.data()) + 1;
    if (all[line] == '/' && absl::StripAsciiWhitespace(all.substr(line, at - line)) == "// -----")
      saw_other_program_ = true;
    if (all[line] != '#' && all[line] != '!') continue;
    size_t name = line + 1;
    while (name < at && IsSuffixByte(all[name])) ++name;
    const size_t equals = lexer_.SkipBlanks(static_cast<uint32_t>(name));
    if (equals >= all.size() || all[equals] != '=') continue;
    const absl::string_view alias = all.substr(line, name - line);
    const SourceRange value = {lexer_.SkipBlanks(static_cast<uint32_t>(equals + 1)), static_cast<uint32_t>(at)};
    if (program_.alias_of_name.try_emplace(alias, value).second || saw_other_program_) continue;
    sink_.Report(DiagnosticKind::kShloRedefinition, {static_cast<uint32_t>(line), static_cast<uint32_t>(name)},
                 absl::StrCat("`", alias, "`"));
  }
}

// At `#name` or `!name` of a definition.
void Parser::SkipAlias() {
  Advance();
  if (!Expect(TokenKind::kEquals, "`=`")) {
    SkipToNextOperation();
    return;
  }
  if (At(TokenKind::kWord) || At(TokenKind::kHash) || At(TokenKind::kBang)) Advance();
  while (At(TokenKind::kLess) || At(TokenKind::kLeftParen) || At(TokenKind::kLeftBracket) ||
         At(TokenKind::kLeftBrace)) {
    MoveTo(lexer_.EndOfBracket(token_.begin));
  }
  if (At(TokenKind::kString) || At(TokenKind::kInteger) || At(TokenKind::kFloat)) Advance();
  if (Eat(TokenKind::kColon)) ParseType();
}

// {-# dialect_resources: { builtin: { KEY: "0x..." } } #-}: data is indexed, not read.
void Parser::ParseTrailer() {
  for (Advance(); !At(TokenKind::kCloseFile) && !At(TokenKind::kEnd);) {
    const Token key = token_;
    Advance();
    if ((key.kind != TokenKind::kWord && key.kind != TokenKind::kString) || !Eat(TokenKind::kColon)) continue;
    if (!At(TokenKind::kString)) continue;
    absl::string_view name = lexer_.Slice(key.range());
    if (key.kind == TokenKind::kString) name = name.substr(1, name.size() - 2);
    program_.resource_of_name.emplace(name, token_.range());
    Advance();
  }
  if (!Eat(TokenKind::kCloseFile)) Fail("`#-}`, the end of the trailer");
}

void Parser::ParseMesh() {
  Operation& op = program_.operations.emplace_back();
  op.range = op.name_range = token_.range();
  SetName(op, text());
  Advance();
  const SourceRange range = token_.range();
  if (!At(TokenKind::kSymbol)) {
    Fail("the name of the mesh");
    SkipToNextOperation();
    return;
  }
  const AttributeValue* const name = ParseAttribute();
  if (!Expect(TokenKind::kEquals, "`=`")) {
    SkipToNextOperation();
    return;
  }
  AddAttribute(op, "sym_name", range, name);
  AddAttribute(op, "mesh", token_.range(), ParseAttribute());
  if (At(TokenKind::kLeftBrace) && !ParseAttributesInto(op, TokenKind::kRightBrace)) {
    SkipToNextOperation();
    return;
  }
  ParseLocation(op.location);
  program_.meshes.push_back(&op);
}

bool Parser::ParseArguments(Function& function, Region& body) {
  if (!Expect(TokenKind::kLeftParen, "`(` and the arguments")) return false;
  while (!At(TokenKind::kRightParen)) {
    if (!function.argument_types.empty() && !Expect(TokenKind::kComma, "`,` or `)`")) return false;
    absl::string_view name;
    SourceRange range = token_.range();
    if (At(TokenKind::kValue)) {
      name = text().substr(1);
      Advance();
      if (!Expect(TokenKind::kColon, "`:` and the type of the argument")) return false;
    }
    const Type* const type = ParseType();
    if (type == nullptr) return false;
    const AttributeValue* const attributes = At(TokenKind::kLeftBrace) ? ParseDictionary() : nullptr;
    Value* const value = NewValue(name, type, range, &body, static_cast<uint32_t>(body.arguments.size()));
    if (!ParseLocation(value->location)) return false;
    function.argument_types.push_back(type);
    function.argument_attributes.push_back(attributes);
    body.arguments.push_back(value);
    if (!name.empty()) Define(name, {value, nullptr, 0, 1, range});
  }
  Advance();
  return true;
}

bool Parser::ParseFunctionResults(Function& function) {
  if (!Eat(TokenKind::kArrow)) return true;
  if (!At(TokenKind::kLeftParen)) {
    const Type* const type = ParseType();
    if (type == nullptr) return false;
    function.results.push_back({type, nullptr});
    return true;
  }
  Advance();
  while (!At(TokenKind::kRightParen)) {
    if (!function.results.empty() && !Expect(TokenKind::kComma, "`,` or `)`")) return false;
    const Type* const type = ParseType();
    if (type == nullptr) return false;
    function.results.push_back({type, At(TokenKind::kLeftBrace) ? ParseDictionary() : nullptr});
  }
  Advance();
  return true;
}

void Parser::AddFunction(Function& function) {
  if (!saw_other_program_ && !program_.function_of_name.try_emplace(function.name, &function).second) {
    sink_.Report(DiagnosticKind::kShloRedefinition, function.name_range, absl::StrCat("`@", function.name, "`"))
        .Related(program_.function_of_name[function.name]->name_range, "the first definition is here");
  }
  program_.functions.push_back(&function);
}

// At func.func.
bool Parser::ParseFunction() {
  Function& function = program_.all_functions.emplace_back();
  Region& body = program_.regions.emplace_back();
  function.range = token_.range();
  Advance();
  if (AtWord("public") || AtWord("private") || AtWord("nested")) {
    function.is_private = AtWord("private");
    Advance();
  }
  if (!At(TokenKind::kSymbol)) return Fail("the name of the function, such as `@main`");
  function.name_range = token_.range();
  function.name = text().substr(1);
  if (absl::StartsWith(function.name, "\"")) function.name = function.name.substr(1, function.name.size() - 2);
  Advance();
  scope_.Clear();
  if (!ParseArguments(function, body) || !ParseFunctionResults(function)) return false;
  if (EatWord("attributes")) {
    if (!At(TokenKind::kLeftBrace)) return Fail("`{`");
    function.attributes = ParseDictionary();
    if (function.attributes == nullptr) return false;
  }
  AddFunction(function);
  if (At(TokenKind::kLeftBrace)) {
    body.range.begin = token_.begin;
    function.body = &body;
    Advance();
    if (!ParseRegionBody(body)) return false;
    CheckReturn(function);
  }
  function.range.end = token_.begin;
  const AttributeValue* location = nullptr;
  return ParseLocation(location);
}

void Parser::SkipToNextOperation() {
  const absl::string_view all = lexer_.text();
  size_t at = token_.begin;
  while (at < all.size()) {
    const void* const end = std::memchr(all.data() + at, '\n', all.size() - at);
    if (end == nullptr) {
      at = all.size();
      break;
    }
    at = lexer_.SkipBlanks(static_cast<uint32_t>(static_cast<const char*>(end) - all.data() + 1));
    const absl::string_view rest = all.substr(at, 16);
    if (absl::StartsWith(rest, "func.func") || absl::StartsWith(rest, "module") || absl::StartsWith(rest, "{-#") ||
        absl::StartsWith(rest, "#") || absl::StartsWith(rest, "sdy.mesh") ||
        (absl::StartsWith(rest, "}") && all[at - 1] == '\n')) {
      break;
    }
  }
  MoveTo(static_cast<uint32_t>(at));
}

bool Parser::ParseModule() {
  const Nesting nesting(*this);
  if (nesting.TooDeep()) return false;
  Advance();
  if (At(TokenKind::kSymbol)) {
    program_.name = text().substr(1);
    if (absl::StartsWith(program_.name, "\"")) program_.name = program_.name.substr(1, program_.name.size() - 2);
    Advance();
  }
  if (EatWord("attributes")) {
    if (!At(TokenKind::kLeftBrace)) return Fail("`{`");
    program_.attributes = ParseDictionary();
    if (program_.attributes == nullptr) return false;
  }
  if (!Expect(TokenKind::kLeftBrace, "`{` and the functions of the module")) return false;
  ParseTopLevel(true);
  if (!Expect(TokenKind::kRightBrace, "`}` at the end of the module")) return false;
  const AttributeValue* location = nullptr;
  return ParseLocation(location);
}

bool Parser::ParseTopOperation(Operation& op, const std::function<bool()>& region) {
  op.range = token_.range();
  op.name_range = {token_.begin + 1, token_.end - 1};
  SetName(op, lexer_.Slice(op.name_range));
  Advance();
  if (!Expect(TokenKind::kLeftParen, "`(`") || !Expect(TokenKind::kRightParen, "`)`")) return false;
  if (Eat(TokenKind::kLess)) {
    if (!At(TokenKind::kLeftBrace)) return Fail("`{` and the properties");
    if (!ParseAttributesInto(op, TokenKind::kRightBrace) || !Expect(TokenKind::kGreater, "`>`")) return false;
  }
  if (Eat(TokenKind::kLeftParen)) {
    if (!At(TokenKind::kLeftBrace)) return Fail("`{` and a region");
    if (!region() || !Expect(TokenKind::kRightParen, "`)` after the region")) return false;
  }
  if (At(TokenKind::kLeftBrace) && !ParseAttributesInto(op, TokenKind::kRightBrace)) return false;
  if (!Expect(TokenKind::kColon, "`:` and the type of the operation") || ParseType() == nullptr) return false;
  op.range.end = token_.begin;
  return ParseLocation(op.location);
}

// "builtin.module"() ({ ... }) {sym_name = "m"} : () -> ()
bool Parser::ParseGenericModule() {
  const Nesting nesting(*this);
  if (nesting.TooDeep()) return false;
  Operation& op = program_.operations.emplace_back();
  const bool read = ParseTopOperation(op, [this] {
    Advance();
    ParseTopLevel(true);
    return Expect(TokenKind::kRightBrace, "`}` at the end of the module");
  });
  AttributeValue* const attributes = NewAttribute(AttributeForm::kDictionary, op.range.begin);
  for (const NamedAttribute& attribute : op.attributes) {
    if (attribute.value == nullptr) continue;
    if (attribute.name == "sym_name") program_.name = attribute.value->text;
    attributes->keys.push_back(attribute.name);
    attributes->items.push_back(attribute.value);
  }
  program_.attributes = attributes;
  return read;
}

// "func.func"() <{function_type = (T) -> R, sym_name = "main"}> ({ ^bb0(%x: T): ... }) : () -> ()
bool Parser::ParseGenericFunction() {
  Operation& op = program_.operations.emplace_back();
  Function& function = program_.all_functions.emplace_back();
  Region& body = program_.regions.emplace_back();
  scope_.Clear();
  const bool read = ParseTopOperation(op, [&] {
    body.range.begin = token_.begin;
    Advance();
    // Without operations it is a declaration.
    if (At(TokenKind::kRightBrace)) return Eat(TokenKind::kRightBrace);
    function.body = &body;
    return ParseRegionBody(body);
  });
  if (!read) return false;
  const AttributeValue* const name = op.Find("sym_name");
  const AttributeValue* const type = op.Find("function_type");
  if (name == nullptr || type == nullptr || type->type == nullptr || type->type->kind != TypeKind::kFunction) {
    sink_.Report(DiagnosticKind::kShloAttribute, op.name_range, "a function needs `sym_name` and `function_type`");
    return true;
  }
  function.name = name->text;
  function.name_range = name->range;
  function.range = op.range;
  const AttributeValue* const visibility = op.Find("sym_visibility");
  function.is_private = visibility != nullptr && visibility->text == "private";
  const auto dictionary = [&](absl::string_view list, size_t number) {
    const AttributeValue* const all = op.Find(list);
    return all != nullptr && number < all->items.size() ? all->items[number] : nullptr;
  };
  for (size_t k = 0; k < body.arguments.size(); ++k) {
    function.argument_types.push_back(body.arguments[k]->type);
    function.argument_attributes.push_back(dictionary("arg_attrs", k));
  }
  for (size_t k = 0; k < type->type->results.size(); ++k) {
    function.results.push_back({type->type->results[k], dictionary("res_attrs", k)});
  }
  AddFunction(function);
  return true;
}

bool Parser::ParseGenericTopLevel() {
  const absl::string_view name = text().substr(1, text().size() - 2);
  if (name == "builtin.module") return ParseGenericModule();
  if (name == "func.func") return ParseGenericFunction();
  if (name != "sdy.mesh") return Fail("\"builtin.module\", \"func.func\" or \"sdy.mesh\"");
  Operation& op = program_.operations.emplace_back();
  if (!ParseTopOperation(op, [this] { return Fail("no region"); })) return false;
  program_.meshes.push_back(&op);
  return true;
}

void Parser::ParseTopLevel(bool in_module) {
  bool saw_module = false;
  while (!At(TokenKind::kEnd)) {
    if (At(TokenKind::kRightBrace) && in_module) return;
    const uint32_t begin = token_.begin;
    const absl::string_view word = At(TokenKind::kWord) ? text() : absl::string_view();
    const bool is_generic_module = At(TokenKind::kString) && text() == "\"builtin.module\"";
    if (word == "func.func" || word == "func") {
      if (!ParseFunction()) SkipToNextOperation();
    } else if (At(TokenKind::kString) && !(is_generic_module && (in_module || saw_module))) {
      if (!ParseGenericTopLevel()) SkipToNextOperation();
      saw_module |= is_generic_module;
    } else if (word == "module" || word == "builtin.module" || is_generic_module) {
      if (in_module || saw_module) {
        sink_.Report(saw_other_program_ ? DiagnosticKind::kShloNote : DiagnosticKind::kShloProgram, token_.range(),
                     in_module ? "a module in a module is not supported; only the outer one is translated"
                               : "a second module: a file holds one program");
        Advance();
        if (At(TokenKind::kSymbol)) Advance();
        while (At(TokenKind::kLeftParen) || At(TokenKind::kLess) || At(TokenKind::kLeftBrace)) {
          MoveTo(lexer_.EndOfBracket(token_.begin));
        }
      } else if (!ParseModule()) {
        SkipToNextOperation();
      }
      saw_module = true;
    } else if (word == "sdy.mesh") {
      ParseMesh();
    } else if (At(TokenKind::kHash) || At(TokenKind::kBang)) {
      SkipAlias();
    } else if (At(TokenKind::kOpenFile)) {
      ParseTrailer();
    } else {
      Fail("`func.func`, `module` or the definition of an alias");
      SkipToNextOperation();
    }
    if (token_.begin == begin && !At(TokenKind::kEnd)) Advance();
  }
}

void Parser::ParseFile() {
  IndexAliases();
  if (saw_other_program_) {
    const size_t found = lexer_.text().find("// -----");
    const uint32_t at = static_cast<uint32_t>(found);
    sink_.Report(DiagnosticKind::kShloProgram, {at, at + 8},
                 "several programs in one file, separated by `// -----`; put each into a file of its own");
    return;
  }
  Advance();
  ParseTopLevel(false);
}

std::unique_ptr<Program> ParseProgram(std::shared_ptr<const SourceText> source) {
  // Twice as much becomes of a program as of a HLO text of its size.
  const ParsingReport report(2 * source->size());
  auto program = std::make_unique<Program>();
  program->source = std::move(source);
  Parser(*program).ParseFile();
  return program;
}

}  // namespace hloscope::stablehlo
