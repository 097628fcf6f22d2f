// SPDX-License-Identifier: Apache-2.0
#include "gui/models/landmarks.h"

#include <algorithm>
#include <utility>

namespace hloscope::gui {
namespace {

constexpr size_t kMostResults = 8, kMostOfAKind = 24;

using Weighted = std::vector<std::pair<int64_t, uint32_t>>;  // weight, box

// Those of the greatest weight, in order; of equal ones the first.
void KeepHeaviest(Weighted* boxes) {
  const size_t kept = std::min(boxes->size(), kMostOfAKind);
  std::partial_sort(
      boxes->begin(), boxes->begin() + static_cast<std::ptrdiff_t>(kept), boxes->end(),
      [](const auto& a, const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
  boxes->resize(kept);
}

int64_t CalledInstructions(const Module& module, InstructionId id) {
  int64_t count = 0;
  module.ForEachCalledComputation(id, [&](AttributeKind, ComputationId called) {
    if (called.has_value()) count += static_cast<int64_t>(module.computation(called).instructions.size());
  });
  return count;
}

int64_t Elements(const Shape& shape) {
  if (shape.IsArray()) return shape.ElementCount();
  int64_t sum = 0;
  if (shape.IsTuple()) {
    for (const Shape& element : shape.elements()) sum += Elements(element);
  }
  return sum;
}

}  // namespace

std::vector<uint32_t> LandmarksOf(const Module& module, const VisibleGraph& graph) {
  std::vector<uint32_t> landmarks;
  const auto add = [&landmarks](uint32_t box) {
    if (box == kNoItem || std::find(landmarks.begin(), landmarks.end(), box) != landmarks.end()) return;
    landmarks.push_back(box);
  };
  const InstructionId root = graph.empty() ? InstructionId() : module.computation(graph.computation).root;
  if (root.has_value()) {
    std::vector<InstructionId> results = {root};
    if (CategoryOf(module.opcode(root)) == NodeCategory::kTuple) {
      for (InstructionId operand : module.operands(root)) {
        if (operand.has_value() && results.size() < kMostResults) results.push_back(operand);
      }
    }
    for (InstructionId id : results) add(graph.OwnBoxOf(id));
  }
  Weighted calls, large;
  for (uint32_t i = 0; i < graph.boxes.size(); ++i) {
    const VisibleGraph::Box& box = graph.boxes[i];
    if (box.kind != VisibleGraph::BoxKind::kInstruction) continue;
    if (box.category == NodeCategory::kControlFlow) {
      calls.emplace_back(CalledInstructions(module, box.instruction), i);
    } else if (box.category == NodeCategory::kContraction || box.category == NodeCategory::kCollective) {
      large.emplace_back(Elements(module.shape(box.instruction)), i);
    }
  }
  KeepHeaviest(&calls);
  KeepHeaviest(&large);
  for (size_t i = 0; i < std::max(calls.size(), large.size()); ++i) {
    if (i < calls.size()) add(calls[i].second);
    if (i < large.size()) add(large[i].second);
  }
  return landmarks;
}

}  // namespace hloscope::gui
