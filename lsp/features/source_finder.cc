// SPDX-License-Identifier: Apache-2.0
#include "lsp/features/source_finder.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "core/editing/instruction_text.h"
#include "core/lex/lexer.h"
#include "lsp/protocol/file_uri.h"

namespace hloscope::lsp {
namespace {

// The names of metadata's fields that lead to a line.
constexpr absl::string_view kPlaceFields[] = {"source_file",   "source_line",       "source_end_line",
                                              "source_column", "source_end_column", "stack_frame_id"};

// Whether the offset is on such a field or its value, or just after the value.
bool IsOnPlaceField(const SourceText& source, const TokenBuffer& tokens, uint32_t offset) {
  const TokenIndex at = tokens.TokenAt(offset);
  for (TokenIndex back = 0; back <= 2 && back <= at; ++back) {
    const TokenIndex t = at - back;
    if (t >= tokens.size() || tokens.kind(t) != TokenKind::kAttributeName) continue;
    if (back == 2 && tokens.end(at - 1) != offset) return false;
    const absl::string_view name = TokenName(TokenKind::kAttributeName, source.Slice(tokens.range(t)));
    return std::find(std::begin(kPlaceFields), std::end(kPlaceFields), name) != std::end(kPlaceFields);
  }
  return false;
}

}  // namespace

SourceFinder::SourceFinder(const std::string& document_uri, const std::vector<std::string>& roots, Exists exists)
    : roots_(roots), exists_(std::move(exists)), folder_(PathFromUri(document_uri).value_or("")) {
  folder_.resize(folder_.rfind('/') == std::string::npos ? 0 : folder_.rfind('/') + 1);
}

const std::string& SourceFinder::PathOf(absl::string_view name) {
  const auto [entry, is_new] = paths_.try_emplace(std::string(name));
  if (is_new && !name.empty()) entry->second = Find(name);
  return entry->second;
}

std::string SourceFinder::Find(absl::string_view name) const {
  for (const std::string& root : roots_) {
    if (const size_t equals = root.find('='); equals != std::string::npos) {
      if (equals == 0 || !absl::StartsWith(name, root.substr(0, equals))) continue;
      std::string path = absl::StrCat(root.substr(equals + 1), name.substr(equals));
      if (exists_(path)) return path;
      continue;
    }
    for (absl::string_view rest = absl::StripPrefix(name, "/"); !rest.empty();) {
      std::string path = absl::StrCat(absl::StripSuffix(root, "/"), "/", rest);
      if (exists_(path)) return path;
      const size_t slash = rest.find('/');
      rest = slash == absl::string_view::npos ? absl::string_view() : rest.substr(slash + 1);
    }
  }
  if (name[0] != '/' && folder_.empty()) return "";
  std::string path = name[0] == '/' ? std::string(name) : absl::StrCat(folder_, name);
  return exists_(path) ? path : std::string();
}

std::optional<SourceFrame> SourceFrameOf(const Module& module, InstructionId id) {
  const Metadata* const metadata = module.MetadataOf(id);
  if (metadata == nullptr) return std::nullopt;
  const std::vector<SourceFrame> frames = SourceFramesOf(module, *metadata);
  return frames.empty() || frames[0].file.empty() ? std::nullopt : std::make_optional(frames[0]);
}

std::optional<protocol::Location> FindSourceLine(const DocumentView& view, protocol::Position position,
                                                 SourceFinder& finder) {
  const uint32_t offset = view.ToOffset(position);
  const InstructionId id = view.document.InstructionAt(offset);
  if (!id.has_value() || !view.module().instruction(id).syntax.has_value()) return std::nullopt;
  const std::optional<SourceFrame> frame = SourceFrameOf(view.module(), id);
  if (!frame.has_value()) return std::nullopt;
  const InstructionText text(view.document, id);
  if (!IsOnPlaceField(view.document.source(), text.tokens(), offset)) return std::nullopt;
  const std::string& path = finder.PathOf(frame->file);
  if (path.empty()) return std::nullopt;
  const protocol::Position start{static_cast<uint32_t>(std::max(frame->line, 1) - 1),
                                 static_cast<uint32_t>(std::max(frame->column, 1) - 1)};
  return protocol::Location{UriFromPath(path), {start, start}};
}

}  // namespace hloscope::lsp
