// SPDX-License-Identifier: Apache-2.0
#include "evaluator/remote/session_messages.h"

#include <algorithm>

namespace hloscope::evaluator {
namespace {

constexpr int64_t kFrameInts = 8;

template <typename Tag>
void WriteId(WireWriter& writer, Id<Tag> id) {
  writer.Int(id.has_value() ? static_cast<int64_t>(id.index()) : -1);
}

template <typename Tag>
Id<Tag> ReadId(WireReader& reader) {
  const int64_t index = reader.Int();
  return index < 0 ? Id<Tag>() : Id<Tag>(static_cast<size_t>(index));
}

void WriteFrames(WireWriter& writer, absl::Span<const Frame> frames) {
  writer.Int(static_cast<int64_t>(frames.size()));
  for (const Frame& frame : frames) {
    WriteId(writer, frame.computation);
    WriteId(writer, frame.caller);
    WriteId(writer, frame.current);
    writer.Int(frame.iteration);
    writer.Int(frame.depth);
    writer.Int(static_cast<int64_t>(frame.kind));
    writer.Int(frame.branch);
    writer.Int(frame.serial);
  }
}

std::vector<Frame> ReadFrames(WireReader& reader) {
  std::vector<Frame> frames(static_cast<size_t>(reader.Count(kFrameInts * sizeof(int64_t))));
  for (Frame& frame : frames) {
    frame.computation = ReadId<ComputationTag>(reader);
    frame.caller = ReadId<InstructionTag>(reader);
    frame.current = ReadId<InstructionTag>(reader);
    frame.iteration = reader.Int();
    frame.depth = reader.Int();
    frame.kind = static_cast<FrameKind>(reader.Int());
    frame.branch = reader.Int();
    frame.serial = reader.Int();
  }
  return frames;
}

}  // namespace

void WriteInstruction(WireWriter& writer, InstructionId id) { WriteId(writer, id); }

InstructionId ReadInstruction(WireReader& reader) { return ReadId<InstructionTag>(reader); }

void WriteStatus(WireWriter& writer, const absl::Status& status) {
  writer.Int(static_cast<int64_t>(status.code()));
  writer.Text(status.message());
}

absl::Status ReadStatus(WireReader& reader) {
  const auto code = static_cast<absl::StatusCode>(reader.Int());
  return absl::Status(code, reader.Text());
}

void WriteState(WireWriter& writer, const DeviceRun& run, int64_t device) {
  const Session& session = run.device(device);
  writer.Int(static_cast<int64_t>(session.stop_reason()));
  WriteStatus(writer, session.status());
  WriteInstruction(writer, session.failed_instruction());
  WriteInstruction(writer, session.inspection().last_executed());
  writer.Int(session.AtLimit());
  writer.Int(session.position());
  writer.Int(session.inspection().executed_count());
  WriteFrames(writer, session.inspection().frames());
  WriteWaiting(writer, run.waiting(device));
}

SessionState ReadState(WireReader& reader) {
  SessionState state;
  state.reason = static_cast<StopReason>(reader.Int());
  state.status = ReadStatus(reader);
  state.failed_instruction = ReadInstruction(reader);
  state.last_executed = ReadInstruction(reader);
  state.at_limit = reader.Int() != 0;
  state.position = reader.Int();
  state.executed_count = reader.Int();
  state.frames = ReadFrames(reader);
  state.waiting = ReadWaiting(reader);
  return state;
}

void WriteSnapshotDevice(WireWriter& writer, const SessionSnapshot& snapshot, int process) {
  writer.Int(snapshot.position());
  writer.Int(snapshot.opened_count());
  writer.Int(snapshot.state_bytes());
  WriteFrames(writer, snapshot.frames());
  std::vector<int64_t> buffers;
  snapshot.ForEachBuffer([&](const BufferKey& buffer, int64_t bytes) {
    buffers.insert(buffers.end(), {process, static_cast<int64_t>(buffer.address), bytes});
  });
  writer.Ints(buffers);
}

SnapshotDevice ReadSnapshotDevice(WireReader& reader) {
  SnapshotDevice device;
  device.position = reader.Int();
  device.opened_count = reader.Int();
  device.state_bytes = reader.Int();
  device.frames = ReadFrames(reader);
  const std::vector<int64_t> buffers = reader.Ints();
  for (size_t i = 0; i + 2 < buffers.size(); i += 3) {
    device.buffers.push_back({{static_cast<int>(buffers[i]), static_cast<uint64_t>(buffers[i + 1])}, buffers[i + 2]});
  }
  return device;
}

void WriteStopWhen(WireWriter& writer, const StopWhen& when) {
  writer.Int(when.position);
  writer.Int(static_cast<int64_t>(when.frames));
  WriteInstruction(writer, when.instruction);
}

StopWhen ReadStopWhen(WireReader& reader) {
  StopWhen when;
  when.position = reader.Int();
  when.frames = static_cast<size_t>(reader.Int());
  when.instruction = ReadInstruction(reader);
  return when;
}

void WritePlan(PeerMessage& message, const AppliedPlan& plan) {
  const auto add = [&message](const std::vector<Value>& values) {
    message.words.Int(static_cast<int64_t>(values.size()));
    message.values.insert(message.values.end(), values.begin(), values.end());
  };
  message.words.Int(static_cast<int64_t>(plan.applications.size()));
  for (const AppliedPlan::Application& application : plan.applications) {
    WriteId(message.words, application.computation);
    message.words.Int(application.accumulates);
    add(application.arguments);
  }
  add(plan.initial);
}

std::shared_ptr<AppliedPlan> ReadPlan(WireReader& reader, std::vector<Value>& values) {
  auto plan = std::make_shared<AppliedPlan>();
  auto next = values.begin();
  const auto take = [&](std::vector<Value>& list) {
    const int64_t count = std::clamp<int64_t>(reader.Int(), 0, values.end() - next);
    list.assign(next, next + count);
    next += count;
  };
  plan->applications.resize(static_cast<size_t>(reader.Count(3 * sizeof(int64_t))));
  for (AppliedPlan::Application& application : plan->applications) {
    application.computation = ReadId<ComputationTag>(reader);
    application.accumulates = reader.Int() != 0;
    take(application.arguments);
  }
  take(plan->initial);
  return plan;
}

}  // namespace hloscope::evaluator
