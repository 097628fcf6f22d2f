// SPDX-License-Identifier: Apache-2.0
#include "gui/layout/graph_layout.h"

#include <QList>
#include <cmath>

namespace hloscope::gui {
namespace {

// The numbers of a line after its keyword; nothing if one of them is none.
std::optional<std::vector<double>> Numbers(const QList<QByteArray>& words) {
  std::vector<double> numbers;
  for (qsizetype i = 1; i < words.size(); ++i) {
    bool ok = false;
    numbers.push_back(words[i].toDouble(&ok));
    if (!ok || !std::isfinite(numbers.back())) return std::nullopt;
  }
  return numbers;
}

}  // namespace

std::optional<GraphLayout> ParseLayout(const QByteArray& text, size_t node_count, size_t edge_count) {
  GraphLayout layout;
  layout.centers.resize(node_count);
  layout.edges.resize(edge_count);
  size_t nodes_seen = 0;
  for (const QByteArray& line : text.split('\n')) {
    if (line.isEmpty()) continue;
    const QList<QByteArray> words = line.split(' ');
    const std::optional<std::vector<double>> numbers = Numbers(words);
    if (!numbers.has_value()) return std::nullopt;
    const std::vector<double>& n = *numbers;
    if (words[0] == "graph" && n.size() == 2) {
      layout.size = QSizeF(n[0], n[1]);
    } else if (words[0] == "node" && n.size() == 3 && n[0] >= 0 && n[0] < static_cast<double>(node_count)) {
      layout.centers[static_cast<size_t>(n[0])] = QPointF(n[1], n[2]);
      ++nodes_seen;
    } else if (words[0] == "edge" && n.size() >= 5 && n[0] >= 0 && n[0] < static_cast<double>(edge_count)) {
      GraphLayout::Edge& edge = layout.edges[static_cast<size_t>(n[0])];
      edge.arrow_tip = QPointF(n[1], n[2]);
      edge.path.moveTo(n[3], n[4]);
      for (size_t i = 5; i + 5 < n.size(); i += 6)
        edge.path.cubicTo(n[i], n[i + 1], n[i + 2], n[i + 3], n[i + 4], n[i + 5]);
      edge.arrow_base = edge.path.currentPosition();
    } else {
      return std::nullopt;
    }
  }
  if (nodes_seen != node_count) return std::nullopt;
  return layout;
}

}  // namespace hloscope::gui
