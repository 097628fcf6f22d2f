// The texts that hover shows, one function per kind of thing. All return Markdown.
#ifndef HLOSCOPE_LSP_FEATURES_HOVER_CARDS_H_
#define HLOSCOPE_LSP_FEATURES_HOVER_CARDS_H_

#include <string>

#include "core/document/document.h"

namespace hloscope::lsp {

// The instruction in one line, then size, operands, users and where it comes from.
std::string InstructionCard(const Document& document, InstructionId id);
// The result shape of the instruction: elements, bytes, layout.
std::string ShapeCard(const Document& document, InstructionId id);
// What the opcode table knows. Requires opcode != kInvalid.
std::string OpcodeCard(Opcode opcode);
// Meaning and accepted values of an attribute of the instruction.
std::string AttributeCard(const Module& module, InstructionId id, AttributeKind kind);
// The same for an attribute on its own.
std::string AttributeCard(AttributeKind kind);
// Signature, size and callers.
std::string ComputationCard(const Document& document, ComputationId id);
std::string ModuleCard(const Module& module);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_FEATURES_HOVER_CARDS_H_
