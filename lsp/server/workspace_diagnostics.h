// SPDX-License-Identifier: Apache-2.0
// workspace/diagnostic: what is wrong with the files of a workspace that are not open.
#ifndef HLOSCOPE_LSP_SERVER_WORKSPACE_DIAGNOSTICS_H_
#define HLOSCOPE_LSP_SERVER_WORKSPACE_DIAGNOSTICS_H_

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/document/document.h"
#include "lsp/protocol/client_capabilities.h"
#include "nlohmann/json_fwd.hpp"

namespace hloscope::lsp {

// Remembers what it found until the files or the options change: editors ask every few seconds. Not thread-safe.
class WorkspaceDiagnostics {
 public:
  // Larger files are checked when they are opened, and all beyond so many bytes.
  static constexpr uint64_t kMaxFileBytes = uint64_t{4} << 20;
  static constexpr uint64_t kMaxBytes = uint64_t{64} << 20;

  struct Query {
    std::vector<std::string> paths;               // HLO texts that are not open
    std::map<std::string, std::string> previous;  // URI to result id: what the client has
    DocumentOptions options;
    const ClientCapabilities& client;
    const std::string& resource_directory;
    std::function<bool()> cancelled;
    std::function<void(size_t done, size_t all)> report;
  };
  // The texts of modules in the workspace: what `list` finds. Looking through its folders takes at most a twentieth of
  // the time: in between, the files are those of the last look.
  const std::vector<std::string>& Texts(const std::function<std::vector<std::string>()>& list);
  // The reports, as a JSON list. Files that are gone, and those of `previous` that are none of `paths`, have empty
  // ones.
  nlohmann::json Report(const Query& query);

 private:
  struct File {
    std::filesystem::file_time_type time;
    uint64_t bytes = 0;
    std::string id;     // of the result
    std::string items;  // JSON text of a list
  };
  // Null: it cannot be read or is too large.
  const File* Check(const std::string& path, const Query& query);

  std::vector<std::string> texts_;
  std::chrono::steady_clock::time_point next_look_;
  std::map<std::string, File> files_;
  std::string options_;  // that they were checked with
  uint64_t next_id_ = 1;
};

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_SERVER_WORKSPACE_DIAGNOSTICS_H_
