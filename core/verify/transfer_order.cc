// SPDX-License-Identifier: Apache-2.0
// Sends and receives between devices that block each other in a schedule: V203-V208 (docs/ops/control.md 6.13).
//
// The instructions are looked at in the order in which a device runs them: each computation where it is called first.
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "core/ops/collective.h"
#include "core/ops/frontend_attributes.h"
#include "core/ops/host_transfer.h"
#include "core/verify/verification.h"

namespace hloscope {
namespace {

// Ids that send to themselves in the end.
bool HasCycle(const SourceTargetPairs& pairs) {
  absl::flat_hash_map<int64_t, int64_t> target_of;
  for (const auto& [source, target] : pairs) target_of.emplace(source, target);
  absl::flat_hash_set<int64_t> finished;
  for (const auto& [start, unused] : pairs) {
    absl::flat_hash_set<int64_t> on_way;
    for (int64_t at = start; !finished.contains(at);) {
      if (!on_way.insert(at).second) return true;
      const auto next = target_of.find(at);
      if (next == target_of.end()) break;
      at = next->second;
    }
    finished.insert(on_way.begin(), on_way.end());
  }
  return false;
}

bool HasDuplicate(const SourceTargetPairs& pairs) {
  absl::flat_hash_set<int64_t> sources, targets;
  for (const auto& [source, target] : pairs) {
    if (!sources.insert(source).second || !targets.insert(target).second) return true;
  }
  return false;
}

// V208. Those whose pairs are reported as missing or malformed are left alone as well.
bool IsExamined(const Module& module, InstructionId id) {
  const Opcode opcode = module.opcode(id);
  return (opcode == Opcode::kSend || opcode == Opcode::kRecv) && TakesPartInDeadlocks(module, id) &&
         SendRecvPairsText(module, id) != nullptr && ParseSourceTargetPairs(*SendRecvPairsText(module, id)).has_value();
}

// By computation: whether it or one that it calls has a collective.
std::vector<bool> ComputationsWithCollectives(const Verification& v) {
  std::vector<bool> result(v.module.computations().size());
  std::vector<ComputationId> work;
  const auto add = [&](ComputationId computation) {
    if (result[computation.index()]) return;
    result[computation.index()] = true;
    work.push_back(computation);
  };
  for (const Instruction& instruction : v.module.instructions()) {
    if (IsCollective(instruction.opcode)) add(instruction.computation);
  }
  while (!work.empty()) {
    const ComputationId callee = work.back();
    work.pop_back();
    for (InstructionId caller : v.users.callers(callee)) add(v.module.instruction(caller).computation);
  }
  return result;
}

// The transfers of one run that have begun and wait for their other half.
class TransferOrder {
 public:
  TransferOrder(Verification& v, const std::vector<bool>& has_collectives, std::vector<bool>* walked)
      : v_(v), has_collectives_(has_collectives), walked_(*walked) {}

  void Run(ComputationId computation) {
    Walk(computation);
    for (const Waiting& w : waiting_) {  // V205
      const bool is_send = v_.module.opcode(w.id) == Opcode::kSend;
      v_.Report(DiagnosticKind::kUnmatchedTransfer, w.id, Anchor::Name(), v_.module.InstructionName(w.id),
                is_send ? "recv" : "send", *w.text);
    }
  }

 private:
  struct Waiting {
    InstructionId id;
    const std::string* text;  // of the pairs
    SourceTargetPairs pairs;
  };
  // More at a time than any schedule has; looking further would not be linear.
  static constexpr size_t kMostWaiting = 64;

  // The depth is bounded by that of the calls in the text.
  void Walk(ComputationId computation) {
    walked_[computation.index()] = true;
    for (InstructionId id : v_.module.computation(computation).instructions) {
      if (!v_.IsReadable(id)) continue;
      if (IsExamined(v_.module, id)) {
        Add(id);
      } else if (IsCollective(v_.module.opcode(id))) {
        CheckNothingWaits(id);
      }
      v_.module.ForEachCalledComputation(id, [&](AttributeKind, ComputationId callee) {
        if (!callee.has_value() || IsGroup(id)) return;
        if (!walked_[callee.index()]) {
          Walk(callee);
        } else if (has_collectives_[callee.index()]) {
          CheckNothingWaits(id);
        }
      });
    }
  }

  // An asynchronous start of several operations runs them as a unit.
  bool IsGroup(InstructionId id) const {
    return v_.module.opcode(id) == Opcode::kAsyncStart &&
           (FindFrontendAttribute(v_.module, id, "_collectives_group") != nullptr);
  }

  void ReportDeadlock(InstructionId id, absl::string_view text, InstructionId other) {
    Diagnostic& diagnostic =
        v_.Report(DiagnosticKind::kTransferDeadlock, id, Anchor::Name(), v_.module.InstructionName(id), text);
    if (other.has_value()) diagnostic.Related(v_.RangeOf(other, Anchor::Instruction()), "this one waits");
  }

  void CheckNothingWaits(InstructionId id) {  // V203
    if (waiting_.empty()) return;
    const InstructionId other = waiting_.back().id;
    const absl::string_view opcode = OpcodeName(v_.module.opcode(other));
    ReportDeadlock(id,
                   absl::StrCat("would deadlock: it is between `", v_.module.InstructionName(other), "`, a ", opcode,
                                ", and its ", opcode == "send" ? "recv" : "send", "; move it before or after both"),
                   other);
  }

  void Add(InstructionId id) {
    const std::string* text = SendRecvPairsText(v_.module, id);
    SourceTargetPairs pairs = *ParseSourceTargetPairs(*text);
    if (HasDuplicate(pairs)) {  // V207
      const SourceRange at = v_.RangeOf(id, Anchor::Attribute(AttributeKind::kFrontendAttributes));
      Diagnostic& diagnostic =
          v_.sink().Add(DiagnosticKind::kTransferPairs, Severity::kError, at,
                        {std::string(v_.module.InstructionName(id)),
                         absl::StrCat("would deadlock: its source-target pairs ", *text, " use a device twice")});
      diagnostic.is_tolerated = false;
      return;
    }
    if (HasCycle(pairs)) {  // V206
      ReportDeadlock(id, absl::StrCat("would deadlock: its source-target pairs ", *text, " form a cycle"), {});
      return;
    }
    const Opcode opcode = v_.module.opcode(id);
    if (TakeOtherHalf(opcode, *text, waiting_) || TakeOtherHalf(opcode, *text, reported_)) return;
    if (const InstructionId other = Conflict(opcode, pairs); other.has_value()) {  // V204
      ReportDeadlock(id,
                     absl::StrCat("would deadlock: `", v_.module.InstructionName(other), "` still waits for its ",
                                  opcode == Opcode::kSend ? "recv" : "send", ", and together their pairs ",
                                  *SendRecvPairsText(v_.module, other), " and ", *text, " block each other"),
                     other);
      if (reported_.size() < kMostWaiting) reported_.push_back({id, text, std::move(pairs)});
      return;
    }
    if (waiting_.size() < kMostWaiting) waiting_.push_back({id, text, std::move(pairs)});
  }

  // Removes the transfer of the other kind with these pairs; false if there is none.
  bool TakeOtherHalf(Opcode opcode, const std::string& text, std::vector<Waiting>& list) const {
    for (auto w = list.begin(); w != list.end(); ++w) {
      if (v_.module.opcode(w->id) == opcode || *w->text != text) continue;
      list.erase(w);
      return true;
    }
    return false;
  }

  // A waiting transfer of the same kind that needs a device of these pairs too, or closes a circle with them.
  InstructionId Conflict(Opcode opcode, const SourceTargetPairs& pairs) const {
    SourceTargetPairs joined = pairs;
    InstructionId last;
    for (const Waiting& w : waiting_) {
      if (v_.module.opcode(w.id) != opcode) continue;
      joined.insert(joined.end(), w.pairs.begin(), w.pairs.end());
      last = w.id;
    }
    if (!HasDuplicate(joined) && !HasCycle(joined)) return InstructionId::None();
    for (const Waiting& w : waiting_) {
      if (v_.module.opcode(w.id) != opcode) continue;
      SourceTargetPairs both = pairs;
      both.insert(both.end(), w.pairs.begin(), w.pairs.end());
      if (HasDuplicate(both) || HasCycle(both)) return w.id;
    }
    return last;  // only several of them together
  }

  Verification& v_;
  const std::vector<bool>& has_collectives_;  // by computation
  std::vector<bool>& walked_;                 // by computation
  std::vector<Waiting> waiting_;
  std::vector<Waiting> reported_;  // of V204: only their other halves matter
};

}  // namespace

void VerifyTransferOrder(Verification& v) {
  const Module& module = v.module;
  if (!ChecksDeadlocks(v) || !module.entry().has_value()) return;
  const std::vector<bool> has_collectives = ComputationsWithCollectives(v);
  std::vector<bool> walked(module.computations().size());
  TransferOrder(v, has_collectives, &walked).Run(module.entry());
  // Groups of asynchronous operations, each by itself.
  for (uint32_t i = 0; i < module.instruction_count(); ++i) {
    const InstructionId id(i);
    if (module.opcode(id) != Opcode::kAsyncStart || !v.IsReadable(id)) continue;
    const ComputationId group = module.ComputationAttribute(id, AttributeKind::kCalls);
    if (group.has_value() && !walked[group.index()]) TransferOrder(v, has_collectives, &walked).Run(group);
  }
}

}  // namespace hloscope
