// SPDX-License-Identifier: Apache-2.0
// Memory of other things than tensors that counts toward the limit of a run.
#ifndef HLOSCOPE_EVALUATOR_TENSOR_MEMORY_CHARGE_H_
#define HLOSCOPE_EVALUATOR_TENSOR_MEMORY_CHARGE_H_

#include <cstdint>

#include "absl/status/status.h"

namespace hloscope::evaluator {

// As many bytes as it says count as live for as long as it lives.
class MemoryCharge {
 public:
  MemoryCharge() = default;
  explicit MemoryCharge(int64_t bytes) { Force(bytes); }
  ~MemoryCharge() { Force(0); }
  MemoryCharge(const MemoryCharge&) = delete;
  MemoryCharge& operator=(const MemoryCharge&) = delete;

  int64_t bytes() const { return bytes_; }
  // Counts so many bytes instead. Errors: ResourceExhausted beyond the limit; then it counts what it did before.
  absl::Status Resize(int64_t bytes);
  // The same for memory that is there already.
  void Force(int64_t bytes);

 private:
  int64_t bytes_ = 0;
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_TENSOR_MEMORY_CHARGE_H_
