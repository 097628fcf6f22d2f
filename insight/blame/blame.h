// SPDX-License-Identifier: Apache-2.0
// Which pass made a module compute something else.
#ifndef HLOSCOPE_INSIGHT_BLAME_BLAME_H_
#define HLOSCOPE_INSIGHT_BLAME_BLAME_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "evaluator/compare/run_comparison.h"
#include "evaluator/inputs/run_inputs.h"
#include "evaluator/tensor/value.h"
#include "insight/blame/culprit.h"
#include "insight/passes/stages.h"
#include "insight/runs/module_run.h"

namespace hloscope::insight {

struct BlameOptions {
  evaluator::RunOptions run;
  std::vector<evaluator::ToleranceRule> tolerances;  // where none fits, what is usual for what computes a value
  bool locate = true;                                // look for the instruction too, not for the stage alone
  // May be empty. What is being done, for people: "stage 12 of 80: dce".
  std::function<void(const std::string& what)> on_progress;
  // The run that is under way, to be cancelled from a signal handler; null between runs. May be empty.
  std::function<void(evaluator::DeviceRun* run, evaluator::DeviceRun* other)> on_run;
  // Since when the time limit of `run` counts: it is one for all stages, with reading them.
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();

  double SecondsUsed() const;
  // `run`, with what is left of the time limit.
  evaluator::RunOptions RunNow() const;
};

// How a stage compares with the first one.
struct StageVerdict {
  enum class Kind : uint8_t { kNotEvaluated, kAgrees, kDiffers, kCannotTell };
  Kind kind = Kind::kNotEvaluated;
  std::string problem;          // kCannotTell; or kDiffers since it does not end
  bool by_fingerprint = false;  // told without a run: it equals a stage that was evaluated
};

// "agrees", "differs", "cannot be told", "not evaluated".
const char* VerdictWords(const StageVerdict& verdict);

// The first element of a result beyond the tolerance.
struct ResultDifference {
  int64_t device = 0;
  size_t number = 0;          // of the array among all of the result
  std::vector<int64_t> leaf;  // of a tuple
  evaluator::LeafComparison comparison;
};

struct BlameResult {
  bool agree = true;                      // every stage that could be evaluated
  std::vector<StageVerdict> verdicts;     // by stage
  size_t reference = 0;                   // the first stage that could be evaluated: what the others are compared with
  size_t good = 0, bad = 0;               // the last stage known to agree, and the first known to differ
  std::vector<ResultDifference> results;  // of the bad stage: the arrays that differ
  bool reference_not_finite = false;      // the reference's results hold NaN or infinities themselves
  // Where it begins; nothing if no single value could be compared.
  std::optional<Culprit> culprit;
  std::vector<evaluator::Divergence> divergences;               // of the good and the bad stage
  ValueMatch match;                                             // of these two, stand-ins included
  std::vector<InstructionId> lone_constants;                    // of the bad stage: made up as none of the reference's
  std::shared_ptr<const Document> good_document, bad_document;  // if they differ
};

// Evaluates the stages on the same inputs: first the last one, then by bisection between the last that agrees and the
// first that differs; if the last one agrees, all others. Stages equal by fingerprint are evaluated once; one that
// cannot be run is passed over; one that reaches the step limit, of which the first stage took less than half, differs.
// Errors: the first stage cannot be run; Cancelled; ResourceExhausted.
absl::StatusOr<BlameResult> Blame(const std::vector<Stage>& stages, const StageReader& read,
                                  const BlameOptions& options);

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_BLAME_BLAME_H_
