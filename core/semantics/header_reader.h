// SPDX-License-Identifier: Apache-2.0
// The module header and its tables (docs/text-format.md 2.2-2.8).
#ifndef HLOSCOPE_CORE_SEMANTICS_HEADER_READER_H_
#define HLOSCOPE_CORE_SEMANTICS_HEADER_READER_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/diagnostics/diagnostic.h"
#include "core/ir/module.h"
#include "core/lex/token_buffer.h"
#include "core/semantics/name_diagnostics.h"
#include "core/source/source_text.h"
#include "core/syntax/syntax_tree.h"

namespace hloscope {

struct HeaderAttributeInfo {
  absl::string_view name;
  absl::string_view doc;            // one sentence
  absl::string_view default_value;  // as it would be written, or a few words
};
// The attributes that may follow the module's name.
absl::Span<const absl::string_view> HeaderAttributeNames();
// Null if there is none of that name.
const HeaderAttributeInfo* FindHeaderAttribute(absl::string_view name);

// Fills module.mutable_header() from the tree. A broken attribute is reported and left at its default.
void ReadHeader(const SourceText& source, const TokenBuffer& tokens, const SyntaxTree& tree, Module& module,
                NameDiagnostics& names, DiagnosticSink& sink);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SEMANTICS_HEADER_READER_H_
