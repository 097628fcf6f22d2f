// SPDX-License-Identifier: Apache-2.0
#include "replay/run_inputs.h"

#include <filesystem>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "interop/files/gzip.h"
#include "interop/files/open_file.h"
#include "replay/recorded_values.h"

namespace hloscope::replay {

absl::Status TakeInputs(const std::string& place, const Module& module, evaluator::RunOptions* options) {
  std::error_code error;
  if (absl::EndsWith(place, ".npz") || std::filesystem::is_directory(place, error)) {
    options->arguments_directory = place;
    return absl::OkStatus();
  }
  interop::OpenFileOptions file_options;
  file_options.max_expanded_bytes = interop::MaxExpandedBytes(options->session.memory_limit_bytes);
  const absl::StatusOr<interop::OpenedFile> file = interop::OpenFile(place, file_options);
  if (!file.ok()) return file.status();
  if (!file->snapshot) return absl::InvalidArgumentError(absl::StrCat(place, ": it is no snapshot"));
  absl::StatusOr<std::vector<evaluator::Value>> recorded = RecordedArguments(*file->snapshot, module);
  if (!recorded.ok()) return recorded.status();
  options->recorded = *std::move(recorded);
  return absl::OkStatus();
}

}  // namespace hloscope::replay
