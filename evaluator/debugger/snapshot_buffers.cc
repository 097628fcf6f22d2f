// SPDX-License-Identifier: Apache-2.0
#include "evaluator/debugger/snapshot_buffers.h"

#include "absl/functional/function_ref.h"
#include "evaluator/debugger/value_buffers.h"

namespace hloscope::evaluator {
namespace {

// Calls `visit` with each buffer that is not in the set, and adds it.
void ForEachBuffer(const DeviceRun::Snapshot& snapshot, BufferSet& seen, absl::FunctionRef<void(const Buffer&)> visit) {
  for (const DeviceRun::Snapshot::DeviceState& device : snapshot.devices) {
    device.session->ForEachValue([&](const Value& value) {
      value.ForEachTensor([&](const Tensor& tensor) {
        if (tensor.has_buffer() && seen.insert(tensor.buffer().get()).second) visit(*tensor.buffer());
      });
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
  BufferSet seen;
  ForEachBuffer(snapshot, seen, [this](const Buffer& buffer) {
    if (++counts_[&buffer] == 1) bytes_ += buffer.size();
  });
  bytes_ += FrameBytes(snapshot);
}

void SnapshotBuffers::Remove(const DeviceRun::Snapshot& snapshot) {
  BufferSet seen;
  ForEachBuffer(snapshot, seen, [this](const Buffer& buffer) {
    const auto found = counts_.find(&buffer);
    if (--found->second > 0) return;
    counts_.erase(found);
    bytes_ -= buffer.size();
  });
  bytes_ -= FrameBytes(snapshot);
}

void SnapshotBuffers::Clear() {
  counts_.clear();
  bytes_ = 0;
}

int64_t SnapshotBuffers::BytesBeside(absl::Span<const DeviceRun::Snapshot* const> others) const {
  BufferSet seen;
  int64_t bytes = bytes_;
  for (const DeviceRun::Snapshot* snapshot : others) {
    ForEachBuffer(*snapshot, seen, [&bytes](const Buffer& buffer) { bytes -= buffer.size(); });
    bytes -= FrameBytes(*snapshot);
  }
  return bytes;
}

int64_t SnapshotBuffers::BytesOfOnly(const DeviceRun::Snapshot& snapshot) const {
  BufferSet seen;
  int64_t bytes = FrameBytes(snapshot);
  ForEachBuffer(snapshot, seen, [&](const Buffer& buffer) {
    if (counts_.at(&buffer) == 1) bytes += buffer.size();
  });
  return bytes;
}

}  // namespace hloscope::evaluator
