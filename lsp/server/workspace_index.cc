// SPDX-License-Identifier: Apache-2.0
#include "lsp/server/workspace_index.h"

#include <algorithm>
#include <fstream>
#include <system_error>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "core/document/document.h"
#include "interop/modules/open_modules.h"
#include "lsp/protocol/file_uri.h"
#include "lsp/protocol/position_mapper.h"

namespace hloscope::lsp {
namespace {

namespace fs = std::filesystem;

// 4: equal, 3: begins with it, 2: holds it, 1: holds its letters in order, 0: none of these. Case does not count.
int MatchOf(absl::string_view query, absl::string_view name) {
  if (absl::EqualsIgnoreCase(query, name)) return 4;
  if (absl::StartsWithIgnoreCase(name, query)) return 3;
  size_t at = 0;
  for (char c : name) {
    if (at < query.size() && absl::ascii_tolower(static_cast<unsigned char>(c)) ==
                                 absl::ascii_tolower(static_cast<unsigned char>(query[at]))) {
      ++at;
    }
  }
  if (at < query.size()) return 0;
  return absl::StrContains(absl::AsciiStrToLower(name), absl::AsciiStrToLower(query)) ? 2 : 1;
}

bool IsProto(absl::string_view path) { return absl::EndsWith(path, ".hlo.pb") || absl::EndsWith(path, ".hlo.pb.gz"); }

// Dumps are called module_0001.jit_f.after_optimizations.txt.
bool BeginsWithModule(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  for (int i = 0; i < 100 && std::getline(file, line) && line.size() < 100000; ++i) {
    const absl::string_view text = absl::StripLeadingAsciiWhitespace(line);
    if (text.empty() || absl::StartsWith(text, "//")) continue;
    constexpr absl::string_view kWord = "HloModule";
    if (!absl::StartsWith(text, kWord)) return false;
    const char next = text.size() > kWord.size() ? text[kWord.size()] : ' ';
    return !absl::ascii_isalnum(static_cast<unsigned char>(next)) && next != '_';
  }
  return false;
}

}  // namespace

std::vector<std::string> WorkspaceIndex::ListFiles() const {
  std::vector<std::string> paths;
  for (const std::string& folder : folders_) {
    std::error_code error;
    fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied, error);
    while (!error && it != fs::recursive_directory_iterator() && paths.size() < kMaxFiles) {
      const std::string name = it->path().filename().string();
      std::error_code ignored;
      if (it->is_directory(ignored) && !name.empty() && name[0] == '.') {
        it.disable_recursion_pending();
      } else if ((absl::EndsWith(name, ".hlo") || absl::EndsWith(name, ".txt") ||
                  (!module_scheme_.empty() && IsProto(name))) &&
                 it->is_regular_file(ignored)) {
        paths.push_back(it->path().string());
      }
      it.increment(error);
    }
  }
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  return paths;
}

bool WorkspaceIndex::IsModuleText(const std::string& path) {
  return absl::EndsWith(path, ".hlo") || (absl::EndsWith(path, ".txt") && BeginsWithModule(path));
}

std::string WorkspaceIndex::UriOf(const std::string& path) const {
  if (!IsProto(path)) return UriFromPath(path);
  // The name of the text ends so that every editor knows the language.
  const std::string name = UriFromPath(path).substr(absl::string_view("file://").size());
  return absl::StrCat(module_scheme_, ":", name, ".hlo?file=", absl::StrReplaceAll(name, {{"/", "%2F"}}));
}

void WorkspaceIndex::Refresh(const std::string& path) {
  std::error_code error;
  const fs::file_time_type time = fs::last_write_time(path, error);
  const uint64_t bytes = error ? 0 : fs::file_size(path, error);
  if (error || bytes > kMaxFileBytes) {
    files_.erase(path);
    return;
  }
  const auto found = files_.find(path);
  if (found != files_.end() && found->second.time == time && found->second.bytes == bytes) return;
  if (!IsProto(path) && !IsModuleText(path)) {
    files_[path] = {time, bytes, {}};  // a text of another kind: looked at once
    return;
  }
  DocumentOptions options;
  options.parse_only = true;
  // The text of a proto is the one that `hloscope convert` makes, which is what clients show.
  const auto opened = interop::OpenModules(path);
  if (!opened.ok()) {
    files_.erase(path);
    return;
  }
  const std::shared_ptr<const Document> document = Document::Parse(opened->modules[0].text, options);
  File file;
  file.time = time;
  file.bytes = bytes;
  const Module& module = document->module();
  const PositionMapper positions(document->source(), unit_);
  for (size_t c = 0; c < module.computations().size(); ++c) {
    const Computation& computation = module.computations()[c];
    const uint32_t container = static_cast<uint32_t>(file.entries.size());
    if (!computation.is_anonymous) {
      const SourceRange range = document->ComputationNameRange(ComputationId(c));
      file.entries.push_back(
          {std::string(module.ComputationName(ComputationId(c))), container, true, positions.ToRange(range)});
    }
    for (InstructionId id : computation.instructions) {
      if (module.instruction(id).synthesized) continue;
      const SourceRange range = document->NameRange(id);
      if (range.empty()) continue;
      file.entries.push_back({std::string(module.InstructionName(id)), computation.is_anonymous ? 0 : container, false,
                              positions.ToRange(range)});
    }
  }
  files_[path] = std::move(file);
}

std::optional<protocol::Range> WorkspaceIndex::Resolve(const std::string& path, uint32_t number,
                                                       const std::string& name) {
  // Only what Find has read: a client names no other files.
  if (!files_.contains(path)) return std::nullopt;
  Refresh(path);
  const auto found = files_.find(path);
  if (found == files_.end()) return std::nullopt;
  const std::vector<Entry>& entries = found->second.entries;
  if (number < entries.size() && entries[number].name == name) return entries[number].range;
  const auto same = std::find_if(entries.begin(), entries.end(), [&](const Entry& one) { return one.name == name; });
  return same == entries.end() ? std::nullopt : std::make_optional(same->range);
}

std::vector<WorkspaceSymbol> WorkspaceIndex::Find(const std::string& query, const std::function<bool()>& cancelled,
                                                  const std::function<void(size_t, size_t)>& report) {
  const std::vector<std::string> paths = ListFiles();
  for (auto it = files_.begin(); it != files_.end();) {
    it = std::binary_search(paths.begin(), paths.end(), it->first) ? std::next(it) : files_.erase(it);
  }
  struct Hit {
    int score;
    const std::string* path;
    const File* file;
    const Entry* entry;
  };
  std::vector<Hit> hits;
  for (size_t i = 0; i < paths.size(); ++i) {
    if (cancelled()) return {};
    report(i, paths.size());
    Refresh(paths[i]);
    const auto found = files_.find(paths[i]);
    if (found == files_.end()) continue;
    for (const Entry& entry : found->second.entries) {
      const int match = MatchOf(query, entry.name);
      if (match > 0)
        hits.push_back({match * 2 + (entry.is_computation ? 1 : 0), &found->first, &found->second, &entry});
    }
    // A short query hits everything: only the best are worth keeping.
    if (hits.size() > 64 * kMaxSymbols) {
      std::nth_element(hits.begin(), hits.begin() + kMaxSymbols, hits.end(),
                       [](const Hit& a, const Hit& b) { return a.score > b.score; });
      hits.resize(kMaxSymbols);
    }
  }
  std::stable_sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) { return a.score > b.score; });
  if (hits.size() > kMaxSymbols) hits.resize(kMaxSymbols);
  std::vector<WorkspaceSymbol> symbols;
  for (const Hit& hit : hits) {
    WorkspaceSymbol symbol;
    symbol.name = hit.entry->name;
    symbol.kind = hit.entry->is_computation ? protocol::SymbolKind::kFunction : protocol::SymbolKind::kVariable;
    if (!hit.entry->is_computation && hit.file->entries[hit.entry->container].is_computation)
      symbol.container = hit.file->entries[hit.entry->container].name;
    symbol.location = {UriOf(*hit.path), hit.entry->range};
    symbol.path = *hit.path;
    symbol.number = static_cast<uint32_t>(hit.entry - hit.file->entries.data());
    symbols.push_back(std::move(symbol));
  }
  return symbols;
}

}  // namespace hloscope::lsp
