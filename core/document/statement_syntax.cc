// SPDX-License-Identifier: Apache-2.0
#include "core/document/statement_syntax.h"

#include <utility>

#include "core/lex/lexer.h"
#include "core/semantics/anchor_resolver.h"
#include "core/semantics/text_parts.h"
#include "core/syntax/syntax_parser.h"

namespace hloscope {

std::unique_ptr<StatementSyntax> ReadStatement(const SourceText& source, const TextMap& map, size_t statement) {
  const SourceRange range = map.nodes[statement];
  auto result = std::make_unique<StatementSyntax>();
  DiagnosticSink quiet;  // the diagnostics are known
  bool tokens_ended = true;
  // More tokens than the parser looks ahead, even where it looks for the end of a broken statement.
  for (int more = 8; tokens_ended && more < 100000; more *= 8) {
    result->tokens = LexPart(source, range.begin, range.end, more, quiet);
    auto tree = ParseStatements(
        source, result->tokens, [&](uint32_t offset) { return offset >= range.end && offset > range.begin; }, quiet,
        &tokens_ended);
    if (tree) {
      result->tree = *std::move(tree);
      break;
    }
    if (!tokens_ended) break;
  }
  if (result->tree.instructions.empty()) result->tree.instructions.emplace_back();  // never happens
  result->first_node = statement + 1 - result->tree.instructions.size();
  return result;
}

const StatementSyntax& TextAnchorResolver::Statement(size_t statement) const {
  if (last_ == nullptr || last_statement_ != statement) {
    last_ = ReadStatement(source_, map_, statement);
    last_statement_ = statement;
  }
  return *last_;
}

SourceRange TextAnchorResolver::Resolve(InstructionId id, Anchor anchor) const {
  const Instruction& instruction = module_.instruction(id);
  if (!instruction.syntax.has_value()) return {};
  if (anchor.part == Anchor::Part::kInstruction) return map_.nodes[instruction.syntax.index()];
  const StatementSyntax& statement = Statement(map_.StatementOf(instruction.syntax.index()));
  uint32_t attribute_number = Module::kNoSyntax;
  if (anchor.part == Anchor::Part::kAttribute || anchor.part == Anchor::Part::kAttributeValue) {
    const Attribute* attribute = module_.FindAttribute(id, static_cast<AttributeKind>(anchor.index));
    if (attribute != nullptr) attribute_number = attribute->syntax;
  }
  const SyntaxAnchorResolver resolver(source_, statement.tokens, statement.tree, module_);
  return resolver.Resolve(statement.tree.instructions[instruction.syntax.index() - statement.first_node], anchor,
                          attribute_number);
}

SourceRange TextAnchorResolver::ResolveShapePart(InstructionId id, const ShapePart& part) const {
  const SyntaxId syntax = module_.instruction(id).syntax;
  if (!syntax.has_value()) return {};
  const StatementSyntax& statement = Statement(map_.StatementOf(syntax.index()));
  const TokenRange shape = statement.tree.instructions[syntax.index() - statement.first_node].shape;
  const SourceRange range = ShapePartRange(statement.tokens, shape, part);
  return range.empty() ? Resolve(id, Anchor::Shape()) : range;
}

SourceRange TextAnchorResolver::ResolveComputation(ComputationId id) const {
  const uint32_t node = module_.computation(id).syntax;
  if (node >= map_.computations.size()) return {};
  const TextMap::ComputationText& text = map_.computations[node];
  if (!text.name.empty()) return text.name;
  return text.body_begin > 0 ? SourceRange{text.body_begin - 1, text.body_begin} : text.range;
}

SourceRange TextAnchorResolver::ResolveHeader(const HeaderPart& part) const {
  for (const TextMap::HeaderAttribute& attribute : map_.header) {
    if (attribute.name != part.attribute) continue;
    if (part.kind == HeaderPart::Kind::kWhole) return attribute.range;
    DiagnosticSink quiet;
    const TokenBuffer tokens = LexPart(source_, attribute.range.begin, attribute.range.end, 0, quiet);
    TokenRange value = {1, 1};  // after the name
    while (tokens.begin(value.end) < attribute.range.end && value.end + 1 < tokens.size()) ++value.end;
    const SourceRange range = HeaderPartRange(tokens, value, part);
    return range.empty() ? attribute.range : range;
  }
  return map_.module_name;
}

}  // namespace hloscope
