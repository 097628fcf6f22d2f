// SPDX-License-Identifier: Apache-2.0
// The files of the program that a module was made from, where they are on this machine.
#ifndef HLOSCOPE_LSP_FEATURES_SOURCE_FINDER_H_
#define HLOSCOPE_LSP_FEATURES_SOURCE_FINDER_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "core/analysis/source_frames.h"
#include "lsp/features/document_view.h"

namespace hloscope::lsp {

// Remembers which files exist: for one request.
class SourceFinder {
 public:
  using Exists = std::function<bool(const std::string&)>;
  // A name is looked for under each of `roots` in turn, then where it says, relative to the document's folder. A root
  // is `OLD=NEW`, which replaces the beginning of names, or a folder, to which names are relative: the whole name, or
  // what is left of it without its first folders. `exists` says whether a path is a file.
  SourceFinder(const std::string& document_uri, const std::vector<std::string>& roots, Exists exists);

  // Empty if there is no such file.
  const std::string& PathOf(absl::string_view name);

 private:
  std::string Find(absl::string_view name) const;

  const std::vector<std::string>& roots_;
  const Exists exists_;
  std::string folder_;                                   // with a slash at its end; empty if the document is not a file
  absl::flat_hash_map<std::string, std::string> paths_;  // by name
};

// The innermost frame of what the instruction was made from. Nothing without metadata.
std::optional<SourceFrame> SourceFrameOf(const Module& module, InstructionId id);

// The place in the program that the metadata at the position names: on source_file, source_line or stack_frame_id, or
// their values. Nothing if there is none, or its file does not exist.
std::optional<protocol::Location> FindSourceLine(const DocumentView& view, protocol::Position position,
                                                 SourceFinder& finder);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_FEATURES_SOURCE_FINDER_H_
