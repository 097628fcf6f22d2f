// SPDX-License-Identifier: Apache-2.0
// Memory that values share is counted once.
#ifndef HLOSCOPE_EVALUATOR_DEBUGGER_VALUE_BUFFERS_H_
#define HLOSCOPE_EVALUATOR_DEBUGGER_VALUE_BUFFERS_H_

#include <cstdint>

#include "absl/container/flat_hash_set.h"
#include "evaluator/tensor/value.h"

namespace hloscope::evaluator {

using BufferSet = absl::flat_hash_set<const Buffer*>;

// Adds the buffers of a value to the set; returns the bytes of those that were not in it.
inline int64_t AddBuffers(const Value& value, BufferSet& buffers) {
  int64_t bytes = 0;
  value.ForEachTensor([&](const Tensor& tensor) {
    if (tensor.has_buffer() && buffers.insert(tensor.buffer().get()).second) bytes += tensor.buffer()->size();
  });
  return bytes;
}

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_DEBUGGER_VALUE_BUFFERS_H_
