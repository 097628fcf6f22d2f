// SPDX-License-Identifier: Apache-2.0
#include "insight/values/isolation.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "core/analysis/call_graph.h"
#include "core/analysis/extract.h"
#include "core/ir/checked_math.h"
#include "core/source/output_file.h"
#include "evaluator/engine/elided_constants.h"
#include "evaluator/engine/inspection.h"
#include "evaluator/engine/intervention.h"
#include "evaluator/engine/non_finite.h"
#include "evaluator/kernels/interface/kernel.h"
#include "evaluator/tensor/npy.h"

namespace hloscope::insight {
namespace {

bool IsCall(Opcode opcode) {
  return opcode == Opcode::kFusion || opcode == Opcode::kCall || opcode == Opcode::kWhile ||
         opcode == Opcode::kConditional;
}

// Of calls within calls the outer ones have all instructions of the inner ones: so many may run alone together.
constexpr int64_t kInstructionsAnyway = 1 << 20, kTimesTheModule = 64;
constexpr size_t kLongestPath = 200;  // frames that a path names
constexpr size_t kLongestFolderName = 200;

// By computation: its instructions with those that they call, as often as they do.
std::vector<int64_t> WorkOf(const Module& module) {
  std::vector<int64_t> work(module.computations().size(), 0);
  const CallGraph calls(module);
  for (ComputationId id : calls.callees_first()) {
    int64_t& sum = work[id.index()];
    sum = static_cast<int64_t>(module.computation(id).instructions.size());
    for (const CallGraph::Call& call : calls.calls(id)) sum = SaturatingSum(sum, work[call.callee.index()]);
  }
  return work;
}

absl::Status WriteLeaves(const evaluator::Value& value, const std::string& stem, std::vector<std::string>* files) {
  for (size_t i = 0; i < value.elements().size(); ++i) {
    const absl::Status status = WriteLeaves(value.elements()[i], absl::StrCat(stem, ".", i), files);
    if (!status.ok()) return status;
  }
  if (!value.IsTensor()) return absl::OkStatus();
  files->push_back(absl::StrCat(stem, ".npy"));
  return evaluator::WriteNpy(files->back(), value.tensor());
}

class Isolator final : public evaluator::ExecutionObserver {
 public:
  Isolator(ModuleRun& run, const evaluator::RunOptions& run_options, const IsolationOptions& options)
      : run_(run),
        options_(options),
        extractor_(run.module(), run.document().users()),
        flow_(run.module()),
        tolerances_(flow_, options.tolerances),
        seen_(run.module().instruction_count()),
        work_(WorkOf(run.module())),
        work_left_(kInstructionsAnyway + kTimesTheModule * static_cast<int64_t>(run.module().instruction_count())),
        time_limit_(run_options.session.time_limit_seconds),
        seconds_before_(run_options.session.seconds_before) {
    alone_.session = run_options.session;
    alone_.session.number_streams = nullptr;
    alone_.session.progress = nullptr;
    alone_.session.elided_constants = nullptr;
    alone_.fill = run_options.fill;
    alone_.plugins = run_options.plugins;
    alone_.custom_calls = run_options.custom_calls;
  }

  void OnOpen(absl::Span<const evaluator::Frame>, absl::Span<const evaluator::Value>) override {}
  bool OnComplete(absl::Span<const evaluator::Frame> frames, InstructionId id, const evaluator::Value& value) override {
    const Module& module = run_.module();
    if (seen_[id.index()] || !IsCall(module.opcode(id)) || frames.empty()) return false;
    if (!options_.only.empty() && module.InstructionName(id) != options_.only) return false;
    // What is run alone takes its time too: the limit is one for all of it.
    if (time_limit_ > 0) {
      alone_.session.seconds_before =
          seconds_before_ + std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
      if (alone_.session.seconds_before >= time_limit_) {
        stopped_ = absl::ResourceExhaustedError(absl::StrCat(
            "the time limit of ", time_limit_, " s is exceeded: ", calls_.size(), " calls were run alone"));
        return true;
      }
    }
    seen_[id.index()] = true;
    IsolatedCall call;
    call.instruction = id;
    int64_t work = 0;
    module.ForEachCalledComputation(id, [&](AttributeKind, ComputationId callee) {
      if (callee.has_value()) work = SaturatingSum(work, work_[callee.index()]);
    });
    if (work > work_left_) {
      call.is_passed_over = true;
      calls_.push_back(std::move(call));
      return false;
    }
    work_left_ -= work;
    call.path = PathTo(frames, id);
    const absl::Status status = RunAlone(frames.size() - 1, id, value, &call);
    if (!status.ok()) call.problem = std::string(status.message());
    calls_.push_back(std::move(call));
    return false;
  }

  // Why it ended the run, if it did.
  const absl::Status& stopped() const { return stopped_; }

  absl::StatusOr<std::vector<IsolatedCall>> Take() && {
    if (!write_status_.ok()) return write_status_;
    if (!stopped_.ok()) return stopped_;
    return std::move(calls_);
  }

 private:
  std::string PathTo(absl::Span<const evaluator::Frame> frames, InstructionId id) const {
    std::vector<evaluator::Frame> here(frames.begin(), frames.end());
    here.back().current = id;
    const absl::Span<const evaluator::Frame> all = here;
    const auto path = [&](absl::Span<const evaluator::Frame> part) {
      return evaluator::ExecutionPath(run_.module(), part);
    };
    if (all.size() <= kLongestPath) return path(all);
    const size_t half = kLongestPath / 2;
    return absl::StrCat(path(all.first(half)), "/...", all.size() - 2 * half, " more.../", path(all.last(half)));
  }

  absl::Status RunAlone(size_t frame, InstructionId id, const evaluator::Value& expected, IsolatedCall* call) {
    evaluator::Session& session = run_.run().device(0);
    std::vector<InstructionId> parameters;
    const std::string text = extractor_.Extract(id, {}, &parameters);
    evaluator::RunOptions options = alone_;
    bool operands_are_finite = true;
    for (InstructionId parameter : parameters) {
      absl::StatusOr<evaluator::Value> value = absl::NotFoundError("");
      if (const evaluator::Value* kept = session.inspection().ValueOf(frame, parameter); kept != nullptr) {
        value = *kept;
      } else {
        value = session.intervention().GivenValue(parameter);
      }
      if (!value.ok()) return value.status();
      const evaluator::NonFinite found = evaluator::FindNonFinite(*value);
      operands_are_finite = operands_are_finite && !found.nan && !found.infinity;
      options.recorded.push_back(*std::move(value));
    }
    const auto document = Document::Parse(SourceText::FromString("alone.hlo", text), run_.document().options());
    if (document->has_errors()) return absl::InvalidArgumentError("it is no module by itself");
    ModuleRun alone(document, options, NumbersOf(document->module()));
    if (const absl::Status status = alone.Prepare(); !status.ok()) return status;
    const auto start = std::chrono::steady_clock::now();
    if (options_.on_run) options_.on_run(&alone.run());
    const absl::Status finished = alone.Run();
    if (options_.on_run) options_.on_run(nullptr);
    if (!finished.ok()) return finished;
    call->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const evaluator::Value& result = alone.run().device(0).result();
    absl::StatusOr<std::vector<evaluator::LeafComparison>> leaves =
        evaluator::CompareValues(expected, result, tolerances_.OfArrays(id));
    if (!leaves.ok()) return leaves.status();
    call->results = *std::move(leaves);
    if (operands_are_finite) {
      const evaluator::NonFinite found = evaluator::FindNonFinite(result);
      call->has_nan = found.nan;
      call->has_infinity = found.infinity;
    }
    if (!options_.directory.empty() && write_status_.ok())
      write_status_ = Write(id, text, options.recorded, expected, call);
    return absl::OkStatus();
  }

  // Made-up numbers are those of the whole run: a part has the names of the whole.
  SharedNumbers NumbersOf(const Module& part) {
    SharedNumbers numbers;
    const std::vector<InstructionId> made_up = MadeUpNumbers(part);
    if (made_up.empty()) return numbers;
    const Module& module = run_.module();
    if (originals_.empty()) {
      for (InstructionId id : MadeUpNumbers(module)) originals_.emplace(extractor_.NameOf(id), id);
      if (alone_.fill) rules_ = evaluator::FillOfConstants(module, *alone_.fill, alone_.session.random_seed).rules;
    }
    auto streams = std::make_shared<absl::flat_hash_map<InstructionId, uint64_t>>();
    for (InstructionId id : made_up) {
      const auto original = originals_.find(part.InstructionName(id));
      if (original == originals_.end()) continue;
      streams->emplace(id, evaluator::StreamOfName(module, original->second));
      if (!alone_.fill) continue;
      const auto rule = rules_.find(original->second);
      numbers.constants.emplace(id, rule != rules_.end() ? rule->second : *alone_.fill);
    }
    numbers.streams = std::move(streams);
    return numbers;
  }

  // Of its own for each call: instructions of several computations may have one name, and names that lead elsewhere,
  // that no terminal shows or that no file system takes are changed.
  std::string FolderOf(InstructionId id) {
    std::string name(run_.module().InstructionName(id));
    for (char& c : name) {
      if (c == '/' || c == '\\' || absl::ascii_iscntrl(static_cast<unsigned char>(c))) c = '_';
    }
    if (name.empty() || name[0] == '.') name = absl::StrCat("_", name);
    name.resize(std::min(name.size(), kLongestFolderName));
    std::string own = name;
    // What is called so of itself may come later, and gets a number then.
    while (!folders_.insert(own).second) own = absl::StrCat(name, "-", ++numbers_[name] + 1);
    return absl::StrCat(options_.directory, "/", own);
  }

  absl::Status Write(InstructionId id, const std::string& text, const std::vector<evaluator::Value>& arguments,
                     const evaluator::Value& result, IsolatedCall* call) {
    const std::string folder = FolderOf(id);
    if (absl::Status status = MakeFolders(folder); !status.ok()) return status;
    call->files.push_back(folder + "/module.hlo");
    absl::Status status = WriteFileAtomically(call->files[0], text);
    for (size_t k = 0; k < arguments.size() && status.ok(); ++k) {
      status = WriteLeaves(arguments[k], absl::StrCat(folder, "/arg", k), &call->files);
    }
    size_t number = 0;
    result.ForEachTensor([&](const evaluator::Tensor& tensor) {
      if (!status.ok()) return;
      call->files.push_back(absl::StrCat(folder, "/result", number++, ".npy"));
      status = evaluator::WriteNpy(call->files.back(), tensor);
    });
    return status;
  }

  ModuleRun& run_;
  const IsolationOptions& options_;
  const ModuleExtractor extractor_;
  // Of the whole run: what draws made-up numbers, by its name in parts, and their rules; made when one asks.
  absl::flat_hash_map<std::string, InstructionId> originals_;
  absl::flat_hash_map<InstructionId, evaluator::FillRule> rules_;
  const ValueFlow flow_;
  const evaluator::ValueTolerances tolerances_;
  evaluator::RunOptions alone_;
  std::vector<bool> seen_;
  const std::vector<int64_t> work_;  // by computation
  int64_t work_left_;
  std::vector<IsolatedCall> calls_;
  absl::flat_hash_set<std::string> folders_;
  absl::flat_hash_map<std::string, int64_t> numbers_;  // that folders of a name got beside it
  absl::Status write_status_, stopped_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  const double time_limit_;  // 0: none
  const double seconds_before_;
};

}  // namespace

bool IsolatedCall::Agrees() const {
  return problem.empty() &&
         std::all_of(results.begin(), results.end(), [](const evaluator::LeafComparison& one) { return one.Agrees(); });
}

absl::StatusOr<std::vector<IsolatedCall>> IsolateCalls(ModuleRun& run, const evaluator::RunOptions& run_options,
                                                       const IsolationOptions& options) {
  OutputFilesTogether files;
  Isolator isolator(run, run_options, options);
  evaluator::Session& session = run.run().device(0);
  session.set_keep_values(true);
  session.intervention().set_observer(&isolator);
  const absl::Status status = run.Run();
  session.intervention().set_observer(nullptr);
  if (!status.ok() && isolator.stopped().ok()) return status;
  absl::StatusOr<std::vector<IsolatedCall>> calls = std::move(isolator).Take();
  if (!calls.ok()) return calls;
  if (absl::Status placed = files.Finish(); !placed.ok()) return placed;
  return calls;
}

}  // namespace hloscope::insight
