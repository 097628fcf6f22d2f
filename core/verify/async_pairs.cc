// SPDX-License-Identifier: Apache-2.0
// Starts and dones that belong together, and chains of async-start, async-update, async-done
// (docs/ops/control.md 6.9, 6.10).
#include <algorithm>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "core/ops/asynchronous.h"
#include "core/ops/custom_call.h"
#include "core/ops/frontend_attributes.h"
#include "core/print/printer.h"
#include "core/verify/verification.h"

namespace hloscope {
namespace {

bool IsControlDependency(const Module& module, InstructionId id) {
  return module.opcode(id) == Opcode::kCustomCall && CustomCallTarget(module, id) == "control_dep";
}

// The starts of copy-start, all-gather-start, all-reduce-start and collective-permute-start: one user each.
bool IsPairStart(Opcode opcode) {
  return opcode == Opcode::kCopyStart || opcode == Opcode::kAllGatherStart || opcode == Opcode::kAllReduceStart ||
         opcode == Opcode::kCollectivePermuteStart;
}

// V134.
void CheckPairStart(Verification& v, InstructionId start) {
  const Module& module = v.module;
  const Opcode done = DoneOf(module.opcode(start));
  std::vector<InstructionId> users;
  for (InstructionId user : v.users.users(start)) {
    if (module.opcode(user) == Opcode::kInvalid) return;
    if (!IsControlDependency(module, user)) users.push_back(user);
  }
  if (users.size() == 1) {
    if (module.opcode(users[0]) == done || PassesAsyncValueOn(module, users[0])) return;
    const auto operands = module.operands(users[0]);
    const size_t k = static_cast<size_t>(std::find(operands.begin(), operands.end(), start) - operands.begin());
    v.Report(DiagnosticKind::kAsyncUse, users[0], Anchor::Operand(k), module.InstructionName(start), OpcodeName(done),
             module.InstructionName(users[0]))
        .Related(v.RangeOf(start, Anchor::Instruction()), "the start");
    return;
  }
  if (users.empty()) {
    if (v.MayHaveLostUses(module.instruction(start).computation)) return;
    v.Report(DiagnosticKind::kStartWithoutDone, start, Anchor::Name(), module.InstructionName(start), OpcodeName(done));
    return;
  }
  Diagnostic& diagnostic = v.Report(DiagnosticKind::kSeveralDones, start, Anchor::Name(), module.InstructionName(start),
                                    OpcodeName(done), users.size());
  for (InstructionId user : users) diagnostic.Related(v.RangeOf(user, Anchor::Instruction()), "a user");
}

// V135, V129.
void CheckPairDone(Verification& v, InstructionId done) {
  const Module& module = v.module;
  const Opcode start = StartOf(module.opcode(done));
  if (module.operands(done).empty()) return;
  const InstructionId producer = module.operand(done, 0);
  const Opcode opcode = module.opcode(producer);
  if (opcode == start || opcode == Opcode::kInvalid) return;
  const bool is_transfer = start == Opcode::kSend || start == Opcode::kRecv;
  if (opcode == Opcode::kGetTupleElement) return;
  if (!is_transfer && PassesAsyncValueOn(module, producer) && opcode != Opcode::kTuple) return;
  // Where the operand must be a tuple and is not, the shape rule has said so.
  const bool takes_array = start == Opcode::kAllReduceStart || start == Opcode::kSend;
  if (!takes_array && !module.shape(producer).IsTuple()) return;
  v.Report(DiagnosticKind::kAsyncProducer, done, Anchor::Operand(0), OpcodeName(module.opcode(done)), OpcodeName(start),
           module.InstructionName(producer), OpcodeName(opcode))
      .Related(v.RangeOf(producer, Anchor::Instruction()), "the operand");
}

// V136: the parts of a start have no value before the done.
void CheckContextRead(Verification& v, InstructionId element) {
  const Module& module = v.module;
  if (module.operands(element).empty()) return;
  const InstructionId producer = module.operand(element, 0);
  const Opcode opcode = module.opcode(producer);
  if (DoneOf(opcode) == Opcode::kInvalid && opcode != Opcode::kAsyncUpdate) return;
  // The wrapped start of several operands may hold tuples, but no part of it may be asynchronous itself.
  v.Report(DiagnosticKind::kAsyncRead, element, Anchor::Operand(0), module.InstructionName(element),
           module.InstructionName(producer),
           OpcodeName(DoneOf(opcode == Opcode::kAsyncUpdate ? Opcode::kAsyncStart : opcode)));
}

// The links that directly continue a start or update, and whether its value also goes elsewhere.
class Chain {
 public:
  Chain(Verification& v, InstructionId head) : v_(v), head_(head) {
    std::vector<InstructionId> work = {head};
    while (!work.empty()) {
      const InstructionId link = work.back();
      work.pop_back();
      bool goes_on = IsCarriedByLoop(link);
      for (InstructionId user : v.users.users(link)) goes_on = Follow(link, user, &work) || goes_on;
      if (!goes_on) ends_.push_back(link);
    }
  }

  // V109, V110.
  void Check() {
    const Module& module = v_.module;
    if (dones_.size() > 1) {
      Diagnostic& diagnostic = v_.Report(DiagnosticKind::kSeveralDones, head_, Anchor::Name(),
                                         module.InstructionName(head_), "async-done", dones_.size());
      for (InstructionId done : dones_) diagnostic.Related(v_.RangeOf(done, Anchor::Instruction()), "a done");
    }
    // A link that nothing follows leaves its operation unfinished, also where another branch of the chain finishes it.
    for (InstructionId end : ends_) {
      if (v_.MayHaveLostUses(module.instruction(end).computation)) continue;
      v_.Report(DiagnosticKind::kStartWithoutDone, end, Anchor::Name(), module.InstructionName(end), "async-done");
    }
  }

 private:
  // The root of the body of a loop goes on in the next iteration.
  bool IsCarriedByLoop(InstructionId link) const {
    if (!v_.IsRoot(link)) return false;
    const ComputationId computation = v_.module.instruction(link).computation;
    const auto callers = v_.users.callers(computation);
    return std::any_of(callers.begin(), callers.end(), [&](InstructionId caller) {
      return v_.module.opcode(caller) == Opcode::kWhile &&
             v_.module.ComputationAttribute(caller, AttributeKind::kBody) == computation;
    });
  }

  // False if the value does not go on through this user.
  bool Follow(InstructionId link, InstructionId user, std::vector<InstructionId>* work) {
    const Module& module = v_.module;
    const Opcode opcode = module.opcode(user);
    if (IsControlDependency(module, user)) return false;
    if (opcode == Opcode::kInvalid) return true;
    if (PassesAsyncValueOn(module, user)) return FollowPassed(link, user);
    const auto operands = module.operands(user);
    bool continues = opcode == Opcode::kAsyncUpdate || opcode == Opcode::kAsyncDone;
    size_t wrong_operand = 0;
    for (size_t k = 0; k < operands.size(); ++k) {
      if (operands[k] != link || (continues && k == 0)) continue;
      continues = false;
      wrong_operand = k;
    }
    if (!continues) {
      // V108.
      v_.Report(DiagnosticKind::kAsyncUse, user, Anchor::Operand(wrong_operand), module.InstructionName(link),
                "async-update` or `async-done", module.InstructionName(user))
          .Related(v_.RangeOf(link, Anchor::Instruction()), "the start");
    } else if (opcode == Opcode::kAsyncDone) {
      dones_.push_back(user);
    } else {
      work->push_back(user);
    }
    return true;
  }

  // Whether a link goes on from `user`, which passes it on in what it makes. True where that is not followed: calls,
  // loops, and callers of the computation.
  bool FollowPassed(InstructionId link, InstructionId user) {
    std::vector<Passed> work;
    bool goes_on = Pass({link, {}}, user, &work);
    absl::flat_hash_set<std::pair<InstructionId, ShapeIndex>> seen;
    while (!work.empty()) {
      const Passed passed = std::move(work.back());
      work.pop_back();
      if (!seen.emplace(passed.value, passed.place).second) continue;
      if (seen.size() > kMostPassed) return true;
      const bool is_returned = v_.IsRoot(passed.value) && passed.computation(v_.module) != v_.module.entry();
      goes_on = goes_on || is_returned;
      for (InstructionId next : v_.users.users(passed.value)) goes_on = Pass(passed, next, &work) || goes_on;
    }
    return goes_on;
  }

  static constexpr size_t kMostPassed = 100;  // places of one link; more are not followed

  // A value with a link in it.
  struct Passed {
    InstructionId value;
    ShapeIndex place;  // of the link
    ComputationId computation(const Module& module) const { return module.instruction(value).computation; }
  };

  // Adds what `user` makes of a value with the link in it; whether the link goes on there otherwise.
  bool Pass(const Passed& passed, InstructionId user, std::vector<Passed>* work) {
    const Module& module = v_.module;
    const absl::Span<const InstructionId> operands = module.operands(user);
    switch (module.opcode(user)) {
      case Opcode::kTuple:
        for (size_t k = 0; k < operands.size(); ++k) {
          if (operands[k] != passed.value) continue;
          ShapeIndex place = {static_cast<int64_t>(k)};
          place.insert(place.end(), passed.place.begin(), passed.place.end());
          work->push_back({user, std::move(place)});
        }
        return false;
      case Opcode::kGetTupleElement:
        if (passed.place.empty()) return true;  // of a link itself: V136
        if (module.IntAttribute(user, AttributeKind::kIndex) != passed.place[0]) return false;
        work->push_back({user, ShapeIndex(passed.place.begin() + 1, passed.place.end())});
        return false;
      case Opcode::kOptBarrier:
      case Opcode::kDomain:
      case Opcode::kCopy:
        work->push_back({user, passed.place});
        return false;
      case Opcode::kAsyncDone:
        if (!absl::c_linear_search(dones_, user)) dones_.push_back(user);
        return true;
      default:  // updates begin chains of their own
        return true;
    }
  }

  Verification& v_;
  InstructionId head_;
  std::vector<InstructionId> dones_, ends_;
};

// The same instructions on the same operands, whatever their names.
bool SameStructure(const Module& module, ComputationId a, ComputationId b) {
  const auto& x = module.computation(a).instructions;
  const auto& y = module.computation(b).instructions;
  if (x.size() != y.size()) return false;
  absl::flat_hash_map<InstructionId, InstructionId> partner;
  for (size_t i = 0; i < x.size(); ++i) {
    const auto x_operands = module.operands(x[i]), y_operands = module.operands(y[i]);
    if (x_operands.size() != y_operands.size()) return false;
    for (size_t k = 0; k < x_operands.size(); ++k) {
      const auto it = partner.find(x_operands[k]);
      if (it == partner.end() || it->second != y_operands[k]) return false;
    }
    if (PrintInstruction(module, x[i], PrintOptions::Canonical()) !=
        PrintInstruction(module, y[i], PrintOptions::Canonical())) {
      return false;
    }
    partner.emplace(x[i], y[i]);
  }
  return true;
}

// V105: an update or done that names the computation names that of its start, or a copy of it where the chain goes
// through a loop.
void CheckSameComputation(Verification& v, InstructionId link) {
  const Module& module = v.module;
  const ComputationId own = module.ComputationAttribute(link, AttributeKind::kCalls);
  if (!own.has_value() || module.operands(link).empty()) return;
  const ComputationId other = WrappedComputation(module, module.operand(link, 0));
  if (!other.has_value() || other == own) return;
  if (!IsAsyncLink(module.opcode(module.operand(link, 0))) && SameStructure(module, own, other)) return;
  const Anchor at = Anchor::Attribute(AttributeKind::kCalls);
  Diagnostic& diagnostic = v.Report(DiagnosticKind::kAsyncComputations, link, at, module.InstructionName(link),
                                    module.ComputationName(own), module.ComputationName(other));
  const InstructionId start = FindAsyncStart(module, module.operand(link, 0));
  if (start.has_value()) diagnostic.Related(v.RangeOf(start, at), "the start of the chain");
}

// V111, V113.
void CheckWrappedComputation(Verification& v, ComputationId wrapped) {
  const Module& module = v.module;
  InstructionId start;
  InstructionId other;
  size_t starts = 0;
  for (InstructionId caller : v.users.callers(wrapped)) {
    const Opcode opcode = module.opcode(caller);
    if (opcode == Opcode::kAsyncStart) {
      if (++starts == 1) start = caller;
    } else if (opcode != Opcode::kAsyncUpdate && opcode != Opcode::kAsyncDone) {
      other = caller;
    }
  }
  if (!start.has_value()) return;
  const Anchor at = Anchor::Attribute(AttributeKind::kCalls);
  if (other.has_value()) {
    v.Report(DiagnosticKind::kSharedAsyncComputation, start, at, module.ComputationName(wrapped),
             module.InstructionName(other))
        .Related(v.RangeOf(other, Anchor::Instruction()), "the other caller");
  }
  const bool grouped = starts == 1 && FindFrontendAttribute(module, start, "_collectives_group") != nullptr;
  const Computation& computation = module.computation(wrapped);
  if (computation.execution_thread != "main" || grouped) return;
  for (InstructionId id : computation.instructions) {
    const Opcode opcode = module.opcode(id);
    // Parameters, one operation, and elements of tuples for barriers.
    if (opcode == Opcode::kParameter || opcode == Opcode::kGetTupleElement || id == computation.root) continue;
    if (!v.IsReadable(id)) return;
    v.Report(DiagnosticKind::kAsyncBody, start, at, module.ComputationName(wrapped))
        .Related(v.RangeOf(id, Anchor::Instruction()), "an operation besides the root");
    return;
  }
}

}  // namespace

void VerifyAsyncPairs(Verification& v) {
  const Module& module = v.module;
  v.ForEachInstruction([&](InstructionId id) {
    const Opcode opcode = module.opcode(id);
    if (!v.IsReadable(id)) return;
    if (IsPairStart(opcode)) {
      CheckPairStart(v, id);
    } else if (opcode == Opcode::kAsyncDone) {
      CheckSameComputation(v, id);
    } else if (StartOf(opcode) != Opcode::kInvalid) {
      CheckPairDone(v, id);
    } else if (opcode == Opcode::kGetTupleElement) {
      CheckContextRead(v, id);
    } else if (opcode == Opcode::kAsyncStart) {
      Chain(v, id).Check();
    } else if (opcode == Opcode::kAsyncUpdate) {
      CheckSameComputation(v, id);
      // An update whose operand is not a direct link starts a new part of a chain.
      const auto operands = module.operands(id);
      const bool continues = !operands.empty() && operands[0].has_value() && IsAsyncLink(module.opcode(operands[0]));
      if (!continues) Chain(v, id).Check();
    }
  });
}

void VerifyAsyncBodies(Verification& v) {
  v.ForEachComputation([&](ComputationId c) { CheckWrappedComputation(v, c); });
}

}  // namespace hloscope
