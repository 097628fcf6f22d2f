// SPDX-License-Identifier: Apache-2.0
// The syntax tree: where every name, shape, operand and attribute of the text is, without their meaning.
// Nodes live in vectors; ranges of children are (first, count). Tokens are named by their index in the TokenBuffer;
// token ranges are half-open.
#ifndef HLOSCOPE_CORE_SYNTAX_SYNTAX_TREE_H_
#define HLOSCOPE_CORE_SYNTAX_SYNTAX_TREE_H_

#include <cstdint>
#include <vector>

#include "core/ir/ids.h"
#include "core/lex/token_buffer.h"

namespace hloscope {

inline constexpr uint32_t kNoSyntaxNode = 0xFFFFFFFFu;
inline constexpr TokenIndex kNoToken = 0xFFFFFFFFu;

struct TokenRange {
  TokenIndex begin = 0;
  TokenIndex end = 0;
  bool empty() const { return begin == end; }
};

// `name=value` after an instruction, a computation or the module header.
struct AttributeSyntax {
  TokenIndex name = 0;  // an AttributeName token
  TokenRange value;     // empty if missing
  // Inline computations in the value (computation-valued attributes only), in text order.
  uint32_t first_inline_computation = 0;
  uint32_t inline_computation_count = 0;
};

struct OperandSyntax {
  TokenRange tokens;           // the whole operand
  TokenRange shape;            // empty if not written
  TokenIndex name = kNoToken;  // of a reference
  uint32_t path_begin = 0;     // `#1#0`: tokens of the path are [path_begin, tokens.end)
  SyntaxId nested;             // of a nested instruction
};

struct InstructionSyntax {
  TokenRange tokens;           // from ROOT or the name to the last token of the last attribute
  TokenIndex name = kNoToken;  // kNoToken for a nested instruction and for a bare right-hand side
  TokenRange shape;            // empty if not written
  TokenIndex opcode = kNoToken;
  TokenRange arguments;                           // between the parentheses, without them
  uint32_t first_operand = 0, operand_count = 0;  // none for parameter and constant, whose arguments are a value
  uint32_t first_attribute = 0, attribute_count = 0;
  uint32_t computation = kNoSyntaxNode;  // the computation node it belongs to
  bool is_root = false;
  bool broken = false;  // a diagnostic was reported: the node is incomplete
};

struct ComputationSyntax {
  TokenRange tokens;                // from ENTRY or the name to the last token
  TokenIndex entry = kNoToken;      // the ENTRY keyword
  TokenIndex name = kNoToken;       // kNoToken for an inline computation
  TokenRange signature_parameters;  // between the parentheses; empty if there is no signature
  TokenRange signature_result;      // the result shape; empty if there is no signature
  TokenIndex open_brace = kNoToken, close_brace = kNoToken;
  uint32_t first_attribute = 0, attribute_count = 0;
  // Instructions in text order: indices into instruction_lists.
  uint32_t first_instruction = 0, instruction_count = 0;
};

struct SyntaxTree {
  enum class TextKind : uint8_t { kModule, kHeaderless, kSingleInstruction };

  TextKind kind = TextKind::kModule;
  bool looked_far = false;           // whether a statement ends somewhere depended on tokens far after it
  bool has_nested_operands = false;  // false: no operand is an instruction
  TokenIndex module_name = kNoToken;
  uint32_t first_header_attribute = 0, header_attribute_count = 0;
  TokenRange file_names, function_names, file_locations, stack_frames;  // rows, without the heading
  std::vector<ComputationSyntax> computations;  // in order of completion: callees (inline ones too) before callers
  std::vector<InstructionSyntax> instructions;
  std::vector<SyntaxId> instruction_lists;
  std::vector<OperandSyntax> operands;
  std::vector<AttributeSyntax> attributes;
  std::vector<uint32_t> inline_computations;  // computation nodes

  size_t MemoryUsage() const;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SYNTAX_SYNTAX_TREE_H_
