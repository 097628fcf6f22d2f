// SPDX-License-Identifier: Apache-2.0
// Opens what holds modules, whatever it is: HLO texts, what XLA writes besides them, and StableHLO programs.
#ifndef HLOSCOPE_INTEROP_MODULES_OPEN_MODULES_H_
#define HLOSCOPE_INTEROP_MODULES_OPEN_MODULES_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "core/diagnostics/diagnostic.h"
#include "core/source/source_text.h"
#include "interop/files/open_file.h"
#include "stablehlo/import_options.h"

namespace hloscope::interop {

// A module of a file: its HLO text, and what is wrong with it before that is read.
struct HloSource {
  std::shared_ptr<const SourceText> text;
  std::vector<Diagnostic> diagnostics;  // of the StableHLO program that the text was made from (text->origin())
  bool has_errors = false;              // of a program: then the text lacks what they are about
};

// The HLO text of a module: of a StableHLO program its translation, else `text` itself.
HloSource HloSourceOf(std::shared_ptr<const SourceText> text, const stablehlo::ImportOptions& options = {});

// A file that was opened, and those of its modules that were asked for.
struct OpenedModules {
  std::shared_ptr<const OpenedFile> file;
  std::vector<HloSource> modules;  // not empty
};

// Reads `path` ("-": standard input) with all of its modules, or the one of the name or number (from 1) `wanted`.
// `program` is about StableHLO programs. Errors: those of OpenFile; NotFound if there is no such module, with a list of
// those that there are.
absl::StatusOr<OpenedModules> OpenModules(const std::string& path, const OpenFileOptions& options = {},
                                          const std::optional<std::string>& wanted = std::nullopt,
                                          const stablehlo::ImportOptions& program = {});
// The same for bytes in memory; `name` is what diagnostics call them.
absl::StatusOr<OpenedModules> OpenModulesOfBytes(const std::string& name, std::string bytes,
                                                 const OpenFileOptions& options = {},
                                                 const std::optional<std::string>& wanted = std::nullopt);

// "1 jit_f, 2 jit_g, ...": what can be chosen from.
std::string ModuleList(absl::Span<const OpenedModule> modules);

}  // namespace hloscope::interop

#endif  // HLOSCOPE_INTEROP_MODULES_OPEN_MODULES_H_
