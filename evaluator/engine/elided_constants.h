// Made-up values for constants whose text was left out (`{...}`), on request only.
#ifndef HLOSCOPE_EVALUATOR_ENGINE_ELIDED_CONSTANTS_H_
#define HLOSCOPE_EVALUATOR_ENGINE_ELIDED_CONSTANTS_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "core/ir/module.h"
#include "evaluator/tensor/fill.h"

namespace hloscope {

struct FilledModule {
  std::shared_ptr<const Module> module;  // the same one if nothing was elided
  std::vector<InstructionId> filled;     // the constants that were given a value
};

// The module with every elided constant given a value of `kind`: a pure function of the seed and of the constant's
// place in the module. Callers must tell the user, naming the constants: nothing is ever filled silently. Errors: those
// of FillValue.
absl::StatusOr<FilledModule> FillElidedConstants(std::shared_ptr<const Module> module, FillKind kind, uint64_t seed);

}  // namespace hloscope

#endif  // HLOSCOPE_EVALUATOR_ENGINE_ELIDED_CONSTANTS_H_
