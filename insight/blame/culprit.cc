// SPDX-License-Identifier: Apache-2.0
#include "insight/blame/culprit.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "core/analysis/instruction_attributes.h"
#include "core/print/print_order.h"
#include "insight/blame/passed_on.h"
#include "insight/fingerprint/fingerprint.h"

namespace hloscope::insight {
namespace {

class Search {
 public:
  Search(const ValueFlow& a, const ValueFlow& b, const ValueMatch& match, const evaluator::RunComparison& comparison)
      : a_(a),
        b_(b),
        match_(match),
        comparison_(comparison),
        applied_a_(ComputationFingerprints(a.module())),
        applied_b_(ComputationFingerprints(b.module())),
        passed_on_(b) {
    for (uint32_t i = 0; i < a.module().instruction_count(); ++i) {
      by_name_a_.emplace(a.module().InstructionName(InstructionId(i)), InstructionId(i));
    }
    for (size_t k = 0; k < comparison.divergences.size(); ++k) divergence_of_.emplace(comparison.divergences[k].a, k);
  }

  std::optional<Culprit> Run() const {
    std::optional<Culprit> grown;
    for (size_t k = 0; k < comparison_.divergences.size(); ++k) {
      const evaluator::Divergence& one = comparison_.divergences[k];
      // What is computed from something that differed before says nothing; of a loop, its body does.
      if (HasDivergingOperand(one.a, k)) continue;
      if (const auto [before, constant] = OtherConstant(one.a, one.b); constant.has_value()) {
        return Culprit{constant, before, k, true};
      }
      if (IsChanged(one.a, one.b)) return Found(one.a, one.b, k);
      if (!grown && a_.callee_results(one.a).empty()) grown = Grown(one, k);
    }
    if (const InstructionId put_in = InstructionInResults(); put_in.has_value()) {
      return Culprit{put_in, InstructionId(), comparison_.divergences.empty() ? Culprit::kNone : 0, true};
    }
    if (grown) return grown;
    if (comparison_.divergences.empty()) return std::nullopt;
    const evaluator::Divergence& first = comparison_.divergences[0];
    return Culprit{first.b, first.a, 0, false};
  }

 private:
  // Before divergence number `number`: in loops, what differs first makes its own operands differ later.
  bool HasDivergingOperand(InstructionId a, size_t number) const {
    const auto any = [&](absl::Span<const InstructionId> list) {
      return std::any_of(list.begin(), list.end(), [&](InstructionId id) {
        const auto it = divergence_of_.find(id);
        return it != divergence_of_.end() && it->second < number;
      });
    };
    return any(a_.operands(a)) || any(a_.initial_values(a)) || any(a_.callee_results(a));
  }

  // What a pass put between a value and the result of a computation: no user of it can be compared. Or what the result
  // passes on that was computed before.
  InstructionId InstructionInResults() const {
    const auto first_other = [&](absl::Span<const InstructionId> p, absl::Span<const InstructionId> q,
                                 InstructionId root) {
      for (size_t k = 0; k < q.size() && p.size() == q.size(); ++k) {
        if (Correspond(p[k], q[k])) continue;
        if (!match_.partner_of_b[q[k].index()].has_value()) return FirstPutIn(q[k]);
        if (!root.has_value()) continue;
        const InstructionId passing = OtherPassing(root, q[k]);
        return passing.has_value() ? passing : root;
      }
      return InstructionId();
    };
    for (InstructionId x : a_.order()) {
      const InstructionId y = match_.partner_of_a[x.index()];
      if (!y.has_value() || a_.callee_results(x).empty()) continue;
      const InstructionId found = first_other(a_.callee_results(x), b_.callee_results(y), InstructionId());
      if (found.has_value()) return found;
    }
    const Module &ma = a_.module(), &mb = b_.module();
    if (!ma.entry().has_value() || !mb.entry().has_value()) return InstructionId();
    const InstructionId root_a = ma.computation(ma.entry()).root, root_b = mb.computation(mb.entry()).root;
    if (!root_a.has_value() || !root_b.has_value()) return InstructionId();
    return first_other(a_.carriers(root_a), b_.carriers(root_b), root_b);
  }

  // Between `from` and its carrier `y`, the instruction nearest to the carrier that passes the value on where the first
  // module has another one of the name, or none.
  InstructionId OtherPassing(InstructionId from, InstructionId y) const {
    const Module &ma = a_.module(), &mb = b_.module();
    InstructionId found;
    for (InstructionId id : passed_on_.Chain(from, y)) {
      // What these give is that of another instruction of the chain.
      const Opcode opcode = mb.opcode(id);
      if (opcode == Opcode::kParameter || opcode == Opcode::kFusion || opcode == Opcode::kCall) continue;
      const auto it = by_name_a_.find(mb.InstructionName(id));
      const bool is_same = it != by_name_a_.end() && ma.opcode(it->second) == mb.opcode(id) &&
                           ShapesCompatible(ma.shape(it->second), mb.shape(id));
      if (!is_same) found = id;
    }
    return found;
  }

  // Where y has a value that was computed before in the place of what x has: what passes it on.
  InstructionId OtherPassingTo(InstructionId x, InstructionId y) const {
    const absl::Span<const InstructionId> p = a_.operands(x), q = b_.operands(y);
    for (size_t k = 0; k < p.size() && p.size() == q.size(); ++k) {
      const InstructionId partner = match_.partner_of_b[q[k].index()];
      // Operands that x has, too, in another order: y itself is what changed.
      if (Correspond(p[k], q[k]) || !partner.has_value() || std::find(p.begin(), p.end(), partner) != p.end()) continue;
      const InstructionId from = passed_on_.OperandOf(y, k);
      if (!from.has_value()) continue;
      if (const InstructionId found = OtherPassing(from, q[k]); found.has_value()) return found;
    }
    return InstructionId();
  }

  // An operand of y, or what an element of a loop's state begins with, that is a constant of another value than its
  // counterpart, or than the operand of x of its name: a new value may be that of another constant, which is then its
  // counterpart. Runs do not compare these. First what it was; none if there is no such operand.
  std::pair<InstructionId, InstructionId> OtherConstant(InstructionId x, InstructionId y) const {
    using Pair = std::pair<InstructionId, InstructionId>;
    const Module &ma = a_.module(), &mb = b_.module();
    const auto other_of = [&](absl::Span<const InstructionId> p, absl::Span<const InstructionId> q) {
      for (InstructionId operand : q) {
        if (!mb.instruction(operand).literal.has_value()) continue;
        const auto named = by_name_a_.find(mb.InstructionName(operand));
        for (InstructionId before :
             {match_.partner_of_b[operand.index()], named != by_name_a_.end() ? named->second : InstructionId()}) {
          if (!before.has_value() || !ma.instruction(before).literal.has_value()) continue;
          if (ma.literal(before) == mb.literal(operand) || !HasConstant(p, before)) continue;
          return Pair(before, operand);
        }
      }
      return Pair();
    };
    const Pair operand = other_of(a_.operands(x), b_.operands(y));
    return operand.second.has_value() ? operand : other_of(a_.initial_values(x), b_.initial_values(y));
  }

  // The constant, or one of its value: the pass may have made one of several.
  bool HasConstant(absl::Span<const InstructionId> operands, InstructionId constant) const {
    const Module& module = a_.module();
    return std::any_of(operands.begin(), operands.end(), [&](InstructionId id) {
      return id == constant ||
             (module.instruction(id).literal.has_value() && module.literal(id) == module.literal(constant));
    });
  }

  bool Correspond(InstructionId x, InstructionId y) const { return match_.partner_of_a[x.index()] == y; }

  bool HasOtherOperands(InstructionId x, InstructionId y) const {
    const auto differ = [&](absl::Span<const InstructionId> p, absl::Span<const InstructionId> q) {
      return !std::equal(p.begin(), p.end(), q.begin(), q.end(),
                         [&](InstructionId i, InstructionId j) { return Correspond(i, j); });
    };
    return differ(a_.operands(x), b_.operands(y)) || differ(a_.callee_results(x), b_.callee_results(y));
  }

  bool IsChanged(InstructionId x, InstructionId y) const { return ComputesOther(x, y) || HasOtherOperands(x, y); }

  // Opcode, type, value or attributes differ.
  bool ComputesOther(InstructionId x, InstructionId y) const {
    const Module &ma = a_.module(), &mb = b_.module();
    if (ma.opcode(x) != mb.opcode(y)) return true;
    // Where a result is its operand's memory, its layout says what is where.
    const bool by_layout = ma.opcode(x) == Opcode::kBitcast;
    const auto text = [&](const Module& module, InstructionId id) {
      return by_layout ? module.shape(id).ToStringWithDefaultLayouts() : module.shape(id).ToString(false);
    };
    if (text(ma, x) != text(mb, y)) return true;
    const bool has_value = ma.instruction(x).literal.has_value();
    if (has_value != mb.instruction(y).literal.has_value()) return true;
    if (has_value && !(ma.literal(x) == mb.literal(y))) return true;
    if (AttributeTexts(ma, x, AttributesCompared::kValues) != AttributeTexts(mb, y, AttributesCompared::kValues)) {
      return true;
    }
    return a_.callee_results(x).empty() && Applied(ma, applied_a_, x) != Applied(mb, applied_b_, y);
  }

  // What the computations say that an instruction applies to single elements.
  static std::vector<std::string> Applied(const Module& module, const std::vector<Fingerprint>& all, InstructionId id) {
    std::vector<std::string> list;
    ForEachCalleeInOrder(module, id, false, [&](ComputationId callee) {
      if (callee.has_value()) list.push_back(all[callee.index()].ToString());
    });
    return list;
  }

  // From the first value that differs up to the first instruction that has no counterpart: what a pass put in between.
  Culprit Found(InstructionId x, InstructionId y, size_t number) const {
    InstructionId put_in = FirstPutIn(y);
    if (put_in == y && !ComputesOther(x, y)) {
      if (const InstructionId passing = OtherPassingTo(x, y); passing.has_value()) put_in = passing;
      if (const InstructionId inside = PutInCallees(x, y); inside.has_value()) put_in = inside;
    }
    return Culprit{put_in, put_in == y ? x : InstructionId(), number, true};
  }

  // A difference that appears where nothing changed: what was changed nearest before it. Next to huge elements, such as
  // those of a mask, a wrong one is within the tolerance of its array. Else a difference of rounding that grew.
  Culprit Grown(const evaluator::Divergence& one, size_t number) const {
    std::vector<InstructionId> reached = {one.a};
    absl::flat_hash_set<InstructionId> seen = {one.a};
    for (size_t next = 0; next < reached.size(); ++next) {
      for (InstructionId operand : a_.operands(reached[next])) {
        if (!seen.insert(operand).second) continue;
        const InstructionId partner = match_.partner_of_a[operand.index()];
        if (partner.has_value() && IsChanged(operand, partner)) return Found(operand, partner, number);
        reached.push_back(operand);
      }
    }
    return Culprit{one.b, one.a, number, false};
  }

  // What a pass put in front of what a computation returns that both run: the body of a loop, for instance.
  InstructionId PutInCallees(InstructionId x, InstructionId y) const {
    const absl::Span<const InstructionId> p = a_.callee_results(x), q = b_.callee_results(y);
    for (size_t k = 0; k < p.size() && p.size() == q.size(); ++k) {
      if (!Correspond(p[k], q[k]) && !match_.partner_of_b[q[k].index()].has_value()) return FirstPutIn(q[k]);
    }
    return InstructionId();
  }

  InstructionId FirstPutIn(InstructionId b) const {
    absl::flat_hash_set<InstructionId> seen = {b};
    for (;;) {
      InstructionId next;
      for (InstructionId operand : b_.operands(b)) {
        if (match_.partner_of_b[operand.index()].has_value() || !seen.insert(operand).second) continue;
        next = operand;
        break;
      }
      if (!next.has_value()) return b;
      b = next;
    }
  }

  const ValueFlow &a_, &b_;
  const ValueMatch& match_;
  const evaluator::RunComparison& comparison_;
  const std::vector<Fingerprint> applied_a_, applied_b_;
  const PassedOn passed_on_;  // of b
  absl::flat_hash_map<absl::string_view, InstructionId> by_name_a_;
  absl::flat_hash_map<InstructionId, size_t> divergence_of_;
};

}  // namespace

std::optional<Culprit> FindCulprit(const ValueFlow& a, const ValueFlow& b, const ValueMatch& match,
                                   const evaluator::RunComparison& comparison) {
  return Search(a, b, match, comparison).Run();
}

}  // namespace hloscope::insight
