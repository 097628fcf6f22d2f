// SPDX-License-Identifier: Apache-2.0
#include "insight/passes/stage_reader.h"

#include <deque>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/diagnostics/render.h"
#include "interop/modules/open_modules.h"

namespace hloscope::insight {
namespace {

// Modules that are kept: neighbours are read again and again.
constexpr size_t kKeptModules = 3;

absl::Status ErrorOf(const Document& document) {
  for (const Diagnostic& diagnostic : document.diagnostics()) {
    if (diagnostic.severity != Severity::kError) continue;
    const LineColumn at = HumanPosition(document.source(), diagnostic.range.begin);
    return absl::InvalidArgumentError(
        absl::StrCat(OneLine(document.source().name()), ":", at.line, ":", at.column, ": ", diagnostic.Message()));
  }
  return absl::InvalidArgumentError(absl::StrCat(document.source().name(), ": the module has errors"));
}

absl::StatusOr<std::shared_ptr<const Document>> ReadStage(const std::string& path, bool to_run,
                                                          size_t max_expanded_bytes) {
  interop::OpenFileOptions file_options;
  file_options.max_expanded_bytes = max_expanded_bytes;
  const absl::StatusOr<interop::OpenedModules> opened = interop::OpenModules(path, file_options);
  if (!opened.ok()) return opened.status();
  if (opened->modules.size() > 1) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": it holds ", opened->modules.size(), " modules"));
  }
  if (to_run && !opened->file->obstacles.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": ", opened->file->obstacles[0]));
  }
  if (opened->modules[0].has_errors) return absl::InvalidArgumentError(absl::StrCat(path, ": the program has errors"));
  DocumentOptions options;
  options.verify.allow_mixed_precision = true;
  std::shared_ptr<const Document> document = Document::Parse(opened->modules[0].text, options);
  if (document->has_errors()) return ErrorOf(*document);
  return document;
}

}  // namespace

StageReader MakeStageReader(bool to_run, size_t max_expanded_bytes) {
  using Kept = std::deque<std::pair<std::string, std::shared_ptr<const Document>>>;
  const auto kept = std::make_shared<Kept>();
  return [kept, to_run, max_expanded_bytes](const Stage& stage) -> absl::StatusOr<std::shared_ptr<const Document>> {
    for (const auto& [path, document] : *kept) {
      if (path == stage.path) return document;
    }
    absl::StatusOr<std::shared_ptr<const Document>> document = ReadStage(stage.path, to_run, max_expanded_bytes);
    if (!document.ok()) return document;
    kept->emplace_front(stage.path, *document);
    if (kept->size() > kKeptModules) kept->pop_back();
    return document;
  };
}

}  // namespace hloscope::insight
