// SPDX-License-Identifier: Apache-2.0
// Reading the files named on the command line, and showing what is wrong with them.
#ifndef HLOSCOPE_CLI_INPUT_H_
#define HLOSCOPE_CLI_INPUT_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/arguments.h"
#include "core/diagnostics/render.h"
#include "core/document/document.h"
#include "interop/modules/open_modules.h"

namespace hloscope::cli {

// Whether to colour what goes to standard output (1) or standard error (2), under --color. Error InvalidArgument for a
// wrong value of --color.
absl::StatusOr<bool> UseColor(const Arguments& arguments, int file_descriptor);

// How diagnostics look on standard error under --color: source lines, carets and the terminal's width on a terminal or
// with
// --color=always; one line each otherwise. Error InvalidArgument for a wrong value of --color.
absl::StatusOr<RenderOptions> ErrorRenderOptions(const Arguments& arguments);

// RenderDiagnostic of a diagnostic of the document, in the program if the text was made from one.
std::string RenderAtOrigin(const Document& document, const Diagnostic& diagnostic, const RenderOptions& options);

enum class DiagnosticFilter : unsigned char {
  kErrorsOnly,
  kErrorsAsWarnings,  // the errors alone, shown as warnings
  kAll,
};

// Prints the diagnostics of a document on standard error, at most kMaxPrintedDiagnostics lines with many of one kind
// folded into one, and a summary of all if there are any.
void PrintDiagnostics(const Document& document, const RenderOptions& options, DiagnosticFilter filter,
                      const std::vector<Diagnostic>& of_program = {});
inline constexpr size_t kMaxPrintedDiagnostics = 200;

// What --shape and --names say about StableHLO programs. Error InvalidArgument, for the user, for wrong values: main()
// has looked for it.
absl::StatusOr<stablehlo::ImportOptions> ProgramOptions(const Arguments& arguments);

// For a report, which must not take the place of what it is about. Error InvalidArgument if the operands name the file.
absl::Status CheckIsNotRead(const Arguments& arguments, const std::string& path);

// What a command ends with after one of the functions below gave nothing: kExitLimit if a file, expanded, was more than
// a limit allows, else kExitBadInput.
int StatusOfReading();

// What a compressed file may expand to: --memory-limit if the command has it and it is given, else 0, which stands for
// interop::MaxExpandedBytes.
size_t ExpandedLimit(const Arguments& arguments);

// Reads `path` ("-": standard input), an HLO text or whatever XLA writes, with all of its modules, or the one of
// --module; a StableHLO program is translated. Reports on standard error and returns nothing if it cannot be read, or
// has no such module.
std::optional<interop::OpenedModules> ReadInput(const Arguments& arguments, const std::string& path,
                                                const interop::OpenFileOptions& options = {});

// The same for one module: a file with several needs --module.
std::optional<interop::OpenedModules> ReadOneModule(const Arguments& arguments, const std::string& path);

// Reads `path` and prints its errors on standard error. Null if it cannot be read or has errors: the command then
// returns StatusOfReading(). Mixed floating-point precision is allowed: only `check` is about what a verifier says of
// it. `arguments` must have a valid --color. `*file`, if there is one, is the file that the module comes from.
std::shared_ptr<const Document> OpenDocument(const Arguments& arguments, const std::string& path,
                                             DocumentOptions options = {},
                                             std::shared_ptr<const interop::OpenedFile>* file = nullptr);

// The same for a file beside the one that --module is about: it must hold one module.
std::shared_ptr<const Document> OpenOnlyModule(const Arguments& arguments, const std::string& path,
                                               std::shared_ptr<const interop::OpenedFile>* file = nullptr);

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_INPUT_H_
