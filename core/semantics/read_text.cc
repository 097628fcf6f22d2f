// SPDX-License-Identifier: Apache-2.0
#include "core/semantics/read_text.h"

namespace hloscope {
namespace {

class UnknownNames final : public TextNames {
 public:
  std::optional<Definition> Find(absl::string_view, ComputationId) const override { return std::nullopt; }
  std::optional<Definition> FindElsewhere(absl::string_view, ComputationId) const override { return std::nullopt; }
  std::vector<absl::string_view> ReadSoFar(ComputationId) const override { return {}; }
  absl::flat_hash_set<absl::string_view> All(ComputationId) const override { return {}; }
  std::vector<NamedComputation> Computations(SourceRange) const override { return {}; }
};

class UnknownPlaces final : public AnchorResolver {
 public:
  SourceRange Resolve(InstructionId, Anchor) const override { return {}; }
  SourceRange ResolveShapePart(InstructionId, const ShapePart&) const override { return {}; }
  SourceRange ResolveComputation(ComputationId) const override { return {}; }
  SourceRange ResolveHeader(const HeaderPart&) const override { return {}; }
};

}  // namespace

void ReadText::SetWhole(const TokenBuffer& tokens, const SyntaxTree& tree) {
  syntax_names_.emplace(source_, tokens, tree, module_);
  SetSyntax(tokens, tree);
  ids_ = &*nodes_;
  names_.emplace(source_, tokens, tree, module_, *syntax_names_, *ids_, sink_);
}

void ReadText::SetPart(const TokenBuffer& tokens, const SyntaxTree& tree) {
  static const UnknownNames no_names;
  static const UnknownPlaces no_places;
  SetSyntax(tokens, tree);
  ids_ = &no_places;
  names_.emplace(source_, tokens, tree, module_, no_names, no_places, sink_);
}

void ReadText::SetSurroundings(const AnchorResolver& ids) {
  ids_ = &ids;
  module_names_.emplace(module_, ids);
}

void ReadText::SetStatement(const TokenBuffer& tokens, const SyntaxTree& tree, InstructionId instruction) {
  module_names_->Start(instruction);
  SetSyntax(tokens, tree);
  names_.emplace(source_, tokens, tree, module_, *module_names_, *ids_, sink_);
}

void ReadText::SetSyntax(const TokenBuffer& tokens, const SyntaxTree& tree) {
  tokens_ = &tokens;
  tree_ = &tree;
  nodes_.emplace(source_, tokens, tree, module_);
}

}  // namespace hloscope
