// SPDX-License-Identifier: Apache-2.0
// The texts that hover shows, one function per kind of thing. All return Markdown.
#ifndef HLOSCOPE_LSP_FEATURES_HOVER_CARDS_H_
#define HLOSCOPE_LSP_FEATURES_HOVER_CARDS_H_

#include <string>
#include <vector>

#include "core/analysis/source_frames.h"
#include "core/document/document.h"

namespace hloscope::lsp {

// The instruction in one line, then size, operands, users and where it comes from.
std::string InstructionCard(const Document& document, InstructionId id);
// The result shape of the instruction: elements, bytes, layout.
std::string ShapeCard(const Document& document, InstructionId id);
// A shape on its own: elements, bytes, layout, drawn if it is small.
std::string ShapeFacts(const Shape& shape);
// Range, mean and the like of a constant's value; empty for a scalar.
std::string LiteralFacts(const Module& module, InstructionId id);
// Source positions, the innermost first, one a line.
std::string FramesText(const std::vector<SourceFrame>& frames);
// What the page of the opcode says before its first heading, after a rule: what the operation does, and its formula.
// Empty without a page.
std::string PageLead(Opcode opcode, const std::string& resource_directory);
// What the opcode table knows. Requires opcode != kInvalid.
std::string OpcodeCard(Opcode opcode);
// Meaning, default and accepted values of an attribute of the instruction. `meaning` is what the opcode's page says of
// it; if empty, what the table of attributes says.
std::string AttributeCard(const Module& module, InstructionId id, AttributeKind kind, absl::string_view meaning);
// The same for an attribute on its own.
std::string AttributeCard(AttributeKind kind);
// Signature, size and callers.
std::string ComputationCard(const Document& document, ComputationId id);
std::string ModuleCard(const Module& module);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_FEATURES_HOVER_CARDS_H_
