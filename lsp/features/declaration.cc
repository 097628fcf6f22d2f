// SPDX-License-Identifier: Apache-2.0
#include "lsp/features/declaration.h"

#include "core/editing/occurrences.h"
#include "lsp/features/definition.h"

namespace hloscope::lsp {
namespace {

// The instruction or computation under the cursor.
struct Target {
  InstructionId instruction;
  ComputationId computation;
};

Target TargetAt(const DocumentView& view, protocol::Position position) {
  using Kind = SymbolAtPosition::Kind;
  const SymbolAtPosition symbol = view.SymbolAt(position);
  switch (symbol.kind) {
    case Kind::kComputationName:
    case Kind::kComputationUse:
      return {InstructionId::None(), symbol.computation};
    case Kind::kNone:
    case Kind::kModuleName: {
      const Occurrences occurrences = OccurrencesAt(view.document, view.ToOffset(position));
      return {occurrences.instruction, occurrences.computation};
    }
    case Kind::kInstructionName:
    case Kind::kOperand:
    case Kind::kControlPredecessor:
    case Kind::kShape:
    case Kind::kOpcode:
    case Kind::kAttributeName:
    case Kind::kAttributeValue:
      break;
  }
  return {NamedInstruction(view.module(), symbol.instruction), ComputationId::None()};
}

std::vector<ComputationId> CalledBy(const Module& module, InstructionId id) {
  std::vector<ComputationId> called;
  module.ForEachCalledComputation(id, [&](AttributeKind, ComputationId computation) {
    if (computation.has_value()) called.push_back(computation);
  });
  return called;
}

// From the name to the result shape; the name alone, or the opening brace, without a signature.
SourceRange SignatureRange(const Document& document, ComputationId id) {
  const SourceRange name = document.ComputationNameRange(id);
  const uint32_t node = document.module().computation(id).syntax;
  if (node >= document.text_map().computations.size()) return name;
  const SourceRange result = document.text_map().computations[node].result;
  return result.empty() ? name : SourceRange{name.begin, result.end};
}

}  // namespace

std::vector<protocol::Location> FindDeclaration(const DocumentView& view, protocol::Position position) {
  const Target target = TargetAt(view, position);
  if (target.instruction.has_value() && view.module().opcode(target.instruction) == Opcode::kParameter) {
    if (const SourceRange name = SignatureNameRange(view.document, target.instruction); !name.empty())
      return {view.ToLocation(name)};
  }
  return FindDefinition(view, position);
}

std::vector<protocol::Location> FindTypeDefinition(const DocumentView& view, protocol::Position position) {
  const Target target = TargetAt(view, position);
  std::vector<ComputationId> computations;
  if (target.computation.has_value()) {
    computations = {target.computation};
  } else if (target.instruction.has_value()) {
    computations = CalledBy(view.module(), target.instruction);
    if (computations.empty()) computations = {view.module().instruction(target.instruction).computation};
  }
  std::vector<protocol::Location> result;
  for (ComputationId id : computations) result.push_back(view.ToLocation(SignatureRange(view.document, id)));
  return result;
}

std::vector<protocol::Location> FindImplementation(const DocumentView& view, protocol::Position position) {
  const Target target = TargetAt(view, position);
  std::vector<ComputationId> computations;
  if (target.computation.has_value()) computations = {target.computation};
  if (target.instruction.has_value()) computations = CalledBy(view.module(), target.instruction);
  std::vector<protocol::Location> result;
  for (ComputationId id : computations) {
    const InstructionId root = view.module().computation(id).root;
    if (root.has_value()) result.push_back(view.ToLocation(view.document.NameRange(root)));
  }
  if (computations.empty() && target.instruction.has_value()) return FindDefinition(view, position);
  return result;
}

}  // namespace hloscope::lsp
