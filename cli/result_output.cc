// SPDX-License-Identifier: Apache-2.0
#include "cli/result_output.h"

#include <cstdint>
#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "cli/array_summary.h"
#include "cli/diagnostics_json.h"
#include "cli/output.h"
#include "core/print/literal_printer.h"
#include "core/source/output_file.h"
#include "evaluator/inputs/run_inputs.h"
#include "evaluator/tensor/memory_charge.h"
#include "evaluator/tensor/npy.h"
#include "evaluator/tensor/npz.h"
#include "nlohmann/json.hpp"

namespace hloscope::cli {

double TimeLimit::SecondsUsed() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

absl::Status TimeLimit::Check() const {
  if (!exists() || SecondsLeft() > 0) return absl::OkStatus();
  return absl::DeadlineExceededError(absl::StrCat("the time limit of ", seconds_, " seconds is over"));
}

absl::Status ResultOutput::WriteFiles(const std::string& directory) const {
  if (absl::EndsWith(directory, ".npz")) return WriteArchive(directory);
  OutputFilesTogether files;
  absl::Status status = MakeFolder(directory);
  ForEachResult([&](const std::string& name, const evaluator::Tensor& tensor) {
    if (status.ok()) status = limit_.Check();
    if (status.ok()) status = evaluator::WriteNpy(absl::StrCat(directory, "/", name, ".npy"), tensor);
  });
  return status.ok() ? files.Finish() : status;
}

absl::Status ResultOutput::WriteArchive(const std::string& path) const {
  evaluator::NpzWriter writer(path);
  ForEachResult([&](const std::string& name, const evaluator::Tensor& tensor) { writer.Add(name, tensor); });
  return writer.Write();
}

absl::Status ResultOutput::PrintSummaries() const {
  std::optional<TimeIsUp> time;
  if (limit_.exists()) time.emplace(limit_.SecondsLeft());
  SummaryBudget budget{time ? &time->over() : nullptr};
  ForEachResult([&](const std::string& name, const evaluator::Tensor& tensor) {
    WriteOutput(absl::StrCat(name, " = ", ArrayLine(tensor, &budget), "\n"));
  });
  return absl::OkStatus();
}

absl::Status ResultOutput::PrintLiterals() const {
  absl::Status status;
  ForEachResult([&](const std::string& name, const evaluator::Tensor& tensor) {
    if (!status.ok()) return;
    WriteOutput(absl::StrCat(name, " = "));
    status = PrintLiteral(tensor);
    WriteOutput("\n");
  });
  return status;
}

absl::Status ResultOutput::PrintJson(const std::string& statistics) const {
  auto json = nlohmann::ordered_json::parse(statistics);
  json["results"] = nlohmann::ordered_json::object();
  const std::string text = DumpJson(json);
  const size_t results = text.rfind("{}");
  WriteOutput(absl::string_view(text).substr(0, results));
  WriteOutput("{");
  bool is_first = true;
  absl::Status status;
  // Neither names nor literals have characters that JSON escapes.
  ForEachResult([&](const std::string& name, const evaluator::Tensor& tensor) {
    if (!status.ok()) return;
    WriteOutput(absl::StrCat(is_first ? "\n" : ",\n", "    \"", name, "\": \""));
    is_first = false;
    status = PrintLiteral(tensor);
    WriteOutput("\"");
  });
  WriteOutput(is_first ? "" : "\n  ");
  WriteOutput("}");
  WriteOutput(absl::string_view(text).substr(results + 2));
  return status;
}

// Its shape and its elements, piece by piece: the text is several times as large as the array.
absl::Status ResultOutput::PrintLiteral(const evaluator::Tensor& tensor) const {
  evaluator::MemoryCharge copy;
  const evaluator::Tensor array = tensor.WithRunTimeSizes();
  if (absl::Status status = copy.Resize(array.element_count() * array.element_bytes()); !status.ok()) return status;
  const absl::StatusOr<Literal> literal = evaluator::LiteralOf(tensor);
  if (!literal.ok()) return literal.status();
  WriteOutput(absl::StrCat(literal->shape().ToString(), " "));
  absl::Status status;
  PrintLiteralInPieces(*literal, {}, [&](absl::string_view piece) {
    WriteOutput(piece);
    status = limit_.Check();
    return status.ok();
  });
  return status;
}

void ResultOutput::ForEachResult(
    absl::FunctionRef<void(const std::string& name, const evaluator::Tensor& tensor)> visit) const {
  for (int64_t device = 0; device < grid_.device_count(); ++device) {
    const std::string suffix = evaluator::DeviceSuffix(grid_, device);
    const std::vector<evaluator::Tensor>& leaves = results_[static_cast<size_t>(device)].leaves;
    for (size_t k = 0; k < leaves.size(); ++k) visit(absl::StrCat("result", k, suffix), leaves[k]);
  }
  for (int64_t device = 0; device < grid_.device_count(); ++device) {
    const std::string suffix = evaluator::DeviceSuffix(grid_, device);
    for (const HostItem& item : results_[static_cast<size_t>(device)].to_host) {
      for (size_t k = 0; k < item.leaves.size(); ++k) {
        const std::string leaf = item.leaves.size() == 1 ? "" : absl::StrCat(".", k);
        visit(absl::StrCat(item.name, leaf, suffix), item.leaves[k]);
      }
    }
  }
}

}  // namespace hloscope::cli
