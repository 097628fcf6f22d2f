// SPDX-License-Identifier: Apache-2.0
// `hloscope graph`: the dataflow graph of a computation, of an instruction's surroundings, or of the calls.
#include "core/analysis/graph.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "cli/arguments.h"
#include "cli/cancel_on_signal.h"
#include "cli/command.h"
#include "cli/commands/drawing_format.h"
#include "cli/diagnostics_json.h"
#include "cli/html_file.h"
#include "cli/input.h"
#include "cli/module_names.h"
#include "cli/output.h"
#include "core/analysis/scopes.h"
#include "core/diagnostics/count_text.h"
#include "insight/html/html_report.h"
#include "insight/pages/module_page.h"
#include "nlohmann/json.hpp"
#include "reports/markdown.h"
#include "reports/subprocess.h"

namespace hloscope::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kLayoutSeconds = 120;
// Graphviz needs more than some seconds for more nodes than this, and says nothing meanwhile.
constexpr size_t kManyNodes = 1500;

constexpr OptionSpec kGraphOptions[] = {
    {"format", OptionKind::kValue, "dot|svg|pdf|png|json|mermaid|markdown",
     "dot (default), json, mermaid and markdown need nothing else; svg, pdf and png run `dot`"},
    {"computation", OptionKind::kValue, "NAME", "which computation (the entry computation)"},
    {"around", OptionKind::kValue, "NAME", "only what surrounds this instruction"},
    {"depth", OptionKind::kValue, "N", "how many steps around it (3)"},
    {"group-by", OptionKind::kValue, "op_name|computation", "one node per op_name scope, or per computation"},
    {"time-limit", OptionKind::kValue, "SECONDS", "how long Graphviz may take for a picture (120)"},
    {"html", OptionKind::kValue, "FILE",
     "write the module, or the surroundings of --around with a picture, as a report"},
};

// Nodes of groups and how often data flows between them.
struct GroupGraph {
  struct Group {
    std::string name;
    size_t instructions = 0;
  };
  std::vector<Group> groups;
  std::map<std::pair<size_t, size_t>, size_t> edges;  // from, to; how many

  size_t GroupNamed(const std::string& name) {
    const auto [it, inserted] = index_.try_emplace(name, groups.size());
    if (inserted) groups.push_back({name, 0});
    return it->second;
  }

 private:
  std::map<std::string, size_t> index_;
};

GroupGraph GroupByScope(const Module& module, const Graph& graph) {
  GroupGraph result;
  const ScopeTree scopes(module);
  std::vector<size_t> group_of;
  for (const GraphNode& node : graph.nodes) {
    const size_t group = result.GroupNamed(scopes.Path(scopes.Of(node.instruction)));
    ++result.groups[group].instructions;
    group_of.push_back(group);
  }
  for (const GraphEdge& edge : graph.edges) {
    if (group_of[edge.from] != group_of[edge.to]) ++result.edges[{group_of[edge.from], group_of[edge.to]}];
  }
  return result;
}

// Who calls whom, over the whole module.
GroupGraph GroupByComputation(const Module& module) {
  GroupGraph result;
  std::vector<size_t> group_of(module.computations().size());
  for (size_t c = 0; c < module.computations().size(); ++c) {
    // Names of computations are unique but for those written in place.
    std::string name(module.ComputationName(ComputationId(c)));
    if (module.computations()[c].is_anonymous) absl::StrAppend(&name, " (in place, ", c, ")");
    group_of[c] = result.GroupNamed(name);
    result.groups[group_of[c]].instructions = module.computations()[c].instructions.size();
  }
  for (size_t c = 0; c < module.computations().size(); ++c) {
    for (InstructionId id : module.computations()[c].instructions) {
      module.ForEachCalledComputation(id, [&](AttributeKind, ComputationId callee) {
        if (callee.has_value()) ++result.edges[{group_of[c], group_of[callee.index()]}];
      });
    }
  }
  return result;
}

std::string DotQuoted(absl::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out.push_back('\\');
    out.push_back(c == '\n' || c == '\r' ? ' ' : c);
  }
  return out + "\"";
}

std::string GroupsToDot(const GroupGraph& graph) {
  std::string out =
      "digraph {\n  node [shape=box, style=\"rounded,filled\", fillcolor=\"#eef2f7\", fontname=\"Helvetica\"];\n";
  for (size_t i = 0; i < graph.groups.size(); ++i) {
    const GroupGraph::Group& group = graph.groups[i];
    absl::StrAppend(&out, "  g", i, " [label=", DotQuoted(absl::StrCat(group.name, " (", group.instructions, ")")),
                    "];\n");
  }
  for (const auto& [ends, count] : graph.edges) {
    absl::StrAppend(&out, "  g", ends.first, " -> g", ends.second,
                    count > 1 ? absl::StrCat(" [label=", count, "]") : "", ";\n");
  }
  return out + "}\n";
}

// Empty if there are more groups than a diagram can show.
std::string GroupsToMermaid(const GroupGraph& graph) {
  if (graph.groups.size() > reports::kMostMermaidBoxes) return "";
  std::string out = "flowchart TD\n";
  for (size_t i = 0; i < graph.groups.size(); ++i) {
    const GroupGraph::Group& group = graph.groups[i];
    absl::StrAppend(&out, "  n", i, "[",
                    reports::MermaidLabel({group.name, CountOf(group.instructions, "instruction")}), "]\n");
  }
  for (const auto& [ends, count] : graph.edges) {
    absl::StrAppend(&out, "  n", ends.first, " -->", count > 1 ? absl::StrCat("|", count, "|") : "", " n", ends.second,
                    "\n");
  }
  return out;
}

Json GroupsToJson(const GroupGraph& graph) {
  Json nodes = Json::array(), edges = Json::array();
  for (const GroupGraph::Group& group : graph.groups) {
    nodes.push_back({{"name", group.name}, {"instructions", group.instructions}});
  }
  for (const auto& [ends, count] : graph.edges) {
    edges.push_back({{"from", ends.first}, {"to", ends.second}, {"count", count}});
  }
  return {{"nodes", std::move(nodes)}, {"edges", std::move(edges)}};
}

Json GraphToJson(const Module& module, const Graph& graph) {
  Json nodes = Json::array(), edges = Json::array();
  for (const GraphNode& node : graph.nodes) {
    Json called = Json::array();
    for (ComputationId callee : node.called) called.push_back(std::string(module.ComputationName(callee)));
    nodes.push_back({{"name", std::string(module.InstructionName(node.instruction))},
                     {"opcode", std::string(OpcodeName(module.opcode(node.instruction)))},
                     {"shape", module.shape(node.instruction).ToString()},
                     {"category", std::string(NodeCategoryName(node.category))},
                     {"root", node.is_root},
                     {"calls", std::move(called)},
                     {"hidden_neighbours", node.hidden_neighbours}});
  }
  for (const GraphEdge& edge : graph.edges) {
    Json json = {{"from", edge.from}, {"to", edge.to}};
    if (edge.operand == GraphEdge::kControl) {
      json["control"] = true;
    } else {
      json["operand"] = edge.operand;
    }
    edges.push_back(std::move(json));
  }
  return {{"computation", std::string(module.ComputationName(graph.computation))},
          {"nodes", std::move(nodes)},
          {"edges", std::move(edges)}};
}

int BadInput(absl::string_view message) {
  WriteError(absl::StrCat("hloscope graph: ", message, "\n"));
  return kExitBadInput;
}

constexpr absl::string_view kDrawLess =
    "--around, --computation and --group-by draw less, and --format=dot needs no layout";

// The line on a terminal while Graphviz works.
class LayoutProgress {
 public:
  explicit LayoutProgress(size_t nodes) : nodes_(nodes) {}
  ~LayoutProgress() {
    if (shown_ > 0) WriteError("\r\x1b[K");
  }
  LayoutProgress(const LayoutProgress&) = delete;
  LayoutProgress& operator=(const LayoutProgress&) = delete;
  // Called some times each second.
  void Show() {
    const auto passed = std::chrono::steady_clock::now() - start_;
    const int64_t seconds = std::chrono::duration_cast<std::chrono::seconds>(passed).count();
    if (seconds == shown_ || !IsTerminal(STDERR_FILENO)) return;
    shown_ = seconds;
    WriteError(absl::StrCat("\r\x1b[KGraphviz lays out ", CountOf(nodes_, "node"), ": ", seconds, " s"));
  }

 private:
  const size_t nodes_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  int64_t shown_ = 0;
};

int Draw(const std::string& format, const std::string& dot, size_t nodes, double seconds) {
  if (format == "dot") {
    WriteOutput(dot);
    return kExitGood;
  }
  if (nodes > kManyNodes) {
    WriteError(absl::StrCat("hloscope graph: Graphviz lays out ", CountOf(nodes, "node"), ", for at most ", seconds,
                            " s (--time-limit); ", kDrawLess, "\n"));
  }
  const NoticeSignal notice;
  absl::StatusOr<std::string> picture;
  {
    LayoutProgress progress(nodes);
    picture =
        reports::RunFilter({"dot", "-T" + format}, dot, seconds, {&NoticeSignal::noticed(), [&] { progress.Show(); }});
  }
  if (picture.ok()) {
    WriteOutput(*picture);
    return kExitGood;
  }
  if (absl::IsNotFound(picture.status())) {
    return BadInput(absl::StrCat("--format=", format,
                                 " needs Graphviz: the program `dot` was not found. Install graphviz, or use "
                                 "--format=dot"));
  }
  if (absl::IsDeadlineExceeded(picture.status())) {
    BadInput(absl::StrCat(picture.status().message(), " to lay out ", CountOf(nodes, "node"),
                          "; --time-limit allows more, ", kDrawLess));
    return kExitLimit;
  }
  BadInput(picture.status().message());
  const bool is_limit = absl::IsCancelled(picture.status()) || absl::IsResourceExhausted(picture.status());
  return is_limit ? kExitLimit : kExitBadInput;
}

// The diagram alone, or as a block of Markdown with the command that makes it again. `about` comes before it.
int WriteDiagram(const Arguments& arguments, const std::string& format, const std::string& diagram,
                 const std::string& about) {
  if (diagram.empty()) {
    return BadInput(absl::StrCat("a diagram has 1 to ", reports::kMostMermaidBoxes,
                                 " boxes; choose a part of the graph with --around and --depth, or group it with "
                                 "--group-by"));
  }
  if (format == "mermaid") {
    WriteOutput(diagram);
    return kExitGood;
  }
  WriteMarkdown(arguments, absl::StrCat(about, reports::FencedBlock(diagram, "mermaid")));
  return kExitGood;
}

bool IsDiagram(absl::string_view format) { return format == "mermaid" || format == "markdown"; }

int WriteGroups(const Arguments& arguments, const std::string& format, const GroupGraph& groups, double seconds) {
  if (IsDiagram(format)) return WriteDiagram(arguments, format, GroupsToMermaid(groups), "");
  if (format != "json") return Draw(format, GroupsToDot(groups), groups.groups.size(), seconds);
  WriteOutput(DumpJson(GroupsToJson(groups)));
  return kExitGood;
}

// A picture of more nodes takes long to lay out and shows nothing.
constexpr size_t kDrawnNodes = 400;

// The module's text; of a part of it, its picture and its nodes, with their text alone.
int WritePage(const Arguments& arguments, const Module& module, const Graph* part, const DotOptions& dot_options) {
  insight::HtmlReport report(part == nullptr ? "Module" : "Graph",
                             absl::StrCat(arguments.operands()[0], ", module ", module.name()));
  if (part != nullptr) {
    report.BeginPart(absl::StrCat("Picture of ", part->nodes.size(), " instructions"));
    if (part->nodes.size() > kDrawnNodes) {
      report.AddParagraph(absl::StrCat("More than ", kDrawnNodes, " instructions are not drawn."));
    } else {
      const NoticeSignal notice;
      const absl::StatusOr<std::string> picture = reports::RunFilter(
          {"dot", "-Tsvg"}, ToDot(module, *part, dot_options), kLayoutSeconds, {&NoticeSignal::noticed(), nullptr});
      if (absl::IsCancelled(picture.status())) return kExitLimit;
      if (picture.ok()) {
        report.AddPicture(*picture, "dataflow graph");
      } else {
        report.AddParagraph("Graphviz is not there to draw the graph.");
      }
    }
    report.EndPart();
    const insight::HtmlColumn columns[] = {{"instruction"}, {"opcode"}, {"shape"}, {"operands"}};
    report.BeginPart("Instructions");
    report.BeginTable(columns);
    for (const GraphNode& node : part->nodes) {
      std::string operands;
      for (InstructionId operand : module.operands(node.instruction)) {
        if (operand.has_value()) {
          absl::StrAppend(&operands, operands.empty() ? "" : ", ", module.InstructionName(operand));
        }
      }
      const insight::HtmlText cells[] = {insight::HtmlText().Code(module.InstructionName(node.instruction)),
                                         OpcodeName(module.opcode(node.instruction)),
                                         module.shape(node.instruction).ToString(), operands};
      report.AddRow(cells);
    }
    report.EndTable();
    report.EndPart();
    std::vector<InstructionId> instructions;
    for (const GraphNode& node : part->nodes) instructions.push_back(node.instruction);
    insight::AddInstructions(module, instructions, dot_options.highlighted, &report);
  } else {
    insight::AddModule(module, dot_options.highlighted, &report);
  }
  return WriteHtml(arguments, std::move(report));
}

int RunGraph(const Arguments& arguments) {
  const auto format = arguments.Choice("format", {"dot", "svg", "pdf", "png", "json", "mermaid", "markdown"});
  if (!format.ok()) return UsageError(arguments.command(), format.status().message());
  const auto group = arguments.Choice("group-by", {"", "op_name", "computation"});
  if (!group.ok()) return UsageError(arguments.command(), "--group-by must be op_name or computation");
  const auto depth = arguments.Int("depth", NeighbourhoodOptions().depth, 0, 1000);
  if (!depth.ok()) return UsageError(arguments.command(), depth.status().message());
  const auto seconds = arguments.NonNegative("time-limit", kLayoutSeconds);
  if (!seconds.ok()) return UsageError(arguments.command(), seconds.status().message());
  if (const auto color = ErrorRenderOptions(arguments); !color.ok()) {
    return UsageError(arguments.command(), color.status().message());
  }
  const std::optional<std::string> around = arguments.Value("around");
  if (around && *group == "computation") {
    return UsageError(arguments.command(), "--around and --group-by=computation exclude each other");
  }

  const std::shared_ptr<const Document> document = OpenDocument(arguments, arguments.operands()[0]);
  if (document == nullptr) return StatusOfReading();
  const Module& module = document->module();
  if (arguments.Has("html") && !around && !arguments.Has("computation")) {
    return WritePage(arguments, module, nullptr, DotOptions());
  }
  if (*group == "computation") return WriteGroups(arguments, *format, GroupByComputation(module), *seconds);

  const std::optional<ComputationId> computation =
      FindNamedComputation(module, "graph", arguments.Value("computation"));
  if (!computation) return kExitBadInput;
  Graph graph;
  DotOptions dot_options;
  if (around) {
    const auto center = FindNamedInstruction(module, "graph", *computation, arguments.Has("computation"), *around);
    if (!center) return kExitBadInput;
    NeighbourhoodOptions options;
    options.depth = static_cast<int>(*depth);
    graph = Neighbourhood(module, document->users(), *center, options);
    dot_options.highlighted = *center;
  } else {
    graph = BuildGraph(module, document->users(), *computation);
  }
  if (arguments.Has("html")) return WritePage(arguments, module, &graph, dot_options);
  if (*group == "op_name") return WriteGroups(arguments, *format, GroupByScope(module, graph), *seconds);
  if (*format == "json") {
    WriteOutput(DumpJson(GraphToJson(module, graph)));
    return kExitGood;
  }
  if (IsDiagram(*format)) {
    std::string about;
    if (dot_options.highlighted.has_value()) {
      about = absl::StrCat(reports::HeadOfInstruction(*document, dot_options.highlighted), "\n");
    }
    return WriteDiagram(arguments, *format, reports::MermaidOf(module, graph), about);
  }
  dot_options.title = std::string(module.ComputationName(graph.computation));
  return Draw(*format, ToDot(module, graph, dot_options), graph.nodes.size(), *seconds);
}

}  // namespace

const Command& GraphCommand() {
  static constexpr Command kCommand = {
      "graph",
      "FILE",
      "the dataflow graph",
      "svg, pdf and png are laid out by Graphviz's `dot`, for at most two minutes (--time-limit). mermaid is a diagram "
      "of\n"
      "at most 80 boxes, markdown the same as a block, with the instruction of --around before it. --around finds the\n"
      "instruction in the entry computation first, then in the others. JSON: nodes in text order, edges by their\n"
      "indices.",
      kGraphOptions,
      1,
      1,
      RunGraph};
  return kCommand;
}

}  // namespace hloscope::cli
