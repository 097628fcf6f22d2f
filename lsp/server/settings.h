// SPDX-License-Identifier: Apache-2.0
// What a user can set: `initializationOptions` and `workspace/didChangeConfiguration`.
#ifndef HLOSCOPE_LSP_SERVER_SETTINGS_H_
#define HLOSCOPE_LSP_SERVER_SETTINGS_H_

#include <algorithm>
#include <string>
#include <vector>

#include "core/document/document.h"
#include "lsp/evaluation/evaluation_process.h"
#include "lsp/features/inlay_hint.h"
#include "lsp/server/reading_options.h"
#include "nlohmann/json_fwd.hpp"
#include "stablehlo/import_options.h"

namespace hloscope::lsp {

struct Settings {
  DocumentOptions document;
  stablehlo::ImportOptions program;  // sizes that StableHLO programs leave open
  InlayHintSettings inlay_hints;
  bool code_lenses = true;
  bool user_lenses = false;                // how many use it, above each instruction
  int64_t tokens_of_whole_text_bytes = 0;  // semantic tokens of longer texts by range only; 0: of any length
  EvaluationLimits evaluation;
  std::vector<std::string> source_roots;  // of SourceFinder
  bool workspace_diagnostics = true;      // also of files that are not open
  std::string module_scheme;              // of URIs under which the client shows protos as text; empty: it does not

  friend bool SameAnalysis(const Settings& a, const Settings& b) {
    return a.document.verify.layout_sensitive == b.document.verify.layout_sensitive &&
           a.document.verify.allow_mixed_precision == b.document.verify.allow_mixed_precision &&
           std::equal(a.program.shapes.begin(), a.program.shapes.end(), b.program.shapes.begin(),
                      b.program.shapes.end(),
                      [](const auto& left, const auto& right) { return left.written == right.written; });
  }
  ReadingOptions reading() const { return {document, program}; }
};

// The settings that `options` changes in `base`; values of the wrong kind are ignored, and `problems` says so. The
// object may be inside another under the key "hloscope", as editors send it.
Settings ReadSettings(const nlohmann::json& options, Settings base, std::vector<std::string>* problems);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_SERVER_SETTINGS_H_
