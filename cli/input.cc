// SPDX-License-Identifier: Apache-2.0
#include "cli/input.h"

#include <sys/stat.h>
#include <unistd.h>

#include <map>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/prepared_run.h"
#include "core/diagnostics/count_text.h"
#include "core/diagnostics/folding.h"
#include "interop/modules/shown_diagnostics.h"
#include "stablehlo/import.h"

namespace hloscope::cli {

absl::StatusOr<bool> UseColor(const Arguments& arguments, int file_descriptor) {
  const absl::StatusOr<std::string> color = arguments.Choice("color", {"auto", "always", "never"});
  if (!color.ok()) return color.status();
  return *color == "always" || (*color == "auto" && IsTerminal(file_descriptor));
}

absl::StatusOr<RenderOptions> ErrorRenderOptions(const Arguments& arguments) {
  const absl::StatusOr<bool> color = UseColor(arguments, STDERR_FILENO);
  if (!color.ok()) return color.status();
  RenderOptions options;
  options.color = *color;
  options.source_lines = IsTerminal(STDERR_FILENO) || arguments.Value("color") == "always";
  options.width = TerminalWidth(STDERR_FILENO);
  return options;
}

std::string RenderAtOrigin(const Document& document, const Diagnostic& diagnostic, const RenderOptions& options) {
  const SourceText& text = document.source();
  const SourceText& shown = text.origin() != nullptr ? *text.origin()->source : text;
  return RenderDiagnostic(shown, stablehlo::AtOrigin(text, diagnostic), options);
}

void PrintDiagnostics(const Document& document, const RenderOptions& options, DiagnosticFilter filter,
                      const std::vector<Diagnostic>& of_program) {
  const interop::ShownDiagnostics shown = interop::DiagnosticsToShow(document, of_program);
  const SourceText& source = *shown.source;
  std::map<Severity, size_t> counts;
  std::vector<Diagnostic> wanted;
  for (const Diagnostic& diagnostic : shown.diagnostics) {
    if (diagnostic.severity != Severity::kError && filter != DiagnosticFilter::kAll) continue;
    wanted.push_back(diagnostic);
    if (filter == DiagnosticFilter::kErrorsAsWarnings) wanted.back().severity = Severity::kWarning;
    ++counts[wanted.back().severity];
  }
  const size_t all = wanted.size();
  size_t printed = 0;
  absl::string_view first_code;
  std::string text;
  size_t lines = 0;
  for (const FoldedDiagnostics& folded : FoldDiagnostics(wanted)) {
    if (lines++ == kMaxPrintedDiagnostics) break;
    const Diagnostic& diagnostic = *folded.front();
    if (printed == 0) first_code = diagnostic.code();
    printed += folded.size();
    if (folded.size() == 1) {
      absl::StrAppend(&text, RenderDiagnostic(source, diagnostic, options));
      continue;
    }
    const LineColumn at = HumanPosition(source, diagnostic.range.begin);
    absl::StrAppend(&text, OneLine(source.name()), ":", at.line, ":", at.column, ": ",
                    SeverityName(diagnostic.severity), ": ", FoldedMessage(source, folded), " [", diagnostic.code(),
                    "]\n");
  }
  if (all == 0) return;
  absl::StrAppend(&text, OneLine(source.name()), ": ", CountOf(counts[Severity::kError], "error"));
  if (filter != DiagnosticFilter::kErrorsOnly) {
    absl::StrAppend(&text, ", ", CountOf(counts[Severity::kWarning], "warning"));
  }
  if (const size_t notes = counts[Severity::kInformation]; notes > 0) {
    absl::StrAppend(&text, ", ", CountOf(notes, "note"));
  }
  if (const size_t hints = counts[Severity::kHint]; hints > 0) absl::StrAppend(&text, ", ", CountOf(hints, "hint"));
  if (printed < all) absl::StrAppend(&text, "; the first ", printed, " are shown");
  // For people, not for scripts.
  if (options.source_lines) absl::StrAppend(&text, "; `hloscope explain ", first_code, "` says more");
  WriteError(absl::StrCat(text, "\n"));
}

namespace {

int status_of_reading = kExitBadInput;

void ReportUnread(const absl::Status& status) {
  if (ExitStatusOf(status) == kExitLimit) status_of_reading = kExitLimit;
  WriteError(absl::StrCat("hloscope: ", OneLine(status.message()), "\n"));
}

interop::OpenFileOptions WithLimits(const Arguments& arguments, interop::OpenFileOptions options) {
  options.max_expanded_bytes = ExpandedLimit(arguments);
  return options;
}

}  // namespace

absl::Status CheckIsNotRead(const Arguments& arguments, const std::string& path) {
  struct stat written = {}, read = {};
  if (stat(path.c_str(), &written) != 0 || !S_ISREG(written.st_mode)) return absl::OkStatus();
  for (const std::string& operand : arguments.operands()) {
    if (stat(operand.c_str(), &read) != 0 || read.st_dev != written.st_dev || read.st_ino != written.st_ino) continue;
    return absl::InvalidArgumentError(absl::StrCat(path, ": cannot be written: it is what the report is about"));
  }
  return absl::OkStatus();
}

size_t ExpandedLimit(const Arguments& arguments) {
  return static_cast<size_t>(arguments.Bytes("memory-limit", 0).value_or(0));  // main() has looked for wrong ones
}

int StatusOfReading() { return status_of_reading; }

absl::StatusOr<stablehlo::ImportOptions> ProgramOptions(const Arguments& arguments) {
  stablehlo::ImportOptions options;
  const absl::StatusOr<std::string> names = arguments.Choice("names", {"readable", "xla"});
  if (!names.ok()) return names.status();
  options.names = *names == "xla" ? stablehlo::NameStyle::kXla : stablehlo::NameStyle::kReadable;
  for (const std::string& value : arguments.Values("shape")) {
    absl::StatusOr<stablehlo::ArgumentShape> shape = stablehlo::ParseArgumentShape(value);
    if (!shape.ok()) return absl::InvalidArgumentError(absl::StrCat("--shape: ", shape.status().message()));
    options.shapes.push_back(*std::move(shape));
  }
  return options;
}

std::optional<interop::OpenedModules> ReadInput(const Arguments& arguments, const std::string& path,
                                                const interop::OpenFileOptions& options) {
  absl::StatusOr<interop::OpenedModules> opened =
      interop::OpenModules(path, WithLimits(arguments, options), arguments.Value("module"),
                           ProgramOptions(arguments).value_or(stablehlo::ImportOptions()));
  if (opened.ok()) {
    // Of several files some may be programs.
    const bool needs_program =
        arguments.operands().size() == 1 && (arguments.Has("shape") || arguments.Value("names") == "xla");
    if (!needs_program || opened->modules[0].text->origin() != nullptr) return *std::move(opened);
    opened =
        absl::InvalidArgumentError(absl::StrCat(path, " is no StableHLO program: --shape and --names are about those"));
  }
  ReportUnread(opened.status());
  return std::nullopt;
}

std::optional<interop::OpenedModules> ReadOneModule(const Arguments& arguments, const std::string& path) {
  std::optional<interop::OpenedModules> input = ReadInput(arguments, path);
  if (!input || input->modules.size() == 1) return input;
  WriteError(absl::StrCat("hloscope: ", OneLine(path), " holds ", input->modules.size(),
                          " modules: choose one with --module=NAME|NUMBER (", interop::ModuleList(input->file->modules),
                          ")\n"));
  return std::nullopt;
}

namespace {

// Null, with the errors on standard error, if the module has some.
std::shared_ptr<const Document> DocumentOf(const Arguments& arguments, const interop::HloSource& source,
                                           DocumentOptions options) {
  options.verify.allow_mixed_precision = true;
  std::shared_ptr<const Document> document = Document::Parse(source.text, options);
  if (!document->has_errors() && !source.has_errors) return document;
  PrintDiagnostics(*document, ErrorRenderOptions(arguments).value_or(RenderOptions()), DiagnosticFilter::kErrorsOnly,
                   source.diagnostics);
  return nullptr;
}

}  // namespace

std::shared_ptr<const Document> OpenDocument(const Arguments& arguments, const std::string& path,
                                             DocumentOptions options,
                                             std::shared_ptr<const interop::OpenedFile>* file) {
  std::optional<interop::OpenedModules> input = ReadOneModule(arguments, path);
  if (!input) return nullptr;
  if (file != nullptr) *file = input->file;
  return DocumentOf(arguments, input->modules[0], std::move(options));
}

std::shared_ptr<const Document> OpenOnlyModule(const Arguments& arguments, const std::string& path,
                                               std::shared_ptr<const interop::OpenedFile>* file) {
  absl::StatusOr<interop::OpenedModules> opened = interop::OpenModules(path, WithLimits(arguments, {}));
  if (opened.ok() && opened->modules.size() != 1) {
    opened = absl::InvalidArgumentError(absl::StrCat(path, " holds several modules"));
  }
  if (!opened.ok()) {
    ReportUnread(opened.status());
    return nullptr;
  }
  if (file != nullptr) *file = opened->file;
  return DocumentOf(arguments, opened->modules[0], {});
}

}  // namespace hloscope::cli
