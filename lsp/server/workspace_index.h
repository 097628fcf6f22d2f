// SPDX-License-Identifier: Apache-2.0
// The names of all HLO files below the folders of a workspace, for workspace/symbol.
#ifndef HLOSCOPE_LSP_SERVER_WORKSPACE_INDEX_H_
#define HLOSCOPE_LSP_SERVER_WORKSPACE_INDEX_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/source/source_text.h"
#include "lsp/protocol/types.h"

namespace hloscope::lsp {

struct WorkspaceSymbol {
  std::string name;
  std::string container;  // the computation of an instruction
  protocol::SymbolKind kind = protocol::SymbolKind::kFunction;
  protocol::Location location;
  std::string path;     // of the file, and
  uint32_t number = 0;  // what Resolve knows the symbol by in it
};

// Reads files (.hlo, .txt that begin with HloModule, and protos called .hlo.pb) when it is asked for the first time,
// and again when they have changed on disk. Not thread-safe: it lives on one lane.
class WorkspaceIndex {
 public:
  // Files beyond these are left out.
  static constexpr size_t kMaxFiles = 2000;
  static constexpr uint64_t kMaxFileBytes = uint64_t{64} << 20;
  static constexpr size_t kMaxSymbols = 400;

  explicit WorkspaceIndex(ColumnUnit unit) : unit_(unit) {}

  void SetFolders(std::vector<std::string> folders) { folders_ = std::move(folders); }
  // The scheme of URIs under which the client shows protos as text: SCHEME:/a/b.hlo.pb.hlo?file=%2Fa%2Fb.hlo.pb. Empty:
  // it shows none, and protos are left out.
  void SetModuleScheme(std::string scheme) { module_scheme_ = std::move(scheme); }

  // The paths of the files, in order.
  std::vector<std::string> ListFiles() const;
  // Whether a file that ListFiles has is a text with a module.
  static bool IsModuleText(const std::string& path);

  // Computations and instructions whose names hold the letters of `query` in order: equal names first, then those that
  // begin with it, then those that hold it; computations before instructions. Stops early if `cancelled`.
  // `report` is called with the number of files read and of all files, now and then.
  std::vector<WorkspaceSymbol> Find(const std::string& query, const std::function<bool()>& cancelled,
                                    const std::function<void(size_t, size_t)>& report);
  // Where a symbol is, by its path and number; nothing if the file has changed so that it is not there.
  std::optional<protocol::Range> Resolve(const std::string& path, uint32_t number, const std::string& name);

 private:
  struct Entry {
    std::string name;
    uint32_t container = 0;  // index of the computation's entry; itself for a computation
    bool is_computation = false;
    protocol::Range range;
  };
  struct File {
    std::filesystem::file_time_type time;
    uint64_t bytes = 0;
    std::vector<Entry> entries;
  };

  void Refresh(const std::string& path);
  std::string UriOf(const std::string& path) const;

  const ColumnUnit unit_;
  std::vector<std::string> folders_;
  std::string module_scheme_;
  std::map<std::string, File> files_;
};

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_SERVER_WORKSPACE_INDEX_H_
