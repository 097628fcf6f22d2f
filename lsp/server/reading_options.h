// SPDX-License-Identifier: Apache-2.0
// How the texts of documents are read.
#ifndef HLOSCOPE_LSP_SERVER_READING_OPTIONS_H_
#define HLOSCOPE_LSP_SERVER_READING_OPTIONS_H_

#include "core/document/document.h"
#include "stablehlo/import_options.h"

namespace hloscope::lsp {

struct ReadingOptions {
  DocumentOptions document;
  stablehlo::ImportOptions program;  // for StableHLO programs
};

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_SERVER_READING_OPTIONS_H_
