// SPDX-License-Identifier: Apache-2.0
// libhloscope_core.so as other programs use it: this one loads it, reads a module and writes it again.
#include <cstdio>
#include <memory>
#include <string>

#include "core/document/document.h"
#include "core/print/printer.h"
#include "core/source/source_text.h"

int main() {
  constexpr char kText[] = "HloModule m\n\nENTRY e {\n  p = f32[2] parameter(0)\n  ROOT n = f32[2] negate(p)\n}\n";
  const auto document = hloscope::Document::Parse(hloscope::SourceText::FromString("m.hlo", kText));
  const std::string printed = hloscope::PrintModule(document->module(), {});
  std::fputs(printed.c_str(), stdout);
  return printed.find("negate(") == std::string::npos ? 1 : 0;
}
