// SPDX-License-Identifier: Apache-2.0
// Any bytes as a StableHLO program: translated, and what comes out read as HLO. Must neither crash nor hang.
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/document/document.h"
#include "stablehlo/import.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const hloscope::stablehlo::ImportedProgram program = hloscope::stablehlo::ImportProgram(
      hloscope::SourceText::FromString("fuzz", std::string(reinterpret_cast<const char*>(data), size)));
  for (const hloscope::Diagnostic& diagnostic : program.diagnostics) {
    if (diagnostic.range.begin > diagnostic.range.end || diagnostic.range.end > size || diagnostic.Message().empty())
      __builtin_trap();
  }
  const auto document = hloscope::Document::Parse(program.hlo);
  for (const hloscope::Diagnostic& diagnostic : document->diagnostics()) {
    if (hloscope::stablehlo::AtOrigin(*program.hlo, diagnostic).range.end > size) __builtin_trap();
  }
  return 0;
}
