// SPDX-License-Identifier: Apache-2.0
// Types in StableHLO programs: what a `tensor<...>` is in HLO.
#ifndef HLOSCOPE_LSP_FEATURES_PROGRAM_TYPE_H_
#define HLOSCOPE_LSP_FEATURES_PROGRAM_TYPE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "core/source/source_range.h"

namespace hloscope::lsp {

struct ProgramType {
  SourceRange range;
  std::string text;  // Markdown: its shape in HLO, its size, which sizes are open and how they are given
};

// The array type around the offset, judged by the text alone, so that programs that cannot be translated have it too.
std::optional<ProgramType> ProgramTypeAt(absl::string_view text, uint32_t offset);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_FEATURES_PROGRAM_TYPE_H_
