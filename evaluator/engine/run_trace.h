// SPDX-License-Identifier: Apache-2.0
// When a run executed what, and from where it was called.
#ifndef HLOSCOPE_EVALUATOR_ENGINE_RUN_TRACE_H_
#define HLOSCOPE_EVALUATOR_ENGINE_RUN_TRACE_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "core/ir/module.h"
#include "evaluator/engine/frame.h"

namespace hloscope::evaluator {

// Written by the one thread that runs the devices; looked at when they have stopped. Times are of the kernels of single
// instructions: what calls a computation is there as the way to what that executes.
class RunTrace {
 public:
  using Clock = std::chrono::steady_clock;

  // What becomes of steps beyond `max_steps`: they count in the sums alone, or short ones are joined with those of
  // their device before them, so that the trace covers the whole run, however long that is.
  enum class Beyond : uint8_t { kLeaveOut, kJoin };
  explicit RunTrace(size_t max_steps = size_t{1} << 20, Beyond beyond = Beyond::kLeaveOut)
      : max_steps_(max_steps), beyond_(beyond), start_(Clock::now()) {}

  void Record(int64_t device, absl::Span<const Frame> frames, InstructionId id, Clock::time_point begin,
              Clock::time_point end);

  // An instruction on a way of calls; node 0 is the entry computation and has none.
  struct Node {
    uint32_t parent = 0;
    InstructionId instruction;
    int64_t steps = 0, nanoseconds = 0;  // of itself, on all devices
  };
  struct Step {
    uint32_t node = 0;
    uint32_t device = 0;
    int64_t begin_ns = 0, duration_ns = 0;  // since the trace was made
    // How many steps this stands for: those of `node` or below it and, if it is mixed, of others with the same caller,
    // none of which took longer.
    int64_t count = 1;
    bool is_mixed = false;
  };
  const std::vector<Node>& nodes() const { return nodes_; }  // parents first
  const std::vector<Step>& steps() const { return steps_; }  // in order
  int64_t left_out() const { return left_out_; }
  // Steps were joined up to this duration together; 0: none were.
  int64_t joined_ns() const { return joined_ns_; }
  // Forgets all that was recorded.
  void Clear();

 private:
  static constexpr size_t kNoStep = SIZE_MAX;

  void Join(const Step& step, Step* into) const;
  // Appends a step, or joins it with the one of its device before it if both are short.
  void Append(const Step& step);
  // Until half of the steps are free again.
  void JoinShortSteps();
  uint32_t NodeOf(uint32_t parent, InstructionId instruction);
  uint32_t NodeOfFrame(absl::Span<const Frame> frames);

  const size_t max_steps_;
  const Beyond beyond_;
  const Clock::time_point start_;
  std::vector<Node> nodes_ = std::vector<Node>(1);
  absl::flat_hash_map<std::pair<uint32_t, InstructionId>, uint32_t> known_;
  // Nodes of the callers of the last step, from the outermost: calls are much the same from step to step.
  std::vector<std::pair<InstructionId, uint32_t>> callers_;
  std::vector<Step> steps_;
  std::vector<size_t> last_;  // step of each device; kNoStep: none yet
  int64_t left_out_ = 0, joined_ns_ = 0;
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_ENGINE_RUN_TRACE_H_
