// SPDX-License-Identifier: Apache-2.0
// Tokens to metadata, origins and stack-frame tables (docs/text-format.md 2.6, 2.8, 6.13, 6.14).
#ifndef HLOSCOPE_CORE_SEMANTICS_METADATA_READER_H_
#define HLOSCOPE_CORE_SEMANTICS_METADATA_READER_H_

#include <optional>

#include "core/ir/module.h"
#include "core/semantics/token_cursor.h"

namespace hloscope {

// {op_name="..." source_line=3 ...}; strings are interned in `module`.
std::optional<Metadata> ReadMetadata(TokenCursor& cursor, Module& module);

// {"name" {0,1}}
std::optional<OriginArray> ReadOriginArray(TokenCursor& cursor);
// {tree} or {[synthetic_call]}
std::optional<Origin> ReadOrigin(TokenCursor& cursor);

// Rows of one table between headings; false after a diagnostic.
bool ReadStringRows(TokenCursor& cursor, std::vector<std::string>& rows);
bool ReadLocationRows(TokenCursor& cursor, std::vector<StackFrameTables::Location>& rows);
bool ReadFrameRows(TokenCursor& cursor, std::vector<StackFrameTables::Frame>& rows);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SEMANTICS_METADATA_READER_H_
