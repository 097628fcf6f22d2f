// SPDX-License-Identifier: Apache-2.0
// How the devices of a run exchange data (docs/ops/control.md 2.4, 4.5).
//
// Devices of a process take turns in one thread; others may be in other processes (process_group.h). A device posts
// what others need and goes on; where it needs what is not there yet, its kernel ends with status Unavailable and is
// started again when the device has its next turn. So no order of turns changes a value, and a device that waits can be
// looked at.
#ifndef HLOSCOPE_EVALUATOR_DEVICES_DEVICE_LINK_H_
#define HLOSCOPE_EVALUATOR_DEVICES_DEVICE_LINK_H_

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/ir/ids.h"
#include "evaluator/tensor/value.h"

namespace hloscope::evaluator {

// What the sources of an exchange gave, in the order of the plan; one list of operands for each.
using Contributions = std::vector<std::vector<Value>>;

// One device's part in one exchange.
struct ExchangePlan {
  InstructionId instruction;
  std::vector<int64_t> sources;  // devices whose contributions this one needs (perhaps its own among them)
  std::vector<int64_t> readers;  // devices that need this one's contribution
};

// What one device posted in one execution of a stream.
struct Posting {
  uint64_t stream = 0;
  int64_t sender = 0, execution = 0;
  std::vector<Value> values;
};

// The devices of the run that are in other processes.
class RemoteDevices {
 public:
  virtual ~RemoteDevices() = default;
  virtual bool IsRemote(int64_t device) const = 0;
  // Sends the posting to the processes of `readers`, which are remote.
  virtual void Send(const Posting& posting, absl::Span<const int64_t> readers) = 0;
};

// The postings of all devices. Executions are matched by count: the n-th posting of a device in a stream is read by
// those that need execution n of the stream.
class DeviceExchange {
 public:
  // A stream of messages: the executions of one collective, or the transfers of one channel and pair list.
  using Stream = uint64_t;
  Stream StreamOf(InstructionId instruction) const { return instruction.index(); }
  Stream StreamOf(std::optional<int64_t> channel, absl::string_view pairs);

  // The channel and pairs of a stream of transfers; null for that of a collective.
  const std::pair<int64_t, std::string>* TransferOf(Stream stream) const;

  // Devices outside of this process; null: there are none. A copy of the exchange has the same.
  void set_remote(RemoteDevices* remote) { remote_ = remote; }
  void Post(Posting posting, absl::Span<const int64_t> readers);
  // A posting of another process for so many devices of this one.
  void Deliver(Posting posting, int64_t readers);
  bool HasPosted(Stream stream, int64_t sender, int64_t execution) const;
  // Requires HasPosted. The last reader frees the posting.
  std::vector<Value> Read(Stream stream, int64_t sender, int64_t execution);
  // Grows with every posting: tells progress from standstill.
  int64_t posting_count() const { return posting_count_; }
  void Reset();

 private:
  using Key = std::tuple<Stream, int64_t, int64_t>;  // stream, sender, execution
  struct Kept {
    std::vector<Value> values;
    int64_t readers = 0;
  };
  absl::flat_hash_map<Key, Kept> postings_;
  absl::flat_hash_map<std::pair<int64_t, std::string>, Stream> transfer_streams_;
  int64_t posting_count_ = 0;
  RemoteDevices* remote_ = nullptr;
};

// One device's door to the others.
class DeviceLink {
 public:
  DeviceLink(DeviceExchange& exchange, int64_t device) : exchange_(exchange), device_(device) {}

  // What this device waits for since its last kernel ended with Unavailable.
  struct Waiting {
    InstructionId instruction;  // the collective, send or recv; where a start and a done differ, the start
    int64_t execution = 0;      // counted from 1
    std::vector<int64_t> sources, missing;
  };
  const std::optional<Waiting>& waiting() const { return waiting_; }
  // How often this device has begun the instruction (a collective).
  int64_t ExecutionsOf(InstructionId instruction) const;
  // The same of all collectives that it has begun.
  std::vector<std::pair<InstructionId, int64_t>> Executions() const;

  // Posts the operands, once, and returns what the sources posted. Error Unavailable while one is missing: to be called
  // again for the same execution.
  absl::StatusOr<Contributions> Exchange(const ExchangePlan& plan, std::vector<Value> operands);

  // The same in two halves. `slot` is in the value of the start where the result will be; it differs from others by
  // its buffers.
  void Start(const ExchangePlan& plan, std::vector<Value> operands, Value slot);
  struct Finished {
    InstructionId instruction;  // of the start
    std::vector<Value> operands;
    Contributions contributions;
  };
  // The exchange that `slot` belongs to; nothing if none was begun for it. Error Unavailable as above.
  absl::StatusOr<std::optional<Finished>> Finish(const Value& slot);

  // send: posts for the receivers of the stream. recv: promises `slot` the next message of `source`, to be had
  // from Finish.
  void Send(DeviceExchange::Stream stream, std::vector<Value> values, absl::Span<const int64_t> readers);
  void Receive(DeviceExchange::Stream stream, InstructionId instruction, int64_t source, Value slot);

  DeviceExchange& exchange() { return exchange_; }
  void Reset();

 private:
  // The postings that one execution needs.
  struct Wanted {
    InstructionId instruction;
    DeviceExchange::Stream stream = 0;
    int64_t execution = 0;
    std::vector<int64_t> sources;
  };
  struct Started {
    Wanted wanted;
    std::vector<Value> operands;
    Value slot;
  };

  absl::StatusOr<Contributions> Collect(const Wanted& wanted);

  DeviceExchange& exchange_;
  const int64_t device_;
  absl::flat_hash_map<DeviceExchange::Stream, int64_t> posted_, promised_;  // executions so far
  std::optional<Wanted> blocked_;  // the synchronous exchange whose operands are posted
  std::vector<Started> started_;   // in the order of their starts
  std::optional<Waiting> waiting_;
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_DEVICES_DEVICE_LINK_H_
