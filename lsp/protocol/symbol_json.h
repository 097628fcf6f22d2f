// SPDX-License-Identifier: Apache-2.0
// Document symbols as JSON text. The outline of a large module has tens of thousands of symbols and editors ask for it
// after every edit, so it is written straight to text; a tree of JSON values would take ten times the time and memory.
#ifndef HLOSCOPE_LSP_PROTOCOL_SYMBOL_JSON_H_
#define HLOSCOPE_LSP_PROTOCOL_SYMBOL_JSON_H_

#include <string>
#include <vector>

#include "lsp/protocol/client_capabilities.h"
#include "lsp/protocol/types.h"

namespace hloscope::lsp {

// DocumentSymbol[], or the flat SymbolInformation[] for clients that do not know nested symbols.
std::string DocumentSymbolsText(const std::vector<protocol::DocumentSymbol>& symbols, const std::string& uri,
                                const ClientCapabilities& client);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_PROTOCOL_SYMBOL_JSON_H_
