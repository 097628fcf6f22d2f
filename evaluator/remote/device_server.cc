// SPDX-License-Identifier: Apache-2.0
#include "evaluator/remote/device_server.h"

#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "absl/algorithm/container.h"

namespace hloscope::evaluator {
namespace {

// How often a device that runs looks whether somebody wants it to stop.
constexpr std::chrono::steady_clock::duration kBetweenQuestions = std::chrono::milliseconds(10);

}  // namespace

// Tells rank 0 what one device executes, as far as that wants to know.
class DeviceServer::Observer final : public ExecutionObserver {
 public:
  Observer(DeviceServer& server, int64_t device, WireReader& words)
      : server_(server),
        device_(device),
        wants_frames_(words.Int() != 0),
        wants_operands_(words.Int() != 0),
        wanted_(words.Text()) {}

  void OnOpen(absl::Span<const Frame>, absl::Span<const Value> arguments) override {
    if (wants_frames_) Tell(DeviceEvent::kOpened, InstructionId(), {arguments.begin(), arguments.end()});
  }
  bool OnComplete(absl::Span<const Frame>, InstructionId id, const Value& value) override {
    return IsWanted(id) && Tell(DeviceEvent::kComplete, id, {value});
  }
  bool WantsOperands() const override { return wants_operands_; }
  bool OnKernel(absl::Span<const Frame>, InstructionId id, absl::Span<const Value> operands,
                const Value& value) override {
    if (!wants_operands_) return false;
    std::vector<Value> values = {value};
    values.insert(values.end(), operands.begin(), operands.end());
    return Tell(DeviceEvent::kKernel, id, std::move(values));
  }

 private:
  bool IsWanted(InstructionId id) const { return id.index() < wanted_.size() && wanted_[id.index()] != '\0'; }

  // Whether to stop: also where nobody answers.
  bool Tell(DeviceEvent event, InstructionId id, std::vector<Value> values) {
    PeerMessage message;
    message.words.Int(static_cast<int64_t>(event));
    message.words.Int(device_);
    WriteState(message.words, server_.run_, device_);
    WriteInstruction(message.words, id);
    message.values = std::move(values);
    const absl::StatusOr<ReceivedMessage> answer = server_.group_.Ask(0, message);
    return !answer.ok() || WireReader(answer->words).Int() != 0;
  }

  DeviceServer& server_;
  const int64_t device_;
  const bool wants_frames_, wants_operands_;
  const std::string wanted_;  // a byte for each instruction
};

// Looks on a thread of its own whether the answer is wanted soon: a device may be in the middle of a kernel.
class DeviceServer::PauseWatch {
 public:
  explicit PauseWatch(RankGroup& group) : group_(group), thread_([this] { Watch(); }) {}
  ~PauseWatch() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      quit_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  PauseWatch(const PauseWatch&) = delete;
  PauseWatch& operator=(const PauseWatch&) = delete;

  // From now on a pause of this question, or of a later one, is one of this session. Null: of none.
  void Follow(Session* session, int64_t question) {
    bool is_asleep;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      session_ = session;
      question_ = question;
      is_asleep = std::exchange(is_asleep_, false);
    }
    if (is_asleep) changed_.notify_all();
  }

 private:
  void Watch() {
    std::unique_lock<std::mutex> lock(mutex_);
    const Session* before = nullptr;
    while (!quit_) {
      // Steps follow each other closely: the thread sleeps once none has come for a while.
      if (session_ == nullptr && before == nullptr) {
        is_asleep_ = true;
        changed_.wait(lock, [this] { return quit_ || !is_asleep_; });
      }
      before = session_;
      changed_.wait_for(lock, kBetweenQuestions, [this] { return quit_; });
      // Again until it is obeyed: a command that begins forgets pauses before it.
      if (session_ != nullptr && group_.LatestPause() >= question_) session_->RequestPause();
    }
  }

  RankGroup& group_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Session* session_ = nullptr;
  int64_t question_ = 0;
  bool is_asleep_ = false, quit_ = false;
  std::thread thread_;
};

DeviceServer::DeviceServer(RankGroup& group, DeviceRun& run)
    : group_(group), run_(run), pauses_(std::make_unique<PauseWatch>(group)) {
  group_.set_answerer([this](WireReader& words, std::vector<Value>& values) { return Answer(words, values); });
}

DeviceServer::~DeviceServer() {
  for (int64_t device : run_.local_devices()) run_.device(device).intervention().set_observer(nullptr);
  group_.set_answerer(nullptr);
}

void DeviceServer::WriteStates(WireWriter& words) const {
  for (int64_t device : run_.local_devices()) WriteState(words, run_, device);
}

PeerMessage DeviceServer::AnswerAboutAll(DeviceQuestion question, WireReader& words) {
  PeerMessage answer;
  if (question == DeviceQuestion::kSave) {
    Saved saved{run_.Save(), {}};
    answer.words.Int(++next_number_);
    size_t i = 0;
    for (int64_t device : run_.local_devices()) {
      const std::shared_ptr<const SessionSnapshot>& session = saved.run->devices[i++].session;
      WriteSnapshotDevice(answer.words, *session, group_.rank());
      saved.sessions[device] = session;
    }
    saved_[next_number_] = std::move(saved);
    return answer;
  }
  if (question == DeviceQuestion::kRelease) {
    for (int64_t number : words.Ints()) saved_.erase(number);
    return answer;
  }
  if (question == DeviceQuestion::kRestore) {
    const auto saved = saved_.find(words.Int());
    if (saved != saved_.end() && saved->second.run != nullptr) run_.Restore(*saved->second.run);
  } else {
    run_.Restart();
  }
  WriteStates(answer.words);
  return answer;
}

PeerMessage DeviceServer::AnswerAboutSnapshot(DeviceQuestion question, int64_t device, WireReader& words) {
  PeerMessage answer;
  TimeTravel& time_travel = run_.device(device).time_travel();
  if (question == DeviceQuestion::kSaveOne) {
    const std::shared_ptr<const SessionSnapshot> session = time_travel.Save();
    answer.words.Int(++next_number_);
    WriteSnapshotDevice(answer.words, *session, group_.rank());
    saved_[next_number_].sessions[device] = session;
    return answer;
  }
  const auto saved = saved_.find(words.Int());
  const SessionSnapshot* const session = saved == saved_.end() ? nullptr : saved->second.sessions.at(device).get();
  if (question == DeviceQuestion::kRestoreOne) {
    if (session != nullptr) time_travel.Restore(*session);
    WriteState(answer.words, run_, device);
    return answer;
  }
  const size_t frame = static_cast<size_t>(words.Int());
  const InstructionId instruction = ReadInstruction(words);
  if (question == DeviceQuestion::kSnapshotExecuted) {
    answer.words.Int(session != nullptr && session->Executed(frame, instruction));
    return answer;
  }
  const Value* const value = session == nullptr ? nullptr : session->ValueOf(frame, instruction);
  if (value != nullptr) answer.values.push_back(*value);
  return answer;
}

void DeviceServer::RunUntil(int64_t device, WireReader& words, WireWriter& answer) {
  StopWhen when = ReadStopWhen(words);
  const bool may_be_enough = words.Int() != 0;
  auto asked = std::chrono::steady_clock::now();
  const auto is_enough = [&]() {
    const auto now = std::chrono::steady_clock::now();
    if (now - asked < kBetweenQuestions) return false;
    asked = now;
    PeerMessage question;
    question.words.Int(static_cast<int64_t>(DeviceEvent::kEnough));
    question.words.Int(device);
    const absl::StatusOr<ReceivedMessage> reply = group_.Ask(0, question);
    return !reply.ok() || WireReader(reply->words).Int() != 0;
  };
  if (may_be_enough) when.enough = is_enough;
  bool progress = false;
  pauses_->Follow(&run_.device(device), group_.answering());
  run_.RunDevice(device, when, &progress);
  pauses_->Follow(nullptr, 0);
  answer.Int(progress);
  WriteState(answer, run_, device);
}

void DeviceServer::Observe(int64_t device, WireReader& words) {
  std::unique_ptr<Observer>& observer = observers_[device];
  std::unique_ptr<Observer> next;
  if (words.Int() != 0) next = std::make_unique<Observer>(*this, device, words);
  run_.device(device).intervention().set_observer(next.get());
  observer = std::move(next);
}

PeerMessage DeviceServer::Answer(WireReader& words, std::vector<Value>& values) {
  const auto question = static_cast<DeviceQuestion>(words.Int());
  if (question <= DeviceQuestion::kRestart) return AnswerAboutAll(question, words);
  PeerMessage answer;
  const int64_t device = words.Int();
  if (!absl::c_linear_search(run_.local_devices(), device)) return answer;
  Session& session = run_.device(device);
  const auto say_status = [&](const absl::Status& status) {
    WriteStatus(answer.words, status);
    WriteState(answer.words, run_, device);
  };
  Value value = values.empty() ? Value() : values[0];
  switch (question) {
    case DeviceQuestion::kSave:
    case DeviceQuestion::kRestore:
    case DeviceQuestion::kRelease:
    case DeviceQuestion::kRestart:
      break;  // AnswerAboutAll
    case DeviceQuestion::kSaveOne:
    case DeviceQuestion::kRestoreOne:
    case DeviceQuestion::kSnapshotValueOf:
    case DeviceQuestion::kSnapshotExecuted:
      return AnswerAboutSnapshot(question, device, words);
    case DeviceQuestion::kBegin:
      session.Begin();
      WriteState(answer.words, run_, device);
      break;
    case DeviceQuestion::kRunUntil:
      RunUntil(device, words, answer.words);
      break;
    case DeviceQuestion::kSkip:
      say_status(session.intervention().Skip(std::move(value)));
      break;
    case DeviceQuestion::kSetValue: {
      const size_t frame = static_cast<size_t>(words.Int());
      const InstructionId instruction = ReadInstruction(words);
      say_status(session.intervention().SetValue(frame, instruction, std::move(value)));
      break;
    }
    case DeviceQuestion::kEnter:
      say_status(session.intervention().EnterApplied(ReadPlan(words, values)));
      break;
    case DeviceQuestion::kKeepValues:
      session.set_keep_values(words.Int() != 0);
      break;
    case DeviceQuestion::kDropUnneeded:
      session.DropUnneeded();
      break;
    case DeviceQuestion::kSetArgument:
      say_status(session.SetArgument(words.Int(), std::move(value)));
      break;
    case DeviceQuestion::kBreakpoints: {
      std::vector<InstructionId> places(static_cast<size_t>(words.Count(sizeof(int64_t))));
      for (InstructionId& place : places) place = ReadInstruction(words);
      session.breakpoints().Set(std::move(places));
      break;
    }
    case DeviceQuestion::kStepAtOrAfter:
      WriteInstruction(answer.words, session.breakpoints().StepAtOrAfter(ReadInstruction(words)));
      break;
    case DeviceQuestion::kObserve:
      Observe(device, words);
      break;
    case DeviceQuestion::kValueOf: {
      const size_t frame = static_cast<size_t>(words.Int());
      const Value* const found = session.inspection().ValueOf(frame, ReadInstruction(words));
      if (found != nullptr) answer.values.push_back(*found);
      break;
    }
    case DeviceQuestion::kIsUnread: {
      const size_t frame = static_cast<size_t>(words.Int());
      answer.words.Int(session.inspection().IsUnread(frame, ReadInstruction(words)));
      break;
    }
    case DeviceQuestion::kGivenValue: {
      const absl::StatusOr<Value> given = session.intervention().GivenValue(ReadInstruction(words));
      WriteStatus(answer.words, given.status());
      if (given.ok()) answer.values.push_back(*given);
      break;
    }
    case DeviceQuestion::kResult:
      if (session.finished()) answer.values.push_back(session.result());
      break;
    case DeviceQuestion::kStatistics: {
      std::vector<int64_t> counts;
      for (const InstructionStatistics& of_one : session.inspection().statistics()) {
        counts.insert(counts.end(), {of_one.runs, static_cast<int64_t>(of_one.seconds * 1e9), of_one.output_bytes});
      }
      answer.words.Ints(counts);
      break;
    }
    case DeviceQuestion::kNonFinite:
      if (const std::optional<NonFiniteReport>& report = session.inspection().non_finite()) {
        WriteInstruction(answer.words, report->instruction);
        answer.words.Int(report->is_nan);
        answer.words.Text(report->path);
        answer.values = report->operands;
        answer.values.push_back(report->result);
      }
      break;
    case DeviceQuestion::kState:
      WriteDeviceState(answer.words, run_.StateOf(device));
      break;
  }
  return answer;
}

}  // namespace hloscope::evaluator
