// SPDX-License-Identifier: Apache-2.0
// Made-up values for constants whose text was left out (`{...}`), on request only.
#ifndef HLOSCOPE_EVALUATOR_ENGINE_ELIDED_CONSTANTS_H_
#define HLOSCOPE_EVALUATOR_ENGINE_ELIDED_CONSTANTS_H_

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "core/ir/module.h"
#include "evaluator/tensor/fill.h"
#include "evaluator/tensor/value.h"
#include "numerics/parallel/executor.h"

namespace hloscope::evaluator {

// Callers must tell the user, naming the constants: nothing is ever filled silently.
std::vector<InstructionId> ElidedConstants(const Module& module);

// How the values of a module's elided constants are made: each a pure function of its rule, the seed, and its stream.
struct ElidedConstantFill {
  FillRule rule;  // of those that `rules` does not name
  absl::flat_hash_map<InstructionId, FillRule> rules;
  uint64_t seed = 0;
  // Instead of StreamOfName (evaluator/kernels/interface/kernel.h), for constants that stand for one of another module.
  std::shared_ptr<const absl::flat_hash_map<InstructionId, uint64_t>> streams;
};

// Every constant filled by `rule`; where that is FillKind::kRandom, as PlausibleFills says.
ElidedConstantFill FillOfConstants(const Module& module, const FillRule& rule, uint64_t seed);

struct FilledModule {
  std::shared_ptr<const Module> module;  // the same one if nothing was filled
  std::vector<InstructionId> filled;     // the constants that were given a value
};

// The module with every elided constant of at most `largest_bytes` given its value. Errors: those of FillValue.
absl::StatusOr<FilledModule> FillElidedConstants(const std::shared_ptr<const Module>& module,
                                                 const ElidedConstantFill& fill,
                                                 int64_t largest_bytes = std::numeric_limits<int64_t>::max());
absl::StatusOr<FilledModule> FillElidedConstants(const std::shared_ptr<const Module>& module, const FillRule& rule,
                                                 uint64_t seed);

// For a run (SessionOptions::elided_constants): small constants, which computations that are applied to scalars are
// compiled with, have their values in the module; the others are made when something reads them.
struct LazilyFilledModule {
  std::shared_ptr<const Module> module;
  std::vector<InstructionId> filled;  // small and large ones
  std::function<absl::StatusOr<Value>(InstructionId constant, numerics::Executor* executor)> make;
};
absl::StatusOr<LazilyFilledModule> FillElidedConstantsLazily(const std::shared_ptr<const Module>& module,
                                                             ElidedConstantFill fill);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_ENGINE_ELIDED_CONSTANTS_H_
