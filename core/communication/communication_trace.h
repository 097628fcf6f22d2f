// SPDX-License-Identifier: Apache-2.0
// What one device does, in order, that others wait for, and where it waits for others: followed through calls, branches
// and loops as far as the text shows which way the device takes.
#ifndef HLOSCOPE_CORE_COMMUNICATION_COMMUNICATION_TRACE_H_
#define HLOSCOPE_CORE_COMMUNICATION_COMMUNICATION_TRACE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "core/communication/communication_plan.h"
#include "core/communication/device_values.h"
#include "core/ir/module.h"

namespace hloscope {

struct CommunicationEvent {
  // A post lets others go on; a wait needs the posts of all sources with its stream and execution. What a send-done
  // waits for, that its receivers are there, counts only where transfers have no buffers.
  enum class Kind : uint8_t { kPost, kWait, kWaitUnbuffered };
  Kind kind = Kind::kPost;
  InstructionId instruction;  // of a done: its start
  uint64_t stream = 0;
  int64_t execution = 0;  // from 1
  // Of a wait, and of a post in a group, whose members all wait for all; owned by the plan.
  const std::vector<int64_t>* sources = nullptr;
  bool is_group = false;
};

struct CommunicationTrace {
  std::vector<CommunicationEvent> events;
  // The first branch or loop whose way depends on the device and in which devices communicate; none if there is none.
  InstructionId parting;
  // A branch or loop that communicates goes a way that the text does not show, the same on all devices.
  bool has_open_ways = false;
};

// Where the text does not show the way of a branch or loop that is the same on all devices, `choice` decides: the
// number of the branch (the last one if there are fewer), and of a loop how often it runs, less one.
//
// Nothing if a way depends on the device and is not known, groups do not fit the grid, or `budget`, which is counted
// down, is used up.
std::optional<CommunicationTrace> TraceCommunication(const Module& module, DeviceDependence& dependence,
                                                     CommunicationPlan& plan, int64_t device, size_t choice,
                                                     int64_t* budget);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_COMMUNICATION_COMMUNICATION_TRACE_H_
