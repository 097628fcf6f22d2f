// SPDX-License-Identifier: Apache-2.0
// Diagnostics as JSON, and writing JSON.
#ifndef HLOSCOPE_CLI_DIAGNOSTICS_JSON_H_
#define HLOSCOPE_CLI_DIAGNOSTICS_JSON_H_

#include <string>

#include "core/diagnostics/diagnostic.h"
#include "core/source/source_text.h"
#include "nlohmann/json_fwd.hpp"

namespace hloscope::cli {

// {"severity", "code", "message", "range", "related": [{"message", "range"}], "fixes": [{"title", "edits": [{"range",
// "replacement"}]}]}; a range is {"begin": {"line", "column", "offset"}, "end": {...}} with lines and columns from 1
// (in characters) and byte offsets from 0.
nlohmann::ordered_json DiagnosticToJson(const SourceText& source, const Diagnostic& diagnostic);

// The text of a JSON value, indented, with a line feed at the end. Bytes of strings that are not UTF-8 become U+FFFD.
std::string DumpJson(const nlohmann::ordered_json& json);

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_DIAGNOSTICS_JSON_H_
