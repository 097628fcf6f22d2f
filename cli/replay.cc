// SPDX-License-Identifier: Apache-2.0
#include "cli/replay.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/reading_limit.h"
#include "replay/recorded_values.h"

namespace hloscope::cli {

std::shared_ptr<const Document> OpenToRun(const Arguments& arguments, const std::string& path,
                                          evaluator::RunOptions* options,
                                          std::shared_ptr<const interop::OpenedFile>* file) {
  std::shared_ptr<const interop::OpenedFile> opened;
  const ReadingLimit limit(arguments, path, options->session.seconds_before);
  std::shared_ptr<const Document> document = OpenDocument(arguments, path, {}, &opened);
  if (document == nullptr) return nullptr;
  const auto fail = [&](absl::string_view message) {
    WriteError(absl::StrCat("hloscope: ", OneLine(path), ": ", OneLine(message), "\n"));
    return nullptr;
  };
  if (!opened->obstacles.empty()) {
    return fail(absl::StrCat("it can be looked at, but not executed: ", opened->obstacles[0]));
  }
  if (opened->snapshot) {
    absl::StatusOr<std::vector<evaluator::Value>> recorded =
        replay::RecordedArguments(*opened->snapshot, document->module());
    if (!recorded.ok()) return fail(recorded.status().message());
    options->recorded = *std::move(recorded);
  }
  if (file != nullptr) *file = std::move(opened);
  options->session.seconds_before = limit.SecondsUsed();
  return document;
}

}  // namespace hloscope::cli
