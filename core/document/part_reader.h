// SPDX-License-Identifier: Apache-2.0
// Reads a large text part by part: while one part becomes part of the module, a second thread lexes and parses the
// next. Tokens and syntax of a part are given up after it, so that they stay in the caches and cost no memory.
#ifndef HLOSCOPE_CORE_DOCUMENT_PART_READER_H_
#define HLOSCOPE_CORE_DOCUMENT_PART_READER_H_

#include <cstddef>
#include <optional>

#include "core/diagnostics/diagnostic.h"
#include "core/document/text_map.h"
#include "core/ops/rule_context.h"
#include "core/semantics/module_builder.h"
#include "core/source/source_text.h"

namespace hloscope {

struct TextInParts {
  BuiltModule built;
  TextMap map;  // but for MarkPlainComputations
  DiagnosticSink diagnostics;
  bool is_regular = true;      // see InitialUpdateState
  double lex = 0, syntax = 0;  // seconds
};

// The module that Lex, ParseSyntax and BuildModule make of the text, with its map and what they report. Nothing if that
// may be more than constants that were left out, or if the text is not divided as TextDivision understands it: it must
// be read whole.
std::optional<TextInParts> ReadInParts(const SourceText& source, const VerifyOptions& options, size_t part_bytes);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_DOCUMENT_PART_READER_H_
