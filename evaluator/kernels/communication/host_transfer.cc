// SPDX-License-Identifier: Apache-2.0
// infeed, outfeed, send and recv (docs/ops/control.md 2.2-2.4).
#include "core/ops/host_transfer.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/ops/frontend_attributes.h"
#include "evaluator/kernels/communication/collective.h"
#include "evaluator/kernels/interface/kernel.h"

namespace hloscope::evaluator {
namespace {

absl::StatusOr<HostChannel*> Host(const KernelContext& context) {
  if (context.runtime.host() != nullptr) return context.runtime.host();
  return absl::UnimplementedError(
      absl::StrCat(OpcodeName(context.opcode()), ": this run has no host to exchange data with"));
}

// (data, u32 context, token): the value of a send or recv.
absl::StatusOr<Value> TransferValue(const KernelContext& context, Value data) {
  absl::StatusOr<Value> undefined = ZeroValue(context.shape().element(1));
  if (!undefined.ok()) return undefined;
  return Value::Tuple({std::move(data), *std::move(undefined), Value::Token()});
}

// Name of the queue of a host transfer.
std::string HostChannelName(const KernelContext& context) {
  const std::string* const name = FindFrontendAttribute(context.module, context.id, "_xla_host_transfer_rendezvous");
  if (name != nullptr) return *name;
  return absl::StrCat(context.module.IntAttribute(context.id, AttributeKind::kChannelId));
}

// The way of a device-to-device transfer: which of its ends this device is.
struct Route {
  DeviceExchange::Stream stream = 0;
  std::vector<int64_t> targets;
  std::optional<int64_t> source;
};
absl::StatusOr<Route> RouteOf(const KernelContext& context) {
  const Module& module = context.module;
  const std::string* const text = SendRecvPairsText(module, context.id);
  const std::optional<SourceTargetPairs> pairs = text == nullptr ? std::nullopt : ParseSourceTargetPairs(*text);
  if (!pairs.has_value()) {
    return absl::InvalidArgumentError(absl::StrCat(
        OpcodeName(context.opcode()), ": the frontend attribute _xla_send_recv_source_target_pairs is missing"));
  }
  const int64_t channel = module.IntAttribute(context.id, AttributeKind::kChannelId);
  const bool is_partition = channel > 0;
  const DeviceGrid grid = context.runtime.grid();
  const int64_t replica = context.runtime.replica_id(), partition = context.runtime.partition_id();
  const int64_t own_id = is_partition ? partition : replica, count = is_partition ? grid.partitions : grid.replicas;
  Route route;
  if (DeviceLink* const link = context.runtime.link()) route.stream = link->exchange().StreamOf(channel, *text);
  for (const auto& [source, target] : *pairs) {
    if (std::min(source, target) < 0 || std::max(source, target) >= count) {
      return absl::UnimplementedError(absl::StrCat(OpcodeName(context.opcode()), ": the pair {", source, ",", target,
                                                   "} names a device that a run on ", grid.replicas, " replicas and ",
                                                   grid.partitions, " partitions does not have"));
    }
    if (source == own_id) {
      route.targets.push_back(is_partition ? grid.DeviceOf(replica, target) : grid.DeviceOf(target, partition));
    }
    if (target == own_id) {
      route.source = is_partition ? grid.DeviceOf(replica, source) : grid.DeviceOf(source, partition);
    }
  }
  return route;
}

absl::StatusOr<DeviceLink*> Link(const KernelContext& context) {
  if (context.runtime.link() != nullptr) return context.runtime.link();
  return absl::UnimplementedError(
      absl::StrCat(OpcodeName(context.opcode()), ": this run has no other device to exchange data with"));
}

absl::StatusOr<Value> Send(const KernelContext& context) {
  if (IsHostTransfer(context.module, context.id)) {
    absl::StatusOr<HostChannel*> host = Host(context);
    if (!host.ok()) return host.status();
    (*host)->Send(HostChannelName(context), context.operands[0]);
    return TransferValue(context, context.operands[0]);
  }
  absl::StatusOr<Route> route = RouteOf(context);
  if (!route.ok()) return route.status();
  if (!route->targets.empty()) {
    absl::StatusOr<DeviceLink*> link = Link(context);
    if (!link.ok()) return link.status();
    (*link)->Send(route->stream, {context.operands[0]}, route->targets);
  }
  return TransferValue(context, context.operands[0]);
}

absl::StatusOr<Value> Recv(const KernelContext& context) {
  const Shape& shape = context.shape().element(0);
  if (IsHostTransfer(context.module, context.id)) {
    absl::StatusOr<HostChannel*> host = Host(context);
    if (!host.ok()) return host.status();
    absl::StatusOr<Value> item = (*host)->NextReceive(HostChannelName(context), shape);
    return item.ok() ? TransferValue(context, *std::move(item)) : item;
  }
  absl::StatusOr<Route> route = RouteOf(context);
  if (!route.ok()) return route.status();
  // Zeros on a device that is no target; else what stands for the data until recv-done.
  absl::StatusOr<Value> data = ZeroValue(shape);
  if (!data.ok()) return data;
  absl::StatusOr<Value> transfer = TransferValue(context, *std::move(data));
  if (transfer.ok() && route->source.has_value()) {
    absl::StatusOr<DeviceLink*> link = Link(context);
    if (!link.ok()) return link.status();
    (*link)->Receive(route->stream, context.id, *route->source, *transfer);
  }
  return transfer;
}

absl::StatusOr<Value> RecvDone(const KernelContext& context) {
  if (context.operands[0].elements().size() != 3) {
    return absl::InvalidArgumentError("the operand of recv-done is not the value of a recv");
  }
  if (DeviceLink* const link = context.runtime.link()) {
    absl::StatusOr<std::optional<DeviceLink::Finished>> finished = link->Finish(context.operands[0]);
    if (!finished.ok()) return finished.status();
    if (finished->has_value()) return Value::Tuple({(*finished)->contributions[0][0], Value::Token()});
  }
  return Value::Tuple({context.operands[0].elements()[0], Value::Token()});
}

absl::StatusOr<Value> Infeed(const KernelContext& context) {
  absl::StatusOr<HostChannel*> host = Host(context);
  if (!host.ok()) return host.status();
  absl::StatusOr<Value> item = (*host)->NextInfeed(context.shape().element(0));
  if (!item.ok()) return item;
  return Value::Tuple({*std::move(item), Value::Token()});
}

}  // namespace

absl::StatusOr<Value> EvaluateHostTransfer(const KernelContext& context) {
  switch (context.opcode()) {
    case Opcode::kInfeed:
      return Infeed(context);
    case Opcode::kOutfeed: {
      absl::StatusOr<HostChannel*> host = Host(context);
      if (!host.ok()) return host.status();
      (*host)->Outfeed(context.operands[0]);
      return Value::Token();
    }
    case Opcode::kSend:
      return Send(context);
    case Opcode::kRecv:
      return Recv(context);
    case Opcode::kSendDone:
      return Value::Token();
    case Opcode::kRecvDone:
      return RecvDone(context);
    default:
      return absl::UnimplementedError(absl::StrCat(OpcodeName(context.opcode()), " is not a transfer"));
  }
}

}  // namespace hloscope::evaluator
