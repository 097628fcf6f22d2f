// Document's questions about positions of the text.
#include <algorithm>

#include "core/document/document.h"
#include "core/semantics/anchor_resolver.h"

namespace hloscope {
namespace {

using Kind = SymbolAtPosition::Kind;

bool IsInside(TokenIndex token, TokenRange range) { return range.begin <= token && token < range.end; }

bool IsWord(TokenKind kind) { return kind == TokenKind::kName || kind == TokenKind::kIdentifier; }

}  // namespace

SourceRange Document::InstructionRange(InstructionId id) const {
  return SyntaxAnchorResolver(*source_, tokens_, syntax_, *module_).Resolve(id, Anchor::Instruction());
}
SourceRange Document::NameRange(InstructionId id) const {
  return SyntaxAnchorResolver(*source_, tokens_, syntax_, *module_).Resolve(id, Anchor::Name());
}
SourceRange Document::OpcodeRange(InstructionId id) const {
  return SyntaxAnchorResolver(*source_, tokens_, syntax_, *module_).Resolve(id, Anchor::Opcode());
}

SourceRange Document::ShapeRange(InstructionId id) const {
  const SyntaxId syntax = module_->instruction(id).syntax;
  if (!syntax.has_value() || syntax_.instructions[syntax.index()].shape.empty()) return {};
  return RangeOfTokens(tokens_, syntax_.instructions[syntax.index()].shape);
}

SourceRange Document::OperandRange(InstructionId id, size_t k) const {
  const SyntaxId syntax = module_->instruction(id).syntax;
  if (!syntax.has_value()) return {};
  const InstructionSyntax& node = syntax_.instructions[syntax.index()];
  if (k >= node.operand_count) return {};
  return RangeOfTokens(tokens_, syntax_.operands[node.first_operand + k].tokens);
}

SourceRange Document::AttributeRange(InstructionId id, AttributeKind kind) const {
  const Attribute* attribute = module_->FindAttribute(id, kind);
  if (attribute == nullptr || attribute->syntax >= syntax_.attributes.size()) return {};
  return SyntaxAnchorResolver(*source_, tokens_, syntax_, *module_).Resolve(id, Anchor::Attribute(kind));
}

SourceRange Document::ComputationRange(ComputationId id) const {
  const uint32_t syntax = module_->computation(id).syntax;
  if (syntax >= syntax_.computations.size()) return {};
  return RangeOfTokens(tokens_, syntax_.computations[syntax].tokens);
}

SourceRange Document::ComputationNameRange(ComputationId id) const {
  const uint32_t syntax = module_->computation(id).syntax;
  if (syntax >= syntax_.computations.size()) return {};
  const ComputationSyntax& node = syntax_.computations[syntax];
  if (node.name == kNoToken) {
    const uint32_t at = node.open_brace != kNoToken ? tokens_.begin(node.open_brace) : 0;
    return {at, at};
  }
  return SyntaxAnchorResolver(*source_, tokens_, syntax_, *module_).NameRange(node.name);
}

ComputationId Document::ComputationAt(uint32_t offset) const {
  // The innermost: inline computations lie inside others.
  ComputationId best;
  uint32_t best_size = 0xFFFFFFFFu;
  for (size_t i = 0; i < syntax_.computations.size(); ++i) {
    const SourceRange range = RangeOfTokens(tokens_, syntax_.computations[i].tokens);
    if (!range.Touches(offset) || range.size() >= best_size) continue;
    best = computation_of_syntax_[i];
    best_size = range.size();
  }
  return best;
}

InstructionId Document::InstructionAt(uint32_t offset) const {
  const ComputationId computation = ComputationAt(offset);
  if (!computation.has_value()) return InstructionId::None();
  const ComputationSyntax& node = syntax_.computations[module_->computation(computation).syntax];
  InstructionId best;
  uint32_t best_size = 0xFFFFFFFFu;
  for (uint32_t i = 0; i < node.instruction_count; ++i) {
    const SyntaxId id = syntax_.instruction_lists[node.first_instruction + i];
    const SourceRange range = RangeOfTokens(tokens_, syntax_.instructions[id.index()].tokens);
    if (!range.Touches(offset) || range.size() >= best_size) continue;
    best = instruction_of_syntax_[id.index()];
    best_size = range.size();
  }
  return best;
}

SymbolAtPosition Document::SymbolAt(uint32_t offset) const {
  const SyntaxAnchorResolver resolver(*source_, tokens_, syntax_, *module_);
  SymbolAtPosition symbol;
  TokenIndex token = tokens_.TokenAt(offset);
  // A cursor just behind a word means the word.
  const bool on_word = tokens_.range(token).Contains(offset) && tokens_.kind(token) != TokenKind::kEndOfFile;
  const bool at_punctuation =
      on_word && tokens_.kind(token) >= TokenKind::kEquals && tokens_.kind(token) <= TokenKind::kDots;
  if ((!on_word || at_punctuation) && token > 0 && tokens_.end(token - 1) == offset) --token;
  if (!tokens_.range(token).Touches(offset)) return symbol;
  symbol.range = tokens_.range(token);

  if (token == syntax_.module_name) {
    symbol.kind = Kind::kModuleName;
    symbol.range = resolver.NameRange(token);
    return symbol;
  }
  for (size_t i = 0; i < syntax_.computations.size(); ++i) {
    if (syntax_.computations[i].name != token) continue;
    symbol.kind = Kind::kComputationName;
    symbol.range = resolver.NameRange(token);
    symbol.computation = computation_of_syntax_[i];
    return symbol;
  }
  const InstructionId id = InstructionAt(tokens_.begin(token));
  if (!id.has_value()) return symbol;
  symbol.user = id;
  symbol.instruction = id;
  const InstructionSyntax& node = syntax_.instructions[module_->instruction(id).syntax.index()];
  if (token == node.name) {
    symbol.kind = Kind::kInstructionName;
    symbol.range = resolver.NameRange(token);
    return symbol;
  }
  if (token == node.opcode) {
    symbol.kind = Kind::kOpcode;
    return symbol;
  }
  if (IsInside(token, node.shape)) {
    symbol.kind = Kind::kShape;
    symbol.range = RangeOfTokens(tokens_, node.shape);
    return symbol;
  }
  const auto operands = module_->operands(id);
  for (uint32_t k = 0; k < node.operand_count; ++k) {
    const OperandSyntax& operand = syntax_.operands[node.first_operand + k];
    if (!IsInside(token, operand.tokens)) continue;
    if (IsInside(token, operand.shape) || k >= operands.size() || operand.name == kNoToken) {
      symbol.kind = IsInside(token, operand.shape) ? Kind::kShape : Kind::kNone;
      if (symbol.kind == Kind::kShape) symbol.range = RangeOfTokens(tokens_, operand.shape);
      if (k < operands.size()) symbol.instruction = operands[k];
      return symbol;
    }
    symbol.kind = operands[k].has_value() ? Kind::kOperand : Kind::kNone;
    symbol.instruction = operands[k];
    symbol.range = {resolver.NameRange(operand.name).begin, tokens_.end(operand.tokens.end - 1)};
    if (operand.path_begin >= operand.tokens.end) symbol.range = resolver.NameRange(operand.name);
    return symbol;
  }
  for (const Attribute& attribute : module_->attributes(id)) {
    if (attribute.syntax >= syntax_.attributes.size()) continue;
    const AttributeSyntax& written = syntax_.attributes[attribute.syntax];
    if (token != written.name && !IsInside(token, written.value)) continue;
    symbol.attribute = attribute.kind;
    if (token == written.name) {
      symbol.kind = Kind::kAttributeName;
      symbol.range = resolver.NameRange(token);
      return symbol;
    }
    symbol.kind = Kind::kAttributeValue;
    if (!IsWord(tokens_.kind(token))) return symbol;
    const absl::string_view name = source_->Slice(resolver.NameRange(token));
    const AttributeType type = InfoOf(attribute.kind).type;
    if (type == AttributeType::kComputation || type == AttributeType::kComputations) {
      for (ComputationId callee : module_->ComputationsAttribute(id, attribute.kind)) {
        if (module_->computation(callee).is_anonymous || module_->ComputationName(callee) != name) continue;
        symbol.kind = Kind::kComputationUse;
        symbol.computation = callee;
        symbol.range = resolver.NameRange(token);
      }
    } else if (type == AttributeType::kInstructions) {
      for (InstructionId other : module_->InstructionsAttribute(id, attribute.kind)) {
        if (module_->InstructionName(other) != name) continue;
        symbol.kind = Kind::kControlPredecessor;
        symbol.instruction = other;
        symbol.range = resolver.NameRange(token);
      }
    }
    return symbol;
  }
  return symbol;
}

std::vector<SourceRange> Document::ReferencesTo(InstructionId id) const {
  const SyntaxAnchorResolver resolver(*source_, tokens_, syntax_, *module_);
  std::vector<SourceRange> ranges;
  const Instruction& target = module_->instruction(id);
  if (target.syntax.has_value() && syntax_.instructions[target.syntax.index()].name != kNoToken) {
    ranges.push_back(NameRange(id));
  }
  const absl::string_view name = module_->InstructionName(id);
  // Uses stand in the same body: look at the operands that carry the name (through a tuple path too).
  for (InstructionId user : module_->computation(target.computation).instructions) {
    const Instruction& instruction = module_->instruction(user);
    if (!instruction.syntax.has_value() || user == id) continue;
    const InstructionSyntax& node = syntax_.instructions[instruction.syntax.index()];
    for (uint32_t k = 0; k < node.operand_count; ++k) {
      const OperandSyntax& operand = syntax_.operands[node.first_operand + k];
      if (operand.name == kNoToken) continue;
      const SourceRange range = resolver.NameRange(operand.name);
      if (source_->Slice(range) == name) ranges.push_back(range);
    }
    const Attribute* predecessors = module_->FindAttribute(user, AttributeKind::kControlPredecessors);
    if (predecessors == nullptr || predecessors->syntax >= syntax_.attributes.size()) continue;
    const TokenRange value = syntax_.attributes[predecessors->syntax].value;
    for (TokenIndex t = value.begin; t < value.end; ++t) {
      if (IsWord(tokens_.kind(t)) && source_->Slice(resolver.NameRange(t)) == name)
        ranges.push_back(resolver.NameRange(t));
    }
  }
  return ranges;
}

std::vector<SourceRange> Document::ReferencesTo(ComputationId id) const {
  const SyntaxAnchorResolver resolver(*source_, tokens_, syntax_, *module_);
  std::vector<SourceRange> ranges;
  if (module_->computation(id).is_anonymous) return ranges;
  ranges.push_back(ComputationNameRange(id));
  const absl::string_view name = module_->ComputationName(id);
  for (InstructionId caller : users_.callers(id)) {
    for (const Attribute& attribute : module_->attributes(caller)) {
      const AttributeType type = InfoOf(attribute.kind).type;
      if (type != AttributeType::kComputation && type != AttributeType::kComputations) continue;
      if (attribute.syntax >= syntax_.attributes.size()) continue;
      const TokenRange value = syntax_.attributes[attribute.syntax].value;
      for (TokenIndex t = value.begin; t < value.end; ++t) {
        if (tokens_.kind(t) == TokenKind::kLeftBrace && t != value.begin) break;  // an inline body
        if (IsWord(tokens_.kind(t)) && source_->Slice(resolver.NameRange(t)) == name)
          ranges.push_back(resolver.NameRange(t));
      }
    }
  }
  return ranges;
}

}  // namespace hloscope
