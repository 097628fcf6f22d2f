// SPDX-License-Identifier: Apache-2.0
// Syntax tree to module (docs/text-format.md 3, 6, 8.3): resolves names, reads attribute values, fills in what the text
// leaves out, and reports what the text format itself forbids. Whether the module makes sense is the verifier's
// business.
#ifndef HLOSCOPE_CORE_SEMANTICS_MODULE_BUILDER_H_
#define HLOSCOPE_CORE_SEMANTICS_MODULE_BUILDER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "core/diagnostics/diagnostic.h"
#include "core/ir/module.h"
#include "core/lex/token_buffer.h"
#include "core/ops/rule_context.h"
#include "core/source/source_text.h"
#include "core/syntax/syntax_tree.h"

namespace hloscope {

struct BuiltModule {
  Module module;
  std::vector<ComputationId> computation_of_syntax;  // by computation node
};

// Never fails: what cannot be read becomes an instruction of opcode kInvalid with the invalid shape, whose users are
// not reported again.
BuiltModule BuildModule(const SourceText& source, const TokenBuffer& tokens, const SyntaxTree& tree,
                        const VerifyOptions& options, DiagnosticSink& sink);

// How much a text holds, about: for tables that need not grow.
struct ExpectedSizes {
  size_t instructions = 0, operands = 0, attributes = 0;
};

// Builds a module from parts of its text, in the order of the text, which are not needed any more once they were read:
// the same module as BuildModule makes of the whole text, unless there is something to report, but for constants that
// were left out. After another diagnostic, or if the text is not as is said below, nothing that was read is of use, and
// the text must be read whole.
class ModuleReader {
 public:
  ModuleReader(const SourceText& source, const VerifyOptions& options, const ExpectedSizes& expected,
               DiagnosticSink& sink);
  ~ModuleReader();

  // The first part: a header and perhaps computations.
  void ReadHeader(const TokenBuffer& tokens, const SyntaxTree& tree);
  // A part of whole computations.
  void ReadComputations(const TokenBuffer& tokens, const SyntaxTree& tree);
  // A computation whose statements follow in parts of their own, without inline computations. The tree holds it, and
  // nothing else, without statements; both stay until it is finished.
  void StartComputation(const TokenBuffer& tokens, const SyntaxTree& tree, size_t expected_instructions);
  void ReadStatements(const TokenBuffer& tokens, const SyntaxTree& tree);
  void FinishComputation();
  // False once it is clear that the text must be read whole.
  bool is_good();
  // Nothing if the text must be read whole.
  std::optional<BuiltModule> Finish();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// Reads single instructions of a module again after a change of the text, as BuildModule would read them.
class ModuleUpdater {
 public:
  // `module` is that of the new text but for what is to be read: names, is_named, is_marked_root and syntax ids are
  // already right. `resolver` knows the new text. All must outlive the updater.
  ModuleUpdater(const SourceText& source, const VerifyOptions& options, const AnchorResolver& resolver,
                DiagnosticSink& sink, Module& module);
  ~ModuleUpdater();

  // No computation has two instructions of one name, but for names in `except`, which must outlive the updater: the
  // definitions of operands are then found where they were. `are_all`: there are no exceptions at all, and other
  // definitions are looked for where they mostly are, just before their uses.
  void SetNamesAreUnique(const absl::flat_hash_set<StringId>* except, bool are_all);

  // Reads instruction `id` from `node` of a tree of its statement. Instructions that it depends on come first. False if
  // more than this instruction would have to change: inline bodies, nested operands, tuple paths, asynchronous sugar,
  // illegal names; the module is then of no use.
  bool Reread(const TokenBuffer& tokens, const SyntaxTree& tree, SyntaxId node, InstructionId id);
  // Of the parameter read last, if its number could be read.
  std::optional<uint32_t> parameter_number() const;
  // Sets the parameters of the computation and reports gaps between their numbers. `owners` are those whose numbers
  // could be read, in text order; `has_unreadable`: some instruction of the computation could not.
  void RereadParameters(ComputationId id, absl::Span<const std::pair<uint32_t, InstructionId>> owners,
                        bool has_unreadable);
  // Reports second roots and a signature whose result (the given tokens; none if there is no
  // signature) is not that of the root.
  void RereadComputation(ComputationId id, const TokenBuffer& result_tokens);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SEMANTICS_MODULE_BUILDER_H_
