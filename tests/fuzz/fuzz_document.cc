// SPDX-License-Identifier: Apache-2.0
// Any bytes as a text: lexed, parsed, inferred, verified, and asked about positions. Must neither crash nor hang.
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/document/document.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto document = hloscope::Document::Parse(
      hloscope::SourceText::FromString("fuzz", std::string(reinterpret_cast<const char*>(data), size)));
  for (uint32_t offset = 0; offset <= size; offset += 1 + static_cast<uint32_t>(size) / 16) {
    const hloscope::SymbolAtPosition symbol = document->SymbolAt(offset);
    if (symbol.instruction.has_value()) document->ReferencesTo(symbol.instruction);
    if (symbol.computation.has_value()) document->ReferencesTo(symbol.computation);
  }
  for (const hloscope::Diagnostic& diagnostic : document->diagnostics()) {
    if (diagnostic.range.begin > diagnostic.range.end || diagnostic.range.end > size || diagnostic.Message().empty())
      __builtin_trap();
  }
  return 0;
}
