// SPDX-License-Identifier: Apache-2.0
#include "evaluator/devices/host_channel.h"

#include "absl/strings/str_cat.h"

namespace hloscope::evaluator {
namespace {

absl::StatusOr<Value> Checked(absl::StatusOr<Value> item, const Shape& shape, int64_t number) {
  if (item.ok() && !ValueFits(*item, shape)) {
    return absl::InvalidArgumentError(absl::StrCat("item ", number, " from the host has shape ",
                                                   ShapeOf(*item).ToString(false), ", expected ",
                                                   shape.ToString(false)));
  }
  return item;
}

}  // namespace

absl::StatusOr<Value> HostChannel::NextInfeed(const Shape& shape) {
  if (shape.IsTuple() && shape.tuple_size() == 0) return Value::Tuple({});
  const int64_t number = infeed_count_;
  if (!infeed_) {
    return absl::OutOfRangeError(absl::StrCat("the infeed of this device is empty: item ", number, " of shape ",
                                              shape.ToString(false), " is needed"));
  }
  absl::StatusOr<Value> item = Checked(infeed_(number, shape), shape, number);
  if (item.ok()) ++infeed_count_;
  return item;
}

absl::StatusOr<Value> HostChannel::NextReceive(const std::string& channel, const Shape& shape) {
  int64_t& number = receive_counts_[channel];
  if (!receive_) {
    return absl::OutOfRangeError(absl::StrCat("the host sends nothing on channel ", channel, ": item ", number,
                                              " of shape ", shape.ToString(false), " is needed"));
  }
  absl::StatusOr<Value> item = Checked(receive_(channel, number, shape), shape, number);
  if (item.ok()) ++number;
  return item;
}

void HostChannel::Reset() {
  infeed_count_ = 0;
  receive_counts_.clear();
  outfeed_.clear();
  sent_.clear();
}

}  // namespace hloscope::evaluator
