// SPDX-License-Identifier: Apache-2.0
#include "core/verify/verifier.h"

#include <atomic>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/source/second_thread.h"
#include "core/verify/checks.h"
#include "core/verify/verification.h"

namespace hloscope {

void VerifyModule(const Module& module, const VerifyOptions& options, const AnchorResolver& resolver,
                  DiagnosticSink& sink) {
  VerifyModule(module, ModuleIndex(module), options, resolver, sink);
}

void VerifyModule(const Module& module, const ModuleIndex& index, const VerifyOptions& options,
                  const AnchorResolver& resolver, DiagnosticSink& sink, const VerifyScope* scope) {
  Verification v(module, index, options, resolver, sink, scope);
  for (const Check& check : Checks()) {
    if (!v.Begin(check)) continue;
    check.run(v);
    if (v.is_stopped()) return;
  }
}

namespace {

// What one thread does without the other: a check, or its part of some instructions.
struct Task {
  const Check* check;
  IdRange instructions;
};

// In the order of their diagnostics. The check of shapes takes as long as all others, and what it keeps of one
// instruction matters to no other: it is cut.
std::vector<Task> TasksOf(absl::Span<const Check> checks, size_t instruction_count) {
  constexpr uint32_t kInstructionsOfTask = 8192;
  std::vector<Task> tasks;
  for (const Check& check : checks) {
    if (check.stage != CheckStage::kShapes) {
      tasks.push_back({&check, {}});
      continue;
    }
    for (uint32_t first = 0; first < instruction_count; first += kInstructionsOfTask) {
      tasks.push_back({&check, {first, first + kInstructionsOfTask}});
    }
  }
  return tasks;
}

}  // namespace

void VerifyModuleOnTwoThreads(const Module& module, const ModuleIndex& index, const VerifyOptions& options,
                              const AnchorResolver& resolver, const AnchorResolver& second_resolver,
                              DiagnosticSink& sink) {
  const std::vector<Task> tasks = TasksOf(Checks(), module.instruction_count());
  std::vector<DiagnosticSink> sinks(tasks.size());
  // Whether the check lets others rely on the module.
  const auto run = [&](size_t i, const AnchorResolver& places) {
    Verification v(module, index, options, places, sinks[i]);
    v.SetInstructions(tasks[i].instructions);
    if (v.Begin(*tasks[i].check)) tasks[i].check->run(v);
    return !v.is_stopped();
  };
  if (run(0, resolver)) {
    std::atomic<size_t> next = 1;
    const auto run_rest = [&](const AnchorResolver& places) {
      for (size_t i = next++; i < tasks.size(); i = next++) run(i, places);
    };
    SecondThread second([&] { run_rest(second_resolver); });
    run_rest(resolver);
  }
  for (DiagnosticSink& of_task : sinks) sink.Append(std::move(of_task));
}

}  // namespace hloscope
