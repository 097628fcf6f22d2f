#include "core/editing/occurrences.h"

#include <algorithm>

#include "core/semantics/anchor_resolver.h"

namespace hloscope {
namespace {

void SortPlaces(std::vector<SourceRange>* places) {
  std::sort(places->begin(), places->end(), [](SourceRange a, SourceRange b) { return a.begin < b.begin; });
  places->erase(std::unique(places->begin(), places->end()), places->end());
}

// The parameter that the signature names at the offset; none if no signature is there.
InstructionId ParameterAt(const Document& document, uint32_t offset) {
  const Module& module = document.module();
  const TokenBuffer& tokens = document.tokens();
  for (const Computation& computation : module.computations()) {
    if (!computation.has_signature || computation.syntax >= document.syntax().computations.size()) continue;
    const TokenRange signature = document.syntax().computations[computation.syntax].signature_parameters;
    if (signature.empty() || offset < tokens.begin(signature.begin) || offset > tokens.end(signature.end - 1)) continue;
    for (InstructionId parameter : computation.parameters) {
      if (parameter.has_value() && SignatureNameRange(document, parameter).Touches(offset)) {
        // The empty range of a parameter that the signature does not name touches nothing here.
        if (!SignatureNameRange(document, parameter).empty()) return parameter;
      }
    }
  }
  return InstructionId::None();
}

}  // namespace

InstructionId NamedInstruction(const Module& module, InstructionId id) {
  while (id.has_value() && module.instruction(id).synthesized && module.opcode(id) == Opcode::kGetTupleElement &&
         module.operands(id).size() == 1) {
    id = module.operand(id, 0);
  }
  return id;
}

SourceRange SignatureNameRange(const Document& document, InstructionId parameter) {
  const Module& module = document.module();
  const Computation& computation = module.computation(module.instruction(parameter).computation);
  if (!computation.has_signature || computation.syntax >= document.syntax().computations.size()) return {};
  const TokenBuffer& tokens = document.tokens();
  const TokenRange signature = document.syntax().computations[computation.syntax].signature_parameters;
  const SyntaxAnchorResolver resolver(document.source(), tokens, document.syntax(), module);
  for (TokenIndex t = signature.begin; t < signature.end; ++t) {
    if (tokens.kind(t) != TokenKind::kName) continue;
    const SourceRange name = resolver.NameRange(t);
    if (document.source().Slice(name) == module.InstructionName(parameter)) return name;
  }
  return {};
}

Occurrences OccurrencesOf(const Document& document, InstructionId id) {
  Occurrences result;
  result.instruction = id;
  result.definition = document.NameRange(id);
  result.places = document.ReferencesTo(id);
  if (document.module().opcode(id) == Opcode::kParameter) {
    if (const SourceRange name = SignatureNameRange(document, id); !name.empty()) result.places.push_back(name);
  }
  SortPlaces(&result.places);
  return result;
}

Occurrences OccurrencesOf(const Document& document, ComputationId id) {
  Occurrences result;
  result.computation = id;
  result.definition = document.ComputationNameRange(id);
  result.places = document.ReferencesTo(id);
  SortPlaces(&result.places);
  return result;
}

Occurrences OccurrencesAt(const Document& document, uint32_t offset) {
  using Kind = SymbolAtPosition::Kind;
  const SymbolAtPosition symbol = document.SymbolAt(offset);
  switch (symbol.kind) {
    case Kind::kInstructionName:
    case Kind::kOperand:
    case Kind::kControlPredecessor: {
      const InstructionId named = NamedInstruction(document.module(), symbol.instruction);
      return named.has_value() ? OccurrencesOf(document, named) : Occurrences();
    }
    case Kind::kComputationName:
    case Kind::kComputationUse:
      return symbol.computation.has_value() ? OccurrencesOf(document, symbol.computation) : Occurrences();
    default: {
      const InstructionId parameter = ParameterAt(document, offset);
      return parameter.has_value() ? OccurrencesOf(document, parameter) : Occurrences();
    }
  }
}

}  // namespace hloscope
