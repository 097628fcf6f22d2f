// SPDX-License-Identifier: Apache-2.0
// Folders that --xla_dump_to fills: their files as modules and stages, from the names alone.
#ifndef HLOSCOPE_INTEROP_DUMP_DUMP_FOLDER_H_
#define HLOSCOPE_INTEROP_DUMP_DUMP_FOLDER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace hloscope::interop {

// What the name of a file says.
struct DumpName {
  std::string timestamp;  // microseconds, or a word of the writer; empty if there is none
  int64_t id = -1;        // -1: the name has none
  std::string module;     // empty if it was too long for a file name
  std::string stage;      // "before_optimizations", "0003.fusion.after_dce.before_fusion"
  int64_t order = -1;     // the number that a stage between passes begins with; -1: none
  std::string kind;       // what of the stage: "hlo", "buffer-assignment", "memory-usage-report", "snapshot", ...
  std::string extension;  // "txt", "hlo.pb.gz"
};

// Nothing for names that the grammar of dumps does not have.
std::optional<DumpName> ParseDumpName(absl::string_view name);

struct DumpFile {
  std::string path;  // below the folder
  std::string kind;
  uint64_t bytes = 0;
};

struct DumpStage {
  std::string name;
  int64_t order = 0;            // position, from 0
  std::vector<DumpFile> files;  // forms of the module first, the one that tells most in front
};

struct DumpModule {
  std::string folder, timestamp;
  int64_t id = -1;
  std::string name;
  std::vector<DumpStage> stages;  // before optimisation, passes in order, after optimisation
  std::vector<DumpFile> others;   // of the module, but of no stage: code, logs, options
  uint64_t bytes = 0;             // of all files
};

struct DumpFolder {
  std::vector<DumpModule> modules;      // by folder, time, id and name
  std::vector<std::string> ignored;     // files that are nobody's
  std::vector<std::string> unreadable;  // folders without rights
};

// Lists a folder and those in it; no file is opened. Errors: NotFound, PermissionDenied, InvalidArgument (no folder).
absl::StatusOr<DumpFolder> ListDumpFolder(const std::string& path);

}  // namespace hloscope::interop

#endif  // HLOSCOPE_INTEROP_DUMP_DUMP_FOLDER_H_
