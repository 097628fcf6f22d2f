// SPDX-License-Identifier: Apache-2.0
// Tokens and syntax of single statements, made when they are asked for.
#ifndef HLOSCOPE_CORE_DOCUMENT_STATEMENT_SYNTAX_H_
#define HLOSCOPE_CORE_DOCUMENT_STATEMENT_SYNTAX_H_

#include <array>
#include <cstddef>
#include <memory>

#include "core/document/text_map.h"
#include "core/lex/token_buffer.h"
#include "core/ops/rule_context.h"
#include "core/source/source_text.h"
#include "core/syntax/syntax_tree.h"

namespace hloscope {

// One statement of a text.
struct StatementSyntax {
  TokenBuffer tokens;  // offsets are those of the whole text; some tokens after the statement follow
  SyntaxTree tree;     // the statement's node is the last one
  size_t first_node;   // what the number of its first node is in the whole text
};

// Reads the statement of the given node of the text. Its nodes are the ones ParseSyntax makes for it.
std::unique_ptr<StatementSyntax> ReadStatement(const SourceText& source, const TextMap& map, size_t statement);

// Anchors of a module by its text map. Not thread-safe.
class TextAnchorResolver final : public AnchorResolver {
 public:
  TextAnchorResolver(const SourceText& source, const TextMap& map, const Module& module)
      : source_(source), map_(map), module_(module) {}

  SourceRange Resolve(InstructionId instruction, Anchor anchor) const override;
  SourceRange ResolveShapePart(InstructionId instruction, const ShapePart& part) const override;
  SourceRange ResolveComputation(ComputationId computation) const override;
  SourceRange ResolveHeader(const HeaderPart& part) const override;

  // Valid until the next call.
  const StatementSyntax& Statement(size_t statement) const;

 private:
  const SourceText& source_;
  const TextMap& map_;
  const Module& module_;
  // The statement read last: anchors are mostly asked for one instruction at a time.
  mutable std::unique_ptr<StatementSyntax> last_;
  mutable size_t last_statement_ = 0;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_DOCUMENT_STATEMENT_SYNTAX_H_
