// SPDX-License-Identifier: Apache-2.0
// The files that every compiled program is built with. They are part of this library: codegen/embed_files.cmake made
// runtime_files.cc from them.
#ifndef HLOSCOPE_CODEGEN_RUNTIME_FILES_H_
#define HLOSCOPE_CODEGEN_RUNTIME_FILES_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace hloscope::codegen {

struct RuntimeFile {
  absl::string_view path;  // below `runtime/` of a program
  absl::string_view content;
};
absl::Span<const RuntimeFile> RuntimeFiles();

}  // namespace hloscope::codegen

#endif  // HLOSCOPE_CODEGEN_RUNTIME_FILES_H_
