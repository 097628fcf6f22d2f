// SPDX-License-Identifier: Apache-2.0
#include "lsp/debug_adapter/launched_module.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "core/diagnostics/count_text.h"
#include "core/diagnostics/render.h"
#include "interop/files/gzip.h"
#include "interop/modules/open_modules.h"
#include "interop/modules/shown_diagnostics.h"
#include "replay/recorded_values.h"

namespace hloscope::dap {
namespace {

constexpr size_t kShownDiagnostics = 20;

// Ok without errors; else the first one, and how many more there are.
absl::Status CheckDiagnostics(const interop::ShownDiagnostics& shown, std::string* diagnostics) {
  std::string first;
  size_t count = 0;
  for (const Diagnostic& diagnostic : shown.diagnostics) {
    if (diagnostic.severity != Severity::kError) continue;
    RenderOptions render;
    if (count++ < kShownDiagnostics) *diagnostics += RenderDiagnostic(*shown.source, diagnostic, render);
    render.source_lines = false;
    if (first.empty()) first = RenderDiagnostic(*shown.source, diagnostic, render);
  }
  if (count == 0) return absl::OkStatus();
  while (!first.empty() && first.back() == '\n') first.pop_back();
  return absl::InvalidArgumentError(count == 1 ? first
                                               : absl::StrCat(first, " (and ", CountOf(count - 1, "more error"), ")"));
}

absl::Status AddRecorded(const interop::OpenedFile& file, LaunchedModule* module) {
  if (!file.snapshot) return absl::OkStatus();
  absl::StatusOr<std::vector<evaluator::Value>> arguments =
      replay::RecordedArguments(*file.snapshot, module->document->module());
  if (!arguments.ok()) return arguments.status();
  absl::StatusOr<std::vector<evaluator::Tensor>> results = replay::RecordedResult(*file.snapshot);
  if (!results.ok()) return results.status();
  module->arguments = *std::move(arguments);
  module->results = *std::move(results);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<LaunchedModule> OpenLaunchedModule(const std::string& path, const std::optional<std::string>& wanted,
                                                  const stablehlo::ImportOptions& program, int64_t memory_limit_bytes,
                                                  std::string* diagnostics) {
  interop::OpenFileOptions file_options;
  file_options.max_expanded_bytes = interop::MaxExpandedBytes(memory_limit_bytes);
  const absl::StatusOr<interop::OpenedModules> opened = interop::OpenModules(path, file_options, wanted, program);
  if (!opened.ok()) return opened.status();
  const interop::OpenedFile& file = *opened->file;
  if (!program.shapes.empty() && opened->modules.size() == 1 && opened->modules[0].text->origin() == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat(path, " is no StableHLO program: `shapes` is about those"));
  }
  if (opened->modules.size() > 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("there are ", opened->modules.size(), " modules in ", path,
                     ": name one of them in `module`: ", interop::ModuleList(file.modules)));
  }
  if (!file.obstacles.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": it can be looked at, but not executed: ", file.obstacles[0]));
  }
  const interop::HloSource& source = opened->modules[0];
  DocumentOptions options;
  options.verify.allow_mixed_precision = true;
  LaunchedModule module;
  module.document = Document::Parse(source.text, options);
  module.is_in_file = !file.is_proto && !file.is_compressed;
  const interop::ShownDiagnostics shown = interop::DiagnosticsToShow(*module.document, source.diagnostics);
  if (const absl::Status status = CheckDiagnostics(shown, diagnostics); !status.ok()) return status;
  if (const absl::Status status = AddRecorded(file, &module); !status.ok()) {
    return absl::Status(status.code(), absl::StrCat(path, ": ", status.message()));
  }
  return module;
}

}  // namespace hloscope::dap
