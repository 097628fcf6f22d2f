// SPDX-License-Identifier: Apache-2.0
// Document's questions about positions of the text.
#include <algorithm>
#include <memory>
#include <optional>

#include "absl/strings/match.h"
#include "core/document/document.h"
#include "core/document/statement_syntax.h"
#include "core/lex/lexer.h"
#include "core/semantics/anchor_resolver.h"

namespace hloscope {
namespace {

using Kind = SymbolAtPosition::Kind;

bool IsInside(TokenIndex token, TokenRange range) { return range.begin <= token && token < range.end; }

bool IsWord(TokenKind kind) { return kind == TokenKind::kName || kind == TokenKind::kIdentifier; }

}  // namespace

// The syntax of one instruction that is in the text: a part of the document's, or read for the occasion.
class Document::NodeView {
 public:
  NodeView(const Document& document, InstructionId id) {
    const size_t node = document.module_->instruction(id).syntax.index();
    if (document.has_whole_syntax_) {
      Set(document, document.whole_syntax_->tokens, document.whole_syntax_->tree, node);
    } else {
      own_ = ReadStatement(*document.source_, document.text_map(), document.text_map().StatementOf(node));
      Set(document, own_->tokens, own_->tree, node - own_->first_node);
    }
  }

  const TokenBuffer& tokens() const { return *tokens_; }
  const SyntaxTree& tree() const { return *tree_; }
  const InstructionSyntax& node() const { return *node_; }
  SourceRange Resolve(Anchor anchor, uint32_t attribute_number = Module::kNoSyntax) const {
    return resolver_->Resolve(*node_, anchor, attribute_number);
  }
  SourceRange NameRange(TokenIndex token) const { return resolver_->NameRange(token); }
  const OperandSyntax& operand(size_t k) const { return tree_->operands[node_->first_operand + k]; }
  // Null if it is not written.
  const AttributeSyntax* attribute(const Attribute* attribute) const {
    if (attribute == nullptr || attribute->syntax >= node_->attribute_count) return nullptr;
    return &tree_->attributes[node_->first_attribute + attribute->syntax];
  }

 private:
  void Set(const Document& document, const TokenBuffer& tokens, const SyntaxTree& tree, size_t node) {
    tokens_ = &tokens;
    tree_ = &tree;
    node_ = &tree.instructions[node];
    resolver_.emplace(*document.source_, tokens, tree, *document.module_);
  }

  std::unique_ptr<StatementSyntax> own_;
  const TokenBuffer* tokens_ = nullptr;
  const SyntaxTree* tree_ = nullptr;
  const InstructionSyntax* node_ = nullptr;
  std::optional<SyntaxAnchorResolver> resolver_;
};

SourceRange Document::InstructionRange(InstructionId id) const {
  const SyntaxId syntax = module_->instruction(id).syntax;
  return syntax.has_value() ? text_map().nodes[syntax.index()] : SourceRange{};
}
SourceRange Document::NameRange(InstructionId id) const {
  if (!module_->instruction(id).syntax.has_value()) return {};
  if (const SourceRange plain = PlainNameRange(id); !plain.empty()) return plain;
  return NodeView(*this, id).Resolve(Anchor::Name());
}
// `[ROOT] [%]name =`, with nothing but blanks between; empty if the instruction begins in another way.
SourceRange Document::PlainNameRange(InstructionId id) const {
  const Instruction& instruction = module_->instruction(id);
  if (!instruction.is_named || instruction.synthesized) return {};
  const SourceRange range = text_map().nodes[instruction.syntax.index()];
  const absl::string_view text = source_->Slice(range);
  size_t at = 0;
  if (absl::StartsWith(text, "ROOT ")) at = std::min(text.find_first_not_of(' ', 4), text.size());
  if (at < text.size() && text[at] == '%') ++at;
  const absl::string_view name = module_->InstructionName(id);
  const size_t end = at + name.size();
  if (name.empty() || end >= text.size() || (text[end] != ' ' && text[end] != '=') ||
      text.substr(at, name.size()) != name)
    return {};
  return {range.begin + static_cast<uint32_t>(at), range.begin + static_cast<uint32_t>(end)};
}

SourceRange Document::OpcodeRange(InstructionId id) const {
  if (!module_->instruction(id).syntax.has_value()) return {};
  return NodeView(*this, id).Resolve(Anchor::Opcode());
}

SourceRange Document::ShapeRange(InstructionId id) const {
  if (!module_->instruction(id).syntax.has_value()) return {};
  const NodeView view(*this, id);
  return view.node().shape.empty() ? SourceRange{} : RangeOfTokens(view.tokens(), view.node().shape);
}

SourceRange Document::OperandRange(InstructionId id, size_t k) const {
  if (!module_->instruction(id).syntax.has_value()) return {};
  const NodeView view(*this, id);
  return k < view.node().operand_count ? RangeOfTokens(view.tokens(), view.operand(k).tokens) : SourceRange{};
}

SourceRange Document::AttributeRange(InstructionId id, AttributeKind kind) const {
  const Attribute* attribute = module_->FindAttribute(id, kind);
  if (attribute == nullptr || attribute->syntax == Module::kNoSyntax) return {};
  if (!module_->instruction(id).syntax.has_value()) return {};
  return NodeView(*this, id).Resolve(Anchor::Attribute(kind), attribute->syntax);
}

SourceRange Document::ComputationRange(ComputationId id) const {
  const uint32_t syntax = module_->computation(id).syntax;
  return syntax < text_map().computations.size() ? text_map().computations[syntax].range : SourceRange{};
}

SourceRange Document::ComputationNameRange(ComputationId id) const {
  const uint32_t syntax = module_->computation(id).syntax;
  if (syntax >= text_map().computations.size()) return {};
  const TextMap::ComputationText& text = text_map().computations[syntax];
  if (!text.name.empty()) return text.name;
  const uint32_t at = text.body_begin > 0 ? text.body_begin - 1 : 0;
  return {at, at};
}

ComputationId Document::ComputationAt(uint32_t offset) const {
  // The innermost: inline computations lie inside others.
  ComputationId best;
  uint32_t best_size = 0xFFFFFFFFu;
  for (size_t i = 0; i < text_map().computations.size(); ++i) {
    const SourceRange range = text_map().computations[i].range;
    if (!range.Touches(offset) || range.size() >= best_size) continue;
    best = (*computation_of_syntax_)[i];
    best_size = range.size();
  }
  return best;
}

InstructionId Document::InstructionAt(uint32_t offset) const {
  const ComputationId computation = ComputationAt(offset);
  if (!computation.has_value()) return InstructionId::None();
  InstructionId best;
  uint32_t best_size = 0xFFFFFFFFu;
  for (InstructionId id : module_->computation(computation).instructions) {
    const SyntaxId syntax = module_->instruction(id).syntax;
    if (!syntax.has_value()) continue;
    const SourceRange range = text_map().nodes[syntax.index()];
    if (!range.Touches(offset) || range.size() >= best_size) continue;
    best = id;
    best_size = range.size();
  }
  return best;
}

SymbolAtPosition Document::SymbolAt(uint32_t offset) const {
  SymbolAtPosition symbol;
  DescribeOutside(offset, symbol);
  const InstructionId here = InstructionAt(offset);
  if (symbol.kind != Kind::kNone || !here.has_value()) return symbol;
  // Within an instruction its own tokens will do.
  std::optional<NodeView> view(std::in_place, *this, here);
  const TokenBuffer& tokens = view->tokens();
  TokenIndex token = tokens.TokenAt(offset);
  // A cursor just after a word means the word.
  const bool on_word = tokens.range(token).Contains(offset) && tokens.kind(token) != TokenKind::kEndOfFile;
  const bool at_punctuation =
      on_word && tokens.kind(token) >= TokenKind::kEquals && tokens.kind(token) <= TokenKind::kDots;
  if ((!on_word || at_punctuation) && token > 0 && tokens.end(token - 1) == offset) --token;
  if (!tokens.range(token).Touches(offset)) return symbol;
  symbol.range = tokens.range(token);
  const InstructionId id = InstructionAt(symbol.range.begin);
  if (!id.has_value()) return symbol;
  symbol.user = id;
  symbol.instruction = id;
  if (id != here) {
    // Where two statements touch.
    view.emplace(*this, id);
    token = view->tokens().TokenAt(symbol.range.begin);
  }
  DescribeSymbol(*view, token, symbol);
  return symbol;
}

// Outside of instructions only modules and computations have names.
void Document::DescribeOutside(uint32_t offset, SymbolAtPosition& symbol) const {
  const auto is_at = [&](SourceRange name) {
    if (name.empty()) return false;
    const bool has_percent = name.begin > 0 && source_->text()[name.begin - 1] == '%';
    return name.Touches(offset) || (has_percent && offset + 1 == name.begin);
  };
  symbol.range = {offset, offset};
  if (is_at(text_map().module_name)) {
    symbol.kind = Kind::kModuleName;
    symbol.range = text_map().module_name;
    return;
  }
  for (size_t i = 0; i < text_map().computations.size(); ++i) {
    if (!is_at(text_map().computations[i].name)) continue;
    symbol.kind = Kind::kComputationName;
    symbol.range = text_map().computations[i].name;
    symbol.computation = (*computation_of_syntax_)[i];
    return;
  }
}

// The symbol's user is known; `token` is one of its tokens.
void Document::DescribeSymbol(const NodeView& view, TokenIndex token, SymbolAtPosition& symbol) const {
  const InstructionId id = symbol.user;
  const InstructionSyntax& node = view.node();
  if (token == node.name) {
    symbol.kind = Kind::kInstructionName;
    symbol.range = view.NameRange(token);
    return;
  }
  if (token == node.opcode) {
    symbol.kind = Kind::kOpcode;
    return;
  }
  if (IsInside(token, node.shape)) {
    symbol.kind = Kind::kShape;
    symbol.range = RangeOfTokens(view.tokens(), node.shape);
    return;
  }
  const auto operands = module_->operands(id);
  for (uint32_t k = 0; k < node.operand_count; ++k) {
    const OperandSyntax& operand = view.operand(k);
    if (!IsInside(token, operand.tokens)) continue;
    if (IsInside(token, operand.shape) || k >= operands.size() || operand.name == kNoToken) {
      symbol.kind = IsInside(token, operand.shape) ? Kind::kShape : Kind::kNone;
      if (symbol.kind == Kind::kShape) symbol.range = RangeOfTokens(view.tokens(), operand.shape);
      if (k < operands.size()) symbol.instruction = operands[k];
      return;
    }
    symbol.kind = operands[k].has_value() ? Kind::kOperand : Kind::kNone;
    symbol.instruction = operands[k];
    symbol.range = view.NameRange(operand.name);
    if (operand.path_begin < operand.tokens.end) symbol.range.end = view.tokens().end(operand.tokens.end - 1);
    return;
  }
  for (const Attribute& attribute : module_->attributes(id)) {
    const AttributeSyntax* written = view.attribute(&attribute);
    if (written == nullptr || (token != written->name && !IsInside(token, written->value))) continue;
    symbol.attribute = attribute.kind;
    if (token == written->name) {
      symbol.kind = Kind::kAttributeName;
      symbol.range = view.NameRange(token);
      return;
    }
    symbol.kind = Kind::kAttributeValue;
    if (!IsWord(view.tokens().kind(token))) return;
    const absl::string_view name = source_->Slice(view.NameRange(token));
    const AttributeType type = InfoOf(attribute.kind).type;
    if (type == AttributeType::kComputation || type == AttributeType::kComputations) {
      for (ComputationId callee : module_->ComputationsAttribute(id, attribute.kind)) {
        if (module_->computation(callee).is_anonymous || module_->ComputationName(callee) != name) continue;
        symbol.kind = Kind::kComputationUse;
        symbol.computation = callee;
        symbol.range = view.NameRange(token);
      }
    } else if (type == AttributeType::kInstructions) {
      for (InstructionId other : module_->InstructionsAttribute(id, attribute.kind)) {
        if (module_->InstructionName(other) != name) continue;
        symbol.kind = Kind::kControlPredecessor;
        symbol.instruction = other;
        symbol.range = view.NameRange(token);
      }
    }
    return;
  }
}

bool Document::MayMention(InstructionId id, absl::string_view name) const {
  const Instruction& instruction = module_->instruction(id);
  if (!instruction.syntax.has_value()) return false;
  // What could not be read may name anything. A tuple path names what its made-up elements come from.
  if (instruction.has_reading_errors) return true;
  for (InstructionId operand : module_->operands(id)) {
    if (!operand.has_value() || module_->instruction(operand).synthesized) return true;
    if (module_->InstructionName(operand) == name) return true;
  }
  return module_->HasAttribute(id, AttributeKind::kControlPredecessors);
}

std::vector<SourceRange> Document::ReferencesTo(InstructionId id) const {
  std::vector<SourceRange> ranges;
  const Instruction& target = module_->instruction(id);
  if (target.syntax.has_value() && target.is_named) ranges.push_back(NameRange(id));
  const absl::string_view name = module_->InstructionName(id);
  // Uses are in the same body: look at the operands that carry the name (through a tuple path too).
  for (InstructionId user : module_->computation(target.computation).instructions) {
    if (user == id || !MayMention(user, name)) continue;
    const NodeView view(*this, user);
    for (uint32_t k = 0; k < view.node().operand_count; ++k) {
      const OperandSyntax& operand = view.operand(k);
      if (operand.name == kNoToken) continue;
      const SourceRange range = view.NameRange(operand.name);
      if (source_->Slice(range) == name) ranges.push_back(range);
    }
    const AttributeSyntax* predecessors =
        view.attribute(module_->FindAttribute(user, AttributeKind::kControlPredecessors));
    if (predecessors == nullptr) continue;
    for (TokenIndex t = predecessors->value.begin; t < predecessors->value.end; ++t) {
      if (IsWord(view.tokens().kind(t)) && source_->Slice(view.NameRange(t)) == name)
        ranges.push_back(view.NameRange(t));
    }
  }
  return ranges;
}

std::vector<SourceRange> Document::ReferencesTo(ComputationId id) const {
  std::vector<SourceRange> ranges;
  if (module_->computation(id).is_anonymous) return ranges;
  ranges.push_back(ComputationNameRange(id));
  const absl::string_view name = module_->ComputationName(id);
  for (InstructionId caller : users().callers(id)) {
    if (!module_->instruction(caller).syntax.has_value()) continue;
    const NodeView view(*this, caller);
    for (const Attribute& attribute : module_->attributes(caller)) {
      const AttributeType type = InfoOf(attribute.kind).type;
      if (type != AttributeType::kComputation && type != AttributeType::kComputations) continue;
      const AttributeSyntax* written = view.attribute(&attribute);
      if (written == nullptr) continue;
      const TokenRange value = written->value;
      for (TokenIndex t = value.begin; t < value.end; ++t) {
        if (view.tokens().kind(t) == TokenKind::kLeftBrace && t != value.begin) break;  // an inline body
        if (IsWord(view.tokens().kind(t)) && source_->Slice(view.NameRange(t)) == name)
          ranges.push_back(view.NameRange(t));
      }
    }
  }
  return ranges;
}

}  // namespace hloscope
