// SPDX-License-Identifier: Apache-2.0
// Where a device of a run is, and how processes tell each other.
#ifndef HLOSCOPE_EVALUATOR_DEVICES_DEVICE_STATE_H_
#define HLOSCOPE_EVALUATOR_DEVICES_DEVICE_STATE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "evaluator/devices/device_link.h"
#include "evaluator/devices/wire_format.h"

namespace hloscope::evaluator {

struct DeviceState {
  int64_t device = 0;
  bool finished = false;
  std::optional<DeviceLink::Waiting> waiting;
  std::string path;                                           // of the execution
  std::vector<std::pair<InstructionId, int64_t>> executions;  // how often it has begun each collective
};

void WriteDeviceState(WireWriter& writer, const DeviceState& state);
DeviceState ReadDeviceState(WireReader& reader);

void WriteWaiting(WireWriter& writer, const std::optional<DeviceLink::Waiting>& waiting);
std::optional<DeviceLink::Waiting> ReadWaiting(WireReader& reader);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_DEVICES_DEVICE_STATE_H_
