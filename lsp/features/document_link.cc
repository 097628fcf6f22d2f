#include "lsp/features/document_link.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "core/editing/instruction_text.h"
#include "core/lex/lexer.h"
#include "lsp/protocol/file_uri.h"

namespace hloscope::lsp {
namespace {

// Finds the links and remembers which files exist.
class LinkFinder {
 public:
  LinkFinder(const DocumentView& view, const std::function<bool(const std::string&)>& exists)
      : view_(view), exists_(exists), folder_(PathFromUri(view.uri).value_or("")) {
    folder_.resize(folder_.rfind('/') == std::string::npos ? 0 : folder_.rfind('/') + 1);
  }

  // Of the strings among the tokens; `only_metadata`: of those that are a source_file.
  void Add(const TokenBuffer& tokens, TokenRange range, bool only_metadata) {
    const SourceText& source = view_.document.source();
    for (TokenIndex t = std::max<TokenIndex>(range.begin, 1); t < range.end && !IsFull(); ++t) {
      if (tokens.kind(t) != TokenKind::kString) continue;
      if (only_metadata &&
          (tokens.kind(t - 1) != TokenKind::kAttributeName || source.Slice(tokens.range(t - 1)) != "source_file=")) {
        continue;
      }
      const std::optional<std::string> name = DecodeString(source.Slice(tokens.range(t)));
      const std::string& uri = name.has_value() ? UriOf(*name) : kNothing;
      if (uri.empty()) continue;
      protocol::DocumentLink link;
      link.range = view_.ToRange({tokens.begin(t) + 1, tokens.end(t) - 1});
      link.target = uri;
      link.tooltip = absl::StrCat("Open ", *name);
      if (only_metadata && t + 2 < range.end && tokens.kind(t + 2) == TokenKind::kInteger &&
          source.Slice(tokens.range(t + 1)) == "source_line=") {
        absl::StrAppend(&link.target, "#L", source.Slice(tokens.range(t + 2)));
      }
      links_.push_back(std::move(link));
    }
  }
  // Empty if there is no such file.
  const std::string& UriOf(absl::string_view name) {
    const auto [entry, is_new] = uris_.try_emplace(std::string(name));
    if (is_new && !name.empty() && (name[0] == '/' || !folder_.empty())) {
      const std::string path = name[0] == '/' ? std::string(name) : absl::StrCat(folder_, name);
      if (exists_(path)) entry->second = UriFromPath(path);
    }
    return entry->second;
  }
  bool IsFull() const { return links_.size() >= kMaxDocumentLinks; }
  std::vector<protocol::DocumentLink> Take() { return std::move(links_); }

 private:
  const std::string kNothing;
  const DocumentView& view_;
  const std::function<bool(const std::string&)>& exists_;
  std::string folder_;
  absl::flat_hash_map<std::string, std::string> uris_;  // by written name
  std::vector<protocol::DocumentLink> links_;
};

}  // namespace

std::vector<protocol::DocumentLink> ComputeDocumentLinks(const DocumentView& view,
                                                         const std::function<bool(const std::string&)>& exists) {
  const Document& document = view.document;
  const Module& module = view.module();
  LinkFinder finder(view, exists);
  if (const SourceRange table = document.text_map().tables[0]; !table.empty()) {
    DiagnosticSink quiet;
    const TokenBuffer tokens = LexPart(document.source(), table.begin, table.end, 0, quiet);
    finder.Add(tokens, {1, static_cast<TokenIndex>(tokens.size())}, /*only_metadata=*/false);
  }
  for (size_t i = 0; i < module.instruction_count() && !finder.IsFull(); ++i) {
    const InstructionId id(i);
    const Metadata* metadata = module.MetadataOf(id);
    if (metadata == nullptr || !module.instruction(id).syntax.has_value() || module.instruction(id).synthesized)
      continue;
    const absl::string_view file = module.string(metadata->source_file);
    if (file.empty() || finder.UriOf(file).empty()) continue;
    const InstructionText text(document, id);
    finder.Add(text.tokens(), text.node().tokens, /*only_metadata=*/true);
  }
  std::vector<protocol::DocumentLink> links = finder.Take();
  // Instructions with inline computations are read with those.
  std::sort(links.begin(), links.end(), [](const protocol::DocumentLink& a, const protocol::DocumentLink& b) {
    return a.range.start < b.range.start;
  });
  links.erase(
      std::unique(links.begin(), links.end(),
                  [](const protocol::DocumentLink& a, const protocol::DocumentLink& b) { return a.range == b.range; }),
      links.end());
  return links;
}

}  // namespace hloscope::lsp
