// SPDX-License-Identifier: Apache-2.0
#include "insight/blame/blame.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "evaluator/compare/tensor_difference.h"
#include "evaluator/engine/non_finite.h"
#include "insight/blame/stand_ins.h"
#include "insight/fingerprint/fingerprint.h"

namespace hloscope::insight {
namespace {

using Kind = StageVerdict::Kind;

// A limit or a signal ends everything; whatever else is wrong with a stage is its own.
bool EndsAll(const absl::Status& status) { return absl::IsCancelled(status) || absl::IsResourceExhausted(status); }

class Blamer {
 public:
  Blamer(const std::vector<Stage>& stages, const StageReader& read, const BlameOptions& options)
      : stages_(stages), read_(read), options_(options) {
    result_.verdicts.resize(stages.size());
  }

  absl::StatusOr<BlameResult> Run() {
    if (const absl::Status status = FindReference(); !status.ok()) return status;
    const absl::StatusOr<size_t> bad = FindBad();
    if (!bad.ok()) return bad.status();
    if (*bad == stages_.size()) return std::move(result_);
    if (const absl::Status status = Narrow(result_.reference, *bad); !status.ok()) return status;
    result_.agree = false;
    if (options_.locate) {
      if (const absl::Status status = Locate(); !status.ok()) return status;
    }
    return std::move(result_);
  }

 private:
  struct Evaluated {
    std::vector<evaluator::Value> results;  // by device
    std::vector<ResultDifference> differences;
  };

  void Tell(absl::string_view what, size_t k) const {
    if (!options_.on_progress) return;
    options_.on_progress(
        absl::StrCat(what, " stage ", stages_[k].order, " of ", stages_.size(), ": ", stages_[k].pass));
  }

  // `steps`: how many the run took, or had taken when it failed.
  absl::StatusOr<std::vector<evaluator::Value>> ResultsOf(const std::shared_ptr<const Document>& document,
                                                          int64_t* steps) const {
    ModuleRun run(document, options_.RunNow(), reference_ == nullptr ? &document->module() : &reference_->module());
    if (const absl::Status status = run.Prepare(); !status.ok()) return status;
    if (options_.on_run) options_.on_run(&run.run(), nullptr);
    const absl::Status status = run.Run();
    if (options_.on_run) options_.on_run(nullptr, nullptr);
    for (int64_t device = 0; device < run.run().device_count(); ++device) {
      *steps += run.run().device(device).inspection().executed_count();
    }
    if (!status.ok()) return status;
    std::vector<evaluator::Value> results;
    for (int64_t device = 0; device < run.run().device_count(); ++device) {
      results.push_back(run.run().device(device).result());
    }
    return results;
  }

  absl::Status FindReference() {
    absl::Status first_problem = absl::InvalidArgumentError("the folder has no stage with a module");
    for (size_t k = 0; k < stages_.size(); ++k) {
      Tell("evaluating", k);
      absl::StatusOr<std::shared_ptr<const Document>> document = read_(stages_[k]);
      absl::Status status = document.status();
      if (status.ok()) {
        reference_steps_ = 0;
        absl::StatusOr<std::vector<evaluator::Value>> results = ResultsOf(*document, &reference_steps_);
        status = results.status();
        if (status.ok()) {
          expected_ = *std::move(results);
          reference_ = *std::move(document);
          result_.reference = k;
          result_.verdicts[k].kind = Kind::kAgrees;
          known_[FingerprintOf(reference_->module()).ToString()] = k;
          NoteNotFinite();
          Allow();
          return absl::OkStatus();
        }
      }
      if (EndsAll(status)) return status;
      if (k == 0) first_problem = absl::Status(status.code(), absl::StrCat(stages_[k].file, ": ", status.message()));
      result_.verdicts[k] = {Kind::kCannotTell, std::string(status.message()), false};
    }
    return first_problem;
  }

  void NoteNotFinite() {
    for (const evaluator::Value& value : expected_) {
      const evaluator::NonFinite found = evaluator::FindNonFinite(value);
      result_.reference_not_finite |= found.nan || found.infinity;
    }
  }

  void Allow() {
    const Module& module = reference_->module();
    const InstructionId root = module.entry().has_value() ? module.computation(module.entry()).root : InstructionId();
    if (!root.has_value()) return;
    allowed_ = evaluator::ValueTolerances(ValueFlow(module), options_.tolerances).OfArrays(root);
  }

  // The last stage that differs, else any; stages_.size() if none does.
  absl::StatusOr<size_t> FindBad() {
    for (size_t k = stages_.size(); k-- > result_.reference + 1;) {
      const absl::StatusOr<Kind> kind = VerdictOf(k);
      if (!kind.ok()) return kind.status();
      if (*kind == Kind::kDiffers) return k;
      if (*kind == Kind::kAgrees) break;
    }
    for (size_t k = result_.reference + 1; k < stages_.size(); ++k) {
      const absl::StatusOr<Kind> kind = VerdictOf(k);
      if (!kind.ok()) return kind.status();
      if (*kind == Kind::kDiffers) return k;
    }
    return stages_.size();
  }

  // Halves the stages between one that agrees and one that differs, looking around those that cannot be run.
  absl::Status Narrow(size_t good, size_t bad) {
    while (bad - good > 1) {
      const size_t middle = good + (bad - good) / 2;
      size_t found = middle;
      Kind kind = Kind::kCannotTell;
      for (size_t step = 0; step < bad - good && kind == Kind::kCannotTell; ++step) {
        const size_t offset = (step + 1) / 2;
        if (step % 2 == 1 ? offset > middle - good - 1 : middle + offset >= bad) continue;
        found = step % 2 == 1 ? middle - offset : middle + offset;
        const absl::StatusOr<Kind> one = VerdictOf(found);
        if (!one.ok()) return one.status();
        kind = *one;
      }
      if (kind == Kind::kCannotTell) break;
      (kind == Kind::kAgrees ? good : bad) = found;
    }
    result_.good = good;
    result_.bad = bad;
    return absl::OkStatus();
  }

  absl::StatusOr<Kind> VerdictOf(size_t k) {
    StageVerdict& verdict = result_.verdicts[k];
    if (verdict.kind != Kind::kNotEvaluated) return verdict.kind;
    Tell("evaluating", k);
    const absl::Status status = Judge(k, &verdict);
    if (status.ok()) return verdict.kind;
    if (EndsAll(status)) return status;
    verdict = {Kind::kCannotTell, std::string(status.message()), false};
    return verdict.kind;
  }

  // What ends far beyond the steps of the first stage is taken for a loop that does not end.
  bool IsEndless(const absl::Status& status, int64_t steps) const {
    const int64_t limit = options_.run.session.step_limit;
    return absl::IsResourceExhausted(status) && limit > 0 && steps >= limit && limit / 2 > reference_steps_;
  }

  absl::Status Judge(size_t k, StageVerdict* verdict) {
    absl::StatusOr<std::shared_ptr<const Document>> document = read_(stages_[k]);
    if (!document.ok()) return document.status();
    const std::string fingerprint = FingerprintOf((*document)->module()).ToString();
    if (const auto it = known_.find(fingerprint); it != known_.end()) {
      *verdict = result_.verdicts[it->second];
      verdict->by_fingerprint = true;
      return absl::OkStatus();
    }
    const std::string other = DifferenceOfParameters(reference_->module(), (*document)->module());
    if (!other.empty()) return absl::InvalidArgumentError(other);
    int64_t steps = 0;
    const absl::StatusOr<std::vector<evaluator::Value>> results = ResultsOf(*document, &steps);
    if (IsEndless(results.status(), steps)) {
      verdict->kind = Kind::kDiffers;
      verdict->problem = absl::StrCat("it has not ended after ", steps, " steps, stage ",
                                      stages_[result_.reference].order, " took ", reference_steps_);
      known_.emplace(fingerprint, k);
      return absl::OkStatus();
    }
    if (!results.ok()) return results.status();
    const absl::StatusOr<std::vector<ResultDifference>> differences = Differences(*results);
    if (!differences.ok()) return differences.status();
    verdict->kind = differences->empty() ? Kind::kAgrees : Kind::kDiffers;
    known_.emplace(fingerprint, k);
    return absl::OkStatus();
  }

  absl::StatusOr<std::vector<ResultDifference>> Differences(const std::vector<evaluator::Value>& results) const {
    std::vector<ResultDifference> differences;
    if (results.size() != expected_.size()) return absl::InvalidArgumentError("it runs on another number of devices");
    for (size_t device = 0; device < results.size(); ++device) {
      absl::StatusOr<std::vector<evaluator::LeafComparison>> leaves =
          evaluator::CompareValues(expected_[device], results[device], allowed_);
      if (!leaves.ok()) return leaves.status();
      for (size_t k = 0; k < leaves->size(); ++k) {
        evaluator::LeafComparison& one = (*leaves)[k];
        if (one.Agrees()) continue;
        ResultDifference difference;
        difference.device = static_cast<int64_t>(device);
        difference.number = k;
        difference.leaf = one.leaf;
        difference.comparison = std::move(one);
        differences.push_back(std::move(difference));
      }
    }
    return differences;
  }

  // Runs the last good and the first bad stage side by side.
  absl::Status Locate() {
    Tell("comparing values of", result_.bad);
    absl::StatusOr<std::shared_ptr<const Document>> a = read_(stages_[result_.good]), b = read_(stages_[result_.bad]);
    if (!a.ok()) return a.status();
    if (!b.ok()) return b.status();
    result_.good_document = *a;
    result_.bad_document = *b;
    ModuleRun run_a(*a, options_.RunNow(), &reference_->module()), run_b(*b, options_.RunNow(), &reference_->module());
    for (ModuleRun* run : {&run_a, &run_b}) {
      if (const absl::Status status = run->Prepare(); !status.ok()) return status;
    }
    run_a.run().ShareTime(run_b.run());
    if (options_.run.fill.has_value()) result_.lone_constants = run_b.lone_constants();
    const ValueFlow flow_a((*a)->module()), flow_b((*b)->module());
    ValueMatch match = MatchValues(flow_a, flow_b);
    AddStandIns(flow_a, flow_b, &match);
    evaluator::ComparisonOptions comparison_options;
    comparison_options.tolerances = options_.tolerances;
    comparison_options.skip_derived = true;
    evaluator::RunComparer comparer(run_a.run(), run_b.run(), flow_a, flow_b, match, comparison_options);
    if (options_.on_run) options_.on_run(&run_a.run(), &run_b.run());
    absl::StatusOr<evaluator::RunComparison> comparison = comparer.Run();
    if (options_.on_run) options_.on_run(nullptr, nullptr);
    const bool is_endless = !result_.verdicts[result_.bad].problem.empty();
    if (!comparison.ok() && is_endless && !absl::IsCancelled(comparison.status())) comparison = comparer.so_far();
    if (!comparison.ok()) return comparison.status();
    result_.culprit = FindCulprit(flow_a, flow_b, match, *comparison);
    result_.match = std::move(match);
    result_.divergences = std::move(comparison->divergences);
    if (is_endless) return absl::OkStatus();
    std::vector<evaluator::Value> results;
    for (int64_t device = 0; device < run_b.run().device_count(); ++device) {
      results.push_back(run_b.run().device(device).result());
    }
    absl::StatusOr<std::vector<ResultDifference>> differences = Differences(results);
    if (!differences.ok()) return differences.status();
    result_.results = *std::move(differences);
    return absl::OkStatus();
  }

  const std::vector<Stage>& stages_;
  const StageReader& read_;
  const BlameOptions& options_;
  BlameResult result_;
  std::shared_ptr<const Document> reference_;
  int64_t reference_steps_ = 0;
  std::vector<evaluator::Value> expected_;          // of the reference, by device
  std::vector<evaluator::Tolerance> allowed_;       // by array of a result
  absl::flat_hash_map<std::string, size_t> known_;  // by fingerprint: a stage that was evaluated
};

}  // namespace

const char* VerdictWords(const StageVerdict& verdict) {
  switch (verdict.kind) {
    case Kind::kAgrees:
      return verdict.by_fingerprint ? "agrees (the same module as another stage)" : "agrees";
    case Kind::kDiffers:
      return verdict.by_fingerprint ? "differs (the same module as another stage)" : "differs";
    case Kind::kCannotTell:
      return "cannot be told";
    case Kind::kNotEvaluated:
      break;
  }
  return "not evaluated";
}

double BlameOptions::SecondsUsed() const {
  return run.session.seconds_before + std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

evaluator::RunOptions BlameOptions::RunNow() const {
  evaluator::RunOptions now = run;
  now.session.seconds_before = SecondsUsed();
  return now;
}

absl::StatusOr<BlameResult> Blame(const std::vector<Stage>& stages, const StageReader& read,
                                  const BlameOptions& options) {
  return Blamer(stages, read, options).Run();
}

}  // namespace hloscope::insight
