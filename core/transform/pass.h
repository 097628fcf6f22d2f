// SPDX-License-Identifier: Apache-2.0
// What a pass works with. Adding one: a file that defines its function, and a row of passes.def.
#ifndef HLOSCOPE_CORE_TRANSFORM_PASS_H_
#define HLOSCOPE_CORE_TRANSFORM_PASS_H_

#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "core/transform/cost_model.h"
#include "core/transform/module_editor.h"
#include "core/transform/transform.h"

namespace hloscope {

class PassContext {
 public:
  PassContext(ModuleEditor& editor, const TransformOptions& options, bool dry_run)
      : editor(editor),
        module(editor.module()),
        options(options),
        cost(editor.module(), options.target),
        dry_run(dry_run),
        original_size(editor.module().instruction_count()) {}

  // Edits the module through `apply` and keeps that if the instructions that came cost less than those that went;
  // otherwise, and if `apply` returns false, everything is as before. `apply` fills in what only it knows about the
  // application. In a dry run nothing is kept, but the application is listed and the result is false.
  bool Attempt(absl::string_view pass, InstructionId root, absl::FunctionRef<bool(Application*)> apply);
  // The same without regard to costs, for rewrites that are gains by their form.
  bool AttemptAlways(absl::string_view pass, InstructionId root, absl::FunctionRef<bool(Application*)> apply);

  // The candidate stays as it is; only the last reason counts. Nothing is noted unless explains_refusals.
  void Refuse(absl::string_view pass, InstructionId root, std::string reason);

  // Whether rewrites may start at the instruction.
  bool IsWanted(InstructionId id) const {
    return (options.only_instruction.empty() || module.InstructionName(id) == options.only_instruction) &&
           (options.only_computation.empty() ||
            module.ComputationName(module.instruction(id).computation) == options.only_computation);
  }
  // Instructions that rewrites may still look at before the module counts as too hard.
  bool HasWorkLeft() const { return work_left > 0; }
  void Work(size_t instructions) { work_left -= static_cast<int64_t>(instructions); }

  ModuleEditor& editor;
  const Module& module;
  const TransformOptions& options;
  CostModel cost;
  const bool dry_run;
  size_t original_size;  // instructions of the module before the first pass
  std::vector<Application> applications;
  std::vector<Refusal> refusals;
  bool explains_refusals = false;
  int64_t work_left = 0;
  bool drop_uncalled = false;  // computations that nothing calls are left out of the result
  bool reduce_enabled = false, elementwise_enabled = false;  // which of the reshape rewrites were asked for

 private:
  bool Try(absl::string_view pass, InstructionId root, absl::FunctionRef<bool(Application*)> apply, bool must_pay);
};

#define HLOSCOPE_PASS(Function, name, summary) void Function(PassContext& context);
#include "core/transform/passes.def"

// The clean-ups after the reshape rewrites (docs/rewrites.md 5) on one computation: reshapes of reshapes, identity
// reshapes, broadcasts of broadcasts, common subexpressions, dead code.
void CleanUp(PassContext& context, ComputationId computation);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_TRANSFORM_PASS_H_
