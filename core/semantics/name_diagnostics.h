// SPDX-License-Identifier: Apache-2.0
// Diagnostics about names: those that stand for nothing where they are used, with what may be meant, and those that may
// not be given (docs/text-format.md 6.1, 8.3).
#ifndef HLOSCOPE_CORE_SEMANTICS_NAME_DIAGNOSTICS_H_
#define HLOSCOPE_CORE_SEMANTICS_NAME_DIAGNOSTICS_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/diagnostics/diagnostic.h"
#include "core/ir/module.h"
#include "core/ir/opcode.h"
#include "core/lex/lexer.h"
#include "core/lex/token_buffer.h"
#include "core/semantics/anchor_resolver.h"
#include "core/semantics/text_names.h"
#include "core/source/source_text.h"
#include "core/syntax/syntax_tree.h"

namespace hloscope {

class NameDiagnostics {
 public:
  // Tokens and tree are of what is being read; `names` and `ids` know all of the text.
  NameDiagnostics(const SourceText& source, const TokenBuffer& tokens, const SyntaxTree& tree, const Module& module,
                  const TextNames& names, const AnchorResolver& ids, DiagnosticSink& sink)
      : source_(source),
        tokens_(tokens),
        tree_(tree),
        module_(module),
        resolver_(source, tokens, tree, module),
        names_(names),
        ids_(ids),
        sink_(sink) {}

  // The operand or control predecessor `name` at `range` is not defined yet in `computation`.
  void UnknownInstruction(absl::string_view name, SourceRange range, ComputationId computation);
  // An attribute of an instruction of `computation` names a computation that is not defined yet.
  void UnknownComputation(absl::string_view name, SourceRange range, ComputationId computation);
  void UnknownOpcode(TokenIndex opcode);
  // `owner` is who does not take the attribute, in messages; `own` are the attributes that it takes besides `common`
  // ones. Returns the attribute that is probably meant, or an empty view.
  absl::string_view UnknownAttribute(TokenIndex name, absl::string_view owner, absl::Span<const absl::string_view> own,
                                     absl::Span<const absl::string_view> common);
  // Attribute `index` of the tree repeats the one at `first`.
  void DuplicateAttribute(uint32_t index, TokenIndex first);
  // A second definition; the fix renames it to a name that is free in `computation`.
  void DuplicateInstruction(TokenIndex name, InstructionId first, ComputationId computation);
  void DuplicateComputation(TokenIndex name, ComputationId first);
  // Reports a definition whose name is not legal. An instruction's name has more rules than others.
  enum class Owner : uint8_t { kInstruction, kOther };
  void CheckName(TokenIndex name, Owner owner);

 private:
  absl::string_view NameOf(TokenIndex token) const {
    return TokenName(tokens_.kind(token), source_.Slice(tokens_.range(token)));
  }
  // Whether another search for suggestions is affordable: each reads all names of the text.
  bool MaySearch() { return searches_++ < kMaxSearches; }
  static constexpr int kMaxSearches = 100;

  // The fix that renames the definition at `token` and, if it is one of an instruction, its uses with the same `%`.
  FixIt Rename(TokenIndex token, const std::string& name) const;

  const SourceText& source_;
  const TokenBuffer& tokens_;
  const SyntaxTree& tree_;
  const Module& module_;
  const SyntaxAnchorResolver resolver_;
  const TextNames& names_;
  const AnchorResolver& ids_;
  DiagnosticSink& sink_;
  int searches_ = 0;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SEMANTICS_NAME_DIAGNOSTICS_H_
