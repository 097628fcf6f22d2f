#include "evaluator/engine/run_trace.h"

namespace hloscope::evaluator {

uint32_t RunTrace::NodeOf(uint32_t parent, InstructionId instruction) {
  const auto [it, inserted] = known_.try_emplace({parent, instruction}, static_cast<uint32_t>(nodes_.size()));
  if (inserted) nodes_.push_back({parent, instruction, 0, 0});
  return it->second;
}

void RunTrace::Record(int64_t device, absl::Span<const Frame> frames, InstructionId id, Clock::time_point begin,
                      Clock::time_point end) {
  uint32_t node = 0;
  for (const Frame& frame : frames) {
    if (frame.caller.has_value()) node = NodeOf(node, frame.caller);
  }
  node = NodeOf(node, id);
  const int64_t duration = std::chrono::nanoseconds(end - begin).count();
  ++nodes_[node].steps;
  nodes_[node].nanoseconds += duration;
  if (steps_.size() >= max_steps_) {
    ++left_out_;
    return;
  }
  steps_.push_back({node, static_cast<uint32_t>(device), std::chrono::nanoseconds(begin - start_).count(), duration});
}

}  // namespace hloscope::evaluator
