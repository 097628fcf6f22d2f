// SPDX-License-Identifier: Apache-2.0
#include "lsp/protocol/symbol_json.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "lsp/protocol/json.h"
#include "lsp/transport/json_rpc.h"
#include "nlohmann/json.hpp"

namespace hloscope::lsp {
namespace {

void AppendString(std::string& out, const std::string& text) {
  const bool plain =
      std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7F && c != '"' && c != '\\'; });
  if (plain) {
    absl::StrAppend(&out, "\"", text, "\"");
  } else {
    out += JsonText(nlohmann::json(text));
  }
}

// `"name":...,"kind":...`, which both forms start with.
void AppendHead(std::string& out, const protocol::DocumentSymbol& symbol) {
  out += "{\"name\":";
  AppendString(out, symbol.name);
  absl::StrAppend(&out, ",\"kind\":", static_cast<int>(symbol.kind));
}

void AppendTree(std::string& out, const std::vector<protocol::DocumentSymbol>& symbols) {
  out += "[";
  bool first = true;
  for (const protocol::DocumentSymbol& symbol : symbols) {
    if (!first) out += ",";
    first = false;
    AppendHead(out, symbol);
    if (!symbol.detail.empty()) {
      out += ",\"detail\":";
      AppendString(out, symbol.detail);
    }
    out += ",\"range\":";
    AppendRange(&out, symbol.range);
    out += ",\"selectionRange\":";
    AppendRange(&out, symbol.selection_range);
    if (!symbol.children.empty()) {
      out += ",\"children\":";
      AppendTree(out, symbol.children);
    }
    out += "}";
  }
  out += "]";
}

void AppendFlat(std::string& out, const protocol::DocumentSymbol& symbol, const std::string& container,
                const std::string& uri) {
  if (out.size() > 1) out += ",";
  AppendHead(out, symbol);
  out += ",\"location\":{\"uri\":";
  AppendString(out, uri);
  out += ",\"range\":";
  AppendRange(&out, symbol.range);
  out += "}";
  if (!container.empty()) {
    out += ",\"containerName\":";
    AppendString(out, container);
  }
  out += "}";
  for (const protocol::DocumentSymbol& child : symbol.children) AppendFlat(out, child, symbol.name, uri);
}

}  // namespace

std::string DocumentSymbolsText(const std::vector<protocol::DocumentSymbol>& symbols, const std::string& uri,
                                const ClientCapabilities& client) {
  std::string out;
  if (client.hierarchical_symbols) {
    AppendTree(out, symbols);
    return out;
  }
  out.assign(1, '[');
  for (const protocol::DocumentSymbol& symbol : symbols) AppendFlat(out, symbol, "", uri);
  out += "]";
  return out;
}

}  // namespace hloscope::lsp
