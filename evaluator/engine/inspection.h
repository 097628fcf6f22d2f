// SPDX-License-Identifier: Apache-2.0
// Looking at a run.
#ifndef HLOSCOPE_EVALUATOR_ENGINE_INSPECTION_H_
#define HLOSCOPE_EVALUATOR_ENGINE_INSPECTION_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "core/ir/module.h"
#include "evaluator/engine/frame.h"
#include "evaluator/tensor/value.h"

namespace hloscope::evaluator {

// The first instruction whose result holds a NaN although no operand does, or an infinity although no operand does.
// Constants and parameters are given, not made, and never reported.
struct NonFiniteReport {
  InstructionId instruction;
  bool is_nan = false;  // else an infinity
  std::string path;
  std::vector<Value> operands;
  Value result;
};

// What one instruction cost so far.
struct InstructionStatistics {
  int64_t runs = 0;
  double seconds = 0;        // without the instructions of called frames
  int64_t output_bytes = 0;  // of all runs
};

// The part of a session that shows where it is and what it has computed. Changes nothing.
//
// Not thread-safe: to be used between the commands of the session, or in its ExecutionObserver. What it returns by
// reference or in a span holds until the next command; a Value may be copied (which copies no elements) and kept.
class Inspection {
 public:
  virtual ~Inspection() = default;

  // Empty before the first command.
  virtual absl::Span<const Frame> frames() const = 0;
  // The value of an instruction in a frame; null if it was not executed yet, was dropped or is unread. Small values
  // that are unread are made.
  virtual const Value* ValueOf(size_t frame, InstructionId instruction) const = 0;
  // Whether it is a parameter or a constant of the frame whose value is made when something reads it, and nothing has.
  virtual bool IsUnread(size_t frame, InstructionId instruction) const = 0;
  // The instruction whose step was the last one in the frames that are open: of a call that has returned, the caller.
  // None before the first step, and where an iteration of a loop begins.
  virtual InstructionId last_executed() const = 0;
  // Instructions executed so far.
  virtual int64_t executed_count() const = 0;
  // By instruction id; empty unless SessionOptions::collect_statistics.
  virtual absl::Span<const InstructionStatistics> statistics() const = 0;
  // Requires find_non_finite or stop_at_non_finite; nothing if there was none so far.
  virtual const std::optional<NonFiniteReport>& non_finite() const = 0;
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_ENGINE_INSPECTION_H_
