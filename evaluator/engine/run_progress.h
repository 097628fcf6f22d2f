// SPDX-License-Identifier: Apache-2.0
// How far a run has come, for another thread to look at.
#ifndef HLOSCOPE_EVALUATOR_ENGINE_RUN_PROGRESS_H_
#define HLOSCOPE_EVALUATOR_ENGINE_RUN_PROGRESS_H_

#include <atomic>
#include <cstdint>
#include <vector>

#include "core/ir/module.h"

namespace hloscope::evaluator {

// Operations (core/analysis/cost.h) of one step of each instruction. Instructions whose computations run step by step
// do none themselves.
std::vector<int64_t> StepFlops(const Module& module);

// Operations of a whole run on one device, loops without a known trip count counted once.
int64_t RunFlops(const Module& module);

// The run writes, anybody may read. Sums over all devices that share it.
struct RunProgress {
  explicit RunProgress(const Module& module) : step_flops(StepFlops(module)) {}

  // Called by the run's thread only.
  void CountStep(InstructionId id) {
    Add(steps, 1);
    Add(flops, step_flops[id.index()]);
  }
  void CountSteps(int64_t count) { Add(steps, count); }

  const std::vector<int64_t> step_flops;
  std::atomic<int64_t> steps{0};
  std::atomic<uint32_t> kernel{UINT32_MAX};  // id of the instruction whose kernel was begun last
  std::atomic<int64_t> making{-1};           // number of the parameter whose value is being made; -1: of none
  std::atomic<int64_t> flops{0};  // without those of instructions that were executed as part of a loop over scalars

 private:
  static void Add(std::atomic<int64_t>& counter, int64_t count) {
    counter.store(counter.load(std::memory_order_relaxed) + count, std::memory_order_relaxed);
  }
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_ENGINE_RUN_PROGRESS_H_
