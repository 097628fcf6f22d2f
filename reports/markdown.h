// SPDX-License-Identifier: Apache-2.0
// What people put into bug reports, as Markdown: an instruction with what is around it, a graph, a diagnostic, a value.
#ifndef HLOSCOPE_REPORTS_MARKDOWN_H_
#define HLOSCOPE_REPORTS_MARKDOWN_H_

#include <cstddef>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/analysis/graph.h"
#include "core/document/document.h"
#include "evaluator/tensor/value.h"

namespace hloscope::reports {

// Diagrams of more boxes are not drawn by those who show Markdown, or cannot be read.
inline constexpr size_t kMostMermaidBoxes = 80;

// A block of code; nothing in the text ends it. `language` may be empty.
std::string FencedBlock(absl::string_view text, absl::string_view language);
// A word of code in a sentence.
std::string InlineCode(absl::string_view text);
// Lines of a box as Mermaid reads them, in quotation marks. Long lines are cut.
std::string MermaidLabel(absl::Span<const std::string> lines);

// The graph as a Mermaid diagram; empty if it has no nodes or more than kMostMermaidBoxes.
std::string MermaidOf(const Module& module, const Graph& graph);

// Name, place and text of the instruction.
std::string HeadOfInstruction(const Document& document, InstructionId id);
// The same, and a diagram of its operands and users.
std::string MarkdownOfInstruction(const Document& document, InstructionId id);
// The diagnostic with the line that it is about. `code` may be empty.
std::string MarkdownOfDiagnostic(const SourceText& source, absl::string_view severity, absl::string_view message,
                                 absl::string_view code, std::optional<SourceRange> range);
// Name, shape and elements, as a literal; of a large value, what it is like.
std::string MarkdownOfValue(absl::string_view name, const evaluator::Value& value);

}  // namespace hloscope::reports

#endif  // HLOSCOPE_REPORTS_MARKDOWN_H_
