// SPDX-License-Identifier: Apache-2.0
#include "evaluator/engine/reproducer.h"

#include "absl/strings/str_cat.h"
#include "core/analysis/extract.h"
#include "core/source/output_file.h"
#include "evaluator/tensor/npy.h"

namespace hloscope::evaluator {
namespace {

absl::Status WriteLeaves(const Value& value, const std::string& stem, std::vector<std::string>& paths) {
  if (value.IsTuple()) {
    for (size_t i = 0; i < value.elements().size(); ++i) {
      const absl::Status status = WriteLeaves(value.elements()[i], absl::StrCat(stem, ".", i), paths);
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }
  if (!value.IsTensor()) return absl::OkStatus();
  paths.push_back(absl::StrCat(stem, ".npy"));
  return WriteNpy(paths.back(), value.tensor());
}

}  // namespace

absl::StatusOr<std::vector<std::string>> WriteReproducer(
    const Module& module, const UserIndex& users, InstructionId instruction,
    absl::FunctionRef<absl::StatusOr<Value>(InstructionId)> value_of, const std::string& directory) {
  std::vector<InstructionId> parameters;
  const std::string text = ExtractModule(module, users, instruction, {}, &parameters);
  OutputFilesTogether files;
  std::vector<std::string> paths = {directory + "/module.hlo"};
  absl::Status status = WriteFileAtomically(paths[0], text);
  for (size_t k = 0; k < parameters.size() && status.ok(); ++k) {
    const absl::StatusOr<Value> value = value_of(parameters[k]);
    status = value.ok() ? WriteLeaves(*value, absl::StrCat(directory, "/arg", k), paths) : value.status();
  }
  if (status.ok()) status = files.Finish();
  if (!status.ok()) return status;
  return paths;
}

}  // namespace hloscope::evaluator
