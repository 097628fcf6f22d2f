// SPDX-License-Identifier: Apache-2.0
// Going back to an earlier state of a run.
#ifndef HLOSCOPE_EVALUATOR_ENGINE_TIME_TRAVEL_H_
#define HLOSCOPE_EVALUATOR_ENGINE_TIME_TRAVEL_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "core/ir/module.h"
#include "evaluator/engine/frame.h"
#include "evaluator/tensor/value.h"

namespace hloscope::evaluator {

// A buffer of one of the processes of a run, while it lives.
struct BufferKey {
  int process = 0;
  uint64_t address = 0;
  friend bool operator==(const BufferKey&, const BufferKey&) = default;
  template <typename H>
  friend H AbslHashValue(H h, const BufferKey& key) {
    return H::combine(std::move(h), key.process, key.address);
  }
};

// All of a session that later steps depend on. Shares its values with the session: cheap to make and to keep, but for
// the memory of values that the session drops. Immutable: may be read from any thread, but only while the session
// lives.
class SessionSnapshot {
 public:
  virtual ~SessionSnapshot() = default;
  virtual int64_t position() const = 0;
  virtual int64_t opened_count() const = 0;  // frames opened so far: the serial of the next one
  virtual absl::Span<const Frame> frames() const = 0;
  // True if the frame's step `instruction` comes before the next one. Requires a frame of the instruction's
  // computation.
  virtual bool Executed(size_t frame, InstructionId instruction) const = 0;
  // As Inspection::ValueOf.
  virtual const Value* ValueOf(size_t frame, InstructionId instruction) const = 0;
  // The memory of its values; what several of them share may come several times.
  virtual void ForEachBuffer(absl::FunctionRef<void(const BufferKey& buffer, int64_t bytes)> visit) const = 0;
  // What the frames take, without the arrays of their values.
  virtual int64_t state_bytes() const = 0;
};

// The part of a session that saves its state and goes back to it.
//
// Not thread-safe: to be used between the commands of the session.
class TimeTravel {
 public:
  virtual ~TimeTravel() = default;

  // Also after a failure: then of the place before the instruction that failed.
  virtual std::shared_ptr<const SessionSnapshot> Save() = 0;
  // Requires a snapshot of this session. The observer, breakpoints and arguments stay.
  virtual void Restore(const SessionSnapshot& snapshot) = 0;
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_ENGINE_TIME_TRAVEL_H_
