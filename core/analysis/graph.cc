// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/graph.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/diagnostics/render.h"
#include "core/print/literal_printer.h"

namespace hloscope {
namespace {

// Tuple shapes of loops run to thousands of characters; a box says how they begin.
constexpr size_t kMaxLineBytes = 44;
// Values of constants longer than this are not part of the box.
constexpr size_t kMaxConstantBytes = 16;

// Cuts at a character boundary.
std::string Shorten(std::string text) {
  if (text.size() <= kMaxLineBytes) return text;
  size_t end = kMaxLineBytes - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  text.resize(end);
  return absl::StrCat(text, "...");
}

// The opcode with the one attribute a reader needs to know what it does.
std::string Heading(const Module& module, InstructionId id) {
  const Instruction& instruction = module.instruction(id);
  const absl::string_view name = OpcodeName(instruction.opcode);
  auto word = [&](AttributeKind kind) -> std::string {
    const Attribute* attribute = module.FindAttribute(id, kind);
    if (attribute == nullptr) return std::string(name);
    const absl::Span<const absl::string_view> words = WordsOf(InfoOf(kind).enumeration);
    return attribute->payload < words.size() ? absl::StrCat(name, " ", words[attribute->payload]) : std::string(name);
  };
  switch (instruction.opcode) {
    case Opcode::kInvalid:
      return "unreadable";
    case Opcode::kParameter:
      return absl::StrCat(name, " ", instruction.parameter_number);
    case Opcode::kConstant: {
      if (!instruction.literal.has_value()) return std::string(name);
      const std::string value = PrintLiteral(module.literal(id), {.large = false});
      return value.size() <= kMaxConstantBytes ? absl::StrCat(name, " ", value) : std::string(name);
    }
    case Opcode::kGetTupleElement:
      return absl::StrCat(name, " ", module.IntAttribute(id, AttributeKind::kIndex));
    case Opcode::kCompare:
      return word(AttributeKind::kDirection);
    case Opcode::kFusion:
      return word(AttributeKind::kKind);
    case Opcode::kIota:
      return absl::StrCat(name, " ", module.IntAttribute(id, AttributeKind::kIotaDimension));
    case Opcode::kCustomCall:
      return Shorten(absl::StrCat(name, " ", module.StringAttribute(id, AttributeKind::kCustomCallTarget)));
    default:
      return std::string(name);
  }
}

GraphNode MakeNode(const Module& module, InstructionId id) {
  GraphNode node;
  node.instruction = id;
  node.category = CategoryOf(module.opcode(id));
  const Computation& computation = module.computation(module.instruction(id).computation);
  node.is_root = computation.root == id;
  module.ForEachCalledComputation(id, [&](AttributeKind, ComputationId called) {
    if (called.has_value() && std::find(node.called.begin(), node.called.end(), called) == node.called.end()) {
      node.called.push_back(called);
    }
  });
  node.lines = NodeLines(module, id);
  return node;
}

// Every operand, control predecessor and user of the instruction in its computation; some may come twice.
void ForEachNeighbour(const Module& module, const UserIndex& users, InstructionId id,
                      absl::FunctionRef<void(InstructionId)> visit) {
  for (InstructionId operand : module.operands(id)) {
    if (operand.has_value()) visit(operand);
  }
  for (InstructionId before : module.InstructionsAttribute(id, AttributeKind::kControlPredecessors)) {
    if (before.has_value()) visit(before);
  }
  for (InstructionId user : users.users(id)) visit(user);
}

std::string Escape(absl::string_view text) {
  std::string out;
  // A line break inside a name would end the DOT string's line, and a NUL the DOT text.
  for (char c : OneLine(text)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

using Ends = std::pair<uint32_t, uint32_t>;

// A value that is an operand thousands of times: so many lines take minutes to lay out and show nothing.
constexpr int32_t kMostLinesBetweenTwo = 16;

void AppendEdges(const Module& module, const Graph& graph, bool picture, std::string* out) {
  absl::flat_hash_map<Ends, int32_t> uses;
  if (picture) {
    for (const GraphEdge& edge : graph.edges) uses[{edge.from, edge.to}] += edge.operand >= 0;
  }
  absl::flat_hash_set<Ends> drawn_as_one;
  for (size_t i = 0; i < graph.edges.size(); ++i) {
    const GraphEdge& edge = graph.edges[i];
    const Ends ends = {edge.from, edge.to};
    const int32_t count = picture && edge.operand >= 0 ? uses[ends] : 1;
    const bool is_for_all = count > kMostLinesBetweenTwo;
    if (is_for_all && !drawn_as_one.insert(ends).second) continue;
    absl::StrAppend(out, "  n", edge.from, " -> n", edge.to, " [id=", i);
    if (edge.operand == GraphEdge::kControl) absl::StrAppend(out, picture ? ", style=dashed, constraint=true" : "");
    // Operand numbers matter where a consumer has several and their order is not plain from the picture.
    const bool numbered = picture && edge.operand >= 0 && module.operands(graph.nodes[edge.to].instruction).size() > 1;
    if (is_for_all) {
      absl::StrAppend(out, ", penwidth=2, headlabel=\"", count, " times\"");
    } else if (numbered) {
      absl::StrAppend(out, ", headlabel=\"", edge.operand, "\"");
    }
    absl::StrAppend(out, "];\n");
  }
}

}  // namespace

NodeCategory CategoryOf(Opcode opcode) {
  switch (opcode) {
    case Opcode::kInvalid:
      return NodeCategory::kUnknown;
    case Opcode::kParameter:
      return NodeCategory::kParameter;
    default:
      break;
  }
  switch (InfoOf(opcode).family) {
    case OpFamily::kElementwise:
    case OpFamily::kTypeConversion:
      return NodeCategory::kElementwise;
    case OpFamily::kDataMovement:
    case OpFamily::kGatherScatter:
    case OpFamily::kDynamicDimension:
      return NodeCategory::kDataMovement;
    case OpFamily::kReduction:
    case OpFamily::kSorting:
    case OpFamily::kNormalization:
      return NodeCategory::kReduction;
    case OpFamily::kConvolution:
    case OpFamily::kDot:
    case OpFamily::kLinearAlgebra:
      return NodeCategory::kContraction;
    case OpFamily::kValueSource:
      return NodeCategory::kConstant;
    case OpFamily::kRandom:
      return NodeCategory::kRandom;
    case OpFamily::kTuple:
      return NodeCategory::kTuple;
    case OpFamily::kControlFlow:
    case OpFamily::kCustomCall:
      return NodeCategory::kControlFlow;
    case OpFamily::kAsynchronous:
    case OpFamily::kHostTransfer:
      return NodeCategory::kTransfer;
    case OpFamily::kCollective:
      return NodeCategory::kCollective;
  }
  return NodeCategory::kUnknown;
}

std::vector<std::string> NodeLines(const Module& module, InstructionId id) {
  std::vector<std::string> lines;
  lines.push_back(Heading(module, id));
  lines.push_back(Shorten(std::string(module.InstructionName(id))));
  if (module.shape(id).IsValid()) lines.push_back(Shorten(module.shape(id).ToString(/*with_layout=*/false)));
  return lines;
}

absl::string_view NodeCategoryName(NodeCategory category) {
  switch (category) {
    case NodeCategory::kParameter:
      return "parameter";
    case NodeCategory::kConstant:
      return "constant";
    case NodeCategory::kElementwise:
      return "elementwise";
    case NodeCategory::kDataMovement:
      return "data movement";
    case NodeCategory::kContraction:
      return "contraction";
    case NodeCategory::kReduction:
      return "reduction";
    case NodeCategory::kRandom:
      return "random";
    case NodeCategory::kControlFlow:
      return "control flow";
    case NodeCategory::kCollective:
      return "collective";
    case NodeCategory::kTransfer:
      return "transfer";
    case NodeCategory::kTuple:
      return "tuple";
    case NodeCategory::kUnknown:
      return "unreadable";
  }
  return "unreadable";
}

absl::string_view NodeCategoryColor(NodeCategory category) {
  switch (category) {
    case NodeCategory::kParameter:
      return "#ffe0a8";
    case NodeCategory::kConstant:
      return "#e8e8e8";
    case NodeCategory::kElementwise:
      return "#fff6c9";
    case NodeCategory::kDataMovement:
      return "#d3ecd6";
    case NodeCategory::kContraction:
      return "#bcd5f5";
    case NodeCategory::kReduction:
      return "#e2d4f3";
    case NodeCategory::kRandom:
      return "#cfeef0";
    case NodeCategory::kControlFlow:
      return "#ffd1c7";
    case NodeCategory::kCollective:
      return "#f7cfe3";
    case NodeCategory::kTransfer:
      return "#d9dfe8";
    case NodeCategory::kTuple:
      return "#f4f4f4";
    case NodeCategory::kUnknown:
      return "#ff9a9a";
  }
  return "#ff9a9a";
}

Graph BuildGraph(const Module& module, const UserIndex& users, ComputationId computation) {
  return BuildGraph(module, users, computation, module.computation(computation).instructions);
}

Graph BuildGraph(const Module& module, const UserIndex& users, ComputationId computation,
                 absl::Span<const InstructionId> instructions) {
  Graph graph;
  graph.computation = computation;
  const std::vector<InstructionId>& all = module.computation(computation).instructions;
  graph.computation_size = all.size();
  const absl::flat_hash_set<InstructionId> wanted(instructions.begin(), instructions.end());
  for (InstructionId id : all) {
    if (!wanted.contains(id)) continue;
    graph.node_of.emplace(id, static_cast<uint32_t>(graph.nodes.size()));
    graph.nodes.push_back(MakeNode(module, id));
  }
  for (uint32_t to = 0; to < graph.nodes.size(); ++to) {
    const InstructionId id = graph.nodes[to].instruction;
    auto connect = [&](InstructionId producer, int32_t operand) {
      if (!producer.has_value()) return;
      auto from = graph.node_of.find(producer);
      if (from != graph.node_of.end()) graph.edges.push_back({from->second, to, operand});
    };
    int32_t number = 0;
    for (InstructionId operand : module.operands(id)) connect(operand, number++);
    for (InstructionId before : module.InstructionsAttribute(id, AttributeKind::kControlPredecessors)) {
      connect(before, GraphEdge::kControl);
    }
    if (graph.IsWhole()) continue;
    absl::flat_hash_set<InstructionId> hidden;
    ForEachNeighbour(module, users, id, [&](InstructionId other) {
      if (!graph.node_of.contains(other)) hidden.insert(other);
    });
    graph.nodes[to].hidden_neighbours = static_cast<uint32_t>(hidden.size());
  }
  return graph;
}

Graph Neighbourhood(const Module& module, const UserIndex& users, InstructionId center,
                    const NeighbourhoodOptions& options) {
  const ComputationId computation = module.instruction(center).computation;
  std::vector<InstructionId> found = {center};
  absl::flat_hash_set<InstructionId> seen = {center};
  size_t ring_begin = 0;
  for (int step = 0; step < options.depth && ring_begin < found.size(); ++step) {
    const size_t ring_end = found.size();
    for (size_t i = ring_begin; i < ring_end; ++i) {
      const NodeCategory category = CategoryOf(module.opcode(found[i]));
      const bool is_source = category == NodeCategory::kConstant || category == NodeCategory::kParameter;
      if (is_source && found[i] != center) continue;
      size_t room = found[i] == center ? 2 * options.max_fan : options.max_fan;
      room = std::min(room, options.max_nodes - std::min(options.max_nodes, found.size()));
      ForEachNeighbour(module, users, found[i], [&](InstructionId other) {
        if (room == 0 || module.instruction(other).computation != computation) return;
        if (!seen.insert(other).second) return;
        found.push_back(other);
        --room;
      });
    }
    ring_begin = ring_end;
  }
  return BuildGraph(module, users, computation, found);
}

std::string ToDot(const Module& module, const Graph& graph, const DotOptions& options) {
  const bool picture = options.sizes.empty();
  std::string out = absl::StrCat("digraph \"", Escape(module.ComputationName(graph.computation)), "\" {\n");
  // Network simplex is what makes dot slow; bounding its rounds costs a few crossings on graphs of this size.
  const char* limits = graph.nodes.size() > 300 ? ", nslimit=0.5, nslimit1=0.5, mclimit=0.3" : "";
  absl::StrAppend(&out, "  graph [rankdir=TB, nodesep=0.25, ranksep=0.4", limits);
  if (!options.title.empty()) absl::StrAppend(&out, ", labelloc=t, label=\"", Escape(options.title), "\"");
  absl::StrAppend(&out, ", fontname=\"", Escape(options.font), "\"];\n");
  if (picture) {
    absl::StrAppend(&out,
                    "  node [shape=box, style=\"rounded,filled\", fontsize=11, margin=\"0.12,0.06\", "
                    "color=\"#707070\", fontname=\"",
                    Escape(options.font), "\"];\n  edge [color=\"#606060\", arrowsize=0.7, fontsize=9, fontname=\"",
                    Escape(options.font), "\"];\n");
  } else {
    absl::StrAppend(&out, "  node [shape=box, fixedsize=true, label=\"\"];\n  edge [arrowsize=0.7];\n");
  }
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const GraphNode& node = graph.nodes[i];
    absl::StrAppend(&out, "  n", i, " [");
    if (picture) {
      absl::StrAppend(&out, "label=\"",
                      absl::StrJoin(node.lines, "\\n", [](std::string* text, const std::string& line) {
                        absl::StrAppend(text, Escape(line));
                      }));
      if (node.hidden_neighbours > 0) absl::StrAppend(&out, "\\n+", node.hidden_neighbours, " more");
      const bool has_fill = i < options.fills.size() && !options.fills[i].empty();
      absl::StrAppend(&out, "\", fillcolor=\"",
                      has_fill ? absl::string_view(options.fills[i]) : NodeCategoryColor(node.category), "\"");
      if (node.is_root) absl::StrAppend(&out, ", peripheries=2");
      if (node.instruction == options.highlighted) absl::StrAppend(&out, ", color=\"#d04000\", penwidth=2.5");
    } else {
      const NodeSize size = options.sizes[i];
      absl::StrAppend(&out, "width=", size.width / 72.0, ", height=", size.height / 72.0);
    }
    absl::StrAppend(&out, "];\n");
  }
  AppendEdges(module, graph, picture, &out);
  absl::StrAppend(&out, "}\n");
  return out;
}

}  // namespace hloscope
