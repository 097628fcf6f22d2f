// SPDX-License-Identifier: Apache-2.0
#include "core/document/text_map.h"

#include "core/semantics/anchor_resolver.h"

namespace hloscope {
namespace {

bool IsCompound(const SyntaxTree& tree, const InstructionSyntax& node) {
  for (uint32_t k = 0; k < node.operand_count; ++k) {
    if (tree.operands[node.first_operand + k].nested.has_value()) return true;
  }
  for (uint32_t k = 0; k < node.attribute_count; ++k) {
    if (tree.attributes[node.first_attribute + k].inline_computation_count > 0) return true;
  }
  return false;
}

// The ids of the instructions follow each other, and each comes from a statement of its own.
bool IsPlain(const Module& module, ComputationId id, const TextMap& map) {
  const std::vector<InstructionId>& instructions = module.computation(id).instructions;
  for (size_t i = 0; i < instructions.size(); ++i) {
    const Instruction& instruction = module.instruction(instructions[i]);
    if (instruction.synthesized || !instruction.syntax.has_value() ||
        instructions[i].value != instructions[0].value + i ||
        (map.flags[instruction.syntax.index()] & TextMap::kStatement) == 0) {
      return false;
    }
  }
  return !instructions.empty();
}

}  // namespace

void MapInstructions(const TokenBuffer& tokens, const SyntaxTree& tree, TextMap& map) {
  const size_t first = map.nodes.size();
  const bool may_be_compound = tree.has_nested_operands || !tree.inline_computations.empty();
  constexpr size_t kAhead =
      16;  // tokens of a large text have left the caches: two of each statement are asked for early
  for (size_t i = 0; i < tree.instructions.size(); ++i) {
    if (i + kAhead < tree.instructions.size()) {
      const TokenRange soon = tree.instructions[i + kAhead].tokens;
      tokens.Prefetch(soon.begin, soon.begin + 1);
      tokens.Prefetch(soon.end - 1, soon.end);
    }
    const InstructionSyntax& node = tree.instructions[i];
    map.nodes.push_back(RangeOfTokens(tokens, node.tokens));
    const bool compound = may_be_compound && IsCompound(tree, node);
    map.flags.push_back(static_cast<uint8_t>(TextMap::kStatement | (node.broken ? TextMap::kBroken : 0) |
                                             (compound ? TextMap::kCompound : 0)));
  }
  const auto clear_statement = [&](SyntaxId node) {
    map.flags[first + node.index()] &= static_cast<uint8_t>(~TextMap::kStatement);
  };
  for (size_t i = 0; tree.has_nested_operands && i < tree.operands.size(); ++i) {
    const SyntaxId nested = tree.operands[i].nested;
    if (nested.has_value()) clear_statement(nested);
  }
  for (uint32_t node : tree.inline_computations) {
    const ComputationSyntax& body = tree.computations[node];
    for (uint32_t i = 0; i < body.instruction_count; ++i) {
      clear_statement(tree.instruction_lists[body.first_instruction + i]);
    }
  }
}

void MapComputations(const SourceText& source, const TokenBuffer& tokens, const SyntaxTree& tree, TextMap& map) {
  std::vector<bool> is_inline(tree.computations.size());
  for (uint32_t node : tree.inline_computations) is_inline[node] = true;
  for (size_t c = 0; c < tree.computations.size(); ++c) {
    const ComputationSyntax& node = tree.computations[c];
    TextMap::ComputationText& text = map.computations.emplace_back();
    text.range = RangeOfTokens(tokens, node.tokens);
    if (node.name != kNoToken) text.name = NameRange(source, tokens, node.name);
    if (!node.signature_result.empty()) text.result = RangeOfTokens(tokens, node.signature_result);
    text.is_closed = node.open_brace != kNoToken && node.close_brace != kNoToken;
    if (node.open_brace != kNoToken) text.body_begin = tokens.end(node.open_brace);
    if (node.close_brace != kNoToken) text.close_brace = tokens.begin(node.close_brace);
    text.is_top_level = node.name != kNoToken && !is_inline[c];
  }
}

void MapHeader(const SourceText& source, const TokenBuffer& tokens, const SyntaxTree& tree, TextMap& map) {
  for (uint32_t i = 0; i < tree.header_attribute_count; ++i) {
    const AttributeSyntax& node = tree.attributes[tree.first_header_attribute + i];
    const SourceRange name = NameRange(source, tokens, node.name);
    const absl::string_view text = source.Slice(name);
    const SourceRange whole = node.value.empty() ? name : SourceRange{name.begin, tokens.end(node.value.end - 1)};
    map.header.push_back({std::string(text), whole});
  }
  if (tree.module_name != kNoToken) map.module_name = NameRange(source, tokens, tree.module_name);
  const TokenRange rows[] = {tree.file_names, tree.function_names, tree.file_locations, tree.stack_frames};
  for (size_t i = 0; i < map.tables.size(); ++i) {
    // Rows exclude the heading, which is the token before.
    if (rows[i].begin > 0) map.tables[i] = {tokens.begin(rows[i].begin - 1), tokens.end(rows[i].end - 1)};
  }
}

void MarkPlainComputations(const Module& module, const std::vector<ComputationId>& computation_of_syntax,
                           TextMap& map) {
  for (size_t c = 0; c < map.computations.size(); ++c) {
    map.computations[c].is_plain = IsPlain(module, computation_of_syntax[c], map);
  }
}

TextMap MapText(const SourceText& source, const TokenBuffer& tokens, const SyntaxTree& tree, const Module& module,
                const std::vector<ComputationId>& computation_of_syntax) {
  TextMap map;
  map.nodes.reserve(tree.instructions.size());
  map.flags.reserve(tree.instructions.size());
  MapHeader(source, tokens, tree, map);
  MapInstructions(tokens, tree, map);
  MapComputations(source, tokens, tree, map);
  MarkPlainComputations(module, computation_of_syntax, map);
  return map;
}

}  // namespace hloscope
