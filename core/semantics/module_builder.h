// Syntax tree to module (spec/hlo-text.md 3, 6, 8.3): resolves names, reads attribute values, fills in what the text
// leaves out, and reports what the text format itself forbids. Whether the module makes sense is the verifier's
// business.
#ifndef HLOSCOPE_CORE_SEMANTICS_MODULE_BUILDER_H_
#define HLOSCOPE_CORE_SEMANTICS_MODULE_BUILDER_H_

#include <vector>

#include "core/diagnostics/diagnostic.h"
#include "core/ir/module.h"
#include "core/lex/token_buffer.h"
#include "core/ops/rule_context.h"
#include "core/source/source_text.h"
#include "core/syntax/syntax_tree.h"

namespace hloscope {

struct BuiltModule {
  Module module;
  std::vector<InstructionId> instruction_of_syntax;  // by instruction node
  std::vector<ComputationId> computation_of_syntax;  // by computation node
};

// Never fails: what cannot be read becomes an instruction of opcode kInvalid with the invalid shape, whose users are
// not reported again.
BuiltModule BuildModule(const SourceText& source, const TokenBuffer& tokens, const SyntaxTree& tree,
                        const VerifyOptions& options, DiagnosticSink& sink);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SEMANTICS_MODULE_BUILDER_H_
