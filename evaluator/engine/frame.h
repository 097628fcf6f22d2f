// SPDX-License-Identifier: Apache-2.0
// The active computations of a run, and how to say where an execution is.
#ifndef HLOSCOPE_EVALUATOR_ENGINE_FRAME_H_
#define HLOSCOPE_EVALUATOR_ENGINE_FRAME_H_

#include <cstdint>
#include <string>

#include "absl/types/span.h"
#include "core/ir/module.h"

namespace hloscope::evaluator {

// kApplied: a computation that map, reduce, scatter, sort ... apply to scalars, entered at one element of the result.
enum class FrameKind : uint8_t { kEntry, kCall, kFusion, kCondition, kBody, kBranch, kAsync, kApplied };

// One active computation. The innermost frame is the last.
struct Frame {
  ComputationId computation;
  InstructionId caller;    // none for the entry computation
  InstructionId current;   // executed next in this frame; none when the frame is finished
  int64_t iteration = -1;  // of a while body or condition or an applied computation, counted from 0; -1 elsewhere
  int64_t depth = 0;       // 0 for the entry computation
  FrameKind kind = FrameKind::kEntry;
  int64_t branch = -1;  // number of the branch of a conditional; -1 elsewhere
  int64_t serial = 0;   // number among all frames that the run opened, from 0; the same whenever the run is repeated
};

// Where an execution is: "e::w[body 3]/body::c[branch 1]/talk::y" (docs/ops/control.md 7.4).
std::string ExecutionPath(const Module& module, absl::Span<const Frame> frames);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_ENGINE_FRAME_H_
