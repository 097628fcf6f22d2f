// SPDX-License-Identifier: Apache-2.0
#include "core/semantics/anchor_resolver.h"

#include "core/semantics/text_parts.h"

namespace hloscope {

SourceRange NameRange(const SourceText& source, const TokenBuffer& tokens, TokenIndex token) {
  SourceRange range = tokens.range(token);
  const absl::string_view text = source.Slice(range);
  if (!text.empty() && text.front() == '%') {
    ++range.begin;
  } else if (tokens.kind(token) == TokenKind::kName || tokens.kind(token) == TokenKind::kAttributeName) {
    --range.end;
  }
  return range;
}

SourceRange SyntaxAnchorResolver::Resolve(const InstructionSyntax& node, Anchor anchor,
                                          uint32_t attribute_number) const {
  const SourceRange opcode = node.opcode != kNoToken ? tokens_.range(node.opcode) : RangeOfTokens(tokens_, node.tokens);
  switch (anchor.part) {
    case Anchor::Part::kInstruction:
      return RangeOfTokens(tokens_, node.tokens);
    case Anchor::Part::kName:
      return node.name != kNoToken ? NameRange(node.name) : opcode;
    case Anchor::Part::kShape:
      return node.shape.empty() ? opcode : RangeOfTokens(tokens_, node.shape);
    case Anchor::Part::kOpcode:
      return opcode;
    case Anchor::Part::kOperandList: {
      if (node.opcode == kNoToken) return opcode;
      if (node.arguments.empty()) {
        // The parentheses of an empty list.
        return {tokens_.begin(node.opcode), tokens_.end(node.opcode)};
      }
      return RangeOfTokens(tokens_, node.arguments);
    }
    case Anchor::Part::kOperand:
      if (anchor.index >= node.operand_count) return opcode;
      return RangeOfTokens(tokens_, tree_.operands[node.first_operand + anchor.index].tokens);
    case Anchor::Part::kAttribute:
    case Anchor::Part::kAttributeValue: {
      if (attribute_number >= node.attribute_count) return opcode;
      const AttributeSyntax& attribute = tree_.attributes[node.first_attribute + attribute_number];
      if (attribute.value.empty()) return tokens_.range(attribute.name);
      if (anchor.part == Anchor::Part::kAttributeValue) return RangeOfTokens(tokens_, attribute.value);
      if (anchor.entry >= 0) {
        const SourceRange entry =
            ListEntryRange(source_, tokens_, attribute.value, anchor.field, static_cast<size_t>(anchor.entry));
        if (!entry.empty()) return entry;
      }
      return {tokens_.begin(attribute.name), tokens_.end(attribute.value.end - 1)};
    }
  }
  return opcode;
}

SourceRange SyntaxAnchorResolver::Resolve(InstructionId id, Anchor anchor) const {
  const Instruction& instruction = module_.instruction(id);
  if (!instruction.syntax.has_value()) return {};
  uint32_t attribute_number = Module::kNoSyntax;
  if (anchor.part == Anchor::Part::kAttribute || anchor.part == Anchor::Part::kAttributeValue) {
    const Attribute* attribute = module_.FindAttribute(id, static_cast<AttributeKind>(anchor.index));
    if (attribute != nullptr) attribute_number = attribute->syntax;
  }
  return Resolve(tree_.instructions[instruction.syntax.index()], anchor, attribute_number);
}

SourceRange SyntaxAnchorResolver::ResolveShapePart(InstructionId id, const ShapePart& part) const {
  const Instruction& instruction = module_.instruction(id);
  if (!instruction.syntax.has_value()) return {};
  const TokenRange shape = tree_.instructions[instruction.syntax.index()].shape;
  const SourceRange range = ShapePartRange(tokens_, shape, part);
  return range.empty() ? Resolve(id, Anchor::Shape()) : range;
}

SourceRange SyntaxAnchorResolver::ResolveComputation(ComputationId computation) const {
  const uint32_t node = module_.computation(computation).syntax;
  if (node >= tree_.computations.size()) return {};
  const ComputationSyntax& syntax = tree_.computations[node];
  if (syntax.name != kNoToken) return NameRange(syntax.name);
  return syntax.open_brace != kNoToken ? tokens_.range(syntax.open_brace) : RangeOfTokens(tokens_, syntax.tokens);
}

SourceRange SyntaxAnchorResolver::ResolveHeader(const HeaderPart& part) const {
  for (uint32_t i = 0; i < tree_.header_attribute_count; ++i) {
    const AttributeSyntax& node = tree_.attributes[tree_.first_header_attribute + i];
    const SourceRange name = NameRange(node.name);
    if (source_.Slice(name) != part.attribute) continue;
    if (node.value.empty()) return name;
    const SourceRange range = HeaderPartRange(tokens_, node.value, part);
    return range.empty() ? SourceRange{name.begin, tokens_.end(node.value.end - 1)} : range;
  }
  return tree_.module_name != kNoToken ? NameRange(tree_.module_name) : SourceRange{};
}

}  // namespace hloscope
