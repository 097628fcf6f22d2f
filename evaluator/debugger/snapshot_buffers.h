// SPDX-License-Identifier: Apache-2.0
// What snapshots of a run keep alive together, and what each keeps that no other does.
#ifndef HLOSCOPE_EVALUATOR_DEBUGGER_SNAPSHOT_BUFFERS_H_
#define HLOSCOPE_EVALUATOR_DEBUGGER_SNAPSHOT_BUFFERS_H_

#include <cstdint>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "evaluator/engine/device_run.h"

namespace hloscope::evaluator {

class SnapshotBuffers {
 public:
  void Add(const DeviceRun::Snapshot& snapshot);
  void Remove(const DeviceRun::Snapshot& snapshot);  // that was added and still lives
  void Clear();

  // Of arrays that several keep once, and of the frames of each.
  int64_t bytes() const { return bytes_; }
  // Without what `others`, which were added too, keep.
  int64_t BytesBeside(absl::Span<const DeviceRun::Snapshot* const> others) const;
  // What would be free if this one, which was added, were not there.
  int64_t BytesOfOnly(const DeviceRun::Snapshot& snapshot) const;

 private:
  absl::flat_hash_map<BufferKey, int64_t> counts_;  // of snapshots that keep it
  int64_t bytes_ = 0;
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_DEBUGGER_SNAPSHOT_BUFFERS_H_
