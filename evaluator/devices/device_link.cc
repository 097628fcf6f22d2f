// SPDX-License-Identifier: Apache-2.0
#include "evaluator/devices/device_link.h"

#include <algorithm>
#include <iterator>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace hloscope::evaluator {
namespace {

// Streams of transfers are numbered after those of instructions.
constexpr DeviceExchange::Stream kFirstTransferStream = DeviceExchange::Stream{1} << 32;

// So many of the devices that one waits for are named: thousands may wait for thousands.
constexpr size_t kMostNamed = 32;

// True if the first arrays below both values are the same memory. Slots are made for one start each, so this tells them
// apart however the value was carried to its done.
bool IsSameSlot(const Value& a, const Value& b) {
  const Buffer* buffers[2] = {nullptr, nullptr};
  const Value* const values[2] = {&a, &b};
  for (int i = 0; i < 2; ++i) {
    values[i]->ForEachTensor([&](const Tensor& tensor) {
      if (buffers[i] == nullptr) buffers[i] = tensor.buffer().get();
    });
  }
  return buffers[0] != nullptr && buffers[0] == buffers[1];
}

}  // namespace

DeviceExchange::Stream DeviceExchange::StreamOf(std::optional<int64_t> channel, absl::string_view pairs) {
  const auto [entry, is_new] = transfer_streams_.try_emplace({channel.value_or(0), std::string(pairs)}, 0);
  if (is_new) entry->second = kFirstTransferStream + transfer_streams_.size();
  return entry->second;
}

const std::pair<int64_t, std::string>* DeviceExchange::TransferOf(Stream stream) const {
  for (const auto& [transfer, number] : transfer_streams_) {
    if (number == stream) return &transfer;
  }
  return nullptr;
}

void DeviceExchange::Post(Posting posting, absl::Span<const int64_t> readers) {
  std::vector<int64_t> far;
  if (remote_ != nullptr) {
    absl::c_copy_if(readers, std::back_inserter(far), [this](int64_t reader) { return remote_->IsRemote(reader); });
  }
  if (!far.empty()) remote_->Send(posting, far);
  Deliver(std::move(posting), static_cast<int64_t>(readers.size() - far.size()));
}

void DeviceExchange::Deliver(Posting posting, int64_t readers) {
  ++posting_count_;
  if (readers == 0) return;
  postings_[{posting.stream, posting.sender, posting.execution}] = {std::move(posting.values), readers};
}

bool DeviceExchange::HasPosted(Stream stream, int64_t sender, int64_t execution) const {
  return postings_.contains(Key{stream, sender, execution});
}

std::vector<Value> DeviceExchange::Read(Stream stream, int64_t sender, int64_t execution) {
  const auto found = postings_.find(Key{stream, sender, execution});
  if (--found->second.readers > 0) return found->second.values;
  std::vector<Value> values = std::move(found->second.values);
  postings_.erase(found);
  return values;
}

void DeviceExchange::Reset() {
  postings_.clear();
  posting_count_ = 0;
}

int64_t DeviceLink::ExecutionsOf(InstructionId instruction) const {
  const auto found = posted_.find(exchange_.StreamOf(instruction));
  return found == posted_.end() ? 0 : found->second;
}

std::vector<std::pair<InstructionId, int64_t>> DeviceLink::Executions() const {
  std::vector<std::pair<InstructionId, int64_t>> executions;
  for (const auto& [stream, count] : posted_) {
    if (stream < kFirstTransferStream) executions.emplace_back(InstructionId(static_cast<size_t>(stream)), count);
  }
  return executions;
}

absl::StatusOr<Contributions> DeviceLink::Exchange(const ExchangePlan& plan, std::vector<Value> operands) {
  if (!blocked_.has_value() || blocked_->instruction != plan.instruction) {
    const DeviceExchange::Stream stream = exchange_.StreamOf(plan.instruction);
    const int64_t execution = ++posted_[stream];
    exchange_.Post({stream, device_, execution, std::move(operands)}, plan.readers);
    blocked_ = Wanted{plan.instruction, stream, execution, {}};
  }
  // The sources are those of the plan, which is the same each time: they are not kept for each device that waits.
  Wanted wanted = *blocked_;
  wanted.sources = plan.sources;
  absl::StatusOr<Contributions> contributions = Collect(wanted);
  if (contributions.ok()) blocked_.reset();
  return contributions;
}

void DeviceLink::Start(const ExchangePlan& plan, std::vector<Value> operands, Value slot) {
  const DeviceExchange::Stream stream = exchange_.StreamOf(plan.instruction);
  const int64_t execution = ++posted_[stream];
  exchange_.Post({stream, device_, execution, operands}, plan.readers);
  started_.push_back({{plan.instruction, stream, execution, plan.sources}, std::move(operands), std::move(slot)});
}

void DeviceLink::Send(DeviceExchange::Stream stream, std::vector<Value> values, absl::Span<const int64_t> readers) {
  exchange_.Post({stream, device_, ++posted_[stream], std::move(values)}, readers);
}

void DeviceLink::Receive(DeviceExchange::Stream stream, InstructionId instruction, int64_t source, Value slot) {
  started_.push_back({{instruction, stream, ++promised_[stream], {source}}, {}, std::move(slot)});
}

absl::StatusOr<std::optional<DeviceLink::Finished>> DeviceLink::Finish(const Value& slot) {
  const auto found = std::find_if(started_.begin(), started_.end(),
                                  [&](const Started& started) { return IsSameSlot(started.slot, slot); });
  if (found == started_.end()) return std::optional<Finished>();
  absl::StatusOr<Contributions> contributions = Collect(found->wanted);
  if (!contributions.ok()) return contributions.status();
  Finished finished{found->wanted.instruction, std::move(found->operands), *std::move(contributions)};
  started_.erase(found);
  return std::optional<Finished>(std::move(finished));
}

absl::StatusOr<Contributions> DeviceLink::Collect(const Wanted& wanted) {
  std::vector<int64_t> missing;
  for (int64_t source : wanted.sources) {
    if (missing.size() < kMostNamed && !exchange_.HasPosted(wanted.stream, source, wanted.execution)) {
      missing.push_back(source);
    }
  }
  if (!missing.empty()) {
    const std::string names = absl::StrJoin(missing, ", ");
    const absl::Span<const int64_t> sources = absl::MakeConstSpan(wanted.sources).subspan(0, kMostNamed);
    waiting_ = Waiting{wanted.instruction, wanted.execution, {sources.begin(), sources.end()}, std::move(missing)};
    return absl::UnavailableError(absl::StrCat("waits for device ", names));
  }
  waiting_.reset();
  Contributions contributions;
  contributions.reserve(wanted.sources.size());
  for (int64_t source : wanted.sources) {
    contributions.push_back(exchange_.Read(wanted.stream, source, wanted.execution));
  }
  return contributions;
}

void DeviceLink::Reset() {
  posted_.clear();
  promised_.clear();
  blocked_.reset();
  started_.clear();
  waiting_.reset();
}

}  // namespace hloscope::evaluator
