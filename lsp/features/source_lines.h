// SPDX-License-Identifier: Apache-2.0
// hloscope/sourceLines: what each line of the program became.
#ifndef HLOSCOPE_LSP_FEATURES_SOURCE_LINES_H_
#define HLOSCOPE_LSP_FEATURES_SOURCE_LINES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "lsp/features/document_view.h"
#include "lsp/features/source_finder.h"

namespace hloscope::lsp {

struct SourceLine {
  int32_t line = 0;  // from 1
  // Of one run of the entry computation: what is executed several times counts so often.
  int64_t flops = 0, bytes = 0;
  std::vector<InstructionId> instructions;  // in text order
};

struct SourceLinesOfFile {
  std::string name;  // as the module has it
  std::string path;  // empty if there is no such file here
  std::vector<SourceLine> lines;
};

// Every file and line that metadata names, in order. Operations count where they are computed, in fusions and bodies
// of loops; bytes where memory is touched, so those of a fusion at the fusion.
std::vector<SourceLinesOfFile> ComputeSourceLines(const DocumentView& view, SourceFinder& finder);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_FEATURES_SOURCE_LINES_H_
