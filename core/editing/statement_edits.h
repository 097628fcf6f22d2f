// SPDX-License-Identifier: Apache-2.0
// Small pieces of text edits: lines of statements, free names, statements under other names.
#ifndef HLOSCOPE_CORE_EDITING_STATEMENT_EDITS_H_
#define HLOSCOPE_CORE_EDITING_STATEMENT_EDITS_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/document/document.h"

namespace hloscope {

// The range together with its line's indentation and line end, if nothing else but blanks is on its lines.
SourceRange WithLines(const SourceText& source, SourceRange range);

// Edits that remove the instructions, which must be statements of the text.
std::vector<TextEdit> RemoveStatements(const Document& document, absl::Span<const InstructionId> instructions);

// `base`, or `base.1`, `base.2`, ...: the first that nothing in the module is called.
std::string FreeName(const Module& module, absl::string_view base);
// True if names are written with `%` where the computation is written.
bool WritesPercent(const Document& document, ComputationId computation);

// The text of an instruction that is a statement, without ROOT, with names that it defines and reads replaced. Error
// FailedPrecondition, for the user, if it holds computations written in place that read names.
absl::StatusOr<std::string> StatementText(const Document& document, InstructionId id,
                                          const absl::flat_hash_map<std::string, std::string>& names);

// `edits` if the text has no more errors after them than before; else Internal, for the user, with `what` being done
// and the first error.
absl::StatusOr<std::vector<TextEdit>> CheckedEdits(const Document& document, std::vector<TextEdit> edits,
                                                   absl::string_view what);

// Statements of a computation in text order: no nested operands, nothing made up.
std::vector<InstructionId> StatementsOf(const Document& document, ComputationId computation);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_EDITING_STATEMENT_EDITS_H_
