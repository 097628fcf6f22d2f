// SPDX-License-Identifier: Apache-2.0
// Runs two versions of a module side by side and finds where their values part.
#ifndef HLOSCOPE_EVALUATOR_COMPARE_RUN_COMPARISON_H_
#define HLOSCOPE_EVALUATOR_COMPARE_RUN_COMPARISON_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "core/analysis/value_flow.h"
#include "core/analysis/value_match.h"
#include "evaluator/compare/tensor_difference.h"
#include "evaluator/compare/tolerances.h"
#include "evaluator/engine/device_run.h"
#include "evaluator/tensor/summary.h"
#include "evaluator/tensor/value.h"

namespace hloscope::evaluator {

struct ComparisonOptions {
  std::vector<ToleranceRule> tolerances;  // where none fits, what ValueTolerances says of the first module
  int64_t kept_bytes = int64_t{1} << 30;  // of values that wait for their counterparts; older ones are given up
  bool results_only = false;              // do not look at single instructions
  // Do not look at values that are computed from others that diverge: their agreement is kDiverges, and they are not
  // listed. For who asks where it begins: of a wrong run, nearly all values differ.
  bool skip_derived = false;
  bool statistics = false;  // fill RunComparison::values
};

// How two arrays that stand for the same differ.
struct LeafComparison {
  std::vector<int64_t> leaf;  // of a tuple: {1} of (f32[2], f32[3]) is f32[3]
  std::string mismatch;       // both shapes, if they cannot be compared
  TensorDifference difference;
  Tolerance tolerance;  // that was applied
  // The first elements beyond the tolerance, printed; empty if there is none.
  std::string first_element, second_element;
  // Of both arrays, where they differ beyond the tolerance.
  TensorSummary first_values, second_values;

  bool Agrees() const { return mismatch.empty() && difference.beyond == 0; }
};

// Every array of two values, in order; `tolerances` by array, the usual one of the element type where there is none.
// Error InvalidArgument if they have different numbers of arrays.
absl::StatusOr<std::vector<LeafComparison>> CompareValues(const Value& a, const Value& b,
                                                          absl::Span<const Tolerance> tolerances);

// An instruction of the first module whose value differs from its counterpart's in the second one beyond the
// tolerance: the first execution in which it does.
struct Divergence {
  InstructionId a, b;
  int64_t device = 0;
  std::string path_a, path_b;  // ExecutionPath
  LeafComparison comparison;
  int64_t executions = 1;    // in which it diverges
  bool is_frontier = false;  // what it is computed from agrees, as far as it was compared
};

// A value that was compared: the array of it, and the execution, that agrees least.
struct ComparedValue {
  InstructionId a, b;
  int64_t executions = 0;
  LeafComparison comparison;
};

enum class InstructionAgreement : uint8_t { kNotCompared, kAgrees, kDiverges };

struct RunComparison {
  struct Result {
    int64_t device = 0;
    LeafComparison comparison;
  };
  std::vector<Result> results;  // every array of every device's result

  std::vector<Divergence> divergences;  // in the order in which the first module executes them
  std::vector<ComparedValue> values;    // ComparisonOptions::statistics: all, in the order of the first comparison
  std::vector<InstructionAgreement> agreement;  // by instruction of the first module: the worst of its executions
  int64_t compared_values = 0;
  int64_t given_up_values = 0;  // for want of memory (ComparisonOptions::kept_bytes)

  bool ResultsAgree() const;
};

// Runs both to the end, taking turns. Both have their arguments and as many devices as the other. Errors: what the runs
// fail with, distinguished by failed_run(); InvalidArgument if the results have different numbers of arrays.
class RunComparer {
 public:
  RunComparer(DeviceRun& a, DeviceRun& b, const ValueFlow& flow_a, const ValueFlow& flow_b, const ValueMatch& match,
              ComparisonOptions options)
      : a_(a),
        b_(b),
        flow_a_(flow_a),
        flow_b_(flow_b),
        match_(match),
        options_(std::move(options)),
        tolerances_(flow_a, options_.tolerances) {}

  absl::StatusOr<RunComparison> Run();
  // After an error: what was compared until then, without results.
  const RunComparison& so_far() const { return comparison_; }
  // The run that failed; null if none did.
  const DeviceRun* failed_run() const { return failed_run_; }

 private:
  class Side;
  class Pending;

  absl::Status RunSides(Side& side_a, Side& side_b);
  absl::Status CompareResults();

  DeviceRun &a_, &b_;
  const ValueFlow &flow_a_, &flow_b_;
  const ValueMatch& match_;
  const ComparisonOptions options_;
  const ValueTolerances tolerances_;
  RunComparison comparison_;
  const DeviceRun* failed_run_ = nullptr;
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_COMPARE_RUN_COMPARISON_H_
