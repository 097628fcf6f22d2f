// SPDX-License-Identifier: Apache-2.0
#include "core/print/inline_plan.h"

#include <algorithm>

#include "core/print/print_order.h"

namespace hloscope {
namespace {

// Called computations are written in place at most this deep inside each other.
constexpr int kMaxInlineDepth = 100;
// A text whose called computations print in place has at most about this many instructions.
constexpr double kMaxInlinedInstructions = 2e6;

// Not a computation that asynchronous sugar stands for.
bool IsWrittenInline(const Computation& computation) {
  return computation.is_anonymous && computation.syntax != Computation().syntax;
}

}  // namespace

std::vector<bool> PlanInlining(const Module& module, bool only_written, PrintOrder print_order) {
  const size_t count = module.computations().size();
  std::vector<bool> is_inlined(count, false), is_called(count, false);
  const std::vector<ComputationId> order = ComputationPrintOrder(module, print_order);
  for (double limit = kMaxInlinedInstructions;; limit /= 10) {
    // Instructions printed for each computation, with what prints in place of its callees; callees come first.
    std::vector<double> size(count, 0);
    std::vector<int> depth(count, 0);
    double total = 0;
    for (ComputationId id : order) {
      const size_t c = id.index();
      size[c] = static_cast<double>(module.computation(id).instructions.size());
      for (InstructionId instruction : module.computation(id).instructions) {
        if (module.attributes(instruction).empty()) continue;
        ForEachCalleeInOrder(module, instruction, false, [&](ComputationId callee) {
          is_called[callee.index()] = true;
          if (!is_inlined[callee.index()]) return;
          size[c] += size[callee.index()];
          depth[c] = std::max(depth[c], depth[callee.index()] + 1);
        });
      }
      is_inlined[c] = id != module.entry() && size[c] <= limit && depth[c] < kMaxInlineDepth;
      // A computation with a name prints itself, whether or not it also prints in place.
      if (!is_inlined[c] || !module.computation(id).is_anonymous) total += size[c];
    }
    if (total <= kMaxInlinedInstructions || limit < 1) break;
  }
  for (size_t c = 0; c < count; ++c) {
    if (!is_called[c] || (only_written && !IsWrittenInline(module.computations()[c]))) is_inlined[c] = false;
  }
  return is_inlined;
}

}  // namespace hloscope
