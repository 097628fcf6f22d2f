#include "lsp/features/document_link.h"

#include <optional>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "core/lex/lexer.h"
#include "lsp/protocol/file_uri.h"

namespace hloscope::lsp {

std::vector<protocol::DocumentLink> ComputeDocumentLinks(const DocumentView& view,
                                                         const std::function<bool(const std::string&)>& exists) {
  const TokenBuffer& tokens = view.document.tokens();
  const SourceText& source = view.document.source();
  const TokenRange table = view.document.syntax().file_names;
  std::string folder = PathFromUri(view.uri).value_or("");
  folder.resize(folder.rfind('/') == std::string::npos ? 0 : folder.rfind('/') + 1);
  absl::flat_hash_map<std::string, std::string> uris;  // by written name; empty: no such file
  std::vector<protocol::DocumentLink> links;
  for (TokenIndex t = 1; t < tokens.size() && links.size() < kMaxDocumentLinks; ++t) {
    if (tokens.kind(t) != TokenKind::kString) continue;
    const bool in_table = t >= table.begin && t < table.end;
    const bool in_metadata =
        tokens.kind(t - 1) == TokenKind::kAttributeName && source.Slice(tokens.range(t - 1)) == "source_file=";
    if (!in_table && !in_metadata) continue;
    const std::optional<std::string> name = DecodeString(source.Slice(tokens.range(t)));
    if (!name.has_value() || name->empty()) continue;
    const auto [entry, is_new] = uris.try_emplace(*name);
    if (is_new) {
      const std::string path = (*name)[0] == '/' ? *name : folder + *name;
      if ((*name)[0] == '/' || !folder.empty()) entry->second = exists(path) ? UriFromPath(path) : "";
    }
    if (entry->second.empty()) continue;
    protocol::DocumentLink link;
    link.range = view.ToRange({tokens.begin(t) + 1, tokens.end(t) - 1});
    link.target = entry->second;
    link.tooltip = absl::StrCat("Open ", *name);
    if (in_metadata && t + 2 < tokens.size() && tokens.kind(t + 2) == TokenKind::kInteger &&
        source.Slice(tokens.range(t + 1)) == "source_line=") {
      absl::StrAppend(&link.target, "#L", source.Slice(tokens.range(t + 2)));
    }
    links.push_back(std::move(link));
  }
  return links;
}

}  // namespace hloscope::lsp
