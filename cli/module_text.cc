// SPDX-License-Identifier: Apache-2.0
#include "cli/module_text.h"

#include <utility>

#include "cli/input.h"
#include "cli/stable_text.h"
#include "core/print/printer.h"

namespace hloscope::cli {

PrintOptions MadeModuleStyle() {
  PrintOptions options = PrintOptions::Dump();
  options.large_constants = options.keep_written_digits = true;
  options.keep_written_tuple_access = true;
  return options;
}

std::optional<std::string> CheckedModuleText(const Module& module, const DocumentOptions& options, bool explain) {
  const PrintOptions print = MadeModuleStyle();
  const auto document =
      Document::Parse(SourceText::FromString("module made by hloscope", PrintModule(module, print)), options);
  if (document->has_errors()) {
    if (explain) PrintDiagnostics(*document, RenderOptions(), DiagnosticFilter::kErrorsOnly);
    return std::nullopt;
  }
  return StableText(document, [&](const Document& d) { return PrintModule(d.module(), print); });
}

}  // namespace hloscope::cli
