// SPDX-License-Identifier: Apache-2.0
#include "core/semantics/text_names.h"

#include "core/lex/lexer.h"

namespace hloscope {
namespace {
constexpr absl::string_view kInlineComputation = "{...}";
}  // namespace

// --- SyntaxNames ---

absl::string_view SyntaxNames::NameOf(TokenIndex token) const {
  return TokenName(tokens_.kind(token), source_.Slice(tokens_.range(token)));
}

TextNames::Definition SyntaxNames::Describe(const InstructionSyntax& instruction) const {
  const TokenIndex owner = tree_.computations[instruction.computation].name;
  return {resolver_.NameRange(instruction.name), RangeOfTokens(tokens_, instruction.tokens),
          owner != kNoToken ? NameOf(owner) : kInlineComputation};
}

std::optional<TextNames::Definition> SyntaxNames::Find(absl::string_view name, ComputationId computation) const {
  const uint32_t index = module_.computation(computation).syntax;
  if (index >= tree_.computations.size()) return std::nullopt;
  const ComputationSyntax& node = tree_.computations[index];
  for (uint32_t i = 0; i < node.instruction_count; ++i) {
    const InstructionSyntax& instruction =
        tree_.instructions[tree_.instruction_lists[node.first_instruction + i].index()];
    if (instruction.name != kNoToken && NameOf(instruction.name) == name) return Describe(instruction);
  }
  return std::nullopt;
}

std::optional<TextNames::Definition> SyntaxNames::FindElsewhere(absl::string_view name,
                                                                ComputationId computation) const {
  const uint32_t index = module_.computation(computation).syntax;
  for (const InstructionSyntax& instruction : tree_.instructions) {
    if (instruction.name == kNoToken || instruction.computation == index) continue;
    if (instruction.computation < tree_.computations.size() && NameOf(instruction.name) == name) {
      return Describe(instruction);
    }
  }
  return std::nullopt;
}

std::vector<absl::string_view> SyntaxNames::ReadSoFar(ComputationId computation) const {
  std::vector<absl::string_view> names;
  for (InstructionId id : module_.computation(computation).instructions) names.push_back(module_.InstructionName(id));
  return names;
}

absl::flat_hash_set<absl::string_view> SyntaxNames::All(ComputationId computation) const {
  absl::flat_hash_set<absl::string_view> names;
  const ComputationSyntax& node = tree_.computations[module_.computation(computation).syntax];
  for (uint32_t i = 0; i < node.instruction_count; ++i) {
    const TokenIndex name = tree_.instructions[tree_.instruction_lists[node.first_instruction + i].index()].name;
    if (name != kNoToken) names.insert(NameOf(name));
  }
  return names;
}

std::vector<TextNames::NamedComputation> SyntaxNames::Computations(SourceRange use) const {
  std::vector<NamedComputation> computations;
  for (const ComputationSyntax& node : tree_.computations) {
    if (node.name == kNoToken) continue;
    const SourceRange whole = RangeOfTokens(tokens_, node.tokens);
    const bool is_around = whole.begin <= use.begin && use.end <= whole.end;
    computations.push_back({NameOf(node.name), resolver_.NameRange(node.name), is_around});
  }
  return computations;
}

// --- ModuleNames ---

TextNames::Definition ModuleNames::Describe(InstructionId id) const {
  const ComputationId owner = module_.instruction(id).computation;
  return {resolver_.Resolve(id, Anchor::Name()), resolver_.Resolve(id, Anchor::Instruction()),
          module_.computation(owner).is_anonymous ? kInlineComputation : module_.ComputationName(owner)};
}

std::optional<TextNames::Definition> ModuleNames::Find(absl::string_view name, ComputationId computation) const {
  const StringId wanted = module_.mutable_strings().Find(name);
  if (!wanted.has_value()) return std::nullopt;
  for (InstructionId id : module_.computation(computation).instructions) {
    const Instruction& instruction = module_.instruction(id);
    if (instruction.name == wanted && instruction.is_named) return Describe(id);
  }
  return std::nullopt;
}

std::optional<TextNames::Definition> ModuleNames::FindElsewhere(absl::string_view name,
                                                                ComputationId computation) const {
  const StringId wanted = module_.mutable_strings().Find(name);
  if (!wanted.has_value()) return std::nullopt;
  // The first one in the text: ids of instructions in inline computations come before those of the body around them.
  InstructionId first;
  for (uint32_t i = 0; i < module_.instruction_count(); ++i) {
    const Instruction& instruction = module_.instruction(InstructionId(i));
    if (instruction.name != wanted || !instruction.is_named || instruction.computation == computation) continue;
    if (!first.has_value() || instruction.syntax < module_.instruction(first).syntax) first = InstructionId(i);
  }
  if (!first.has_value()) return std::nullopt;
  return Describe(first);
}

std::vector<absl::string_view> ModuleNames::ReadSoFar(ComputationId computation) const {
  std::vector<absl::string_view> names;
  for (InstructionId id : module_.computation(computation).instructions) {
    if (id == reading_ && !placed_) break;
    names.push_back(module_.InstructionName(id));
    if (id == reading_) break;
  }
  return names;
}

absl::flat_hash_set<absl::string_view> ModuleNames::All(ComputationId computation) const {
  absl::flat_hash_set<absl::string_view> names;
  for (InstructionId id : module_.computation(computation).instructions) {
    if (module_.instruction(id).is_named) names.insert(module_.InstructionName(id));
  }
  return names;
}

std::vector<TextNames::NamedComputation> ModuleNames::Computations(SourceRange) const {
  std::vector<NamedComputation> computations;
  for (ComputationId id(0); id.index() < module_.computations().size(); ++id.value) {
    if (module_.computation(id).is_anonymous) continue;
    computations.push_back({module_.ComputationName(id), resolver_.ResolveComputation(id),
                            id == module_.instruction(reading_).computation});
  }
  return computations;
}

}  // namespace hloscope
