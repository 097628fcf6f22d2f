// SPDX-License-Identifier: Apache-2.0
#include "evaluator/devices/rank_group.h"

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "evaluator/devices/growing_pause.h"

namespace hloscope::evaluator {
namespace {

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
  GrowingPause pause;
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
  GrowingPause pause;
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
  GrowingPause pause;
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
  for (GrowingPause sleep;;) {
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
  for (GrowingPause sleep; failure_.ok() && own_.received < question.postings;) {
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
  for (GrowingPause sleep; failure_.ok();) {
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

}  // namespace hloscope::evaluator
