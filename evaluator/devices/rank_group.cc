// SPDX-License-Identifier: Apache-2.0
#include "evaluator/devices/rank_group.h"

#include <time.h>

#include <algorithm>
#include <cstdlib>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"

namespace hloscope::evaluator {
namespace {

// A pause that grows: processes may share a processor with those that they wait for.
class Pause {
 public:
  void Sleep() {
    const struct timespec time = {0, microseconds_ * 1000};
    nanosleep(&time, nullptr);
    microseconds_ = std::min(2 * microseconds_, kMost);
  }
  void Reset() { microseconds_ = 1; }

 private:
  static constexpr long kMost = 500;
  long microseconds_ = 1;
};

absl::Status OwnStatus(int rank, absl::StatusCode code, absl::string_view message) {
  return absl::Status(code, absl::StrCat("rank ", rank, ": ", message));
}

std::vector<int64_t> ByteSizes(absl::Span<const Tensor> tensors) {
  std::vector<int64_t> sizes;
  for (const Tensor& tensor : tensors) sizes.push_back(tensor.byte_size());
  return sizes;
}

// Writes what the values are like; their elements, densely, are to be sent afterwards.
absl::StatusOr<std::vector<Tensor>> WriteValues(WireWriter& writer, absl::Span<const Value> values) {
  std::vector<Tensor> tensors;
  WireWriter forms;
  for (const Value& value : values) forms.Form(value, &tensors);
  for (Tensor& tensor : tensors) {
    absl::StatusOr<Tensor> dense = tensor.Contiguous();
    if (!dense.ok()) return dense.status();
    tensor = *std::move(dense);
  }
  writer.Ints(ByteSizes(tensors));
  writer.Int(static_cast<int64_t>(values.size()));
  writer.Append(forms);
  return tensors;
}

}  // namespace

RankGroup::RankGroup(const HloscopeTransport& transport)
    : transport_(transport),
      said_(static_cast<size_t>(transport.size)),
      answered_(said_.size()),
      sent_(said_.size(), std::vector<int64_t>(said_.size())) {}

RankGroup::~RankGroup() = default;

absl::Status RankGroup::Join(const std::vector<std::pair<std::string, std::string>>& what, std::vector<int> rank_of) {
  rank_of_ = std::move(rank_of);
  if (rank() == 0) {
    hellos_[0] = what;
  } else {
    WireWriter hello;
    hello.Int(static_cast<int64_t>(what.size()));
    for (const auto& [name, value] : what) {
      hello.Text(name);
      hello.Text(value);
    }
    SendControl(0, Kind::kHello, hello);
  }
  Pause pause;
  while (failure_.ok() && !may_go_) {
    if (rank() == 0 && hellos_.size() == static_cast<size_t>(size())) {
      absl::Status status = CompareHellos();
      if (!status.ok()) return status;
      SendToOthers(Kind::kGo, WireWriter());
      may_go_ = true;
    } else if (!TakeAll()) {
      pause.Sleep();
    }
  }
  return failure_;
}

absl::Status RankGroup::CompareHellos() const {
  const auto& own = hellos_.at(0);
  for (const auto& [other, theirs] : hellos_) {
    if (theirs == own) continue;
    for (size_t i = 0; i < std::max(own.size(), theirs.size()); ++i) {
      if (i < own.size() && i < theirs.size() && own[i] == theirs[i]) continue;
      const auto text = [&](const auto& list) { return i < list.size() ? list[i].second : std::string("none"); };
      const std::string& name = i < own.size() ? own[i].first : theirs[i].first;
      return absl::InvalidArgumentError(absl::StrCat("the processes do not run the same: rank ", other, " has another ",
                                                     name, " than rank 0: ", text(theirs), " and not ", text(own)));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Value>> RankGroup::Gather(const std::vector<std::pair<int64_t, Value>>& own) {
  for (const auto& [device, value] : own) {
    if (rank() == 0) {
      results_[device] = value;
      continue;
    }
    WireWriter body;
    body.Int(device);
    const absl::StatusOr<std::vector<Tensor>> tensors = WriteValues(body, {&value, 1});
    if (!tensors.ok()) return tensors.status();
    SendControl(0, Kind::kResult, body);
    SendTensors(0, *tensors);
  }
  Pause pause;
  std::vector<Value> all;
  if (rank() != 0) return all;
  while (failure_.ok() && results_.size() < rank_of_.size()) {
    if (!TakeAll()) pause.Sleep();
  }
  if (!failure_.ok()) return failure_;
  for (auto& [device, value] : results_) all.push_back(std::move(value));
  return all;
}

void RankGroup::Fail(const absl::Status& status) {
  WireWriter body;
  body.Int(static_cast<int64_t>(status.code()));
  body.Text(status.message());
  SendToOthers(Kind::kFailure, body);
}

absl::Status RankGroup::Close() {
  exchange_ = nullptr;
  SendToOthers(Kind::kBye, WireWriter());
  Pause pause;
  while (byes_ < size() - 1 || !outgoing_.empty()) {
    if (TakeAll()) {
      pause.Reset();
    } else {
      pause.Sleep();
    }
  }
  transport_.close();
  return failure_;
}

void RankGroup::SendMessage(int to, Kind kind, WireWriter head, const PeerMessage& message) {
  WireWriter values;
  const absl::StatusOr<std::vector<Tensor>> tensors = WriteValues(values, message.values);
  head.Int(static_cast<int64_t>(tensors.status().code()));
  head.Text(tensors.status().message());
  if (tensors.ok()) {
    head.Text(message.words.bytes());
    head.Append(values);
  }
  SendControl(to, kind, head);
  if (tensors.ok()) SendTensors(to, *tensors);
}

absl::StatusOr<ReceivedMessage> RankGroup::TakeMessage(int from, WireReader& reader) {
  const auto code = static_cast<absl::StatusCode>(reader.Int());
  const std::string problem = reader.Text();
  if (code != absl::StatusCode::kOk) return absl::Status(code, problem);
  ReceivedMessage message;
  message.words = reader.Text();
  absl::StatusOr<std::vector<Value>> values = TakeValues(from, reader);
  if (!values.ok()) return values.status();
  message.values = *std::move(values);
  return message;
}

int64_t RankGroup::PostingsFor(int rank) const {
  int64_t postings = 0;
  for (const std::vector<int64_t>& of_sender : sent_) postings += of_sender[static_cast<size_t>(rank)];
  return postings;
}

void RankGroup::TakeQuestion(int from, WireReader& reader) {
  const int64_t number = reader.Int();
  const int64_t postings = reader.Int();
  questions_.push_back({from, number, postings, TakeMessage(from, reader)});
}

void RankGroup::TakeReply(int from, WireReader& reader) {
  const int64_t number = reader.Int();
  std::vector<int64_t> sent = reader.Ints();
  sent.resize(said_.size());
  sent_[static_cast<size_t>(from)] = std::move(sent);
  replies_.emplace(number, TakeMessage(from, reader));
}

absl::StatusOr<ReceivedMessage> RankGroup::Ask(int to, const PeerMessage& question, const std::atomic<bool>* pause) {
  if (!failure_.ok()) return failure_;
  if (rank() == 0 && is_dismissed_) return absl::FailedPreconditionError("the other processes answer no more");
  const int64_t number = ++asked_;
  WireWriter head;
  head.Int(number);
  // Only rank 0 knows of all; who asks it waits for nothing.
  head.Int(rank() == 0 ? PostingsFor(to) : 0);
  SendMessage(to, Kind::kQuestion, std::move(head), question);
  bool told = false;
  for (Pause sleep;;) {
    if (const auto reply = replies_.find(number); reply != replies_.end()) {
      absl::StatusOr<ReceivedMessage> message = std::move(reply->second);
      replies_.erase(reply);
      return message;
    }
    const bool has_failed = !failure_.ok();
    if (!told && rank() == 0 && (has_failed || (pause != nullptr && pause->load(std::memory_order_relaxed)))) {
      told = true;
      SendPause(to, number);
    }
    if (has_failed) return failure_;
    if (!questions_.empty()) {
      Question next = std::move(questions_.front());
      questions_.pop_front();
      Answer(std::move(next));
      sleep.Reset();
    } else if (!TakeAll()) {
      sleep.Sleep();
    }
  }
}

void RankGroup::Answer(Question question) {
  for (Pause sleep; failure_.ok() && own_.received < question.postings;) {
    if (!TakeAll()) sleep.Sleep();
  }
  answering_.push_back(question.number);
  WireWriter head;
  head.Int(question.number);
  PeerMessage answer;
  if (question.message.ok() && answerer_) {
    WireReader words(question.message->words);
    answer = answerer_(words, question.message->values);
  }
  answering_.pop_back();
  head.Ints(sent_[static_cast<size_t>(rank())]);
  if (question.message.ok()) return SendMessage(question.from, Kind::kReply, std::move(head), answer);
  head.Int(static_cast<int64_t>(question.message.status().code()));
  head.Text(question.message.status().message());
  SendControl(question.from, Kind::kReply, head);
}

void RankGroup::SendPause(int to, int64_t number) {
  auto bytes = std::make_unique<std::string>(reinterpret_cast<const char*>(&number), sizeof(number));
  const int64_t request = transport_.send(to, HLOSCOPE_TAG_PAUSE, bytes->data(), bytes->size());
  outgoing_.push_back({request, std::move(bytes), Tensor()});
}

int64_t RankGroup::LatestPause() {
  int64_t number = 0;
  while (transport_.take_pause(&transport_, &number) != 0) {
    latest_pause_ = std::max(number, latest_pause_.load(std::memory_order_relaxed));
  }
  return latest_pause_;
}

absl::Status RankGroup::Serve() {
  for (Pause sleep; failure_.ok();) {
    if (!questions_.empty()) {
      Question next = std::move(questions_.front());
      questions_.pop_front();
      Answer(std::move(next));
      sleep.Reset();
    } else if (is_dismissed_) {
      break;
    } else if (!TakeAll()) {
      sleep.Sleep();
    }
  }
  return failure_;
}

void RankGroup::Dismiss() {
  is_dismissed_ = true;
  SendToOthers(Kind::kDismiss, WireWriter());
}

void RankGroup::Send(const Posting& posting, absl::Span<const int64_t> readers) {
  std::map<int, int64_t> count_of;  // by rank
  for (int64_t reader : readers) ++count_of[rank_of_[static_cast<size_t>(reader)]];
  WireWriter body;
  const auto* const transfer = exchange_ == nullptr ? nullptr : exchange_->TransferOf(posting.stream);
  body.Int(transfer != nullptr);
  body.Int(transfer != nullptr ? transfer->first : static_cast<int64_t>(posting.stream));
  body.Text(transfer != nullptr ? transfer->second : "");
  body.Int(posting.sender);
  body.Int(posting.execution);
  const absl::StatusOr<std::vector<Tensor>> tensors = WriteValues(body, posting.values);
  if (!tensors.ok()) {
    failure_ = tensors.status();
    return;
  }
  for (const auto& [to, count] : count_of) {
    WireWriter message;
    message.Int(count);
    message.Append(body);
    SendControl(to, Kind::kPosting, message);
    SendTensors(to, *tensors);
    ++own_.sent;
    ++sent_[static_cast<size_t>(rank())][static_cast<size_t>(to)];
  }
}

absl::Status RankGroup::Poll() {
  TakeAll();
  return failure_;
}

absl::StatusOr<bool> RankGroup::Wait(const Questions& questions) {
  own_.is_idle = true;
  own_.has_finished = questions.has_finished;
  has_news_ = false;
  if (rank() != 0) {
    WireWriter body;
    WriteStanding(body);
    SendControl(0, Kind::kIdle, body);
  }
  Pause pause;
  absl::StatusOr<bool> goes_on = true;
  while (goes_on.ok()) {
    if (!failure_.ok()) {
      goes_on = failure_;
      break;
    }
    if (is_finished_) {
      goes_on = false;
      break;
    }
    if (has_news_) break;
    if (is_asked_) {
      is_asked_ = false;
      WireWriter body;
      const std::vector<DeviceState> states = questions.states();
      body.Int(static_cast<int64_t>(states.size()));
      for (const DeviceState& state : states) WriteDeviceState(body, state);
      SendControl(0, Kind::kStates, body);
    }
    if (rank() == 0) {
      absl::StatusOr<bool> all_finished = Conclude(questions);
      if (!all_finished.ok()) goes_on = all_finished.status();
      if (!all_finished.ok() || is_finished_) continue;
    }
    if (absl::Status status = questions.may_wait(); !status.ok()) {
      goes_on = status;
    } else if (TakeAll()) {
      pause.Reset();
    } else {
      pause.Sleep();
    }
  }
  own_.is_idle = false;
  return goes_on;
}

absl::StatusOr<bool> RankGroup::Conclude(const Questions& questions) {
  said_[0] = own_;
  if (!is_wave_running_) {
    if (!AllIdle(said_) || Balance(said_) != 0) return false;
    StartWave();
  }
  if (answers_ < size() - 1) return false;
  is_wave_running_ = false;
  answered_[0] = own_;
  if (!AllIdle(answered_) || Balance(answered_) != 0 || Total(answered_) != wave_total_) return false;
  if (!absl::c_all_of(answered_, [](const Standing& standing) { return standing.has_finished; })) {
    return ReportDeadlock(questions);
  }
  SendToOthers(Kind::kFinish, WireWriter());
  is_finished_ = true;
  return true;
}

absl::Status RankGroup::ReportDeadlock(const Questions& questions) {
  states_ = questions.states();
  states_from_ = 1;
  SendToOthers(Kind::kAsk, WireWriter());
  Pause pause;
  while (states_from_ < size()) {
    if (!failure_.ok()) return failure_;
    if (absl::Status status = questions.may_wait(); !status.ok()) return status;
    if (!TakeAll()) pause.Sleep();
  }
  absl::c_sort(states_, [](const DeviceState& a, const DeviceState& b) { return a.device < b.device; });
  return absl::AbortedError(questions.report(states_));
}

void RankGroup::StartWave() {
  is_wave_running_ = true;
  ++wave_;
  answers_ = 0;
  answered_.assign(answered_.size(), {});
  wave_total_ = Total(said_);
  WireWriter body;
  body.Int(wave_);
  SendToOthers(Kind::kQuery, body);
}

bool RankGroup::AllIdle(absl::Span<const Standing> standings) const {
  return absl::c_all_of(standings, [](const Standing& standing) { return standing.is_idle; });
}

int64_t RankGroup::Balance(absl::Span<const Standing> standings) {
  int64_t balance = 0;
  for (const Standing& standing : standings) balance += standing.sent - standing.received;
  return balance;
}

int64_t RankGroup::Total(absl::Span<const Standing> standings) {
  int64_t total = 0;
  for (const Standing& standing : standings) total += standing.sent + standing.received;
  return total;
}

void RankGroup::SendControl(int to, Kind kind, const WireWriter& body) {
  WireWriter message;
  message.Int(static_cast<int64_t>(kind));
  auto bytes = std::make_unique<std::string>(message.bytes() + body.bytes());
  const int64_t request = transport_.send(to, HLOSCOPE_TAG_CONTROL, bytes->data(), bytes->size());
  outgoing_.push_back({request, std::move(bytes), Tensor()});
}

void RankGroup::SendToOthers(Kind kind, const WireWriter& body) {
  for (int to = 0; to < size(); ++to) {
    if (to != rank()) SendControl(to, kind, body);
  }
}

void RankGroup::SendTensors(int to, absl::Span<const Tensor> tensors) {
  for (const Tensor& tensor : tensors) {
    const size_t bytes = static_cast<size_t>(tensor.byte_size());
    if (bytes == 0) continue;
    outgoing_.push_back({transport_.send(to, HLOSCOPE_TAG_DATA, tensor.data(), bytes), nullptr, tensor});
  }
}

void RankGroup::Progress() {
  outgoing_.erase(std::remove_if(outgoing_.begin(), outgoing_.end(),
                                 [&](const Outgoing& outgoing) { return transport_.is_sent(outgoing.request) != 0; }),
                  outgoing_.end());
}

bool RankGroup::TakeAll() {
  bool took = false;
  int from = 0;
  size_t bytes = 0;
  while (transport_.probe(&from, &bytes) != 0) {
    std::string message(bytes, '\0');
    transport_.receive(from, HLOSCOPE_TAG_CONTROL, message.data(), bytes);
    Take(from, message);
    took = true;
  }
  Progress();
  return took;
}

void RankGroup::Take(int from, absl::string_view message) {
  WireReader reader(message);
  switch (static_cast<Kind>(reader.Int())) {
    case Kind::kPosting:
      return TakePosting(from, reader);
    case Kind::kHello:
      return TakeHello(from, reader);
    case Kind::kGo:
      may_go_ = true;
      return;
    case Kind::kFailure:
      return TakeFailure(from, reader);
    case Kind::kIdle:
      said_[static_cast<size_t>(from)] = ReadStanding(reader);
      return;
    case Kind::kQuery: {
      WireWriter answer;
      answer.Int(reader.Int());
      WriteStanding(answer);
      return SendControl(from, Kind::kAnswer, answer);
    }
    case Kind::kAnswer:
      TakeAnswer(from, reader);
      return;
    case Kind::kAsk:
      is_asked_ = true;
      return;
    case Kind::kStates:
      for (int64_t i = reader.Count(sizeof(int64_t)); i > 0; --i) states_.push_back(ReadDeviceState(reader));
      ++states_from_;
      return;
    case Kind::kFinish:
      is_finished_ = true;
      return;
    case Kind::kResult: {
      const int64_t device = reader.Int();
      absl::StatusOr<std::vector<Value>> values = TakeValues(from, reader);
      if (values.ok() && values->size() == 1) {
        results_[device] = std::move((*values)[0]);
      } else if (failure_.ok()) {
        failure_ = values.ok() ? absl::InternalError("a result of another process cannot be read") : values.status();
      }
      return;
    }
    case Kind::kQuestion:
      return TakeQuestion(from, reader);
    case Kind::kReply:
      return TakeReply(from, reader);
    case Kind::kDismiss:
      is_dismissed_ = true;
      return;
    case Kind::kBye:
      ++byes_;
      return;
  }
}

void RankGroup::TakeAnswer(int from, WireReader& reader) {
  const int64_t wave = reader.Int();
  const Standing standing = ReadStanding(reader);
  // In the order in which they are taken: the process may have said since that it has nothing to do any more.
  said_[static_cast<size_t>(from)] = standing;
  if (wave != wave_) return;
  answered_[static_cast<size_t>(from)] = standing;
  ++answers_;
}

void RankGroup::TakePosting(int from, WireReader& reader) {
  const int64_t readers = reader.Int();
  const bool is_transfer = reader.Int() != 0;
  const int64_t number = reader.Int();
  const std::string pairs = reader.Text();
  Posting posting;
  posting.sender = reader.Int();
  posting.execution = reader.Int();
  absl::StatusOr<std::vector<Value>> values = TakeValues(from, reader);
  ++own_.received;
  own_.is_idle = false;
  has_news_ = true;
  if (!values.ok()) {
    if (failure_.ok()) failure_ = values.status();
    return;
  }
  posting.values = *std::move(values);
  Arrived arrived = {std::move(posting), is_transfer, number, pairs, readers};
  // A process that was told to go first may be ahead of the devices here.
  exchange_ == nullptr ? early_.push_back(std::move(arrived)) : Deliver(std::move(arrived));
}

void RankGroup::Deliver(Arrived arrived) {
  arrived.posting.stream = arrived.is_transfer
                               ? exchange_->StreamOf(arrived.number, arrived.pairs)
                               : exchange_->StreamOf(InstructionId(static_cast<size_t>(arrived.number)));
  exchange_->Deliver(std::move(arrived.posting), arrived.readers);
}

void RankGroup::Attach(DeviceExchange* exchange) {
  exchange_ = exchange;
  for (Arrived& arrived : std::exchange(early_, {})) Deliver(std::move(arrived));
}

absl::StatusOr<std::vector<Value>> RankGroup::TakeValues(int from, WireReader& reader) {
  const std::vector<int64_t> sizes = reader.Ints();
  std::vector<Value> values(static_cast<size_t>(reader.Count(sizeof(int64_t))));
  std::vector<Tensor> tensors;
  absl::Status status;
  for (Value& value : values) {
    absl::StatusOr<Value> read = reader.Form(&tensors);
    status = read.status();
    if (!status.ok()) break;
    value = *std::move(read);
  }
  if (status.ok() && (!reader.ok() || ByteSizes(tensors) != sizes)) {
    status = absl::InternalError("a message of another process cannot be read");
  }
  if (!status.ok()) {
    Drain(from, sizes);
    return status;
  }
  for (Tensor& tensor : tensors) {
    const size_t bytes = static_cast<size_t>(tensor.byte_size());
    if (bytes > 0) transport_.receive(from, HLOSCOPE_TAG_DATA, tensor.mutable_data(), bytes);
  }
  return values;
}

void RankGroup::Drain(int from, absl::Span<const int64_t> sizes) {
  for (int64_t bytes : sizes) {
    if (bytes <= 0) continue;
    void* const nowhere = std::malloc(static_cast<size_t>(bytes));
    if (nowhere == nullptr) std::_Exit(3);  // what started them tells the others
    transport_.receive(from, HLOSCOPE_TAG_DATA, nowhere, static_cast<size_t>(bytes));
    std::free(nowhere);
  }
}

void RankGroup::TakeFailure(int from, WireReader& reader) {
  const auto code = static_cast<absl::StatusCode>(reader.Int());
  const std::string message = reader.Text();
  if (!failure_.ok()) return;
  failed_rank_ = from;
  // A report of a deadlock is about all of them.
  failure_ = code == absl::StatusCode::kAborted ? absl::AbortedError(message) : OwnStatus(from, code, message);
}

void RankGroup::TakeHello(int from, WireReader& reader) {
  std::vector<std::pair<std::string, std::string>> parts(static_cast<size_t>(reader.Count(2 * sizeof(int64_t))));
  for (auto& [name, value] : parts) {
    name = reader.Text();
    value = reader.Text();
  }
  hellos_[from] = std::move(parts);
}

void RankGroup::WriteStanding(WireWriter& writer) const {
  writer.Int(own_.is_idle);
  writer.Int(own_.has_finished);
  writer.Int(own_.sent);
  writer.Int(own_.received);
}

RankGroup::Standing RankGroup::ReadStanding(WireReader& reader) {
  Standing standing;
  standing.is_idle = reader.Int() != 0;
  standing.has_finished = reader.Int() != 0;
  standing.sent = reader.Int();
  standing.received = reader.Int();
  return standing;
}

}  // namespace hloscope::evaluator
