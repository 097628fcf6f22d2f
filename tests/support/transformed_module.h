// SPDX-License-Identifier: Apache-2.0
// Judging rewritten modules: the text is good, a second run changes nothing, costs do not rise, results agree.
#ifndef HLOSCOPE_TESTS_SUPPORT_TRANSFORMED_MODULE_H_
#define HLOSCOPE_TESTS_SUPPORT_TRANSFORMED_MODULE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/ir/module.h"
#include "core/transform/transform.h"
#include "evaluator/tensor/value.h"
#include "gtest/gtest.h"

namespace hloscope {

struct TransformedModule {
  std::shared_ptr<const Module> before, after;  // `after` was printed and read again
  std::string text;
  std::vector<Application> applications;
  ModuleCost cost_before, cost_after;
  bool changed = false;
};

// Runs the passes and reports a test failure for whatever of this does not hold. Null modules if it cannot go on.
TransformedModule TransformAndCheck(std::shared_ptr<const Module> module, const std::vector<std::string>& passes,
                                    const TransformOptions& options);

// The results of both modules with the same random arguments agree (ValuesAgree).
::testing::AssertionResult ResultsAgree(const TransformedModule& modules, double tolerance, uint64_t seed = 1,
                                        double time_limit_seconds = 300);

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_SUPPORT_TRANSFORMED_MODULE_H_
