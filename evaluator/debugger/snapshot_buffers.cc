// SPDX-License-Identifier: Apache-2.0
#include "evaluator/debugger/snapshot_buffers.h"

#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"

namespace hloscope::evaluator {
namespace {

using SeenBuffers = absl::flat_hash_set<BufferKey>;

// Calls `visit` with each buffer that is not in the set, and adds it.
void ForEachBuffer(const DeviceRun::Snapshot& snapshot, SeenBuffers& seen,
                   absl::FunctionRef<void(const BufferKey& buffer, int64_t bytes)> visit) {
  for (const DeviceRun::Snapshot::DeviceState& device : snapshot.devices) {
    device.session->ForEachBuffer([&](const BufferKey& buffer, int64_t bytes) {
      if (seen.insert(buffer).second) visit(buffer, bytes);
    });
  }
}

int64_t FrameBytes(const DeviceRun::Snapshot& snapshot) {
  int64_t bytes = 0;
  for (const DeviceRun::Snapshot::DeviceState& device : snapshot.devices) bytes += device.session->state_bytes();
  return bytes;
}

}  // namespace

void SnapshotBuffers::Add(const DeviceRun::Snapshot& snapshot) {
  SeenBuffers seen;
  ForEachBuffer(snapshot, seen, [this](const BufferKey& buffer, int64_t bytes) {
    if (++counts_[buffer] == 1) bytes_ += bytes;
  });
  bytes_ += FrameBytes(snapshot);
}

void SnapshotBuffers::Remove(const DeviceRun::Snapshot& snapshot) {
  SeenBuffers seen;
  ForEachBuffer(snapshot, seen, [this](const BufferKey& buffer, int64_t bytes) {
    const auto found = counts_.find(buffer);
    if (--found->second > 0) return;
    counts_.erase(found);
    bytes_ -= bytes;
  });
  bytes_ -= FrameBytes(snapshot);
}

void SnapshotBuffers::Clear() {
  counts_.clear();
  bytes_ = 0;
}

int64_t SnapshotBuffers::BytesBeside(absl::Span<const DeviceRun::Snapshot* const> others) const {
  SeenBuffers seen;
  int64_t bytes = bytes_;
  for (const DeviceRun::Snapshot* snapshot : others) {
    ForEachBuffer(*snapshot, seen, [&bytes](const BufferKey&, int64_t size) { bytes -= size; });
    bytes -= FrameBytes(*snapshot);
  }
  return bytes;
}

int64_t SnapshotBuffers::BytesOfOnly(const DeviceRun::Snapshot& snapshot) const {
  SeenBuffers seen;
  int64_t bytes = FrameBytes(snapshot);
  ForEachBuffer(snapshot, seen, [&](const BufferKey& buffer, int64_t size) {
    if (counts_.at(buffer) == 1) bytes += size;
  });
  return bytes;
}

}  // namespace hloscope::evaluator
