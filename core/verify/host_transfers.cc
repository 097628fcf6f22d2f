// SPDX-License-Identifier: Apache-2.0
// Sends and receives that belong together, and the order of infeeds and outfeeds (docs/ops/control.md 6.10).
#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "core/ops/asynchronous.h"
#include "core/ops/custom_call.h"
#include "core/ops/host_transfer.h"
#include "core/ops/replica_groups.h"
#include "core/ops/shape_matching.h"
#include "core/verify/verification.h"

namespace hloscope {
namespace {

bool IsWrappedByAsync(const Verification& v, ComputationId computation) {
  const auto callers = v.users.callers(computation);
  return std::any_of(callers.begin(), callers.end(),
                     [&](InstructionId caller) { return v.module.opcode(caller) == Opcode::kAsyncStart; });
}

// V128: one user, the done or a tuple that carries the transfer on.
void CheckConsumer(Verification& v, InstructionId transfer) {
  const Module& module = v.module;
  size_t count = 0;
  bool good = true;
  for (InstructionId user : v.users.users(transfer)) {
    const Opcode opcode = module.opcode(user);
    if (opcode == Opcode::kInvalid) return;
    if (opcode == Opcode::kCustomCall && CustomCallTarget(module, user) == "control_dep") continue;
    ++count;
    good = good && (opcode == DoneOf(module.opcode(transfer)) || opcode == Opcode::kTuple);
  }
  if (count == 0 && v.IsRoot(transfer) && IsWrappedByAsync(v, module.instruction(transfer).computation)) return;
  if (count == 1 && good) return;
  if (count == 0 && v.MayHaveLostUses(module.instruction(transfer).computation)) return;
  Diagnostic& diagnostic = v.Report(DiagnosticKind::kTransferConsumer, transfer, Anchor::Name(),
                                    module.InstructionName(transfer), OpcodeName(DoneOf(module.opcode(transfer))),
                                    count == 0   ? "nothing uses it"
                                    : count == 1 ? "its user is neither"
                                                 : absl::StrCat("it has ", count, " users"));
  for (InstructionId user : v.users.users(transfer)) {
    diagnostic.Related(v.RangeOf(user, Anchor::Instruction()), "a user");
  }
}

// V130: a done that follows its transfer directly repeats channel and kind.
void CheckSameChannel(Verification& v, InstructionId done) {
  const Module& module = v.module;
  const auto operands = module.operands(done);
  if (operands.empty() || !operands[0].has_value()) return;
  const InstructionId transfer = operands[0];
  if (module.opcode(transfer) != StartOf(module.opcode(done)) || !v.IsReadable(transfer)) return;
  const auto channel = [&](InstructionId id) {
    return module.HasAttribute(id, AttributeKind::kChannelId)
               ? absl::StrCat("channel ", module.IntAttribute(id, AttributeKind::kChannelId))
               : std::string("no channel");
  };
  const auto host = [&](InstructionId id) { return IsHostTransfer(module, id) ? "true" : "false"; };
  const auto report = [&](AttributeKind attribute, const std::string& own, const std::string& other,
                          const std::string& right) {
    const Anchor at = Anchor::Attribute(attribute);
    Diagnostic& diagnostic = v.Report(DiagnosticKind::kTransferChannel, done, at, module.InstructionName(done), own,
                                      module.InstructionName(transfer), other);
    diagnostic.Related(v.RangeOf(transfer, module.HasAttribute(transfer, attribute) ? at : Anchor::Opcode()),
                       "the transfer");
    // Where the done lacks the attribute there is nothing to replace.
    if (module.HasAttribute(done, attribute) && !right.empty()) {
      diagnostic.Fix(absl::StrCat("change to ", right), v.RangeOf(done, at), right);
    }
  };
  if (channel(done) != channel(transfer)) {
    const bool has_channel = module.HasAttribute(transfer, AttributeKind::kChannelId);
    report(AttributeKind::kChannelId, channel(done), channel(transfer),
           has_channel ? absl::StrCat("channel_id=", module.IntAttribute(transfer, AttributeKind::kChannelId)) : "");
  }
  if (IsHostTransfer(module, done) != IsHostTransfer(module, transfer)) {
    const std::string right = absl::StrCat("is_host_transfer=", host(transfer));
    report(AttributeKind::kIsHostTransfer, absl::StrCat("is_host_transfer=", host(done)), right, right);
  }
}

// V132: pairs of a transfer between devices.
void CheckPairs(Verification& v, InstructionId transfer) {
  const Module& module = v.module;
  const std::string* text = SendRecvPairsText(module, transfer);
  const auto report = [&](Anchor anchor, absl::string_view problem) {
    v.Report(DiagnosticKind::kTransferPairs, transfer, anchor, module.InstructionName(transfer), problem);
  };
  if (text == nullptr) {
    report(Anchor::Opcode(), "has no frontend attribute `_xla_send_recv_source_target_pairs`");
    return;
  }
  const Anchor at = Anchor::Attribute(AttributeKind::kFrontendAttributes);
  const auto pairs = ParseSourceTargetPairs(*text);
  if (!pairs) {
    report(at, absl::StrCat("has malformed source-target pairs \"", *text, "\"; expected \"{{source,target},...}\""));
    return;
  }
  // Channel 0 counts as none here: the ids are replicas then (2.4).
  const bool between_partitions = module.IntAttribute(transfer, AttributeKind::kChannelId) > 0;
  const DeviceCounts counts = DeviceCountsOf(module, v.options);
  const int64_t limit = between_partitions ? counts.partitions : counts.replicas;
  // Where they block each other that is an error, which is reported with the order of the transfers.
  const bool duplicates_elsewhere = ChecksDeadlocks(v) && TakesPartInDeadlocks(module, transfer);
  std::set<int64_t> sources, targets;
  for (const auto& [source, target] : *pairs) {
    if (source < 0 || target < 0) {
      report(at, absl::StrCat("has the negative id ", std::min(source, target), " in its source-target pairs"));
    } else if (limit > 1 && std::max(source, target) >= limit) {
      report(at, absl::StrCat("has id ", std::max(source, target), " in its source-target pairs, but there are ", limit,
                              between_partitions ? " partitions" : " replicas"));
    } else if (!duplicates_elsewhere && !sources.insert(source).second) {
      report(at, absl::StrCat("has source ", source, " twice in its source-target pairs"));
    } else if (!duplicates_elsewhere && !targets.insert(target).second) {
      report(at, absl::StrCat("has target ", target, " twice in its source-target pairs"));
    } else {
      continue;
    }
    return;
  }
}

// V131: host transfers of one kind on one channel are the same up to their operands.
class HostChannels {
 public:
  explicit HostChannels(Verification& v) : v_(v) {}

  void Add(InstructionId id) {
    const Module& module = v_.module;
    if (!module.HasAttribute(id, AttributeKind::kChannelId)) return;
    const int64_t channel = module.IntAttribute(id, AttributeKind::kChannelId);
    const auto [it, inserted] = first_.try_emplace({static_cast<int>(module.opcode(id)), channel}, id);
    if (inserted || AreAlike(it->second, id)) return;
    v_.Report(DiagnosticKind::kHostChannel, id, Anchor::Attribute(AttributeKind::kChannelId), channel,
              module.InstructionName(it->second), module.InstructionName(id))
        .Related(v_.RangeOf(it->second, Anchor::Instruction()), "the first transfer on the channel");
  }

 private:
  bool AreAlike(InstructionId a, InstructionId b) const {
    const Module& module = v_.module;
    if (!ShapesMatch(module.shape(a), module.shape(b), v_.options)) return false;
    const FrontendAttributes* x = module.FrontendAttributesOf(a);
    const FrontendAttributes* y = module.FrontendAttributesOf(b);
    return x == nullptr || y == nullptr ? x == y : *x == *y;
  }

  Verification& v_;
  absl::flat_hash_map<std::pair<int, int64_t>, InstructionId> first_;
};

// The transfers of one computation that take from one queue of the host, or add to one, in text order.
using Queue = std::vector<InstructionId>;

// V125: the transfers of a queue follow each other along data and control edges.
void CheckOrder(Verification& v, const Queue& queue) {
  const Module& module = v.module;
  // The number of the last transfer that each instruction depends on, itself included; text order is a topological one.
  absl::flat_hash_map<InstructionId, size_t> last;
  size_t next = 0;
  for (InstructionId id : module.computation(module.instruction(queue[0]).computation).instructions) {
    size_t reached = 0;
    const auto see = [&](InstructionId before) {
      const auto it = last.find(before);
      if (it != last.end()) reached = std::max(reached, it->second);
    };
    for (InstructionId operand : module.operands(id)) see(operand);
    for (InstructionId before : module.InstructionsAttribute(id, AttributeKind::kControlPredecessors)) see(before);
    if (next < queue.size() && id == queue[next]) {
      if (reached < next) {
        v.Report(DiagnosticKind::kUnorderedTransfers, id, Anchor::Name(), module.InstructionName(id),
                 module.InstructionName(queue[next - 1]), OpcodeName(module.opcode(id)))
            .Related(v.RangeOf(queue[next - 1], Anchor::Instruction()), "the other one");
      }
      reached = ++next;
      if (next == queue.size()) return;
    }
    if (reached > 0) last[id] = reached;
  }
}

// The queues of the host that a module uses, by computation: one of infeeds, one of outfeeds, one per channel of sends
// and one per channel of receives.
class HostQueues {
 public:
  explicit HostQueues(Verification& v) : v_(v) {}

  void Add(InstructionId id) {
    const Module& module = v_.module;
    const Opcode opcode = module.opcode(id);
    const bool has_channel = opcode == Opcode::kSend || opcode == Opcode::kRecv;
    const int64_t channel = has_channel ? module.IntAttribute(id, AttributeKind::kChannelId) : 0;
    queues_[{module.instruction(id).computation, opcode, channel}].push_back(id);
  }

  void Check() {
    // Each queue takes a pass over its computation: those of a text made to take long are left out.
    int64_t steps = 100'000'000;
    for (const auto& [key, queue] : queues_) {
      if (queue.size() < 2) continue;
      steps -= static_cast<int64_t>(v_.module.computation(std::get<0>(key)).instructions.size());
      if (steps < 0) return;
      CheckOrder(v_, queue);
    }
  }

 private:
  Verification& v_;
  std::map<std::tuple<ComputationId, Opcode, int64_t>, Queue> queues_;
};

}  // namespace

void VerifyHostTransfers(Verification& v) {
  const Module& module = v.module;
  HostChannels host_channels(v);
  HostQueues host_queues(v);
  for (uint32_t i = 0; i < module.instruction_count(); ++i) {
    const InstructionId id(i);
    switch (module.opcode(id)) {
      case Opcode::kSend:
      case Opcode::kRecv:
        if (!v.IsReadable(id)) break;
        CheckConsumer(v, id);
        if (IsHostTransfer(module, id)) {
          host_channels.Add(id);
          host_queues.Add(id);
        } else {
          CheckPairs(v, id);
        }
        break;
      case Opcode::kSendDone:
      case Opcode::kRecvDone:
        if (v.IsReadable(id)) CheckSameChannel(v, id);
        break;
      case Opcode::kInfeed:
      case Opcode::kOutfeed:
        host_queues.Add(id);
        break;
      default:
        break;
    }
  }
  host_queues.Check();
}

}  // namespace hloscope
