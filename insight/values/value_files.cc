// SPDX-License-Identifier: Apache-2.0
#include "insight/values/value_files.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/analysis/value_flow.h"
#include "evaluator/engine/intervention.h"
#include "evaluator/tensor/npy.h"

namespace hloscope::insight {
namespace {

std::string Sanitised(absl::string_view name) {
  std::string text(name);
  for (char& c : text) {
    if (!absl::ascii_isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return text;
}

// The files of the folder by their names without ".npy".
absl::StatusOr<std::map<std::string, bool>> FilesIn(const std::string& directory) {
  std::map<std::string, bool> files;  // whether they were used
  std::error_code error;
  for (std::filesystem::directory_iterator entries(directory, error), end; !error && entries != end;
       entries.increment(error)) {
    if (entries->path().extension() == ".npy") files.emplace(entries->path().stem().string(), false);
  }
  if (error) return absl::NotFoundError(absl::StrCat(directory, ": ", error.message()));
  return files;
}

class Comparer final : public evaluator::ExecutionObserver {
 public:
  Comparer(ModuleRun& run, const std::string& directory, const evaluator::ValueTolerances& tolerances,
           std::map<std::string, bool>& files)
      : run_(run),
        directory_(directory),
        tolerances_(tolerances),
        files_(files),
        seen_(run.module().instruction_count()) {}

  void OnOpen(absl::Span<const evaluator::Frame>, absl::Span<const evaluator::Value>) override {}
  bool OnComplete(absl::Span<const evaluator::Frame> frames, InstructionId id, const evaluator::Value& value) override {
    if (seen_[id.index()]) return false;
    seen_[id.index()] = true;
    std::vector<evaluator::Frame> here(frames.begin(), frames.end());
    if (!here.empty()) here.back().current = id;
    allowed_ = tolerances_.OfArrays(id);
    next_array_ = 0;
    Compare(id, evaluator::ExecutionPath(run_.module(), here), value, {});
    return false;
  }

  std::vector<FileComparison> Take() && { return std::move(found_); }

 private:
  // The stem of the file of an instruction's leaf; empty if there is none.
  std::string StemOf(InstructionId id, const std::string& leaf) const {
    const Module& module = run_.module();
    std::vector<std::string> names = {std::string(module.InstructionName(id)), Sanitised(module.InstructionName(id))};
    if (const Origin* origin = module.OriginOf(id)) {
      for (const Origin::Node& node : origin->nodes) {
        if (!node.array.instruction.empty()) names.push_back(node.array.instruction);
      }
    }
    for (const std::string& name : names) {
      if (files_.contains(name + leaf)) return name + leaf;
    }
    return "";
  }

  void Compare(InstructionId id, const std::string& path, const evaluator::Value& value,
               const std::vector<int64_t>& leaf) {
    for (size_t k = 0; k < value.elements().size(); ++k) {
      std::vector<int64_t> below = leaf;
      below.push_back(static_cast<int64_t>(k));
      Compare(id, path, value.elements()[k], below);
    }
    if (!value.IsTensor()) return;
    const size_t array = next_array_++;
    const std::string stem = StemOf(id, leaf.empty() ? "" : absl::StrCat(".", absl::StrJoin(leaf, ".")));
    if (stem.empty()) return;
    files_[stem] = true;
    FileComparison one;
    one.instruction = id;
    one.file = stem + ".npy";
    one.path = path;
    const absl::StatusOr<evaluator::Tensor> other =
        evaluator::ReadNpy(absl::StrCat(directory_, "/", one.file), value.tensor().shape());
    if (!other.ok()) {
      one.problem = std::string(other.status().message());
    } else {
      absl::StatusOr<std::vector<evaluator::LeafComparison>> leaves = evaluator::CompareValues(
          value, evaluator::Value(*other), absl::MakeConstSpan(allowed_).subspan(std::min(array, allowed_.size())));
      if (leaves.ok()) {
        one.comparison = std::move((*leaves)[0]);
        one.comparison.leaf = leaf;
      } else {
        one.problem = std::string(leaves.status().message());
      }
    }
    found_.push_back(std::move(one));
  }

  ModuleRun& run_;
  const std::string& directory_;
  const evaluator::ValueTolerances& tolerances_;
  std::vector<evaluator::Tolerance> allowed_;  // by array of the instruction at hand
  size_t next_array_ = 0;
  std::map<std::string, bool>& files_;
  std::vector<bool> seen_;
  std::vector<FileComparison> found_;
};

void MarkFrontier(const Module& module, std::vector<FileComparison>* values) {
  const ValueFlow flow(module);
  absl::flat_hash_set<InstructionId> agreeing, differing;
  for (const FileComparison& one : *values) {
    for (InstructionId carrier : flow.carriers(one.instruction)) (one.Agrees() ? agreeing : differing).insert(carrier);
  }
  for (FileComparison& one : *values) {
    if (one.Agrees()) continue;
    // Through what was not compared, up to the next values that were.
    std::vector<InstructionId> open(flow.carriers(one.instruction).begin(), flow.carriers(one.instruction).end());
    absl::flat_hash_set<InstructionId> seen(open.begin(), open.end());
    bool is_first = true;
    const auto visit = [&](InstructionId operand) {
      if (!seen.insert(operand).second || agreeing.contains(operand)) return;
      if (differing.contains(operand)) {
        is_first = false;
      } else {
        open.push_back(operand);
      }
    };
    while (!open.empty() && is_first) {
      const InstructionId at = open.back();
      open.pop_back();
      for (InstructionId operand : flow.operands(at)) visit(operand);
      for (InstructionId operand : flow.callee_results(at)) visit(operand);
      for (InstructionId operand : flow.initial_values(at)) visit(operand);
    }
    one.is_frontier = is_first;
  }
}

}  // namespace

bool FilesComparison::Agrees() const {
  return std::all_of(values.begin(), values.end(), [](const FileComparison& one) { return one.Agrees(); });
}

void TakeArguments(const Module& module, const std::string& directory, evaluator::RunOptions* options) {
  if (!module.entry().has_value()) return;
  const std::vector<InstructionId>& parameters = module.computation(module.entry()).parameters;
  for (size_t k = 0; k < parameters.size(); ++k) {
    if (!parameters[k].has_value()) continue;
    const std::string number = absl::StrCat(k);
    const absl::string_view name = module.InstructionName(parameters[k]);
    for (const std::string& stem : {std::string(name), Sanitised(name)}) {
      const std::string path = absl::StrCat(directory, "/", stem, ".npy");
      std::error_code error;
      if (!std::filesystem::is_regular_file(path, error)) continue;
      options->arguments.try_emplace(number, path);
      break;
    }
  }
}

absl::StatusOr<FilesComparison> CompareWithFiles(ModuleRun& run, const std::string& directory,
                                                 const std::vector<evaluator::ToleranceRule>& tolerances) {
  absl::StatusOr<std::map<std::string, bool>> files = FilesIn(directory);
  if (!files.ok()) return files.status();
  const ValueFlow flow(run.module());
  const evaluator::ValueTolerances values(flow, tolerances);
  Comparer comparer(run, directory, values, *files);
  run.run().device(0).intervention().set_observer(&comparer);
  const absl::Status status = run.Run();
  run.run().device(0).intervention().set_observer(nullptr);
  if (!status.ok()) return status;
  FilesComparison result;
  result.values = std::move(comparer).Take();
  MarkFrontier(run.module(), &result.values);
  // Parameters are given, not compared.
  for (InstructionId id : run.module().computation(run.module().entry()).parameters) {
    if (!id.has_value()) continue;
    for (const std::string& stem :
         {std::string(run.module().InstructionName(id)), Sanitised(run.module().InstructionName(id))}) {
      if (const auto it = files->find(stem); it != files->end()) it->second = true;
    }
  }
  for (const auto& [stem, used] : *files) {
    if (!used) result.unused.push_back(stem + ".npy");
  }
  return result;
}

}  // namespace hloscope::insight
