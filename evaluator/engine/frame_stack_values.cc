// SPDX-License-Identifier: Apache-2.0
// Looking at the values of frames, changing them, and keeping all of them for later.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "evaluator/engine/frame_stack.h"

namespace hloscope::evaluator {

int64_t FrameStack::ChargedAtOnce() const {
  constexpr int64_t kBytes = 1 << 18;
  return kBytes / std::max<int64_t>(1, runtime_.grid().device_count());
}

FrameStack::Snapshot FrameStack::Save() const {
  Snapshot snapshot{frames_, {}, result_, finished_, position_, opened_count_};
  for (size_t i = 0; i < frames_.size(); ++i) {
    const State& state = states_[i];
    StateSnapshot& saved = snapshot.states.emplace_back();
    static_cast<Progress&>(saved) = state;
    for (size_t k = 0; k < state.values.size(); ++k) {
      if (state.values[k].has_value()) saved.values.emplace_back(static_cast<uint32_t>(k), state.values[k]);
    }
  }
  return snapshot;
}

void FrameStack::Restore(const Snapshot& snapshot) {
  frames_ = snapshot.frames;
  states_.clear();
  states_.resize(frames_.size());
  frame_bytes_ = 0;
  settled_frames_ = 0;
  for (size_t i = 0; i < frames_.size(); ++i) {
    const StateSnapshot& saved = snapshot.states[i];
    State& state = states_[i];
    static_cast<Progress&>(state) = saved;
    state.values.resize(saved.schedule->uses.size());
    for (const auto& [index, value] : saved.values) state.values[index] = value;
    state.has_unread = true;
    state.remaining_uses = saved.schedule->uses;
    frame_bytes_ += BytesOf(state.values.size(), state.remaining_uses.size());
    for (size_t step = 0; step < saved.next; ++step) {
      for (InstructionId operand : runtime_.module().operands(saved.schedule->steps[step])) {
        --state.remaining_uses[runtime_.schedules().LocalIndex(operand)];
      }
    }
    for (InstructionId waiting : saved.deferred) {
      for (InstructionId operand : runtime_.module().operands(waiting)) {
        ++state.remaining_uses[runtime_.schedules().LocalIndex(operand)];
      }
    }
  }
  charge_.Force(frame_bytes_ < ChargedAtOnce() ? 0 : frame_bytes_);
  result_ = snapshot.result;
  finished_ = snapshot.finished;
  position_ = snapshot.position;
  opened_count_ = snapshot.opened_count;
  stop_requested_ = false;
  failed_instruction_ = InstructionId();
}

absl::Status FrameStack::SetValue(size_t frame, InstructionId instruction, Value value) {
  const Module& module = runtime_.module();
  if (frame >= frames_.size() || instruction.index() >= module.instruction_count() ||
      module.instruction(instruction).computation != frames_[frame].computation) {
    return absl::InvalidArgumentError("the instruction is not part of the frame");
  }
  if (!ValueFits(value, module.shape(instruction))) {
    return absl::InvalidArgumentError(absl::StrCat(module.InstructionName(instruction), " has shape ",
                                                   module.shape(instruction).ToString(false), ", the value has shape ",
                                                   ShapeOf(value).ToString(false)));
  }
  const uint32_t step = states_[frame].schedule->step_of[runtime_.schedules().LocalIndex(instruction)];
  if (step != ComputationSchedule::kNoStep && step >= states_[frame].next) {
    return absl::FailedPreconditionError(
        absl::StrCat(module.InstructionName(instruction), " has not been executed yet in this frame"));
  }
  states_[frame].values[runtime_.schedules().LocalIndex(instruction)] = std::move(value);
  return absl::OkStatus();
}

void FrameStack::DropUnneeded() {
  for (size_t i = 0; i < frames_.size(); ++i) DropUnneeded(states_[i]);
}

void FrameStack::DropUnneeded(State& state) {
  for (size_t k = 0; k < state.values.size(); ++k) {
    if (state.remaining_uses[k] == 0) state.values[k] = Value();
  }
}

const Value* FrameStack::ValueOf(size_t frame, InstructionId instruction) const {
  const Module& module = runtime_.module();
  if (frame >= frames_.size() || instruction.index() >= module.instruction_count()) return nullptr;
  if (module.instruction(instruction).computation != frames_[frame].computation) return nullptr;
  const Value& value = states_[frame].values[runtime_.schedules().LocalIndex(instruction)];
  return value.has_value() ? &value : nullptr;
}

InstructionId FrameStack::last_executed() const {
  for (size_t i = frames_.size(); i-- > 0;) {
    if (states_[i].next > 0) return states_[i].schedule->steps[states_[i].next - 1];
    // A frame that was just entered: what came before it is in its caller's, unless that has opened others before.
    if (frames_[i].kind == FrameKind::kBody || frames_[i].iteration > 0) break;
  }
  return InstructionId();
}

bool FrameStack::IsUnread(size_t frame, InstructionId instruction) const {
  const Module& module = runtime_.module();
  if (frame >= frames_.size() || instruction.index() >= module.instruction_count()) return false;
  if (module.instruction(instruction).computation != frames_[frame].computation) return false;
  const State& read = states_[frame];
  const uint32_t index = runtime_.schedules().LocalIndex(instruction);
  // What nothing needs any more was dropped.
  if (read.values[index].has_value() || (!keep_values_ && read.remaining_uses[index] == 0)) return false;
  if (module.opcode(instruction) == Opcode::kParameter) return frame == 0 && make_argument_ != nullptr;
  return runtime_.IsMadeUp(instruction);
}

absl::Status FrameStack::MakeUnread(size_t frame, InstructionId instruction) {
  if (!IsUnread(frame, instruction)) return absl::OkStatus();
  const Module& module = runtime_.module();
  const bool is_argument = module.opcode(instruction) == Opcode::kParameter;
  absl::StatusOr<Value> value =
      is_argument ? make_argument_(static_cast<size_t>(module.instruction(instruction).parameter_number))
                  : runtime_.ConstantValue(instruction);
  if (!value.ok()) return value.status();
  states_[frame].values[runtime_.schedules().LocalIndex(instruction)] = *std::move(value);
  return absl::OkStatus();
}

}  // namespace hloscope::evaluator
