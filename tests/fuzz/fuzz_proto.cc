// SPDX-License-Identifier: Apache-2.0
// Any bytes as a file: detected, read as whatever they are, and what becomes a text is parsed and written again.
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/document/document.h"
#include "interop/files/open_file.h"
#include "interop/files/write_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using hloscope::interop::OpenBytes;
  const auto file =
      OpenBytes("fuzz", std::string(reinterpret_cast<const char*>(data), size), {.list_unknown_fields = true});
  if (!file.ok()) return 0;
  if (file->snapshot) {
    for (const auto& partition : file->snapshot->arguments) {
      for (const auto& argument : partition) argument.Read().status().IgnoreError();
    }
  }
  for (const auto& module : file->modules) {
    const auto document = hloscope::Document::Parse(module.text);
    if (document->has_errors()) continue;
    hloscope::interop::EncodeModule(document->module(), hloscope::interop::OutputForm::kProto).status().IgnoreError();
  }
  return 0;
}
