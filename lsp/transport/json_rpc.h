// SPDX-License-Identifier: Apache-2.0
// JSON-RPC 2.0 as LSP uses it: reading payloads leniently, request ids, and the texts of replies and notifications.
#ifndef HLOSCOPE_LSP_TRANSPORT_JSON_RPC_H_
#define HLOSCOPE_LSP_TRANSPORT_JSON_RPC_H_

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "absl/strings/string_view.h"
#include "nlohmann/json_fwd.hpp"

namespace hloscope::lsp {

// Codes of JSON-RPC 2.0 and LSP 3.17.
enum class ErrorCode : int {
  kParseError = -32700,
  kInvalidRequest = -32600,
  kMethodNotFound = -32601,
  kInvalidParams = -32602,
  kInternalError = -32603,
  kServerNotInitialized = -32002,
  kRequestCancelled = -32800,
  kContentModified = -32801,
  kRequestFailed = -32803,
};

using RequestId = std::variant<int64_t, std::string>;

// Parses a payload. Bytes that are no UTF-8 and escapes of lone surrogates, which some editors send for damaged files,
// become U+FFFD. nullopt: not JSON.
std::optional<nlohmann::json> ParsePayload(const std::string& payload);

// Reads a payload of 16 KiB or more where it can; for what it gives nothing for, ParsePayload goes on. To be set once,
// before there are other threads (ParseLargeJson of lsp/large_json): programs that never meet such payloads do not load
// the library.
using LargePayloadReader = std::optional<nlohmann::json> (*)(const std::string& payload);
void SetLargePayloadReader(LargePayloadReader reader);

// The id of a request; nullopt if the value is neither a string nor a 64-bit integer.
std::optional<RequestId> ReadRequestId(const nlohmann::json& value);

// The value as JSON text. Strings that are not UTF-8 get U+FFFD where they are broken.
std::string JsonText(const nlohmann::json& value);

// Payloads. `result` is JSON text: large results are written without building a tree.
std::string ResultPayload(const RequestId& id, absl::string_view result);
// Without id (it could not be read): `"id": null`.
std::string ErrorPayload(const std::optional<RequestId>& id, ErrorCode code, absl::string_view message);
std::string NotificationPayload(absl::string_view method, nlohmann::json params);
// A request of the server to the client.
std::string RequestPayload(const RequestId& id, absl::string_view method, nlohmann::json params);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_TRANSPORT_JSON_RPC_H_
