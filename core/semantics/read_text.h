// SPDX-License-Identifier: Apache-2.0
// The text that a module is read from, with what its readers need to name places in it. Internal to core/semantics.
#ifndef HLOSCOPE_CORE_SEMANTICS_READ_TEXT_H_
#define HLOSCOPE_CORE_SEMANTICS_READ_TEXT_H_

#include <optional>

#include "absl/strings/string_view.h"
#include "core/diagnostics/diagnostic.h"
#include "core/ir/module.h"
#include "core/lex/lexer.h"
#include "core/lex/token_buffer.h"
#include "core/ops/rule_context.h"
#include "core/semantics/anchor_resolver.h"
#include "core/semantics/name_diagnostics.h"
#include "core/semantics/text_names.h"
#include "core/semantics/token_cursor.h"
#include "core/source/source_text.h"
#include "core/syntax/syntax_tree.h"

namespace hloscope {

// Tokens and tree are those of the whole text, or of one part of it at a time, or, while a module is updated, of one
// statement.
class ReadText {
 public:
  ReadText(const SourceText& source, DiagnosticSink& sink, Module& module)
      : source_(source), sink_(sink), module_(module) {}
  ReadText(const ReadText&) = delete;
  ReadText& operator=(const ReadText&) = delete;

  // From now on the whole text is read.
  void SetWhole(const TokenBuffer& tokens, const SyntaxTree& tree);
  // From now on a part of the text is read. What surrounds it is not known: diagnostics lack other places than their
  // own.
  void SetPart(const TokenBuffer& tokens, const SyntaxTree& tree);
  // Single statements will be read; `ids` knows the text around them.
  void SetSurroundings(const AnchorResolver& ids);
  // From now on the statement of `instruction` is read.
  void SetStatement(const TokenBuffer& tokens, const SyntaxTree& tree, InstructionId instruction);
  // The instruction of the statement is in the module.
  void NoteInModule() {
    if (module_names_) module_names_->set_placed();
  }

  const SourceText& source() const { return source_; }
  const TokenBuffer& tokens() const { return *tokens_; }
  const SyntaxTree& tree() const { return *tree_; }
  DiagnosticSink& sink() const { return sink_; }
  // Places of nodes of the tree, and of instructions of the whole module.
  const SyntaxAnchorResolver& nodes() const { return *nodes_; }
  const AnchorResolver& ids() const { return *ids_; }
  NameDiagnostics& names() { return *names_; }

  const InstructionSyntax& node(SyntaxId id) const { return tree_->instructions[id.index()]; }
  // Attribute `i` of the node.
  const AttributeSyntax& attribute(const InstructionSyntax& node, uint32_t i) const {
    return tree_->attributes[node.first_attribute + i];
  }
  absl::string_view TextOf(TokenIndex i) const { return source_.Slice(tokens_->range(i)); }
  absl::string_view TextOf(TokenRange range) const { return source_.Slice(RangeOf(range)); }
  absl::string_view NameOf(TokenIndex i) const { return TokenName(tokens_->kind(i), TextOf(i)); }
  SourceRange RangeOf(TokenRange range) const { return RangeOfTokens(*tokens_, range); }
  SourceRange OpcodeRange(const InstructionSyntax& node) const {
    return nodes_->Resolve(node, Anchor::Opcode(), kNoSyntaxNode);
  }
  TokenCursor Cursor(TokenRange range, absl::string_view subject) const {
    return TokenCursor(source_, *tokens_, sink_, range, subject);
  }

 private:
  void SetSyntax(const TokenBuffer& tokens, const SyntaxTree& tree);

  const SourceText& source_;
  DiagnosticSink& sink_;
  Module& module_;
  const TokenBuffer* tokens_ = nullptr;
  const SyntaxTree* tree_ = nullptr;
  std::optional<SyntaxAnchorResolver> nodes_;  // of tokens_ and tree_
  const AnchorResolver* ids_ = nullptr;
  std::optional<SyntaxNames> syntax_names_;  // what a whole text defines
  std::optional<ModuleNames> module_names_;  // what the text around a statement defines
  std::optional<NameDiagnostics> names_;     // about tokens_ and tree_
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SEMANTICS_READ_TEXT_H_
