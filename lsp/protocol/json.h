// SPDX-License-Identifier: Apache-2.0
// Protocol values as JSON, and tolerant reads of the JSON that clients send.
#ifndef HLOSCOPE_LSP_PROTOCOL_JSON_H_
#define HLOSCOPE_LSP_PROTOCOL_JSON_H_

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "lsp/protocol/client_capabilities.h"
#include "lsp/protocol/types.h"
#include "nlohmann/json_fwd.hpp"

namespace hloscope::lsp {

nlohmann::json ToJson(const protocol::Position& value);
nlohmann::json ToJson(const protocol::Range& value);
// The same as ToJson, as text after `out`: for lists of thousands.
void AppendRange(std::string* out, const protocol::Range& range);
nlohmann::json ToJson(const protocol::Location& value);
nlohmann::json ToJson(const protocol::TextEdit& value);
nlohmann::json ToJson(const protocol::DocumentHighlight& value);
nlohmann::json ToJson(const protocol::FoldingRange& value);
// Leaves out what the client did not say it understands.
nlohmann::json ToJson(const protocol::Diagnostic& value, const ClientCapabilities& client);
nlohmann::json ToJson(const protocol::Hover& value, const ClientCapabilities& client);
nlohmann::json ToJson(const protocol::CodeAction& value, const ClientCapabilities& client);
// The value at `path` below `object`, null if a step is missing or no object is there.
const nlohmann::json* FindPath(const nlohmann::json& object, std::initializer_list<absl::string_view> path);
// The same as a string, an integer or a bool, if it is one.
std::optional<std::string> FindString(const nlohmann::json& object, std::initializer_list<absl::string_view> path);
// The string is moved out of the object.
std::optional<std::string> TakeString(nlohmann::json& object, std::initializer_list<absl::string_view> path);
std::optional<int64_t> FindInt(const nlohmann::json& object, std::initializer_list<absl::string_view> path);
std::optional<bool> FindBool(const nlohmann::json& object, std::initializer_list<absl::string_view> path);

// nullopt if the value has another form. Numbers outside uint32 are clamped.
std::optional<protocol::Position> ReadPosition(const nlohmann::json& value);
std::optional<protocol::Range> ReadRange(const nlohmann::json& value);
std::optional<protocol::ContentChange> ReadContentChange(const nlohmann::json& value);

// Reads the `capabilities` of an initialize request; what is missing is taken as not supported.
ClientCapabilities ReadClientCapabilities(const nlohmann::json& capabilities);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_PROTOCOL_JSON_H_
