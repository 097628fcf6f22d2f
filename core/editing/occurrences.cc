// SPDX-License-Identifier: Apache-2.0
#include "core/editing/occurrences.h"

#include <algorithm>

#include "core/lex/lexer.h"

namespace hloscope {
namespace {

void SortPlaces(std::vector<SourceRange>* places) {
  std::sort(places->begin(), places->end(), [](SourceRange a, SourceRange b) { return a.begin < b.begin; });
  places->erase(std::unique(places->begin(), places->end()), places->end());
}

// The text between the name and the result of the computation's signature; empty without a signature.
SourceRange SignatureRange(const Document& document, const Computation& computation) {
  const TextMap& map = document.text_map();
  if (!computation.has_signature || computation.syntax >= map.computations.size()) return {};
  const TextMap::ComputationText& text = map.computations[computation.syntax];
  const uint32_t end = text.result.empty() ? text.body_begin : text.result.begin;
  return text.name.end < end ? SourceRange{text.name.end, end} : SourceRange{};
}

// The parameter that the signature names at the offset; none if no signature is there.
InstructionId ParameterAt(const Document& document, uint32_t offset) {
  for (const Computation& computation : document.module().computations()) {
    if (!SignatureRange(document, computation).Touches(offset)) continue;
    for (InstructionId parameter : computation.parameters) {
      const SourceRange name = parameter.has_value() ? SignatureNameRange(document, parameter) : SourceRange{};
      if (!name.empty() && name.Touches(offset)) return parameter;
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
  const SourceRange signature = SignatureRange(document, computation);
  if (signature.empty()) return {};
  DiagnosticSink quiet;
  const TokenBuffer tokens = LexPart(document.source(), signature.begin, signature.end, 0, quiet);
  for (TokenIndex t = 0; t < tokens.size(); ++t) {
    if (tokens.kind(t) != TokenKind::kName) continue;
    const absl::string_view text = document.source().Slice(tokens.range(t));
    const absl::string_view name = TokenName(TokenKind::kName, text);
    if (name != module.InstructionName(parameter)) continue;
    const uint32_t begin = tokens.begin(t) + static_cast<uint32_t>(name.data() - text.data());
    return {begin, begin + static_cast<uint32_t>(name.size())};
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
    case Kind::kNone:
    case Kind::kShape:
    case Kind::kOpcode:
    case Kind::kAttributeName:
    case Kind::kAttributeValue:
    case Kind::kModuleName:
      break;
  }
  const InstructionId parameter = ParameterAt(document, offset);
  return parameter.has_value() ? OccurrencesOf(document, parameter) : Occurrences();
}

}  // namespace hloscope
