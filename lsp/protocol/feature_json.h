// SPDX-License-Identifier: Apache-2.0
// The values of single features as JSON.
#ifndef HLOSCOPE_LSP_PROTOCOL_FEATURE_JSON_H_
#define HLOSCOPE_LSP_PROTOCOL_FEATURE_JSON_H_

#include <string>

#include "lsp/protocol/client_capabilities.h"
#include "lsp/protocol/types.h"
#include "nlohmann/json_fwd.hpp"

namespace hloscope::lsp {

// Most bytes of an answer to completion: what does not fit is left out, and the list says that it is incomplete.
inline constexpr size_t kMaxCompletionBytes = 60 * 1024;
std::string CompletionText(const protocol::CompletionList& list, const ClientCapabilities& client);

nlohmann::json ToJson(const protocol::SignatureHelp& value, const ClientCapabilities& client);
nlohmann::json ToJson(const protocol::SelectionRange& value);
nlohmann::json ToJson(const protocol::InlayHint& value);
nlohmann::json ToJson(const protocol::DocumentLink& value);
nlohmann::json ToJson(const protocol::CodeLens& value);
nlohmann::json ToJson(const protocol::InlineValue& value);
// `uri` is the document's: items lead back to it.
nlohmann::json ToJson(const protocol::CallHierarchyItem& value, const std::string& uri);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_PROTOCOL_FEATURE_JSON_H_
