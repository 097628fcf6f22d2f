// SPDX-License-Identifier: Apache-2.0
#include "evaluator/tensor/memory_charge.h"

#include "evaluator/tensor/arena.h"

namespace hloscope::evaluator {

absl::Status MemoryCharge::Resize(int64_t bytes) {
  if (bytes > bytes_) {
    if (absl::Status status = Arena::Global().Charge(bytes - bytes_, /*by_force=*/false); !status.ok()) return status;
    bytes_ = bytes;
  } else {
    Force(bytes);
  }
  return absl::OkStatus();
}

void MemoryCharge::Force(int64_t bytes) {
  if (bytes > bytes_) {
    Arena::Global().Charge(bytes - bytes_, /*by_force=*/true).IgnoreError();
  } else if (bytes < bytes_) {
    Arena::Global().Discharge(bytes_ - bytes);
  }
  bytes_ = bytes;
}

}  // namespace hloscope::evaluator
