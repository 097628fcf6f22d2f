// SPDX-License-Identifier: Apache-2.0
// Anchors of a module that was read from text, as ranges of that text.
#ifndef HLOSCOPE_CORE_SEMANTICS_ANCHOR_RESOLVER_H_
#define HLOSCOPE_CORE_SEMANTICS_ANCHOR_RESOLVER_H_

#include "core/lex/token_buffer.h"
#include "core/ops/rule_context.h"
#include "core/source/source_text.h"
#include "core/syntax/syntax_tree.h"

namespace hloscope {

// The range of tokens [range.begin, range.end), or an empty range at the end of the token before.
inline SourceRange RangeOfTokens(const TokenBuffer& tokens, TokenRange range) {
  if (range.empty()) {
    const uint32_t at = range.begin > 0 ? tokens.end(range.begin - 1) : 0;
    return {at, at};
  }
  return {tokens.begin(range.begin), tokens.end(range.end - 1)};
}

// A name without its `%` or `:`.
SourceRange NameRange(const SourceText& source, const TokenBuffer& tokens, TokenIndex token);

class SyntaxAnchorResolver final : public AnchorResolver {
 public:
  SyntaxAnchorResolver(const SourceText& source, const TokenBuffer& tokens, const SyntaxTree& tree,
                       const Module& module)
      : source_(source), tokens_(tokens), tree_(tree), module_(module) {}

  SourceRange Resolve(InstructionId instruction, Anchor anchor) const override;
  SourceRange ResolveShapePart(InstructionId instruction, const ShapePart& part) const override;
  SourceRange ResolveComputation(ComputationId computation) const override;
  SourceRange ResolveHeader(const HeaderPart& part) const override;
  // As Resolve, for an instruction node; `attribute_number` counts its attributes in the text.
  SourceRange Resolve(const InstructionSyntax& node, Anchor anchor, uint32_t attribute_number) const;
  // A name without its `%` or `:`.
  SourceRange NameRange(TokenIndex token) const { return hloscope::NameRange(source_, tokens_, token); }

 private:
  const SourceText& source_;
  const TokenBuffer& tokens_;
  const SyntaxTree& tree_;
  const Module& module_;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SEMANTICS_ANCHOR_RESOLVER_H_
