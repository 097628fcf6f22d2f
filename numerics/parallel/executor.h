// SPDX-License-Identifier: Apache-2.0
// Who runs loops: where they find threads, and learn that they are to end.
#ifndef HLOSCOPE_NUMERICS_PARALLEL_EXECUTOR_H_
#define HLOSCOPE_NUMERICS_PARALLEL_EXECUTOR_H_

#include <cstdint>

#include "numerics/parallel/function_ref.h"

namespace hloscope::numerics {

// How a loop ended. What it was to write is defined only if it is ok().
class [[nodiscard]] Outcome {
 public:
  enum Kind : uint8_t { kDone, kCancelled, kNoMemory };
  constexpr Outcome(Kind kind = kDone) : kind_(kind) {}  // NOLINT: meant to convert

  constexpr bool ok() const { return kind_ == kDone; }
  constexpr Kind kind() const { return kind_; }
  // For loops that cannot fail, and for those whose failure shows elsewhere.
  constexpr void Ignore() const {}

 private:
  Kind kind_;
};

class Executor {
 public:
  virtual ~Executor() = default;

  // Splits [0, count) into blocks of at least `grain`, but for the last one of each thread, and runs them on all
  // threads; returns after the last one. Inside of such a loop, further ones stay in their thread.
  virtual void ParallelFor(int64_t count, int64_t grain, FunctionRef<void(int64_t begin, int64_t end)> body) = 0;
  // True once loops are to end early. They ask at least every few milliseconds of work; any of their threads may.
  virtual bool IsCancelled() = 0;

  Outcome CheckCancelled() { return IsCancelled() ? Outcome::kCancelled : Outcome::kDone; }
};

}  // namespace hloscope::numerics

#endif  // HLOSCOPE_NUMERICS_PARALLEL_EXECUTOR_H_
