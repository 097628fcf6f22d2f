// SPDX-License-Identifier: Apache-2.0
// The smallest module that still shows a fault (delta debugging).
#ifndef HLOSCOPE_CORE_TRANSFORM_TEST_CASE_REDUCTION_H_
#define HLOSCOPE_CORE_TRANSFORM_TEST_CASE_REDUCTION_H_

#include <functional>

#include "core/ir/module.h"

namespace hloscope {

struct ReductionOptions {
  // Whether a candidate still shows the fault. Candidates may have errors, which the caller has to look for: not
  // everything that can be taken out of a module leaves a good one.
  std::function<bool(const Module& candidate)> shows_fault;
  int max_candidates = 2000;
  std::function<bool()> is_cancelled;  // asked before each candidate: whether to end with what there is; null: never
};

struct ReductionResult {
  Module module;
  int candidates = 0;     // how many were tried
  bool complete = false;  // nothing more can be taken out one by one; false if something ended the search before
};

// Takes out whatever can go while the fault stays: the end of the entry computation (another instruction becomes its
// root), instructions (parameters stand in for them in the entry computation, zeros in others), elements of the
// resulting tuple, unused parameters, calls and fusions, attributes that do not change what is computed, metadata,
// parts of the header, stack frames that nothing leads to; and makes dimensions smaller. The signature of the module
// changes. `module` must be free of errors and show the fault.
ReductionResult ReduceTestCase(const Module& module, const ReductionOptions& options);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_TRANSFORM_TEST_CASE_REDUCTION_H_
