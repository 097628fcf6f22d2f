// SPDX-License-Identifier: Apache-2.0
#include "insight/blame/stand_ins.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "core/ir/shape.h"

namespace hloscope::insight {
namespace {

class Pairing {
 public:
  Pairing(const ValueFlow& a, const ValueFlow& b, ValueMatch* match) : a_(a), b_(b), match_(*match) {}

  void Run() {
    for (InstructionId id : a_.order()) {
      const InstructionId partner = match_.partner_of_a[id.index()];
      if (partner.has_value()) open_.emplace_back(id, partner);
    }
    const Module &ma = a_.module(), &mb = b_.module();
    const InstructionId root_a = ma.computation(ma.entry()).root, root_b = mb.computation(mb.entry()).root;
    if (root_a.has_value() && root_b.has_value()) PairLists(a_.carriers(root_a), b_.carriers(root_b));
    while (!open_.empty()) {
      const auto [x, y] = open_.back();
      open_.pop_back();
      PairLists(a_.operands(x), b_.operands(y));
      PairLists(a_.initial_values(x), b_.initial_values(y));
      PairLists(a_.callee_results(x), b_.callee_results(y));
    }
  }

 private:
  void PairLists(absl::Span<const InstructionId> x, absl::Span<const InstructionId> y) {
    if (x.size() != y.size()) return;
    for (size_t k = 0; k < x.size(); ++k) {
      InstructionId& in_b = match_.partner_of_a[x[k].index()];
      InstructionId& in_a = match_.partner_of_b[y[k].index()];
      if (in_b.has_value() || in_a.has_value()) continue;
      if (!ShapesCompatible(a_.module().shape(x[k]), b_.module().shape(y[k]))) continue;
      in_b = y[k];
      in_a = x[k];
      open_.emplace_back(x[k], y[k]);
    }
  }

  const ValueFlow &a_, &b_;
  ValueMatch& match_;
  std::vector<std::pair<InstructionId, InstructionId>> open_;
};

}  // namespace

void AddStandIns(const ValueFlow& a, const ValueFlow& b, ValueMatch* match) {
  if (!a.module().entry().has_value() || !b.module().entry().has_value()) return;
  Pairing(a, b, match).Run();
}

}  // namespace hloscope::insight
