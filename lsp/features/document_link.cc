// SPDX-License-Identifier: Apache-2.0
#include "lsp/features/document_link.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/editing/instruction_text.h"
#include "core/lex/lexer.h"
#include "lsp/protocol/file_uri.h"

namespace hloscope::lsp {
namespace {

class LinkFinder {
 public:
  LinkFinder(const DocumentView& view, SourceFinder& finder) : view_(view), finder_(finder) {}

  // The names in a table.
  void AddNames(const TokenBuffer& tokens) {
    const SourceText& source = view_.document.source();
    for (TokenIndex t = 1; t < tokens.size() && !IsFull(); ++t) {
      if (tokens.kind(t) != TokenKind::kString) continue;
      const std::optional<std::string> name = DecodeString(source.Slice(tokens.range(t)));
      const std::string& path = name.has_value() ? finder_.PathOf(*name) : kNothing;
      if (!path.empty()) Add({tokens.begin(t) + 1, tokens.end(t) - 1}, path, 0);
    }
  }
  // source_file, source_line and stack_frame_id in metadata.
  void AddMetadata(const TokenBuffer& tokens, TokenRange range, const std::string& path, int32_t line) {
    const SourceText& source = view_.document.source();
    for (TokenIndex t = range.begin; t + 1 < range.end && !IsFull(); ++t) {
      if (tokens.kind(t) != TokenKind::kAttributeName) continue;
      const absl::string_view name = source.Slice(tokens.range(t));
      const TokenKind kind = tokens.kind(t + 1);
      if (name == "source_file=" && kind == TokenKind::kString) {
        Add({tokens.begin(t + 1) + 1, tokens.end(t + 1) - 1}, path, line);
      } else if ((name == "source_line=" || name == "stack_frame_id=") && kind == TokenKind::kInteger) {
        Add({tokens.begin(t), tokens.end(t + 1)}, path, line);
      }
    }
  }
  bool IsFull() const { return links_.size() >= kMaxDocumentLinks; }
  std::vector<protocol::DocumentLink> Take() { return std::move(links_); }

 private:
  // `line` 0: the file as a whole.
  void Add(SourceRange range, const std::string& path, int32_t line) {
    protocol::DocumentLink link;
    link.range = view_.ToRange(range);
    link.target = UriFromPath(path);
    if (line > 0) absl::StrAppend(&link.target, "#L", line);
    links_.push_back(std::move(link));
  }

  const std::string kNothing;
  const DocumentView& view_;
  SourceFinder& finder_;
  std::vector<protocol::DocumentLink> links_;
};

}  // namespace

std::vector<protocol::DocumentLink> ComputeDocumentLinks(const DocumentView& view, SourceFinder& finder) {
  const Document& document = view.document;
  const Module& module = view.module();
  LinkFinder links_of(view, finder);
  if (const SourceRange table = document.text_map().tables[0]; !table.empty()) {
    DiagnosticSink quiet;
    links_of.AddNames(LexPart(document.source(), table.begin, table.end, 0, quiet));
  }
  for (size_t i = 0; i < module.instruction_count() && !links_of.IsFull(); ++i) {
    const InstructionId id(i);
    if (!module.instruction(id).syntax.has_value() || module.instruction(id).synthesized) continue;
    const std::optional<SourceFrame> frame = SourceFrameOf(module, id);
    if (!frame.has_value()) continue;
    const std::string& path = finder.PathOf(frame->file);
    if (path.empty()) continue;
    const InstructionText text(document, id);
    links_of.AddMetadata(text.tokens(), text.node().tokens, path, frame->line);
  }
  std::vector<protocol::DocumentLink> links = links_of.Take();
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

std::string DocumentLinkTooltip(const DocumentView& view, protocol::Position position) {
  const InstructionId id = view.document.InstructionAt(view.ToOffset(position));
  const Metadata* const metadata = id.has_value() ? view.module().MetadataOf(id) : nullptr;
  std::string text;
  if (metadata == nullptr) return "Open the file";
  for (const SourceFrame& frame : SourceFramesOf(view.module(), *metadata)) {
    if (!text.empty()) text += "\ncalled from ";
    absl::StrAppend(&text, frame.file, ":", frame.line);
    if (!frame.function.empty()) absl::StrAppend(&text, ", in ", frame.function);
  }
  return text;
}

}  // namespace hloscope::lsp
