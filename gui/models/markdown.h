// SPDX-License-Identifier: Apache-2.0
// What is looked at as Markdown, in Qt's strings (reports/markdown.h), and the graph that is shown as a diagram.
#ifndef HLOSCOPE_GUI_MODELS_MARKDOWN_H_
#define HLOSCOPE_GUI_MODELS_MARKDOWN_H_

#include <QString>
#include <optional>

#include "core/document/document.h"
#include "evaluator/tensor/value.h"
#include "gui/models/visible_graph.h"

namespace hloscope::gui {

// The boxes and edges of the graph as a Mermaid diagram; empty if there are more than reports::kMostMermaidBoxes.
QString MermaidOf(const Module& module, const VisibleGraph& graph);
// The text of the instruction, and a diagram of its operands and users.
QString MarkdownOfInstruction(const Document& document, InstructionId id);
// The problem with the line that it is about. `code` may be empty.
QString MarkdownOfProblem(const SourceText& source, const QString& severity, const QString& message,
                          const QString& code, std::optional<SourceRange> range);
// Name, shape and elements, as a literal; of a large value, what it is like.
QString MarkdownOfValue(const QString& name, const evaluator::Value& value);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_MARKDOWN_H_
