// SPDX-License-Identifier: Apache-2.0
#include "reports/markdown.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "core/diagnostics/render.h"
#include "core/print/literal_printer.h"
#include "evaluator/debugger/debugger.h"

namespace hloscope::reports {
namespace {

// Of an instruction that has more, the others are left out of its diagram.
constexpr size_t kMostNeighbours = 30;
constexpr size_t kLongestLine = 400;  // bytes
constexpr size_t kLongestLabel = 60;
// Values of more elements are described.
constexpr int64_t kMostElements = 256;

// The first `limit` bytes, not ending inside a character, with an ellipsis if there were more.
std::string Elided(absl::string_view text, size_t limit) {
  if (text.size() <= limit) return std::string(text);
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xC0) == 0x80) --limit;
  return absl::StrCat(text.substr(0, limit), "…");
}

// The name of the file without its folders, which are nobody else's business.
absl::string_view BaseName(absl::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == absl::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace

std::string FencedBlock(absl::string_view text, absl::string_view language) {
  std::string fence = "```";
  while (text.find(fence) != absl::string_view::npos) fence.push_back('`');
  return absl::StrCat(fence, language, "\n", absl::StripSuffix(text, "\n"), "\n", fence, "\n");
}

std::string InlineCode(absl::string_view text) {
  return text.find('`') == absl::string_view::npos ? absl::StrCat("`", text, "`") : absl::StrCat("`` ", text, " ``");
}

std::string MermaidLabel(absl::Span<const std::string> lines) {
  const auto escaped = [](std::string* out, const std::string& line) {
    absl::StrAppend(out, absl::StrReplaceAll(Elided(OneLine(line), kLongestLabel),
                                             {{"#", "#35;"}, {"\"", "#quot;"}, {"<", "#lt;"}, {">", "#gt;"}}));
  };
  return absl::StrCat("\"", absl::StrJoin(lines, "<br>", escaped), "\"");
}

std::string MermaidOf(const Module& module, const Graph& graph) {
  if (graph.nodes.empty() || graph.nodes.size() > kMostMermaidBoxes) return "";
  std::string out = "flowchart TD\n";
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    absl::StrAppend(&out, "  n", i, "[", MermaidLabel(NodeLines(module, graph.nodes[i].instruction)), "]\n");
  }
  // Two boxes are joined once, whatever the number of operands.
  const GraphEdge* last = nullptr;
  for (const GraphEdge& edge : graph.edges) {
    const bool is_control = edge.operand == GraphEdge::kControl;
    const bool is_again = last != nullptr && last->from == edge.from && last->to == edge.to &&
                          (last->operand == GraphEdge::kControl) == is_control;
    if (!is_again) absl::StrAppend(&out, "  n", edge.from, is_control ? " -.-> n" : " --> n", edge.to, "\n");
    last = &edge;
  }
  return out;
}

std::string HeadOfInstruction(const Document& document, InstructionId id) {
  const SourceRange range = document.InstructionRange(id);
  const std::string text =
      absl::StrJoin(absl::StrSplit(document.source().Slice(range), absl::ByAnyChar(" \t\r\n"), absl::SkipEmpty()), " ");
  return absl::StrCat("**", InlineCode(document.module().InstructionName(id)), "** (",
                      BaseName(document.source().name()), ":", HumanPosition(document.source(), range.begin).line,
                      ")\n\n", FencedBlock(Elided(text, kLongestLine), "hlo"));
}

std::string MarkdownOfInstruction(const Document& document, InstructionId id) {
  const Module& module = document.module();
  std::vector<InstructionId> shown = {id};
  const auto add = [&](InstructionId other) {
    const bool is_beside =
        other.has_value() && module.instruction(other).computation == module.instruction(id).computation;
    if (is_beside && shown.size() < kMostNeighbours) shown.push_back(other);
  };
  for (InstructionId operand : module.operands(id)) add(operand);
  for (InstructionId user : document.users().users(id)) add(user);
  std::sort(shown.begin(), shown.end());
  shown.erase(std::unique(shown.begin(), shown.end()), shown.end());
  const Graph graph = BuildGraph(module, document.users(), module.instruction(id).computation, shown);
  return absl::StrCat(HeadOfInstruction(document, id), "\n", FencedBlock(MermaidOf(module, graph), "mermaid"));
}

std::string MarkdownOfDiagnostic(const SourceText& source, absl::string_view severity, absl::string_view message,
                                 absl::string_view code, std::optional<SourceRange> range) {
  std::string out = absl::StrCat("**", severity, "**: ", message);
  if (!code.empty()) absl::StrAppend(&out, " (", InlineCode(code), ")");
  out.push_back('\n');
  if (!range.has_value()) return out;
  const LineColumn at = HumanPosition(source, range->begin);
  absl::StrAppend(&out, BaseName(source.name()), ":", at.line, ":", at.column, "\n\n",
                  FencedBlock(RenderExcerpt(source, *range, RenderOptions()), "text"));
  return out;
}

std::string MarkdownOfValue(absl::string_view name, const evaluator::Value& value) {
  std::string text;
  if (value.IsTensor() && value.tensor().element_count() <= kMostElements) {
    if (const absl::StatusOr<Literal> literal = evaluator::LiteralOf(value); literal.ok()) {
      text = PrintLiteral(*literal);
    }
  }
  if (text.empty()) text = evaluator::BriefValue(value);
  const std::string shape = value.IsTensor() ? value.tensor().shape().ToString() : "tuple";
  return absl::StrCat(InlineCode(name), ", ", InlineCode(shape), "\n\n", FencedBlock(text, "text"));
}

}  // namespace hloscope::reports
