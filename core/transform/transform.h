// SPDX-License-Identifier: Apache-2.0
// Rewriting modules: the passes by name, and what they did.
#ifndef HLOSCOPE_CORE_TRANSFORM_TRANSFORM_H_
#define HLOSCOPE_CORE_TRANSFORM_TRANSFORM_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/ir/module.h"
#include "core/transform/cost_model.h"

namespace hloscope {

struct PassInfo {
  absl::string_view name;
  absl::string_view summary;  // one line
};
// In the order in which help texts list them.
absl::Span<const PassInfo> AllPasses();
// The passes of docs/rewrites.md 3 and 4, which run when none is named.
std::vector<std::string> DefaultPasses();

struct TransformOptions {
  CostTarget target = CostTarget::Tpu();
  // Leave alone what would re-associate floating-point sums and products.
  bool exact_only = false;
  // Fill in Application::notes, removed and added, and TransformResult::refusals.
  bool explain = false;
  // Where not empty, only instructions of this name start a rewrite of their own (clean-ups are no rewrites).
  std::string only_instruction;
  // The same for the instructions of one computation.
  std::string only_computation;
  // The value of an instruction whose operands have these values, for `fold-constants`, which does nothing without it.
  // Any error leaves the instruction as it is.
  std::function<absl::StatusOr<Literal>(const Module& module, InstructionId id,
                                        absl::Span<const Literal* const> operands)>
      fold;
  // Results of more bytes are not folded unless they are smaller than the operands.
  int64_t fold_limit_bytes = 1 << 16;
};

// One rewrite.
struct Application {
  std::string pass;
  std::string computation, instruction;  // names when it was applied
  std::string pattern;                   // "reduce of a reshape: {1,2} before the reshape, {1} after it"
  bool reassociates = false;             // floating-point sums or products are grouped differently
  TransformCost before, after;           // of the instructions that went, and of those that came
  // With TransformOptions::explain: why, then the instructions as text.
  std::vector<std::string> notes, removed, added;
};

// A candidate for a rewrite in the module as it became, and why it stays: what did not match, or what it would cost.
struct Refusal {
  std::string pass;
  std::string computation, instruction;
  std::string reason;
};

struct TransformResult {
  Module module;
  bool changed = false;
  // With TransformOptions::explain, for reshape-reduce (reduces over reshapes), reshape-elementwise (reshapes of
  // elementwise instructions), fold-constants (instructions whose operands are constants), cse (instructions that are
  // equal but for something), dce (instructions that nothing uses), algebraic (instructions of the form of a rule),
  // inline-calls (calls) and unfuse (fusions).
  std::vector<Refusal> refusals;
  std::vector<Application> applications;  // in order; clean-ups are not listed
  // Some candidates were not tried, because modules like this one take too long.
  bool gave_up = false;
};

// Runs the passes in order, again and again until nothing changes. `module` must be free of errors. Error
// InvalidArgument for an unknown pass, naming the nearest known one.
//
// The result has the same entry signature, an order that respects operands (the schedule, if the module has one) and
// unique names; running the same passes on it changes nothing. Instructions that are only rebuilt keep their names.
absl::StatusOr<TransformResult> TransformModule(const Module& module, absl::Span<const std::string> passes,
                                                const TransformOptions& options);

// What each single rewrite of the passes would do to the module as it is, for front ends that offer them one by one:
// each of these is applied by TransformModule with `only_instruction`. Errors as TransformModule.
absl::StatusOr<std::vector<Application>> FindApplications(const Module& module, absl::Span<const std::string> passes,
                                                          const TransformOptions& options);

// By instruction: the first of dce, cse, algebraic, reshape-reduce and reshape-elementwise after which, run in this
// order and once more, the instruction is gone; empty if it stays. An instruction that is gone may have been made again
// in another shape.
std::vector<absl::string_view> PassesThatRemove(const Module& module, const TransformOptions& options);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_TRANSFORM_TRANSFORM_H_
