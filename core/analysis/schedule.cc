// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/schedule.h"

#include <algorithm>
#include <limits>
#include <queue>
#include <tuple>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "core/ir/checked_math.h"

namespace hloscope {
namespace {

int64_t DefinedBytes(const BufferTable& buffers, InstructionId id) {
  const auto [first, count] = buffers.DefinedBy(id);
  int64_t bytes = 0;
  for (uint32_t i = 0; i < count; ++i) bytes = SaturatingSum(bytes, buffers.buffer(first + i).bytes);
  return bytes;
}

// The instructions of one computation by position in its text, with their edges.
struct LocalGraph {
  LocalGraph(const Module& module, ComputationId computation) : ids(module.computation(computation).instructions) {
    for (uint32_t i = 0; i < ids.size(); ++i) position[ids[i]] = i;
    before.resize(ids.size());
    after.resize(ids.size());
    for (uint32_t i = 0; i < ids.size(); ++i) {
      const auto add = [&](InstructionId id) {
        const auto it = position.find(id);
        if (it == position.end() || it->second == i) return;
        // Long lists are not compared pairwise.
        if (before[i].size() < 16 && std::find(before[i].begin(), before[i].end(), it->second) != before[i].end()) {
          return;
        }
        before[i].push_back(it->second);
      };
      for (InstructionId operand : module.operands(ids[i])) add(operand);
      if (module.attributes(ids[i]).empty()) continue;
      for (InstructionId id : module.InstructionsAttribute(ids[i], AttributeKind::kControlPredecessors)) add(id);
    }
    for (uint32_t i = 0; i < ids.size(); ++i) {
      if (before[i].size() >= 16) {
        std::sort(before[i].begin(), before[i].end());
        before[i].erase(std::unique(before[i].begin(), before[i].end()), before[i].end());
      }
      for (uint32_t b : before[i]) after[b].push_back(i);
    }
  }

  const std::vector<InstructionId>& ids;
  absl::flat_hash_map<InstructionId, uint32_t> position;
  std::vector<std::vector<uint32_t>> before, after;
};

// Depth first from what nothing uses, visiting predecessors in the order that `before` has been brought into.
std::vector<InstructionId> DepthFirst(const LocalGraph& graph) {
  std::vector<InstructionId> order;
  std::vector<uint8_t> state(graph.ids.size(), 0);
  std::vector<std::pair<uint32_t, uint32_t>> stack;  // position, next predecessor
  for (uint32_t start = 0; start < graph.ids.size(); ++start) {
    if (!graph.after[start].empty() || state[start] != 0) continue;
    stack.emplace_back(start, 0);
    state[start] = 1;
    while (!stack.empty()) {
      auto& [at, next] = stack.back();
      if (next == graph.before[at].size()) {
        order.push_back(graph.ids[at]);
        stack.pop_back();
        continue;
      }
      const uint32_t predecessor = graph.before[at][next++];
      if (state[predecessor] != 0) continue;
      state[predecessor] = 1;
      stack.emplace_back(predecessor, 0);
    }
  }
  return order;
}

std::vector<InstructionId> LargestFirst(const BufferTable& buffers, LocalGraph& graph) {
  // An estimate of what it takes to have each value, as in Sethi-Ullman numbering: the text order is topological.
  std::vector<int64_t> need(graph.ids.size()), bytes(graph.ids.size());
  for (uint32_t i = 0; i < graph.ids.size(); ++i) bytes[i] = DefinedBytes(buffers, graph.ids[i]);
  for (uint32_t i = 0; i < graph.ids.size(); ++i) {
    std::vector<uint32_t>& before = graph.before[i];
    std::stable_sort(before.begin(), before.end(), [&](uint32_t a, uint32_t b) { return need[a] > need[b]; });
    int64_t held = 0, peak = 0;
    for (uint32_t b : before) {
      peak = std::max(peak, SaturatingSum(held, need[b]));
      held = SaturatingSum(held, bytes[b]);
    }
    need[i] = std::max(peak, SaturatingSum(held, bytes[i]));
  }
  return DepthFirst(graph);
}

// Takes, of the instructions whose predecessors have run, the one that frees most memory beyond what it needs.
class ListScheduler {
 public:
  ListScheduler(const BufferTable& buffers, const LocalGraph& graph) : buffers_(buffers), graph_(graph) {
    const size_t n = graph.ids.size();
    bytes_.resize(n);
    waiting_.resize(n);
    unused_.resize(n);
    gain_.resize(n);
    done_.resize(n);
    for (uint32_t i = 0; i < n; ++i) {
      bytes_[i] = DefinedBytes(buffers_, graph.ids[i]);
      waiting_[i] = graph.before[i].size();
      unused_[i] = graph.after[i].size();
      gain_[i] = unused_[i] == 0 ? 0 : -bytes_[i];
    }
    for (uint32_t i = 0; i < n; ++i) {
      if (unused_[i] == 1) gain_[graph.after[i][0]] = SaturatingSumOfAny(gain_[graph.after[i][0]], bytes_[i]);
    }
  }

  std::vector<InstructionId> Run() {
    for (uint32_t i = 0; i < graph_.ids.size(); ++i) {
      if (waiting_[i] == 0) Push(i);
    }
    std::vector<InstructionId> order;
    while (!ready_.empty()) {
      const auto [gain, negated, i] = ready_.top();
      ready_.pop();
      if (done_[i] || gain != gain_[i]) continue;  // an older entry
      done_[i] = true;
      order.push_back(graph_.ids[i]);
      for (uint32_t b : graph_.before[i]) {
        if (--unused_[b] != 1) continue;
        // One use is left: that user will free it.
        for (uint32_t user : graph_.after[b]) {
          if (done_[user]) continue;
          gain_[user] = SaturatingSumOfAny(gain_[user], bytes_[b]);
          if (waiting_[user] == 0) Push(user);
        }
      }
      for (uint32_t a : graph_.after[i]) {
        if (--waiting_[a] == 0) Push(a);
      }
    }
    return order;
  }

 private:
  static int64_t SaturatingSumOfAny(int64_t a, int64_t b) {
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<int64_t>::max() : sum;
  }
  void Push(uint32_t i) { ready_.emplace(gain_[i], -static_cast<int64_t>(i), i); }

  const BufferTable& buffers_;
  const LocalGraph& graph_;
  std::vector<int64_t> bytes_, gain_;
  std::vector<size_t> waiting_, unused_;
  std::vector<bool> done_;
  std::priority_queue<std::tuple<int64_t, int64_t, uint32_t>> ready_;  // gain, text order, position
};

}  // namespace

absl::string_view ScheduleKindName(ScheduleKind kind) {
  switch (kind) {
    case ScheduleKind::kGiven:
      return "given";
    case ScheduleKind::kText:
      return "text";
    case ScheduleKind::kPostOrder:
      return "post-order";
    case ScheduleKind::kLargest:
      return "largest first";
    case ScheduleKind::kList:
      return "list";
  }
  return "";
}

std::vector<InstructionId> ScheduleOf(const Module& module, const BufferTable& buffers, ComputationId computation,
                                      ScheduleKind kind) {
  if (kind == ScheduleKind::kGiven || kind == ScheduleKind::kText) return module.computation(computation).instructions;
  LocalGraph graph(module, computation);
  if (kind == ScheduleKind::kPostOrder) return DepthFirst(graph);
  if (kind == ScheduleKind::kLargest) return LargestFirst(buffers, graph);
  return ListScheduler(buffers, graph).Run();
}

}  // namespace hloscope
