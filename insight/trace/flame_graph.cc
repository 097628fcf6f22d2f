// SPDX-License-Identifier: Apache-2.0
#include "insight/trace/flame_graph.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "core/analysis/scopes.h"
#include "core/print/quantity.h"
#include "insight/html/html_text.h"

namespace hloscope::insight {
namespace {

constexpr double kFlameWidth = 1200, kFlameRow = 18, kNarrowest = 0.33;

struct Box {
  std::string name;
  uint32_t parent = 0;
  int64_t nanoseconds = 0;  // with what is inside
  std::vector<uint32_t> inside;
};

// Boxes with their sums; box 0 is around all.
class FlameTree {
 public:
  explicit FlameTree(std::string name) { boxes_.push_back({std::move(name), 0, 0, {}}); }

  uint32_t Inside(uint32_t parent, absl::string_view name) {
    const auto [it, inserted] = known_.try_emplace({parent, std::string(name)}, static_cast<uint32_t>(boxes_.size()));
    if (inserted) {
      boxes_.push_back({std::string(name), parent, 0, {}});
      boxes_[parent].inside.push_back(it->second);
    }
    return it->second;
  }
  void Add(uint32_t box, int64_t nanoseconds) { boxes_[box].nanoseconds += nanoseconds; }
  // After the last Add(): boxes count what is inside, which comes after them.
  void SumUp() {
    for (size_t box = boxes_.size(); box-- > 1;) boxes_[boxes_[box].parent].nanoseconds += boxes_[box].nanoseconds;
  }

  // Appends the boxes from `top` down; returns the height.
  double Draw(double top, std::string* svg) const {
    struct Open {
      uint32_t box;
      double x;
      int depth;
    };
    const double scale = kFlameWidth / std::max<double>(1, static_cast<double>(boxes_[0].nanoseconds));
    std::vector<Open> open = {{0, 0, 0}};
    int deepest = 0;
    while (!open.empty()) {
      const Open at = open.back();
      open.pop_back();
      const Box& box = boxes_[at.box];
      const double width = static_cast<double>(box.nanoseconds) * scale;
      deepest = std::max(deepest, at.depth);
      DrawBox(box, at.x, top + at.depth * kFlameRow, width, svg);
      std::vector<uint32_t> inside = box.inside;
      std::stable_sort(inside.begin(), inside.end(),
                       [&](uint32_t a, uint32_t b) { return boxes_[a].nanoseconds > boxes_[b].nanoseconds; });
      double x = at.x;
      for (uint32_t inner : inside) {
        const double inner_width = static_cast<double>(boxes_[inner].nanoseconds) * scale;
        if (inner_width >= kNarrowest) open.push_back({inner, x, at.depth + 1});
        x += inner_width;
      }
    }
    return (deepest + 1) * kFlameRow;
  }

 private:
  void DrawBox(const Box& box, double x, double y, double width, std::string* svg) const {
    uint32_t hash = 2166136261u;
    for (char c : box.name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
    const double share = boxes_[0].nanoseconds > 0
                             ? 100 * static_cast<double>(box.nanoseconds) / static_cast<double>(boxes_[0].nanoseconds)
                             : 0;
    std::string name, label;
    AppendEscaped(box.name, &name);
    const size_t fits = static_cast<size_t>(std::max(0.0, (width - 4) / 6.5));
    if (fits >= 3) AppendEscaped(absl::string_view(box.name).substr(0, fits), &label);
    absl::StrAppendFormat(svg,
                          "<g><title>%s: %s, %.1f %%</title><rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%.0f\" "
                          "fill=\"hsl(%d,75%%,65%%)\" stroke=\"#fff\" stroke-width=\"0.5\"/>",
                          name, SecondsText(static_cast<double>(box.nanoseconds) * 1e-9), share, x, y, width,
                          kFlameRow - 1, hash % 60);
    if (!label.empty()) absl::StrAppendFormat(svg, "<text x=\"%.1f\" y=\"%.1f\">%s</text>", x + 2, y + 13, label);
    absl::StrAppend(svg, "</g>\n");
  }

  std::vector<Box> boxes_;
  absl::flat_hash_map<std::pair<uint32_t, std::string>, uint32_t> known_;
};

FlameTree ByCalls(const Module& module, const evaluator::RunTrace& trace) {
  FlameTree tree(absl::StrCat(module.name(), ", by calls"));
  std::vector<uint32_t> box_of(trace.nodes().size(), 0);
  for (uint32_t n = 1; n < trace.nodes().size(); ++n) {
    const evaluator::RunTrace::Node& node = trace.nodes()[n];
    box_of[n] = tree.Inside(box_of[node.parent], module.InstructionName(node.instruction));
    if (node.steps > 0) tree.Add(box_of[n], node.nanoseconds);
  }
  tree.SumUp();
  return tree;
}

FlameTree ByScopes(const Module& module, const evaluator::RunTrace& trace) {
  FlameTree tree(absl::StrCat(module.name(), ", by scopes of op_name"));
  const ScopeTree scopes(module);
  std::vector<uint32_t> box_of(scopes.scopes().size(), 0);
  for (uint32_t s = 1; s < box_of.size(); ++s) {
    box_of[s] = tree.Inside(box_of[scopes.scope(s).parent], scopes.scope(s).name);
  }
  for (uint32_t n = 1; n < trace.nodes().size(); ++n) {
    const evaluator::RunTrace::Node& node = trace.nodes()[n];
    if (node.steps == 0) continue;
    tree.Add(tree.Inside(box_of[scopes.Of(node.instruction)], module.InstructionName(node.instruction)),
             node.nanoseconds);
  }
  tree.SumUp();
  return tree;
}

}  // namespace

std::string FlameGraphsOf(const Module& module, const evaluator::RunTrace& trace) {
  std::string boxes;
  double height = 4;
  height += ByCalls(module, trace).Draw(height, &boxes) + 20;
  height += ByScopes(module, trace).Draw(height, &boxes) + 4;
  return absl::StrCat("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"", kFlameWidth, "\" height=\"", height,
                      "\" font-family=\"ui-monospace,monospace\" font-size=\"11\">\n", boxes, "</svg>\n");
}

}  // namespace hloscope::insight
