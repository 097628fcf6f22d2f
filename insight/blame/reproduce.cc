// SPDX-License-Identifier: Apache-2.0
#include "insight/blame/reproduce.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "core/analysis/extract.h"
#include "core/source/output_file.h"
#include "evaluator/engine/inspection.h"
#include "evaluator/engine/intervention.h"
#include "evaluator/tensor/npy.h"

namespace hloscope::insight {
namespace {

// More steps around the value than any pass puts in the place of one instruction.
constexpr int kDepth = 64;

// One stage: what is cut out of it.
struct Part {
  std::shared_ptr<const Document> document;
  InstructionId instruction;
  std::string path;  // of its execution; empty: the first
  std::string text;
  std::vector<InstructionId> parameters;
};

// Takes the values of a part's parameters at the moment when its instruction has been executed.
class Taking final : public evaluator::ExecutionObserver {
 public:
  Taking(const Part& part, const evaluator::Inspection& inspection, evaluator::Intervention& intervention)
      : part_(part), inspection_(inspection), intervention_(intervention) {}

  void OnOpen(absl::Span<const evaluator::Frame>, absl::Span<const evaluator::Value>) override {}
  bool OnComplete(absl::Span<const evaluator::Frame> frames, InstructionId id, const evaluator::Value&) override {
    if (id != part_.instruction || is_done_ || frames.empty()) return false;
    std::vector<evaluator::Frame> here(frames.begin(), frames.end());
    here.back().current = id;
    if (!part_.path.empty() && evaluator::ExecutionPath(part_.document->module(), here) != part_.path) return false;
    is_done_ = true;
    for (InstructionId parameter : part_.parameters) {
      const evaluator::Value* value = inspection_.ValueOf(frames.size() - 1, parameter);
      if (value != nullptr) {
        values_.push_back(*value);
        continue;
      }
      absl::StatusOr<evaluator::Value> given = intervention_.GivenValue(parameter);
      if (!given.ok()) {
        status_ = given.status();
        break;
      }
      values_.push_back(*std::move(given));
    }
    return true;
  }

  // The values in the order of the parameters.
  absl::StatusOr<std::vector<evaluator::Value>> Values() {
    if (!status_.ok()) return status_;
    if (!is_done_) return absl::InternalError("the value that differs was not computed again");
    return std::move(values_);
  }

 private:
  const Part& part_;
  const evaluator::Inspection& inspection_;
  evaluator::Intervention& intervention_;
  bool is_done_ = false;
  absl::Status status_;
  std::vector<evaluator::Value> values_;
};

absl::Status WriteLeaves(const evaluator::Value& value, const std::string& stem, std::vector<std::string>* paths) {
  for (size_t i = 0; i < value.elements().size(); ++i) {
    const absl::Status status = WriteLeaves(value.elements()[i], absl::StrCat(stem, ".", i), paths);
    if (!status.ok()) return status;
  }
  if (!value.IsTensor()) return absl::OkStatus();
  paths->push_back(absl::StrCat(stem, ".npy"));
  return evaluator::WriteNpy(paths->back(), value.tensor());
}

// The part around an instruction: as far as what agrees with the other stage.
Part CutOut(std::shared_ptr<const Document> document, InstructionId instruction, std::string path,
            const std::vector<InstructionId>& partner, const absl::flat_hash_set<InstructionId>& differing) {
  Part part;
  part.document = std::move(document);
  part.instruction = instruction;
  part.path = std::move(path);
  const ValueFlow flow(part.document->module());
  ExtractOptions options;
  options.depth = kDepth;
  options.stop = [&](InstructionId id) {
    if (id == instruction) return false;
    // What a text leaves out is given as an argument.
    const Module& module = part.document->module();
    if (module.instruction(id).literal.has_value()) return module.literal(id).IsElided();
    const absl::Span<const InstructionId> carriers = flow.carriers(id);
    return !carriers.empty() && std::all_of(carriers.begin(), carriers.end(), [&](InstructionId carrier) {
      return partner[carrier.index()].has_value() && !differing.contains(carrier);
    });
  };
  part.text = ExtractModule(part.document->module(), part.document->users(), instruction, options, &part.parameters);
  return part;
}

absl::Status WritePart(const Part& part, const Module& like, int64_t device, const BlameOptions& options,
                       const std::string& directory, std::vector<std::string>* paths) {
  if (absl::Status status = MakeFolders(directory); !status.ok()) return status;
  paths->push_back(absl::StrCat(directory, "/module.hlo"));
  if (const absl::Status status = WriteFileAtomically(paths->back(), part.text); !status.ok()) return status;
  if (part.parameters.empty()) return absl::OkStatus();
  ModuleRun run(part.document, options.RunNow(), &like);
  if (const absl::Status status = run.Prepare(); !status.ok()) return status;
  evaluator::Session& session = run.run().device(device);
  session.set_keep_values(true);
  Taking taking(part, session.inspection(), session.intervention());
  session.intervention().set_observer(&taking);
  if (options.on_run) options.on_run(&run.run(), nullptr);
  run.run().Run();
  if (options.on_run) options.on_run(nullptr, nullptr);
  session.intervention().set_observer(nullptr);
  if (run.run().status().code() == absl::StatusCode::kCancelled) return run.run().status();
  const absl::StatusOr<std::vector<evaluator::Value>> values = taking.Values();
  if (!values.ok()) return values.status();
  for (size_t k = 0; k < values->size(); ++k) {
    const absl::Status status = WriteLeaves((*values)[k], absl::StrCat(directory, "/arg", k), paths);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

// What computes an array of a module's result.
InstructionId ResultOf(const Module& module, const std::vector<int64_t>& leaf) {
  InstructionId id = module.entry().has_value() ? module.computation(module.entry()).root : InstructionId();
  for (size_t k = 0; k < leaf.size() && id.has_value() && module.opcode(id) == Opcode::kTuple; ++k) {
    const absl::Span<const InstructionId> operands = module.operands(id);
    const size_t element = static_cast<size_t>(leaf[k]);
    id = element < operands.size() ? operands[element] : InstructionId();
  }
  return id;
}

// Where the difference is shown: the value of `good` and `bad` in these executions.
struct Shown {
  InstructionId good, bad;
  std::string good_path, bad_path;
  int64_t device = 0;
};

absl::StatusOr<Shown> WhatShows(const BlameResult& result) {
  const auto nothing = [] { return absl::FailedPreconditionError("no single value differs that could be written"); };
  if (!result.culprit) return nothing();
  if (result.culprit->divergence != Culprit::kNone) {
    const evaluator::Divergence& one = result.divergences[result.culprit->divergence];
    return Shown{one.a, one.b, one.path_a, one.path_b, one.device};
  }
  // Only the results do.
  if (result.results.empty()) return nothing();
  const ResultDifference& first = result.results[0];
  Shown shown = {ResultOf(result.good_document->module(), first.leaf),
                 ResultOf(result.bad_document->module(), first.leaf), "", "", first.device};
  if (!shown.good.has_value() || !shown.bad.has_value()) return nothing();
  return shown;
}

}  // namespace

absl::StatusOr<std::vector<std::string>> WriteReproduction(const BlameResult& result, const BlameOptions& options,
                                                           const std::string& directory) {
  const absl::StatusOr<Shown> shown = WhatShows(result);
  if (!shown.ok()) return shown.status();
  absl::flat_hash_set<InstructionId> in_a, in_b;
  for (const evaluator::Divergence& divergence : result.divergences) {
    in_a.insert(divergence.a);
    in_b.insert(divergence.b);
  }
  in_b.insert(result.culprit->instruction);
  const Part good = CutOut(result.good_document, shown->good, shown->good_path, result.match.partner_of_a, in_a);
  const Part bad = CutOut(result.bad_document, shown->bad, shown->bad_path, result.match.partner_of_b, in_b);
  OutputFilesTogether files;
  std::vector<std::string> paths;
  const Module& like = result.good_document->module();
  absl::Status status = WritePart(good, like, shown->device, options, absl::StrCat(directory, "/good"), &paths);
  if (status.ok()) status = WritePart(bad, like, shown->device, options, absl::StrCat(directory, "/bad"), &paths);
  if (status.ok()) status = files.Finish();
  if (!status.ok()) return status;
  return paths;
}

}  // namespace hloscope::insight
