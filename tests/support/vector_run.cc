// SPDX-License-Identifier: Apache-2.0
#include "tests/support/vector_run.h"

#include <memory>
#include <vector>

#include "absl/strings/str_cat.h"
#include "evaluator/engine/device_run.h"
#include "evaluator/tensor/npy.h"

namespace hloscope {

std::string RunVectorCase(const VectorCase& c, const Document& document, bool has_arguments) {
  if (document.has_errors()) return document.diagnostics()[0].Message();
  const evaluator::DeviceGrid grid{c.replica_count, c.num_partitions};
  absl::StatusOr<std::unique_ptr<evaluator::DeviceRun>> run =
      evaluator::DeviceRun::Create(document.shared_module(), grid, evaluator::SessionOptions());
  if (!run.ok()) return std::string(run.status().message());
  for (int64_t f = 0; f < grid.device_count(); ++f) {
    for (size_t k = 0; has_arguments && k < c.parameters.size(); ++k) {
      absl::StatusOr<evaluator::Tensor> argument =
          evaluator::ReadNpy(c.PathOf(c.parameters[k].path, f), c.parameters[k].shape);
      if (!argument.ok()) return std::string(argument.status().message());
      const absl::Status set = (*run)->device(f).SetArgument(static_cast<int64_t>(k), *std::move(argument));
      if (!set.ok()) return std::string(set.message());
    }
    (*run)->device(f).set_keep_values(false);
  }
  if ((*run)->Run() != evaluator::StopReason::kFinished) return std::string((*run)->status().message());

  for (int64_t f = 0; f < grid.device_count(); ++f) {
    std::vector<evaluator::Tensor> results;
    (*run)->device(f).result().ForEachTensor([&](const evaluator::Tensor& tensor) { results.push_back(tensor); });
    if (results.size() != c.results.size()) {
      return absl::StrCat(results.size(), " results, expected ", c.results.size());
    }
    for (size_t k = 0; k < results.size(); ++k) {
      const absl::StatusOr<evaluator::Tensor> expected =
          evaluator::ReadNpy(c.PathOf(c.results[k].path, f), c.results[k].shape);
      if (!expected.ok()) return std::string(expected.status().message());
      const std::string difference = CompareTensors(*expected, results[k], c.results[k].rule);
      if (!difference.empty()) return absl::StrCat("result ", k, " of device ", f, ": ", difference);
    }
  }
  return "";
}

}  // namespace hloscope
