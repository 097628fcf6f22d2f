// SPDX-License-Identifier: Apache-2.0
// Any text that reads without an error prints, as text that reads back as an equal module.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

#include "core/analysis/module_compare.h"
#include "core/document/document.h"
#include "core/print/printer.h"

namespace {

std::shared_ptr<const hloscope::Document> Read(std::string text) {
  return hloscope::Document::Parse(hloscope::SourceText::FromString("fuzz", std::move(text)));
}

[[noreturn]] void Fail(const std::string& why, const std::string& printed) {
  std::fprintf(stderr, "%s\n--- printed:\n%s\n", why.c_str(), printed.c_str());
  __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto document = Read(std::string(reinterpret_cast<const char*>(data), size));
  if (document->has_errors() || !document->module().entry().has_value()) return 0;
  hloscope::PrintOptions options = hloscope::PrintOptions::Long();
  options.large_constants = true;
  const std::string printed = hloscope::PrintModule(document->module(), options);
  const auto again = Read(printed);
  if (again->has_errors()) Fail(again->diagnostics().front().Message(), printed);
  // Names are made unique in print.
  const std::string difference = hloscope::FirstDifference(document->module(), again->module(), {.ignore_names = true});
  if (!difference.empty()) Fail(difference, printed);
  // Instructions, and then the computations they call, may move once (docs/text-format.md 7.11).
  const std::string second = hloscope::PrintModule(again->module(), options);
  const std::string third = hloscope::PrintModule(Read(second)->module(), options);
  if (hloscope::PrintModule(Read(third)->module(), options) != third)
    Fail("printing what was printed changes it again and again", third);
  return 0;
}
