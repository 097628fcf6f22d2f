// SPDX-License-Identifier: Apache-2.0
#include "cli/module_text.h"

#include <utility>

#include "cli/input.h"
#include "cli/stable_text.h"
#include "core/print/printer.h"
#include "core/print/shape_printer.h"

namespace hloscope::cli {

PrintOptions MadeModuleStyle(const Module& origin) {
  PrintOptions options = PrintOptions::Dump();
  options.large_constants = options.keep_written_digits = true;
  options.keep_written_tuple_access = true;
  options.layouts = LayoutHabit(origin);
  return options;
}

std::optional<std::string> CheckedModuleText(const Module& module, const Document& origin, bool explain) {
  const PrintOptions print = MadeModuleStyle(origin.module());
  const auto document =
      Document::Parse(SourceText::FromString("module made by hloscope", PrintModule(module, print)), origin.options());
  if (document->has_errors()) {
    if (explain) PrintDiagnostics(*document, RenderOptions(), DiagnosticFilter::kErrorsOnly);
    return std::nullopt;
  }
  return StableText(document, [&](const Document& d) { return PrintModule(d.module(), print); });
}

}  // namespace hloscope::cli
