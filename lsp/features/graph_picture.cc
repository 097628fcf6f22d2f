// SPDX-License-Identifier: Apache-2.0
#include "lsp/features/graph_picture.h"

#include "absl/strings/str_cat.h"
#include "core/analysis/graph.h"
#include "lsp/features/cursor.h"
#include "reports/subprocess.h"

namespace hloscope::lsp {
namespace {

constexpr double kLayoutSeconds = 20;

}  // namespace

absl::StatusOr<GraphPicture> DrawGraph(const DocumentView& view, const GraphQuery& query) {
  const Document& document = view.document;
  const Module& module = view.module();
  ComputationId computation;
  InstructionId center;
  if (query.position.has_value()) {
    const uint32_t offset = view.ToOffset(*query.position);
    const SymbolAtPosition symbol = document.SymbolAt(offset);
    center = NamedInstruction(module, InstructionAtCursor(document, offset));
    computation = center.has_value()
                      ? module.instruction(center).computation
                      : (symbol.computation.has_value() ? symbol.computation : document.ComputationAt(offset));
  }
  if (!query.computation.empty()) {
    computation = module.FindComputation(query.computation);
    if (!computation.has_value())
      return absl::NotFoundError(absl::StrCat("there is no computation `", query.computation, "`"));
    if (center.has_value() && module.instruction(center).computation != computation) center = InstructionId::None();
  }
  if (!computation.has_value()) computation = module.entry();
  if (!computation.has_value()) return absl::FailedPreconditionError("the text has no computation that could be drawn");
  if (!query.around.empty()) {
    center = module.FindInstruction(computation, query.around);
    if (!center.has_value())
      return absl::NotFoundError(
          absl::StrCat("`", module.ComputationName(computation), "` has no instruction `", query.around, "`"));
  }
  const size_t size = module.computation(computation).instructions.size();
  if (size > kMaxWholeGraph && !center.has_value()) center = module.computation(computation).root;
  const bool around = center.has_value() && (!query.whole || size > kMaxWholeGraph);

  Graph graph;
  if (around) {
    NeighbourhoodOptions options;
    options.depth = query.depth;
    graph = Neighbourhood(module, document.users(), center, options);
  } else {
    graph = BuildGraph(module, document.users(), computation);
  }
  DotOptions options;
  options.title = std::string(module.ComputationName(computation));
  options.highlighted = center;
  GraphPicture picture;
  picture.computation = options.title;
  picture.is_whole = graph.IsWhole();
  picture.dot = ToDot(module, graph, options);
  for (const GraphNode& node : graph.nodes) {
    picture.nodes.push_back({std::string(module.InstructionName(node.instruction)),
                             view.ToRange(document.NameRange(NamedInstruction(module, node.instruction)))});
  }
  if (query.only_dot) return picture;
  absl::StatusOr<std::string> svg = reports::RunFilter({"dot", "-Tsvg"}, picture.dot, kLayoutSeconds);
  if (absl::IsNotFound(svg.status()))
    return absl::NotFoundError("drawing needs Graphviz: the program `dot` was not found; install graphviz");
  if (!svg.ok()) return svg.status();
  picture.svg = *std::move(svg);
  return picture;
}

}  // namespace hloscope::lsp
