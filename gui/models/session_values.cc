// SPDX-License-Identifier: Apache-2.0
// SessionController: the values of the run, what is known of them, and those that are made again to be looked at.
#include <algorithm>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "evaluator/debugger/timeline.h"
#include "gui/models/run_health.h"
#include "gui/models/session_controller.h"
#include "gui/models/text.h"
#include "gui/models/visible_graph.h"

namespace hloscope::gui {
namespace {

// Literals up to this size are turned into a value when they are looked at.
constexpr int64_t kMaxConstantBytes = int64_t{64} << 20;
// Arguments up to this size are made while the user waits for them; larger ones when the run reads them.
constexpr int64_t kMaxMadeBytes = int64_t{256} << 20;
// What values that were made again may take, the latest one aside.
constexpr int64_t kMaxRecalledBytes = int64_t{256} << 20;
// Such values are searched for NaNs up to this size, as at a stop.
constexpr int64_t kMaxSearchedBytes = int64_t{512} << 20;

bool CanBeNonFinite(const Shape& shape) {
  if (shape.IsTuple()) return std::any_of(shape.elements().begin(), shape.elements().end(), CanBeNonFinite);
  return shape.IsArray() && (IsFloat(shape.element_type()) || IsComplex(shape.element_type()));
}

}  // namespace

evaluator::Value SessionController::ValueOf(InstructionId instruction) const {
  if (module_ == nullptr || !instruction.has_value()) return evaluator::Value();
  if (!busy() && execution() != nullptr) {
    if (const evaluator::Value* value = Computed(instruction)) return *value;
    for (const RecalledValue& recalled : recalled_) {
      if (recalled.instruction == instruction) return recalled.value;
    }
    const bool is_result = instruction == module_->computation(module_->entry()).root;
    if (is_result && execution()->finished()) return execution()->result();
    const int frame = FrameOf(module_->instruction(instruction).computation);
    if (frame >= 0 && inspection()->IsUnread(static_cast<size_t>(frame), instruction) &&
        module_->shape(instruction).ByteSize() <= kMaxMadeBytes) {
      const absl::StatusOr<evaluator::Value> made =
          run_->debugger->timeline().ValueOf(device_, static_cast<size_t>(frame), instruction);
      return made.ok() ? *made : evaluator::Value();
    }
  }
  const bool readable = module_->opcode(instruction) == Opcode::kConstant &&
                        module_->instruction(instruction).literal.has_value() &&
                        module_->shape(instruction).ByteSize() <= kMaxConstantBytes;
  if (!readable) return evaluator::Value();
  absl::StatusOr<evaluator::Value> value = evaluator::Value::FromLiteral(module_->literal(instruction));
  return value.ok() ? *std::move(value) : evaluator::Value();
}

ValueState SessionController::StateOf(InstructionId instruction) const {
  const bool is_running = busy() && !asking_;
  if (is_running || !instruction.has_value() || instruction.index() >= value_states_.size()) return ValueState::kNone;
  return value_states_[instruction.index()];
}

bool SessionController::IsExecuted(InstructionId instruction) const {
  if (!value_states_.empty()) return StateOf(instruction) != ValueState::kNone;
  return !busy() && Computed(instruction) != nullptr;
}

bool SessionController::IsDropped(InstructionId instruction) const {
  return StateOf(instruction) == ValueState::kDropped;
}

bool SessionController::IsDroppedUnseen(InstructionId instruction) const {
  return IsDropped(instruction) && KnownHealth(instruction) == nullptr && CanBeNonFinite(module_->shape(instruction));
}

void SessionController::Recall(InstructionId instruction) {
  if (wanted_ == instruction && recalling_ == instruction) return;
  wanted_ = instruction;
  // Later: what reacts to a stop may still choose something else to show.
  QMetaObject::invokeMethod(this, &SessionController::StartRecall, Qt::QueuedConnection);
}

void SessionController::StartRecall() {
  if (recalling_.has_value()) {
    if (recalling_ != wanted_) Pause();
    return;
  }
  if (!IsDropped(wanted_) || busy()) return;
  const InstructionId instruction = wanted_;
  const auto is_wanted = [&](const RecalledValue& recalled) { return recalled.instruction == instruction; };
  if (std::any_of(recalled_.begin(), recalled_.end(), is_wanted)) return;
  const auto frame = static_cast<size_t>(FrameOf(module_->instruction(instruction).computation));
  recalling_ = instruction;
  const bool asked = Ask([this, device = device_, frame, serial = frames_[frame].serial,
                          instruction](evaluator::Debugger& debugger) -> Answer {
    absl::StatusOr<evaluator::Value> value = debugger.timeline().ValueOf(device, frame, instruction);
    std::optional<evaluator::NonFinite> health;
    if (value.ok() && debugger.module().shape(instruction).ByteSize() <= kMaxSearchedBytes) {
      health = evaluator::FindNonFinite(*value);
    }
    return [this, instruction, serial, value = std::move(value), health] {
      FinishRecall(instruction, serial, value, health.has_value() ? &*health : nullptr);
    };
  });
  if (!asked) recalling_ = InstructionId();
}

void SessionController::FinishRecall(InstructionId instruction, int64_t frame,
                                     const absl::StatusOr<evaluator::Value>& value,
                                     const evaluator::NonFinite* health) {
  recalling_ = InstructionId();
  QString problem;
  if (value.ok()) {
    recalled_.push_back({instruction, *value});
    int64_t bytes = 0;
    for (const RecalledValue& recalled : recalled_) bytes += module_->shape(recalled.instruction).ByteSize();
    while (recalled_.size() > 1 && bytes > kMaxRecalledBytes) {
      bytes -= module_->shape(recalled_.front().instruction).ByteSize();
      recalled_.pop_front();
    }
    if (health != nullptr && large_health_.try_emplace({frame, instruction}, *health).second) Q_EMIT HealthChanged();
  } else if (absl::IsCancelled(value.status())) {
    problem = tr("Computing %1 again was interrupted.").arg(ToQString(module_->InstructionName(instruction)));
  } else {
    problem = tr("Computing it again failed: %1").arg(ToQString(value.status().message()));
  }
  const bool is_wanted = wanted_ == instruction;
  if (is_wanted) wanted_ = InstructionId();
  Q_EMIT Recalled(instruction, problem);
  if (!is_wanted) StartRecall();
}

evaluator::NonFinite SessionController::HealthOf(InstructionId instruction) const {
  // What the text gives is meant: minus infinity as the beginning of a maximum is no mistake.
  if (!instruction.has_value() || module_ == nullptr || IsConstantLike(*module_, instruction)) return {};
  return FoundIn(instruction);
}

evaluator::NonFinite SessionController::WrittenHealthOf(InstructionId instruction) const {
  if (!instruction.has_value() || module_ == nullptr || !IsConstantLike(*module_, instruction)) return {};
  return FoundIn(instruction);
}

evaluator::NonFinite SessionController::FoundIn(InstructionId instruction) const {
  const evaluator::NonFinite* known = KnownHealth(instruction);
  return known != nullptr ? *known : evaluator::NonFinite();
}

const evaluator::NonFinite* SessionController::KnownHealth(InstructionId instruction) const {
  // What was found before the run was taken back is still known, but nothing that is there.
  if (run_ == nullptr || !IsExecuted(instruction)) return nullptr;
  const int frame = FrameOf(module_->instruction(instruction).computation);
  if (frame < 0) return nullptr;
  const std::pair<int64_t, InstructionId> key{frames_[static_cast<size_t>(frame)].serial, instruction};
  const auto found = run_->health.find(key);
  if (found != run_->health.end()) return &found->second;
  const auto large = large_health_.find(key);
  return large != large_health_.end() ? &large->second : nullptr;
}

evaluator::NonFinite SessionController::HealthInRun(InstructionId instruction) const {
  if (busy() || health_of_run_.empty() || !instruction.has_value()) return HealthOf(instruction);
  return IsConstantLike(*module_, instruction) ? evaluator::NonFinite() : health_of_run_[instruction.index()];
}

bool SessionController::AskHealthOfRun() {
  if (!health_of_run_.empty()) return false;
  return Ask([this](evaluator::Debugger& debugger) -> Answer {
    absl::StatusOr<std::vector<evaluator::NonFinite>> health = HealthOfRun(debugger);
    // Whoever has cancelled it does not want to be asked again.
    if (!health.ok()) return {};
    return [this, known = *std::move(health)] {
      health_of_run_ = known;
      Q_EMIT HealthChanged();
    };
  });
}

const evaluator::Value* SessionController::Computed(InstructionId instruction) const {
  if (inspection() == nullptr || !instruction.has_value()) return nullptr;
  const int frame = FrameOf(module_->instruction(instruction).computation);
  return frame >= 0 ? inspection()->ValueOf(static_cast<size_t>(frame), instruction) : nullptr;
}

}  // namespace hloscope::gui
