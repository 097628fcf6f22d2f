// SPDX-License-Identifier: Apache-2.0
// StableHLO programs as HLO texts (docs/stablehlo.md).
#ifndef HLOSCOPE_STABLEHLO_IMPORT_H_
#define HLOSCOPE_STABLEHLO_IMPORT_H_

#include <memory>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/diagnostics/diagnostic.h"
#include "core/source/source_text.h"
#include "stablehlo/import_options.h"

namespace hloscope::stablehlo {

// Whether these bytes are a StableHLO program, or MLIR bytecode, whatever the file is called. Looks at the first MiB.
bool IsProgram(absl::string_view bytes);

struct ImportedProgram {
  // The HLO text under the name of the program; its origin() leads back to the program, which is the text made of it
  // for bytecode. What has an error is missing.
  std::shared_ptr<const SourceText> hlo;
  std::vector<Diagnostic> diagnostics;  // of the program's text, sorted by position
  bool has_errors = false;
};

// Translates a program. Bytecode that is no portable artifact gets one diagnostic that says how to make text of it.
ImportedProgram ImportProgram(std::shared_ptr<const SourceText> program, const ImportOptions& options = {});

// A diagnostic of the HLO text as one of the program: its places are those of the operations, and the message names the
// instruction. Fixes would change the wrong text and are left out.
Diagnostic AtOrigin(const SourceText& hlo, const Diagnostic& diagnostic);

}  // namespace hloscope::stablehlo

#endif  // HLOSCOPE_STABLEHLO_IMPORT_H_
