// SPDX-License-Identifier: Apache-2.0
// The dataflow graph of a computation, or of the surroundings of one instruction, as data that a front end lays out and
// draws. One node an instruction, one edge an operand (or a control dependency).
#ifndef HLOSCOPE_CORE_ANALYSIS_GRAPH_H_
#define HLOSCOPE_CORE_ANALYSIS_GRAPH_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/analysis/users.h"
#include "core/ir/module.h"

namespace hloscope {

// What a node is drawn as: families of operations that a reader wants to tell apart at a glance.
enum class NodeCategory : uint8_t {
  kParameter,
  kConstant,      // constant and iota
  kElementwise,   // and conversions of the element type
  kDataMovement,  // reshapes, slices, copies, gathers, scatters
  kContraction,   // dot, convolution, linear algebra
  kReduction,     // reductions, sorting, normalisation
  kRandom,
  kControlFlow,  // whatever calls computations as a whole: call, fusion, while, conditional, custom-call
  kCollective,
  kTransfer,  // host transfers and asynchronous copies
  kTuple,
  kUnknown,  // an instruction that could not be read
};
inline constexpr int kNodeCategoryCount = static_cast<int>(NodeCategory::kUnknown) + 1;

NodeCategory CategoryOf(Opcode opcode);
// "elementwise", for legends and class names.
absl::string_view NodeCategoryName(NodeCategory category);
// Background colour for a light page, "#rrggbb".
absl::string_view NodeCategoryColor(NodeCategory category);

struct GraphNode {
  InstructionId instruction;
  NodeCategory category = NodeCategory::kUnknown;
  bool is_root = false;
  // Computations it calls, in attribute order, each once.
  std::vector<ComputationId> called;
  std::vector<std::string> lines;  // as NodeLines
  // Operands and users inside the computation that the graph leaves out, each counted once.
  uint32_t hidden_neighbours = 0;
};

// What a box for the instruction says, most important first: the opcode (with what distinguishes it, as "compare LT"),
// the name, and the shape if it is known.
std::vector<std::string> NodeLines(const Module& module, InstructionId id);

struct GraphEdge {
  static constexpr int32_t kControl = -1;

  uint32_t from = 0;    // index of the producer's node
  uint32_t to = 0;      // index of the consumer's node
  int32_t operand = 0;  // operand number, or kControl
};

struct Graph {
  ComputationId computation;
  std::vector<GraphNode> nodes;  // in text order
  std::vector<GraphEdge> edges;  // by consumer, then operand number, control edges last
  // Node of each instruction that has one.
  absl::flat_hash_map<InstructionId, uint32_t> node_of;
  // Instructions of the whole computation, drawn or not.
  size_t computation_size = 0;

  bool IsWhole() const { return nodes.size() == computation_size; }
};

// Every instruction of the computation. O(instructions + operands).
Graph BuildGraph(const Module& module, const UserIndex& users, ComputationId computation);

// The given instructions of one computation, each once (others are skipped), and the edges between them.
Graph BuildGraph(const Module& module, const UserIndex& users, ComputationId computation,
                 absl::Span<const InstructionId> instructions);

struct NeighbourhoodOptions {
  int depth = 3;           // steps along operand and user edges; 0: the instruction alone
  size_t max_nodes = 300;  // nearest first
  // New neighbours that one instruction brings in, operands before users; twice as many for the center. A tuple of a
  // thousand operands would otherwise crowd out everything else.
  size_t max_fan = 12;
};

// The surroundings of `center` inside its computation, found breadth first along operands, users and control
// dependencies. Constants and parameters are shown, but the search does not go on through them (unless one is the
// center): what else uses a constant says nothing about the center.
Graph Neighbourhood(const Module& module, const UserIndex& users, InstructionId center,
                    const NeighbourhoodOptions& options = {});

struct NodeSize {
  double width = 0, height = 0;  // points (1/72 inch)
};

struct DotOptions {
  std::string title;  // empty: none
  std::string font = "Helvetica";
  InstructionId highlighted;       // drawn with a thick border; none: no instruction
  std::vector<std::string> fills;  // "#rrggbb" by node; empty, and where it is empty: the colour of the category
  // Size of each node, for layouts whose boxes are drawn elsewhere: labels and colours are left out. Empty: boxes with
  // labels and colours, as a picture of its own.
  std::vector<NodeSize> sizes;
};

// The graph in Graphviz's language. Nodes are named n0, n1, ... by index, so that layouts are the same every time;
// edges carry their index as `id`.
std::string ToDot(const Module& module, const Graph& graph, const DotOptions& options = {});

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_ANALYSIS_GRAPH_H_
