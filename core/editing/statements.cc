// SPDX-License-Identifier: Apache-2.0
#include "core/editing/statements.h"

#include <algorithm>

namespace hloscope {
namespace {

using PartKind = PrintedModule::Part::Kind;

}  // namespace

std::vector<Statement> StatementsOf(const Document& document) {
  const SyntaxTree& tree = document.syntax();
  const Module& module = document.module();
  std::vector<InstructionId> instruction_of(tree.instructions.size());
  for (size_t i = 0; i < module.instruction_count(); ++i) {
    const Instruction& instruction = module.instruction(InstructionId(i));
    if (!instruction.syntax.has_value() || instruction.synthesized) continue;
    instruction_of[instruction.syntax.index()] = InstructionId(i);
  }
  std::vector<ComputationId> computation_of(tree.computations.size());
  for (size_t c = 0; c < module.computations().size(); ++c) {
    const uint32_t syntax = module.computations()[c].syntax;
    if (syntax != kNoSyntaxNode) computation_of[syntax] = ComputationId(c);
  }

  std::vector<Statement> statements;
  if (tree.module_name != kNoToken) {
    statements.push_back({0, PartKind::kHeader});
    if (!tree.file_names.empty()) statements.push_back({tree.file_names.begin - 1, PartKind::kHeader});
  }
  for (size_t c = 0; c < tree.computations.size(); ++c) {
    const ComputationSyntax& node = tree.computations[c];
    if (node.open_brace == kNoToken || node.close_brace == kNoToken) continue;
    statements.push_back({node.tokens.begin, PartKind::kComputationOpen, computation_of[c]});
    for (uint32_t i = 0; i < node.instruction_count; ++i) {
      const SyntaxId syntax = tree.instruction_lists[node.first_instruction + i];
      statements.push_back({tree.instructions[syntax.index()].tokens.begin, PartKind::kInstruction, computation_of[c],
                            instruction_of[syntax.index()]});
    }
    statements.push_back({node.close_brace, PartKind::kComputationClose, computation_of[c]});
  }
  std::stable_sort(statements.begin(), statements.end(),
                   [](const Statement& a, const Statement& b) { return a.first < b.first; });
  return statements;
}

std::vector<size_t> PartsOfStatements(const Module& module, const std::vector<Statement>& statements,
                                      const PrintedModule& printed) {
  const size_t none = printed.parts.size();
  std::vector<size_t> of_instruction(module.instruction_count(), none);
  std::vector<size_t> of_open(module.computations().size(), none), of_close = of_open;
  for (size_t p = 0; p < printed.parts.size(); ++p) {
    const PrintedModule::Part& part = printed.parts[p];
    switch (part.kind) {
      case PartKind::kHeader:
        break;
      case PartKind::kComputationOpen:
        of_open[part.computation.index()] = p;
        break;
      case PartKind::kInstruction:
        of_instruction[part.instruction.index()] = p;
        break;
      case PartKind::kComputationClose:
        of_close[part.computation.index()] = p;
        break;
    }
  }
  std::vector<size_t> parts;
  parts.reserve(statements.size());
  for (const Statement& statement : statements) {
    size_t part = none;
    switch (statement.kind) {
      case PartKind::kHeader:
        part = 0;
        break;
      case PartKind::kComputationOpen:
        if (statement.computation.has_value()) part = of_open[statement.computation.index()];
        break;
      case PartKind::kInstruction:
        if (statement.instruction.has_value()) part = of_instruction[statement.instruction.index()];
        break;
      case PartKind::kComputationClose:
        if (statement.computation.has_value()) part = of_close[statement.computation.index()];
        break;
    }
    parts.push_back(part);
  }
  return parts;
}

}  // namespace hloscope
