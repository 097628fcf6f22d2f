// SPDX-License-Identifier: Apache-2.0
// What the process that moves all devices of a run and those that have them say to each other (RankGroup::Ask).
#ifndef HLOSCOPE_EVALUATOR_REMOTE_SESSION_MESSAGES_H_
#define HLOSCOPE_EVALUATOR_REMOTE_SESSION_MESSAGES_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "evaluator/devices/device_state.h"
#include "evaluator/devices/rank_group.h"
#include "evaluator/devices/wire_format.h"
#include "evaluator/engine/device_run.h"

namespace hloscope::evaluator {

// A question begins with one of these. Those after kRestart go on with the number of a device of the process asked.
enum class DeviceQuestion : int64_t {
  kSave,        // -> number of the snapshot, SnapshotDevice of each device of the process
  kRestore,     // number -> SessionState of each device
  kRelease,     // numbers of snapshots that nobody needs any more
  kRestart,     // -> SessionState of each device
  kBegin,       // -> SessionState; so the next ones
  kRunUntil,    // StopWhen -> whether the device got on, SessionState
  kSkip,        // the value -> status, SessionState
  kSetValue,    // frame, instruction, the value -> status, SessionState
  kEnter,       // AppliedPlan -> status, SessionState
  kSaveOne,     // -> number, SnapshotDevice of the device alone
  kRestoreOne,  // number -> SessionState
  kKeepValues,  // whether
  kDropUnneeded,
  kSetArgument,       // number, the value -> status
  kBreakpoints,       // instructions
  kStepAtOrAfter,     // instruction -> instruction
  kObserve,           // whether, frames, operands, a byte for each instruction
  kValueOf,           // frame, instruction -> the value, if it is there
  kIsUnread,          // frame, instruction -> whether
  kGivenValue,        // instruction -> status, the value
  kResult,            // -> the value
  kStatistics,        // -> counts
  kNonFinite,         // -> whether, the report
  kState,             // -> DeviceState
  kSnapshotValueOf,   // number, frame, instruction -> the value, if it is there
  kSnapshotExecuted,  // number, frame, instruction -> whether
};

// What the others ask while a device runs. Each begins with the number of the device and its SessionState, but for
// kEnough.
enum class DeviceEvent : int64_t {
  kOpened,    // arguments
  kComplete,  // instruction, the value -> whether to stop
  kKernel,    // instruction, the value and the operands -> whether to stop
  kEnough,    // -> StopWhen::enough
};

// What is known of a session between its commands.
struct SessionState {
  StopReason reason = StopReason::kNotStarted;
  absl::Status status;
  InstructionId failed_instruction, last_executed;
  bool at_limit = false;
  int64_t position = 0, executed_count = 0;
  std::vector<Frame> frames;
  std::optional<DeviceLink::Waiting> waiting;
};

// What is known of a device in a snapshot.
struct SnapshotDevice {
  int64_t position = 0, opened_count = 0, state_bytes = 0;
  std::vector<Frame> frames;
  std::vector<std::pair<BufferKey, int64_t>> buffers;  // with their sizes
};

void WriteInstruction(WireWriter& writer, InstructionId id);
InstructionId ReadInstruction(WireReader& reader);
void WriteStatus(WireWriter& writer, const absl::Status& status);
absl::Status ReadStatus(WireReader& reader);
void WriteState(WireWriter& writer, const DeviceRun& run, int64_t device);
SessionState ReadState(WireReader& reader);
// `process` is that of the buffers.
void WriteSnapshotDevice(WireWriter& writer, const SessionSnapshot& snapshot, int process);
SnapshotDevice ReadSnapshotDevice(WireReader& reader);
// All but `enough`.
void WriteStopWhen(WireWriter& writer, const StopWhen& when);
StopWhen ReadStopWhen(WireReader& reader);
void WritePlan(PeerMessage& message, const AppliedPlan& plan);
std::shared_ptr<AppliedPlan> ReadPlan(WireReader& reader, std::vector<Value>& values);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_REMOTE_SESSION_MESSAGES_H_
