// SPDX-License-Identifier: Apache-2.0
#include "evaluator/engine/run_trace.h"

#include <algorithm>
#include <limits>

namespace hloscope::evaluator {

uint32_t RunTrace::NodeOf(uint32_t parent, InstructionId instruction) {
  const auto [it, inserted] = known_.try_emplace({parent, instruction}, static_cast<uint32_t>(nodes_.size()));
  if (inserted) nodes_.push_back({parent, instruction, 0, 0});
  return it->second;
}

uint32_t RunTrace::NodeOfFrame(absl::Span<const Frame> frames) {
  size_t depth = 0;
  for (const Frame& frame : frames) {
    if (!frame.caller.has_value()) continue;
    if (depth == callers_.size() || callers_[depth].first != frame.caller) {
      callers_.resize(depth);
      callers_.emplace_back(frame.caller, NodeOf(depth > 0 ? callers_[depth - 1].second : 0, frame.caller));
    }
    ++depth;
  }
  callers_.resize(depth);
  return depth > 0 ? callers_[depth - 1].second : 0;
}

void RunTrace::Record(int64_t device, absl::Span<const Frame> frames, InstructionId id, Clock::time_point begin,
                      Clock::time_point end) {
  const uint32_t node = NodeOf(NodeOfFrame(frames), id);
  const int64_t duration = std::chrono::nanoseconds(end - begin).count();
  ++nodes_[node].steps;
  nodes_[node].nanoseconds += duration;
  if (beyond_ == Beyond::kLeaveOut && steps_.size() >= max_steps_) {
    ++left_out_;
    return;
  }
  if (steps_.size() >= max_steps_) JoinShortSteps();
  Append({node, static_cast<uint32_t>(device), std::chrono::nanoseconds(begin - start_).count(), duration});
}

void RunTrace::Clear() {
  nodes_.assign(1, Node());
  known_.clear();
  callers_.clear();
  steps_.clear();
  last_.clear();
  left_out_ = joined_ns_ = 0;
}

void RunTrace::Append(const Step& step) {
  if (last_.size() <= step.device) last_.resize(size_t{step.device} + 1, kNoStep);
  size_t& last = last_[step.device];
  if (last != kNoStep && steps_[last].duration_ns + step.duration_ns <= joined_ns_) {
    Join(step, &steps_[last]);
    return;
  }
  last = steps_.size();
  steps_.push_back(step);
}

void RunTrace::Join(const Step& step, Step* into) const {
  const auto climb = [this](uint32_t node, uint32_t to) {
    while (nodes_[node].parent != to) node = nodes_[node].parent;
    return node;
  };
  // The innermost caller of both. Parents have smaller numbers.
  uint32_t a = nodes_[into->node].parent, b = nodes_[step.node].parent;
  while (a != b) (a > b ? a : b) = nodes_[std::max(a, b)].parent;
  const uint32_t first = climb(into->node, a), second = climb(step.node, a);
  into->is_mixed = into->is_mixed || step.is_mixed || first != second;
  into->node = step.duration_ns > into->duration_ns ? second : first;
  into->duration_ns += step.duration_ns;
  into->count += step.count;
}

void RunTrace::JoinShortSteps() {
  constexpr int64_t kLongest = std::numeric_limits<int64_t>::max() / 4;
  while (steps_.size() > max_steps_ / 2 && joined_ns_ < kLongest) {
    joined_ns_ = std::max<int64_t>(1000, 2 * joined_ns_);
    std::vector<Step> steps;
    steps.swap(steps_);
    last_.clear();
    for (const Step& step : steps) Append(step);
  }
}

}  // namespace hloscope::evaluator
