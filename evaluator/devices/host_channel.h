// SPDX-License-Identifier: Apache-2.0
// What one device exchanges with the host: infeed and outfeed queues, transfers to and from the host
// (docs/ops/control.md 2.2-2.4, 7.8).
#ifndef HLOSCOPE_EVALUATOR_DEVICES_HOST_CHANNEL_H_
#define HLOSCOPE_EVALUATOR_DEVICES_HOST_CHANNEL_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "core/ir/shape.h"
#include "evaluator/tensor/value.h"

namespace hloscope::evaluator {

// Sources are functions of the item's number, so that a run that starts again reads the same.
class HostChannel {
 public:
  // The item with this number (from 0), which must fit the shape. Error OutOfRange if there are no more.
  using Source = std::function<absl::StatusOr<Value>(int64_t item, const Shape& shape)>;

  void set_infeed(Source source) { infeed_ = std::move(source); }
  // Items of receives from the host; `channel` is the rendezvous name or the channel id.
  void set_receive(
      std::function<absl::StatusOr<Value>(const std::string& channel, int64_t item, const Shape& shape)> f) {
    receive_ = std::move(f);
  }

  // The next item. Errors: those of the source; OutOfRange if there is no source; InvalidArgument if the item does not
  // fit the shape.
  absl::StatusOr<Value> NextInfeed(const Shape& shape);
  absl::StatusOr<Value> NextReceive(const std::string& channel, const Shape& shape);
  void Outfeed(Value value) { outfeed_.push_back(std::move(value)); }
  void Send(std::string channel, Value value) { sent_.emplace_back(std::move(channel), std::move(value)); }

  // In the order of execution.
  const std::vector<Value>& outfeed() const { return outfeed_; }
  const std::vector<std::pair<std::string, Value>>& sent() const { return sent_; }

  // Back to the first items, with empty logs.
  void Reset();

 private:
  Source infeed_;
  std::function<absl::StatusOr<Value>(const std::string&, int64_t, const Shape&)> receive_;
  int64_t infeed_count_ = 0;
  std::map<std::string, int64_t> receive_counts_;
  std::vector<Value> outfeed_;
  std::vector<std::pair<std::string, Value>> sent_;
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_DEVICES_HOST_CHANNEL_H_
