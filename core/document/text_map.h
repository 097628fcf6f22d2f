// SPDX-License-Identifier: Apache-2.0
// Where the statements and computations of a text are, without their tokens.
//
// A document that came from another by an edit does not keep the tokens of its text: those of a statement are made when
// they are asked for. What is kept is small and quickly moved.
#ifndef HLOSCOPE_CORE_DOCUMENT_TEXT_MAP_H_
#define HLOSCOPE_CORE_DOCUMENT_TEXT_MAP_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/ir/module.h"
#include "core/lex/token_buffer.h"
#include "core/source/source_text.h"
#include "core/syntax/syntax_tree.h"

namespace hloscope {

struct TextMap {
  // What is known of an instruction node.
  enum NodeFlag : uint8_t {
    kStatement = 1,  // it is in a body, not in another instruction's operands
    kBroken = 2,
    kCompound = 4,  // it holds inline computations or nested instructions: their nodes come right before it
  };
  struct ComputationText {
    SourceRange range;          // from ENTRY or the name to the last token
    SourceRange name;           // without `%`; empty for an inline computation
    SourceRange result;         // of the signature; empty if there is none
    uint32_t body_begin = 0;    // after the opening brace
    uint32_t close_brace = 0;   // offset
    bool is_closed = false;     // both braces are there
    bool is_top_level = false;  // not inline
    bool is_plain = false;      // one instruction per statement
  };
  struct HeaderAttribute {
    std::string name;
    SourceRange range;  // name=value; without value the name
  };

  std::vector<SourceRange> nodes;             // by instruction node: from ROOT or the name to the last attribute
  std::vector<uint8_t> flags;                 // of the same
  std::vector<ComputationText> computations;  // by computation node
  std::vector<HeaderAttribute> header;
  SourceRange module_name;  // empty if not written
  // FileNames, FunctionNames, FileLocations and StackFrames, heading and rows; empty if not written.
  std::array<SourceRange, 4> tables;

  // The statement that the node belongs to, itself perhaps.
  size_t StatementOf(size_t node) const {
    while ((flags[node] & kStatement) == 0) ++node;
    return node;
  }
};

// `module` was built from the tree.
TextMap MapText(const SourceText& source, const TokenBuffer& tokens, const SyntaxTree& tree, const Module& module,
                const std::vector<ComputationId>& computation_of_syntax);

// The same in steps, for a text that is read in parts: nodes are counted over all parts. No step looks at the module
// but the last.
void MapHeader(const SourceText& source, const TokenBuffer& tokens, const SyntaxTree& tree, TextMap& map);
void MapInstructions(const TokenBuffer& tokens, const SyntaxTree& tree, TextMap& map);
void MapComputations(const SourceText& source, const TokenBuffer& tokens, const SyntaxTree& tree, TextMap& map);
void MarkPlainComputations(const Module& module, const std::vector<ComputationId>& computation_of_syntax, TextMap& map);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_DOCUMENT_TEXT_MAP_H_
