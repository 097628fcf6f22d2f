// SPDX-License-Identifier: Apache-2.0
// hloscope-graph-layout: reads a graph in DOT with named nodes n0, n1, ... and edges with `id` from standard input,
// lays it out with Graphviz and writes coordinates (gui/layout/graph_layout.h) to standard output. A process of its
// own, because libgvc serves one thread at a time and cannot be interrupted: whoever loses patience kills it.
#include <gvc.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <string>

int main() {
  const std::string dot((std::istreambuf_iterator<char>(std::cin)), std::istreambuf_iterator<char>());
  GVC_t* context = gvContext();
  Agraph_t* graph = agmemread(dot.c_str());
  if (graph == nullptr || gvLayout(context, graph, "dot") != 0) {
    std::fputs("hloscope-graph-layout: the graph could not be laid out\n", stderr);
    return 1;
  }
  const boxf box = GD_bb(graph);
  // Graphviz counts y upwards.
  auto x = [&](double value) { return value - box.LL.x; };
  auto y = [&](double value) { return box.UR.y - value; };
  std::printf("graph %.2f %.2f\n", box.UR.x - box.LL.x, box.UR.y - box.LL.y);
  for (Agnode_t* node = agfstnode(graph); node != nullptr; node = agnxtnode(graph, node)) {
    std::printf("node %s %.2f %.2f\n", agnameof(node) + 1, x(ND_coord(node).x), y(ND_coord(node).y));
    for (Agedge_t* edge = agfstout(graph, node); edge != nullptr; edge = agnxtout(graph, edge)) {
      const splines* curves = ED_spl(edge);
      char id[] = "id";
      if (curves == nullptr || curves->size == 0 || agget(edge, id) == nullptr) continue;
      const bezier& curve = curves->list[curves->size - 1];
      if (curve.size < 1) continue;
      const pointf tip = curve.eflag ? curve.ep : curve.list[curve.size - 1];
      std::printf("edge %s %.2f %.2f", agget(edge, id), x(tip.x), y(tip.y));
      for (size_t i = 0; i < static_cast<size_t>(curve.size); ++i) {
        std::printf(" %.2f %.2f", x(curve.list[i].x), y(curve.list[i].y));
      }
      std::printf("\n");
    }
  }
  // The operating system takes everything back faster than Graphviz does.
  std::fflush(stdout);
  std::_Exit(0);
}
