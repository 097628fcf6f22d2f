// SPDX-License-Identifier: Apache-2.0
#include "evaluator/remote/remote_session.h"

#include <algorithm>

namespace hloscope::evaluator {
namespace {

// Frames are looked at while values are made again: the list then grows within this.
constexpr size_t kFramesInPlace = 256;

}  // namespace

// --- Snapshots ---

RemoteSnapshot::Number RemoteSnapshot::Hold(std::shared_ptr<RemoteSnapshots> owner, int64_t number) {
  return Number(new int64_t(number), [owner = std::move(owner)](const int64_t* held) {
    owner->Release(*held);
    delete held;
  });
}

PeerMessage RemoteSnapshot::Question(DeviceQuestion question, const Place& place) const {
  PeerMessage message;
  message.words.Int(static_cast<int64_t>(question));
  message.words.Int(device_);
  message.words.Int(*number_);
  message.words.Int(static_cast<int64_t>(place.first));
  WriteInstruction(message.words, place.second);
  return message;
}

bool RemoteSnapshot::Executed(size_t frame, InstructionId instruction) const {
  const auto [entry, is_new] = executed_.try_emplace({frame, instruction}, false);
  if (!is_new) return entry->second;
  const absl::StatusOr<ReceivedMessage> answer =
      owner_->group().Ask(owner_->rank(), Question(DeviceQuestion::kSnapshotExecuted, {frame, instruction}));
  if (answer.ok()) entry->second = WireReader(answer->words).Int() != 0;
  return entry->second;
}

const Value* RemoteSnapshot::ValueOf(size_t frame, InstructionId instruction) const {
  const absl::StatusOr<ReceivedMessage> answer =
      owner_->group().Ask(owner_->rank(), Question(DeviceQuestion::kSnapshotValueOf, {frame, instruction}));
  if (!answer.ok() || answer->values.empty()) return nullptr;
  shown_ = std::make_unique<Value>(answer->values[0]);
  return shown_.get();
}

void RemoteSnapshot::ForEachBuffer(absl::FunctionRef<void(const BufferKey&, int64_t)> visit) const {
  for (const auto& [buffer, bytes] : what_.buffers) visit(buffer, bytes);
}

// --- Asking ---

RemoteSession::RemoteSession(std::shared_ptr<const Module> module, std::shared_ptr<RemoteSnapshots> snapshots,
                             int64_t device)
    : module_(std::move(module)), snapshots_(std::move(snapshots)), device_(device) {
  state_.frames.reserve(kFramesInPlace);
}

PeerMessage RemoteSession::Question(DeviceQuestion question) const {
  PeerMessage message;
  message.words.Int(static_cast<int64_t>(question));
  message.words.Int(device_);
  return message;
}

absl::StatusOr<ReceivedMessage> RemoteSession::Ask(const PeerMessage& question) const {
  absl::StatusOr<ReceivedMessage> answer = group().Ask(snapshots_->rank(), question);
  if (!answer.ok()) Lose(answer.status());
  return answer;
}

absl::Status RemoteSession::AskForStatus(const PeerMessage& question) {
  const absl::StatusOr<ReceivedMessage> answer = Ask(question);
  if (!answer.ok()) return answer.status();
  WireReader words(answer->words);
  absl::Status status = ReadStatus(words);
  SetState(ReadState(words));
  return status;
}

void RemoteSession::Lose(const absl::Status& status) const {
  // What there is no memory for here is another matter.
  if (absl::IsResourceExhausted(status) && !group().failed_rank().has_value()) return;
  state_.reason = StopReason::kFailed;
  state_.status = status;
}

void RemoteSession::SetState(SessionState state) {
  values_.clear();
  unread_.clear();
  result_.reset();
  statistics_.clear();
  non_finite_.reset();
  std::vector<Frame> frames = std::move(state_.frames);
  frames.assign(state.frames.begin(), state.frames.end());
  state_ = std::move(state);
  state_.frames = std::move(frames);
}

// --- Execution ---

StopReason RemoteSession::StepOver() {
  StopWhen when;
  when.frames = state_.frames.size();
  return RunUntil(when);
}

StopReason RemoteSession::StepInto() {
  StopWhen when;
  when.position = state_.position + 1;
  return RunUntil(when);
}

StopReason RemoteSession::StepOut() {
  StopWhen when;
  when.frames = state_.frames.empty() ? 0 : state_.frames.size() - 1;
  return RunUntil(when);
}

StopReason RemoteSession::RunTo(InstructionId instruction) {
  StopWhen when;
  when.instruction = instruction;
  return RunUntil(when);
}

StopReason RemoteSession::RunUntil(const StopWhen& when) {
  bool progress = false;
  return RunUntil(when, &progress);
}

StopReason RemoteSession::RunUntil(const StopWhen& when, bool* progress) {
  PeerMessage question = Question(DeviceQuestion::kRunUntil);
  WriteStopWhen(question.words, when);
  question.words.Int(static_cast<bool>(when.enough));
  const StopWhen* const outer = std::exchange(when_, &when);
  // A command that begins forgets pauses before it, as that of a session here does.
  pause_.store(cancelled_.load(std::memory_order_relaxed), std::memory_order_relaxed);
  const absl::StatusOr<ReceivedMessage> answer = group().Ask(snapshots_->rank(), question, &pause_);
  when_ = outer;
  pause_.store(false, std::memory_order_relaxed);
  if (answer.ok()) {
    WireReader words(answer->words);
    *progress |= words.Int() != 0;
    SetState(ReadState(words));
  }
  const bool is_cancelled = cancelled_.load(std::memory_order_relaxed) && state_.reason != StopReason::kFinished;
  if (answer.ok() && !is_cancelled) return state_.reason;
  state_.reason = StopReason::kFailed;
  state_.status = answer.ok() ? absl::CancelledError("the run was cancelled") : answer.status();
  return state_.reason;
}

StopReason RemoteSession::Begin() {
  const absl::StatusOr<ReceivedMessage> answer = Ask(Question(DeviceQuestion::kBegin));
  if (!answer.ok()) return StopReason::kFailed;
  WireReader words(answer->words);
  SetState(ReadState(words));
  return state_.reason;
}

void RemoteSession::Restart() {}

void RemoteSession::Cancel() {
  cancelled_.store(true, std::memory_order_relaxed);
  RequestPause();
}

const Value& RemoteSession::result() const {
  if (!result_.has_value()) {
    absl::StatusOr<ReceivedMessage> answer = Ask(Question(DeviceQuestion::kResult));
    result_ = answer.ok() && !answer->values.empty() ? std::move(answer->values[0]) : Value();
  }
  return *result_;
}

void RemoteSession::set_keep_values(bool keep) {
  PeerMessage question = Question(DeviceQuestion::kKeepValues);
  question.words.Int(keep);
  Ask(question).IgnoreError();
}

void RemoteSession::DropUnneeded() { Ask(Question(DeviceQuestion::kDropUnneeded)).IgnoreError(); }

DeviceState RemoteSession::StateOf() {
  const absl::StatusOr<ReceivedMessage> answer = Ask(Question(DeviceQuestion::kState));
  if (answer.ok()) {
    WireReader words(answer->words);
    return ReadDeviceState(words);
  }
  DeviceState state;
  state.device = device_;
  return state;
}

absl::Status RemoteSession::SetArgument(int64_t number, Value value) {
  PeerMessage question = Question(DeviceQuestion::kSetArgument);
  question.words.Int(number);
  question.values.push_back(std::move(value));
  return AskForStatus(question);
}

absl::Status RemoteSession::SetArgumentMaker(int64_t number, ValueMaker make) {
  absl::StatusOr<Value> value = make(nullptr);
  return value.ok() ? SetArgument(number, *std::move(value)) : value.status();
}

// --- Inspection ---

const Value* RemoteSession::ValueOf(size_t frame, InstructionId instruction) const {
  auto found = values_.find({frame, instruction});
  if (found == values_.end()) {
    PeerMessage question = Question(DeviceQuestion::kValueOf);
    question.words.Int(static_cast<int64_t>(frame));
    WriteInstruction(question.words, instruction);
    absl::StatusOr<ReceivedMessage> answer = Ask(question);
    std::optional<Value> value;
    if (answer.ok() && !answer->values.empty()) value = std::move(answer->values[0]);
    found = values_.emplace(std::pair(frame, instruction), std::move(value)).first;
  }
  return found->second.has_value() ? &*found->second : nullptr;
}

bool RemoteSession::IsUnread(size_t frame, InstructionId instruction) const {
  const auto [entry, is_new] = unread_.try_emplace({frame, instruction}, false);
  if (!is_new) return entry->second;
  PeerMessage question = Question(DeviceQuestion::kIsUnread);
  question.words.Int(static_cast<int64_t>(frame));
  WriteInstruction(question.words, instruction);
  const absl::StatusOr<ReceivedMessage> answer = Ask(question);
  if (answer.ok()) entry->second = WireReader(answer->words).Int() != 0;
  return entry->second;
}

absl::Span<const InstructionStatistics> RemoteSession::statistics() const {
  if (!statistics_.empty()) return statistics_;
  const absl::StatusOr<ReceivedMessage> answer = Ask(Question(DeviceQuestion::kStatistics));
  if (!answer.ok()) return {};
  WireReader words(answer->words);
  const std::vector<int64_t> counts = words.Ints();
  for (size_t i = 0; i + 2 < counts.size(); i += 3) {
    statistics_.push_back({counts[i], static_cast<double>(counts[i + 1]) * 1e-9, counts[i + 2]});
  }
  return statistics_;
}

const std::optional<NonFiniteReport>& RemoteSession::non_finite() const {
  if (non_finite_.has_value()) return non_finite_;
  absl::StatusOr<ReceivedMessage> answer = Ask(Question(DeviceQuestion::kNonFinite));
  if (!answer.ok() || answer->values.empty()) return non_finite_;
  WireReader words(answer->words);
  NonFiniteReport report;
  report.instruction = ReadInstruction(words);
  report.is_nan = words.Int() != 0;
  report.path = words.Text();
  report.result = std::move(answer->values.back());
  answer->values.pop_back();
  report.operands = std::move(answer->values);
  non_finite_ = std::move(report);
  return non_finite_;
}

// --- Breakpoints ---

void RemoteSession::Add(InstructionId instruction) {
  std::vector<InstructionId> all = breakpoints_;
  all.push_back(instruction);
  Set(std::move(all));
}

void RemoteSession::Remove(InstructionId instruction) {
  std::vector<InstructionId> all = breakpoints_;
  std::erase(all, instruction);
  Set(std::move(all));
}

bool RemoteSession::Contains(InstructionId instruction) const {
  return std::binary_search(breakpoints_.begin(), breakpoints_.end(), instruction);
}

void RemoteSession::Set(std::vector<InstructionId> instructions) {
  std::sort(instructions.begin(), instructions.end());
  instructions.erase(std::unique(instructions.begin(), instructions.end()), instructions.end());
  if (instructions == breakpoints_) return;
  breakpoints_ = std::move(instructions);
  PeerMessage question = Question(DeviceQuestion::kBreakpoints);
  question.words.Int(static_cast<int64_t>(breakpoints_.size()));
  for (InstructionId id : breakpoints_) WriteInstruction(question.words, id);
  Ask(question).IgnoreError();
}

InstructionId RemoteSession::StepAtOrAfter(InstructionId instruction) const {
  const auto found = steps_.find(instruction);
  if (found != steps_.end()) return found->second;
  PeerMessage question = Question(DeviceQuestion::kStepAtOrAfter);
  WriteInstruction(question.words, instruction);
  const absl::StatusOr<ReceivedMessage> answer = Ask(question);
  if (!answer.ok()) return InstructionId();
  WireReader words(answer->words);
  return steps_[instruction] = ReadInstruction(words);
}

// --- Going back ---

std::shared_ptr<const SessionSnapshot> RemoteSession::Save() {
  const absl::StatusOr<ReceivedMessage> answer = Ask(Question(DeviceQuestion::kSaveOne));
  WireReader words(answer.ok() ? absl::string_view(answer->words) : absl::string_view());
  RemoteSnapshot::Number number = RemoteSnapshot::Hold(snapshots_, answer.ok() ? words.Int() : -1);
  return std::make_shared<RemoteSnapshot>(snapshots_, std::move(number), device_, ReadSnapshotDevice(words));
}

void RemoteSession::Restore(const SessionSnapshot& snapshot) {
  PeerMessage question = Question(DeviceQuestion::kRestoreOne);
  question.words.Int(static_cast<const RemoteSnapshot&>(snapshot).number());
  const absl::StatusOr<ReceivedMessage> answer = Ask(question);
  if (!answer.ok()) return;
  WireReader words(answer->words);
  SetState(ReadState(words));
}

// --- Intervention ---

void RemoteSession::set_observer(ExecutionObserver* observer) {
  if (observer == nullptr && observer_ == nullptr) return;
  observer_ = observer;
  PeerMessage question = Question(DeviceQuestion::kObserve);
  question.words.Int(observer != nullptr);
  if (observer != nullptr) {
    question.words.Int(observer->WantsFrames());
    question.words.Int(observer->WantsOperands());
    std::string wanted;
    for (size_t i = 0; i < module_->instruction_count(); ++i) {
      wanted.push_back(observer->WantsResultsOf(InstructionId(i)) ? '\1' : '\0');
    }
    question.words.Text(wanted);
  }
  Ask(question).IgnoreError();
}

PeerMessage RemoteSession::OnEvent(DeviceEvent event, WireReader& words, std::vector<Value>& values) {
  PeerMessage answer;
  if (event == DeviceEvent::kEnough) {
    answer.words.Int(when_ != nullptr && when_->enough && when_->enough());
    return answer;
  }
  SetState(ReadState(words));
  bool stops = false;
  if (observer_ != nullptr && event == DeviceEvent::kOpened) observer_->OnOpen(state_.frames, values);
  if (observer_ != nullptr && event != DeviceEvent::kOpened && !values.empty()) {
    const InstructionId id = ReadInstruction(words);
    // The observer may ask for values: these stay.
    const std::vector<Frame> frames = state_.frames;
    stops = event == DeviceEvent::kComplete
                ? observer_->OnComplete(frames, id, values[0])
                : observer_->OnKernel(frames, id, absl::MakeConstSpan(values).subspan(1), values[0]);
  }
  answer.words.Int(stops);
  return answer;
}

absl::Status RemoteSession::SetValue(size_t frame, InstructionId instruction, Value value) {
  PeerMessage question = Question(DeviceQuestion::kSetValue);
  question.words.Int(static_cast<int64_t>(frame));
  WriteInstruction(question.words, instruction);
  question.values.push_back(std::move(value));
  return AskForStatus(question);
}

absl::StatusOr<Value> RemoteSession::GivenValue(InstructionId instruction) {
  PeerMessage question = Question(DeviceQuestion::kGivenValue);
  WriteInstruction(question.words, instruction);
  absl::StatusOr<ReceivedMessage> answer = Ask(question);
  if (!answer.ok()) return answer.status();
  WireReader words(answer->words);
  if (absl::Status status = ReadStatus(words); !status.ok()) return status;
  if (answer->values.empty()) return absl::InternalError("a message of another process cannot be read");
  return std::move(answer->values[0]);
}

absl::Status RemoteSession::Skip(Value value) {
  PeerMessage question = Question(DeviceQuestion::kSkip);
  question.values.push_back(std::move(value));
  return AskForStatus(question);
}

absl::Status RemoteSession::EnterApplied(std::shared_ptr<const AppliedPlan> plan) {
  PeerMessage question = Question(DeviceQuestion::kEnter);
  WritePlan(question, *plan);
  return AskForStatus(question);
}

}  // namespace hloscope::evaluator
