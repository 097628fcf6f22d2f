// SPDX-License-Identifier: Apache-2.0
#include "evaluator/devices/device_state.h"

namespace hloscope::evaluator {

void WriteWaiting(WireWriter& writer, const std::optional<DeviceLink::Waiting>& waiting) {
  writer.Int(waiting.has_value());
  if (!waiting.has_value()) return;
  writer.Int(static_cast<int64_t>(waiting->instruction.index()));
  writer.Int(waiting->execution);
  writer.Ints(waiting->sources);
  writer.Ints(waiting->missing);
}

std::optional<DeviceLink::Waiting> ReadWaiting(WireReader& reader) {
  if (reader.Int() == 0) return std::nullopt;
  DeviceLink::Waiting waiting;
  waiting.instruction = InstructionId(static_cast<size_t>(reader.Int()));
  waiting.execution = reader.Int();
  waiting.sources = reader.Ints();
  waiting.missing = reader.Ints();
  return waiting;
}

void WriteDeviceState(WireWriter& writer, const DeviceState& state) {
  writer.Int(state.device);
  writer.Int(state.finished);
  writer.Text(state.path);
  WriteWaiting(writer, state.waiting);
  writer.Int(static_cast<int64_t>(state.executions.size()));
  for (const auto& [instruction, count] : state.executions) {
    writer.Int(static_cast<int64_t>(instruction.index()));
    writer.Int(count);
  }
}

DeviceState ReadDeviceState(WireReader& reader) {
  DeviceState state;
  state.device = reader.Int();
  state.finished = reader.Int() != 0;
  state.path = reader.Text();
  state.waiting = ReadWaiting(reader);
  state.executions.resize(static_cast<size_t>(reader.Count(2 * sizeof(int64_t))));
  for (auto& [instruction, executions] : state.executions) {
    instruction = InstructionId(static_cast<size_t>(reader.Int()));
    executions = reader.Int();
  }
  return state;
}

}  // namespace hloscope::evaluator
