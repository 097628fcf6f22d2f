// SPDX-License-Identifier: Apache-2.0
#include "core/transform/transform.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/diagnostics/suggestions.h"
#include "core/print/printer.h"
#include "core/transform/pass.h"

namespace hloscope {
namespace {

struct Pass {
  PassInfo info;
  void (*run)(PassContext&);
};
constexpr Pass kPasses[] = {
#define HLOSCOPE_PASS(Function, name, summary) {{name, summary}, Function},
#include "core/transform/passes.def"
};

constexpr absl::string_view kReduce = "reshape-reduce", kElementwise = "reshape-elementwise";
// Every module may be looked at so often; what needs more is left alone.
constexpr int64_t kWorkPerInstruction = 64, kLeastWork = 1 << 20;
// A pass that keeps changing its own result would be a mistake; it must not hang.
constexpr int kMaxRounds = 100;

absl::StatusOr<std::vector<const Pass*>> FindPasses(absl::Span<const std::string> names) {
  std::vector<const Pass*> passes;
  for (const std::string& name : names) {
    const auto it =
        std::find_if(std::begin(kPasses), std::end(kPasses), [&](const Pass& p) { return p.info.name == name; });
    if (it == std::end(kPasses)) {
      std::vector<absl::string_view> known;
      for (const Pass& pass : kPasses) known.push_back(pass.info.name);
      const absl::string_view nearest = NearestName(name, known);
      return absl::InvalidArgumentError(
          nearest.empty() ? absl::StrCat("there is no pass `", name, "`; passes are ", absl::StrJoin(known, ", "))
                          : absl::StrCat("there is no pass `", name, "`; did you mean `", nearest, "`?"));
    }
    passes.push_back(it);
  }
  return passes;
}

void Prepare(PassContext& context, absl::Span<const Pass* const> passes) {
  context.work_left =
      std::max(kLeastWork, kWorkPerInstruction * static_cast<int64_t>(context.module.instruction_count()));
  for (const Pass* pass : passes) {
    context.reduce_enabled = context.reduce_enabled || pass->info.name == kReduce;
    context.elementwise_enabled = context.elementwise_enabled || pass->info.name == kElementwise;
  }
}

}  // namespace

absl::Span<const PassInfo> AllPasses() {
  static const std::vector<PassInfo>& infos = *new std::vector<PassInfo>([] {
    std::vector<PassInfo> list;
    for (const Pass& pass : kPasses) list.push_back(pass.info);
    return list;
  }());
  return infos;
}

std::vector<std::string> DefaultPasses() { return {std::string(kReduce), std::string(kElementwise)}; }

bool PassContext::Try(absl::string_view pass, InstructionId root, absl::FunctionRef<bool(Application*)> apply,
                      bool must_pay) {
  Application application;
  application.pass = std::string(pass);
  application.computation = std::string(module.ComputationName(module.instruction(root).computation));
  application.instruction = std::string(module.InstructionName(root));
  // What goes is described while its operands still have their names.
  const ModuleEditor::Mark mark = editor.mark();
  if (!apply(&application)) {
    editor.UndoTo(mark);
    return false;
  }
  std::vector<InstructionId> added, erased;
  editor.Difference(mark, &added, &erased);
  Work(added.size() + erased.size());
  for (InstructionId id : erased) application.before += cost.Of(id);
  for (InstructionId id : added) application.after += cost.Of(id);
  if (must_pay && !application.after.IsLessThan(application.before)) {
    editor.UndoTo(mark);
    Refuse(pass, root,
           absl::StrCat("it does not pay: ", application.before.moved_bytes(), " bytes moved now, ",
                        application.after.moved_bytes(), " after it"));
    return false;
  }
  if (options.explain) {
    const auto describe = [&](const std::vector<InstructionId>& ids, std::vector<std::string>* out) {
      std::vector<InstructionId> sorted = ids;
      std::sort(sorted.begin(), sorted.end());
      for (InstructionId id : sorted) {
        PrintOptions print = PrintOptions::Short();
        print.large_constants = false;
        print.backend_config = false;
        out->push_back(PrintInstruction(module, id, print));
      }
    };
    describe(erased, &application.removed);
    describe(added, &application.added);
  }
  applications.push_back(std::move(application));
  if (!dry_run) {
    editor.Commit();
    return true;
  }
  editor.UndoTo(mark);
  return false;
}

void PassContext::Refuse(absl::string_view pass, InstructionId root, std::string reason) {
  if (!explains_refusals) return;
  const absl::string_view instruction = module.InstructionName(root);
  const absl::string_view computation = module.ComputationName(module.instruction(root).computation);
  if (!refusals.empty() && refusals.back().instruction == instruction && refusals.back().computation == computation) {
    refusals.pop_back();
  }
  refusals.push_back({std::string(pass), std::string(computation), std::string(instruction), std::move(reason)});
}

bool PassContext::Attempt(absl::string_view pass, InstructionId root, absl::FunctionRef<bool(Application*)> apply) {
  return Try(pass, root, apply, /*must_pay=*/true);
}

bool PassContext::AttemptAlways(absl::string_view pass, InstructionId root,
                                absl::FunctionRef<bool(Application*)> apply) {
  return Try(pass, root, apply, /*must_pay=*/false);
}

absl::StatusOr<TransformResult> TransformModule(const Module& module, absl::Span<const std::string> names,
                                                const TransformOptions& options) {
  const absl::StatusOr<std::vector<const Pass*>> passes = FindPasses(names);
  if (!passes.ok()) return passes.status();
  ModuleEditor editor(module);
  PassContext context(editor, options, /*dry_run=*/false);
  Prepare(context, *passes);
  for (int round = 0; round < kMaxRounds; ++round) {
    const uint64_t before = editor.version();
    for (const Pass* pass : *passes) pass->run(context);
    if (editor.version() == before) break;
  }
  TransformResult result;
  if (options.explain) {
    // What is left: nothing can be applied any more, so that looking again says why.
    PassContext left(editor, options, /*dry_run=*/true);
    Prepare(left, *passes);
    left.explains_refusals = true;
    left.original_size = context.original_size;
    for (const Pass* pass : *passes) pass->run(left);
    result.refusals = std::move(left.refusals);
  }
  result.changed = editor.has_changes();
  result.module = result.changed ? editor.Finish(context.drop_uncalled) : module;
  result.applications = std::move(context.applications);
  result.gave_up = !context.HasWorkLeft();
  return result;
}

absl::StatusOr<std::vector<Application>> FindApplications(const Module& module, absl::Span<const std::string> names,
                                                          const TransformOptions& options) {
  const absl::StatusOr<std::vector<const Pass*>> passes = FindPasses(names);
  if (!passes.ok()) return passes.status();
  ModuleEditor editor(module);
  PassContext context(editor, options, /*dry_run=*/true);
  Prepare(context, *passes);
  for (const Pass* pass : *passes) pass->run(context);
  return std::move(context.applications);
}

std::vector<absl::string_view> PassesThatRemove(const Module& module, const TransformOptions& options) {
  const std::string names[] = {"dce", "cse", "algebraic", std::string(kReduce), std::string(kElementwise)};
  const std::vector<const Pass*> passes = *FindPasses(names);
  ModuleEditor editor(module);
  PassContext context(editor, options, /*dry_run=*/false);
  Prepare(context, passes);
  std::vector<absl::string_view> removed_by(module.instruction_count());
  for (int round = 0; round < 2; ++round) {
    for (const Pass* pass : passes) {
      const uint64_t version = editor.version();
      pass->run(context);
      if (editor.version() == version) continue;
      for (uint32_t i = 0; i < removed_by.size(); ++i) {
        if (removed_by[i].empty() && !editor.IsAlive(InstructionId(i))) removed_by[i] = pass->info.name;
      }
    }
  }
  return removed_by;
}

}  // namespace hloscope
