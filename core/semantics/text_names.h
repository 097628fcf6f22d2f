// SPDX-License-Identifier: Apache-2.0
// Which names a text defines, as far as diagnostics about other names need to know.
#ifndef HLOSCOPE_CORE_SEMANTICS_TEXT_NAMES_H_
#define HLOSCOPE_CORE_SEMANTICS_TEXT_NAMES_H_

#include <optional>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "core/ir/module.h"
#include "core/semantics/anchor_resolver.h"

namespace hloscope {

class TextNames {
 public:
  struct Definition {
    SourceRange name;         // without `%`
    SourceRange whole;        // the instruction
    absl::string_view owner;  // the name of its computation; "{...}" for an inline one
  };
  struct NamedComputation {
    absl::string_view name;
    SourceRange range;  // of the name, without `%`
    bool is_around;     // what is being read is in it
  };

  virtual ~TextNames() = default;
  // The first instruction of this name that the text has in the computation.
  virtual std::optional<Definition> Find(absl::string_view name, ComputationId computation) const = 0;
  // The same in all other computations.
  virtual std::optional<Definition> FindElsewhere(absl::string_view name, ComputationId computation) const = 0;
  // Of the instructions of the computation that have been read so far, in their order.
  virtual std::vector<absl::string_view> ReadSoFar(ComputationId computation) const = 0;
  // All that the text gives to instructions of the computation.
  virtual absl::flat_hash_set<absl::string_view> All(ComputationId computation) const = 0;
  // In the order in which they are read. `use` lies in what is being read.
  virtual std::vector<NamedComputation> Computations(SourceRange use) const = 0;
};

// While a module is read from a tree: what follows is known from the tree alone.
class SyntaxNames final : public TextNames {
 public:
  SyntaxNames(const SourceText& source, const TokenBuffer& tokens, const SyntaxTree& tree, const Module& module)
      : source_(source), tokens_(tokens), tree_(tree), module_(module), resolver_(source, tokens, tree, module) {}

  std::optional<Definition> Find(absl::string_view name, ComputationId computation) const override;
  std::optional<Definition> FindElsewhere(absl::string_view name, ComputationId computation) const override;
  std::vector<absl::string_view> ReadSoFar(ComputationId computation) const override;
  absl::flat_hash_set<absl::string_view> All(ComputationId computation) const override;
  std::vector<NamedComputation> Computations(SourceRange use) const override;

 private:
  absl::string_view NameOf(TokenIndex token) const;
  Definition Describe(const InstructionSyntax& instruction) const;

  const SourceText& source_;
  const TokenBuffer& tokens_;
  const SyntaxTree& tree_;
  const Module& module_;
  const SyntaxAnchorResolver resolver_;
};

// While one instruction of a module, whose names are all there, is read again.
class ModuleNames final : public TextNames {
 public:
  // `resolver` knows the text of the module.
  ModuleNames(Module& module, const AnchorResolver& resolver) : module_(module), resolver_(resolver) {}
  // The instruction that is read from now on. Its own name counts as read once it is `placed`.
  void Start(InstructionId instruction) {
    reading_ = instruction;
    placed_ = false;
  }
  void set_placed() { placed_ = true; }

  std::optional<Definition> Find(absl::string_view name, ComputationId computation) const override;
  std::optional<Definition> FindElsewhere(absl::string_view name, ComputationId computation) const override;
  std::vector<absl::string_view> ReadSoFar(ComputationId computation) const override;
  absl::flat_hash_set<absl::string_view> All(ComputationId computation) const override;
  std::vector<NamedComputation> Computations(SourceRange use) const override;

 private:
  Definition Describe(InstructionId id) const;

  Module& module_;
  const AnchorResolver& resolver_;
  InstructionId reading_;
  bool placed_ = false;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SEMANTICS_TEXT_NAMES_H_
